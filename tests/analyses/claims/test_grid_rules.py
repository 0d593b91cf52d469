"""Claims under the rules of a grid say what the multiverse says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claim_boards import declared
from finassay.analyses.claims.court import Court
from finassay.analyses.claims.evaluate import evaluate
from finassay.analyses.claims.grid_rules import grid_rules
from finassay.analyses.multiverse.analysis import MultiverseSettings, analyse_multiverse
from finassay.analyses.results_claims import ClaimVerdict
from finassay.marking.multiverse.codes import RIGHT, WRONG
from finassay.marking.multiverse.cube import Multiverse
from finassay.records import Item
from multiverse_samples import grid, multiverse, with_right


def claim(made: Multiverse, body: str, folder: Path) -> ClaimVerdict:
    items = tuple(Item(item_id=name) for name in made.items)
    file = declared(f"[[claim]]\n{body}", folder)
    court = Court(
        items=items,
        systems=made.systems,
        known=made.systems,
        file=file,
        convention="competition",
        replies=None,
    )
    return evaluate(file.claims[0], grid_rules(made, items), court, base="elsewhere")


COUNTS = [[9, 5, 1], [6, 7, 1], [8, 4, 2], [8, 5, 3]]


def test_the_nearest_rule_is_named_with_the_choice_that_it_changes(tmp_path: Path):
    made = multiverse(with_right(COUNTS, items=10), over=grid(2, 2))
    found = claim(made, "kind='above'\na='A'\nb='B'", tmp_path)
    assert (found.n_holds, found.n_fails, found.outcome) == (3, 1, "depends")
    (near,) = found.nearest
    assert near.choices == (("matcher", "token_set", "includes"),)
    assert near.rule == 'rule[matcher="includes"]'
    assert found.tallies[0].weighted_share is None


def test_declared_plausibility_weighs_the_rules(tmp_path: Path):
    made = multiverse(with_right(COUNTS, items=10), over=grid(2, 2, weights=(3, 1)))
    found = claim(made, "kind='above'\na='A'\nb='B'", tmp_path)
    assert found.share == 0.75
    assert found.tallies[0].weighted_share == pytest.approx(1 - 3 / 8)


@given(seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=20)
def test_shares_of_claims_are_those_of_the_multiverse(
    seed: int, tmp_path_factory: pytest.TempPathFactory
):
    rng = np.random.default_rng(seed)
    codes = np.where(rng.random((6, 12, 3)) < 0.6, RIGHT, WRONG)
    made = multiverse(codes, over=grid(2, 3))
    result = analyse_multiverse(
        made,
        items=[Item(item_id=name) for name in made.items],
        settings=MultiverseSettings(draws=100),
    )
    folder = tmp_path_factory.mktemp("claims")
    for one in result.pairs:
        found = claim(made, f"kind='above'\na='{one.above}'\nb='{one.below}'", folder)
        assert (found.n_holds, found.n_holds + found.n_fails) == (one.n_above, one.n_rules)
        assert found.share == one.share
    leaders = dict(result.conclusions.leaders)
    for name in made.systems:
        found = claim(made, f"kind='leads'\nsystem='{name}'", folder)
        assert found.share == pytest.approx(leaders.get(name, 0.0))
