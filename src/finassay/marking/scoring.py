"""Marking a study.  In: a study and scorer names.  Out: verdict partitions, and what was done.

The unit of work is one scorer over one system; what is made for one system is committed together.
A run that was stopped goes on where it was, because partitions whose verdicts stand on the present
texts are left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from finassay._version import __version__
from finassay.marking.batch import Batch
from finassay.marking.columns import OUTPUT_SCHEMA
from finassay.marking.rowwise import Marker
from finassay.marking.single import as_scorer
from finassay.records import SystemSpec
from finassay.scorers.base import Scorer
from finassay.scorers.composites import computable
from finassay.scorers.registry import scorer_id_of, to_spec
from finassay.study.schemas import REDACTED, VERDICTS
from finassay.study.snapshot import Snapshot
from finassay.study.study import Commit, Study

DEFAULT_SCORERS = (
    "strict/numbers-first",
    "strict/fuzzy-first",
    "strict/as-stated",
    "strict/numbers-first[threshold=0.65]",
    "strict/numbers-first[threshold=0.8]",
    'exact[normaliser="words"]',
    "includes",
    "token_f1",
    "token_set",
    "token_sort",
    "number_set",
    "yes_no",
)
"""What `finassay score` marks with when no scorer is named."""

_IS_REDACTED = pl.col("flags").list.contains(REDACTED).fill_null(value=False)

KEYS = ("item_id", "system_id", "trial")
DIGESTS = ("text_digest", "item_digest")
CONTRACT_COLUMNS = (
    "contract_type",
    "contract_unit",
    "contract_scale",
    "contract_decimals",
    "contract_comparator",
    "contract_percent",
)
MOST_WAITING = 1_000_000
"""Verdict rows that may wait for a commit."""

Progress = Callable[[int, int, str], None]
"""Called with (steps done, steps in all, what is being marked)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReport:
    """What marking did.

    Attributes:
        scorers: ids of the scorers asked for.
        systems: display names of the systems marked.
        marked: verdicts made.
        up_to_date: verdicts that stood on the present texts and were left alone.
        without_item: predictions whose item the study does not hold; they get no verdict.
        redacted: predictions whose text, or whose item, was redacted; they get no new verdict.
    """

    scorers: tuple[str, ...]
    systems: tuple[str, ...]
    marked: int
    up_to_date: int
    without_item: int
    redacted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkingReport:
    """What `finassay score` did: rules first, then regimes over their verdicts."""

    marking: ScoreReport
    regimes: ScoreReport


def score_study(
    study: Study,
    *,
    scorers: Sequence[str | Scorer] = DEFAULT_SCORERS,
    systems: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> ScoreReport:
    """Mark the predictions of a study, and return what was done.

    Args:
        study: an open study.
        scorers: scorers or their ids.
        systems: display names or id prefixes; all by default.
        progress: called before each system.

    Raises:
        UnknownNameError: a scorer or a system is unknown.
        UsageError: the verdicts of a scorer are imported, not computed.
    """
    asked = [computable(as_scorer(scorer)) for scorer in scorers]
    rules = list({scorer_id_of(rule): rule for rule in asked}.values())
    snapshot = study.snapshot()
    chosen = chosen_systems(snapshot, systems)
    for rule in rules:
        record_scorer(study, rule)
    items = item_columns(snapshot)
    totals = {"marked": 0, "up_to_date": 0, "without_item": 0, "redacted": 0}
    for number, spec in enumerate(chosen):
        if progress is not None:
            progress(number, len(chosen), spec.name)
        _mark_system(study, snapshot, spec, (rules, items), totals)
    if progress is not None:
        progress(len(chosen), len(chosen), "")
    return ScoreReport(
        scorers=tuple(scorer_id_of(rule) for rule in rules),
        systems=tuple(spec.name for spec in chosen),
        **totals,
    )


def chosen_systems(snapshot: Snapshot, names: Sequence[str] | None) -> list[SystemSpec]:
    """Return the systems of these names, or all."""
    everyone = snapshot.systems()
    if names is None:
        return everyone
    wanted = {snapshot.resolve_system(name) for name in names}
    return [spec for spec in everyone if spec.system_id in wanted]


def record_scorer(study: Study, scorer: Scorer) -> None:
    """File the scorer's spec in the study, so that its verdicts can be made again."""
    study.add_scorer(
        scorer_id_of(scorer),
        scorer.version,
        name=scorer.name,
        spec=to_spec(scorer),
        package_version=__version__,
    )


def item_columns(snapshot: Snapshot) -> pl.DataFrame:
    """Return the items of a study with the columns that marking reads."""
    return snapshot.frame("items").select(
        "item_id",
        "family",
        "item_digest",
        "reference",
        "question",
        "task",
        "context",
        "contexts",
        "choices",
        "alternatives",
        *CONTRACT_COLUMNS,
        item_is_redacted=_IS_REDACTED,
    )


def _mark_system(
    study: Study,
    snapshot: Snapshot,
    spec: SystemSpec,
    work: tuple[Sequence[Scorer], pl.DataFrame],
    totals: dict[str, int],
) -> None:
    rules, items = work
    predictions = snapshot.frame("predictions", system_id=spec.system_id)
    known = predictions.join(items, on="item_id", how="inner", maintain_order="left")
    rows = known.filter(~_IS_REDACTED & ~pl.col("item_is_redacted"))
    totals["redacted"] += known.height - rows.height
    totals["without_item"] += predictions.height - known.height
    held = snapshot.frame("verdicts", system_id=spec.system_id)
    if not (rows.height or held.height):
        return
    marker = Marker(Batch(rows))
    waiting = Waiting(study, spec.system_id)
    for rule in rules:
        scorer_id = scorer_id_of(rule)
        before = held.filter(
            pl.col("scorer_id").eq(scorer_id), pl.col("scorer_version").eq(rule.version)
        )
        if _stand_on(before, known, rows):
            totals["up_to_date"] += before.height
            continue
        made = verdict_rows(rows, marker.mark(rule), scorer_id, rule.version)
        kept = before.join(made, on=KEYS, how="anti").join(known, on=KEYS, how="semi")
        waiting.add(pl.concat([made, kept.select(made.columns)]), scorer_id, rule.version)
        totals["marked"] += made.height
    waiting.commit()


def _stand_on(before: pl.DataFrame, known: pl.DataFrame, rows: pl.DataFrame) -> bool:
    """Whether verdicts cover these rows, with the texts and items that they have now."""
    columns = [*KEYS, *DIGESTS]
    covered = rows.select(columns).join(before.select(columns), on=columns, how="semi")
    strays = before.join(known, on=KEYS, how="anti")
    return covered.height == rows.height and not strays.height


def verdict_rows(
    rows: pl.DataFrame, columns: pl.DataFrame, scorer_id: str, scorer_version: str
) -> pl.DataFrame:
    """Return verdicts as rows of the study's table.

    Args:
        rows: predictions with their keys and digests.
        columns: their verdicts in the same order, as `columns.OUTPUT_SCHEMA`.
        scorer_id: what made them.
        scorer_version: its version.
    """
    keys = rows.select(*KEYS, *DIGESTS)
    table = pl.concat([keys, columns.select(OUTPUT_SCHEMA.names())], how="horizontal")
    return VERDICTS.complete(
        table.with_columns(
            scorer_id=pl.lit(scorer_id),
            scorer_version=pl.lit(scorer_version),
            repeat=pl.lit(0, dtype=pl.Int64),
            revision=pl.lit(0, dtype=pl.Int64),
        )
    )


class Waiting:
    """Verdicts on one system that wait to be committed together.

    A commit costs far more than marking a few hundred replies, so the partitions of one system go
    in one commit, up to a number of rows that fits in memory.
    """

    def __init__(self, study: Study, system_id: str) -> None:
        self._study = study
        self._system_id = system_id
        self._parts: dict[str, list[tuple[str, pl.DataFrame]]] = {}
        self._rows = 0

    def add(self, verdicts: pl.DataFrame, scorer_id: str, scorer_version: str) -> None:
        """Keep the verdicts of one scorer; commit when there are many."""
        self._parts.setdefault(scorer_version, []).append((scorer_id, verdicts))
        self._rows += verdicts.height
        if self._rows > MOST_WAITING:
            self.commit()

    def commit(self) -> list[Commit]:
        """Commit what waits, one commit for each scorer version, and return the commits."""
        commits = [
            self._study.commit(
                "verdicts",
                pl.concat([verdicts for _, verdicts in parts]),
                partition={
                    "scorer_id": [scorer_id for scorer_id, _ in parts],
                    "scorer_version": version,
                    "system_id": self._system_id,
                },
            )
            for version, parts in self._parts.items()
        ]
        self._parts.clear()
        self._rows = 0
        return commits
