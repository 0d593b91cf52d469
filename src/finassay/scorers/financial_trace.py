"""The stages of a financial verdict.  In: a measure and its verdict.  Out: (what, value) pairs."""

from __future__ import annotations

from finassay.records import Item, Verdict
from finassay.scorers.expectations import expectation
from finassay.scorers.financial_measure import FinancialMeasure
from finassay.scorers.financial_numbers import NumberMatches
from finassay.scorers.financial_text import TextMeasure
from finassay.scorers.quantity_match import Match
from finassay.scorers.shown import shortened

Steps = tuple[tuple[str, str], ...]


def trace_financial(measured: FinancialMeasure, verdict: Verdict, item: Item) -> Steps:
    """Return what was read, which final answer was taken and why, and which policy decided."""
    asked = expectation(item)
    steps = [
        ("compared as", measured.route),
        ("reference read as", shortened(measured.reference)),
        ("asked for", " ".join(str(part) for part in (
            asked.wanted, asked.currency, asked.unit,
            "" if asked.scale is None else f"times {asked.scale}",
            "" if asked.decimals is None else f"{asked.decimals} decimals",
        ) if part)),
    ]  # fmt: skip
    if measured.number is not None:
        steps += _number(measured.number)
    if measured.text is not None:
        steps += _text(measured.text)
    if measured.polarity is not None:
        steps.append(("yes or no", f"{measured.polarity.value} ({measured.polarity.how})"))
    steps.append(("switches that matter", ", ".join(verdict.flags) or "none"))
    return tuple(steps)


def _number(found: NumberMatches) -> list[tuple[str, str]]:
    return [
        ("final answer", f"{found.answer}, because {found.why}"),
        ("last quantity", found.others.written(found.others.last)),
        ("closest quantity", found.others.written(found.others.any)),
        *(("difference", _difference(match)) for match in found.chosen),
    ]


def _difference(match: Match) -> str:
    return (
        f"{match.gap:.6g} beside {match.size:.6g}; half a digit is {match.reference_half:.3g} "
        f"(reference) and {match.reply_half:.3g} (reply); tolerance of kind {match.family}"
    )


def _text(found: TextMeasure) -> list[tuple[str, str]]:
    agreement = found.agreement
    return [
        ("coverage", f"{agreement.coverage:.3f}"),
        ("coverage of the first sentence", f"{agreement.head_coverage:.3f}"),
        ("numbers", f"{agreement.numbers:.2f}"),
        ("yes or no", str(agreement.polarity)),
        ("guards broken", ", ".join(found.broken) or "none"),
    ]
