"""The whole audit of one cell.  In: a cell, a matcher and rules.  Out: one frozen result."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from finassay.analyses.extraction.candidates import CandidateTable, candidates
from finassay.analyses.extraction.cells import LabelCell
from finassay.analyses.extraction.certificates import Certificate, certify
from finassay.analyses.extraction.counts import ExtractionCounts, Share, count
from finassay.analyses.extraction.f1 import LabelScores, LabelSet, Missing, label_scores
from finassay.analyses.extraction.families import Family, Reach, finite_reach, reach
from finassay.analyses.extraction.floors import (
    Floor,
    FloorVerdict,
    against_floor,
    floor,
    stratified_floor,
)
from finassay.analyses.extraction.readings import (
    Membership,
    RuleDifference,
    RuleReading,
    RuleScore,
    difference,
    membership,
    read_rule,
    refusals,
    score_reading,
)
from finassay.analyses.extraction.selectors import SelectorBounds, selector_bounds
from finassay.errors import SpecError, UsageError
from finassay.scorers.labels.base import LabelRule
from finassay.scorers.registry import load_scorer
from finassay.text.labels import Matcher

SELECTING_RULES = (
    "labels/card-order",
    "labels/text-order",
    "labels/last",
    "labels/longest",
)
"""The rules that are scored when no others are named; under words, their `-word` twins."""

FLARE_MATCHER = Matcher()
"""Substrings in lower case."""

INTERVALS: tuple[Family, ...] = ("select", "text_function", "select_or_abstain")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an audit of cells assumes; all of it is printed with the result.

    Attributes:
        matcher: what counts as an occurrence.
        rules: rules to score, as ids or rules; None takes those that select by this matcher.
        family: the family that verdict and certificate refer to; "finite" means these rules.
        train: training references from which the floor's label is chosen; () uses the scored ones.
        band: items by which a score may differ from the floor and still tie.
        label_set: labels that F1 averages over.
        missing: what an item without a label is for the Matthews correlation.
        limit: most outcomes to try one by one for the bounds of F1 and correlation.
        witnesses: items to keep by name for each rule and pair.
    """

    matcher: Matcher = FLARE_MATCHER
    rules: tuple[str | LabelRule, ...] | None = None
    family: Family = "select"
    train: tuple[str, ...] = ()
    band: int = 0
    label_set: LabelSet = "golds"
    missing: Missing = "class"
    limit: int = 200_000
    witnesses: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleAudit:
    """One rule on one cell.

    Attributes:
        score: its score, with the items filled in and refused.
        verdict: the side of the floor on which the score lies.
        membership: whether it behaves as a selecting rule, with witnesses where not.
        labels: F1 and Matthews correlation.
    """

    score: RuleScore
    verdict: FloorVerdict
    membership: Membership
    labels: LabelScores


@dataclass(frozen=True, slots=True, kw_only=True)
class CellAudit:
    """How much of the score of one cell is the extraction rule.

    Attributes:
        task: task.
        system: system.
        split: split.
        arm: prompt arm; "" is undeclared.
        budget: generation budget; "" is undeclared.
        n: items.
        input_digest: SHA-256 of items, replies, references, choices and strata.
        matcher: the matcher with its normal form.
        labels: the labels in card order.
        counts: the five kinds of items.
        coverage: items in which some label occurs.
        ambiguity: items in which several occur (M).
        contested: of these, items whose reference occurs (M*), the width of the interval.
        reaches: what each rule family can reach.
        family: the family that verdict and certificate refer to.
        floor: the majority floor.
        verdict: the interval of the family against the floor.
        stratified_floor: the floor over declared strata; None where none are declared.
        stratified_verdict: the interval against it.
        rules: every rule asked for.
        differences: every pair of rules.
        bounds: F1 and Matthews correlation over all selectors.
        certificate: what no rule of the family can change; None where nothing is certified.
        uncertified: why there is no certificate, or "".
        warnings: what to be careful about.
    """

    task: str
    system: str
    split: str
    arm: str
    budget: str
    n: int
    input_digest: str
    matcher: str
    labels: tuple[str, ...]
    counts: ExtractionCounts
    coverage: Share
    ambiguity: Share
    contested: Share
    reaches: tuple[Reach, ...]
    family: Family
    floor: Floor
    verdict: FloorVerdict
    stratified_floor: Floor | None
    stratified_verdict: FloorVerdict | None
    rules: tuple[RuleAudit, ...]
    differences: tuple[RuleDifference, ...]
    bounds: SelectorBounds
    certificate: Certificate | None
    uncertified: str
    warnings: tuple[str, ...]

    def reach_of(self, family: Family) -> Reach:
        """Return the reach of a family.

        Raises:
            UsageError: the audit holds none of that family.
        """
        for found in self.reaches:
            if found.family == family:
                return found
        known = ", ".join(found.family for found in self.reaches)
        raise UsageError(f"the audit holds no reach of the family {family!r}; it has {known}")


def label_rule(rule: str | LabelRule) -> LabelRule:
    """Return the label rule of an id, or the rule itself.

    Raises:
        UnknownNameError: no scorer of that name.
        SpecError: the id cannot be read, or names a scorer that reads no label.
    """
    found = load_scorer(rule) if isinstance(rule, str) else rule
    if not isinstance(found, LabelRule):
        raise SpecError(f"{rule!r} is no label rule; choose one whose name begins with labels/")
    return found


def rules_of(settings: Settings) -> tuple[str | LabelRule, ...]:
    """Return the rules that settings ask for, or else those that select by their matcher."""
    if settings.rules is not None:
        return settings.rules
    matcher = settings.matcher
    twins = matcher.kind == "word"
    inside = [f"norm={json.dumps(matcher.norm)}"]
    inside += ["hyphen_joins=true"] if twins and matcher.hyphen_joins else []
    suffix = f"{'-word' if twins else ''}[{','.join(inside)}]"
    return tuple(f"{rule}{suffix}" for rule in SELECTING_RULES)


def audit_cell(cell: LabelCell, settings: Settings | None = None) -> CellAudit:
    """Return the audit of one cell.

    Args:
        cell: replies, references and choices.
        settings: what is assumed; the default is FLARE's reading (substrings, lower case).

    Raises:
        UsageError: a reference is none of its choices, choices cannot be told apart, or a rule
            cannot be applied to them.
    """
    used = settings or Settings()
    table = candidates(cell, used.matcher)
    counts = count(table)
    floors = _floors(cell, table, used)
    readings = [read_rule(cell, label_rule(rule), table) for rule in rules_of(used)]
    declined = refusals(cell)
    scores = [score_reading(cell, reading, table, refused=declined) for reading in readings]
    rules = tuple(
        RuleAudit(
            score=score,
            verdict=against_floor(score.right, score.right, floors[0].count, band=used.band),
            membership=membership(cell, reading, table, most=used.witnesses),
            labels=_labels(reading, table, used),
        )
        for reading, score in zip(readings, scores, strict=True)
    )
    reaches = _reaches(table, rules, used.family)
    chosen = next(found for found in reaches if found.family == used.family)
    verdict = against_floor(chosen.low, chosen.high, floors[0].count, band=used.band)
    certificate, uncertified = certify(
        cell, matcher=table.matcher.name, counts=counts, reach=chosen, verdict=verdict
    )
    stratified = floors[1] if len(floors) > 1 else None
    return CellAudit(
        task=cell.task,
        system=cell.system,
        split=cell.split,
        arm=cell.arm,
        budget=cell.budget,
        n=cell.n,
        input_digest=cell.digest,
        matcher=table.matcher.name,
        labels=table.labels,
        counts=counts,
        coverage=counts.coverage,
        ambiguity=counts.ambiguity,
        contested=counts.contested_rate,
        reaches=reaches,
        family=used.family,
        floor=floors[0],
        verdict=verdict,
        stratified_floor=stratified,
        stratified_verdict=None
        if stratified is None
        else against_floor(chosen.low, chosen.high, stratified.count, band=used.band),
        rules=rules,
        differences=tuple(
            difference(cell, left, right, table, counts=counts, most=used.witnesses)
            for left, right in combinations(readings, 2)
        ),
        bounds=selector_bounds(
            table, label_set=used.label_set, missing=used.missing, limit=used.limit
        ),
        certificate=certificate,
        uncertified=uncertified,
        warnings=_warnings(cell, counts, floors, rules),
    )


def _floors(cell: LabelCell, table: CandidateTable, used: Settings) -> list[Floor]:
    golds = [table.labels[gold] for gold in table.golds]
    train = [table.labels[table.place_of(label)] for label in used.train] or None
    plain = floor(golds, train=train)
    return [plain, stratified_floor(golds, cell.strata)] if cell.strata else [plain]


def _labels(reading: RuleReading, table: CandidateTable, used: Settings) -> LabelScores:
    return label_scores(
        reading.rule,
        table.golds,
        reading.places,
        len(table.labels),
        label_set=used.label_set,
        missing=used.missing,
    )


def _reaches(
    table: CandidateTable, rules: Sequence[RuleAudit], family: Family
) -> tuple[Reach, ...]:
    families = dict.fromkeys((*INTERVALS, family))
    found = [reach(table, name) for name in families if name != "finite"]
    if rules or family == "finite":
        rights = [(rule.score.rule, rule.score.right) for rule in rules]
        found.append(finite_reach(rights, table.n))
    return tuple(found)


def _warnings(
    cell: LabelCell,
    counts: ExtractionCounts,
    floors: Sequence[Floor],
    rules: Sequence[RuleAudit],
) -> tuple[str, ...]:
    said = [warning for found in floors for warning in found.warnings]
    if not counts.covered:
        said.append("no reply holds a label: zero ambiguity is vacuous here")
    elif counts.covered < counts.n:
        said.append(f"{counts.uncovered} of {cell.n} replies hold no label and count as wrong")
    for rule in rules:
        filled = rule.score.default_filled + rule.score.random_filled
        if filled:
            said.append(f"{rule.score.rule}: {filled} of {cell.n} answers were filled in")
        if not rule.membership.is_member:
            items = rule.membership.n_witnesses
            said.append(f"{rule.score.rule}: outside the family select on {items} items")
    return tuple(said)
