"""A stop that was asked for takes effect, whatever swallowed its exception."""

from __future__ import annotations

import signal
import sys
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path

import pytest

from finassay import stopping
from finassay.study.config import write_aside

WAIT_S = 10.0
"""Far more than it takes to raise a lost interrupt again."""


def swallowed() -> None:
    """Press Ctrl-C where somebody else's code catches everything."""
    with suppress(BaseException):
        signal.raise_signal(signal.SIGINT)


class Holder:
    """Something that a weak reference can watch."""


def lost_in_a_callback() -> None:
    """Press Ctrl-C where Python itself can only report that the exception is ignored."""
    held = Holder()
    seen = weakref.ref(held, lambda _: signal.raise_signal(signal.SIGINT))
    del held
    assert seen() is None


def lost_in_a_callback_before_a_long_wait() -> None:
    lost_in_a_callback()
    time.sleep(WAIT_S)


def misread() -> None:
    """Press Ctrl-C where a library makes an error of its own of it."""
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise ValueError("could not read the batch") from None


def kept_on_the_way_out(path: Path) -> None:
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        write_aside(path, "what had come")


def kept_too_late(path: Path) -> None:
    swallowed()
    write_aside(path, "too late")


def test_without_a_stop_nothing_is_raised():
    with stopping.listening():
        stopping.checkpoint()


def test_a_swallowed_stop_is_raised_at_the_next_checkpoint():
    with stopping.listening():
        swallowed()
        with pytest.raises(KeyboardInterrupt):
            stopping.checkpoint()
        with pytest.raises(KeyboardInterrupt):
            stopping.checkpoint()
        stopping._stop.forget()


def test_a_swallowed_stop_without_a_checkpoint_is_raised_at_the_end():
    with pytest.raises(KeyboardInterrupt), stopping.listening():
        swallowed()


def test_an_error_that_a_library_made_of_the_stop_gives_way_to_it():
    with pytest.raises(KeyboardInterrupt), stopping.listening():
        misread()


def test_a_stop_lost_in_a_callback_of_the_interpreter_is_raised_again_without_a_checkpoint(
    capfd: pytest.CaptureFixture[str],
):
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), stopping.listening():
        lost_in_a_callback_before_a_long_wait()
    assert time.monotonic() - began < WAIT_S / 2
    assert capfd.readouterr().err == ""


def test_what_is_kept_while_the_stop_is_on_its_way_out_is_kept(tmp_path: Path):
    kept = tmp_path / "kept.txt"
    with pytest.raises(KeyboardInterrupt), stopping.listening():
        kept_on_the_way_out(kept)
    assert kept.read_text("utf-8") == "what had come"


def test_nothing_is_left_behind_after_a_swallowed_stop(tmp_path: Path):
    with pytest.raises(KeyboardInterrupt), stopping.listening():
        kept_too_late(tmp_path / "late.txt")
    assert list(tmp_path.iterdir()) == []


def test_everything_is_as_it_was_afterwards():
    handler, hook = signal.getsignal(signal.SIGINT), sys.unraisablehook
    with suppress(KeyboardInterrupt), stopping.listening():
        assert signal.getsignal(signal.SIGINT) != handler
        swallowed()
    assert signal.getsignal(signal.SIGINT) is handler
    assert sys.unraisablehook is hook
    stopping.checkpoint()


def test_an_event_loop_finds_the_handler_that_it_looks_for():
    with stopping.listening():
        ours = signal.getsignal(signal.SIGINT)
        with stopping.left_to_python():
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert signal.getsignal(signal.SIGINT) == ours


def test_who_had_the_signal_ignored_is_not_interrupted():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with stopping.listening():
            signal.raise_signal(signal.SIGINT)
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_outside_the_main_thread_no_signal_is_touched():
    seen = []

    def work() -> None:
        with stopping.listening(), stopping.left_to_python():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]
