"""Where the evidence of a sentence stands.  In: a section of an audit.  Out: a page, an anchor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from finassay.analyses.results_audit import Claim, Finding, Section, Severity
from finassay.reports import numbers as num
from finassay.reports.html import SEVERITIES
from finassay.reports.outline import SECTION_NAMES

PLACES: Mapping[Section, tuple[str, str]] = {
    "leaderboard": ("leaderboard", "board"),
    "regimes": ("leaderboard", "regimes"),
    "multiverse": ("rules", "multiverse"),
    "effects": ("rules", "effects"),
    "overturns": ("rules", "overturns"),
    "thresholds": ("rules", "thresholds"),
    "agreement": ("rules", "agreement"),
    "coverage": ("difficulty", ""),
    "overlap": ("compare", ""),
    "concordance": ("difficulty", ""),
    "documents": ("difficulty", ""),
    "truncation": ("rules", "findings"),
    "recognition": ("rules", "recognition"),
    "categories": ("items", ""),
    "extraction": ("rules", "reachable"),
    "findings": ("rules", "findings"),
    "significance": ("compare", ""),
    "rank-sets": ("leaderboard", "board"),
    "discrimination": ("difficulty", ""),
    "judges": ("judges", ""),
}
"""Section of an audit -> page, and anchor on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A sentence with the place of its evidence.

    Attributes:
        text: the sentence.
        page: key of the page.
        anchor: "#" and the anchor on it; "" for the page as a whole.
        label: what stands there.
    """

    text: str
    page: str
    anchor: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A finding with its words cleaned.

    Attributes:
        severity: high, medium, low or note.
        level: the severity in words.
        title: one clause.
        evidence: the numbers.
        advice: what to do.
        place: where the evidence stands; None where it is all said.
    """

    severity: Severity
    level: str
    title: str
    evidence: str
    advice: str
    place: Said | None


def place(section: Section, text: str = "") -> Said:
    """Return a sentence with the place of a section."""
    page, anchor = PLACES[section]
    return Said(
        text=text, page=page, anchor=f"#{anchor}" if anchor else "", label=SECTION_NAMES[section]
    )


def sentences(strip: Sequence[Claim]) -> tuple[Said, ...]:
    """Return the verdict strip of an audit."""
    return tuple(place(claim.link, num.clean(claim.text)) for claim in strip)


def noted(findings: Sequence[Finding], names: Iterable[str]) -> tuple[Noted, ...]:
    """Return the findings of an audit, most severe first."""
    known = tuple(names)
    return tuple(
        Noted(
            severity=one.severity,
            level=SEVERITIES[one.severity],
            title=num.clean(one.title),
            evidence=num.sentence(one.evidence, known),
            advice=num.sentence(one.advice),
            place=place(one.link),
        )
        for one in findings
    )
