"""Whether a judge stands apart from what it judges."""

from __future__ import annotations

import pytest

from finassay.judges.independence import (
    SAME_FAMILY,
    SELF_JUDGED,
    families_of,
    independence,
    is_same_model,
    names_itself,
)
from finassay.records import SystemKind, SystemSpec


def spec(name: str, family: str = "", kind: SystemKind = "model") -> SystemSpec:
    return SystemSpec(name=name, model=name, model_family=family, kind=kind)


@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("openai/gpt-4o-2024-08-06", {"gpt"}),
        ("o1-mini", {"gpt"}),
        ("GPT-OSS 120B", {"gpt"}),
        ("claude-3-haiku", {"claude"}),
        ("google/gemma-3-4b", {"gemini"}),
        ("Gemini 2.5 Flash", {"gemini"}),
        ("meta-llama/Llama-3.3-70B-Instruct", {"llama"}),
        ("DeepSeek-R1-Distill-Llama-70B", {"deepseek", "llama"}),
        ("ollama/phi4-mini", {"phi"}),
        ("Qwen3-32B", {"qwen"}),
        ("01-ai/Yi-1.5-34B", {"yi"}),
        ("playing-delphi", set()),
        ("my-bank-model", set()),
    ],
)
def test_families_are_read_from_names(name: str, families: set[str]):
    assert families_of(spec(name)) == families


def test_a_declared_family_wins_over_the_name():
    assert families_of(spec("my-llama", family="House")) == {"house"}
    assert families_of(spec("in-house", family="Llama 3")) == {"llama"}


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("openai/gpt-4o", "azure/gpt-4o-2024-08-06", True),
        ("claude-3-haiku", "Claude 3 Haiku", True),
        ("gpt-4o", "gpt-4o-mini", False),
        ("qwen3-32b", "qwen3-8b", False),
    ],
)
def test_one_model_is_known_under_other_providers_and_dates(left: str, right: str, *, same: bool):
    assert is_same_model(spec(left), spec(right)) is same


def test_a_judge_that_is_a_candidate_is_left_out_of_its_own_comparisons():
    judge = spec("openai/gpt-4o")
    own, kin, other = spec("gpt-4o-2024-08-06"), spec("o1-mini"), spec("claude-3-haiku")
    found = independence(judge, [own, kin, other])
    assert found.is_candidate
    assert not found.is_independent
    assert found.flags_for(own.system_id) == (SELF_JUDGED,)
    assert found.flags_for(kin.system_id) == (SAME_FAMILY,)
    assert found.flags_for(other.system_id) == ()
    assert found.leaves_out(own.system_id, other.system_id)
    assert not found.leaves_out(kin.system_id, other.system_id)


def test_a_judge_of_another_family_is_independent_and_people_have_none():
    person = spec("anna", kind="person")
    found = independence(spec("phi4-mini"), [spec("qwen3-32b"), person])
    assert found.is_independent
    assert found.unknown == ()


def test_a_family_that_nothing_tells_is_not_called_independent():
    found = independence(spec("phi4-mini"), [spec("my-bank-model")])
    assert not found.is_independent
    assert found.unknown == (spec("my-bank-model").system_id,)


def test_an_answer_that_names_its_system_is_noticed():
    assert names_itself("As GPT 4o I cannot say.", spec("gpt-4o"))
    assert not names_itself("The fee is 5%.", spec("gpt-4o"))
