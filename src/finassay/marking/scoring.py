"""Marking a study.  In: a study and scorer names.  Out: verdict partitions, and what was done.

The unit of work is one scorer over one system; what is made is committed together, up to a million
verdicts.  A run that was stopped goes on where it was, because partitions whose verdicts stand on
the present texts are left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
MOST_TOGETHER = 100_000
"""Predictions of several systems that are marked together."""

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
    waiting = Waiting(study)
    done = 0
    try:
        for chunk in chunks_of_systems(snapshot, chosen):
            if progress is not None:
                progress(done, len(chosen), chunk[0].name)
            _mark_systems(waiting, snapshot, chunk, (rules, items), totals)
            done += len(chunk)
    finally:
        # A run that is stopped keeps what it has made.
        waiting.commit()
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
        "contract_id",
        item_is_redacted=_IS_REDACTED,
    )


def chunks_of_systems(
    snapshot: Snapshot, systems: Sequence[SystemSpec], *, most: int | None = None
) -> Iterator[list[SystemSpec]]:
    """Yield systems in order, together as long as their predictions fit `most`.

    Many small systems are marked as one large one; each large system stands alone.

    Args:
        snapshot: pinned tables.
        systems: the systems.
        most: predictions that are held at once; `MOST_TOGETHER` if None.
    """
    fitting = MOST_TOGETHER if most is None else most
    counted = snapshot.scan("predictions").group_by("system_id").len().collect()
    sizes = dict(counted.iter_rows())
    chunk: list[SystemSpec] = []
    size = 0
    for spec in systems:
        own = sizes.get(spec.system_id, 0)
        if chunk and size + own > fitting:
            yield chunk
            chunk, size = [], 0
        chunk.append(spec)
        size += own
    if chunk:
        yield chunk


def _mark_systems(
    waiting: Waiting,
    snapshot: Snapshot,
    specs: Sequence[SystemSpec],
    work: tuple[Sequence[Scorer], pl.DataFrame],
    totals: dict[str, int],
) -> None:
    rules, items = work
    ids = [spec.system_id for spec in specs]
    predictions = snapshot.frame("predictions", system_id=ids)
    known = predictions.join(items, on="item_id", how="inner", maintain_order="left")
    rows = known.filter(~_IS_REDACTED & ~pl.col("item_is_redacted"))
    totals["redacted"] += known.height - rows.height
    totals["without_item"] += predictions.height - known.height
    held = snapshot.frame("verdicts", system_id=ids)
    markers: dict[frozenset[str], tuple[pl.DataFrame, Marker]] = {}
    for rule in rules:
        scorer_id = scorer_id_of(rule)
        before = held.filter(
            pl.col("scorer_id").eq(scorer_id), pl.col("scorer_version").eq(rule.version)
        )
        stale = _stale_systems(before, known, rows)
        is_stale = pl.col("system_id").is_in(list(stale))
        totals["up_to_date"] += before.filter(~is_stale).height
        if not stale:
            continue
        if stale not in markers:
            own = rows.filter(is_stale)
            markers[stale] = own, Marker(Batch(own))
        own, marker = markers[stale]
        made = verdict_rows(own, marker.mark(rule), scorer_id, rule.version)
        outdated = before.filter(is_stale)
        kept = outdated.join(made, on=KEYS, how="anti").join(known, on=KEYS, how="semi")
        whole = pl.concat([made, kept.select(made.columns)])
        for system_id in sorted(stale):
            part = whole.filter(pl.col("system_id").eq(system_id))
            waiting.add(part, (scorer_id, rule.version, system_id))
        totals["marked"] += made.height


def _stale_systems(before: pl.DataFrame, known: pl.DataFrame, rows: pl.DataFrame) -> frozenset[str]:
    """Return the systems of which a verdict is missing, stands on an older text, or on nothing."""
    columns = [*KEYS, *DIGESTS]
    missing = rows.select(columns).join(before.select(columns), on=columns, how="anti")
    strays = before.join(known, on=KEYS, how="anti")
    return frozenset([*missing["system_id"], *strays["system_id"]])


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
    """Verdicts that wait to be committed together.

    A commit costs far more than marking a few hundred replies, so partitions go together up to a
    number of rows that fits in memory.  Systems with the same scorers waiting share one commit.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._parts: dict[tuple[str, str], dict[str, pl.DataFrame]] = {}
        self._rows = 0
        self.commits: list[Commit] = []

    def add(self, verdicts: pl.DataFrame, of: tuple[str, str, str]) -> None:
        """Keep the verdicts of one scorer on one system; commit when there are many.

        Args:
            verdicts: rows of the verdict table; none to empty the partition.
            of: scorer id, scorer version and system id.
        """
        scorer_id, version, system_id = of
        self._parts.setdefault((version, system_id), {})[scorer_id] = verdicts
        self._rows += verdicts.height
        if self._rows > MOST_WAITING:
            self.commit()

    def commit(self) -> None:
        """Commit what waits: one commit for each version and set of scorers."""
        blocks: dict[tuple[str, tuple[str, ...]], dict[str, list[pl.DataFrame]]] = {}
        for (version, system_id), parts in self._parts.items():
            block = blocks.setdefault((version, tuple(parts)), {})
            block[system_id] = list(parts.values())
        for (version, scorer_ids), systems in blocks.items():
            rows = pl.concat([frame for frames in systems.values() for frame in frames])
            partition = {
                "scorer_id": list(scorer_ids),
                "scorer_version": version,
                "system_id": list(systems),
            }
            self.commits.append(self._study.commit("verdicts", rows, partition=partition))
        self._parts.clear()
        self._rows = 0
