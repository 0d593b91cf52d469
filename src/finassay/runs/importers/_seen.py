"""What was said of each item and trial so far.  In: numbers.  Out: numbers, in little memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

_SHIFT = 9
_PAGE = 1 << _SHIFT
_NOTHING = array("Q", bytes(8 * _PAGE))


class Seen:
    """The first 64 bits of a digest for each (place, trial), 0 where nothing was said.

    Ten million of them take 80 MB: they stand in pages of 512 places, made where they are needed.
    """

    def __init__(self) -> None:
        self._pages: dict[tuple[int, int], array[int]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def get(self, place: int, trial: int) -> int:
        """Return what was said there, 0 if nothing."""
        page = self._pages.get((trial, place >> _SHIFT))
        return 0 if page is None else page[place & (_PAGE - 1)]

    def put(self, place: int, trial: int, said: int) -> None:
        """Keep what was said at a place where nothing was; `said` is above 0."""
        key = (trial, place >> _SHIFT)
        page = self._pages.get(key)
        if page is None:
            page = self._pages[key] = _NOTHING[:]
        page[place & (_PAGE - 1)] = said
        self._count += 1

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        """Yield (place, trial, what was said)."""
        for (trial, number), page in self._pages.items():
            start = number << _SHIFT
            yield from ((start + at, trial, said) for at, said in enumerate(page) if said)
