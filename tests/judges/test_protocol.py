"""Protocols: what is refused, and what changes their hash."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finassay.errors import UsageError
from finassay.judges.protocol import Protocol

CHANGED = {
    "task": "rubric",
    "arm": "none",
    "prompt": "B",
    "tolerance": "1%",
    "votes": 3,
    "temperature": 0.5,
    "both_orders": False,
    "passages": False,
    "send_empty": True,
    "all_tasks": True,
    "seed": 1,
}


def test_the_default_is_five_votes_at_0_7():
    assert (Protocol().votes, Protocol().temperature) == (5, 0.7)


@pytest.mark.parametrize("field", CHANGED)
def test_every_choice_changes_the_hash_and_the_version(field: str):
    other = replace(Protocol(), **{field: CHANGED[field]})
    assert other.content_hash != Protocol().content_hash

    def version(protocol: Protocol) -> str:
        return protocol.version(judge_system_id="j", reader_version="1")

    assert version(other) != version(Protocol())


def test_every_choice_is_tried():
    assert set(CHANGED) == set(Protocol.__dataclass_fields__)


def test_the_version_changes_with_judge_and_reader_and_nothing_else():
    protocol = Protocol()
    version = protocol.version(judge_system_id="j", reader_version="1")
    assert version == Protocol().version(judge_system_id="j", reader_version="1")
    assert version != protocol.version(judge_system_id="k", reader_version="1")
    assert version != protocol.version(judge_system_id="j", reader_version="2")


def test_words_that_cannot_stand_in_a_prompt_do_not_change_its_hash():
    human = Protocol(arm="human")
    assert human.prompt_hash == Protocol(arm="wrong", votes=1, temperature=0).prompt_hash
    assert human.prompt_hash != Protocol(arm="none").prompt_hash
    assert human.prompt_hash != Protocol(tolerance="exact").prompt_hash
    assert Protocol(tolerance="0.1%").prompt_hash != Protocol(tolerance="1%").prompt_hash


def test_the_id_carries_what_was_asked():
    protocol = Protocol(task="pairwise", arm="self", prompt="B", tolerance="1%")
    assert str(protocol.judge_id("m")) == "judge/m/pairwise/self/B/1%"


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ({"votes": 0}, "`votes` must be at least 1, got 0"),
        ({"temperature": -0.1, "votes": 1}, r"`temperature` must be in \[0, 2\], got -0.1"),
        ({"temperature": float("nan"), "votes": 1}, "`temperature` must be in"),
        ({"temperature": 0}, "5 votes at temperature 0 are one vote asked 5 times"),
        ({"arm": "best"}, "`arm` of a judge must be one of none, self"),
        ({"task": "alignment", "arm": "none"}, "graded against the needs of an item"),
        ({"task": "alignment", "arm": "self"}, "`arm` must be human, wrong or random"),
        ({"task": "alignment", "tolerance": "1%"}, "a request holds no number to round"),
    ],
)
def test_choices_that_cannot_be_carried_out_are_refused(choices: dict[str, object], told: str):
    with pytest.raises(UsageError, match=told):
        Protocol(**choices)  # type: ignore[arg-type]
