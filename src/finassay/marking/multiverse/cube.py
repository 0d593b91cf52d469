"""Verdicts of every rule on every reply.  In: codes.  Out: a labelled array that analyses share.

Rules that mark all replies alike share one sheet of verdicts, so that memory grows with the number
of distinct sheets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from finassay.errors import MarkingError, UnknownNameError
from finassay.marking.matrix import ABSENT, VerdictMatrix
from finassay.marking.matrix import STATUS_CODES as MATRIX_CODES
from finassay.marking.multiverse.codes import FAILED, OUT, RIGHT, SILENT, WRONG, Codes
from finassay.marking.multiverse.grid import Cell, Grid

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

_MATRIX_CODE = {
    OUT: MATRIX_CODES["not_applicable"],
    FAILED: MATRIX_CODES["failed"],
    SILENT: MATRIX_CODES["no_answer"],
    WRONG: MATRIX_CODES["scored"],
    RIGHT: MATRIX_CODES["scored"],
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Multiverse:
    """Rules x items x systems verdicts.

    Attributes:
        grid: the grid that the rules come from.
        cells: R rules.
        items: I item ids.
        systems: C display names.
        sheets: (D, I, C) distinct sheets of verdicts, as `codes` numbers them.
        sheet: (R,) place of each rule's sheet.
        present: (I, C) whether the system replied to the item at all.
        unjudged: systems that the judge never read, where the grid asks whether it has a say.
        warnings: what a reader must know.
    """

    grid: Grid
    cells: tuple[Cell, ...]
    items: tuple[str, ...]
    systems: tuple[str, ...]
    sheets: NDArray[np.uint8]
    sheet: NDArray[np.intp]
    present: Bools
    unjudged: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        shape = (len(self.items), len(self.systems))
        if self.sheets.shape[1:] != shape or self.present.shape != shape:
            raise MarkingError(
                f"a multiverse of {shape[0]} items x {shape[1]} systems got sheets of shape "
                f"{self.sheets.shape} and presence of shape {self.present.shape}"
            )
        if len(self.sheet) != len(self.cells):
            raise MarkingError(f"{len(self.cells)} rules got {len(self.sheet)} sheets")

    @property
    def weights(self) -> Floats:
        """(R,) plausibility of each rule; they sum to 1."""
        found = np.array([cell.weight for cell in self.cells])
        return np.asarray(found / found.sum())

    @cached_property
    def _excludes(self) -> Bools:
        return np.array([cell.unscored == "exclude" for cell in self.cells], dtype=bool)

    @cached_property
    def counts(self) -> tuple[Counts, Counts]:
        """(R, C) replies that count and are right, and (R, C) replies that count at all."""
        right, wrong, silent = (
            np.array([(sheet == code).sum(axis=0) for sheet in self.sheets], dtype=np.int64)
            for code in (RIGHT, WRONG, SILENT)
        )
        scored = (right + wrong)[self.sheet]
        extra = np.where(self._excludes[:, None], 0, silent[self.sheet])
        return right[self.sheet], scored + extra

    @property
    def accuracy(self) -> Floats:
        """(R, C) share right of the replies that count; NaN where none counts."""
        right, counted = self.counts
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(right / counted)

    @cached_property
    def verdicts(self) -> NDArray[np.intp]:
        """(R,) number of each rule's verdict vector: what counts, and what is right."""
        seen: dict[tuple[bytes, bytes], int] = {}
        known: dict[tuple[int, bool], int] = {}
        numbers = np.empty(len(self.cells), dtype=np.intp)
        for at, key in enumerate(zip(self.sheet.tolist(), self._excludes.tolist(), strict=True)):
            if key not in known:
                right, counted = self._marks(*key)
                known[key] = seen.setdefault((_digest(right), _digest(counted)), len(seen))
            numbers[at] = known[key]
        return numbers

    @property
    def n_distinct(self) -> int:
        """Number of distinct verdict vectors."""
        return int(self.verdicts.max()) + 1 if len(self.cells) else 0

    def _marks(self, sheet: int, excludes: bool) -> tuple[Bools, Bools]:  # noqa: FBT001 - a key's half
        codes = self.sheets[sheet]
        return codes == RIGHT, codes >= (WRONG if excludes else SILENT)

    def marks(self, rule: int) -> tuple[Bools, Bools]:
        """Return (I, C) whether a reply is right under a rule, and whether it counts."""
        return self._marks(int(self.sheet[rule]), bool(self._excludes[rule]))

    def firsts(self) -> NDArray[np.intp]:
        """Return the place of the first rule of each verdict vector, in the order of `verdicts`."""
        return np.unique(self.verdicts, return_index=True)[1].astype(np.intp)

    def blocks(
        self, rules: Sequence[int], *, cells: int
    ) -> Iterator[tuple[list[int], Bools, Bools]]:
        """Yield rules with (K, I, C) right and counted, in blocks of at most `cells` verdicts."""
        size = max(1, cells // max(1, self.present.size))
        for start in range(0, len(rules), size):
            block = [int(rule) for rule in rules[start : start + size]]
            pairs = [self.marks(rule) for rule in block]
            yield block, np.stack([a for a, _ in pairs]), np.stack([b for _, b in pairs])

    def select(self, keep: Callable[[Cell], bool] | NDArray[np.bool_]) -> Multiverse:
        """Return the multiverse of the rules that are kept; weights sum to 1 anew.

        Args:
            keep: says of each rule whether it stays, or (R,) whether it does.

        Raises:
            UnknownNameError: no rule is left.
        """
        mask = np.array([keep(cell) for cell in self.cells], dtype=bool) if callable(keep) else keep
        if not mask.any():
            raise UnknownNameError(
                "no rule of the grid is left by this selection; leave a condition of it out"
            )
        return replace(
            self,
            cells=tuple(cell for cell, stays in zip(self.cells, mask, strict=True) if stays),
            sheet=self.sheet[mask],
        )

    def only_systems(self, names: Sequence[str]) -> Multiverse:
        """Return the multiverse of some systems, in the order given."""
        where = [self.systems.index(name) for name in names]
        return replace(
            self,
            systems=tuple(names),
            sheets=self.sheets[:, :, where],
            present=self.present[:, where],
        )

    def where(self, **choices: str) -> Multiverse:
        """Return the rules that make these choices, for instance `where(matcher="exact")`.

        Raises:
            UnknownNameError: no rule makes them.
        """
        wanted = set(choices.items())
        return self.select(lambda cell: wanted <= set(cell.choices))

    @cached_property
    def base(self) -> int:
        """Place of the base rule; of the rule with the fewest changes where it is forbidden."""
        changes = [self.grid.n_changes(dict(cell.choices)) for cell in self.cells]
        return int(np.argmin(changes))

    def matrix(self, rule: int) -> VerdictMatrix:
        """Return the items x systems verdicts of one rule, absent where a system did not reply."""
        codes = self.sheets[self.sheet[rule]]
        table = np.array([_MATRIX_CODE[code] for code in range(len(_MATRIX_CODE))], dtype=np.int8)
        return VerdictMatrix(
            values=(codes == RIGHT).astype(np.float64),
            status=np.where(self.present, table[codes], np.int8(ABSENT)),
            row_names=("item_id",),
            rows=tuple((name,) for name in self.items),
            column_name="system",
            columns=self.systems,
        )


def collapsed(codes: Codes) -> tuple[Codes, NDArray[np.intp]]:
    """Return the distinct rows of (U, ...) codes in order of appearance, and (U,) their places."""
    seen: dict[bytes, int] = {}
    firsts: list[int] = []
    where = np.empty(len(codes), dtype=np.intp)
    for at, sheet in enumerate(codes):
        where[at] = seen.setdefault(_digest(sheet), len(seen))
        if where[at] == len(firsts):
            firsts.append(at)
    return (codes if len(firsts) == len(codes) else codes[firsts]), where


def _digest(array: NDArray[np.generic]) -> bytes:
    """Return 128 bits that differ for different arrays of one shape (clashes below 1e-30)."""
    return hashlib.blake2b(np.ascontiguousarray(array).tobytes(), digest_size=16).digest()
