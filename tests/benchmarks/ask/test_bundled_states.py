"""What holds for the bundled states and for their second reading."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

import pytest

from finassay.benchmarks.ask.bundled import (
    ASK_BENCHMARK,
    FILES,
    bundled_states,
    load_ask_benchmark,
    read_readings,
    second_readings,
)
from finassay.benchmarks.ask.prompts import ask_prompt
from finassay.benchmarks.ask.retention import leaks, shared_run
from finassay.benchmarks.ask.states import ASK, PROCEED
from finassay.benchmarks.bundled import load_bundled
from finassay.benchmarks.reading import data_text
from finassay.errors import InputError

STATES = bundled_states().states
HEAD = "state_id,action_right,needs_open,needs_supported,outcome,note\n"


def test_there_are_states_enough_of_both_kinds_in_four_domains():
    assert len({one.trajectory_id for one in STATES}) >= 30
    assert len(STATES) >= 120
    actions = Counter(one.action for one in STATES)
    assert min(actions[ASK], actions[PROCEED]) >= 50
    domains = Counter(one.domain for one in STATES)
    assert len(domains) == len(FILES) == 4
    assert min(domains.values()) >= 30
    assert Counter(one.language for one in STATES)["zh"] >= 30


def test_the_retention_rules_drop_none_of_them():
    assert bundled_states().dropped == ()


def test_every_ask_state_has_a_need_that_later_observations_support():
    for state in STATES:
        assert bool(state.needs) == (state.action == ASK)
        assert all(need.is_supported and need.is_verified for need in state.needs)
        assert state.later


def test_nothing_hidden_stands_in_a_context_or_a_prompt():
    for state in STATES:
        assert leaks(state) == ()
        for protocol in ("tokens", "json"):
            prompt = ask_prompt(state.context, protocol, state.language)
            hidden = [*(need.text for need in state.needs), *state.later]
            assert all(shared_run(text, prompt) is None for text in hidden)


def test_a_later_state_of_a_trajectory_shows_all_that_the_earlier_one_did():
    by_trajectory = defaultdict(list)
    for state in STATES:
        by_trajectory[state.trajectory_id].append(state)
    for states in by_trajectory.values():
        for before, after in pairwise(states):
            case = before.context.partition("\n\n")[0]
            assert after.context.startswith(case)
            assert before.later[0] in after.context


def test_both_actions_occur_in_most_trajectories():
    kinds = defaultdict(set)
    for state in STATES:
        kinds[state.trajectory_id].add(state.action)
    assert sum(len(kind) == 2 for kind in kinds.values()) >= 30


def test_the_states_are_items_of_one_benchmark():
    items = load_ask_benchmark()
    assert [item.item_id for item in items] == [state.state_id for state in STATES]
    assert {item.benchmark for item in items} == {ASK_BENCHMARK}
    assert load_bundled(ASK_BENCHMARK) == items
    assert load_ask_benchmark("json")[0].question != items[0].question


def test_the_second_reading_covers_the_states():
    read = second_readings()
    assert [one.state_id for one in read] == [state.state_id for state in STATES]
    actions = {state.state_id: state.action for state in STATES}
    for one in read:
        assert (one.needs_open is not None) == (actions[one.state_id] == ASK)


def test_what_the_second_reading_doubts_is_a_dispute_and_says_what_was_mended():
    for one in second_readings():
        needs = {one.needs_open, one.needs_supported}
        if not one.action_right or needs & {"partly", "no"}:
            assert one.outcome == "dispute"
        if one.outcome == "dispute":
            assert "mended: " in one.note


def test_the_readme_states_the_figures_of_the_second_reading():
    read, page = second_readings(), " ".join(data_text("ask/README.md").split())
    opened = Counter(one.needs_open for one in read if one.needs_open)
    supported = Counter(one.needs_supported for one in read if one.needs_supported)
    disputes = sum(one.outcome == "dispute" for one in read)
    mended = sum("mended: " in one.note for one in read)
    assert f"{sum(one.action_right for one in read)} of {len(read)} actions" in page
    assert f"open in {opened['yes']} and partly in {opened['partly']} of {opened.total()}" in page
    assert (
        f"supported in {supported['yes']}, partly in {supported['partly']}, "
        f"not in {supported['no']}" in page
    )
    assert f"{disputes} states disputed, {mended} mended" in page


def test_a_reading_is_read_whole():
    text = HEAD + "A-1,yes,no,partly,dispute,the need is answered\nA-2,no,,,agree,\n"
    first, second = read_readings(text, file="f.csv")
    assert (first.action_right, first.needs_open, first.needs_supported) == (True, "no", "partly")
    assert not second.action_right
    assert (first.outcome, first.note) == ("dispute", "the need is answered")
    assert (second.needs_open, second.needs_supported) == (None, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n", "f.csv: expected the columns"),
        (HEAD + "A,perhaps,,,agree,\n", "f.csv:2: `action_right` must be yes or no"),
        (HEAD + "A,,,,agree,\n", "f.csv:2: `action_right` must be yes or no"),
        (HEAD + "A,yes,some,,agree,\n", "f.csv:2: `needs_open` must be one of"),
        (HEAD + "A,yes,,,maybe,\n", "f.csv:2: `outcome` must be one of"),
        (HEAD + "A,yes,,,agree,\nA,yes,,,agree,\n", "f.csv:3: the state 'A' stands twice"),
    ],
)
def test_a_wrong_reading_is_named(text: str, said: str):
    with pytest.raises(InputError, match=said):
        list(read_readings(text, file="f.csv"))
