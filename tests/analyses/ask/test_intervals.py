"""What holds for intervals over trajectories."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from finassay.analyses.ask.intervals import ask_intervals, trajectory_sums
from finassay.analyses.ask.metrics import Outcome, ask_metrics


def did(trajectory: str, recorded: str, action: str, z: str = "0") -> Outcome:
    return Outcome(trajectory=trajectory, recorded=recorded, action=action, z=Fraction(z))


def varied(n: int) -> list[Outcome]:
    told = []
    for at in range(n):
        told += [
            did(str(at), "ask", "ask" if at % 3 else "proceed", "1/2" if at % 3 else "0"),
            did(str(at), "proceed", "proceed" if at % 2 else "ask"),
        ]
    return told


def of(told: list[Outcome], **changes: int) -> dict[str, tuple[float | None, float | None, str]]:
    settings = {"draws": 400, "seed": 1, **changes}
    found = ask_intervals(told, level=0.95, **settings)
    return {one.metric: (one.low, one.high, one.note) for one in found}


def test_the_sums_of_trajectories_are_the_counts():
    told = [did("a", "ask", "ask", "1"), did("a", "proceed", "proceed"), did("b", "ask", "invalid")]
    assert trajectory_sums(told).tolist() == [[1, 1, 1, 1, 1, 1, 1], [1, 0, 0, 0, 0, 0, 0]]


def test_an_interval_holds_the_observed_value():
    told = varied(40)
    exact = ask_metrics(told)
    for metric, (low, high, note) in of(told).items():
        if metric == "CRA":
            continue
        if low is None or high is None:
            pytest.fail(f"{metric} has no interval")
        assert low <= float(exact[metric]) <= high
        assert note == "" or metric == "DEH"


def test_states_that_hang_together_make_wider_intervals_than_states_alone():
    grouped = [did(str(at // 5), "ask", "ask" if (at // 5) % 2 else "proceed") for at in range(200)]
    alone = [did(str(at), one.recorded, one.action) for at, one in enumerate(grouped)]
    wide, narrow = of(grouped)["AskR"], of(alone)["AskR"]
    assert wide[1] - wide[0] > 1.5 * (narrow[1] - narrow[0])


def test_few_trajectories_are_told():
    assert "5 trajectories are few" in of(varied(5))["AskR"][2]


def test_one_trajectory_gives_no_interval_and_says_why():
    assert of(varied(1))["AskR"] == (None, None, "one trajectory or none")
    assert of([])["RAA"] == (None, None, "one trajectory or none")


def test_a_system_that_always_does_the_same_is_told_as_degenerate():
    told = [did(str(at), "ask", "ask", "1") for at in range(40)]
    low, high, note = of(told)["AskR"]
    assert (low, high) == (1.0, 1.0)
    assert note.startswith("every resample gives this value")


def test_a_metric_without_a_value_has_no_interval():
    told = [did(str(at), "ask", "proceed") for at in range(40)]
    assert of(told)["CRA"] == (None, None, "the metric has no value")


def test_resamples_without_a_denominator_are_counted():
    told = [did("a", "ask", "ask", "1/2"), *(did(str(at), "ask", "proceed") for at in range(9))]
    found = {one.metric: one for one in ask_intervals(told, level=0.95, draws=500, seed=0)}
    # A trajectory is in no resample of 10 with probability 0.9 ** 10 = 0.349.
    assert found["CRA"].n_undefined / 500 == pytest.approx(0.349, abs=0.08)
    assert found["AskR"].n_undefined == 0


def test_the_seed_decides_the_resamples():
    told = varied(40)
    assert of(told, seed=3) == of(told, seed=3)
    draws = [np.subtract(*of(told, seed=seed)["RAA"][1::-1]) for seed in range(4)]
    assert len(set(draws)) > 1
