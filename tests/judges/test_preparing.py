"""What is sent to a judge, and what is settled unsent."""

from __future__ import annotations

import pytest

from finassay.judges.arms import ArmBook
from finassay.judges.candidates import Candidate
from finassay.judges.preparing import Prepared, is_open, prepare, prepare_pairs, reasons
from finassay.judges.protocol import Protocol
from finassay.records import AnswerContract, Finish, Item
from judge_samples import FEE, LATER, STATE, candidate, pair

CLOSED = (
    Item(item_id="a", reference="Yes"),
    Item(item_id="b", reference="no."),
    Item(item_id="c", reference="up", choices=("up", "down")),
    Item(item_id="d", reference="B", contract=AnswerContract(type="choice")),
    Item(item_id="e", reference="hawkish", contract=AnswerContract(type="label")),
    Item(item_id="f", reference="Yes", contract=AnswerContract(type="yes_no")),
)
OPEN = (
    FEE,
    Item(item_id="g", reference="No more than 5%"),
    Item(item_id="h"),
    Item(item_id="i", reference="5", contract=AnswerContract(type="number")),
)
HUMAN = ArmBook("human", [FEE, LATER, STATE, *CLOSED, *OPEN])


def one(made: Candidate, protocol: Protocol | None = None) -> Prepared:
    (found,) = prepare([made], protocol or Protocol(), HUMAN)
    return found


@pytest.mark.parametrize("item", CLOSED)
def test_closed_questions_keep_their_rule_unless_all_tasks_are_asked_for(item: Item):
    assert not is_open(item)
    kept = one(candidate("x", item=item))
    assert kept.prompt is None
    assert kept.verdict is not None
    assert kept.verdict.status == "not_applicable"
    assert kept.verdict.reason == "a closed question keeps its exact rule"
    assert one(candidate("x", item=item), Protocol(all_tasks=True)).prompt is not None


@pytest.mark.parametrize("item", OPEN)
def test_open_questions_are_judged(item: Item):
    assert is_open(item)


def test_every_answer_comes_back_right_or_wrong_to_a_rule():
    answers = [candidate("15 days"), candidate("A month", system="s2"), candidate("", system="s3")]
    found = prepare(answers, Protocol(), HUMAN)
    assert [made.candidate for made in found] == answers
    assert [made.prompt is not None for made in found] == [True, True, False]
    assert all((made.prompt is None) != (made.verdict is None) for made in found)


@pytest.mark.parametrize(
    ("text", "finish", "status", "reason"),
    [
        ("", "empty", "no_answer", "the reply is empty and was not sent"),
        (" \n", "stop", "no_answer", "the reply is empty and was not sent"),
        ("", "blocked", "failed", "no reply was obtained (blocked)"),
        ("half", "error", "failed", "no reply was obtained (error)"),
    ],
)
def test_what_is_no_answer_is_not_sent(text: str, finish: Finish, status: str, reason: str):
    found = one(candidate(text, finish=finish))
    assert found.prompt is None
    assert found.verdict is not None
    assert (found.verdict.status, found.verdict.reason) == (status, reason)


def test_empty_answers_are_sent_where_asked_for_and_failed_ones_never():
    protocol = Protocol(send_empty=True)
    sent = one(candidate("", finish="empty"), protocol)
    assert sent.prompt is not None
    assert sent.prompt.flags == ("empty_sent",)
    assert one(candidate("", finish="blocked"), protocol).prompt is None


@pytest.mark.parametrize("finish", ["refused", "truncated", "not_logged"])
def test_refused_and_cut_answers_are_judged(finish: Finish):
    found = one(candidate("I cannot say", finish=finish))
    assert found.prompt is not None
    assert found.prompt.flags == (("truncated",) if finish == "truncated" else ())


def test_an_item_without_the_arms_reference_is_told_why_and_not_dropped():
    found = prepare([candidate(), candidate("x", item=OPEN[2])], Protocol(), HUMAN)
    assert found[1].verdict is not None
    assert found[1].verdict.status == "not_applicable"
    assert reasons(found) == {"no reference under the arm: the item has no reference": 1}


def test_the_note_says_where_a_reference_comes_from():
    (found,) = prepare([candidate()], Protocol(arm="wrong"), ArmBook("wrong", [FEE]))
    assert found.note.startswith("quantity: 15 days -> ")


def test_equal_answers_share_a_prompt():
    first, second = prepare([candidate(), candidate(system="s2")], Protocol(), HUMAN)
    assert first.prompt == second.prompt


def test_pairs_are_sent_in_both_orders_by_default():
    protocol = Protocol(task="pairwise")
    (both,) = prepare_pairs([pair()], protocol, HUMAN)
    assert list(both.prompts) == ["left_first", "right_first"]
    (single,) = prepare_pairs([pair()], Protocol(task="pairwise", both_orders=False), HUMAN)
    assert list(single.prompts) == ["left_first"]


def test_a_pair_with_an_empty_answer_is_settled_unsent():
    (found,) = prepare_pairs([pair(right=" ")], Protocol(task="pairwise"), HUMAN)
    assert found.prompts == {}
    assert found.verdict is not None
    assert found.verdict.status == "no_answer"


@pytest.mark.parametrize(
    ("text", "finish", "status", "value"),
    [
        ("[STOP]", "stop", "scored", 0.0),
        ("[CONTINUE]", "stop", "scored", 0.0),
        ("", "empty", "scored", 0.0),
        ("", "error", "failed", None),
    ],
)
def test_a_reply_that_asks_for_nothing_earns_nothing_unsent(
    text: str, finish: Finish, status: str, value: float | None
):
    found = one(candidate(text, item=STATE, finish=finish), Protocol(task="alignment"))
    assert found.prompt is None
    assert found.verdict is not None
    assert (found.verdict.status, found.verdict.value) == (status, value)


def test_a_request_is_sent_and_states_to_go_on_are_not_applicable():
    protocol = Protocol(task="alignment")
    asked = one(candidate("[CONTINUE] the accounts", item=STATE), protocol)
    assert asked.prompt is not None
    other = one(candidate("[CONTINUE] the accounts", item=FEE), protocol)
    assert other.verdict is not None
    assert other.verdict.reason == "the recorded action is not to ask"
