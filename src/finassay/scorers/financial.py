"""Financial answer equivalence.  In: an item and a prediction.  Out: a verdict that says why.

Both sides become typed values; the final answer of the reply is found and compared by type under
declared policies.  `measure` reads the texts once and knows nothing of thresholds and policies;
`decide` applies them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar, Literal, get_args

from finassay.errors import SpecError
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Rule, require_flag, require_one_of, require_share
from finassay.scorers.financial_decision import Policies, decide_financial
from finassay.scorers.financial_grid import FINANCIAL_GRID
from finassay.scorers.financial_measure import FinancialMeasure, measure_financial
from finassay.scorers.financial_trace import trace_financial

Switch = Literal["allow", "forbid", "flag"]
PercentSwitch = Literal["auto", "allow", "forbid", "flag"]
FinalAnswer = Literal["chosen", "last", "any"]
Bounds = Literal["ignore", "respect"]


@dataclass(frozen=True, kw_only=True)
class FinancialEquivalence(Rule[FinancialMeasure]):
    """`financial`: right when the reply's final answer is the reference's, compared by type.

    A switch says "allow" (it counts as the same), "forbid" (it does not) or "flag" (the verdict is
    left without a value for a person).  The verdict carries the switch's name as a flag whenever
    it decided or could have.

    Attributes:
        final_answer: which number counts: the "chosen" final answer, the "last" of the right kind,
            or "any".
        rel_money: relative tolerance of amounts of money, beside half a unit of the last digit
            that the coarser side shows.
        rel_percent: the same for percentages, points and ratios.
        rel_number: the same for other numbers; years, counts and durations are exact.
        coarsest_reply: largest relative error that a reply may hide by rounding more coarsely
            than the reference.
        zero_tolerance: absolute tolerance where the reference is zero.
        percent_as_fraction: whether "4.2%" is "0.042"; "auto" allows it where the reference is a
            bare number and the question speaks of a percentage or a ratio.
        missing_unit: whether a number without the reference's unit or currency may be it.
        comparator: "respect" rejects a reply whose bound is another ("at least", "at most");
            a bound on one side only is flagged.
        currency: "respect" rejects another currency.
        sign: "respect" rejects the other sign, also where words give it ("a decline of 3%").
        points: "respect" keeps percentage points and per cent apart.
        calendar: whether days may be months ("6 months" is "180 days").
        several: whether a final answer may give several values of which one is right.
        hedged: whether an answer that commits to nothing counts.
        boolean_words: whether "true" and "false" are yes and no.
        coverage: least weighted share of a prose reference's words and numbers in the reply.
        coverage_named: the same for references of at most three words of content: names, terms.
        guards: whether what must not differ in prose (negation, direction, bounds, numbers,
            exceptions, parties) is checked before words count.
    """

    final_answer: FinalAnswer = "chosen"
    rel_money: float = 0.0005
    rel_percent: float = 0.0015
    rel_number: float = 0.0015
    coarsest_reply: float = 0.01
    zero_tolerance: float = 0.0
    percent_as_fraction: PercentSwitch = "auto"
    missing_unit: Switch = "allow"
    comparator: Bounds = "respect"
    currency: Bounds = "respect"
    sign: Bounds = "respect"
    points: Bounds = "respect"
    calendar: Switch = "forbid"
    several: Switch = "forbid"
    hedged: Switch = "forbid"
    boolean_words: Switch = "allow"
    coverage: float = 0.32
    coverage_named: float = 0.6
    guards: bool = True

    name: ClassVar[str] = "financial"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "financial"
    calibration_grid = FINANCIAL_GRID
    decision_fields: ClassVar[frozenset[str]] = frozenset(
        {
            "final_answer", "rel_money", "rel_percent", "rel_number", "coarsest_reply",
            "zero_tolerance", "percent_as_fraction", "missing_unit", "comparator", "currency",
            "sign", "points", "calendar", "several", "hedged", "boolean_words", "coverage",
            "coverage_named", "guards",
        }
    )  # fmt: skip

    def __post_init__(self) -> None:
        require_one_of(self, "final_answer", self.final_answer, get_args(FinalAnswer))
        require_one_of(
            self, "percent_as_fraction", self.percent_as_fraction, get_args(PercentSwitch)
        )
        for field in ("missing_unit", "calendar", "several", "hedged", "boolean_words"):
            require_one_of(self, field, getattr(self, field), get_args(Switch))
        for field in ("comparator", "currency", "sign", "points"):
            require_one_of(self, field, getattr(self, field), get_args(Bounds))
        for field in ("rel_money", "rel_percent", "rel_number", "coarsest_reply", "coverage",
                      "coverage_named"):  # fmt: skip
            require_share(self, field, getattr(self, field))
        require_flag(self, "guards", self.guards)
        _require_size(self.zero_tolerance)

    @property
    def policies(self) -> Policies:
        """The policies, made ready for decisions."""
        # Kept beside the fields: a frozen dataclass has no place for what follows from them.
        kept: Policies | None = self.__dict__.get("_policies")
        if kept is None:
            kept = Policies(**{f.name: getattr(self, f.name) for f in fields(self)})
            self.__dict__["_policies"] = kept
        return kept

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> FinancialMeasure:
        """Return both sides read, typed and compared; no policy is applied yet."""
        return measure_financial(reference=reference, item=item, prediction=prediction)

    def decide(self, measured: FinancialMeasure) -> Verdict:
        """Return the verdict that the policies give."""
        return decide_financial(measured, self.policies)

    def trace(self, *, item: Item, prediction: Prediction) -> tuple[tuple[str, str], ...]:
        """Return what was read, which final answer was taken and why, and what decided."""
        measures = self.measure_all(item=item, prediction=prediction)
        verdicts = [self.decide(measured) for measured in measures]
        best = max(range(len(measures)), key=lambda at: verdicts[at].value or 0.0)
        return trace_financial(measures[best], verdicts[best], item)


def _require_size(value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e18:
        raise SpecError(
            f"`zero_tolerance` of FinancialEquivalence must be a number of at least 0, got"
            f" {value!r}"
        )
