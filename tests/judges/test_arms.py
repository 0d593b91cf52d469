"""References of the arms: where they come from, and what is said where there is none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finassay.errors import UsageError
from finassay.judges.arms import ArmBook, VerifiedAnswer, verified_answers
from finassay.judges.grounds import Grounds, Lacking
from finassay.judges.identity import ReferenceArm
from finassay.judges.wrong_references import are_alike
from finassay.records import Item, Verdict
from judge_samples import FEE, LATER, STATE, candidate, later_candidate, pair, said

BANK = tuple(
    Item(item_id=f"q{n}", task="numbers", question=f"What is the limit of {n}?", reference=text)
    for n, text in enumerate(("15 days", "fifteen days", "20 days", "3%", "Rs 4 crore", "2019"))
)
YES_NO = Item(item_id="y", task="other", question="Is it due?", reference="Yes")


def shown(found: Grounds | Lacking) -> Grounds:
    assert isinstance(found, Grounds), found
    return found


def lacking(found: Grounds | Lacking) -> str:
    assert isinstance(found, Lacking), found
    return found.reason


def test_no_reference_is_shown_under_none():
    assert ArmBook("none", [FEE]).of(candidate()) == Grounds()


def test_people_are_shown_with_every_accepted_answer_of_every_turn():
    found = shown(ArmBook("human", [FEE, LATER]).of(later_candidate()))
    assert found.references == ("18 days",)
    assert found.past == (("15 days", "fifteen days"),)
    assert lacking(ArmBook("human", []).of(candidate(item=Item(item_id="e")))) == (
        "the item has no reference"
    )


def test_needs_are_the_references_of_a_state():
    one = candidate("[CONTINUE] accounts", item=STATE)
    assert shown(ArmBook("human", [STATE]).of(one)).references == STATE.alternatives


def test_the_judges_own_answers_are_shown_under_self():
    book = ArmBook("self", [FEE, LATER], own={"fee": "ten days", "fee~turn2": " "})
    assert shown(book.of(candidate())).references == ("ten days",)
    assert lacking(book.of(later_candidate())) == "the judge's own answer is empty"
    assert lacking(ArmBook("self", [FEE], own={}).of(candidate())) == (
        "the judge has not answered the item itself"
    )
    later = ArmBook("self", [FEE, LATER], own={"fee": "ten days", "fee~turn2": "12"})
    assert shown(later.of(later_candidate())).past == (("ten days",),)


VERIFIED = {
    "fee": (
        VerifiedAnswer(system_id="s1", trial=0, text="It is 15."),
        VerifiedAnswer(system_id="s2", trial=0, text="15 days it is."),
        VerifiedAnswer(system_id="s3", trial=0, text="Fifteen."),
    )
}


def test_a_verified_reference_is_never_the_judged_systems():
    book = ArmBook("verified", [FEE], verified=VERIFIED)
    for system, own in (("s1", "It is 15."), ("s2", "15 days it is."), ("s3", "Fifteen.")):
        found = shown(book.of(candidate(system=system)))
        assert found.references[0] != own
        assert found.references[0] in {one.text for one in VERIFIED["fee"]}
        assert system not in found.note


def test_of_a_pair_neither_answer_is_the_reference():
    book = ArmBook("verified", [FEE], verified=VERIFIED)
    two = pair()
    assert shown(book.of(two.left, two.right)).references == ("Fifteen.",)


def test_a_copy_of_the_judged_answer_is_no_reference():
    one = {"fee": (VerifiedAnswer(system_id="s9", trial=0, text="15 days."),)}
    book = ArmBook("verified", [FEE], verified=one)
    assert shown(book.of(candidate("A month."))).references == ("15 days.",)
    assert lacking(book.of(candidate(" 15 days. "))) == (
        "the only answers marked right are the judged ones, or like them"
    )
    assert lacking(ArmBook("verified", [FEE], verified={}).of(candidate())) == (
        "people marked no answer to the item right"
    )


def test_the_verified_reference_does_not_depend_on_the_order_of_answers():
    turned = {"fee": tuple(reversed(VERIFIED["fee"]))}
    books = [ArmBook("verified", [FEE], verified=known) for known in (VERIFIED, turned)]
    assert len({shown(book.of(candidate(system="s0"))).references for book in books}) == 1


def test_only_answers_that_people_marked_right_are_verified():
    right, wrong, unsure, unseen = (said(FEE, text, f"s{n}") for n, text in enumerate("abcd"))
    labels = {
        right.prediction_id: Verdict(status="scored", value=1.0),
        wrong.prediction_id: Verdict(status="scored", value=0.0),
        unsure.prediction_id: Verdict(status="unparsed", label="not sure", reason="not sure"),
    }
    found = verified_answers([right, wrong, unsure, unseen], labels)
    assert found == {"fee": (VerifiedAnswer(system_id="s0", trial=0, text="a"),)}


def test_a_wrong_reference_differs_and_says_what_was_changed():
    found = shown(ArmBook("wrong", [FEE]).of(candidate()))
    assert len(found.references) == 1
    assert found.references[0] != "15 days"
    assert found.note == f"quantity: 15 days -> {found.references[0]}"


def test_under_wrong_only_the_graded_turn_is_edited():
    found = shown(ArmBook("wrong", [FEE, LATER]).of(later_candidate()))
    assert found.references[0] != "18 days"
    assert found.past == (("15 days", "fifteen days"),)


@pytest.mark.parametrize("item", BANK)
@pytest.mark.parametrize("seed", range(3))
def test_a_random_reference_is_another_items_and_says_something_else(item: Item, seed: int):
    book = ArmBook("random", [*BANK, YES_NO], seed=seed)
    found = shown(book.of(candidate("x", item=item)))
    assert found.references[0] in {other.reference for other in BANK if other != item}
    assert not are_alike(item, item.reference or "", found.references[0])


def test_another_task_is_drawn_from_only_where_the_own_one_gives_nothing():
    book = ArmBook("random", [YES_NO, BANK[0], BANK[1]])
    found = shown(book.of(candidate("x", item=BANK[0])))
    assert found.references == ("Yes",)
    assert found.note == "reference of y, of another task"


def test_without_another_reference_nothing_is_drawn():
    assert lacking(ArmBook("random", [BANK[0], BANK[1]]).of(candidate("x", item=BANK[0]))) == (
        "no other item has a reference that says something else"
    )


def test_the_own_conversation_gives_no_random_reference():
    book = ArmBook("random", [FEE, LATER])
    assert lacking(book.of(later_candidate())).startswith("no other item")


def test_draws_are_stable_when_an_item_is_added():
    many = [
        Item(item_id=f"m{n}", question=f"Limit {n}?", reference=f"{7 * n + 100} days")
        for n in range(60)
    ]
    more = [*many, Item(item_id="new", question="Limit?", reference="9 days")]

    def draws(items: list[Item]) -> list[tuple[str, ...]]:
        book = ArmBook("random", items)
        return [shown(book.of(candidate("x", item=item))).references for item in many]

    before, after = draws(many), draws(more)
    assert sum(a != b for a, b in zip(before, after, strict=True)) <= 10
    assert len(set(before)) > 15
    assert before != [
        shown(ArmBook("random", many, seed=1).of(candidate("x", item=item))).references
        for item in many
    ]


@pytest.mark.parametrize(("arm", "told"), [("self", "own answers"), ("verified", "marked right")])
def test_an_arm_without_its_answers_is_refused(arm: ReferenceArm, told: str):
    with pytest.raises(UsageError, match=told):
        ArmBook(arm, [FEE])


def test_the_same_book_gives_the_same_reference_twice():
    book = ArmBook("wrong", [FEE])
    assert book.of(candidate()) == book.of(candidate("other", system="s2"))
    assert ArmBook("wrong", [replace(FEE, difficulty="hard")]).of(candidate()) == book.of(
        candidate()
    )
