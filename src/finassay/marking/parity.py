"""Tools' verdicts beside ours.  In: a snapshot.  Out: plain arrays, one entry a verdict.

Our rule is applied here, to the texts that the study holds; nothing is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.errors import UnknownNameError
from finassay.marking.batch import INPUT_SCHEMA, Batch
from finassay.marking.matrix import STATUS_CODES
from finassay.marking.rows import item_columns
from finassay.marking.rowwise import Marker
from finassay.marking.single import as_scorer
from finassay.marking.table import newest_versions
from finassay.marking.tool_rules import ToolRule, tool_of, tool_rule
from finassay.records import OTHER_REFERENCE, ReportedScore, content_id, reported_column
from finassay.scorers.base import Scorer
from finassay.scorers.registry import scorer_id_of
from finassay.study.rows import reported_from
from finassay.study.schemas import REDACTED
from finassay.study.snapshot import Snapshot

KEYS = ["item_id", "system_id", "trial"]
_IS_REDACTED = pl.col("flags").list.contains(REDACTED).fill_null(value=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToolVerdicts:
    """What one scorer of a tool said, over N predictions of all systems.

    Attributes:
        scorer: scorer id.
        items: (N,) ids.
        systems: (N,) display names.
        benchmarks: (N,) benchmarks of the items; "" where the study does not hold the item.
        trials: (N,) trials.
        values: (N,) float64; 0.0 where the status is not scored.
        status: (N,) int8 index into `records.STATUSES`.
    """

    scorer: str
    items: tuple[str, ...]
    systems: tuple[str, ...]
    benchmarks: tuple[str, ...]
    trials: NDArray[np.int64]
    values: NDArray[np.float64]
    status: NDArray[np.int8]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MarkedVerdicts:
    """What a scorer of a tool said, and what our rule of the same name says.

    Attributes:
        tool: what the tool said, on the M answers that ours was applied to.
        rule: the rule, as declared.
        scorer: scorer id of ours.
        values: (M,) float64; 0.0 where the status is not scored.
        status: (M,) int8 index into `records.STATUSES`.
        digests: M (digest of the reply, of the text that was read, of the reference).
        other_reference: verdicts left out because the tool compared with another text.
        unmarked: verdicts left out because item or reply is missing or redacted.
    """

    tool: ToolVerdicts
    rule: ToolRule
    scorer: str
    values: NDArray[np.float64]
    status: NDArray[np.int8]
    digests: tuple[tuple[str, str, str], ...]
    other_reference: int
    unmarked: int


def tool_scorers(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the ids of all scorers whose verdicts came from a tool, sorted."""
    ids = snapshot.scan("verdicts").select("scorer_id").unique().collect()["scorer_id"]
    return tuple(sorted(name for name in ids if tool_of(name) is not None))


def tool_verdicts(snapshot: Snapshot, scorers: Sequence[str] | None = None) -> list[ToolVerdicts]:
    """Return what the tools' scorers said, each over all systems.

    Args:
        snapshot: pinned tables.
        scorers: ids of some of them; by default all.

    Raises:
        UnknownNameError: the study holds no verdicts of a tool under such an id.
    """
    names = _names(snapshot)
    benchmarks = snapshot.frame("items").select("item_id", "benchmark")
    return [
        _verdicts(scorer, _held(snapshot, scorer).join(benchmarks, on="item_id", how="left"), names)
        for scorer in _chosen(snapshot, scorers)
    ]


def marked_verdicts(
    snapshot: Snapshot, scorers: Sequence[str] | None = None
) -> Iterator[MarkedVerdicts]:
    """Yield, for each scorer of a tool of which we have the rule, its verdicts beside ours.

    Args:
        snapshot: pinned tables.
        scorers: ids of some of them; by default all.

    Raises:
        UnknownNameError: the study holds no verdicts of a tool under such an id.
        MissingExtraError: a rule needs a package that is not installed.
    """
    names = _names(snapshot)
    items = item_columns(snapshot).join(
        snapshot.frame("items").select("item_id", "benchmark"), on="item_id", how="left"
    )
    for scorer in _chosen(snapshot, scorers):
        rule = tool_rule(scorer)
        if rule is not None:
            yield _marked(snapshot, scorer, rule, items, names)


def _chosen(snapshot: Snapshot, scorers: Sequence[str] | None) -> tuple[str, ...]:
    known = tool_scorers(snapshot)
    for name in scorers or ():
        if name not in known:
            raise UnknownNameError(
                f"the study at {snapshot.root} holds no verdicts of a tool under {name!r}; there "
                f"are: {', '.join(known) or 'none'}"
            )
    return known if scorers is None else tuple(scorers)


def _names(snapshot: Snapshot) -> dict[str, str]:
    return {spec.system_id: spec.name for spec in snapshot.systems()}


def _held(snapshot: Snapshot, scorer: str) -> pl.DataFrame:
    """Return the newest verdicts of a scorer, first repeats."""
    frame = snapshot.frame("verdicts", scorer_id=scorer)
    return newest_versions(frame.filter(pl.col("repeat").eq(0)))


def _verdicts(scorer: str, frame: pl.DataFrame, names: dict[str, str]) -> ToolVerdicts:
    values, status = _codes(frame)
    return ToolVerdicts(
        scorer=scorer,
        items=tuple(frame["item_id"]),
        systems=tuple(names.get(one, one) for one in frame["system_id"]),
        benchmarks=tuple(frame["benchmark"].fill_null("")),
        trials=frame["trial"].to_numpy().astype(np.int64),
        values=values,
        status=status,
    )


def _codes(frame: pl.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    values = frame["value"].fill_null(0.0).to_numpy().astype(np.float64)
    codes = dict(STATUS_CODES)
    return values, np.array([codes[one] for one in frame["status"]], dtype=np.int8)


def _marked(
    snapshot: Snapshot, scorer: str, rule: ToolRule, items: pl.DataFrame, names: dict[str, str]
) -> MarkedVerdicts:
    """Apply our rule to what the verdicts of a tool stand on, one system at a time."""
    held = _held(snapshot, scorer)
    flagged = pl.col("flags").list.contains(OTHER_REFERENCE).fill_null(value=False)
    other = held.filter(flagged).height
    ours = as_scorer(rule.scorer)
    parts = [
        _beside(snapshot, part, rule, ours, items)
        for _, part in sorted(held.filter(~flagged).group_by("system_id"), key=lambda pair: pair[0])
    ]
    empty = held.clear().with_columns(
        benchmark=pl.lit(""), ours=pl.lit(0.0), ours_status=pl.lit(""), digests=pl.lit([""])
    )
    whole = pl.concat(parts) if parts else empty
    mine = whole.select(value=pl.col("ours"), status=pl.col("ours_status"))
    values, status = _codes(mine)
    return MarkedVerdicts(
        tool=_verdicts(scorer, whole, names),
        rule=rule,
        scorer=scorer_id_of(ours),
        values=values,
        status=status,
        digests=tuple((one[0], one[1], one[2]) for one in whole["digests"]),
        other_reference=other,
        unmarked=held.height - other - whole.height,
    )


def _beside(
    snapshot: Snapshot, verdicts: pl.DataFrame, rule: ToolRule, ours: Scorer, items: pl.DataFrame
) -> pl.DataFrame:
    """Return the verdicts on one system with ours and the digests of the texts."""
    predictions = (
        snapshot.frame("predictions", system_id=verdicts["system_id"][0])
        .filter(~_IS_REDACTED)
        .select(*KEYS, "text", "finish", own_digest="text_digest")
    )
    known = items.filter(~pl.col("item_is_redacted")).drop("item_digest", "family")
    rows = verdicts.join(predictions, on=KEYS, how="inner", maintain_order="left").join(
        known, on="item_id", how="inner", maintain_order="left"
    )
    if rule.reads == "extracted":
        rows = rows.with_columns(text=pl.coalesce("extracted", "text"))
    made = Marker(Batch(rows.select([name for name in INPUT_SCHEMA if name in rows.columns]))).mark(
        ours
    )
    digests = [
        [own, content_id(read), content_id(reference or "")]
        for own, read, reference in rows.select("own_digest", "text", "reference").iter_rows()
    ]
    return rows.select(*verdicts.columns, "benchmark").with_columns(
        ours=made["value"],
        ours_status=made["status"],
        digests=pl.Series(digests, dtype=pl.List(pl.String)),
    )


def printed_scores(snapshot: Snapshot) -> dict[tuple[str, str, str], list[ReportedScore]]:
    """Return (scorer, system, task) -> the aggregates that the tool itself printed for it."""
    found: dict[tuple[str, str, str], list[ReportedScore]] = {}
    for score in reported_from(snapshot.frame("reported")):
        scorer = score.column.removesuffix(f":{score.table}")
        if tool_of(scorer) is not None and score.column == reported_column(scorer, score.table):
            found.setdefault((scorer, score.row, score.table), []).append(score)
    return found
