"""What holds for the eight metrics, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

import reference.ask_metrics as textbook
from ask_samples import HALF, outcomes
from finassay.analyses.ask.metrics import (
    ALWAYS_ASK,
    ALWAYS_PROCEED,
    METRICS,
    Outcome,
    ask_metrics,
    policies,
    scores_of,
    trajectory_metrics,
)

QUIET = settings(deadline=None, max_examples=80)


def did(recorded: str, action: str, z: Fraction = Fraction(0), trajectory: str = "t") -> Outcome:
    return Outcome(trajectory=trajectory, recorded=recorded, action=action, z=z)


@given(outcomes())
@QUIET
def test_the_metrics_are_those_of_the_equations(told: list[Outcome]):
    expected = textbook.metrics([(one.recorded, one.action, one.z) for one in told])
    assert ask_metrics(told) == expected


@given(outcomes())
@QUIET
def test_the_identities_hold_exactly(told: list[Outcome]):
    for found in (ask_metrics(told), trajectory_metrics(told)):
        if found["CRA"] is not None:
            assert found["ERA"] == found["AskR"] * found["CRA"]
        if found["ERA"] is not None:
            assert found["ERA"] == (found["DEH"] + found["REH"]) / 2
        if found["BAcc"] is not None:
            assert found["BAcc"] == (found["AskR"] + found["ProceedR"]) / 2


@given(outcomes(least=1))
@QUIET
def test_raa_is_the_mixture_of_the_recalls_by_states(told: list[Outcome]):
    found = ask_metrics(told)
    n_ask = sum(one.recorded == "ask" for one in told)
    parts = [(found["AskR"], n_ask), (found["ProceedR"], len(told) - n_ask)]
    assert found["RAA"] == sum(share * n for share, n in parts if share is not None) / len(told)


@given(outcomes())
@QUIET
def test_one_state_a_trajectory_makes_both_weights_agree(told: list[Outcome]):
    alone = [
        Outcome(trajectory=str(at), recorded=one.recorded, action=one.action, z=one.z)
        for at, one in enumerate(told)
    ]
    assert trajectory_metrics(alone) == ask_metrics(alone)


def test_a_long_trajectory_counts_once_when_trajectories_are_weighed():
    told = [did("ask", "ask", HALF, "long")] * 9 + [did("ask", "proceed", trajectory="short")]
    assert ask_metrics(told)["AskR"] == Fraction(9, 10)
    assert trajectory_metrics(told)["AskR"] == HALF
    assert trajectory_metrics(told)["ERA"] == Fraction(1, 4)
    assert trajectory_metrics(told)["RAA"] == HALF


def test_cra_is_undefined_where_the_system_never_asks_and_era_is_0():
    found = ask_metrics([did("ask", "proceed"), did("ask", "invalid"), did("proceed", "proceed")])
    assert found["CRA"] is None
    assert found["ERA"] == 0
    assert found["RAA"] == Fraction(1, 3)


def test_without_states_of_a_kind_its_metrics_have_no_value():
    assert ask_metrics([did("ask", "ask", HALF)])["ProceedR"] is None
    assert ask_metrics([did("ask", "ask", HALF)])["BAcc"] is None
    assert all(value is None for value in ask_metrics([]).values())
    assert scores_of(ask_metrics([])).raa is None


def test_an_ask_without_alignment_counts_for_recall():
    found = ask_metrics([did("ask", "ask"), did("ask", "ask", Fraction(1))])
    assert (found["AskR"], found["ERA"], found["CRA"]) == (1, HALF, HALF)


def test_an_invalid_reply_agrees_with_nothing():
    found = ask_metrics([did("ask", "invalid"), did("proceed", "invalid")])
    assert (found["RAA"], found["AskR"], found["ProceedR"]) == (0, 0, 0)


def test_the_reference_policies_are_those_of_the_published_table():
    found = policies(583, 97)
    printed = {
        name: {m: None if v is None else f"{float(v) * 100:.2f}" for m, v in one.items()}
        for name, one in found.items()
    }
    # Table 11 of arXiv 2608.25325: "Always-Ask - 50.00 100.00 0.00 85.74 -".
    requests = dict.fromkeys(("ERA", "CRA", "DEH", "REH"))
    always = {"BAcc": "50.00", "AskR": "100.00", "ProceedR": "0.00", "RAA": "85.74"}
    never = {"BAcc": "50.00", "AskR": "0.00", "ProceedR": "100.00", "RAA": "14.26"}
    assert printed == {ALWAYS_ASK: always | requests, ALWAYS_PROCEED: never | requests}


@pytest.mark.parametrize("metric", METRICS)
def test_scores_hold_every_metric_as_a_fraction(metric: str):
    exact = {name: Fraction(at, 10) for at, name in enumerate(METRICS)}
    plain = scores_of(exact)
    names = ("era", "bacc", "ask_recall", "proceed_recall", "raa", "cra", "deh", "reh")
    by_metric = dict(zip(METRICS, (getattr(plain, name) for name in names), strict=True))
    assert by_metric[metric] == pytest.approx(METRICS.index(metric) / 10)
