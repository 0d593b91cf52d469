"""Verdicts of candidate rules, made in memory.  In: a snapshot.  Out: matrices; nothing is stored.

An audit of provenance asks which rule could have made the verdicts of a source.  Its candidates
need not be in the study, and asking must not change the study.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from finassay.marking.batch import Batch
from finassay.marking.matrix import ABSENT, STATUS_CODES, VerdictMatrix
from finassay.marking.rows import item_columns
from finassay.marking.rowwise import Marker
from finassay.marking.scoring import DEFAULT_SCORERS, chunks_of_systems
from finassay.marking.single import as_scorer
from finassay.scorers.base import Scorer
from finassay.scorers.composites import computable
from finassay.scorers.registry import scorer_id_of
from finassay.study.schemas import REDACTED
from finassay.study.snapshot import Snapshot

_IS_REDACTED = pl.col("flags").list.contains(REDACTED).fill_null(value=False)
_CODES = dict(STATUS_CODES)

MOST_AT_ONCE = 25_000
"""Predictions whose texts and measures are held at once, in about 100 MB."""


def candidate_matrices(
    snapshot: Snapshot,
    *,
    items: Sequence[str],
    scorers: Sequence[str | Scorer] = DEFAULT_SCORERS,
    known: Mapping[str, VerdictMatrix] | None = None,
    trial: int = 0,
) -> dict[str, VerdictMatrix]:
    """Return scorer id -> items x systems (display names) verdicts of each candidate rule.

    Args:
        snapshot: pinned tables.
        items: item ids, in the order of the rows.
        scorers: the candidates.
        known: verdicts that are at hand by scorer id; these are returned as they are.
        trial: the trial to mark.

    Raises:
        UnknownNameError: there is no scorer of that name.
        UsageError: the verdicts of a scorer are imported, not computed.
    """
    held = dict(known or {})
    rules = {scorer_id_of(rule): rule for rule in map(computable, map(as_scorer, scorers))}
    missing = {name: rule for name, rule in rules.items() if name not in held}
    made = _marked(snapshot, items, missing, trial) if missing else {}
    return {name: held[name] if name in held else made[name] for name in rules}


def _marked(
    snapshot: Snapshot, items: Sequence[str], rules: Mapping[str, Scorer], trial: int
) -> dict[str, VerdictMatrix]:
    systems = snapshot.systems()
    at_item = {item: i for i, item in enumerate(items)}
    at_system = {spec.system_id: j for j, spec in enumerate(systems)}
    shape = (len(items), len(systems))
    values = {name: np.zeros(shape) for name in rules}
    status = {name: np.full(shape, ABSENT, dtype=np.int8) for name in rules}
    columns = item_columns(snapshot)
    for chunk in chunks_of_systems(snapshot, systems, most=MOST_AT_ONCE):
        ids = [spec.system_id for spec in chunk]
        predictions = snapshot.frame("predictions", system_id=ids).filter(pl.col("trial").eq(trial))
        rows = predictions.join(columns, on="item_id", how="inner", maintain_order="left").filter(
            ~_IS_REDACTED & ~pl.col("item_is_redacted"), pl.col("item_id").is_in(list(at_item))
        )
        place = (
            np.array([at_item[item] for item in rows["item_id"]], dtype=np.intp),
            np.array([at_system[system] for system in rows["system_id"]], dtype=np.intp),
        )
        marker = Marker(Batch(rows))
        for name, rule in rules.items():
            verdicts = marker.mark(rule)
            values[name][place] = verdicts["value"].fill_null(0.0).to_numpy()
            codes = verdicts["status"].replace_strict(_CODES, return_dtype=pl.Int8)
            status[name][place] = codes.to_numpy()
    return {
        name: VerdictMatrix(
            values=values[name],
            status=status[name],
            row_names=("item_id",),
            rows=tuple((item,) for item in items),
            column_name="system",
            columns=tuple(spec.name for spec in systems),
        )
        for name in rules
    }
