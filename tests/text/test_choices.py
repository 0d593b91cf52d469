from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text import choice_cues
from finassay.text.choices import (
    BASES,
    Options,
    final_choice,
    options_of,
    read_choices,
    read_reference,
)

LETTERS = Options()
FILMS = options_of(("Guilty", "Guilty of Romance", "None of the above"))
LABELS = options_of(("compliant", "non-compliant"))
DAYS = options_of(("A) 3 days", "B) 30 days", "C) 300 days"))
YES = options_of(("Yes", "No"))


def chosen(text: str, options: Options = LETTERS) -> str:
    """The labels chosen, or the outcome in brackets; "" where nothing is read."""
    reading = final_choice(read_choices(text, options))
    if reading is None:
        return ""
    return "".join(reading.labels) if reading.outcome == "options" else f"[{reading.outcome}]"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "B",
            "b",
            "(B)",
            "[B]",
            "B.",
            "(B).",
            "$B$",
            "**B**",
            "`B`",
            "\u201cB\u201d",
            "Ｂ",
            "B\n",
        ),
        *("\\boxed{B}", "\\boxed{\\text{B}}", "Hence \\boxed{(B)}.", "<answer>B</answer>"),
        *("Answer: B", "ANSWER: **B**", "The answer is (B).", "Answer:\n\nB"),
        *("The correct option is option B.", "Correct choice: B", "My final answer is **B)**"),
        *("I would choose B because it fits.", "We therefore go with (B)", "Therefore, (B)."),
        *("Option B is correct.", "(B) is clearly the right answer", "B) fits\n\nA is tempting"),
        *("Antwort: B", "Die richtige Antwort ist B.", "La réponse est B", "Respuesta: B"),
        *(
            "答案：B",
            "正确答案是B。",
            "故选B",
            "经比较，只有选项B是对的",
            "B项正确",
            "正解はB",
            "उत्तर: B",
        ),
        *("Reasoning over\ntwo lines\n\nB", "**Final Answer: B**", "\u200bB\u200b"),
    ],
)
def test_one_letter_is_read_in_every_wrapper_and_after_every_cue(text: str):
    assert chosen(text) == "B"


@pytest.mark.parametrize(
    "text",
    [
        *("", "Form A11 must be filed", "Category C companies", "a C-level officer", "Résumé B2"),
        *("The answer is a matter of judgement", "I think it depends", "Let's see", "e.g. this"),
        *("A: Let us think step by step", "A company must file within 30 days."),
        *("A) three days\nB) thirty days\nC) none", "not B", "The answer is not A.", "12%", "A+"),
        *("Answers vary.", "The wrong answer is A", "不选A", "答案不是A", "Option A is incorrect"),
    ],
)
def test_letters_that_nobody_chose_are_not_read(text: str):
    assert chosen(text) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A: step by step. A ring has a unit. The answer is (C).", "C"),
        ("The answer is B. Note that A is a common distractor.", "B"),
        ("The answer is C because I computed it.", "C"),
        ("(A) fails. (D) fails too. So my answer is B, while (D) is tempting.", "B"),
        ("The answer is A? No: the answer is C.", "C"),
        ("Answer: A\nOn reflection:\nAnswer: D", "D"),
        ("Antwort:\n\nAntwort: C", "C"),
        ("Answer: B\n\nThe answer is interesting since C is correct elsewhere.", "B"),
        ("\\boxed{\\langle H\\rangle} ... **Answer: D**", "D"),
        ("The incorrect answer is A; the correct answer is B.", "B"),
        ("If option A is correct we stop. Option C is correct.", "C"),
        ("不选A，选B", "B"),
    ],
)
def test_a_commitment_beats_a_position_and_the_last_one_counts(text: str, expected: str):
    assert chosen(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("ANSWER: A, B and C", "ABC"), ("A & C", "AC"), ("(A), (C)", "AC"), ("答案：ABD", "ABD")),
        *(("Answer: A and C", "AC"), ("A;B;C", "ABC"), ("A、C", "AC"), ("A, A and B", "AB")),
        *(("A or B", "[unclear]"), ("Answer: A/B", "[unclear]"), ("A oder B", "[unclear]")),
        *(("Answer: CAB", "[unread]"), ("Answer: B, I think", "B"), ("Answer: B, not A", "B")),
    ],
)
def test_lists_are_selections_and_alternatives_are_left_open(text: str, expected: str):
    assert chosen(text) == expected


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("the answer is Guilty of Romance", FILMS, "B"),
        ("the answer is guilty", FILMS, "A"),
        ("B) Guilty of Romance", FILMS, "B"),
        ("It must be Guilty of Romance, as shown.", FILMS, "B"),
        ("Guilty of  Romance.", FILMS, "B"),
        ("Answer: None of the above", FILMS, "C"),
        ("Guilty, not Guilty of Romance", FILMS, "A"),
        ("non-compliant", LABELS, "B"),
        ("The filing is compliant.", LABELS, "A"),
        ("The filing is not compliant.", LABELS, ""),
        ("It may be compliant or non-compliant.", LABELS, "[unclear]"),
        ("within 30 days", DAYS, "B"),
        ("Answer: 300 days", DAYS, "C"),
        ("Answer: 3 days", DAYS, "A"),
        ("Yes, because no filing is needed", YES, "A"),
        ("no", YES, "B"),
    ],
)
def test_texts_of_options_are_read_longest_first(text: str, options: Options, expected: str):
    assert chosen(text, options) == expected


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("ANSWER: None of the above", LETTERS, "[none]"),
        ("ANSWER: Don't know", LETTERS, "[unknown]"),
        ("The answer cannot be determined. The answer is unclear.", LETTERS, "[unknown]"),
        ("Answer: E", DAYS, "[off menu]"),
        ("Answer: A and F", DAYS, "[off menu]"),
        ("Answer: B\nAnswer: E", DAYS, "[off menu]"),
        ("Answer: B\nFinal answer: the film of the year", FILMS, "[unread]"),
        ("Answer:\nthe statement holds, so the answer is (C)", LETTERS, "C"),
    ],
)
def test_an_answer_that_names_no_option_does_not_fall_back_to_an_earlier_one(
    text: str, options: Options, expected: str
):
    assert chosen(text, options) == expected


@pytest.mark.parametrize(
    ("choices", "labels", "texts"),
    [
        (("x1", "x2"), ("A", "B"), ("x1", "x2")),
        (("(a) one", "(b) two"), ("A", "B"), ("one", "two")),
        (("1. one", "2. two"), ("1", "2"), ("one", "two")),
        (("D", "E"), ("D", "E"), ("", "")),
        (("A) one", "two"), ("A", "B"), ("A) one", "two")),
        ((), (), ()),
    ],
)
def test_labels_are_those_written_or_letters_in_order(
    choices: tuple[str, ...], labels: tuple[str, ...], texts: tuple[str, ...]
):
    assert options_of(choices) == Options(labels, texts)


@pytest.mark.parametrize(
    ("reference", "options", "expected"),
    [
        ("B", LETTERS, ("B",)),
        ("A,B,C", LETTERS, ("A", "B", "C")),
        ("C and A", LETTERS, ("A", "C")),
        ("Guilty of Romance", FILMS, ("B",)),
        ("(B) Guilty of Romance", FILMS, ("B",)),
        ("Guilty; Guilty of Romance", FILMS, ("A", "B")),
        ("Z", FILMS, None),
        ("INCORRECT", LETTERS, None),
        ("30", LETTERS, None),
        ("Guilty; Innocent", FILMS, None),
    ],
)
def test_a_reference_names_options_by_letter_or_text(
    reference: str, options: Options, expected: tuple[str, ...] | None
):
    assert read_reference(reference, options) == expected


@settings(deadline=None, max_examples=200)
@given(
    text=st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(
                [*("A", "(B)", "answer", "is", ":", "or", "and", "option", "\n", "**", "答案", "I")]
            ),
            max_size=12,
        ).map(" ".join),
    ),
    options=st.sampled_from([LETTERS, FILMS, DAYS]),
)
def test_readings_lie_inside_the_text_and_name_options_that_exist(text: str, options: Options):
    for reading in read_choices(text, options):
        assert 0 <= reading.start <= reading.end <= len(text)
        assert reading.basis in BASES
        assert (reading.outcome in {"options", "unclear"}) == bool(reading.labels)
        assert not options.labels or set(reading.labels) <= set(options.labels)


@settings(deadline=None)
@given(letter=st.sampled_from("ABCDEFGH"), before=st.sampled_from(["", "So the answer is ", "选"]))
def test_a_reading_shows_the_letter_at_its_span(letter: str, before: str):
    text = f"{before}({letter})."
    reading = final_choice(read_choices(text, LETTERS))
    assert reading is not None
    assert text[reading.start : reading.end] == f"({letter})"


@pytest.mark.full
@pytest.mark.parametrize(
    "piece", ["1", "A,", "A or ", "A\n", "answer: ", "the answer is B ", "(", "\\boxed{", "\ud800"]
)
def test_a_megabyte_of_anything_is_read(piece: str):
    read_choices(piece * (1_000_000 // len(piece)), FILMS)


@pytest.mark.parametrize("option", ["__proto__", "__ per cent", "$__x__.y", "fill in: _'_"])
@pytest.mark.parametrize("reply", ["{}", "yes {}", "{} yes", "Answer: {}", "**{}**"])
def test_an_option_with_marks_within_marks_is_read_like_any_other(option: str, reply: str):
    options = options_of(("yes", "no", option))
    for reading in read_choices(reply.format(option), options):
        assert set(reading.labels) <= {"A", "C"}
    assert read_reference(option, options) == ("C",)


def test_a_dotless_i_names_no_option_by_its_text_and_breaks_nothing():
    assert read_choices("fıxed", options_of(("fixed rate", "fixed"))) == ()


def test_the_invisible_characters_are_those_that_unicode_calls_format():
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    found = set(choice_cues.INVISIBLE.findall(every))
    assert found == {character for character in every if unicodedata.category(character) == "Cf"}


@pytest.mark.parametrize(
    ("text", "masked"),
    [("\uff22\uff0e", "B."), ("\u200bB\ufeff", " B "), ("\u202e**B**", "   B  "), ("é", "é")],
)
def test_full_width_and_invisible_characters_keep_their_places(text: str, masked: str):
    assert choice_cues.masked(text) == masked
