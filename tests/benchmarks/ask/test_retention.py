"""Which states are kept, why others are not, and what counts as a leak."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finassay.benchmarks.ask.retention import (
    DROP_REASONS,
    Leak,
    admissible_needs,
    leaks,
    retain,
    shared_run,
)
from finassay.benchmarks.ask.states import Need, StateRecord

LATER = "The carrier confirms that the cargo was loaded on the third of July at the old port."
GOOD = StateRecord(
    state_id="s",
    trajectory_id="t",
    context="The bill of lading names a vessel that lay in dry dock.",
    action="ask",
    needs=(Need(text="Which vessel really carried the cargo"),),
    later=(LATER,),
)


def reason(state: StateRecord) -> str | None:
    found = retain([state])
    return found.dropped[0].reason if found.dropped else None


def test_a_whole_state_is_kept():
    assert retain([GOOD]).states == (GOOD,)
    proceed = replace(GOOD, action="proceed", needs=())
    assert retain([proceed]).states == (proceed,)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"is_complete": False}, "not_reconstructable"),
        ({"context": "  \n"}, "not_reconstructable"),
        ({"action": "escalate"}, "ambiguous_action"),
        ({"action": "Ask"}, "ambiguous_action"),
        ({"action": ""}, "ambiguous_action"),
        ({"context": f"Note: {LATER}"}, "later_text"),
        ({"needs": ()}, "no_admissible_need"),
        ({"needs": (Need(text="a vessel", is_verified=False),)}, "no_admissible_need"),
        ({"needs": (Need(text="a vessel", is_supported=False),)}, "no_admissible_need"),
        ({"needs": (Need(text="   "),)}, "no_admissible_need"),
        (
            {"needs": (Need(text="a vessel that lay in dry dock"),)},
            "no_admissible_need",
        ),
    ],
)
def test_a_state_that_breaks_a_rule_is_dropped_with_the_reason(change: dict[str, object], why: str):
    assert reason(replace(GOOD, **change)) == why


def test_the_first_reason_in_the_declared_order_is_told():
    assert reason(replace(GOOD, action="?", is_complete=False)) == "not_reconstructable"
    assert reason(replace(GOOD, needs=(), context=LATER)) == "later_text"


def test_the_counts_name_every_reason():
    bad = replace(GOOD, action="?")
    counts = dict(retain([GOOD, bad, bad, replace(GOOD, needs=())]).counts)
    assert list(counts) == list(DROP_REASONS)
    assert counts == {
        "not_reconstructable": 0,
        "ambiguous_action": 2,
        "later_text": 0,
        "no_admissible_need": 1,
    }


def test_needs_that_are_not_admissible_leave_the_state():
    extra = Need(text="Something that nobody verified", is_verified=False)
    state = replace(GOOD, needs=(extra, *GOOD.needs))
    assert admissible_needs(state) == GOOD.needs
    assert retain([state]).states[0].needs == GOOD.needs


def test_a_leak_is_told_with_the_words_that_both_hold():
    state = replace(GOOD, context="Memo: the CARGO was loaded on the Third of July (at noon).")
    assert leaks(state) == (
        Leak(kind="observation", text=LATER, run="the cargo was loaded on the third of"),
    )


def test_seven_words_in_a_row_are_no_leak_and_eight_are():
    hidden = "one two three four five six seven eight nine"
    assert shared_run(hidden, "one two three four five six seven, and so on") is None
    assert shared_run(hidden, "zero one two three four five six seven eight") is not None


def test_a_short_hidden_text_leaks_as_a_whole():
    assert shared_run("Name of owner", "the name of OWNER, please") == "name of owner"
    assert shared_run("Name of owner", "the rename of owner") is None
    assert shared_run("Invoice 7", "Invoice 7 is there") is None


def test_full_width_and_chinese_text_is_compared_character_by_character():
    hidden = "出证机构更正后的检疫证，货名为带壳腰果，证号不变。"
    assert shared_run(hidden, "附注：出证机构更正后的检疫证货名为带壳腰果。") is not None
    assert shared_run(hidden, "检疫证货名与提单不一致。") is None
    assert shared_run("ＡＢＣ １２３ ４５６", "abc 123 456") == "abc 123 456"
