"""Grids: which rules they hold, and what they refuse."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import SpecError, UsageError
from finassay.marking.multiverse.dimensions import Choice, Dimension, Forbidden
from finassay.marking.multiverse.grid import Grid
from finassay.marking.multiverse.grid_file import BUILT_IN, built_in_grid
from finassay.scorers.composites import AllOf, AnyOf, FirstScored, Imported
from finassay.scorers.declared import DeclaredRule
from finassay.scorers.registry import load_scorer, replayable_id


def dimension(name: str, *values: object, base: object = None, **more: object) -> Dimension:
    choices = tuple(Choice(name=str(value), value=value) for value in values)
    return Dimension(
        name=name, choices=choices, base=str(values[0] if base is None else base), **more
    )


MATCHER = dimension("matcher", "token_set", "includes")
THRESHOLD = dimension("threshold", 0.72, 0.9, applies=(("matcher", ("token_set",)),))


def grid(*dimensions: Dimension, **more: object) -> Grid:
    return Grid(name="g", task="qa", scorer="rule", dimensions=dimensions, **more)


def test_a_grid_holds_every_combination_of_the_choices_that_apply():
    cells = grid(MATCHER, THRESHOLD).cells()
    assert [cell.choices for cell in cells] == [
        (("matcher", "token_set"), ("threshold", "0.72")),
        (("matcher", "token_set"), ("threshold", "0.9")),
        (("matcher", "includes"),),
    ]
    assert [cell.scorer for cell in cells] == [
        DeclaredRule(),
        DeclaredRule(threshold=0.9),
        DeclaredRule(matcher="includes"),
    ]


def test_weights_are_products_over_the_choices_that_apply():
    heavy = replace(
        MATCHER,
        choices=(
            Choice(name="token_set", value="token_set", weight=3.0),
            Choice(name="includes", value="includes"),
        ),
    )
    assert [c.weight for c in grid(heavy, THRESHOLD).cells()] == [0.375, 0.375, 0.25]
    assert [c.weight for c in grid(heavy, THRESHOLD).cells(weighted=False)] == [0.25, 0.25, 0.5]
    assert grid(heavy).is_weighted
    assert not grid(MATCHER).is_weighted


def test_forbidden_combinations_are_left_out_and_weights_sum_to_one():
    away = Forbidden(where=(("matcher", ("token_set",)), ("threshold", ("0.9",))))
    cells = grid(MATCHER, THRESHOLD, forbidden=(away,)).cells()
    assert len(cells) == 2
    assert math.fsum(cell.weight for cell in cells) == pytest.approx(1.0)


def test_a_grid_that_forbids_everything_is_refused():
    away = Forbidden(where=(("matcher", ("token_set", "includes")),))
    with pytest.raises(UsageError, match="forbids every combination"):
        grid(MATCHER, forbidden=(away,)).cells()


def test_a_judge_makes_a_composite_whose_part_is_imported():
    judged = grid(dimension("judge", "out", "any_of", "all_of", "first_scored"))
    scorers = [cell.scorer for cell in judged.cells(judge="judge/x")]
    said = Imported(name="judge/x")
    rule = DeclaredRule()
    assert scorers == [
        rule,
        AnyOf(parts=(rule, said)),
        AllOf(parts=(rule, said)),
        FirstScored(parts=(said, rule)),
    ]
    with pytest.raises(UsageError, match="there is no judge"):
        judged.cells()


def test_the_dimension_scorer_chooses_whose_parameters_are_set():
    asked = grid(
        dimension("scorer", "rule", "token_f1"),
        dimension("threshold", 0.5, applies=(("scorer", ("token_f1",)),)),
    )
    assert [cell.scorer.name for cell in asked.cells()] == ["rule", "token_f1"]
    assert asked.cells()[1].scorer.threshold == 0.5


def test_a_dimension_may_set_a_parameter_of_another_name():
    asked = grid(MATCHER, dimension("how_alike", 0.6, parameter="threshold"))
    assert {cell.scorer.threshold for cell in asked.cells()} == {0.6}


def test_changes_are_counted_against_the_base_choices_of_the_dimensions_that_apply():
    asked = grid(MATCHER, THRESHOLD)
    assert asked.base_choices() == {"matcher": "token_set", "threshold": "0.72"}
    assert [asked.n_changes(dict(cell.choices)) for cell in asked.cells()] == [0, 1, 1]


def test_the_base_can_be_moved_and_a_dimension_taken_out():
    moved = grid(MATCHER, THRESHOLD).with_base({"threshold": "0.9"})
    assert moved.base_choices()["threshold"] == "0.9"
    assert [cell.scorer for cell in grid(MATCHER, THRESHOLD).without("matcher").cells()] == [
        DeclaredRule(),
        DeclaredRule(threshold=0.9),
    ]


def test_what_hangs_on_a_choice_that_is_never_made_goes_with_it():
    hangs = dimension("passage", "whole", "final", applies=(("threshold", ("0.9",)),))
    stays = dimension("stages", "either", "both")
    away = Forbidden(where=(("passage", ("final",)),))
    asked = grid(MATCHER, THRESHOLD, hangs, stays, forbidden=(away,))
    left = asked.with_base({"matcher": "includes"}).without("matcher")
    assert [one.name for one in left.dimensions] == ["stages"]
    assert left.forbidden == ()
    with pytest.raises(SpecError, match="'scorer' cannot be left out"):
        asked.without("scorer")


def test_one_policy_for_the_unscored_takes_its_dimension_out():
    asked = grid(MATCHER, dimension("unscored", "wrong", "exclude"))
    assert [cell.unscored for cell in asked.cells()] == ["wrong", "exclude"] * 2
    assert {cell.unscored for cell in asked.with_unscored("exclude").cells()} == {"exclude"}
    assert {cell.unscored for cell in grid(MATCHER).with_unscored("exclude").cells()} == {"exclude"}


@pytest.mark.parametrize(
    ("dimensions", "message"),
    [
        ((), "at least one dimension"),
        ((MATCHER, MATCHER), r"dimension 2 \('matcher'\): there is another one of that name"),
        ((replace(MATCHER, choices=()),), "must list at least one choice"),
        ((dimension("matcher", "exact", "exact"),), "got 'exact' twice"),
        ((replace(MATCHER, base="exact"),), "`base` must be one of .* got 'exact'"),
        ((THRESHOLD,), "`applies` must name dimensions that stand before"),
        (
            (MATCHER, replace(THRESHOLD, applies=(("matcher", ("exact",)),))),
            r"'matcher' has the choices \['token_set', 'includes'\], got 'exact'",
        ),
        ((dimension("mather", "exact"),), "no parameter 'mather'; did you mean matcher"),
        ((dimension("matcher", "token_sett"),), "choice 'token_sett': `matcher` of DeclaredRule"),
        ((dimension("threshold", 72),), "for 72% pass 0.72"),
        ((dimension("unscored", "bounds"),), "must be one of .* got 'bounds'"),
        ((dimension("judge", "maybe"),), "choices must be among .* got 'maybe'"),
        (
            (replace(MATCHER, choices=(Choice(name="token_set", value="exact", weight=0.0),)),),
            "weight of 'token_set' must be above 0",
        ),
    ],
)
def test_a_grid_that_contradicts_itself_is_refused(dimensions: tuple[Dimension, ...], message: str):
    with pytest.raises(SpecError, match=message):
        grid(*dimensions)


def test_the_base_must_be_a_choice_of_a_dimension():
    with pytest.raises(SpecError, match="no dimension 'colour'"):
        grid(MATCHER).with_base({"colour": "red"})
    with pytest.raises(SpecError, match="has the choices token_set, includes, got 'exact'"):
        grid(MATCHER).with_base({"matcher": "exact"})


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_rule_of_a_grid_that_ships_can_be_replayed_from_its_id(name: str):
    cells = built_in_grid(name).cells(judge="judge/x")
    for cell in cells[:: max(1, len(cells) // 60)]:
        assert load_scorer(replayable_id(cell.scorer)) == cell.scorer


def test_the_grids_that_ship_are_large_and_their_base_is_published():
    qa = built_in_grid("qa").without("judge")
    assert len(qa.cells()) >= 1000
    base = next(c for c in qa.cells() if dict(c.choices) == qa.base_choices())
    assert base.scorer == DeclaredRule()
    assert sum(cell.weight for cell in qa.cells()) == pytest.approx(1.0)


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_every_cell_meets_the_conditions_of_its_dimensions(data: st.DataObject):
    sizes = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    names = ["matcher", "passage", "stages", "silence"]
    values = [
        ("exact", "includes", "token_set"),
        ("whole", "final", "first-sentence"),
        ("either", "both", "numbers-first"),
        ("text", "wrong", "no_answer"),
    ]
    made: list[Dimension] = []
    for at, size in enumerate(sizes):
        applies = ()
        if made and data.draw(st.booleans()):
            parent = made[data.draw(st.integers(0, at - 1))]
            applies = ((parent.name, (parent.choices[0].name,)),)
        made.append(dimension(names[at], *values[at][:size], applies=applies))
    found = grid(*made)
    seen = set()
    for cell in found.cells():
        chosen = dict(cell.choices)
        for one in made:
            met = all(chosen.get(name) in allowed for name, allowed in one.applies)
            assert (one.name in chosen) == met
        seen.add(cell.choices)
    assert len(seen) == len(found.cells()) <= found.n_combinations
