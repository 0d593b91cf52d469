"""Policies applied to a financial measure.  In: a measure and policies.  Out: a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from finassay.records import Verdict
from finassay.scorers.financial_measure import FinancialMeasure
from finassay.scorers.financial_numbers import NumberMatches
from finassay.scorers.financial_text import TextMeasure
from finassay.scorers.quantity_match import Demand, Match

Outcome = Literal["same", "other", "open"]
"""What a policy makes of a match: the same, another, or left to a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policies:
    """The fields of `FinancialEquivalence`, see there."""

    final_answer: Literal["chosen", "last", "any"]
    rel_money: float
    rel_percent: float
    rel_number: float
    coarsest_reply: float
    zero_tolerance: float
    percent_as_fraction: Literal["auto", "allow", "forbid", "flag"]
    missing_unit: Literal["allow", "forbid", "flag"]
    comparator: Literal["ignore", "respect"]
    currency: Literal["ignore", "respect"]
    sign: Literal["ignore", "respect"]
    points: Literal["ignore", "respect"]
    calendar: Literal["allow", "forbid", "flag"]
    several: Literal["allow", "forbid", "flag"]
    hedged: Literal["allow", "forbid", "flag"]
    boolean_words: Literal["allow", "forbid", "flag"]
    coverage: float
    coverage_named: float
    guards: bool


_OUTCOMES: dict[str, Outcome] = {
    "allow": "same", "forbid": "other", "flag": "open", "ignore": "same", "respect": "other",
}  # fmt: skip


def decide_financial(measured: FinancialMeasure, policies: Policies) -> Verdict:
    """Return the verdict that the policies give a measure."""
    if measured.route == "number":
        return _number(measured, policies)
    if measured.route == "text":
        return _text(measured, policies)
    if measured.route == "yes_no":
        return _yes_no(measured, policies)
    if measured.settled is not None:
        return _settled(measured, measured.settled, policies)
    return _plain(measured)


def _settled(measured: FinancialMeasure, verdict: Verdict, policies: Policies) -> Verdict:
    if measured.hedged and policies.hedged != "allow":
        flags = (*measured.notes, "hedged")
        return _verdict(_OUTCOMES[policies.hedged], "the reply commits to nothing", flags)
    return _with_notes(verdict, measured.notes)


def _plain(measured: FinancialMeasure) -> Verdict:
    if measured.route == "same":
        return _verdict("same", "the reply is the reference, word for word", measured.notes)
    if measured.route == "refusal":
        return _refusal(measured)
    return Verdict(
        status="not_applicable",
        reason="nothing in the reference to compare with",
        flags=measured.notes,
    )


def _with_notes(verdict: Verdict, notes: tuple[str, ...]) -> Verdict:
    if not notes:
        return verdict
    return Verdict(
        status=verdict.status,
        value=verdict.value,
        label=verdict.label,
        extracted=verdict.extracted,
        flags=(*verdict.flags, *notes),
        reason=verdict.reason,
    )


def _verdict(
    outcome: Outcome, reason: str, flags: tuple[str, ...], extracted: str | None = None
) -> Verdict:
    if outcome == "open":
        return Verdict(
            status="unparsed",
            extracted=extracted,
            flags=flags,
            reason=f"left to a person: {reason}",
        )
    return Verdict(
        status="scored",
        value=1.0 if outcome == "same" else 0.0,
        extracted=extracted,
        flags=flags,
        reason=reason,
    )


def _worse(left: Outcome, right: Outcome) -> Outcome:
    if "other" in {left, right}:
        return "other"
    return "open" if "open" in {left, right} else "same"


def _refusal(measured: FinancialMeasure) -> Verdict:
    outcome: Outcome = "same" if measured.refuses else "other"
    said = "the reply declines too" if measured.refuses else "the reply answers all the same"
    return _verdict(
        outcome, f"the reference says that there is no answer, and {said}", measured.notes
    )


def _yes_no(measured: FinancialMeasure, policies: Policies) -> Verdict:
    ours, theirs = measured.expected_polarity, measured.polarity
    if ours is None:
        return Verdict(
            status="not_applicable",
            reason="the reference is neither yes nor no",
            flags=measured.notes,
        )
    if theirs is None:
        if measured.refuses:
            return Verdict(
                status="no_answer", reason="the reply declines to answer", flags=measured.notes
            )
        return Verdict(status="unparsed", reason="no yes or no in the reply", flags=measured.notes)
    outcome: Outcome = "same" if theirs.value == ours.value else "other"
    if measured.hedged:
        outcome = _worse(outcome, _OUTCOMES[policies.hedged])
    if outcome == "same" and "boolean-word" in measured.notes:
        outcome = _OUTCOMES[policies.boolean_words]
    flags = (
        (*measured.notes, "polarity-of-the-question")
        if theirs.how == "statement"
        else measured.notes
    )
    flags = (*flags, "hedged") if measured.hedged else flags
    return _verdict(
        outcome, f"the reply reads {theirs.value}, the reference {ours.value}", flags, theirs.value
    )


def _number(measured: FinancialMeasure, policies: Policies) -> Verdict:
    found = measured.number
    if found is None:
        if measured.refuses:
            return Verdict(
                status="no_answer", reason="the reply declines to answer", flags=measured.notes
            )
        return Verdict(
            status="unparsed",
            reason="no number of the right kind in the reply",
            flags=measured.notes,
        )
    matches, answer = _candidates(found, policies)
    results = [_outcome(match, measured, policies) for match in matches]
    outcome, match, why = min(results, key=_preference)
    flags: list[str] = [*measured.notes, *match.demands]
    if found.beside_another:
        flags.append("several-numbers")
    if match.bare_zero and match.gap:
        flags.append("zero-tolerance")
    if policies.final_answer == "chosen" and found.several:
        flags.append("several-answers")
        outcome = _worse(outcome, _OUTCOMES[policies.several])
        why = why if outcome != "other" else "it gives several values that differ"
    if measured.hedged:
        flags.append("hedged")
        outcome = _worse(outcome, _OUTCOMES[policies.hedged])
        why = why if outcome != "other" or results[0][0] == "other" else "it commits to nothing"
    if policies.final_answer == "chosen" and policies.guards:
        outcome, why = _guarded(measured, found, outcome, why, flags)
    return _verdict(outcome, _said(outcome, answer, found.reference, why), tuple(flags), answer)


def _guarded(
    measured: FinancialMeasure, found: NumberMatches, outcome: Outcome, why: str, flags: list[str]
) -> tuple[Outcome, str]:
    """Return the outcome after what must not be said of a final answer."""
    checks = (
        ("unit", found.measure_differs, "the units of measure differ"),
        ("negated", found.negated, "the reply denies it"),
        ("another-question", found.beside_question, "it answers another question"),
        (
            "refusal",
            found.declined or (measured.refuses and not found.explicit),
            "the reply declines to answer",
        ),
    )
    for flag, is_broken, because in checks:
        if is_broken:
            flags.append(flag)
            return "other", why if outcome == "other" else because
    return outcome, why


def _said(outcome: Outcome, answer: str, reference: str, why: str) -> str:
    verb = {"same": "equals", "other": "is not", "open": "may be"}[outcome]
    return f"final answer {answer} {verb} {reference}{': ' if outcome != 'same' else ' '}{why}"


def _candidates(found: NumberMatches, policies: Policies) -> tuple[Sequence[Match], str]:
    if policies.final_answer == "chosen":
        return found.chosen, found.answer
    others = found.others
    match = others.last if policies.final_answer == "last" else others.any
    return (match,), others.written(match)


def _preference(result: tuple[Outcome, Match, str]) -> tuple[int, int]:
    return ("same", "open", "other").index(result[0]), len(result[1].demands)


def _outcome(
    match: Match, measured: FinancialMeasure, policies: Policies
) -> tuple[Outcome, Match, str]:
    gap = match.gap_unsigned if policies.sign == "ignore" else match.gap
    near, why = _near(match, gap, policies)
    if not near:
        return "other", match, _cause(match, policies)
    outcome: Outcome = "same"
    for demand in match.demands:
        allowed = _allowed(demand, measured, policies)
        outcome = _worse(outcome, allowed)
        if allowed != "same":
            why = _BECAUSE[demand]
    return outcome, match, why


def _near(match: Match, gap: float, policies: Policies) -> tuple[bool, str]:
    """Return whether a gap lies within tolerance, and what of it."""
    if gap == 0:
        return True, "exactly"
    if match.bare_zero:
        return gap <= policies.zero_tolerance, "within the tolerance at zero"
    if match.family == "exact":
        return False, ""
    return _within(match, gap, policies)


def _within(match: Match, gap: float, policies: Policies) -> tuple[bool, str]:
    relative = match.size * {
        "money": policies.rel_money,
        "percent": policies.rel_percent,
        "number": policies.rel_number,
    }.get(match.family, 0.0)
    hidden = min(match.reply_half, policies.coarsest_reply * match.size)
    half = max(match.reference_half, hidden) * _SLACK
    if gap > half + relative:
        return False, ""
    if gap > half:
        return True, "within the relative tolerance"
    finer = gap <= match.reference_half * _SLACK
    return True, "to the reference's last digit" if finer else "to its own last digit"


_SLACK = 1 + 1e-9
"""Halves of digits are compared as binary fractions."""


_BECAUSE: dict[Demand, str] = {
    "percent-as-fraction": "a percentage beside a fraction (percent_as_fraction)",
    "missing-unit": "one side leaves the unit out (missing_unit)",
    "comparator": "the bounds differ (comparator)",
    "currency": "the currencies differ (currency)",
    "sign": "the signs differ (sign)",
    "calendar": "another unit of time (calendar)",
    "points": "percentage points are not per cent (points)",
    "unit": "the units differ",
}


def _cause(match: Match, policies: Policies) -> str:
    if "sign" in match.demands and _near(match, match.gap_unsigned, policies)[0]:
        return _BECAUSE["sign"]
    return "the values differ"


def _allowed(demand: Demand, measured: FinancialMeasure, policies: Policies) -> Outcome:
    if demand == "unit":
        return "other"
    if demand == "percent-as-fraction":
        return _percent(measured, policies)
    if demand == "comparator":
        mode = measured.comparator or policies.comparator
        conflict = measured.number is not None and measured.number.bounds_conflict
        return "other" if mode == "respect" and conflict else "same"
    modes = {
        "missing-unit": policies.missing_unit,
        "calendar": policies.calendar,
        "currency": policies.currency,
        "sign": policies.sign,
        "points": policies.points,
    }
    return _OUTCOMES[modes[demand]]


def _percent(measured: FinancialMeasure, policies: Policies) -> Outcome:
    mode = measured.percent or policies.percent_as_fraction
    if mode == "auto":
        return "same" if measured.share_asked else "other"
    return _OUTCOMES[mode]


def _text(measured: FinancialMeasure, policies: Policies) -> Verdict:
    found = measured.text
    if found is None:  # pragma: no cover - the route sets it
        return Verdict(status="unparsed", reason="nothing was measured")
    flags = list(measured.notes)
    flags += ["repetition"] if found.repeats else []
    flags += ["blend"] if found.blended else []
    if measured.refuses:
        return Verdict(
            status="no_answer", reason="the reply declines to answer", flags=tuple(flags)
        )
    outcome, why = _by_words(found, policies)
    if found.hedged:
        flags.append("hedged")
    if found.broken and policies.guards:
        flags += found.broken
    return _verdict(outcome, why, tuple(flags))


def _tells_the_head(found: TextMeasure, policies: Policies) -> bool:
    """Return whether a reply tells the head of a long reference, or only what stands in it."""
    if found.words <= _FEW_WORDS:
        return False
    agreement = found.agreement
    if found.faithful and agreement.coverage >= _FAITHFUL_PART * policies.coverage:
        return True
    return agreement.head_coverage >= policies.coverage_named or agreement.precision == 1.0


_CHOSEN = "the reply chooses what the reference chooses of what the question offers"
_NOT_CHOSEN = "the reply chooses another of what the question offers"
_FEW_WORDS = 3
_FAITHFUL_PART = 0.6
"""Part of the coverage asked for that is enough where a reply adds nothing of its own."""


def _by_words(found: TextMeasure, policies: Policies) -> tuple[Outcome, str]:
    if found.broken and policies.guards:
        return "other", f"the reply differs in {_GUARDED[found.broken[0]]}"
    if found.hedged:
        return _OUTCOMES[policies.hedged], "the reply commits to nothing"
    if found.offer == "other":
        return "other", _NOT_CHOSEN
    if found.agreement.asked_polarity and found.agreement.polarity > 0:
        return "same", "both say yes, or both say no"
    if found.key == "same":
        return "same", "the reply gives the value that the reference answers with"
    return _by_coverage(found, policies)


def _by_coverage(found: TextMeasure, policies: Policies) -> tuple[Outcome, str]:
    agreement = found.agreement
    if found.offer == "same":
        return "same", _CHOSEN
    if not agreement.own_coverage and not agreement.choice:
        return "other", "the reply holds nothing of what the reference adds to the question"
    share, least = agreement.coverage, policies.coverage
    if found.words <= _FEW_WORDS:
        least = max(least, policies.coverage_named)
    said = f"the reply holds {share:.0%} of what the reference says beyond the question"
    if share >= least:
        return "same", said
    if _tells_the_head(found, policies):
        return "same", "the reply tells a part of the reference, and nothing else"
    return "other", f"{said}, less than {least:.0%}"


_GUARDED = {
    "negation": "negation", "direction": "direction", "comparator": "the bound it states",
    "numbers": "its numbers", "figures": "a figure that it gives otherwise",
    "exception": "an exception it adds", "order": "who does what to whom",
    "polarity": "yes and no", "choice": "the option it chooses", "length": "all that it leaves out",
    "unit": "the unit of measure", "parts": "a part that it leaves out",
    "alternatives": "giving an alternative", "elsewhere": "where it says so, which is no answer",
}  # fmt: skip
