"""Marking a study.  In: a study and scorer names.  Out: verdict partitions, and what was done.

The unit of work is some scorers over some systems, or over a slice of a large one, wherever an
engine runs it; this process commits what is made, up to a million verdicts together.  A run that
was stopped goes on where it was, because partitions whose verdicts stand on the present texts are
left alone, and slices of large systems that were finished are taken over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial, reduce
from operator import add
from typing import TypeVar

from finassay._version import __version__
from finassay.errors import SpecError, UnknownNameError, UsageError
from finassay.marking.engines import LOCAL, Engine
from finassay.marking.parts import PartFile
from finassay.marking.rows import chosen_systems
from finassay.marking.single import as_scorer
from finassay.marking.there import place_of
from finassay.marking.units import (
    Bench,
    Made,
    MarkingJob,
    Tally,
    Unit,
    look,
    look_there,
    mark_there,
    mark_unit,
)
from finassay.marking.waiting import Of, Waiting
from finassay.records import SystemSpec
from finassay.scorers.base import Scorer
from finassay.scorers.composites import computable
from finassay.scorers.registry import from_spec, scorer_id_of, to_spec
from finassay.study.pieces import slices
from finassay.study.snapshot import Snapshot
from finassay.study.study import Study

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

MOST_TOGETHER = 100_000
"""Predictions that are marked together, of several systems or of one."""

FEWEST_TOGETHER = 5_000
"""Predictions of several systems below which a task of a worker is not made smaller."""

TASKS_EACH = 4
"""Tasks that each worker should get, so that none waits long for the last one."""

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


_GivenT = TypeVar("_GivenT")
_FoundT = TypeVar("_FoundT")


def score_study(
    study: Study,
    *,
    scorers: Sequence[str | Scorer] = DEFAULT_SCORERS,
    systems: Sequence[str] | None = None,
    engine: Engine = LOCAL,
    progress: Progress | None = None,
) -> ScoreReport:
    """Mark the predictions of a study, and return what was done.

    Args:
        study: an open study.
        scorers: scorers or their ids.
        systems: display names or id prefixes; all by default.
        engine: where the marking runs; the verdicts are the same wherever.
        progress: called before each part of the work.

    Raises:
        UnknownNameError: a scorer or a system is unknown.
        UsageError: the verdicts of a scorer are imported, not computed; or a scorer cannot be sent
            to workers.
        MarkingError: workers cannot mark.
    """
    asked = [computable(as_scorer(scorer)) for scorer in scorers]
    rules = list({scorer_id_of(rule): rule for rule in asked}.values())
    if not engine.is_here:
        _require_sendable(rules)
    snapshot = study.snapshot()
    chosen = chosen_systems(snapshot, systems)
    for rule in rules:
        record_scorer(study, rule)
    run = _Run(study, Bench(snapshot, rules), engine)
    units = run.plan(chosen)
    run.carry_out(units, progress)
    return ScoreReport(
        scorers=tuple(scorer_id_of(rule) for rule in rules),
        systems=tuple(spec.name for spec in chosen),
        **asdict(run.tally),
    )


def _require_sendable(rules: Sequence[Scorer]) -> None:
    for rule in rules:
        try:
            is_same = from_spec(to_spec(rule)) == rule
        except (SpecError, UnknownNameError):
            is_same = False
        if not is_same:
            raise UsageError(
                f"the scorer {scorer_id_of(rule)!r} cannot be sent to workers: they build it from "
                f"its name and parameters, and that gives no equal scorer; register it under the "
                f"entry points finassay.scorers, or mark with the engine 'local'"
            )


def record_scorer(study: Study, scorer: Scorer) -> None:
    """File the scorer's spec in the study, so that its verdicts can be made again."""
    study.add_scorer(
        scorer_id_of(scorer),
        scorer.version,
        name=scorer.name,
        spec=to_spec(scorer),
        package_version=__version__,
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
    sizes = snapshot.rows_of_systems("predictions")
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


class _Run:
    """One call of `score_study`: the plan, what waits for its other parts, what was counted."""

    def __init__(self, study: Study, bench: Bench, engine: Engine) -> None:
        self._bench = bench
        self._engine = engine
        self._waiting = Waiting(study)
        self._root = study.root
        root, versions = place_of(bench.snapshot)
        self._job = MarkingJob(
            root=root,
            versions=versions,
            specs=tuple(to_spec(rule) for rule in bench.rules),
        )
        self._left: Counter[str] = Counter()
        self._files: dict[Of, list[PartFile]] = {}
        self.tally = Tally()

    def _here_or_there(
        self,
        here: Callable[[Bench, _GivenT], _FoundT],
        there: Callable[[MarkingJob, _GivenT], _FoundT],
    ) -> Callable[[_GivenT], _FoundT]:
        if self._engine.is_here:
            return partial(here, self._bench)
        return partial(there, self._job)

    def _together(self, predictions: int) -> int:
        """Return how many predictions of several systems make one task."""
        if self._engine.width == 1:
            return MOST_TOGETHER
        share = predictions // (TASKS_EACH * self._engine.width)
        return min(MOST_TOGETHER, max(FEWEST_TOGETHER, share))

    def plan(self, systems: Sequence[SystemSpec]) -> list[Unit]:
        """Return the units of work: systems that fit together, and slices of those too large."""
        snapshot = self._bench.snapshot
        sizes = snapshot.rows_of_systems("predictions")
        together = self._together(sum(sizes.get(spec.system_id, 0) for spec in systems))
        chunks = list(chunks_of_systems(snapshot, systems, most=together))
        large = [chunk[0] for chunk in chunks if sizes.get(chunk[0].system_id, 0) > MOST_TOGETHER]
        work = self._here_or_there(look, look_there)
        ids = [spec.system_id for spec in large]
        looked = dict(self._engine.map(work, ids)) if ids else {}
        self.tally = reduce(add, (found.tally for found in looked.values()), self.tally)
        stale = {ids[place]: found.stale for place, found in looked.items()}
        units: list[Unit] = []
        for chunk in chunks:
            first = chunk[0]
            if first.system_id not in stale:
                own = tuple(spec.system_id for spec in chunk)
                units.append(Unit(label=first.name, systems=own))
            elif stale[first.system_id]:
                cut = slices(snapshot, "predictions", first.system_id, most=MOST_TOGETHER)
                units += [
                    Unit(
                        label=first.name,
                        systems=(first.system_id,),
                        pieces=pieces,
                        rules=stale[first.system_id],
                    )
                    for pieces in cut
                ]
        self._left.update(unit.systems[0] for unit in units if unit.pieces is not None)
        return units

    def carry_out(self, units: Sequence[Unit], progress: Progress | None) -> None:
        """Mark the units and commit what they make, each partition whole."""
        work = self._here_or_there(mark_unit, mark_there)
        done = 0
        try:
            with closing(self._engine.map(work, units)) as results:
                while done < len(units):
                    if progress is not None:
                        progress(done, len(units), units[done].label)
                    place, made = next(results)
                    self._take(units[place], made)
                    done += 1
        finally:
            # A run that is stopped keeps what it has made.
            self._waiting.commit()
        if progress is not None:
            progress(done, len(units), "")

    def _take(self, unit: Unit, made: Made) -> None:
        self.tally += made.tally
        for of, rows in made.partitions:
            self._waiting.add(rows, of)
        if unit.pieces is None:
            return
        for of, part in made.files:
            self._files.setdefault(of, []).append(part)
        (system_id,) = unit.systems
        self._left[system_id] -= 1
        if not self._left[system_id]:
            for rule in unit.rules:
                of = self._bench.of(rule, system_id)
                names = sorted(part.name for part in self._files.pop(of))
                self._waiting.commit_files([self._root / name for name in names], of)
