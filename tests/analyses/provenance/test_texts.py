"""What was cut, silent, copied or contradictory: present with its witnesses, absent without."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from finassay.records import Item
from finassay.runs.importers.label_logs import LabelLog, LoggedReply
from provenance_samples import inputs, only, questions, trace, verdicts

N = 60
ITEMS = questions([f"thirty {at} days" for at in range(N)])
WORDS = (
    "the board shall report every large exposure to the regulator without delay and keep records"
)


def prose(seed: int, n: int = N) -> list[str]:
    """Return different sentences of different lengths, each whole."""
    rng = np.random.default_rng(seed)
    pool = WORDS.split()
    texts = []
    for at in range(n):
        words = rng.choice(pool, size=int(rng.integers(12, 60)))
        texts.append(f"Clause {seed} {at}: {' '.join(words)}.")
    return texts


CLEAN = {name: prose(seed) for seed, name in enumerate(("a", "b", "c", "d"))}


def test_a_clean_study_has_no_finding():
    found = trace(inputs(ITEMS, CLEAN))
    assert found.findings == ()
    assert {check.n_findings for check in found.checks} == {0}


def test_a_cut_file_is_found_with_its_cap_and_its_items():
    texts = {**CLEAN, "b": [text[:150] for text in CLEAN["b"]]}
    finding = only(trace(inputs(ITEMS, texts)), "cut_replies")
    at_cap = [f"q{at}" for at, text in enumerate(CLEAN["b"]) if len(text) >= 150]
    assert finding.systems == ("b",)
    assert finding.n_witnesses == len(at_cap)
    assert list(finding.witnesses) == at_cap[:20]
    assert "b at 150 characters" in finding.evidence
    assert f"no reply at a cap on {N - len(at_cap)} of {N} items" in finding.evidence
    assert finding.effect is not None
    assert {move.n_after for move in finding.effect.moves} == {N - len(at_cap)}


def test_copies_of_references_and_questions_that_the_log_cut_are_named_by_file():
    given = inputs(ITEMS, CLEAN)
    assert given.replies is not None
    cut = np.zeros(given.replies.lengths.shape, dtype=np.int64)
    cut[:5, 0], cut[:3, 1] = 100, 150
    asked = np.where(cut > 0, 80, 0)
    replies = replace(
        given.replies,
        reference_cut_at=cut,
        question_cut_at=asked,
        sources=("a.csv", "b.csv", "c.csv", "d.csv"),
    )
    found = trace(replace(given, replies=replies))
    finding = only(found, "cut_references")
    assert finding.systems == ("a", "b")
    assert finding.evidence == (
        "8 rows in all; at 100 characters in a.csv (5 rows); at 150 characters in b.csv (3 rows)"
    )
    assert finding.witnesses == ("q0", "q1", "q2", "q3", "q4")
    assert only(found, "cut_questions").evidence.startswith("8 rows in all; at 80 characters")
    caps = {(p.system, p.what): p.length for p in found.piles}
    assert caps["a", "reference"] == 100
    assert caps["b", "question"] == 80


@pytest.mark.parametrize(
    "text",
    [
        "FAIL: 503 UNAVAILABLE",
        "ERROR - connection reset",
        "HTTP/1.1 429 Too Many Requests",
        "Error code: 500 - {'error': ...}",
        "Traceback (most recent call last):\n  File ...",
        "<!DOCTYPE html><title>502</title>",
    ],
)
def test_failed_calls_are_no_answers(text: str):
    texts = {**CLEAN, "c": [text, *CLEAN["c"][1:]]}
    finding = only(trace(inputs(ITEMS, texts)), "error_replies")
    assert (finding.systems, finding.witnesses) == (("c",), ("q0",))


@pytest.mark.parametrize(
    "text",
    [
        "An error in the return must be corrected within 30 days.",
        "Failure to file: a fine of Rs. 1 lakh a day.",
        "The exception to Regulation 22(1) applies.",
        "No error code is given in the passage.",
    ],
)
def test_answers_about_errors_are_answers(text: str):
    texts = {**CLEAN, "c": [text, *CLEAN["c"][1:]]}
    assert trace(inputs(ITEMS, texts)).of("error_replies") == ()


def test_a_file_of_nothing_but_errors_is_severe():
    texts = {**CLEAN, "d": ["FAIL: quota"] * N}
    finding = only(trace(inputs(ITEMS, texts)), "error_replies")
    assert finding.severity == "high"
    assert "every reply of d is one" in finding.evidence


def test_a_judge_that_credits_blank_replies_is_named_with_the_items():
    texts = {**CLEAN, "a": ["", "  ", *CLEAN["a"][2:]]}
    judge = verdicts(ITEMS, {name: [1.0, 0.0] * (N // 2) for name in texts})
    found = trace(inputs(ITEMS, texts, more={"judge/j": judge}))
    assert only(found, "empty_replies").witnesses == ("q0", "q1")
    finding = only(found, "empty_credited")
    assert finding.title == "judge/j marks replies right that hold no answer"
    assert (finding.systems, finding.witnesses) == (("a",), ("q0",))
    assert finding.effect is not None
    move = next(m for m in finding.effect.moves if m.system == "a")
    assert (move.right_before, move.right_after, move.rank_after) == (30, 29, 4)


def test_blank_replies_that_nobody_credits_are_only_counted():
    texts = {**CLEAN, "a": ["", *CLEAN["a"][1:]]}
    found = trace(inputs(ITEMS, texts))
    assert [f.kind for f in found.findings] == ["empty_replies"]


def test_a_system_without_some_replies_is_named():
    texts = {**CLEAN, "d": [None, None, *CLEAN["d"][2:]]}
    finding = only(trace(inputs(ITEMS, texts)), "missing_rows")
    assert (finding.systems, finding.witnesses) == (("d",), ("q0", "q1"))


def test_a_copy_under_another_name_is_found():
    texts = {**CLEAN, "e": [text.upper() for text in CLEAN["b"][:-3]] + prose(9)[:3]}
    finding = only(trace(inputs(ITEMS, texts)), "copied_system")
    assert finding.systems == ("b", "e")
    assert f"{N - 3} of {N} telling replies are the same" in finding.evidence
    assert finding.effect is not None
    assert next(m for m in finding.effect.moves if m.system == "e").rank_after is None


def test_a_copy_that_was_cut_elsewhere_is_found():
    texts = {**CLEAN, "e": [text[:90] for text in CLEAN["b"]]}
    finding = only(trace(inputs(ITEMS, texts)), "copied_system")
    assert finding.systems == ("b", "e")


def test_short_answers_that_all_share_are_no_copy():
    labels = ["Yes" if at % 3 else "No" for at in range(N)]
    texts = dict.fromkeys(("a", "b", "c", "d"), labels)
    items = questions(labels)
    assert trace(inputs(items, texts, stored=None)).of("copied_system") == ()


def test_short_wrong_answers_that_only_two_share_are_a_copy():
    truth = ["Yes" if at % 3 else "No" for at in range(N)]
    other = ["No" if label == "Yes" else "Yes" for label in truth]
    odd = [other[at] if at % 2 else truth[at] for at in range(N)]
    texts = {"a": truth, "b": truth, "c": odd, "d": odd}
    assert only(trace(inputs(questions(truth), texts, stored=None)), "copied_system").systems == (
        "c",
        "d",
    )


def test_an_item_that_stands_twice_is_found_and_its_clash_is_severe():
    twin = replace(ITEMS[3], item_id="q3-again", question="What does  CLAUSE 3 say?")
    items = (*ITEMS, twin)
    texts = {name: [*replies, replies[3]] for name, replies in CLEAN.items()}
    finding = only(trace(inputs(items, texts)), "duplicate_items")
    assert (finding.severity, finding.witnesses) == ("medium", ("q3", "q3-again"))
    clash = (*ITEMS, replace(twin, reference="sixty days"))
    finding = only(trace(inputs(clash, texts)), "duplicate_items")
    assert finding.severity == "high"


def test_wrong_numbers_that_only_two_share_are_a_copy():
    references = [f"Rs. {100 + at} crore" for at in range(N)]
    rng = np.random.default_rng(0)

    def answers() -> list[str]:
        return [
            r if rng.random() < 0.6 else f"Rs. {rng.integers(200, 900)} crore" for r in references
        ]

    texts = {name: answers() for name in ("a", "b", "c", "d")}
    assert trace(inputs(questions(references), texts, stored=None)).of("copied_system") == ()
    texts["e"] = list(texts["b"])
    found = trace(inputs(questions(references), texts, stored=None))
    assert only(found, "copied_system").systems == ("b", "e")


def test_two_systems_that_put_labels_in_brackets_are_no_copy():
    rng = np.random.default_rng(1)
    labels = [str(rng.choice(list("ABCD"))) for _ in range(N)]

    def answers(form: str) -> list[str]:
        return [form.format(r if rng.random() < 0.85 else rng.choice(list("ABCD"))) for r in labels]

    texts = {name: answers("{}" if name in "ab" else "({})") for name in ("a", "b", "c", "d")}
    assert trace(inputs(questions(labels), texts, stored=None)).of("copied_system") == ()


def test_long_answers_in_one_form_of_words_are_no_copy():
    references = [f"Rs. {100 + at} crore" for at in range(N)]
    items = questions(references)
    form = "The amount that the regulation sets out for this purpose is {}."
    texts = {
        name: [
            form.format(r if (at + j) % 5 else f"Rs. {j}{at} lakh")
            for at, r in enumerate(references)
        ]
        for j, name in enumerate(("a", "b", "c", "d"))
    }
    assert trace(inputs(items, texts, stored=None)).of("copied_system") == ()
    pair = {name: texts[name] for name in ("a", "b")}
    assert trace(inputs(items, pair, stored=None)).of("copied_system") == ()


def test_two_files_alone_are_copies_by_their_wrong_answers():
    pair = {"a": CLEAN["a"], "b": [text.lower() for text in CLEAN["a"]]}
    assert only(trace(inputs(ITEMS, pair)), "copied_system").systems == ("a", "b")


def test_whole_replies_of_one_length_are_not_cut():
    form = "The amount that the regulation sets out for this purpose is {:03d} crore."
    texts = {"a": [form.format(at) for at in range(N)], "b": CLEAN["b"]}
    assert trace(inputs(ITEMS, texts)).of("cut_replies") == ()


def test_items_without_a_question_are_not_called_equal():
    items = tuple(Item(item_id=f"q{at}", family="F", reference="Yes") for at in range(N))
    assert trace(inputs(items, CLEAN, stored=None)).of("duplicate_items") == ()


def test_the_same_reply_marked_right_and_wrong_is_a_contradiction():
    texts = {**CLEAN, "b": [CLEAN["a"][0], *CLEAN["b"][1:]], "c": [CLEAN["a"][0], *CLEAN["c"][1:]]}
    right = {name: [0.0] * N for name in texts}
    right["c"] = [1.0, *[0.0] * (N - 1)]
    found = trace(inputs(ITEMS, texts, stored=verdicts(ITEMS, right)))
    finding = only(found, "contradiction")
    assert (finding.systems, finding.witnesses) == (("c",), ("q0",))
    right["c"][0] = 0.0
    assert trace(inputs(ITEMS, texts, stored=verdicts(ITEMS, right))).of("contradiction") == ()


def log(*rows: tuple[str, str, bool, str | None]) -> LabelLog:
    return LabelLog(
        source="log.json",
        rows=tuple(
            LoggedReply(row=str(at), reply=reply, gold=gold, is_right=right, logged_label=label)
            for at, (reply, gold, right, label) in enumerate(rows)
        ),
    )


def test_rows_of_a_log_that_contradict_themselves_are_found():
    broken = log(("yes", "yes", True, "no"), ("no", "no", True, "no"), ("no", "yes", False, "yes"))
    finding = only(trace(replace(inputs(ITEMS, CLEAN), logs=(broken,))), "contradiction")
    assert (finding.systems, finding.witnesses) == (("log.json",), ("0", "2"))
    assert "2 rows of 3" in finding.evidence


def test_a_log_that_agrees_with_itself_has_no_contradiction():
    whole = log(("yes", "yes", True, "yes"), ("no", "yes", False, "no"))
    found = trace(replace(inputs(ITEMS, CLEAN), logs=(whole,)))
    assert found.of("contradiction", "card_order") == ()


def test_marks_that_only_one_order_gives_show_the_card_order():
    rows = [("yes or no", "no", True, None), ("yes, not no", "yes", False, None)]
    rows += [("no", "no", True, None), ("yes", "yes", True, None)]
    finding = only(trace(replace(inputs(ITEMS, CLEAN), logs=(log(*rows),))), "card_order")
    assert finding.severity == "note"
    assert finding.evidence.startswith("no, yes: 4 of 4 marks")


LABELS = ["no"] * 24 + ["yes"] * 8


def test_verdicts_of_a_constant_answer_are_known_by_their_pattern():
    items = questions(LABELS)
    right = {"a": [1.0] * 24 + [0.0] * 8, "b": [1.0] * 20 + [0.0] * 12}
    texts = {"a": prose(1, 32), "b": prose(2, 32)}
    finding = only(trace(inputs(items, texts, stored=verdicts(items, right))), "constant_predictor")
    assert finding.systems == ("a",)
    assert finding.title == "a answers as always 'no' does on F"


def test_one_reply_to_everything_is_a_constant():
    items = questions(LABELS)
    texts = {"a": ["No."] * 32, "b": ["no" if at % 2 else "yes" for at in range(32)]}
    found = trace(inputs(items, texts, stored=None))
    assert only(found, "constant_predictor").systems == ("a",)
