"""Difficulty and two systems, on verdicts small enough to count by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.clusters import document_clusters
from finassay.analyses.difficulty import difficulty
from finassay.analyses.estimates import Settings
from finassay.analyses.two_systems import leading_pair, two_systems
from finassay.errors import UnknownNameError, UsageError
from finassay.marking.matrix import STATUS_CODES, VerdictMatrix
from finassay.marking.view import StudyView
from finassay.records import READS_KEY, Item, SystemSpec

LABELS = ("easy", "medium", "hard")


def items_of(count: int, *, documents: bool = False) -> tuple[Item, ...]:
    return tuple(
        Item(
            item_id=f"i{n:02d}",
            family=("A", "B")[n % 2],
            difficulty=LABELS[n % 3],
            documents=(f"d{n // 2}",) if documents else (),
        )
        for n in range(count)
    )


def matrix_of(rows: list[list[float | None]], items: tuple[Item, ...]) -> VerdictMatrix:
    names = tuple(f"s{j}" for j in range(len(rows[0])))
    silent, scored = STATUS_CODES["no_answer"], STATUS_CODES["scored"]
    return VerdictMatrix(
        values=np.array([[value or 0.0 for value in row] for row in rows]),
        status=np.array(
            [[silent if value is None else scored for value in row] for row in rows], dtype=np.int8
        ),
        row_names=("item_id",),
        rows=tuple((item.item_id,) for item in items),
        column_name="system",
        columns=names,
    )


def view_of(matrix: VerdictMatrix, items: tuple[Item, ...], **more: object) -> StudyView:
    told: dict[str, object] = {
        "name": "v",
        "unscored": "wrong",
        "items": items,
        "systems": tuple(SystemSpec(name=name) for name in matrix.columns),
        "matrices": {"rule": matrix},
        "regimes": {"strict": matrix},
        "decided_by": {},
        "lengths": {},
        "empty_replies": {},
        "error_replies": {},
        "cut_references": {},
        "trials": {},
        "n_predictions": 0,
        "reported": (),
        "versions": (),
        "digests": (),
    }
    return StudyView(**{**told, **more})  # type: ignore[arg-type]


cells = st.lists(
    st.lists(st.sampled_from([0.0, 1.0, 1.0, None]), min_size=3, max_size=3),
    min_size=2,
    max_size=9,
)


@given(rows=cells)
@settings(deadline=None, max_examples=60)
def test_gaps_and_bands_are_those_of_a_loop(rows: list[list[float | None]]) -> None:
    items = items_of(len(rows))
    found = difficulty(
        matrix_of(rows, items), items=items, rule="r", settings=Settings(policy="wrong")
    )
    values = [[value or 0.0 for value in row] for row in rows]
    assert [(one.item_id, one.k) for one in found.items] == [
        (item.item_id, sum(v >= 0.5 for v in row)) for item, row in zip(items, values, strict=True)
    ]
    assert sum(band.items for band in found.bands) == len(rows)
    for band in found.bands:
        shares = [sum(row) / 3 for row in values]
        inside = [s for s in shares if band.low <= s < band.high or s == band.high == 1.0]
        assert band.items == len(inside)
    for j, one in enumerate(found.by_system):
        assert one.score == pytest.approx(sum(row[j] for row in values) / len(rows))
        for axis in ("family", "difficulty label", "empirical difficulty"):
            parts = [gap for gap in one.strata if gap.axis == axis]
            assert sum(gap.n for gap in parts) == len(rows)
            assert sum(gap.n * gap.difference for gap in parts) == pytest.approx(0.0, abs=1e-3)
        for gap in one.strata[:2]:
            own = [row[j] for item, row in zip(items, values, strict=True)
                   if item.family == gap.stratum]  # fmt: skip
            assert gap.observed == pytest.approx(sum(own) / len(own))
        assert all(lost.value < 0.5 <= lost.expected for lost in one.lost)
        assert all(gained.expected < 0.5 <= gained.value for gained in one.gained)


def test_an_item_that_the_strong_have_wrong_and_the_weak_right_is_suspicious() -> None:
    items = items_of(30)
    systems = 20
    # System j is right on the first j + 5 items: a perfect scale, but for the last item.
    rows = [[float(i < j + 5) for j in range(systems)] for i in range(29)]
    rows.append([float(j < 8) for j in range(systems)])
    found = difficulty(
        matrix_of(rows, items),  # type: ignore[arg-type]
        items=items,
        rule="r",
        settings=Settings(policy="wrong"),
    )
    against = [one.item.item_id for one in found.suspicious if one.why == "against the rest"]
    assert against == ["i29"]
    assert next(item for item in found.items if item.item_id == "i29").item_rest == pytest.approx(
        np.corrcoef([sum(row[j] for row in rows[:29]) for j in range(systems)], rows[29])[0, 1]
    )


def test_labels_that_are_contradicted_are_told() -> None:
    items = items_of(12)
    rows = [[1.0] * 4 if item.difficulty == "easy" else [0.0, 0.0, 1.0, 0.0] for item in items]
    rows[0] = [0.0] * 4
    rows[2] = [1.0] * 4
    found = difficulty(
        matrix_of(rows, items),  # type: ignore[arg-type]
        items=items,
        rule="r",
        settings=Settings(policy="wrong"),
    )
    odd = {(one.item.item_id, one.why) for one in found.suspicious}
    assert ("i00", "harder than labelled") in odd
    assert ("i02", "easier than labelled") in odd


def test_no_items_and_one_system_give_no_numbers() -> None:
    items = items_of(3)
    none = difficulty(
        matrix_of([[None], [None], [None]], items),
        items=items,
        rule="r",
        settings=Settings(policy="exclude"),
    )
    assert (none.n_items, none.items, none.by_system) == (0, (), ())
    assert any("mostly chance" in warning for warning in none.warnings)


@given(rows=cells)
@settings(deadline=None, max_examples=40)
def test_groups_of_items_are_those_of_a_loop(rows: list[list[float | None]]) -> None:
    items = items_of(len(rows))
    found = two_systems(view_of(matrix_of(rows, items), items), left="s0", right="s1", rule="rule")
    groups: dict[tuple[bool, bool], list[str]] = {
        pair: [] for pair in product((True, False), repeat=2)
    }
    for item, row in zip(items, rows, strict=True):
        groups[row[0] == 1.0, row[1] == 1.0].append(item.item_id)
    assert list(found.both) == groups[True, True]
    assert list(found.won) == groups[True, False]
    assert list(found.lost) == groups[False, True]
    assert list(found.neither) == groups[False, False]
    assert found.test.difference == pytest.approx(
        (len(found.won) - len(found.lost)) / len(rows), abs=1e-12
    )
    wrong = len(rows) - len(found.both)
    assert (found.overlap.both, found.overlap.either) == (len(found.neither), wrong)
    assert sum(f.both + f.left_only + f.right_only + f.neither for f in found.by_family) == len(
        rows
    )
    assert found.clusters == ()


def test_documents_make_clusters_where_items_name_them() -> None:
    items = items_of(8, documents=True)
    rows: list[list[float | None]] = [[float(n % 2), float(n % 3 == 0)] for n in range(8)]
    assert document_clusters(items) == ("documents",)
    view = view_of(matrix_of(rows, items), items)
    found = two_systems(view, left="s0", right="s1", rule="regime/strict")
    assert (found.clusters, found.n_clusters) == (("documents",), 4)
    assert found.test.cluster is not None


def test_a_pair_that_shares_one_document_alone_is_tested_over_items_and_says_so() -> None:
    items = items_of(4, documents=True)
    rows: list[list[float | None]] = [[1.0, 0.0], [1.0, 1.0], [1.0, None], [0.0, None]]
    view = view_of(matrix_of(rows, items), items, unscored="exclude")
    found = two_systems(view, left="s0", right="s1", rule="rule")
    assert (found.clusters, found.n_clusters, found.n_left_out) == ((), 0, 2)
    assert found.test.cluster is None
    assert "their shared items lie in one cluster: items are drawn alone" in found.warnings


def test_a_system_is_not_compared_with_itself() -> None:
    items = items_of(4)
    view = view_of(matrix_of([[1.0, 0.0]] * 4, items), items)
    with pytest.raises(UsageError, match="with itself"):
        two_systems(view, left="s0", right="s0", rule="rule")
    with pytest.raises(UnknownNameError, match="no verdicts of 'zz'"):
        two_systems(view, left="s0", right="s1", rule="zz")


def test_the_pair_to_begin_with_is_the_two_best_contestants() -> None:
    items = items_of(4)
    rows: list[list[float | None]] = [[1.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]] * 2
    matrix = matrix_of(rows, items)
    systems = (
        SystemSpec(name="s0", prompt_arm=READS_KEY),
        SystemSpec(name="s1"),
        SystemSpec(name="s2"),
        SystemSpec(name="s3", kind="person"),
    )
    assert leading_pair(view_of(matrix, items, systems=systems), "rule") == ("s1", "s2")
    assert leading_pair(view_of(matrix, items, systems=systems[:2]), "rule") is None
