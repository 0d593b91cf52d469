"""Rows that judges said, on their way into a study.  In: rows by column.  Out: commits.

A partition is filled piece by piece: what was said of other predictions stays, what is said anew
replaces what was said before, and a row that says something else than before is a revision of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from finassay.study.schemas import COMPARISONS, VERDICTS, TableSchema
from finassay.study.study import Commit, Study

PREDICTION = ("item_id", "system_id", "trial")
"""Key of a prediction."""

_REVISION = "revision"


def file_verdicts(
    study: Study,
    rows: Sequence[Mapping[str, object]],
    *,
    scorer: tuple[str, str],
    system_id: str,
) -> Commit:
    """File verdicts of one scorer on one system, and return the commit.

    Verdicts on predictions that the study no longer holds are dropped, others stay.

    Args:
        study: it holds the predictions.
        rows: columns of `verdicts` by name, those of the partition and the revision aside.
        scorer: id and version.
        system_id: whose predictions.

    Raises:
        SchemaError: a row breaks a rule of the table.
        KeyClashError: two rows are on one prediction.
        ConflictError: other writers kept committing first.
    """
    partition = {"scorer_id": scorer[0], "scorer_version": scorer[1], "system_id": system_id}
    known = study.snapshot().frame("predictions", system_id=system_id).select(PREDICTION)
    made = _frame(VERDICTS, ({**row, **partition, _REVISION: 0, "repeat": 0} for row in rows))

    def change(held: pl.DataFrame) -> pl.DataFrame:
        kept = held.join(made, on=list(PREDICTION), how="anti")
        kept = kept.join(known, on=list(PREDICTION), how="semi")
        return pl.concat([_revised(made, held), kept.select(made.columns)])

    return study.rewrite("verdicts", partition, change)


def _revised(made: pl.DataFrame, held: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with the revision that each is."""
    said = [name for name in VERDICTS.columns if name not in (_REVISION, *VERDICTS.key)]
    before = held.select(
        *VERDICTS.key,
        *(pl.col(name).alias(f"{name}_was") for name in said),
        pl.col(_REVISION).alias("was"),
    )
    joined = made.join(before, on=list(VERDICTS.key), how="left", maintain_order="left")
    is_other = pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"{name}_was")) for name in said)
    was = pl.col("was")
    revision = pl.when(was.is_null()).then(0).otherwise(was + is_other.cast(pl.Int64))
    return joined.with_columns(revision.alias(_REVISION)).select(made.columns)


def file_comparisons(
    study: Study, rows: Sequence[Mapping[str, object]], *, scorer: tuple[str, str]
) -> Commit:
    """File comparisons of one scorer, and return the commit; those of other pairs stay.

    Args:
        study: it holds the predictions on both sides.
        rows: columns of `comparisons` by name, those of the partition aside.
        scorer: id and version.

    Raises:
        SchemaError: a row breaks a rule of the table.
        KeyClashError: two rows are on one pair in one order.
        ConflictError: other writers kept committing first.
    """
    partition = {"scorer_id": scorer[0], "scorer_version": scorer[1]}
    made = _frame(COMPARISONS, ({**row, **partition, "repeat": 0} for row in rows))
    known = study.snapshot().scan("predictions").select(PREDICTION).collect()

    def change(held: pl.DataFrame) -> pl.DataFrame:
        kept = held.join(made, on=list(COMPARISONS.key), how="anti")
        for side in ("left", "right"):
            own = ["item_id", f"{side}_system_id", f"{side}_trial"]
            kept = kept.join(known, left_on=own, right_on=list(PREDICTION), how="semi")
        return pl.concat([made, kept.select(made.columns)])

    return study.rewrite("comparisons", partition, change)


def _frame(schema: TableSchema, rows: Iterable[Mapping[str, object]]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=schema.polars_schema, orient="row")
