"""Certificates: what the choice of rule cannot change.  In: an audited cell.  Out: a statement.

A certificate holds inside a declared rule family, for one matcher, prompt arm and generation
budget; "certified" never means safe under every conceivable evaluator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from finassay._version import __version__
from finassay.analyses.extraction.cells import LabelCell, choices_digest
from finassay.analyses.extraction.counts import ExtractionCounts, Share
from finassay.analyses.extraction.families import Family, Reach
from finassay.analyses.extraction.floors import FloorVerdict
from finassay.errors import UsageError

CertificateKind = Literal["score-invariant", "prediction-invariant", "verdict-invariant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What no rule of a family can change on a cell.

    Attributes:
        kinds: "score-invariant" (every rule of the family scores the same),
            "prediction-invariant" (reads the same labels), "verdict-invariant" (lies on the same
            side of the floor).
        is_vacuous: no reply holds any label, so there is nothing to disagree about.
        family: the rule family.
        matcher: the matcher with its normal form.
        task: task.
        system: system.
        split: split.
        arm: prompt arm.
        budget: generation budget.
        n: items.
        counts: the five kinds of items.
        coverage: items in which some label occurs.
        low: fewest right items.
        high: most right items.
        floor: right items of the best constant answer.
        verdict: side of the floor.
        choices_digest: SHA-256 of the choices in card order.
        input_digest: SHA-256 of items, replies, references, choices and strata.
        version: version of this package.

    Raises:
        UsageError: prompt arm, budget or family are undeclared, or nothing is invariant.
    """

    kinds: tuple[CertificateKind, ...]
    is_vacuous: bool
    family: Family
    matcher: str
    task: str
    system: str
    split: str
    arm: str
    budget: str
    n: int
    counts: ExtractionCounts
    coverage: Share
    low: int
    high: int
    floor: int
    verdict: str
    choices_digest: str
    input_digest: str
    version: str = __version__

    def __post_init__(self) -> None:
        undeclared = [name for name in ("arm", "budget") if not getattr(self, name)]
        if undeclared or not self.kinds:
            raise UsageError(
                f"a certificate needs a declared prompt arm and budget and something invariant, "
                f"got arm {self.arm!r}, budget {self.budget!r}, kinds {self.kinds!r}"
            )

    def to_lines(self) -> list[str]:
        """Return the certificate in plain lines; family, matcher, arm and budget always stand."""
        vacuous = " (vacuous: no reply holds a label)" if self.is_vacuous else ""
        cover = f"{self.coverage.count}/{self.coverage.n} ({self.coverage.value:.4f})"
        ends = f"from {self.low}/{self.n} to {self.high}/{self.n}"
        digests = f"choices {self.choices_digest[:16]}, input {self.input_digest[:16]} (SHA-256)"
        return [
            f"certified {', '.join(self.kinds)}{vacuous}",
            f"  within the family {self.family} under the matcher {self.matcher}",
            f"  prompt arm {self.arm}; budget {self.budget}; coverage {cover}",
            f"  accuracy {ends}; floor {self.floor}/{self.n}: {self.verdict}",
            f"  {digests}, finassay {self.version}",
        ]


def invariances(
    counts: ExtractionCounts, reach: Reach, verdict: FloorVerdict
) -> tuple[CertificateKind, ...]:
    """Return what no rule of the family can change."""
    kinds: list[CertificateKind] = []
    if reach.low == reach.high:
        kinds.append("score-invariant")
    if _same_labels(counts, reach):
        kinds.append("prediction-invariant")
    if verdict.outcome != "undetermined":
        kinds.append("verdict-invariant")
    return tuple(kinds)


def _same_labels(counts: ExtractionCounts, reach: Reach) -> bool:
    if reach.family == "select_or_abstain":
        return counts.covered == 0
    if reach.family == "finite" and len(reach.rules) == 1:
        return True
    # Rules of a finite family that leave the candidate sets can differ even without ambiguity.
    return reach.family != "finite" and counts.ambiguous == 0


def certify(
    cell: LabelCell,
    *,
    matcher: str,
    counts: ExtractionCounts,
    reach: Reach,
    verdict: FloorVerdict,
) -> tuple[Certificate | None, str]:
    """Return a certificate, or None and why there is none.

    An undeclared prompt arm or budget is never filled in.
    """
    undeclared = [name for name in ("arm", "budget") if not getattr(cell, name)]
    if undeclared:
        names = " and ".join({"arm": "prompt arm", "budget": "budget"}[u] for u in undeclared)
        return None, f"undeclared {names}; no certificate"
    kinds = invariances(counts, reach, verdict)
    if not kinds:
        return None, f"the rule decides: {verdict.text} within the family {reach.family}"
    made = Certificate(
        kinds=kinds,
        is_vacuous=counts.covered == 0,
        family=reach.family,
        matcher=matcher,
        task=cell.task,
        system=cell.system,
        split=cell.split,
        arm=cell.arm,
        budget=cell.budget,
        n=counts.n,
        counts=counts,
        coverage=counts.coverage,
        low=reach.low,
        high=reach.high,
        floor=verdict.floor,
        verdict=verdict.text,
        choices_digest=choices_digest(cell),
        input_digest=cell.digest,
    )
    return made, ""
