"""What is said about printed scores: coarse rows, and what a knowledge score is the mean of."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.operations.sheet import Columns
from finassay.analyses.operations.table_findings import table_findings, whole_weights

COLUMNS = Columns(knowledge="overall", operations=("x", "y", "z"), layers={})


def made(weights: tuple[int, ...], rows: int = 9) -> dict[tuple[str, str], Decimal]:
    """Return group scores on two decimals, and their weighted mean rounded to two."""
    rng = np.random.default_rng(5)
    cells: dict[tuple[str, str], Decimal] = {}
    for at in range(rows):
        groups = [Decimal(int(v)) / 100 for v in rng.integers(3000, 9000, len(weights))]
        total = sum((g * w for g, w in zip(groups, weights, strict=True)), Decimal(0))
        cells |= {(f"m{at}", f"g{j}"): g for j, g in enumerate(groups)}
        cells[f"m{at}", "overall"] = (total / sum(weights)).quantize(Decimal("0.01"))
        cells |= {(f"m{at}", c): Decimal(int(rng.integers(3000, 9000))) / 100 for c in "xyz"}
    return cells


def told(cells: dict[tuple[str, str], Decimal], groups: int) -> list[str]:
    systems = list(dict.fromkeys(name for name, _ in cells))
    found = table_findings(cells, systems, COLUMNS, [f"g{j}" for j in range(groups)])
    return [f"{one.title}: {one.evidence}" for one in found]


def test_a_plain_mean_of_groups_is_said_to_be_one():
    (said,) = told(made((1, 1, 1)), 3)
    assert said.startswith("`overall` is the mean of the 3 group columns")


def test_weights_of_groups_are_recovered():
    (said,) = told(made((10, 7, 2)), 3)
    assert "`overall` is not the mean" in said
    assert "weights 10:7:2 give every row within 0.01" in said


def test_a_knowledge_score_that_is_no_mean_of_the_groups_is_said_so():
    cells = made((10, 7, 2))
    cells["m0", "overall"] += 9
    (said,) = told(cells, 3)
    assert "no small whole weights give it" in said


def test_too_few_rows_say_nothing_of_groups():
    assert told(made((1, 1, 1), rows=3), 3) == []


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=2, max_size=4))
def test_weights_that_made_a_mean_reproduce_it(weights: list[int]):
    rng = np.random.default_rng(sum(weights))
    groups = rng.uniform(30, 90, (20, len(weights)))
    whole = groups @ np.array(weights) / sum(weights)
    found = whole_weights(groups, whole, 1e-6)
    assert found is not None
    assert np.array(found) * sum(weights) == pytest.approx(np.array(weights) * sum(found))


def test_a_row_of_whole_numbers_among_others_is_told():
    cells = made((1, 1, 1), rows=12)
    cells = {key: round(v) + Decimal("0.00") if key[0] == "m3" else v for key, v in cells.items()}
    rng = np.random.default_rng(8)
    names = [f"o{at}" for at in range(9)]
    for name in names:
        for at in range(12):
            cells[f"m{at}", name] = Decimal(int(rng.integers(3000, 9000))) / 100
        cells["m3", name] = Decimal(int(rng.integers(30, 90)))
    columns = Columns(knowledge="overall", operations=tuple(names), layers={})
    found = table_findings(cells, [f"m{at}" for at in range(12)], columns, [])
    assert [one.systems for one in found] == [("m3",)]
    assert "9 of 9 numbers are whole" in found[0].evidence
