"""How often somebody may ask.  In: a key and a limit.  Out: yes, or how long to wait.

One server is one process, so counts are kept in memory: a restart forgets them.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

MOST_KEYS = 2_000
"""Keys that are remembered; beyond, the one that was silent longest is forgotten."""

Key = tuple[str, str]
"""What is counted, and whose."""


class RateLimiter:
    """Counts requests in a window that slides.

    Args:
        clock: seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._times: OrderedDict[Key, deque[float]] = OrderedDict()

    def take(self, key: Key, *, limit: int, window_s: float = 60.0) -> float | None:
        """Count a request and return None, or return the seconds to wait where it is one too many.

        What is refused is not counted.

        Args:
            key: what is counted, and whose.
            limit: requests in a window.
            window_s: length of the window in seconds.
        """
        now = self._clock()
        with self._lock:
            times = self._times.setdefault(key, deque())
            self._times.move_to_end(key)
            while len(self._times) > MOST_KEYS:
                self._times.popitem(last=False)
            wait_s = _wait_s(times, now, limit, window_s)
            if wait_s is None:
                times.append(now)
        return wait_s

    def wait(self, key: Key, *, limit: int, window_s: float = 60.0) -> float | None:
        """Return the seconds to wait until another request is counted, None for none.

        Nothing is counted: for requests that count only once it is known how they end.

        Args:
            key: what is counted, and whose.
            limit: requests in a window.
            window_s: length of the window in seconds.
        """
        now = self._clock()
        with self._lock:
            times = self._times.get(key)
            return None if times is None else _wait_s(times, now, limit, window_s)


def _wait_s(times: deque[float], now: float, limit: int, window_s: float) -> float | None:
    """Forget what the window has left behind; return how long it is full, None if it is not."""
    while times and times[0] <= now - window_s:
        times.popleft()
    return times[0] + window_s - now if len(times) >= limit else None


def whose(address: str | None) -> str:
    """Return whom an address counts for: itself, or its network of 64 bits under IPv6."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return address or "unknown"
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
