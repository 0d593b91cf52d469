"""Frozen results about asking or going on.  In: nothing.  Out: scores, comparisons and a report.

Rates are fractions in [0, 1].  A rate without a denominator is None, never 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from finassay.analyses.results_ask_printed import PrintedCheck

AskSource = Literal["states", "table"]
AskSeverity = Literal["high", "medium", "low", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskScores:
    """The eight metrics.

    Attributes:
        era: mean request alignment over ask states, 0 where nothing was asked.
        bacc: mean of both recalls.
        ask_recall: share of ask states on which the system asks.
        proceed_recall: share of proceed states on which it goes on.
        raa: share of states with the recorded action.
        cra: mean request alignment over the ask states on which the system asks; None where it
            never does.
        deh: share of ask states with a direct request.
        reh: share of ask states with a direct or partial request.
    """

    era: float | None
    bacc: float | None
    ask_recall: float | None
    proceed_recall: float | None
    raa: float | None
    cra: float | None
    deh: float | None
    reh: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskInterval:
    """An interval of one metric from resampled trajectories.

    Attributes:
        metric: name of the metric.
        low: low end; None where it cannot be made.
        high: high end.
        n_undefined: resamples in which the metric has no value.
        note: why there is no interval, or what is odd about it, "" otherwise.
    """

    metric: str
    low: float | None
    high: float | None
    n_undefined: int
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCounts:
    """The counts behind the metrics.

    Attributes:
        n_ask: ask states with a reply.
        n_proceed: proceed states with a reply.
        n_trajectories: trajectories of these states.
        asked: ask states on which the system asks.
        went_on: proceed states on which it goes on.
        direct: ask states with alignment 1.
        partial: ask states with alignment 0.5.
        invalid: replies that name no action, or both.
        faulty: asks whose request is empty, malformed, refused or for several items.
        unaligned: usable requests on ask states without a verdict on alignment; they count 0.
        failed: states without a reply (blocked, error); in no denominator.
        missing: states that the system was not run on.
    """

    n_ask: int
    n_proceed: int
    n_trajectories: int
    asked: int
    went_on: int
    direct: int
    partial: int
    invalid: int
    faulty: int
    unaligned: int
    failed: int
    missing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRow:
    """One system, or a reference policy.

    Attributes:
        system: display name.
        is_policy: whether it is a reference policy, which makes no request.
        is_evaluator: whether it judged the requests; it takes part in no comparison.
        scores: every state counts once.
        by_trajectory: every trajectory counts once; None where states are not known.
        intervals: one for each metric that has a value; empty where states are not known.
        counts: None where states are not known.
        era_if_aligned: ERA if every request without a verdict were direct; None without states.
    """

    system: str
    is_policy: bool
    is_evaluator: bool
    scores: AskScores
    by_trajectory: AskScores | None
    intervals: tuple[AskInterval, ...]
    counts: AskCounts | None
    era_if_aligned: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NearPair:
    """Two systems with nearly the same balanced agreement.

    Attributes:
        high: the system with the higher ERA.
        low: the other.
        era_difference: ERA of `high` minus ERA of `low`.
        bacc_difference: absolute difference of BAcc.
    """

    high: str
    low: str
    era_difference: float
    bacc_difference: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NearPairs:
    """Pairs of systems within a distance of BAcc, and the largest ERA difference among them.

    Attributes:
        within: the distance, inclusive.
        n_pairs: pairs that are so near.
        n_all: pairs of systems.
        largest: the pair with the largest ERA difference; None without pairs.
    """

    within: float
    n_pairs: int
    n_all: int
    largest: NearPair | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallAsymmetry:
    """How far recall of ask states lies above recall of proceed states.

    Attributes:
        n: systems.
        n_ask_higher: systems whose ask recall is the higher.
        median_gap: median of ask recall minus proceed recall; None without systems.
        above: a gap.
        n_above: systems whose gap is larger.
        gaps: (system, gap), largest first.
    """

    n: int
    n_ask_higher: int
    median_gap: float | None
    above: float
    n_above: int
    gaps: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRanks:
    """Competition ranks of one system.

    Attributes:
        system: display name.
        bacc: rank by BAcc.
        era: rank by ERA.
        cra: rank by CRA; None where CRA is undefined.
    """

    system: str
    bacc: int
    era: int
    cra: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCorrelation:
    """Spearman's rank correlation of two metrics over the compared systems."""

    left: str
    right: str
    n: int
    rho: float | None
    p: float | None
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLine:
    """Expected cost per state of one system, linear in the price share of a miss.

    Attributes:
        system: display name.
        if_misses_only: cost at price share 1: share of states that are missed.
        if_needless_only: cost at price share 0: share of states with a needless stop.
    """

    system: str
    if_misses_only: float
    if_needless_only: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CostSegment:
    """A range of prices over which one system is cheapest.

    Attributes:
        low: price share of a miss, miss / (miss + needless), from here.
        high: to here.
        systems: the cheapest, several where they cost the same.
    """

    low: float
    high: float
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CostCurves:
    """Which system is cheapest at which price.

    Attributes:
        miss: what a miss is: an ask state on which the system does not ask ("action"), or on which
            the need is not met, 1 - ERA ("evidence").
        ask_share: share of ask states.
        lines: one for each system and policy.
        segments: from price share 0 to 1.
    """

    miss: Literal["action", "evidence"]
    ask_share: float
    lines: tuple[CostLine, ...]
    segments: tuple[CostSegment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskFinding:
    """What a reader must know: a title, what was measured, and how grave it is."""

    severity: AskSeverity
    title: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskReport:
    """Ask or proceed: every system, every comparison.

    Attributes:
        source: "states" where replies were read, "table" where only printed metrics are known.
        name: of the study or the table.
        alignment: scorer id of the alignment; "printed" for a table.
        n_ask: ask states, None where unknown.
        n_proceed: proceed states, None where unknown.
        level: confidence level of intervals.
        draws: resamples of trajectories.
        seed: of the resamples.
        rows: systems by ERA, then reference policies.
        compared: systems in the comparisons: all but evaluators and policies.
        near_pairs: pairs near in BAcc.
        asymmetry: of the recalls.
        ranks: by BAcc, ERA and CRA.
        correlations: between the metrics.
        costs: cost curves, by what a miss is; empty where the share of ask states is unknown.
        printed: checks of a table; None for states.
        findings: most severe first.
        warnings: what limits the report.
    """

    source: AskSource
    name: str
    alignment: str
    n_ask: int | None
    n_proceed: int | None
    level: float
    draws: int
    seed: int
    rows: tuple[AskRow, ...]
    compared: tuple[str, ...]
    near_pairs: NearPairs
    asymmetry: RecallAsymmetry
    ranks: tuple[AskRanks, ...]
    correlations: tuple[AskCorrelation, ...]
    costs: tuple[CostCurves, ...]
    printed: PrintedCheck | None
    findings: tuple[AskFinding, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskStates:
    """What the retention rules made of a file of states.

    Attributes:
        file: its name.
        n_read: states in it.
        n_ask: ask states kept.
        n_proceed: proceed states kept.
        n_trajectories: trajectories of the states kept.
        dropped: (reason, states dropped for it).
        states_dropped: (state, reason, detail).
        study: where the states were filed, "" for nowhere.
    """

    file: str
    n_read: int
    n_ask: int
    n_proceed: int
    n_trajectories: int
    dropped: tuple[tuple[str, int], ...]
    states_dropped: tuple[tuple[str, str, str], ...]
    study: str
