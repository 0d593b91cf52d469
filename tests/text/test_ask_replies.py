"""How replies that ask or go on are read: every form, and every way to get it wrong."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.text.ask_replies import NORMALISED, TEXT_BEFORE, parse_ask_reply, request_fault


@pytest.mark.parametrize(
    ("reply", "asked"),
    [
        ("[CONTINUE] Provide the invoice.", "Provide the invoice."),
        ("  [CONTINUE]\n\nWho owns the shop?\n", "Who owns the shop?"),
        ('{"action": "ask", "request": "The invoice"}', "The invoice"),
        ("<think>[STOP] or ask?</think>[CONTINUE] The invoice", "The invoice"),
        ("[CONTINUE] 请提供植物检疫证。", "请提供植物检疫证。"),
    ],
)
def test_an_ask_in_the_form_of_the_protocol_is_read_whole(reply: str, asked: str):
    found = parse_ask_reply(reply)
    assert (found.action, found.request, found.fault, found.flags) == ("ask", asked, "", ())


@pytest.mark.parametrize(
    "reply",
    ["[STOP]", "[STOP] <stop />", "[STOP] The record is complete.", '{"action": "proceed"}'],
)
def test_a_step_on_is_read_and_has_no_request(reply: str):
    found = parse_ask_reply(reply)
    assert (found.action, found.request, found.flags) == ("proceed", "", ())


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ("[continue] The invoice", "ask"),
        ("[Stop]", "proceed"),
        ("【CONTINUE】请提供发票。", "ask"),
        ("［STOP］", "proceed"),
        ("【停止】", "proceed"),
        ("【继续】请提供发票。", "ask"),
        ("**[CONTINUE]** The invoice", "ask"),
        ("`[STOP]`", "proceed"),
        ("[ STOP ]", "proceed"),
        ("```\n[STOP]\n```", "proceed"),
        ('```json\n{"action": "ask", "request": "The invoice"}\n```', "ask"),
        ('{"action": "Proceed"}', "proceed"),
        ('{"动作": "追问", "请求": "请提供发票。"}', "ask"),
    ],
)
def test_another_writing_of_the_same_form_counts_and_is_flagged(reply: str, action: str):
    found = parse_ask_reply(reply)
    assert found.action == action
    assert found.fault == ""
    assert NORMALISED in found.flags


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ("All rules are met. [STOP]", "proceed"),
        ("Ownership is open. [CONTINUE] Who owns it?", "ask"),
        ('My answer: {"action": "proceed"}', "proceed"),
        ('Here:\n```json\n{"action": "ask", "request": "The lease"}\n```\n', "ask"),
    ],
)
def test_words_before_the_action_are_flagged(reply: str, action: str):
    found = parse_ask_reply(reply)
    assert (found.action, found.fault) == (action, "")
    assert TEXT_BEFORE in found.flags


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("<think>never ends [STOP]", "empty"),
        ("The record is complete.", "no action"),
        ("CONTINUE with the invoice", "no action"),
        ("[CONTINUE] or [STOP]", "both actions"),
        ("【CONTINUE】发票 【STOP】", "both actions"),
        ("[ASK] The invoice", "no action"),
        ('{"action": "ask", "request": "The inv', "broken"),
        ('{"action": "ask" "request": "x"}', "broken"),
        ('{"action": ["ask"]}', "names no action"),
        ('{"request": "The invoice"}', "names no action"),
        ('{"action": null}', "names no action"),
        ('{"action": "continue"}', "another action: 'continue'"),
        ('{"action": "继续"}', "another action: '继续'"),
        ('{"action": "ask", "动作": "推进"}', "names no action"),
        ('["ask"]', "no action"),
    ],
)
def test_a_reply_without_one_action_is_invalid_and_says_why(reply: str, why: str):
    found = parse_ask_reply(reply)
    assert (found.action, found.request, found.fault) == ("invalid", "", "")
    assert why in found.reason


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("[CONTINUE]", "empty"),
        ("[CONTINUE] ...", "empty"),
        ("[CONTINUE] ？", "empty"),
        ('{"action": "ask"}', "empty"),
        ('{"action": "ask", "request": ""}', "empty"),
        ('{"action": "ask", "request": null}', "empty"),
        ('{"action": "ask", "request": 7}', "malformed"),
        ('{"action": "ask", "request": {"item": "x"}}', "malformed"),
        ("[CONTINUE] <request>", "malformed"),
        ("[CONTINUE] [your question]", "malformed"),
        ("[CONTINUE] N/A", "malformed"),
        ("[CONTINUE] 无", "malformed"),
        ("[CONTINUE] No further evidence is needed.", "rejected"),
        ("[CONTINUE] I'm sorry, I cannot help with this.", "rejected"),
        ("[CONTINUE] 无需补充材料。", "rejected"),
        ("[CONTINUE] 1. The invoice\n2. The lease", "multi_item"),
        ("[CONTINUE]\n- the invoice\n- the lease", "multi_item"),
        ("[CONTINUE] Send (a) the invoice and (b) the lease.", "multi_item"),
        ("[CONTINUE] Who owns it? Who signs for it?", "multi_item"),
        ("[CONTINUE] Please send the invoice. Please also send the lease.", "multi_item"),
        ("[CONTINUE] Provide the invoice; provide the lease.", "multi_item"),
        ("[CONTINUE] 请提供发票。请提供提单。", "multi_item"),
        ("[CONTINUE] 一、发票\n二、提单", "multi_item"),
        ("[CONTINUE] ①发票②提单", "multi_item"),
        ("[CONTINUE] The invoice [CONTINUE] The lease", "multi_item"),
        ('{"action": "ask", "request": ["invoice", "lease"]}', "multi_item"),
    ],
)
def test_an_ask_that_earns_nothing_is_still_an_ask(reply: str, fault: str):
    found = parse_ask_reply(reply)
    assert (found.action, found.fault) == ("ask", fault)


@pytest.mark.parametrize(
    "asked",
    [
        "Send the invoice and the packing list of 12 May.",
        "Which of the two vessels, Lydda Star or Lydda Sun, carried the cargo?",
        "Registered on 2 March and onboarded 80 days later. Does this make it an issue?",
        "Rule (1): evidence of the owner.",
        "请提供合同及发票。",
        "The lease; it must name the applicant.",
    ],
)
def test_one_item_in_one_sentence_is_one_request(asked: str):
    assert request_fault(asked) == ""


@given(st.text(max_size=200))
@settings(deadline=None, max_examples=150)
def test_any_text_is_read_and_only_asks_hold_requests(text: str):
    found = parse_ask_reply(text)
    assert found.action in {"ask", "proceed", "invalid"}
    assert found.reason
    if found.action != "ask":
        assert (found.request, found.fault) == ("", "")


@given(st.text(alphabet=st.characters(categories=["L"]), min_size=3, max_size=40))
@settings(deadline=None, max_examples=80)
def test_both_protocols_read_the_same_request(word: str):
    request = f"The document called x{word}"
    tokens = parse_ask_reply(f"[CONTINUE] {request}")
    as_json = parse_ask_reply(json.dumps({"action": "ask", "request": request}))
    assert (tokens.action, tokens.request, tokens.fault) == (
        as_json.action,
        as_json.request,
        as_json.fault,
    )


@pytest.mark.parametrize(
    "text",
    [
        "<think>" * 100_000,
        "<think></think>" * 50_000,
        "[CONTINUE] invoice" + "\n" * 500_000 + "end",
        "[CONTINUE] invoice" + " \n" * 250_000 + "- end",
        "```" * 200_000,
        "{" * 500_000,
        "[" + " " * 500_000,
        "[CONTINUE]" * 50_000,
    ],
    ids=["open", "closed", "lines", "blank lines", "fences", "braces", "brackets", "tokens"],
)
def test_half_a_million_characters_are_read_in_seconds(text: str):
    # Where a pattern tries every ending of every beginning this takes minutes.
    start = time.process_time()
    parse_ask_reply(text)
    assert time.process_time() - start < 10


def test_blocks_of_thinking_are_taken_off_wherever_they_stand():
    text = "<think>a</think>[CONTINUE] The <THINKING>b\n</thinking>invoice<think>c [STOP]"
    assert parse_ask_reply(text).request == "The invoice"
