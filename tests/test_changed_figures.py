"""References with a changed figure: refused, where the same text unchanged is accepted."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from finassay.records import Item
from finassay.scorers.registry import load_scorer
from real_data import data_root

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPTS))
        yield importlib.import_module("changed_figures")


def shares(script: ModuleType, items: list[Item]) -> dict[tuple[str, bool], float]:
    found, _ = script.rates(load_scorer("financial"), items)
    return {
        (rate.stratum, rate.is_right): rate.wrong / rate.replies
        for rate in found
        if rate.way == "all"
    }


def test_each_figure_is_changed_in_every_way_that_fits(script: ModuleType):
    made = script.changes("Within five working days of receipt", "When?")
    assert [(one.way, one.text) for one in made] == [
        ("number word", "Within six working days of receipt"),
        ("unit of time", "Within five months of receipt"),
    ]


@pytest.mark.parametrize(
    ("reference", "changed"),
    [
        ("Seventy days. After seventy days it ends.", "Eighty days. After eighty days it ends."),
        ("It must hold Rs 10,000 in cash", "It must hold Rs 20,000 in cash"),
        ("It stands in Chapter V of the code", "It stands in Chapter IV of the code"),
        ("It came on 6 December 2021", "It came on 7 December 2021"),
        ("At least two-thirds of the trustees", "At least one-third of the trustees"),
        ("Four directors (at least 50% of 8 = 4)", "Five directors (at least 50% of 8 = 5)"),
    ],
)
def test_a_figure_is_changed_wherever_it_stands(script: ModuleType, reference: str, changed: str):
    assert script.changes(reference, "What holds?")[0].text == changed


@pytest.mark.parametrize(
    ("reference", "question"),
    [
        ("Yes, within five days", "When?"),
        ("Within five days", "May it be done?"),
        ("Within five days of it", "What is due after five days?"),
        ("The amended Act of 2013", "Which act?"),
        ("Approximately 40 firms did it", "Who did it?"),
    ],
)
def test_what_no_reader_would_hold_against_a_reply_is_not_changed(
    script: ModuleType, reference: str, question: str
):
    assert script.changes(reference, question) == []


def test_changed_figures_of_the_bundled_sets_are_refused(script: ModuleType):
    found = shares(script, script.bundled_items())
    assert max(share for (_, right), share in found.items() if not right) <= 0.05
    assert max(share for (_, right), share in found.items() if right) <= 0.02


@pytest.mark.data
@pytest.mark.full
def test_changed_figures_of_published_references_are_refused(script: ModuleType):
    items = script.published_items(data_root())
    found = shares(script, items)
    assert found["one figure", False] <= 0.02
    assert found["several figures", False] <= 0.05
    assert found["one figure", True] <= 0.01
    assert found["several figures", True] <= 0.01
