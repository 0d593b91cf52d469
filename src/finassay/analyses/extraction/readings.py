"""What one rule reads on a cell.  In: a cell and a rule.  Out: its labels, score and witnesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from finassay.analyses.extraction.candidates import CandidateTable
from finassay.analyses.extraction.cells import LabelCell
from finassay.analyses.extraction.counts import ExtractionCounts, count
from finassay.scorers.labels.base import Extraction, LabelRule, Origin
from finassay.scorers.registry import scorer_id_of
from finassay.text.refusals import says_refusal

WitnessKind = Literal[
    "names_an_absent_label", "abstains_on_a_present_label", "leaves_the_denominator"
]
RefusedBy = Literal["finish", "text", "finish and text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleReading:
    """What a rule reads on every item of a cell.

    Attributes:
        rule: scorer id.
        version: its version.
        family: "select" when the rule claims that family, else "".
        places: place of the label read, among the labels of the candidate table; None for none.
        origins: where each label came from.
        dropped: whether the rule takes the item out of the denominator.
    """

    rule: str
    version: str
    family: str
    places: tuple[int | None, ...]
    origins: tuple[Origin, ...]
    dropped: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleScore:
    """A rule's score on a cell, with what stands behind it.

    Attributes:
        rule: scorer id.
        version: its version.
        n: items.
        right: items on which the rule reads the reference.
        accuracy: right / n; an item without a label is wrong.
        parsed: items on which the rule reads a label.
        parsed_accuracy: right / parsed; None when nothing was parsed.  It leaves out the items
            that the rule could not read, so it must not stand alone when parsed is under n.
        no_label: items on which it reads none.
        dropped: of these, items that the rule takes out of the denominator.
        default_filled: items filled with a default label.
        default_filled_right: of these, items counted as right.
        random_filled: items filled by a draw.
        by_synonym: items read by a synonym.
        by_letter: items read by a bare letter.
        external: items whose label came from outside.
        refused: items whose reply declines to answer.
        refused_right: of these, items counted as right.
        refused_by: how refusals were found: the logged fate, phrases in the reply, or both.
        flags: "parsed_only_differs", "filled", "refusals_scored_right" where they apply.
    """

    rule: str
    version: str
    n: int
    right: int
    accuracy: float
    parsed: int
    parsed_accuracy: float | None
    no_label: int
    dropped: int
    default_filled: int
    default_filled_right: int
    random_filled: int
    by_synonym: int
    by_letter: int
    external: int
    refused: int
    refused_right: int
    refused_by: RefusedBy
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """An item on which a rule does what no selecting rule does.

    Attributes:
        item_id: the item.
        kind: what it does.
        label: the label that it reads; None for none.
        origin: where that label came from.
        candidates: the labels that occur in the reply.
    """

    item_id: str
    kind: WitnessKind
    label: str | None
    origin: Origin
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """Whether a rule behaves as a selecting one on a cell, and where it does not.

    Attributes:
        rule: scorer id.
        matcher: name of the matcher that defines the family.
        is_member: no item speaks against it.
        n_witnesses: items that do.
        witnesses: the first of them.
    """

    rule: str
    matcher: str
    is_member: bool
    n_witnesses: int
    witnesses: tuple[Witness, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleDifference:
    """How far two rules are apart on a cell.

    Attributes:
        left: scorer id.
        right: scorer id.
        n: items.
        n_differ: items on which they read different labels.
        items: ids of the first of these.
        gap: right items of the one minus those of the other, without sign.
        gap_value: gap / n.
        contested: A*: no larger gap is possible between rules that both select.
        ambiguous: A: no more items can differ between rules that both select.
        both_select: both rules behave as selecting ones on this cell; only then do the bounds hold.
        within_bounds: gap <= n_differ, and for selecting rules gap <= A* and n_differ <= A.
    """

    left: str
    right: str
    n: int
    n_differ: int
    items: tuple[str, ...]
    gap: int
    gap_value: float
    contested: int
    ambiguous: int
    both_select: bool
    within_bounds: bool


def read_rule(cell: LabelCell, rule: LabelRule, table: CandidateTable) -> RuleReading:
    """Return what a rule reads on a cell; replies that repeat are read once where that is safe.

    Args:
        cell: the replies.
        rule: a label rule.
        table: the cell's candidate sets, whose list of labels the places refer to.

    Raises:
        UsageError: the rule cannot be applied to the choices.
    """
    known: dict[tuple[str, tuple[str, ...], str], tuple[int | None, Extraction]] = {}
    found: list[tuple[int | None, Extraction]] = []
    for item, key in enumerate(cell.ids):
        card = tuple(dict.fromkeys(cell.card_of(item)))
        seen = (cell.replies[item], card, key if rule.reads_key else "")
        if seen not in known:
            read = rule.extract(cell.replies[item], card, key=key)
            place = None if read.index is None else table.place_of(card[read.index])
            known[seen] = (place, read)
        found.append(known[seen])
    return RuleReading(
        rule=scorer_id_of(rule),
        version=rule.version,
        family=rule.family,
        places=tuple(place for place, _ in found),
        origins=tuple(read.origin for _, read in found),
        dropped=tuple(read.is_dropped for _, read in found),
    )


def is_right(reading: RuleReading, table: CandidateTable) -> tuple[bool, ...]:
    """Return item by item whether the rule reads the reference."""
    return tuple(place == gold for place, gold in zip(reading.places, table.golds, strict=True))


def score_reading(
    cell: LabelCell,
    reading: RuleReading,
    table: CandidateTable,
    *,
    refused: Sequence[bool] | None = None,
) -> RuleScore:
    """Return the score of a reading, with the items filled in and refused beside it.

    Args:
        cell: the replies.
        reading: what the rule read.
        table: candidate sets, for the references.
        refused: what `refusals` says of the cell, where it is at hand.
    """
    won = is_right(reading, table)
    right, parsed = sum(won), sum(place is not None for place in reading.places)
    origins = Counter(reading.origins)
    filled_right = _both([origin == "default" for origin in reading.origins], won)
    declined = refusals(cell) if refused is None else refused
    refused_right = _both(declined, won)
    flags = {
        "parsed_only_differs": parsed < cell.n,
        "filled": origins["default"] + origins["random"] > 0,
        "refusals_scored_right": refused_right > 0,
    }
    return RuleScore(
        rule=reading.rule,
        version=reading.version,
        n=cell.n,
        right=right,
        accuracy=right / cell.n,
        parsed=parsed,
        parsed_accuracy=right / parsed if parsed else None,
        no_label=cell.n - parsed,
        dropped=sum(reading.dropped),
        default_filled=origins["default"],
        default_filled_right=filled_right,
        random_filled=origins["random"],
        by_synonym=origins["synonym"],
        by_letter=origins["letter"],
        external=origins["external"],
        refused=sum(declined),
        refused_right=refused_right,
        refused_by=_refused_by(cell),
        flags=tuple(name for name, applies in flags.items() if applies),
    )


def refusals(cell: LabelCell) -> tuple[bool, ...]:
    """Return item by item whether the reply declines: by its logged fate, else by its words."""
    fates = cell.finishes or ("not_logged",) * cell.n
    return tuple(
        says_refusal(reply) if fate == "not_logged" else fate == "refused"
        for reply, fate in zip(cell.replies, fates, strict=True)
    )


def _refused_by(cell: LabelCell) -> RefusedBy:
    unknown = [fate == "not_logged" for fate in cell.finishes]
    if not unknown or all(unknown):
        return "text"
    return "finish and text" if any(unknown) else "finish"


def membership(
    cell: LabelCell, reading: RuleReading, table: CandidateTable, *, most: int = 20
) -> Membership:
    """Return whether a reading is one that a selecting rule could give, with witnesses if not.

    Args:
        cell: the replies.
        reading: what the rule read.
        table: candidate sets under the matcher that defines the family.
        most: witnesses to keep.
    """
    found, ids = [], cell.ids
    for item, present in enumerate(table.sets):
        kind = _against(reading.places[item], present, is_dropped=reading.dropped[item])
        if kind is not None:
            found.append(_witness(ids[item], kind, item, reading, table))
    return Membership(
        rule=reading.rule,
        matcher=table.matcher.name,
        is_member=not found,
        n_witnesses=len(found),
        witnesses=tuple(found[:most]),
    )


def _against(place: int | None, present: Sequence[int], *, is_dropped: bool) -> WitnessKind | None:
    if is_dropped:
        return "leaves_the_denominator"
    if place is None:
        return "abstains_on_a_present_label" if present else None
    return None if place in present else "names_an_absent_label"


def _witness(
    item_id: str, kind: WitnessKind, item: int, reading: RuleReading, table: CandidateTable
) -> Witness:
    place = reading.places[item]
    return Witness(
        item_id=item_id,
        kind=kind,
        label=None if place is None else table.labels[place],
        origin=reading.origins[item],
        candidates=tuple(table.labels[label] for label in table.sets[item]),
    )


def difference(
    cell: LabelCell,
    left: RuleReading,
    right: RuleReading,
    table: CandidateTable,
    *,
    counts: ExtractionCounts | None = None,
    most: int = 20,
) -> RuleDifference:
    """Return how far two rules are apart, beside the bounds for selecting rules.

    For rules that both select, the gap is at most the differing items, these at most A, and the
    gap at most A*.

    Args:
        cell: the replies.
        left: what one rule read.
        right: what the other read.
        table: candidate sets under the matcher that defines the family.
        counts: the counts of `table`, where they are at hand.
        most: differing items to keep by name.
    """
    differ = [
        item_id
        for item_id, one, other in zip(cell.ids, left.places, right.places, strict=True)
        if one != other
    ]
    gap = abs(sum(is_right(left, table)) - sum(is_right(right, table)))
    counts = counts or count(table)
    both = _selects(left, table) and _selects(right, table)
    within = gap <= len(differ)
    if both:
        within = within and gap <= counts.contested and len(differ) <= counts.ambiguous
    return RuleDifference(
        left=left.rule,
        right=right.rule,
        n=cell.n,
        n_differ=len(differ),
        items=tuple(differ[:most]),
        gap=gap,
        gap_value=gap / cell.n,
        contested=counts.contested,
        ambiguous=counts.ambiguous,
        both_select=both,
        within_bounds=within,
    )


def _selects(reading: RuleReading, table: CandidateTable) -> bool:
    rows = zip(reading.places, table.sets, reading.dropped, strict=True)
    return all(
        _against(place, present, is_dropped=dropped) is None for place, present, dropped in rows
    )


def _both(one: Sequence[bool], other: Sequence[bool]) -> int:
    return sum(a and b for a, b in zip(one, other, strict=True))
