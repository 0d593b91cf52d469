"""Scorer ids of judges: what they tell, and the way back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import UsageError
from finassay.judges.identity import (
    PROMPT_VARIANTS,
    REFERENCE_ARMS,
    TASKS,
    TOLERANCES,
    JudgeId,
    PromptVariant,
    ReferenceArm,
    Task,
    Tolerance,
)

names = st.text(min_size=1, max_size=30).filter(lambda name: bool(name.strip()))


@settings(deadline=None)
@given(
    name=names,
    task=st.sampled_from(TASKS),
    arm=st.sampled_from(REFERENCE_ARMS),
    prompt=st.sampled_from(PROMPT_VARIANTS),
    tolerance=st.sampled_from((None, *TOLERANCES)),
)
def test_an_id_is_read_back_whatever_the_name(
    name: str, task: Task, arm: ReferenceArm, prompt: PromptVariant, tolerance: Tolerance | None
):
    told = JudgeId(name=name, task=task, arm=arm, prompt=prompt, tolerance=tolerance)
    assert JudgeId.parse(str(told)) == told


def test_a_name_may_look_like_the_end_of_an_id():
    inner = JudgeId(name="m", task="single", arm="none", prompt="A", tolerance="exact")
    outer = JudgeId(name=str(inner), task="pairwise", arm="human", prompt="B")
    assert JudgeId.parse(str(outer)) == outer


@pytest.mark.parametrize(
    ("scorer_id", "told"),
    [
        (
            "judge/gpt-4o/single/human/A/exact",
            JudgeId(name="gpt-4o", task="single", arm="human", prompt="A", tolerance="exact"),
        ),
        (
            "judge/openai/gpt-4o/pairwise/none/B",
            JudgeId(name="openai/gpt-4o", task="pairwise", arm="none", prompt="B"),
        ),
        (
            "judge/jury-three/single/verified/B/0.1%",
            JudgeId(name="jury-three", task="single", arm="verified", prompt="B", tolerance="0.1%"),
        ),
    ],
)
def test_ids_tell_the_protocol(scorer_id: str, told: JudgeId):
    assert JudgeId.parse(scorer_id) == told
    assert str(told) == scorer_id


@pytest.mark.parametrize(
    "scorer_id",
    [
        "judge/phi4-mini",
        "judge/",
        "judge//single/human/A",
        "judge/m/single/human",
        "judge/m/single/human/C",
        "judge/m/single/people/A",
        "judge/m/triple/human/A",
        "judge/m/single/human/A/2%",
        "person/m/single/human/A",
        "financial",
    ],
)
def test_other_scorers_and_judges_of_others_tell_nothing(scorer_id: str):
    assert JudgeId.parse(scorer_id) is None


def test_a_jury_says_that_it_is_one():
    jury = JudgeId.parse("judge/jury-a/single/human/A")
    judge = JudgeId.parse("judge/a/single/human/A")
    assert jury is not None
    assert judge is not None
    assert (jury.is_jury, judge.is_jury) == (True, False)


def test_what_no_judge_can_be_called_is_refused():
    with pytest.raises(UsageError, match="`name` of a judge must hold something, got ' '"):
        JudgeId(name=" ", task="single", arm="human", prompt="A")
    with pytest.raises(UsageError, match=r"`task` of a judge must be one of single, .* got 'both'"):
        JudgeId(name="m", task="both", arm="human", prompt="A")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"`tolerance` of a judge must be one of exact, .* '5%'"):
        JudgeId(name="m", task="single", arm="human", prompt="A", tolerance="5%")  # type: ignore[arg-type]
