"""F1 and Matthews correlation, of one reading and over all selectors."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.extraction.candidates import CandidateTable, candidates
from finassay.analyses.extraction.f1 import (
    LabelSet,
    Missing,
    confusion,
    f1_scores,
    label_scores,
    mcc,
)
from finassay.analyses.extraction.selectors import _compositions, selector_bounds
from finassay.errors import UsageError
from label_oracle import SUBSTRING, ten
from reference import labels as textbook

K = 3
ITEMS = st.lists(
    st.tuples(
        st.integers(0, K - 1),
        st.sets(st.integers(0, K - 1), max_size=K).map(lambda s: tuple(sorted(s))),
    ),
    min_size=1,
    max_size=6,
)
READINGS = st.lists(
    st.tuples(st.integers(0, K - 1), st.none() | st.integers(0, K - 1)), min_size=1, max_size=12
)

quick = settings(deadline=None, max_examples=120)


def table_of(rows: list[tuple[int, tuple[int, ...]]]) -> CandidateTable:
    return CandidateTable(
        matcher=SUBSTRING,
        labels=("a", "b", "c"),
        golds=tuple(gold for gold, _ in rows),
        sets=tuple(present for _, present in rows),
        keys=tuple(range(len(rows))),
    )


def averaged(
    label_set: str, golds: Sequence[int], predictions: Sequence[int | None]
) -> list[int | None]:
    if label_set == "choices":
        return list(range(K))
    found = set(golds) if label_set == "golds" else {*golds, *predictions}
    return sorted(found, key=str)


@quick
@given(rows=READINGS, label_set=st.sampled_from(["golds", "union", "choices"]))
def test_f1_and_correlation_are_those_of_the_textbook(
    rows: list[tuple[int, int | None]], label_set: LabelSet
):
    golds, predictions = [g for g, _ in rows], [p for _, p in rows]
    labels = averaged(label_set, golds, predictions)
    weighted, macro = f1_scores(confusion(golds, predictions, K), label_set)
    assert float(weighted) == pytest.approx(textbook.weighted_f1(golds, predictions, labels))
    assert float(macro) == pytest.approx(textbook.macro_f1(golds, predictions, labels))
    assert mcc(golds, predictions, K) == pytest.approx(
        textbook.matthews(golds, predictions), abs=1e-9
    )
    kept = [(g, p) for g, p in rows if p is not None]
    dropped = mcc(golds, predictions, K, "dropped")
    if kept:
        assert dropped == pytest.approx(textbook.matthews(*zip(*kept, strict=True)), abs=1e-9)
    else:
        assert dropped is None


@pytest.mark.parametrize(
    ("good", "bad", "accuracy", "weighted", "macro", "correlation"),
    [
        # 132 good and 68 bad references; how many of each are read right, the others not at all.
        (0, 0, 0.0, 0.0, None, 0.0),
        (66, 34, 0.5, 0.6667, None, 0.4281),
    ],
)
def test_silence_lowers_f1_less_than_accuracy(
    good: int, bad: int, accuracy: float, weighted: float, macro: float, correlation: float
):
    golds = [0] * 132 + [1] * 68
    read = [0] * good + [None] * (132 - good) + [1] * bad + [None] * (68 - bad)
    found = label_scores("rule", golds, read, 2)
    assert textbook.right(golds, read) / 200 == accuracy
    assert round(found.weighted_f1, 4) == weighted
    assert found.mcc is not None
    assert round(found.mcc, 4) == correlation


def test_always_good_on_german_credit():
    found = label_scores("rule", [0] * 132 + [1] * 68, [0] * 200, 2)
    assert round(found.weighted_f1, 4) == 0.5248
    assert round(found.macro_f1, 4) == 0.3976
    assert found.mcc == 0.0


def test_which_labels_are_averaged_moves_macro_f1():
    counts = confusion([0, 0], [0, None], 3)
    assert [round(float(f1_scores(counts, s)[1]), 4) for s in ("golds", "union", "choices")] == [
        0.6667,
        0.3333,
        0.2222,
    ]


def test_an_unknown_convention_is_refused():
    with pytest.raises(UsageError, match="`label_set` must be one of"):
        f1_scores(confusion([0], [0], 1), "all")
    with pytest.raises(UsageError, match="`missing` must be one of"):
        mcc([0], [0], 1, "ignored")
    with pytest.raises(UsageError, match="`missing` must be one of"):
        selector_bounds(table_of([(0, (0,))]), missing="ignored")


def test_no_items_have_no_f1():
    with pytest.raises(UsageError, match="F1 needs at least one item"):
        f1_scores(confusion([], [], 2))


@quick
@given(
    rows=ITEMS,
    label_set=st.sampled_from(["golds", "union", "choices"]),
    missing=st.sampled_from(["class", "dropped"]),
)
def test_bounds_are_attained_when_exact_and_hold_all_selectors_otherwise(
    rows: list[tuple[int, tuple[int, ...]]], label_set: LabelSet, missing: Missing
):
    table = table_of(rows)
    exact = selector_bounds(table, label_set=label_set, missing=missing)
    outer = selector_bounds(table, label_set=label_set, missing=missing, limit=0)
    found: dict[str, list[float | None]] = {"weighted_f1": [], "macro_f1": [], "mcc": []}
    for read in textbook.selectors(table.sets):
        labels = averaged(label_set, table.golds, read)
        found["weighted_f1"].append(textbook.weighted_f1(table.golds, read, labels))
        found["macro_f1"].append(textbook.macro_f1(table.golds, read, labels))
        pairs = [
            (g, p)
            for g, p in zip(table.golds, read, strict=True)
            if missing == "class" or p is not None
        ]
        correlation = textbook.matthews(*zip(*pairs, strict=True)) if pairs else None
        found["mcc"].append(correlation)
    for name, values in found.items():
        tight, wide = getattr(exact, name), getattr(outer, name)
        assert tight.kind == "exact"
        if None in values:
            assert (tight.low, tight.high, wide.low) == (None, None, None)
            continue
        assert tight.low == pytest.approx(min(values), abs=1e-9)
        assert tight.high == pytest.approx(max(values), abs=1e-9)
        assert wide.low <= min(values) + 1e-9
        assert wide.high >= max(values) - 1e-9


def test_too_many_outcomes_give_a_bound_that_says_so():
    found = selector_bounds(candidates(ten(), SUBSTRING), limit=10)
    assert found.n_outcomes is None
    assert {b.kind for b in (found.weighted_f1, found.macro_f1, found.mcc)} == {"bound"}


@pytest.mark.parametrize(("total", "parts"), [(0, 2), (1, 3), (4, 2), (5, 3)])
def test_compositions_are_all_the_ways_to_share_a_total(total: int, parts: int):
    rows = _compositions(total, parts)
    assert len(rows) == math.comb(total + parts - 1, parts - 1)
    assert len(np.unique(rows, axis=0)) == len(rows)
    assert (rows >= 0).all()
    assert (rows.sum(axis=1) == total).all()
