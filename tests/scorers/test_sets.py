from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import SpecError
from finassay.records import Item, Prediction
from finassay.scorers.sets import SetExact, SetF1, SetJaccard
from scoring import mark


@pytest.mark.parametrize(
    ("reference", "reply"),
    [
        ("Regulation 30(6); Schedule III Part A", "Schedule III Part A; Regulation 30(6)"),
        ("Reg. 30(6)", "Regulation 30 (6)"),
        ("Sections 4 to 6", "Sections 4, 5 and 6"),
        ("Section 5(1)(a), (b)", "Section 5(1)(a); Section 5(1)(b)"),
        ("Article 21", "Article 21; Article 21"),
        ("第30条第2款", "第三十条第二款"),
        ("Section 4 and Section 5", "The claim rests on Section 5, read with Section 4."),
        ("SBI, HDFC and ICICI", "The banks are ICICI, SBI and HDFC."),
        ("SBI and HDFC", "HDFC and SBI"),
        ("terms and conditions; fees", "fees, terms and conditions"),
        ("5 lakh; 10%", "10 per cent and 500000"),
        ("1,000; 2,000", "2,000, 1,000"),
        ("北京，上海", "上海和北京"),
        ("fee; rate", '["Rate", "Fee"]'),
        ("fee; rate", "Answer:\n- rate\n- fee"),
        ("1 January 2027; 2 March 2027", "2027-03-02, 2027-01-01"),
    ],
)
def test_order_repetition_and_spelling_do_not_matter(reference: str, reply: str):
    assert mark("set/exact", reference, reply).value == 1.0


@pytest.mark.parametrize(
    ("reference", "reply", "exact", "jaccard", "f1"),
    [
        ("Section 4", "Sections 1, 2, 3, 4", 0, Fraction(1, 4), Fraction(2, 5)),
        ("Section 12A", "Section 12", 0, 0, 0),
        ("a; b; c", "a, b, d", 0, Fraction(2, 4), Fraction(4, 6)),
        ("a; b", "b; a", 1, 1, 1),
        ("a; b", "c", 0, 0, 0),
    ],
)
def test_shares_are_those_of_the_sets(
    reference: str, reply: str, exact: int, jaccard: Fraction, f1: Fraction
):
    assert mark("set/exact", reference, reply).value == exact
    assert mark("set/jaccard", reference, reply).value == pytest.approx(float(jaccard))
    assert mark("set/f1", reference, reply).value == pytest.approx(float(f1))


ELEMENTS = st.sets(st.sampled_from(["alpha", "beta", "gamma", "delta", "30", "5%"]), min_size=1)


@settings(deadline=None, max_examples=60)
@given(left=ELEMENTS, right=ELEMENTS)
def test_shares_equal_those_of_python_sets(left: set[str], right: set[str]):
    reference, reply = "; ".join(sorted(left)), "\n".join(sorted(right, reverse=True))
    shared = len(left & right)
    assert mark("set/exact", reference, reply).value == float(left == right)
    assert mark("set/jaccard", reference, reply).value == pytest.approx(shared / len(left | right))
    f1 = 2 * shared / (len(left) + len(right))
    assert mark("set/f1", reference, reply).value == pytest.approx(f1)


def test_a_parent_provision_counts_only_when_told_to_and_is_flagged_either_way():
    strict = mark("set/exact", "Regulation 30(6)", "Regulation 30")
    assert (strict.value, strict.flags) == (0.0, ("parent-provision",))
    lenient = mark(SetExact(parents=True), "Regulation 30(6)", "Regulation 30")
    assert (lenient.value, lenient.flags) == (1.0, ("parent-provision",))
    assert mark(SetExact(parents=True), "Section 12", "Section 123").value == 0.0


def test_options_are_a_set_where_the_item_offers_them():
    item = Item(item_id="i", reference="A and C", choices=("fee", "rate", "tax"))
    marked = [
        SetF1().score(item=item, prediction=Prediction(text=reply))
        for reply in ("Answer: C, A", "Answer: C", "Answer: B", "perhaps")
    ]
    assert [one.value for one in marked] == [1.0, pytest.approx(2 / 3), 0.0, None]
    assert marked[-1].reason == "no options in the reply"


def test_what_has_no_elements_has_no_value():
    assert mark("set/exact", "Section 4", "the law").status == "unparsed"
    assert mark("set/exact", "...", "fee").status == "not_applicable"
    assert mark('set/exact[elements="provisions"]', "fee", "fee").status == "not_applicable"


def test_a_threshold_makes_the_share_right_or_wrong():
    assert mark(SetJaccard(threshold=0.5), "a; b", "a; b; c").value == 1.0
    assert mark(SetJaccard(threshold=0.7), "a; b", "a; b; c").value == 0.0
    assert SetJaccard(threshold=0.5).measure_key == SetF1(threshold=0.7).measure_key


def test_an_unknown_kind_of_elements_is_refused():
    with pytest.raises(SpecError, match=r"`elements` of SetExact must be one of .*'words'"):
        SetExact(elements="words")
