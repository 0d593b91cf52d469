"""The labelled array: what counts, what is equal, and which part of it is taken."""

import numpy as np
import pytest

from finassay.errors import MarkingError, UnknownNameError
from finassay.marking.multiverse.codes import FAILED, OUT, RIGHT, SILENT, WRONG
from finassay.marking.multiverse.cube import Multiverse, collapsed
from finassay.marking.multiverse.dimensions import Choice, Dimension
from finassay.marking.multiverse.grid import Grid
from multiverse_samples import grid, multiverse, with_right

UNSCORED = Dimension(
    name="unscored",
    choices=(Choice(name="wrong", value="wrong"), Choice(name="exclude", value="exclude")),
    base="wrong",
)


def both_policies(codes: list[list[int]]) -> Multiverse:
    """Return one sheet of (I, C) codes under both policies for the unscored."""
    over = Grid(name="g", task="qa", scorer="rule", dimensions=(UNSCORED,))
    return multiverse(np.array([codes, codes]), over=over)


def test_silence_is_wrong_or_left_out_as_the_rule_says():
    found = both_policies([[RIGHT, RIGHT], [SILENT, WRONG], [FAILED, WRONG], [OUT, OUT]])
    right, counted = found.counts
    assert right.tolist() == [[1, 1], [1, 1]]
    assert counted.tolist() == [[2, 3], [1, 3]]
    assert found.accuracy.tolist() == [[1 / 2, 1 / 3], [1.0, 1 / 3]]
    assert len(found.sheets) == 1
    assert found.n_distinct == 2


def test_policies_that_change_nothing_give_one_verdict_vector():
    assert both_policies([[RIGHT, WRONG], [WRONG, RIGHT]]).n_distinct == 1


def test_a_rule_that_leaves_nothing_to_count_has_no_accuracy():
    assert np.isnan(both_policies([[SILENT, RIGHT]]).accuracy[1, 0])


def test_rules_that_mark_alike_share_a_sheet_and_a_verdict_vector():
    found = multiverse(with_right([[1, 2], [2, 1], [1, 2]], items=3), over=grid(3))
    assert len(found.sheets) == 2
    assert found.verdicts.tolist() == [0, 1, 0]
    assert found.firsts().tolist() == [0, 1]


def test_a_matrix_is_what_the_rule_says_and_what_it_does_not():
    found = both_policies([[RIGHT, SILENT], [WRONG, FAILED], [OUT, RIGHT]])
    away = Multiverse(**{**vars_of(found), "present": np.array([[1, 1], [1, 1], [0, 1]], bool)})
    matrix = away.matrix(0)
    assert matrix.columns == ("A", "B")
    assert matrix.values.tolist() == [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]
    assert matrix.scored.tolist() == [[True, False], [True, False], [False, True]]
    assert matrix.status[2, 0] == -1


def vars_of(found: Multiverse) -> dict[str, object]:
    names = ("grid", "cells", "items", "systems", "sheets", "sheet", "present")
    return {name: getattr(found, name) for name in names}


def test_rules_are_selected_by_their_choices():
    over = grid(2, 2)
    found = multiverse(with_right([[0], [1], [2], [3]], items=3), over=over)
    kept = found.where(matcher="includes")
    assert [dict(cell.choices)["passage"] for cell in kept.cells] == ["whole", "final"]
    assert kept.accuracy[:, 0].tolist() == [1 / 3, 1.0]
    assert kept.weights.sum() == pytest.approx(1.0)
    with pytest.raises(UnknownNameError, match="no rule of the grid is left"):
        found.where(matcher="none")


def test_systems_are_taken_in_the_order_asked_for():
    found = multiverse(with_right([[0, 1, 2]], items=2), over=grid(1)).only_systems(["C", "A"])
    assert found.systems == ("C", "A")
    assert found.accuracy.tolist() == [[1.0, 0.0]]


def test_the_base_is_the_rule_with_the_base_choices():
    found = multiverse(with_right([[0], [1], [2], [3]], items=3), over=grid(2, 2))
    assert found.base == 0
    moved = found.grid.with_base({"passage": "final", "matcher": "includes"})
    assert Multiverse(**{**vars_of(found), "grid": moved}).base == 3


def test_blocks_cover_every_rule_asked_for_once():
    found = multiverse(with_right([[0, 1], [1, 1], [2, 0]], items=4), over=grid(3))
    taken = list(found.blocks([2, 0, 1], cells=16))
    assert [rules for rules, _, _ in taken] == [[2, 0], [1]]
    assert np.concatenate([right for _, right, _ in taken]).sum(axis=1).tolist() == [
        [2, 0],
        [0, 1],
        [1, 1],
    ]


def test_collapsing_keeps_the_order_of_appearance():
    codes = np.array([[1, 2], [3, 4], [1, 2]], dtype=np.uint8)
    sheets, where = collapsed(codes)
    assert sheets.tolist() == [[1, 2], [3, 4]]
    assert where.tolist() == [0, 1, 0]


def test_arrays_of_another_shape_are_refused():
    found = multiverse(with_right([[1, 2]], items=3), over=grid(1))
    with pytest.raises(MarkingError, match="3 items x 1 systems got sheets of shape"):
        Multiverse(**{**vars_of(found), "systems": ("A",)})
    with pytest.raises(MarkingError, match="1 rules got 2 sheets"):
        Multiverse(**{**vars_of(found), "sheet": np.array([0, 0])})
