"""The verdict table.  In: verdict rows of a study.  Out: the same, checked, and its matrices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from finassay.errors import CellClashError, MissingVerdictsError, SchemaError, UnknownNameError
from finassay.marking.matrix import ABSENT, STATUS_CODES, VerdictMatrix
from finassay.study.schemas import VERDICTS

AXES = ("item_id", "system_id", "system", "trial", "scorer_id", "scorer_version", "repeat")


def version_key(version: str) -> tuple[tuple[int, str], ...]:
    """Return a key by which versions compare as people count them: "10" after "9"."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in version.split("."))


def newest_versions(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the verdict rows of the newest version of each scorer."""
    newest: dict[str, str] = {}
    known = frame.select("scorer_id", "scorer_version").unique()
    for scorer_id, version in known.iter_rows():
        held = newest.setdefault(scorer_id, version)
        newest[scorer_id] = max(held, version, key=version_key)
    pairs = pl.DataFrame(
        list(newest.items()),
        schema={"scorer_id": pl.String, "scorer_version": pl.String},
        orient="row",
    )
    return frame.join(pairs, on=["scorer_id", "scorer_version"], how="semi", maintain_order="left")


def still_holds(then: str, now: str) -> pl.Expr:
    """Return whether what a verdict or a comparison stands on is what the study has now.

    Args:
        then: column of digests that it was made with.
        now: column of digests in the study.
    """
    # What does not say what it stands on is taken at its word.
    said = pl.col(then).fill_null("")
    return said.eq("") | said.eq(pl.col(now).fill_null(said))


class VerdictTable:
    """Verdicts, one row per prediction, scorer and repeat; immutable, keys unique.

    Attributes:
        frame: the columns of the study's verdict table, and `system` (display name) if known.

    Raises:
        SchemaError: a column is missing.
        CellClashError: two rows stand under one key.
    """

    def __init__(self, frame: pl.DataFrame) -> None:
        needed = (*VERDICTS.key, "status", "value")
        missing = [name for name in needed if name not in frame.columns]
        if missing:
            raise SchemaError(f"a verdict table needs the columns {needed}, {missing} missing")
        doubled = frame.select(VERDICTS.key).is_duplicated()
        if doubled.any():
            first = frame.select(VERDICTS.key).filter(doubled).row(0, named=True)
            raise CellClashError(
                f"two verdicts stand under one key: {first}"
                "; drop one of them, or number them as repeats"
            )
        self.frame = frame

    def __len__(self) -> int:
        return self.frame.height

    @property
    def scorer_ids(self) -> tuple[str, ...]:
        """Return the scorers that hold verdicts, sorted."""
        return tuple(sorted(self.frame["scorer_id"].unique().to_list()))

    def where(self, **equals: str | int | Sequence[str]) -> VerdictTable:
        """Return the rows whose columns equal a value, or are one of several.

        Raises:
            UnknownNameError: the table has no such column.
        """
        kept = self.frame
        for name, wanted in equals.items():
            if name not in kept.columns:
                raise UnknownNameError(
                    f"a verdict table has no column {name!r}; expected some of "
                    f"{', '.join(kept.columns)}"
                )
            names = [wanted] if isinstance(wanted, str | int) else list(wanted)
            kept = kept.filter(pl.col(name).is_in(names))
        return VerdictTable(kept)

    def matrix(
        self,
        *,
        rows: Sequence[str],
        columns: str,
        row_order: Sequence[tuple[str, ...]] | None = None,
        column_order: Sequence[str] | None = None,
    ) -> VerdictMatrix:
        """Return the verdicts as a labelled, masked matrix.

        Args:
            rows: names of the row axes, from `AXES`.
            columns: name of the column axis, from `AXES`.
            row_order: row labels to lay out, in order; absent ones become empty rows.  By default
                those that occur, sorted.
            column_order: the same for columns.

        Raises:
            UnknownNameError: an axis is not one of `AXES`.
            CellClashError: two verdicts fall into one cell: name the axis that tells them apart
                (trial, repeat, scorer_version), or filter it; nothing is averaged in passing.
            MissingVerdictsError: the table is empty and no order was given.
        """
        axes = (*rows, columns)
        unknown = [axis for axis in axes if axis not in AXES or axis not in self.frame.columns]
        if unknown:
            raise UnknownNameError(f"no axis {unknown[0]!r}; expected some of {', '.join(AXES)}")
        if not self.frame.height and (row_order is None or column_order is None):
            raise MissingVerdictsError("no verdicts to lay out; run `finassay score STUDY` first")
        self._refuse_clash(axes)
        cells = self.frame.select(pl.col(axis).cast(pl.String) for axis in axes)
        row_labels = list(zip(*(cells[axis].to_list() for axis in rows), strict=True))
        column_labels = cells[columns].to_list()
        laid_rows = tuple(sorted(set(row_labels)) if row_order is None else row_order)
        laid_columns = tuple(sorted(set(column_labels)) if column_order is None else column_order)
        return self._fill(rows, columns, (row_labels, column_labels), (laid_rows, laid_columns))

    def _refuse_clash(self, axes: Sequence[str]) -> None:
        doubled = self.frame.select(axes).is_duplicated()
        if doubled.any():
            first = self.frame.select(axes).filter(doubled).row(0, named=True)
            left_out = [name for name in VERDICTS.key if name not in axes]
            raise CellClashError(
                f"two verdicts fall into one cell {first}; name or filter the axis that tells "
                f"them apart: {', '.join(left_out)}"
            )

    def _fill(
        self,
        row_names: Sequence[str],
        column_name: str,
        labels: tuple[list[tuple[str, ...]], list[str]],
        laid: tuple[tuple[tuple[str, ...], ...], tuple[str, ...]],
    ) -> VerdictMatrix:
        row_at = {label: number for number, label in enumerate(laid[0])}
        column_at = {label: number for number, label in enumerate(laid[1])}
        i = np.array([row_at.get(label, -1) for label in labels[0]], dtype=np.intp)
        j = np.array([column_at.get(label, -1) for label in labels[1]], dtype=np.intp)
        keep = (i >= 0) & (j >= 0)
        values = np.zeros((len(laid[0]), len(laid[1])))
        status = np.full(values.shape, ABSENT, dtype=np.int8)
        codes = self.frame["status"].replace_strict(STATUS_CODES, return_dtype=pl.Int8).to_numpy()
        status[i[keep], j[keep]] = codes[keep]
        values[i[keep], j[keep]] = self.frame["value"].fill_null(0.0).to_numpy()[keep]
        return VerdictMatrix(
            values=values,
            status=status,
            row_names=tuple(row_names),
            rows=laid[0],
            column_name=column_name,
            columns=laid[1],
        )
