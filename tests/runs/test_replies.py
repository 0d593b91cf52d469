"""What providers send, as it is kept; every public case of a reply gone wrong."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay import mark
from finassay.runs.asking import kind_of_error
from finassay.runs.replies import (
    Expected,
    RawReply,
    ReadReply,
    is_same_model,
    read_reply,
    split_reasoning,
)
from finassay.runs.requests import Asking, Decoding
from real_data import data_root

HARMONY = (
    "<|start|>assistant<|channel|>analysis<|message|>hm<|end|>"
    "<|start|>assistant<|channel|>final<|message|>45 days<|return|>"
)


def read(content: str | None, **told: str | int) -> ReadReply:
    return read_reply(RawReply(content=content, **told), Expected(model="m"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("content", "answer", "reasoning"),
    [
        ("<think>Maybe it is 45 days; let me check", "", "Maybe it is 45 days; let me check"),
        ("<think>3*8=24, +48=72</think> The answer is 72.", "The answer is 72.", "3*8=24, +48=72"),
        ("</think>\n\nNo", "No", ""),
        ("so many days\n</think>\n\nNo", "No", "so many days"),
        ("<think>\n\n</think>\n\nYes", "Yes", ""),
        ("<THINKING>a</THINKING>b", "b", "a"),
        ("<think>a<think>b</think>c</think>d", "d", "a<think>b</think>c"),
        ("The tag <think> opens a block", "The tag <think> opens a block", ""),
        ("Write <think>x</think> there", "Write <think>x</think> there", ""),
        ("It ends with </think> in a line", "It ends with </think> in a line", ""),
        (
            "<|channel|>analysis<|message|>maybe A<|end|><|channel|>final<|message|>B",
            "B",
            "maybe A",
        ),
        (
            HARMONY,
            "45 days",
            "hm",
        ),
        ("The token <|channel|>x<|message|> is", "The token <|channel|>x<|message|> is", ""),
        ("", "", ""),
    ],
)
def test_reasoning_is_set_apart_only_at_the_beginning(content: str, answer: str, reasoning: str):
    assert split_reasoning(content) == (answer, reasoning)


@given(st.text(alphabet="ab<>/think |\n", max_size=40))
@settings(deadline=None)
def test_answer_and_reasoning_hold_every_word_that_came(content: str):
    answer, reasoning = split_reasoning(content)
    tags = re.compile(r"<(/?)think(ing)?\b[^>]*>", re.IGNORECASE)
    kept = re.findall(r"[ab]+", tags.sub(" ", answer) + " " + tags.sub(" ", reasoning))
    assert sorted(kept) == sorted(re.findall(r"[ab]+", tags.sub(" ", content)))


@given(st.text(max_size=60).filter(lambda text: "<" not in text))
@settings(deadline=None)
def test_a_reply_without_tags_is_kept_to_the_letter(content: str):
    assert split_reasoning(content) == (content, "")


@pytest.mark.parametrize(
    ("stop", "content", "finish"),
    [
        ("stop", "a", "stop"),
        ("end_turn", "a", "stop"),
        ("length", "a", "truncated"),
        ("length", "", "truncated"),
        ("MAX_TOKENS", None, "truncated"),
        ("2", None, "truncated"),
        ("3", None, "blocked"),
        ("SAFETY", "", "blocked"),
        ("RECITATION", "", "blocked"),
        ("content_filter", "half an ans", "blocked"),
        ("block_reason", None, "blocked"),
        ("stop", "", "empty"),
        ("stop", "  \n", "empty"),
        ("", "", "empty"),
        ("", "a", "not_logged"),
        ("a word of tomorrow", "a", "not_logged"),
        ("refusal", "", "refused"),
    ],
)
def test_the_fate_of_a_reply_follows_from_the_providers_word(
    stop: str, content: str | None, finish: str
):
    assert read(content, stop=stop).finish == finish


def test_a_declared_refusal_is_refused_and_keeps_its_words():
    found = read(None, stop="stop", refusal="I cannot help with that.")
    assert (found.finish, found.text) == ("refused", "I cannot help with that.")


def test_halves_of_characters_are_replaced_and_flagged():
    found = read("45\ud83d days", stop="stop", reasoning="\udc00")
    assert (found.text, found.reasoning) == ("45\ufffd days", "\ufffd")
    assert found.flags == ("lone_surrogates",)


@pytest.mark.parametrize(
    ("asked", "served", "same"),
    [
        ("openai/gpt-4o", "gpt-4o-2024-08-06", True),
        ("openai/gpt-4o", "gpt-4o-mini", False),
        ("openai/gpt-4", "gpt-4.1", False),
        ("ollama/qwen3", "qwen3:latest", True),
        ("openai-api/vllm/org/model", "org/model", True),
        ("together/org/Model", "model", True),
        ("mockllm/model", "mockllm", True),
        ("openai-api/x/m", "another", False),
        ("openai-api/x/m", "", True),
    ],
)
def test_another_model_is_told_from_another_name(asked: str, served: str, *, same: bool):
    assert is_same_model(asked=asked, served=served) is same


def test_errors_are_told_by_status_and_class_and_never_by_words():
    class StatusError(Exception):
        status_code = 429

    assert kind_of_error(StatusError()) == "rate_limit"
    assert kind_of_error(RuntimeError("cannot generate; rate limit moderate 429")) == "unknown"


# Cases that people reported in public: what a reply was, and what must become of it.


def cases(category: str) -> dict[str, dict[str, str | bool | None]]:
    path = data_root().parent / "cases" / "answer_matching.jsonl"
    if not path.exists():
        pytest.skip("the folder with the real data has no cases beside it")
    read = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {case["id"]: case for case in read if case["category"] == category}


@pytest.mark.data
def test_every_case_of_reasoning_in_a_reply_is_kept_as_its_reader_says():
    apart = {"ro-006", "ro-007"}
    found = cases("reasoning-output")
    assert apart < found.keys()
    for name, case in found.items():
        if name in apart:
            continue
        is_cut = "finish_reason=length" in str(case.get("context", ""))
        kept = read(str(case["prediction"]), stop="length" if is_cut else "stop")
        reference = str(case["reference"])
        rule = "exact" if "<" in reference else "financial"
        verdict = mark(rule, reference=reference, reply=kept.text)
        assert (verdict.value == 1.0) is case["expected_equivalent"], name


@pytest.mark.data
def test_reasoning_that_a_server_takes_for_the_content_is_known_by_its_end():
    case = cases("reasoning-output")["ro-006"]
    assert read(str(case["prediction"]), stop="length").finish == "truncated"


@pytest.mark.data
def test_an_answer_in_the_reasoning_field_is_flagged_and_not_taken():
    case = cases("reasoning-output")["ro-007"]
    found = read("", stop="stop", reasoning=str(case["reference"]))
    assert (found.text, found.finish) == ("", "empty")
    assert found.flags == ("answer_in_reasoning",)
    assert found.reasoning == case["reference"]


@pytest.mark.data
def test_every_case_of_a_provider_is_looked_at():
    handled = {
        "pv-001": read(None, stop="MAX_TOKENS").finish == "truncated",
        "pv-004": read(None, stop="block_reason").finish == "blocked",
        "pv-006": read("a", stop="2").finish == "truncated",
        "pv-007": read("", stop="length", reasoning="hm").finish == "truncated",
        "pv-011": read("", stop="length", reasoning="hm").flags == ("only_reasoning",),
        "pv-012": _system(effort="low") != _system(effort="high"),
        # What is asked again and what is kept is tried over HTTP in test_running.py: an empty
        # reply is kept with its fate, an error is asked again, and neither is a cached answer.
        "pv-015": read("", stop="stop").finish == "empty",
        "pv-016": kind_of_error(_Status(429)) == "rate_limit",
        # Nothing but what was declared is sent, so no context window goes where none is read.
        "pv-010": "num_ctx" not in Decoding().told(),
        # The temperature is the provider's own unless one is declared.
        "pv-018": Decoding().temperature is None,
        "pv-021": kind_of_error(RuntimeError("generate")) == "unknown",
    }
    assert handled.keys() == cases("provider").keys()
    assert [name for name, holds in handled.items() if not holds] == []


class _Status(Exception):  # noqa: N818 - stands for a client's own
    def __init__(self, status_code: int) -> None:
        super().__init__()
        self.status_code = status_code


def _system(effort: str) -> str:
    return Asking(decoding=Decoding(effort=effort)).system("openai/m").system_id  # type: ignore[arg-type]
