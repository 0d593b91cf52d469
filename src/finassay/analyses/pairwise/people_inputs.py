"""What pairwise judges of a study are compared with.  In: a study.  Out: records, no frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from finassay.analyses.judges.inputs import OWN_ANSWERS, NamedMatrix
from finassay.analyses.kernels.judge_tables import TREATMENTS, Treatment, primary_first
from finassay.analyses.pairwise.results import DecisionRule
from finassay.analyses.rank_sets import Resampling
from finassay.errors import MissingVerdictsError, UnknownNameError, UsageError
from finassay.marking.asked_answers import AskedAnswers, asked_answers
from finassay.marking.consensus import CONSENSUS, Consensus
from finassay.marking.duels import StoredComparison, stored_comparisons
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.outside import JudgeSpec, outside_verdicts, people_of
from finassay.marking.view import StudyView
from finassay.records import Item, SystemSpec
from finassay.study.snapshot import Snapshot

BASELINES = ("rouge", "bleu", "chrf", "meteor", "meteor-nowordnet", "embedding")
"""Graded scorers that serve as baselines where the study holds them: the higher value wins."""

RULES: tuple[DecisionRule, ...] = ("both orders", "sum")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairInputs:
    """Everything that pairwise reliability is computed from.

    Attributes:
        study: name of the study.
        items: every item.
        systems: every system.
        labels: scorer id -> items x systems labels that say which answers are correct.
        judges: scorer id -> comparisons.
        baselines: scorer id -> items x systems graded verdicts.
        specs: scorer id -> what the record of a judge says.
        own_rule: decides which questions a judge answered right, where the labels do not.
        asked: what judges answered when they were asked the questions themselves.
        candidates: judge -> judged system that is the judge itself, where the study does not say.
        stale: scorer id -> comparisons left out.
    """

    study: str
    items: tuple[Item, ...]
    systems: tuple[SystemSpec, ...]
    labels: Mapping[str, VerdictMatrix]
    judges: Mapping[str, tuple[StoredComparison, ...]]
    baselines: Mapping[str, VerdictMatrix] = field(default_factory=dict)
    specs: Mapping[str, JudgeSpec] = field(default_factory=dict)
    own_rule: NamedMatrix | None = None
    asked: AskedAnswers = field(default_factory=AskedAnswers)
    candidates: Mapping[str, str] = field(default_factory=dict)
    stale: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPlan:
    """What is computed, and how.

    Attributes:
        rule: how two orders make one decision.
        primary: treatment of pairs without a decision that is shown first.
        resampling: draws, seed and clusters; items are drawn by default.
        level: confidence level.
        by: fields of items that agreement is cut by.
        consensus: when labels of several people settle an answer.
        with_own: whether pairs with a judge's own answer count in its agreement.

    Raises:
        UsageError: a rule, treatment or level that does not exist.
    """

    rule: DecisionRule = "both orders"
    primary: Treatment = "category"
    resampling: Resampling = field(default_factory=Resampling)
    level: float = 0.95
    by: tuple[str, ...] = ()
    consensus: Consensus = field(default_factory=Consensus)
    with_own: bool = False

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise UsageError(f"`rule` must be one of {RULES}, got {self.rule!r}")
        if self.primary not in TREATMENTS:
            raise UsageError(f"`primary` must be one of {TREATMENTS}, got {self.primary!r}")
        if not 0.0 < self.level < 1.0:
            raise UsageError(f"`level` must be in (0, 1), got {self.level!r}; for 95% pass 0.95")

    @property
    def treatments(self) -> tuple[Treatment, ...]:
        """Return all treatments, the primary one first."""
        return primary_first(self.primary)


def pair_inputs(
    snapshot: Snapshot,
    view: StudyView,
    *,
    against: Sequence[str] = (),
    judges: Sequence[str] = (),
    baselines: Sequence[str] = (),
    candidates: Mapping[str, str] | None = None,
) -> PairInputs:
    """Return what pairwise judges of a study are compared with.

    Args:
        snapshot: pinned tables.
        view: the same study as analyses see it.
        against: scorer ids whose labels say what is correct: people, their consensus, or any
            scorer; by default everybody who labelled, or the stored consensus.
        judges: scorer ids that compared; all by default.
        baselines: graded scorers of which the higher value wins; by default those of `BASELINES`
            that the study holds.
        candidates: judge -> judged system that is the judge itself.

    Raises:
        MissingVerdictsError: there are no labels, or neither comparisons nor baselines.
        UnknownNameError: a scorer that was named holds nothing.
    """
    outside = outside_verdicts(snapshot, view.items)
    known = {**view.matrices, **outside.matrices}
    found = stored_comparisons(snapshot, scorers=judges)
    _require(judges, found.by_scorer, "comparisons")
    _require([*against, *baselines], known, "verdicts")
    graded = list(baselines) or [name for name in BASELINES if name in view.matrices]
    labels = list(against) or _everybody(tuple(outside.matrices))
    if not labels:
        raise MissingVerdictsError(
            "pairwise judges are compared with labels of people (scorers person/NAME), got none; "
            "import a table of labels, or name another scorer with --pairwise-against"
        )
    if not (found.by_scorer or graded):
        raise MissingVerdictsError(
            f"the study at {snapshot.root} holds neither comparisons of a judge nor a graded "
            f"scorer such as {BASELINES[0]}; judge it pairwise, or score it first"
        )
    own = view.matrices.get(OWN_ANSWERS)
    return PairInputs(
        study=view.name,
        items=view.items,
        systems=view.systems,
        labels={name: known[name] for name in labels},
        judges=found.by_scorer,
        baselines={name: known[name] for name in graded},
        specs=outside.specs,
        own_rule=None if own is None else NamedMatrix(scorer_id=OWN_ANSWERS, matrix=own),
        asked=asked_answers(snapshot, view.items, OWN_ANSWERS),
        candidates=dict(candidates or {}),
        stale=found.stale,
    )


def _everybody(scorers: tuple[str, ...]) -> list[str]:
    return list(people_of(scorers)) or [name for name in scorers if name == CONSENSUS]


def _require(names: Sequence[str], held: Mapping[str, object], what: str) -> None:
    for name in names:
        if name not in held:
            there = ", ".join(sorted(held)) or "none"
            raise UnknownNameError(f"no {what} of {name!r} in this study; there are: {there}")
