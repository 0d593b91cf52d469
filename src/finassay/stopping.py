"""Stopping with Ctrl-C, also where the exception was lost.  In: a signal.  Out: an exception.

Python raises KeyboardInterrupt wherever the signal happens to meet it.  Inside a finaliser, a
weak reference's callback or a callback of compiled code nobody can pass it on, and the program
would go on as if nothing had been asked.  So the signal is remembered, and whatever is about to
leave something behind looks here first.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

RAISED_AGAIN_S = 0.05
"""Seconds after which an interrupt that Python reports as lost is raised again."""


class _Stop:
    """Whether a stop was asked for, and the timer that raises a lost interrupt again."""

    def __init__(self) -> None:
        self.asked = False
        self.timer: threading.Timer | None = None

    def ask(self, _signum: int, _frame: FrameType | None) -> None:
        self.asked = True
        raise KeyboardInterrupt

    def raise_again(self) -> None:
        self.timer = threading.Timer(RAISED_AGAIN_S, _interrupt)
        self.timer.daemon = True
        self.timer.start()

    def forget(self) -> None:
        self.asked = False
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


_stop = _Stop()


@contextmanager
def listening() -> Iterator[None]:
    """Remember every Ctrl-C inside, and end in KeyboardInterrupt if there was one.

    Nothing changes outside the main thread, where Python takes no signals, and where whoever
    started the program had it ignore them.

    Raises:
        KeyboardInterrupt: a stop was asked for, whatever became of the first exception.
    """
    before = signal.getsignal(signal.SIGINT)
    if not (_is_main_thread() and callable(before)):
        yield
        return
    told = sys.unraisablehook

    def hook(unraisable: sys.UnraisableHookArgs) -> None:
        if _stop.asked and issubclass(unraisable.exc_type, KeyboardInterrupt):
            _stop.raise_again()
        else:
            told(unraisable)

    with ExitStack() as after:
        after.callback(signal.signal, signal.SIGINT, before)
        after.callback(setattr, sys, "unraisablehook", told)
        after.callback(_stop.forget)
        signal.signal(signal.SIGINT, _stop.ask)
        sys.unraisablehook = hook
        try:
            yield
        finally:
            # Also after an error: a library may have made one of the interrupt that met it.
            checkpoint()


@contextmanager
def left_to_python() -> Iterator[None]:
    """Give Ctrl-C back to Python inside: an event loop then cancels its tasks in good order."""
    if not (_is_main_thread() and signal.getsignal(signal.SIGINT) == _stop.ask):
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, _stop.ask)


def checkpoint() -> None:
    """Go on only if no stop was asked for; called before something is left behind.

    While the interrupt is on its way out nothing is raised: what a run keeps of its work then is
    kept on purpose.

    Raises:
        KeyboardInterrupt: a stop was asked for, and its exception was lost.
    """
    if _stop.asked and not isinstance(sys.exception(), KeyboardInterrupt):
        raise KeyboardInterrupt


def _interrupt() -> None:
    if hasattr(signal, "pthread_kill"):
        # A real signal also wakes the main thread where it sleeps or waits.
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
