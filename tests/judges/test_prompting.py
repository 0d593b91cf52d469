"""Derived items: what they show, what names them, and the wordings as they are published."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from finassay.errors import InputError, UsageError
from finassay.judges.candidates import Candidate
from finassay.judges.grounds import Grounds
from finassay.judges.identity import PROMPT_VARIANTS, PromptVariant, Task
from finassay.judges.prompting import EMPTY_SENT, TRUNCATED, DerivedItem, judge_item, judge_pair
from finassay.judges.protocol import Protocol
from finassay.judges.wording import TASKS, parse_wording, wording_of
from finassay.records import Item
from judge_samples import FEE, LATER, STATE, candidate, later_candidate, later_pair, pair, said

ROOT = Path(__file__).resolve().parents[2]
HUMAN = Grounds(references=("15 days",))
GRADED: tuple[Task, ...] = ("single", "rubric", "rating")


def script() -> ModuleType:
    path = ROOT / "scripts" / "judge_prompts.py"
    spec = importlib.util.spec_from_file_location("judge_prompts", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def published() -> dict[str, str]:
    """Return the sections of the published page by heading."""
    page = (ROOT / "docs" / "reference" / "judge-prompts.md").read_text(encoding="utf-8")
    parts = re.split(r"^(?=###? )", page, flags=re.MULTILINE)
    sections = [part for part in parts if part.startswith("### ")]
    return {part.splitlines()[0].removeprefix("### "): part.strip() for part in sections}


def assembled() -> Iterator[tuple[str, str]]:
    made = script()
    for variant in PROMPT_VARIANTS:
        for heading, derived in made.sections(variant):
            name = f"{variant}: {heading}"
            yield name, made.shown(name, derived).strip()


ASSEMBLED = dict(assembled())


@pytest.mark.parametrize("heading", ASSEMBLED)
def test_a_prompt_is_what_the_page_shows(heading: str):
    assert published()[heading] == ASSEMBLED[heading]


def test_the_page_shows_no_other_prompt():
    assert published().keys() == ASSEMBLED.keys()


def whole(derived: DerivedItem) -> str:
    return derived.item.context + "\n" + derived.item.question


@pytest.mark.parametrize("prompt", PROMPT_VARIANTS)
@pytest.mark.parametrize("task", GRADED)
def test_the_reference_stands_in_the_prompt_exactly_where_the_arm_shows_it(
    task: Task, prompt: PromptVariant
):
    secret = Grounds(references=("the key of the vault",))
    with_it = judge_item(candidate(), secret, Protocol(task=task, prompt=prompt))
    without = judge_item(candidate(), secret, Protocol(task=task, prompt=prompt, arm="none"))
    assert "the key of the vault" in whole(with_it)
    assert "the key of the vault" not in whole(without)


@pytest.mark.parametrize("prompt", PROMPT_VARIANTS)
def test_arms_differ_in_nothing_but_the_reference(prompt: PromptVariant):
    shown = Grounds(references=("15 days",))
    ids = {
        judge_item(candidate(), shown, Protocol(arm=arm, prompt=prompt)).item.item_id
        for arm in ("self", "human", "verified", "wrong", "random")
    }
    assert len(ids) == 1


@pytest.mark.parametrize("prompt", PROMPT_VARIANTS)
def test_system_names_never_stand_in_a_prompt(prompt: PromptVariant):
    one = candidate(system="mystery-model-7b")
    derived = judge_item(one, HUMAN, Protocol(prompt=prompt))
    assert "mystery" not in whole(derived)
    assert derived == judge_item(candidate(system="s2"), HUMAN, Protocol(prompt=prompt))


@pytest.mark.parametrize("prompt", PROMPT_VARIANTS)
@pytest.mark.parametrize("name", ["gpt", "claude", "llama", "qwen", "gemini", "phi", "mistral"])
def test_our_words_name_no_model(name: str, prompt: PromptVariant):
    ours = " ".join(block.text for block in wording_of(prompt).blocks)
    assert re.search(rf"\b{name}\b", ours, re.IGNORECASE) is None


def test_whatever_enters_the_prompt_changes_the_id():
    protocol = Protocol()
    base = judge_item(candidate(), HUMAN, protocol).item.item_id
    others = {
        "reply": judge_item(candidate("It is 16 days."), HUMAN, protocol),
        "reference": judge_item(candidate(), Grounds(references=("16 days",)), protocol),
        "question": judge_item(
            candidate(item=replace(FEE, question="How many days?")), HUMAN, protocol
        ),
        "passage": judge_item(candidate(item=replace(FEE, context="Fees.")), HUMAN, protocol),
        "wording": judge_item(candidate(), HUMAN, replace(protocol, prompt="B")),
        "clause": judge_item(candidate(), HUMAN, replace(protocol, tolerance="1%")),
        "task": judge_item(candidate(), HUMAN, replace(protocol, task="rubric")),
        "seed": judge_item(candidate(), HUMAN, replace(protocol, seed=1)),
    }
    ids = {name: derived.item.item_id for name, derived in others.items()}
    assert base not in ids.values()
    assert len(set(ids.values())) == len(ids)


def test_what_does_not_enter_the_prompt_does_not_change_the_id():
    base = judge_item(candidate(), HUMAN, Protocol())
    strata = replace(FEE, strata=(("topic", "fees"),), difficulty="hard")
    same = judge_item(candidate(item=strata, system="other"), HUMAN, Protocol(votes=9))
    assert same.item == base.item


def test_the_messages_are_those_that_the_item_keeps():
    a, b = (judge_item(candidate(), HUMAN, Protocol(prompt=p)) for p in PROMPT_VARIANTS)
    assert [turn.role for turn in a.turns] == ["system", "user"]
    assert [turn.role for turn in b.turns] == ["user"]
    assert a.turns[1].text == a.item.question
    assert a.item.benchmark == "judging"


def test_passages_are_left_out_where_the_protocol_says_so():
    derived = judge_item(candidate(), HUMAN, Protocol(passages=False))
    assert FEE.context in whole(judge_item(candidate(), HUMAN, Protocol()))
    assert FEE.context not in whole(derived)
    assert "assage" not in derived.item.question


@pytest.mark.parametrize("prompt", PROMPT_VARIANTS)
@pytest.mark.parametrize("arm", ["human", "none"])
def test_a_later_turn_shows_the_whole_conversation_and_grades_the_last_answer(
    arm: str, prompt: PromptVariant
):
    protocol = Protocol(arm=arm, prompt=prompt)  # type: ignore[arg-type]
    shown = Grounds(references=("18 days",), past=(("fifteen days",),))
    text = whole(judge_item(later_candidate(), shown, protocol))
    told = [FEE.question, "15 days, says 1.", LATER.question, "Three days more: 18."]
    places = [text.index(part) for part in told]
    assert places == sorted(places)
    assert (FEE.context in text) is True
    assert ("fifteen days\n" in text.replace(FEE.context, "")) is (arm == "human")
    assert ("turn 2" in text) or ("question 2" in text)


def test_an_earlier_turn_without_a_reference_is_shown_without():
    derived = judge_item(later_candidate(), Grounds(references=("18 days",)), Protocol())
    assert "Reference:\n(none)\nAnswer:" in derived.item.question


@pytest.mark.parametrize("prompt", PROMPT_VARIANTS)
@pytest.mark.parametrize("two", [pair(), later_pair()], ids=["first turn", "later turn"])
def test_the_other_order_swaps_the_answers_and_nothing_else(two: object, prompt: PromptVariant):
    protocol = Protocol(task="pairwise", prompt=prompt)
    left = judge_pair(two, HUMAN, protocol, order="left_first")  # type: ignore[arg-type]
    right = judge_pair(two, HUMAN, protocol, order="right_first")  # type: ignore[arg-type]
    assert left.item.item_id != right.item.item_id

    def areas(derived: DerivedItem, letter: str) -> list[str]:
        lines = derived.item.question.split("\n")
        name = f"answer {letter} {derived.code}"
        starts = [at for at, line in enumerate(lines) if line in (f"<{name}>", f"[BEGIN {name}]")]
        return [lines[at + 1] for at in starts]

    assert areas(left, "A") == areas(right, "B") != []
    assert areas(left, "B") == areas(right, "A") != []


def test_two_equal_answers_are_one_prompt_in_both_orders():
    two = pair("15 days.", "15 days.")
    protocol = Protocol(task="pairwise")
    orders = [judge_pair(two, HUMAN, protocol, order=o) for o in ("left_first", "right_first")]  # type: ignore[arg-type]
    assert orders[0].item == orders[1].item


def test_options_are_shown_with_their_letters_unless_the_question_names_them():
    closed = Item(item_id="c", question="Which way?", choices=("up", "down"), reference="up")
    derived = judge_item(candidate("up", item=closed), Grounds(references=("up",)), Protocol())
    assert "Which way?\nA. up\nB. down" in derived.item.question
    named = replace(closed, question="Is it up or down?")
    derived = judge_item(candidate("up", item=named), Grounds(references=("up",)), Protocol())
    assert "A. up" not in derived.item.question


def test_a_request_is_shown_without_its_token_beside_the_case():
    reply = said(STATE, "[CONTINUE] Please send the accounts for 2024.")
    derived = judge_item(
        Candidate(item=STATE, prediction=reply),
        Grounds(references=STATE.alternatives),
        Protocol(task="alignment"),
    )
    assert "\nPlease send the accounts for 2024.\n" in derived.item.question
    assert "CONTINUE" not in derived.item.question
    assert STATE.context in derived.item.question


def test_cut_and_empty_answers_are_flagged():
    cut = judge_item(candidate(finish="truncated"), HUMAN, Protocol())
    empty = judge_item(candidate(" ", finish="empty"), HUMAN, Protocol())
    assert (cut.flags, empty.flags) == ((TRUNCATED,), (EMPTY_SENT,))
    assert cut.item == judge_item(candidate(), HUMAN, Protocol()).item


def test_tasks_for_pairs_and_for_single_answers_are_not_mixed_up():
    with pytest.raises(UsageError, match="a judge that compares is shown pairs"):
        judge_item(candidate(), HUMAN, Protocol(task="pairwise"))
    with pytest.raises(UsageError, match="the task 'single' is for one answer"):
        judge_pair(pair(), HUMAN, Protocol(), order="left_first")


def test_the_two_wordings_share_no_sentence():
    def sentences(variant: PromptVariant) -> set[str]:
        text = " ".join(block.text for block in wording_of(variant).blocks)
        return {part.strip() for part in re.split(r"[.:\n]", text) if len(part.split()) > 3}

    assert sentences("A") & sentences("B") == set()


@pytest.mark.parametrize("prompt", PROMPT_VARIANTS)
@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_words_in_both_variants(task: Task, prompt: PromptVariant):
    assert any(task in block.tasks for block in wording_of(prompt).blocks)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("open = ", "w.toml: expected TOML"),
        ('open = "<"', "w.toml: expected blocks of words"),
        ('[[block]]\nrole = "user"\ntext = "x"', "w.toml: `open` must be a text, got None"),
    ],
)
def test_a_damaged_wording_says_where(text: str, told: str):
    with pytest.raises(InputError, match=re.escape(told)):
        parse_wording(text, "w.toml")


@pytest.mark.parametrize(
    ("block", "told"),
    [
        ('role = "judge"\ntext = "x"', "block 1: `role` must be one of"),
        ('role = "user"\ntext = " "', "block 1: `text` must be a text"),
        ('role = "user"\ntext = "x"\nif = "y"', "block 1: unknown keys ['if']"),
        ('role = "user"\ntext = "x"\nwhen = ["sunny"]', "block 1: `when` must list some of"),
        ('role = "user"\ntext = "x"\ntasks = "single"', "block 1: `tasks` must list some of"),
    ],
)
def test_a_damaged_block_says_which_key(block: str, told: str):
    head = 'open = "<"\nclose = ">"\nmissing = "-"\n[[block]]\n'
    with pytest.raises(InputError, match=re.escape(told)):
        parse_wording(head + block, "w.toml")
