"""The three strict rules: what tells them apart, and their slow textbook twins."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from finassay.errors import SpecError
from finassay.records import Finish, Item, Prediction
from finassay.scorers.strict import AsStated, FuzzyFirst, NumbersFirst, StrictRule
from reference import strict_rules
from scoring import mark

RULES = ("strict/numbers-first", "strict/fuzzy-first", "strict/as-stated")
CON = "contradiction_detection"

# (reason, reference, reply, verdicts of numbers-first, fuzzy-first and as-stated)
CONTRADICTIONS = [
    ("'Note' starts with the letters of no", "No", "Note that both agree.", (1, 0, 0)),
    ("'November' starts with no", "No", "November 2024 is when it began", (1, 0, 0)),
    ("a hedge starts with no", "No", "Not necessarily", (1, 0, 0)),
    ("'yesterday' starts with yes", "Yes", "Yesterday it was in force", (1, 0, 0)),
    ("a cue before a bare answer is a superset of tokens", "Yes", "Answer: Yes", (0, 1, 1)),
    ("a cue hides the leading word", "Yes, they conflict on filing", "Answer: Yes", (0, 1, 0)),
    ("the word stands last", "No, they agree", "In my view no", (0, 1, 0)),
    ("brackets become spaces, which are stripped again", "Yes", "(yes) they do", (1, 1, 1)),
    ("bold marks are punctuation", "No", "**No**", (1, 1, 1)),
    ("bold marks touch the word", "No, the passages agree", "**No**, by no means", (1, 1, 1)),
    ("numbers do not rescue a prefix rule", "Yes, by 30 days", "30 days", (0, 1, 1)),
    (
        "whole texts are compared where neither starts so",
        "They conflict",
        "they conflict!",
        (1, 1, 1),
    ),
    ("no reading on both sides is no agreement", "They conflict", "unclear", (0, 0, 0)),
    (
        "a reversed answer shares most of its tokens",
        "No, the two passages do not conflict on the filing period",
        "Yes, the two passages conflict on the filing period",
        (0, 1, 1),
    ),
    ("opposite words", "Yes", "No", (0, 0, 0)),
    ("the first word decides, not the last", "Yes", "No, although some say yes", (0, 1, 1)),
]

OPEN = [
    ("a full stop stays glued to a number", "The period is 30.", "30", (0, 1, 1)),
    ("the same full stop on both sides", "The period is 30.", "it lasts 30.", (1, 1, 1)),
    (
        "a comma splits 1,00,000 into 1, 00 and 000",
        "a fine of 1,00,000 for delay",
        "100000",
        (0, 1, 1),
    ),
    (
        "split alike on both sides, the pieces agree",
        "a fine of 1,00,000",
        "up to 1,00,000",
        (1, 1, 1),
    ),
    ("the pieces are a set", "a fine of 1,00,000 only", "up to 000 00 1 00 rupee", (1, 0, 0)),
    ("the rupee sign is not part of a number", "a penalty of ₹500 only", "500", (1, 1, 1)),
    ("trailing zeros are digits as written", "a rate of 2.50 per cent", "2.5", (0, 0, 1)),
    ("units are not read", "5 lakh rupees", "5 crore", (1, 1, 1)),
    ("signs are not read", "a fall of -5 points", "rose by 5", (1, 1, 1)),
    ("prefix and yes/no rules are for contradictions only", "No", "November", (0, 0, 0)),
    ("one right token is a subset", "chairperson of the audit committee", "audit", (1, 1, 1)),
    (
        "silence is silence even where it is right",
        "cannot be determined",
        "Cannot be determined",
        (0, 1, 1),
    ),
    (
        "an error mark in the text is silence",
        "FAIL: deliver shares",
        "fail: deliver shares",
        (0, 1, 1),
    ),
    ("no text", "thirty days", "", (0, 0, 0)),
    ("white space only", "thirty days", " ", (0, 0, 0)),
    ("marks only", "thirty days", "...", (0, 0, 0)),
    ("letter case", "Thirty Days", "thirty days", (1, 1, 1)),
    # RapidFuzz splits at these two only in texts with a character beyond U+00FF.
    ("next line is white space to Python", "days thirty", "thirty\u0085days", (1, 0, 1)),
    ("so is a no-break space", "days thirty", "thirty\u00a0days", (1, 0, 1)),
    ("and to RapidFuzz beside a rupee sign", "₹ days thirty", "₹ thirty\u00a0days", (1, 1, 1)),
    ("a unit separator is white space to both", "days thirty", "thirty\u001fdays", (1, 1, 1)),
    ("a zero-width space is punctuation", "days thirty", "thirty\u200bdays", (1, 0, 1)),
    ("vowel signs are no word characters", "की", "के", (1, 0, 1)),
    ("digits of two scripts differ as written", "३० दिन के भीतर", "30", (0, 0, 0)),
    ("digits of one script agree", "३० दिन के भीतर", "कुल ३०", (1, 1, 1)),
    ("full-width digits differ as written", "３０ days in all", "30", (0, 0, 0)),
    ("lower case of dotted I brings a mark that splits words", "İZİN", "izin", (0, 1, 0)),
    ("dotless i is another letter", "ISI", "ısı", (0, 0, 0)),
    ("lower case of a word in capitals ends in final sigma", "ΣΑΣ", "σασ", (0, 0, 0)),
    ("written so it agrees", "ΣΑΣ", "σας", (1, 1, 1)),
]


def values(reference: str, reply: str, task: str) -> tuple[float | None, ...]:
    return tuple(mark(rule, reference, reply, task=task).value for rule in RULES)


@pytest.mark.parametrize(
    ("reference", "reply", "expected"),
    [case[1:] for case in CONTRADICTIONS],
    ids=[case[0] for case in CONTRADICTIONS],
)
def test_contradictions_tell_the_versions_apart(
    reference: str, reply: str, expected: tuple[int, ...]
):
    assert values(reference, reply, CON) == expected


@pytest.mark.parametrize(
    ("reference", "reply", "expected"), [case[1:] for case in OPEN], ids=[case[0] for case in OPEN]
)
def test_open_items_tell_the_versions_apart(reference: str, reply: str, expected: tuple[int, ...]):
    assert values(reference, reply, "numerical_reasoning") == expected


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("threshold", "expected"), [(0.7199, 1.0), (0.72, 1.0), (0.7201, 0.0)])
def test_threshold_is_reached_at_equality(rule: str, threshold: float, expected: float):
    # The longest common subsequence has 9 of 12 and 13 characters: 18 / 25 is exactly 0.72.
    left, right = "z" * 9 + "abc", "z" * 9 + "defg"
    assert strict_rules.token_set_share(left, right) == strict_rules.THRESHOLD
    assert mark(f"{rule}[threshold={threshold}]", left, right).value == expected


@pytest.mark.parametrize("hundredths", range(1, 101))
@pytest.mark.parametrize("rule", [NumbersFirst, FuzzyFirst, AsStated])
def test_no_hundredth_is_lost_to_binary_fractions(rule: type[StrictRule], hundredths: int):
    # 100 letters of which `hundredths` are shared: a ratio of hundredths / 100 exactly.
    left = "z" * hundredths + "a" * (100 - hundredths)
    right = "z" * hundredths + "b" * (100 - hundredths)
    assert mark(rule(threshold=hundredths / 100), left, right).value == 1.0


@pytest.mark.parametrize("task", ["contradiction_detection", "Contradiction", "CON", "con"])
def test_contradiction_items_go_by_several_names(task: str):
    assert values("No", "November", task) == (1, 0, 0)


@pytest.mark.parametrize("rule", [NumbersFirst, FuzzyFirst, AsStated])
def test_task_names_of_the_caller_are_read_case_blind(rule: type[StrictRule]):
    asked = rule(yes_no_tasks=("Polarity",))
    reference, reply = "No, the two passages agree", "No: nothing to see"
    assert mark(asked, reference, reply, task="POLARITY").value == 1.0
    assert mark(asked, reference, reply, task="con").value == 0.0


def test_task_names_given_as_a_list_make_the_same_rule():
    assert NumbersFirst(yes_no_tasks=["a", "b"]) == NumbersFirst(yes_no_tasks=("a", "b"))
    assert hash(NumbersFirst(yes_no_tasks=["a"]).measure_key)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("finish", ["error", "blocked"])
def test_a_reply_that_was_not_obtained_is_failed_not_wrong(rule: str, finish: Finish):
    verdict = mark(rule, "30", "30", finish=finish)
    assert (verdict.status, verdict.value) == ("failed", None)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("finish", ["stop", "truncated", "refused", "empty", "not_logged"])
def test_other_fates_are_marked_as_published(rule: str, finish: Finish):
    assert mark(rule, "30", "30", finish=finish) == mark(rule, "30", "30")
    assert mark(rule, "thirty days", "", finish=finish).value == 0.0


@pytest.mark.parametrize("rule", RULES)
def test_an_item_without_reference_is_not_applicable(rule: str):
    assert mark(rule, None, "30").status == "not_applicable"


@pytest.mark.parametrize("rule", RULES)
def test_published_rules_know_no_alternatives(rule: str):
    assert mark(rule, "thirty", "forty", alternatives=("forty",)).value == 0.0


@pytest.mark.parametrize("rule", [NumbersFirst, FuzzyFirst, AsStated])
def test_a_threshold_in_percent_is_refused(rule: type[StrictRule]):
    with pytest.raises(SpecError, match=r"must be in \[0, 1\], got 72; for 72% pass 0\.72"):
        rule(threshold=72)


@pytest.mark.parametrize("rule", [NumbersFirst, FuzzyFirst, AsStated])
def test_a_bare_task_name_is_refused(rule: type[StrictRule]):
    with pytest.raises(SpecError, match="must be a list of strings, got 'con'"):
        rule(yes_no_tasks="con")


@pytest.mark.parametrize("rule", [NumbersFirst, FuzzyFirst, AsStated])
def test_rules_that_differ_in_threshold_share_a_measure(rule: type[StrictRule]):
    assert rule(threshold=0.5).measure_key == rule(threshold=0.9).measure_key
    assert rule().measure_key != rule(yes_no_tasks=("other",)).measure_key


@pytest.mark.parametrize(
    ("rule", "task", "step"),
    [
        (NumbersFirst(), "", ("numbers in reference", "30.")),
        (NumbersFirst(), "con", ("reference reads", "no later than 30.")),
        (FuzzyFirst(), "", ("numbers in reference", "30")),
        (FuzzyFirst(), "", ("first yes/no", "no | yes")),
        (AsStated(), "", ("leading yes/no", "no | yes")),
    ],
)
def test_the_trace_shows_what_a_stage_read(rule: StrictRule, task: str, step: tuple[str, str]):
    steps = rule.trace(
        item=Item(item_id="i", task=task, reference="No later than 30."),
        prediction=Prediction(text="Yes, later"),
    )
    expected = ("reference reads", "no") if step[0] == "reference reads" else step
    assert expected in steps


PIECES = st.sampled_from(
    [
        *("yes", "no", "Yes", "NO", "not", "Note", "november", "yesterday", "_", "__no__", "(yes)"),
        *("30", "30.", "1,00,000", "100000", "0.5", ".5", "1.2.3", "5,", ",5", "₹", "₹500", "5₹0"),
        *(
            "%",
            "३०",
            "३०.",
            "３０",
            "٣",
            "²",
            "½",
            "crore",
            "days",
            "दिन",
            "की",
            "के",
            "ﬁ",
            "Straße",
        ),
        *("ı", "İ", "Σ", "ΣΑΣ", "σας", "fail:", "cannot be determined", "\u0301", "\u200b"),
    ]
)
GAPS = st.sampled_from([" ", " ", "", ", ", ". ", "\n", "\u0085", "\u00a0", "\x1c", "\x00", "-"])
TASKS = st.sampled_from(["con", "num"])
WILD = st.text(max_size=4)


@st.composite
def phrases(draw: st.DrawFn, *, shared: tuple[str, ...] = ()) -> str:
    own = draw(st.lists(st.one_of(PIECES, PIECES, WILD), max_size=4))
    parts = draw(st.permutations([*shared, *own]))
    return "".join(part + draw(GAPS) for part in parts)


@st.composite
def pairs_of_phrases(draw: st.DrawFn) -> tuple[str, str]:
    shared = tuple(draw(st.lists(PIECES, max_size=3)))
    return draw(phrases(shared=shared)), draw(phrases(shared=shared))


@settings(deadline=None, max_examples=300)
@given(pair=pairs_of_phrases(), task=TASKS)
@example(pair=("30.", "30"), task="num")
@example(pair=("a 1,00,000", "a 100000"), task="num")
@example(pair=("no", "November"), task="con")
def test_numbers_first_is_its_textbook_twin(pair: tuple[str, str], task: str):
    verdict = mark("strict/numbers-first", *pair, task=task)
    assert verdict.value == strict_rules.numbers_first(*pair, is_contradiction=task == "con")


@settings(deadline=None, max_examples=300)
@given(pair=pairs_of_phrases(), task=TASKS)
@example(pair=("5₹0", "50"), task="num")
@example(pair=("__no__ way", "no, never at all"), task="con")
def test_fuzzy_first_is_its_textbook_twin(pair: tuple[str, str], task: str):
    verdict = mark("strict/fuzzy-first", *pair, task=task)
    is_right = strict_rules.fuzzy_first(*pair, is_contradiction=task == "con")
    # Where both sides are empty the description says nothing; the rule then finds no reply.
    assert verdict.value == (is_right and pair[1] != "")


@pytest.mark.parametrize("twin", [strict_rules.numbers_first, strict_rules.fuzzy_first])
def test_the_twins_are_able_to_disagree_with_each_other(twin: Callable[..., bool]):
    cases = [(r, p, c) for r, p, c in (("30.", "no 30", False), ("No", "November", True))]
    found = [twin(r, p, is_contradiction=c) for r, p, c in cases]
    assert found == ([False, True] if twin is strict_rules.numbers_first else [True, False])
