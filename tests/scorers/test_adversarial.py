"""What the financial rule makes of replies that mislead careless rules."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from finassay.scorers.registry import load_scorer

pytestmark = pytest.mark.full

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
MOST_FALSE_ACCEPTS = 0.02
MOST_FALSE_REJECTS = 0.05


@pytest.fixture(scope="module")
def table() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPTS))
        yield importlib.import_module("adversarial_table")


def test_the_financial_rule_accepts_few_wrong_and_rejects_few_right_replies(table: ModuleType):
    *kinds, total = table.errors(load_scorer("financial"))
    wrong = {k.kind: (k.false_accepts, k.false_rejects) for k in kinds}
    wrong = {kind: counts for kind, counts in wrong.items() if any(counts)}
    assert total.false_accept_share <= MOST_FALSE_ACCEPTS, wrong
    assert total.false_reject_share <= MOST_FALSE_REJECTS, wrong


@pytest.mark.parametrize("name", ["number_set", "includes", "token_set", "strict/numbers-first"])
def test_rules_that_look_at_words_or_numbers_alone_go_wrong_often(table: ModuleType, name: str):
    *_, total = table.errors(load_scorer(name))
    assert total.false_accept_share + total.false_reject_share > 0.5


def test_the_committed_page_says_what_the_rules_say_today(table: ModuleType):
    assert table.PAGE.read_text(encoding="utf-8") == table.page()
