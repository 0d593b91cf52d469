"""The verdicts on asking and going on."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import SpecError
from finassay.marking.many import mark_many
from finassay.records import Finish, Item, Prediction, Verdict
from finassay.scorers.registry import load_scorer

NEEDS = ("Evidence of who owns the company behind the shop", "Lease of the warehouse")


def verdict(
    scorer: str, recorded: str, reply: str, finish: Finish = "stop", needs: tuple[str, ...] = NEEDS
) -> Verdict:
    item = Item(item_id="s", reference=recorded, alternatives=needs)
    prediction = Prediction(item_id="s", text=reply, finish=finish)
    return load_scorer(scorer).score(item=item, prediction=prediction)


@pytest.mark.parametrize(
    ("recorded", "reply", "value", "label"),
    [
        ("ask", "[CONTINUE] Who owns it?", 1.0, "ask"),
        ("ask", "[CONTINUE]", 1.0, "ask"),
        ("ask", "[STOP]", 0.0, "proceed"),
        ("proceed", "[STOP]", 1.0, "proceed"),
        ("proceed", "[CONTINUE] Who owns it?", 0.0, "ask"),
        ("ask", "Who owns it?", 0.0, "invalid"),
        ("proceed", "", 0.0, "invalid"),
    ],
)
def test_the_action_is_marked_against_the_record(
    recorded: str, reply: str, value: float, label: str
):
    found = verdict("ask/action", recorded, reply)
    assert (found.status, found.value, found.label) == ("scored", value, label)


def test_an_invalid_action_is_wrong_and_flagged_not_left_out():
    assert verdict("ask/action", "ask", "hm").flags == ("invalid_action",)


def test_the_request_is_kept_and_its_fault_flagged():
    found = verdict("ask/action", "ask", "[CONTINUE] Who owns it? Who signs?")
    assert found.extracted == "Who owns it? Who signs?"
    assert found.flags == ("request_multi_item",)


def test_a_reply_that_was_never_obtained_has_no_verdict():
    assert verdict("ask/action", "ask", "", finish="error").status == "failed"
    assert verdict("ask/alignment-words", "ask", "", finish="blocked").status == "failed"


def test_another_item_is_no_state():
    assert verdict("ask/action", "42%", "[STOP]").status == "not_applicable"


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("[CONTINUE] Evidence of who owns the company behind the shop", 1.0),
        ("[CONTINUE] Please show the company that owns this shop.", 1.0),
        ("[CONTINUE] Which company owns this?", 0.5),
        ("[CONTINUE] Which company is it?", 0.0),
        ("[CONTINUE] The lease of the warehouse, please.", 1.0),
        ("[CONTINUE] A photograph.", 0.0),
        ("[STOP]", 0.0),
        ("[CONTINUE]", 0.0),
        ("[CONTINUE] The lease? The warehouse?", 0.0),
        ("The lease of the warehouse", 0.0),
    ],
)
def test_the_baseline_counts_content_words_of_the_best_need(reply: str, value: float):
    # The first need has 5 content words (evidence, owns, company, behind, shop): 3 of them are
    # above one half, 2 above one quarter, 1 below.
    assert verdict("ask/alignment-words", "ask", reply).value == value


def test_alignment_is_not_applicable_where_the_record_goes_on_or_lists_no_need():
    assert verdict("ask/alignment-words", "proceed", "[STOP]").status == "not_applicable"
    bare = verdict("ask/alignment-words", "ask", "[CONTINUE] The lease", needs=())
    assert bare.status == "not_applicable"


def test_the_thresholds_decide_between_direct_partial_and_none():
    reply = "[CONTINUE] Which company is it?"
    assert verdict("ask/alignment-words[direct=0.2,partial=0.1]", "ask", reply).value == 1.0
    assert verdict("ask/alignment-words[direct=0.9,partial=0.8]", "ask", reply).value == 0.0


@pytest.mark.parametrize("given", ["partial=0.6", "partial=0", "direct=50", "direct=true"])
def test_thresholds_out_of_order_are_refused(given: str):
    with pytest.raises(SpecError, match=r"`(partial|direct)` of AlignmentWords must be"):
        load_scorer(f"ask/alignment-words[{given}]")


def test_chinese_needs_are_compared_by_characters():
    needs = ("货物确已交付的凭证",)
    near = verdict("ask/alignment-words", "ask", "[CONTINUE] 请提供货物交付凭证。", needs=needs)
    far = verdict("ask/alignment-words", "ask", "[CONTINUE] 请说明股东是谁。", needs=needs)
    assert (near.value, far.value) == (1.0, 0.0)


def test_the_request_is_aligned_in_either_protocol():
    as_json = '{"action": "ask", "request": "The lease of the warehouse"}'
    assert verdict("ask/alignment-words", "ask", as_json).value == 1.0


def test_needs_are_no_alternatives_of_the_action():
    assert verdict("ask/action", "ask", NEEDS[0]).value == 0.0


@given(st.text(max_size=120), st.sampled_from(["ask", "proceed", "yes", ""]))
@settings(deadline=None, max_examples=80)
def test_any_reply_gets_a_verdict_with_a_value_exactly_when_scored(reply: str, recorded: str):
    for scorer in ("ask/action", "ask/alignment-words"):
        found = verdict(scorer, recorded, reply)
        assert (found.value is not None) == (found.status == "scored")
        assert found.reason
        assert (found.status == "scored") == (
            recorded == "ask" or (recorded == "proceed" and scorer == "ask/action")
        )


def test_both_paths_of_marking_agree():
    rows = [
        {"reference": "ask", "reply": reply, "alternatives": NEEDS, "finish": finish}
        for reply in ("[CONTINUE] Lease of the warehouse", "[STOP]", "", "hm")
        for finish in ("stop", "error", "truncated")
    ]
    for scorer in ("ask/action", "ask/alignment-words"):
        many = mark_many(scorer, rows)
        one = [verdict(scorer, "ask", r["reply"], finish=r["finish"]) for r in rows]
        assert many == one


def steps(scorer: str, reply: str) -> dict[str, str]:
    item = Item(item_id="s", reference="ask", alternatives=NEEDS)
    return dict(load_scorer(scorer).trace(item=item, prediction=Prediction(text=reply)))


def test_the_trace_tells_how_a_reply_was_read():
    told = steps("ask/action", "[CONTINUE] The lease? The plan?")
    assert (told["recorded action"], told["action"]) == ("ask", "ask")
    assert told["read as"] == "asks, but the request is for more than one item"


def test_the_trace_names_the_nearest_need_and_no_alternative_decides():
    reply = "[CONTINUE] The lease of the warehouse"
    told = steps("ask/alignment-words", reply)
    assert told["nearest need"] == "Lease of the warehouse"
    assert told["shared words"] == "leas, warehou"  # stems are keys, not words
    assert verdict("ask/alignment-words", "ask", reply).flags == ()


@pytest.mark.parametrize(
    ("reply", "normalised", "exact"),
    [
        ("[CONTINUE] Who owns it?", "ask", "ask"),
        ("[continue] Who owns it?", "ask", "invalid"),
        ("【CONTINUE】 Who owns it?", "ask", "invalid"),
        ("Open: [CONTINUE] Who owns it?", "ask", "invalid"),
        ('```\n{"action": "ask", "request": "The lease"}\n```', "ask", "invalid"),
        ('{"action": "ask", "request": "The lease"}', "ask", "ask"),
        ("hm", "invalid", "invalid"),
    ],
)
def test_the_exact_form_admits_no_other_writing(reply: str, normalised: str, exact: str):
    assert verdict("ask/action", "ask", reply).label == normalised
    assert verdict('ask/action[form="exact"]', "ask", reply).label == exact


def test_another_form_is_refused():
    with pytest.raises(SpecError, match="`form` of AskAction must be one of"):
        load_scorer('ask/action[form="loose"]')
