"""What rules have in common, computed once.  In: a key and how to make it.  Out: the same thing."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

T = TypeVar("T")


class Memo:
    """Things made once and kept under a key; a key always stands for one type."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, object] = {}

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what stands under the key, made now if nothing does."""
        if key not in self._kept:
            self._kept[key] = make()
        return cast("T", self._kept[key])
