"""Whether longer replies are overturned more often, on made and on real data."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import published_logs as logs
from claim_boards import replies, view
from finassay.analyses.configuration.verbosity import verbosity
from finassay.analyses.results_configuration import Verbosity
from finassay.errors import MissingVerdictsError
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.reply_facts import ReplyFacts
from finassay.records import Item


def made(slope: float, *, seed: int = 0, n: int = 400, task: float = 0.0) -> Verbosity:
    """Return the analysis of a judge that turns long replies more often by `slope`."""
    rng = np.random.default_rng(seed)
    items = tuple(Item(item_id=f"i{at}", family="N" if at % 2 else "R") for at in range(n))
    systems = ("a", "b", "c")
    hard = np.array([[at % 2] * 3 for at in range(n)])
    lengths = np.exp(rng.normal(4.5 + task * hard, 0.6, size=(n, 3))).astype(np.int64) + 1
    logits = slope * (np.log(lengths) - 4.5) - 2.0 * task * hard + rng.normal(size=(n, 1))
    turned = rng.random((n, 3)) < 1 / (1 + np.exp(-logits))
    rows = tuple((item.item_id,) for item in items)

    def matrix(values: np.ndarray) -> VerdictMatrix:
        return VerdictMatrix(
            values=values.astype(float),
            status=np.zeros((n, 3), dtype=np.int8),
            row_names=("item_id",),
            rows=rows,
            column_name="system",
            columns=systems,
        )

    facts = replies({name: lengths[:, at].tolist() for at, name in enumerate(systems)})
    return verbosity(
        matrix(np.zeros((n, 3))),
        matrix(turned),
        items=items,
        replies=facts,
        names=("rule", "judge"),
        systems=systems,
    )


@pytest.mark.parametrize("slope", [0.0, 0.8, -0.8])
def test_a_planted_effect_of_length_is_found_within_three_errors(slope: float):
    full = made(slope).effects[-1]
    assert full.name == "with task and system"
    # Random item effects shrink the slope of a marginal model by about 1 / sqrt(1 + 0.35).
    assert abs(full.coefficient - slope / np.sqrt(1.35)) < 3 * full.error
    assert full.p == pytest.approx(2 * stats.norm.sf(abs(full.coefficient / full.error)))
    reach = stats.norm.ppf(0.975) * full.error
    assert (full.high - full.low) / 2 == pytest.approx(reach)
    assert full.p < 0.001 or slope == 0.0
    assert full.odds_per_doubling == pytest.approx(2**full.coefficient)


def test_a_task_whose_replies_are_long_and_hard_explains_a_raw_effect():
    raw, _, full = made(0.0, task=1.0).effects
    assert raw.p < 0.001
    assert full.p > 0.05


def test_groups_without_variation_are_left_out_and_named():
    study = view(
        {
            "stored": {"a": "0" * 12, "b": "0" * 12},
            "judge": {"a": "1" * 12, "b": "010110101001"},
        },
        families="NR" * 6,
    )
    found = verbosity(
        study.matrices["stored"],
        study.matrices["judge"],
        items=study.items,
        replies=replies({"a": [9] * 12, "b": [0, 5, 9, 7, 3, 8, 6, 4, 9, 2, 5, 7]}),
        names=("stored", "judge"),
        systems=("a", "b"),
    )
    assert (found.n, found.n_overturned, found.n_empty) == (23, 18, 1)
    assert found.effects[-1].dropped == ("a",)
    assert found.effects[-1].n == 11
    assert found.median_overturned == 9.0
    assert found.systems[1][:2] == ("b", 6)


def test_without_shared_verdicts_there_is_nothing_to_look_at():
    study = view({"stored": {"a": "00"}, "judge": {"b": "11"}})
    with pytest.raises(MissingVerdictsError, match="no system has replies and verdicts of both"):
        verbosity(
            study.matrices["stored"],
            study.matrices["judge"],
            items=study.items,
            replies=replies({"a": [1, 2]}),
            names=("stored", "judge"),
            systems=("a", "b"),
        )


@pytest.mark.data
def test_on_the_published_files_length_does_not_survive_task_and_model():
    # arXiv 2604.19298, sections 1 and 5: once task type and model are accounted for, response
    # length does not predict which strict failures a judge reclassifies.
    items = logs.items()
    written = {
        name: {
            row["id"]: len(row["prediction"])
            for row in logs.rows(logs.folder() / "predictions" / f"{name}.csv")
        }
        for name in logs.ELEVEN
    }
    facts: ReplyFacts = replies(
        {name: [held[item.item_id] for item in items] for name, held in written.items()}
    )
    found = verbosity(
        logs.stored(),
        logs.judge(),
        items=items,
        replies=facts,
        names=("stored", "judge"),
        systems=logs.ELEVEN,
    )
    raw, _, full = found.effects
    assert found.n == found.n_overturned + sum(row[3] for row in found.systems)
    assert raw.p < 0.05
    assert full.p > 0.05
    assert full.n_clusters > 200
