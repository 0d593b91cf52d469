"""Frozen results of static scores beside ask or proceed.  In: nothing.  Out: ranks, rho."""

from __future__ import annotations

from dataclasses import dataclass

Number = float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskAssociation:
    """Spearman's rho of one static score with metrics of ask or proceed.

    Attributes:
        score: name of an operation, or of the knowledge score.
        bacc: with balanced recorded-action agreement; None where it cannot be computed.
        era: with evidence-request alignment.
        cra: with conditional request alignment.
    """

    score: str
    bacc: Number
    era: Number
    cra: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class AskStanding:
    """One system by action agreement and by request alignment.

    Attributes:
        system: display name.
        bacc: balanced recorded-action agreement.
        era: evidence-request alignment.
        cra: conditional request alignment; None where no request was made.
        bacc_rank: competition rank by balanced agreement.
        era_rank: competition rank by alignment.
        cra_rank: competition rank by conditional alignment, among the systems that have one.
        displacement: bacc_rank - era_rank: positive when it ranks better by alignment.
        ask_recall: recall of ask states; None where the table has none.
        proceed_recall: recall of proceed states.
        recall_gap: ask recall minus proceed recall.
    """

    system: str
    bacc: float
    era: float
    cra: Number
    bacc_rank: int
    era_rank: int
    cra_rank: int | None
    displacement: int
    ask_recall: Number
    proceed_recall: Number
    recall_gap: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPair:
    """Two systems with near action agreement and different alignment, higher alignment first."""

    left: str
    right: str
    bacc: float
    era: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AskComparison:
    """Static scores beside ask or proceed; evaluators and reference policies are left out.

    Attributes:
        n_systems: systems compared.
        associations: one an operation, the knowledge score last.
        rows: one a system, by alignment.
        near: largest difference in BAcc of a near pair.
        widest: the near pair with the largest difference in ERA; None without near pairs.
        n_ask_above: systems whose ask recall exceeds their proceed recall.
        median_recall_gap: median of ask recall minus proceed recall.
        wide: bound of a wide recall gap.
        n_wide: systems with a gap above it.
    """

    n_systems: int
    associations: tuple[AskAssociation, ...]
    rows: tuple[AskStanding, ...]
    near: float
    widest: AskPair | None
    n_ask_above: int
    median_recall_gap: Number
    wide: float
    n_wide: int
