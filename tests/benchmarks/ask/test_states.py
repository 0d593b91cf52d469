"""What holds for the replay of trajectories: every state shows what came before, and no more."""

from __future__ import annotations

from finassay.benchmarks.ask.states import Step, StepNeed, Trajectory, replay

STEPS = (
    Step(
        open="Who owns it?",
        action="ask",
        note="Asked for the register.",
        observed="Register: Ada Quill, sole owner.",
        needs=(StepNeed(text="The owner of the shop", observed_in=(1,)),),
    ),
    Step(
        open="Is the owner clear?",
        action="ask",
        note="Asked for a passport.",
        observed=None,
        needs=(
            StepNeed(text="Identity of the owner", observed_in=(2,)),
            StepNeed(text="The owner of the shop", observed_in=(1,)),
        ),
    ),
    Step(open="Decision.", action="proceed", note="Approved.", observed="Account opened."),
)


def made(language: str = "en") -> Trajectory:
    return Trajectory(trajectory_id="T", domain="d", language=language, case="A shop.", steps=STEPS)


def test_each_step_becomes_a_state_of_its_trajectory():
    states = replay(made())
    assert [(one.state_id, one.trajectory_id) for one in states] == [
        ("T-1", "T"),
        ("T-2", "T"),
        ("T-3", "T"),
    ]
    assert [one.action for one in states] == ["ask", "ask", "proceed"]


def test_the_first_state_shows_the_case_and_the_open_step_alone():
    assert replay(made())[0].context == "Case record\nA shop.\n\nOpen step: Who owns it?"


def test_a_state_shows_what_was_done_and_seen_before():
    context = replay(made())[1].context
    assert "1. The reviewer asked: Asked for the register." in context
    assert "Then on record: Register: Ada Quill, sole owner." in context
    assert context.endswith("Open step: Is the owner clear?")


def test_no_state_shows_its_own_action_or_anything_later():
    for at, state in enumerate(replay(made())):
        for later in STEPS[at:]:
            assert later.note not in state.context
            assert later.observed is None or later.observed not in state.context
        for need in state.needs:
            assert need.text not in state.context


def test_what_is_hidden_is_what_was_observed_from_the_state_on():
    states = replay(made())
    assert states[0].later == ("Register: Ada Quill, sole owner.", "Account opened.")
    assert states[2].later == ("Account opened.",)


def test_a_need_is_supported_only_by_an_observation_after_the_state():
    first, second, _ = replay(made())
    assert [need.is_supported for need in first.needs] == [True]
    # Step 2 observed nothing, and what step 1 observed was visible by then.
    assert [need.is_supported for need in second.needs] == [False, False]


def test_a_gap_in_the_record_leaves_later_contexts_incomplete():
    assert [one.is_complete for one in replay(made())] == [True, True, False]


def test_a_chinese_trajectory_is_told_in_chinese():
    context = replay(made("zh"))[1].context
    assert context.startswith("案件记录\n")
    assert "审查员要求：Asked for the register." in context
    assert "Open step" not in context
