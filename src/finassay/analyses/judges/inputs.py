"""What the reliability of judges is computed from.  In: nothing.  Out: records, no frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from finassay.analyses.judges.results_compare import SilenceKind
from finassay.analyses.kernels.judge_tables import TREATMENTS, Treatment, primary_first
from finassay.analyses.rank_sets import Resampling
from finassay.errors import UsageError
from finassay.marking.asked_answers import AskedAnswers
from finassay.marking.consensus import Consensus
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.outside import JudgeSpec
from finassay.records import UNSCORED_POLICIES, Item, SystemSpec, Unscored

DEFAULT_BOUND = 0.4
"""Kappa of 0.41 to 0.60 is "moderate" to Landis and Koch (1977), Biometrics 33, 159-174."""

OWN_ANSWERS = "financial"
"""Scorer that says whether a judge answered right itself, where people do not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedMatrix:
    """A scorer id with its items x systems verdicts."""

    scorer_id: str
    matrix: VerdictMatrix


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeInputs:
    """Everything that the reliability of judges is computed from.

    Attributes:
        study: name of the study.
        items: every item.
        systems: every system.
        judges: scorer id of a judge -> items x systems verdicts.
        people: scorer id of a person -> items x systems labels: CORRECT and INCORRECT as values 1
            and 0, "not sure" as unparsed.
        specs: scorer id -> what the record of the judge says.
        rule: the rule that judges are compared with; None without one.
        own_rule: the scorer that says whether a judge answered right, where people do not.
        asked: what judges answered when they were asked the questions themselves.
        own_rule_first: whether that scorer decides even where people do.
        silence: kind -> (item id, system) of replies that hold no whole answer.
        candidates: judge (scorer id or name) -> judged system that is the judge itself.
        stale: scorer id -> verdicts left out because the text or the item has changed since.
        n_trials: most replies of one system to one item; only the first are looked at.
    """

    study: str
    items: tuple[Item, ...]
    systems: tuple[SystemSpec, ...]
    judges: Mapping[str, VerdictMatrix]
    people: Mapping[str, VerdictMatrix] = field(default_factory=dict)
    specs: Mapping[str, JudgeSpec] = field(default_factory=dict)
    rule: NamedMatrix | None = None
    own_rule: NamedMatrix | None = None
    asked: AskedAnswers = field(default_factory=AskedAnswers)
    own_rule_first: bool = False
    silence: Mapping[SilenceKind, frozenset[tuple[str, str]]] = field(default_factory=dict)
    candidates: Mapping[str, str] = field(default_factory=dict)
    stale: Mapping[str, int] = field(default_factory=dict)
    n_trials: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePlan:
    """What is computed, and how.

    Attributes:
        policy: what leaderboards do with verdicts without a value; required.
        resampling: draws, seed and clusters; items are drawn by default.
        level: confidence level.
        by: what agreement is cut by.
        primary: treatment of verdicts without a value that is shown first.
        consensus: when people's labels settle a prediction.
        bound: least kappa that a judge needs to pass.
        with_own: whether a judge's verdicts on its own answers count in its agreement.

    Raises:
        UsageError: a policy, level, treatment or bound that does not exist.
    """

    policy: Unscored
    resampling: Resampling = field(default_factory=Resampling)
    level: float = 0.95
    by: tuple[str, ...] = ()
    primary: Treatment = "category"
    consensus: Consensus = field(default_factory=Consensus)
    bound: float = DEFAULT_BOUND
    with_own: bool = False

    def __post_init__(self) -> None:
        if self.policy not in UNSCORED_POLICIES:
            raise UsageError(f"`policy` must be one of {UNSCORED_POLICIES}, got {self.policy!r}")
        if not 0.0 < self.level < 1.0:
            raise UsageError(f"`level` must be in (0, 1), got {self.level!r}; for 95% pass 0.95")
        if self.primary not in TREATMENTS:
            raise UsageError(f"`primary` must be one of {TREATMENTS}, got {self.primary!r}")
        if not 0.0 <= self.bound <= 1.0:
            raise UsageError(f"`bound` must be a kappa in [0, 1], got {self.bound!r}")

    @property
    def treatments(self) -> tuple[Treatment, ...]:
        """Return all treatments, the primary one first."""
        return primary_first(self.primary)
