"""Composites: three-valued logic over parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import SpecError, UsageError
from finassay.records import Item, Prediction, Status, Verdict
from finassay.scorers.base import Scorer
from finassay.scorers.composites import AllOf, AnyOf, Composite, FirstScored, Imported, Majority
from scoring import mark


@dataclass(frozen=True, kw_only=True)
class Says:
    """A part that always gives one verdict."""

    verdict: Verdict
    name: str = "says"
    version: str = "1"

    def score(self, *, item: Item, prediction: Prediction) -> Verdict:
        return self.verdict


def scored(value: float) -> Verdict:
    return Verdict(status="scored", value=value, reason=f"worth {value}")


RIGHT, WRONG, HALF = scored(1.0), scored(0.0), scored(0.5)
UNKNOWN = Verdict(status="unparsed", reason="nothing to read")
SILENT = Verdict(status="no_answer", reason="empty")
FAILED = Verdict(status="failed", reason="no judge")
APART = Verdict(status="not_applicable", reason="not mine")

# Kleene's strong three-valued tables; U is unknown, and what is not applicable (N) takes no part.
#        parts  any_of all_of first_scored
TRUTH = [
    ("1 1", "1", "1", "1"),
    ("1 0", "1", "0", "1"),
    ("0 1", "1", "0", "0"),
    ("0 0", "0", "0", "0"),
    ("1 U", "1", "U", "1"),
    ("U 1", "1", "U", "1"),
    ("0 U", "U", "0", "0"),
    ("U 0", "U", "0", "0"),
    ("U U", "U", "U", "U"),
    ("N 1", "1", "1", "1"),
    ("0 N", "0", "0", "0"),
    ("N U", "U", "U", "U"),
    ("N N", "N", "N", "N"),
    ("1", "1", "1", "1"),
    ("N", "N", "N", "N"),
    ("N 0 U", "U", "0", "0"),
    ("U N 1", "1", "U", "1"),
    ("h 0", "h", "0", "h"),
    ("h 1", "1", "h", "h"),
    ("h U", "U", "U", "h"),
]
LETTERS = {"1": RIGHT, "0": WRONG, "h": HALF, "U": UNKNOWN, "N": APART}


def parts(verdicts: Sequence[Verdict]) -> tuple[Scorer, ...]:
    return tuple(Says(verdict=verdict, name=f"part {n}") for n, verdict in enumerate(verdicts))


def asked(kind: type[Composite], *verdicts: Verdict) -> Verdict:
    return mark(kind(parts=parts(verdicts)), "fee", "fee")


# More than half of the parts that apply; a graded part is right from one half on, and a tie wrong.
MAJORITY = [
    *(("1 1 0", "1"), ("1 0 0", "0"), ("1 1 1", "1"), ("1 0", "0"), ("1 1", "1"), ("1", "1")),
    *(("1 1 U", "1"), ("0 0 U", "0"), ("1 0 U", "U"), ("1 U U", "U"), ("1 U", "U"), ("0 U", "0")),
    *(("1 N", "1"), ("1 0 N 1", "1"), ("N N", "N"), ("h h 0", "1"), ("h 0 0", "0"), ("U U", "U")),
]


@pytest.mark.parametrize(("letters", "expected"), MAJORITY, ids=[m[0] for m in MAJORITY])
def test_the_majority_of_the_parts_that_apply_decides(letters: str, expected: str):
    found = asked(Majority, *(LETTERS[letter] for letter in letters.split()))
    assert (found.status, found.value) == (LETTERS[expected].status, LETTERS[expected].value)


def test_the_majority_names_the_parts_that_are_right():
    found = asked(Majority, RIGHT, WRONG, RIGHT, APART)
    assert found.reason == "2 of 3 parts are right (part 0, part 2)"
    assert asked(Majority, RIGHT, WRONG).flags == ("tie",)


@pytest.mark.parametrize(("letters", "any_of", "all_of", "first"), TRUTH, ids=[t[0] for t in TRUTH])
def test_the_truth_table_holds(letters: str, any_of: str, all_of: str, first: str):
    verdicts = [LETTERS[letter] for letter in letters.split()]
    for kind, expected in ((AnyOf, any_of), (AllOf, all_of), (FirstScored, first)):
        found = asked(kind, *verdicts)
        assert (found.status, found.value) == (LETTERS[expected].status, LETTERS[expected].value)


@pytest.mark.parametrize("unknown", [UNKNOWN, SILENT, FAILED])
def test_the_status_of_the_unknown_part_is_carried(unknown: Verdict):
    for kind, settled in ((AnyOf, WRONG), (AllOf, RIGHT)):
        found = asked(kind, settled, unknown)
        assert found.status == unknown.status
        assert found.reason == f"part 1: {unknown.reason}"
        assert found.label == "part 1"


def test_the_first_unknown_part_speaks_for_all():
    assert asked(AnyOf, WRONG, SILENT, UNKNOWN).status == "no_answer"
    assert asked(FirstScored, APART, FAILED, UNKNOWN).status == "failed"


def test_parts_that_do_not_apply_are_named_when_none_is_left():
    found = asked(AnyOf, APART, APART)
    assert found.reason == "no part applies (part 0, part 1)"


def test_the_part_that_decided_is_named():
    found = asked(AnyOf, WRONG, RIGHT)
    assert (found.label, found.reason) == ("part 1", "part 1: worth 1.0")
    labelled = Verdict(status="scored", value=1.0, label="yes", flags=("truncated",))
    assert asked(AllOf, labelled).label == "yes"
    assert asked(AllOf, labelled).flags == ("truncated",)


STATUSES: tuple[Status, ...] = ("no_answer", "unparsed", "not_applicable", "failed")
VERDICTS = st.one_of(
    st.floats(0, 1).map(scored),
    st.sampled_from(STATUSES).map(lambda s: Verdict(status=s, reason="told")),
)


@settings(deadline=None)
@given(verdicts=st.lists(VERDICTS, min_size=1, max_size=5))
def test_not_all_are_right_exactly_when_any_is_wrong(verdicts: list[Verdict]):
    turned = [scored(1 - v.value) if v.value is not None else v for v in verdicts]
    any_of, all_of = asked(AnyOf, *verdicts), asked(AllOf, *turned)
    assert any_of.status == all_of.status
    assert any_of.value == pytest.approx(None if all_of.value is None else 1 - all_of.value)


@settings(deadline=None)
@given(verdicts=st.lists(VERDICTS, min_size=1, max_size=5))
def test_what_an_unknown_part_could_say_decides_whether_there_is_a_value(verdicts: list[Verdict]):
    # Slow definition: fill the unknown parts with 0, then with 1; a value needs both to agree.
    open_parts = [v for v in verdicts if v.status != "not_applicable"]
    for kind, pick in ((AnyOf, max), (AllOf, min)):
        found = asked(kind, *verdicts)
        if not open_parts:
            assert found.status == "not_applicable"
            continue
        low, high = (
            pick(fill if v.value is None else v.value for v in open_parts) for fill in (0.0, 1.0)
        )
        assert found.value == (low if low == high else None)


def test_real_parts_are_asked_in_turn():
    either = AnyOf(parts=(Imported(name="stored"),))
    with pytest.raises(UsageError, match="verdicts of 'stored' are imported, not computed"):
        mark(either, "fee", "fee")
    assert mark('first_scored[parts=["number_set","exact"]]', "30", "thirty").value == 0.0
    assert mark('first_scored[parts=["yes_no","number_set"]]', "30", "30 days").value == 1.0


@pytest.mark.parametrize("kind", [AnyOf, AllOf, FirstScored])
def test_a_composite_of_nothing_is_refused(kind: type[Composite]):
    with pytest.raises(SpecError, match="must list at least one scorer"):
        kind(parts=())


def test_a_composite_without_a_way_to_combine_cannot_be_built():
    with pytest.raises(TypeError, match="abstract"):
        Composite(parts=parts([RIGHT]))
