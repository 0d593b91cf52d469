"""What a log says of its own marking: card order, reproduction, contradictions."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.extraction.card_order import contradictions, infer_card_order, reproduce_log
from finassay.errors import UsageError
from finassay.runs.importers.label_logs import LabelLog, LoggedReply
from flare_logs import CALM_GERMAN, CHATGLM, CONSISTENT, GPT4_FRAUD, GPT4_GERMAN, LLAMA, log_of


def row(
    number: int,
    reply: str,
    gold: str,
    *,
    right: bool | None,
    label: str | None = None,
    missing: bool | None = None,
) -> LoggedReply:
    return LoggedReply(
        row=str(number),
        reply=reply,
        gold=gold,
        is_right=right,
        is_missing=missing,
        logged_label=label,
    )


def log(*rows: LoggedReply) -> LabelLog:
    return LabelLog(source="made.json", rows=rows)


BOTH = "It is yes, not no."


def test_a_reply_that_names_both_labels_gives_the_order_away() -> None:
    found = infer_card_order(log(row(1, BOTH, "no", right=True), row(2, "Yes", "yes", right=True)))
    assert (found.state, found.order, found.n_deciding) == ("identified", ("no", "yes"), 1)
    assert found.best is not None
    assert found.worst is not None
    assert (found.best.reproduced, found.worst.reproduced) == (2, 1)


def test_an_order_is_not_identified_when_text_order_gives_the_marks_too() -> None:
    found = infer_card_order(log(row(1, BOTH, "yes", right=True), row(2, "No", "no", right=True)))
    assert (found.state, found.order) == ("not identifiable", None)
    assert found.text_order_fits
    assert "comes first in the text" in found.reason


def test_replies_with_one_label_each_show_no_order() -> None:
    found = infer_card_order(log(row(1, "No", "no", right=True), row(2, "No", "yes", right=False)))
    assert (found.state, found.n_deciding) == ("not identifiable", 0)


def test_marks_that_no_order_gives_are_reported_as_another_rule() -> None:
    found = infer_card_order(log(row(1, BOTH, "no", right=True), row(2, BOTH, "yes", right=True)))
    assert found.state == "no order fits"


def test_labels_never_named_together_leave_their_order_open() -> None:
    rows = (row(1, "not b but a: b", "a", right=True), row(2, "c", "c", right=True))
    found = infer_card_order(log(*rows), ["a", "b", "c"])
    assert (found.state, found.order, found.pairs) == ("partly", None, (("a", "b"),))


def test_rows_that_contradict_themselves_do_not_decide_the_order() -> None:
    rows = (
        row(1, BOTH, "no", right=True),
        row(2, "I cannot.", "yes", right=True, missing=True, label="missing"),
    )
    assert infer_card_order(log(*rows)).order == ("no", "yes")


def test_a_log_without_marks_cannot_tell_an_order() -> None:
    with pytest.raises(UsageError, match="no row holds a logged mark"):
        infer_card_order(log(row(1, BOTH, "no", right=None)))
    with pytest.raises(UsageError, match="nothing to reproduce"):
        reproduce_log(log(row(1, BOTH, "no", right=None)), ["no"])


def test_more_labels_together_than_can_be_tried_are_not_searched() -> None:
    labels = [f"<{letter}>" for letter in "abcdefgh"]
    found = infer_card_order(log(row(1, "".join(labels), "<a>", right=True)), labels)
    assert (found.state, found.best) == ("not searched", None)


def test_each_kind_of_contradiction_is_told() -> None:
    rows = (
        row(1, "", "no", right=True, missing=True),
        row(2, "", "no", right=True, label="missing"),
        row(3, "yes", "no", right=True, label="yes"),
        row(4, "no", "No", right=False, label="no"),
        row(5, "no", "no", right=True, label="no", missing=False),
        row(6, "", "no", right=False, missing=True, label="missing"),
        row(7, "no", "no", right=None, missing=True),
    )
    assert [(found.row, found.kind) for found in contradictions(log(*rows))] == [
        ("1", "right_and_missing"),
        ("2", "right_and_missing"),
        ("3", "right_with_another_label"),
        ("4", "wrong_with_the_label"),
    ]


@settings(deadline=None)
@given(
    order=st.permutations(["a", "b", "c"]),
    rows=st.lists(st.tuples(st.text("abc ", max_size=5), st.sampled_from("abc")), min_size=1),
)
def test_the_order_that_made_a_log_always_fits_and_is_never_contradicted(
    order: list[str], rows: list[tuple[str, str]]
) -> None:
    marked = [
        row(i, text, gold, right=next((x for x in order if x in text), None) == gold)
        for i, (text, gold) in enumerate(rows)
    ]
    found = infer_card_order(log(*marked), ["a", "b", "c"])
    assert found.best is not None
    assert found.best.reproduced == len(rows)
    assert found.order in (None, tuple(order))
    assert all(order.index(a) < order.index(b) for a, b in found.pairs)
    if found.state == "identified":
        fits = [
            other
            for other in permutations("abc")
            if not reproduce_log(log(*marked), other).differing
        ]
        assert fits == [tuple(order)]


@pytest.mark.data
@pytest.mark.parametrize("name", CONSISTENT)
def test_logged_accuracy_is_reproduced_row_by_row(name: str) -> None:
    found = reproduce_log(log_of(name), log_of(name).choices())
    assert (found.reproduced, found.differing) == (found.n, ())
    assert found.right == found.logged_right
    assert contradictions(log_of(name)) == ()


@pytest.mark.data
def test_seven_rows_of_gpt4_ccfraud_contradict_themselves_and_the_rest_is_reproduced() -> None:
    found = reproduce_log(log_of(GPT4_FRAUD), ["good", "bad"])
    broken = contradictions(log_of(GPT4_FRAUD))
    assert (found.reproduced, found.n, found.right, found.logged_right) == (93, 100, 51, 58)
    assert [c.row for c in broken] == ["25", "53", "76", "78", "84", "93", "95"]
    assert {(c.kind, c.gold) for c in broken} == {("right_and_missing", "bad")}
    assert found.differing == found.contradictory == tuple(c.row for c in broken)


@pytest.mark.data
def test_llama2_chat_gives_the_card_order_of_customs2_away() -> None:
    found = infer_card_order(log_of(LLAMA))
    assert (found.state, found.order) == ("identified", ("no", "yes"))
    assert found.best is not None
    assert found.worst is not None
    assert (found.best.reproduced, found.worst.reproduced) == (2000, 1784)


@pytest.mark.data
@pytest.mark.parametrize("name", [CHATGLM, GPT4_FRAUD, GPT4_GERMAN, CALM_GERMAN])
def test_the_other_logs_do_not_show_their_card_order(name: str) -> None:
    assert infer_card_order(log_of(name)).state == "not identifiable"
