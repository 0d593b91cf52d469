"""Prompts show what is visible, and nothing else; items carry the needs where no prompt looks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finassay.benchmarks.ask.prompts import PROTOCOLS, TASK, ask_prompt, ask_question, item_of
from finassay.benchmarks.ask.states import Need, StateRecord
from finassay.errors import UsageError

STATE = StateRecord(
    state_id="s",
    trajectory_id="t",
    context="What was seen.",
    action="ask",
    needs=(Need(text="Hidden need one"), Need(text="Hidden need two")),
    later=("Seen later",),
    domain="alerts",
)


def test_an_item_holds_needs_only_as_accepted_answers():
    item = item_of(STATE, benchmark="b")
    assert item.reference == "ask"
    assert item.alternatives == ("Hidden need one", "Hidden need two")
    shown = " ".join([item.question, item.context, *item.contexts, *item.choices])
    for hidden in ("Hidden need", "Seen later"):
        assert hidden not in shown
        assert hidden not in " ".join(value for _, value in item.strata)


def test_a_prompt_does_not_depend_on_what_is_hidden():
    other = replace(STATE, action="proceed", needs=(), later=("Else",))
    first, second = item_of(STATE, benchmark="b"), item_of(other, benchmark="b")
    assert (first.question, first.context) == (second.question, second.context)


def test_a_proceed_state_has_no_needs():
    assert item_of(replace(STATE, action="proceed"), benchmark="b").alternatives == ()


def test_an_item_names_task_contract_and_trajectory():
    item = item_of(STATE, benchmark="b")
    assert (item.family, item.task, item.contract_id) == (TASK, TASK, TASK)
    assert dict(item.strata) == {"trajectory": "t", "domain": "alerts"}
    assert item.documents == ("t",)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_protocol_names_its_two_answers(language: str):
    tokens, json = (ask_question(protocol, language) for protocol in PROTOCOLS)
    assert "[CONTINUE]" in tokens
    assert "[STOP]" in tokens
    assert '"action": "ask"' in json
    assert '"action": "proceed"' in json


def test_a_prompt_ends_with_the_visible_context():
    assert ask_prompt("Seen.", "json", "zh").endswith("\n\nSeen.")


def test_another_protocol_is_refused():
    with pytest.raises(UsageError, match=r"`protocol` must be one of .*got 'xml'"):
        ask_question("xml")
