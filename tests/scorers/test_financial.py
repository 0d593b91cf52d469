"""The financial rule: one policy at a time, on facts that are invented."""

from __future__ import annotations

import pytest

from finassay import mark
from finassay.errors import SpecError
from finassay.records import AnswerContract, Item, Prediction, Verdict
from finassay.scorers.financial import FinancialEquivalence
from finassay.scorers.financial_measure import FinancialMeasure
from finassay.scorers.registry import load_scorer

USD_BILLIONS = "What is net PPNE at the end of FY2018? Answer in USD billions."
MARGIN = "What is the FY2021 gross margin (% margin)?"


def financial(reference: str, reply: str, question: str = "", **policies: object) -> Verdict:
    rule = FinancialEquivalence(**policies)  # type: ignore[arg-type]
    return mark(rule, reference=reference, reply=reply, question=question)


@pytest.mark.parametrize(
    ("reference", "reply", "question", "right"),
    [
        ("8.7", "Net PPNE is $8.738 billion.", USD_BILLIONS, True),
        ("8.7", "Net PPNE is $8.738 million.", USD_BILLIONS, False),
        ("8.7", "Net PPNE is $8,738 million.", USD_BILLIONS, True),
        ("8.7", "It is 8.8 billion dollars.", USD_BILLIONS, False),
        ("8.7", "It is 8.7.", USD_BILLIONS, True),
        ("8.7", "It is EUR 8.7 billion.", USD_BILLIONS, False),
        ("0.042", "The margin is 4.18%.", MARGIN, True),
        ("0.042", "The margin is 42%.", MARGIN, False),
        ("12,50,000", "Rs. 12.5 lakh", "", True),
        ("30 days", "thirty (30) days", "", True),
        ("6 months", "180 days", "", False),
        ("24 months", "two years", "", True),
        ("21 days", "21 working days", "", False),
        ("-5%", "a decline of 5%", "", True),
        ("5%", "-5%", "", False),
        ("2 percentage points", "2%", "", False),
        ("75 basis points", "0.75%", "", True),
    ],
)
def test_numbers_are_compared_in_the_unit_that_is_asked_for(
    reference: str, reply: str, question: str, right: object
):
    assert (financial(reference, reply, question).value == 1.0) is right


@pytest.mark.parametrize(
    ("policy", "reference", "reply", "question", "flag"),
    [
        ("percent_as_fraction", "50%", "0.5", "", "percent-as-fraction"),
        ("missing_unit", "60%", "60", "", "missing-unit"),
        ("calendar", "365 days", "one year", "", "calendar"),
        ("several", "30%", "The rate is 30% or 29%.", "", "several-answers"),
        ("hedged", "5%", "It is possibly 5%.", "", "hedged"),
        ("boolean_words", "Yes", "True", "", "boolean-word"),
    ],
)
def test_a_switch_allows_forbids_or_leaves_to_a_person(
    policy: str, reference: str, reply: str, question: str, flag: str
):
    values = {}
    for setting in ("allow", "forbid", "flag"):
        verdict = financial(reference, reply, question, **{policy: setting})
        assert flag in verdict.flags
        values[setting] = (verdict.status, verdict.value)
    assert values == {
        "allow": ("scored", 1.0), "forbid": ("scored", 0.0), "flag": ("unparsed", None),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("policy", "reference", "reply", "flag"),
    [
        ("currency", "USD 5 million", "EUR 5 million", "currency"),
        ("sign", "5%", "-5%", "sign"),
        ("points", "2 percentage points", "2%", "points"),
        ("comparator", "at least 30 days", "at most 30 days", "comparator"),
    ],
)
def test_a_difference_is_respected_or_ignored(policy: str, reference: str, reply: str, flag: str):
    respected = financial(reference, reply)
    ignored = financial(reference, reply, **{policy: "ignore"})
    assert (respected.value, ignored.value) == (0.0, 1.0)
    assert flag in respected.flags
    assert flag in ignored.flags


@pytest.mark.parametrize(
    ("final_answer", "right"), [("chosen", False), ("last", False), ("any", True)]
)
def test_an_intermediate_value_is_an_answer_only_under_any(final_answer: str, right: object):
    reply = "Revenue was 640 and costs 80. Margin = 80 / 640 = 12.5%. Therefore it is 12.5%."
    verdict = financial("640", reply, final_answer=final_answer)
    assert (verdict.value == 1.0) is right


def test_the_final_answer_stands_before_an_explanation_or_after_a_calculation():
    question = "What were inventories at the end of FY2019, in USD millions?"
    first = "Inventories were $5,409 million. The note of FY2018 gives $5,209 million for them."
    last = "Opening inventories were $5,209 million. So inventories = 5,209 + 200 = $5,409 million."
    for reply in (first, last):
        assert financial("5409", reply, question).value == 1.0
        assert financial("5209", reply, question).value == 0.0


def test_a_figure_belongs_to_the_period_that_its_clause_names():
    question = "What was net income in 2021?"
    reply = "Net income was $48 million in 2020 and $62 million in 2021."
    assert financial("$62 million", reply, question).value == 1.0
    assert financial("$48 million", reply, question).value == 0.0


def test_what_was_taken_back_is_no_answer():
    reply = (
        "Deposits were $89 billion. Correction: that was the old figure. Deposits were $91 billion."
    )
    assert financial("$91 billion", reply, "What were deposits?").value == 1.0
    assert financial("$89 billion", reply, "What were deposits?").value == 0.0


@pytest.mark.parametrize(
    ("reply", "flag"),
    [
        ("The margin is not disclosed. The only figure is 31.5%.", "refusal"),
        ("The margin is not 31.5%.", "negated"),
    ],
)
def test_a_figure_that_is_denied_or_not_given_as_the_answer_is_wrong(reply: str, flag: str):
    verdict = financial("31.5%", reply, "What was the gross margin?")
    assert verdict.value == 0.0
    assert flag in verdict.flags


@pytest.mark.parametrize(
    ("reference", "reply", "question", "guard"),
    [
        ("The report shall be filed", "The report shall not be filed", "", "negation"),
        ("an increase in fees of the fund", "a decrease in fees of the fund", "", "direction"),
        ("the buyer indemnifies the seller", "the seller indemnifies the buyer", "", "order"),
        ("the deposit is refunded", "the deposit is refunded unless forfeited", "", "exception"),
        (
            "all government bonds",
            "Only short-dated government bonds are eligible.",
            "Which bonds are eligible?",
            "exception",
        ),
        (
            "the audit committee and the risk committee",
            "The board sets up the audit committee.",
            "Which two committees must the board set up?",
            "parts",
        ),
        ("Yes, it is taxed.", "No, it is not taxed.", "Is the gain taxed?", "polarity"),
        (
            "the Alder Index",
            "The benchmark is the Alder Index or the Birch Index.",
            "Which index is the benchmark?",
            "alternatives",
        ),
    ],
)
def test_a_guard_stops_what_shares_the_words(reference: str, reply: str, question: str, guard: str):
    verdict = financial(reference, reply, question)
    assert verdict.value == 0.0
    assert guard in verdict.flags
    assert guard not in financial(reference, reply, question, guards=False).flags


def test_words_of_the_question_carry_little():
    question = "Which segment dragged down overall growth in 2022?"
    reference = "The consumer segment dragged down overall growth"
    named = "The segment that dragged down overall growth in 2022 is Consumer."
    other = "The segment that dragged down overall growth in 2022 is Industrial."
    assert financial(reference, named, question).value == 1.0
    assert financial(reference, other, question).value == 0.0


@pytest.mark.parametrize(
    ("reply", "value"),
    [("75%", 1.0), ("At least 75% of the funds.", 1.0), ("25%", 0.0)],
)
def test_the_value_that_prose_answers_with_is_enough(reply: str, value: float):
    question = "What minimum percentage of investable funds must the fund invest in start-ups?"
    reference = (
        "Under Regulation 16(2), at least 75% of the investable funds must be invested in unlisted "
        "shares or linked instruments of a venture or listed ones of small companies."
    )
    assert financial(reference, reply, question).value == value


def test_a_reply_that_declines_has_no_value():
    verdict = financial("8.7", "I cannot determine this from the text.", USD_BILLIONS)
    assert (verdict.status, verdict.value) == ("no_answer", None)


def test_declining_is_right_where_the_reference_declines():
    reference = "Cannot be determined from the passage"
    assert financial(reference, "The passage does not say: it cannot be determined.").value == 1.0
    assert financial(reference, "It is 30 days.").value == 0.0


def test_a_contract_goes_before_the_question():
    contract = AnswerContract(unit="EUR", scale="million")
    verdict = mark(
        "financial", reference="5", reply="EUR 5 million", question=USD_BILLIONS, contract=contract
    )
    assert verdict.value == 1.0
    forbidden = AnswerContract(type="percent", percent="forbid")
    assert mark("financial", reference="0.05", reply="5%", contract=forbidden).value == 0.0


def test_reasons_say_what_equals_what_and_how_closely():
    verdict = financial("8.7", "Net PPNE is $8.738 billion.", USD_BILLIONS)
    expected = "final answer $8.738 billion equals 8.7 billion USD to the reference's last digit"
    assert verdict.reason == expected
    assert verdict.extracted == "$8.738 billion"


def test_the_trace_names_the_final_answer_and_why_it_was_taken():
    item = Item(item_id="i", reference="8.7", question=USD_BILLIONS)
    reply = Prediction(text="Gross is $24 billion. Therefore net PPNE is $8.738 billion.")
    steps = dict(FinancialEquivalence().trace(item=item, prediction=reply))
    assert steps["compared as"] == "number"
    assert steps["final answer"] == "$8.738 billion, because it is the last conclusion"
    assert steps["asked for"] == "money USD times 1000000000"


def test_variants_of_policies_share_one_measure():
    keys = {
        load_scorer(scorer_id).measure_key  # type: ignore[attr-defined]
        for scorer_id in (
            "financial",
            'financial[final_answer="any"]',
            "financial[coverage=0.5,rel_money=0.01]",
            'financial[percent_as_fraction="forbid",guards=false]',
        )
    }
    assert len(keys) == 1


@pytest.mark.parametrize(
    ("policies", "message"),
    [
        ({"final_answer": "first"}, "`final_answer` of FinancialEquivalence must be one of"),
        ({"missing_unit": True}, "`missing_unit` of FinancialEquivalence must be one of"),
        ({"rel_money": 1.5}, r"`rel_money` of FinancialEquivalence must be in \[0, 1\]"),
        ({"zero_tolerance": -1}, "`zero_tolerance` of FinancialEquivalence must be a number"),
        ({"guards": "no"}, "`guards` of FinancialEquivalence must be true or false"),
    ],
)
def test_a_policy_out_of_range_is_refused(policies: dict[str, object], message: str):
    with pytest.raises(SpecError, match=message):
        FinancialEquivalence(**policies)  # type: ignore[arg-type]


def test_zero_admits_only_zero_unless_a_tolerance_is_declared():
    assert financial("0", "0.000000001").value == 0.0
    assert financial("0", "0.000000001", zero_tolerance=1e-6).value == 1.0
    assert financial("0", "It is 0.").value == 1.0


def measured(reference: str, reply: str, question: str) -> FinancialMeasure:
    item = Item(item_id="item", question=question, reference=reference)
    prediction = Prediction(item_id="item", text=reply)
    return FinancialEquivalence().measure(reference=reference, item=item, prediction=prediction)


def test_one_measure_serves_every_choice_of_final_answer():
    reply = "Revenue was 8.7 billion USD, after 7.1 billion the year before."
    number = measured("7.1", reply, USD_BILLIONS)
    values = {
        choice: FinancialEquivalence(final_answer=choice).decide(number).value
        for choice in ("chosen", "last", "any")
    }
    assert values == {"chosen": 0.0, "last": 1.0, "any": 1.0}


def test_other_quantities_are_matched_only_for_a_policy_that_asks_for_them():
    number = measured("8.7", "Net PPNE is $8.738 billion.", USD_BILLIONS).number
    assert number is not None
    assert "any" not in vars(number.others)
    assert number.others.any.gap < 1e8
    assert "any" in vars(number.others)


def test_a_reply_that_declines_is_not_compared_word_by_word():
    question = "Which segment drove the margin of the company?"
    prose = measured("The transport segment drove it.", "I cannot answer this question.", question)
    assert FinancialEquivalence().decide(prose).status == "no_answer"
    assert prose.text is not None
    assert not {"broken", "key", "offer"} & set(vars(prose.text))
