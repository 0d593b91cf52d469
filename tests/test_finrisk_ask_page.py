"""The page of claims about FinRisk-Ask is what the table says."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from finassay.analyses.ask.report import AskSettings, report_of_table
from finassay.reports.ask_workflow import published_table

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPTS))
        yield importlib.import_module("finrisk_ask_reproduction")


def test_the_page_is_up_to_date(script: ModuleType):
    assert script.PAGE.read_text(encoding="utf-8") == script.page()


def test_every_claim_agrees_at_the_printed_digits(script: ModuleType):
    told = list(script.claims(report_of_table(published_table(), AskSettings())))
    assert len(told) >= 30
    assert [claim.text for claim in told if claim.printed != claim.ours] == []
