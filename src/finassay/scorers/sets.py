"""Rules on sets of answers.  In: an item whose reference lists elements.  Out: [0, 1].

Order and repetition do not count.  Elements are provisions of law, options, or pieces of a list,
compared by type ("Reg. 30(6)" is "Regulation 30 (6)", "5 lakh" is "500000").
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, get_args

from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Rule, require_flag, require_one_of, require_share, right_or_wrong
from finassay.text.choices import final_choice, options_of, read_choices, read_reference
from finassay.text.lists import LONGEST, list_elements
from finassay.text.provisions import read_provisions
from finassay.text.values import Value, are_equal, value_of

Elements = Literal["auto", "provisions", "options", "list"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMeasure:
    """How two sets of elements overlap.

    Attributes:
        kind: what the elements are, or "" where the reference has none.
        expected: elements of the reference, each once.
        read: elements of the reply, each once.
        shared: how many are in both.
        parents: an element of one side lies within one of the other ("30" and "30(6)").
    """

    kind: str
    expected: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    shared: int = 0
    parents: bool = False


@dataclass(frozen=True, kw_only=True)
class SetRule(Rule[SetMeasure]):
    """A rule on the overlap of two sets.

    Attributes:
        elements: "provisions", "options" or "list"; "auto" takes options where the item offers
            them, provisions where the reference consists of them, else a list.
        parents: a provision counts for one that lies within it, and the other way round
            ("Regulation 30" for "Regulation 30(6)").
    """

    elements: Elements = "auto"
    parents: bool = False

    measure_name: ClassVar[str] = "sets"

    def __post_init__(self) -> None:
        require_one_of(self, "elements", self.elements, get_args(Elements))
        require_flag(self, "parents", self.parents)

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> SetMeasure:
        """Return the elements of both sides and how many they share."""
        for kind, read in _READERS.items():
            if self.elements in {kind, "auto"}:
                sides = read(reference, prediction.text, item.choices)
                if sides is not None and sides[0]:
                    return _compared(kind, *sides, parents=self.parents)
        return SetMeasure(kind="")

    @abstractmethod
    def share(self, measured: SetMeasure) -> float:
        """Return the degree of agreement in [0, 1]."""

    def decide(self, measured: SetMeasure) -> Verdict:
        """Return the verdict of the degree of agreement."""
        if not measured.kind:
            return Verdict(status="not_applicable", reason="no elements in the reference")
        if not measured.read:
            return Verdict(status="unparsed", reason=f"no {measured.kind} in the reply")
        return Verdict(
            status="scored",
            value=self.share(measured),
            extracted="; ".join(measured.read),
            flags=("parent-provision",) if measured.parents else (),
            reason=f"{measured.shared} of {len(measured.expected)} elements of the reference are "
            f"among the {len(measured.read)} of the reply",
        )


@dataclass(frozen=True, kw_only=True)
class SetExact(SetRule):
    """`set/exact`: right when both sides name the same elements.

    Attributes:
        elements: what an element is.
        parents: a provision counts for one that lies within it.
    """

    name: ClassVar[str] = "set/exact"
    version: ClassVar[str] = "1"

    def share(self, measured: SetMeasure) -> float:
        """Return 1 when the sets are equal, else 0."""
        return float(measured.shared == len(measured.expected) == len(measured.read))


@dataclass(frozen=True, kw_only=True)
class GradedSetRule(SetRule):
    """A graded rule on sets, with an optional threshold.

    Attributes:
        elements: what an element is.
        parents: a provision counts for one that lies within it.
        threshold: None for the graded value in [0, 1]; else right when it is reached.
    """

    threshold: float | None = None

    decision_fields: ClassVar[frozenset[str]] = frozenset({"threshold"})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.threshold is not None:
            require_share(self, "threshold", self.threshold)

    def decide(self, measured: SetMeasure) -> Verdict:
        """Return the graded verdict, or 0/1 when there is a threshold."""
        graded = super().decide(measured)
        if self.threshold is None or graded.value is None:
            return graded
        is_right = graded.value >= self.threshold and graded.value > 0
        decided = right_or_wrong(is_right=is_right, reason=graded.reason)
        return Verdict(
            status="scored",
            value=decided.value,
            extracted=graded.extracted,
            flags=graded.flags,
            reason=graded.reason,
        )


@dataclass(frozen=True, kw_only=True)
class SetJaccard(GradedSetRule):
    """`set/jaccard`: elements in both over elements in either.

    Attributes:
        elements: what an element is.
        parents: a provision counts for one that lies within it.
        threshold: None for the graded value; else right when it is reached.
    """

    name: ClassVar[str] = "set/jaccard"
    version: ClassVar[str] = "1"

    def share(self, measured: SetMeasure) -> float:
        """Return the Jaccard index."""
        union = len(measured.expected) + len(measured.read) - measured.shared
        return measured.shared / union


@dataclass(frozen=True, kw_only=True)
class SetF1(GradedSetRule):
    """`set/f1`: harmonic mean of precision and recall over elements.

    Attributes:
        elements: what an element is.
        parents: a provision counts for one that lies within it.
        threshold: None for the graded value; else right when it is reached.
    """

    name: ClassVar[str] = "set/f1"
    version: ClassVar[str] = "1"

    def share(self, measured: SetMeasure) -> float:
        """Return the F1."""
        return 2 * measured.shared / (len(measured.expected) + len(measured.read))


Side = dict[str, Value]
"""Elements as written, each once, with their values."""
Sides = tuple[Side, Side]


def _options(reference: str, reply: str, choices: tuple[str, ...]) -> Sides | None:
    if not choices:
        return None
    options = options_of(tuple(dict.fromkeys(choices)))
    expected = read_reference(reference, options)
    read = final_choice(read_choices(reply, options))
    named = () if read is None or read.outcome != "options" else read.labels
    return None if expected is None else (_labels(expected), _labels(named))


def _labels(labels: tuple[str, ...]) -> Side:
    return {label: Value("text", (label,)) for label in labels}


def _provisions(reference: str, reply: str, choices: tuple[str, ...]) -> Sides | None:  # noqa: ARG001
    expected = _provisions_in(reference)
    if not expected or value_of(reference).type != "provision":
        return None
    return expected, _provisions_in(reply)


def _provisions_in(text: str) -> Side:
    return {
        f"{one.kind} {one.number}": Value("provision", (one.kind, one.number.lower()))
        for one in read_provisions(text)
    }


def _list(reference: str, reply: str, choices: tuple[str, ...]) -> Sides:  # noqa: ARG001
    # No more of a text is looked at than elements are looked for in.
    there, back = value_of(reference[:LONGEST]), value_of(reply[:LONGEST])
    if not there.is_empty and are_equal(there, back):
        return {reference.strip(): there}, {reply.strip(): back}
    # Each side says what an element is to the other, so that "terms and conditions" stays whole.
    expected, said = _pieces(reference), _pieces(reply)
    found = list_elements(reply, whole=expected.whole, part=expected.part)
    return _values(list_elements(reference, whole=said.whole, part=said.part)), _values(found)


class _Pieces(NamedTuple):
    """Pieces of a list: between commas, and between every "and" too."""

    wholes: frozenset[Value]
    parts: frozenset[Value]

    def whole(self, piece: str) -> bool:
        """Whether a piece stands between commas."""
        return bool(piece) and value_of(piece) in self.wholes

    def part(self, piece: str) -> bool:
        """Whether a piece stands between commas or beside an "and"."""
        return bool(piece) and value_of(piece) in self.parts


def _pieces(text: str) -> _Pieces:
    wholes = _values(list_elements(text)).values()
    parts = _values(list_elements(text, part=bool)).values()
    return _Pieces(frozenset(wholes), frozenset(parts))


def _values(elements: tuple[str, ...]) -> Side:
    found: Side = {}
    for element in elements:
        value = value_of(element)
        if not value.is_empty and value not in found.values():
            found[element] = value
    return found


_READERS: dict[str, Callable[[str, str, tuple[str, ...]], Sides | None]] = {
    "options": _options,
    "provisions": _provisions,
    "list": _list,
}


def _compared(kind: str, expected: Side, read: Side, *, parents: bool) -> SetMeasure:
    left, right = list(expected.values()), list(read.values())
    missing = [value for value in left if value not in set(right)]
    extra = [value for value in right if value not in set(left)]
    shared = len(left) - len(missing)
    within = 0
    for value in missing:
        like = next((one for one in extra if are_equal(value, one)), None)
        near = like or next((one for one in extra if _within(value, one)), None)
        if near is None:
            continue
        within += like is None
        if like is not None or parents:
            shared += 1
            extra.remove(near)
    return SetMeasure(
        kind=kind,
        expected=tuple(expected),
        read=tuple(read),
        shared=shared,
        parents=bool(within),
    )


def _within(left: Value, right: Value) -> bool:
    """Return whether one provision lies within the other."""
    if not left.type == right.type == "provision" or left.parts[0] != right.parts[0]:
        return False
    short, long = sorted((str(left.parts[1]), str(right.parts[1])), key=len)
    return long.startswith(f"{short}(")
