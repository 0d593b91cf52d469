"""The judge-reply fuzz script in short form: no reading is wrong, and faults are seen."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from finassay.scorers.judge_verdicts import CORRECTNESS, Reading

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"
REPLIES = 20_000


@pytest.fixture(scope="module")
def fuzz() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPTS))
        yield importlib.import_module("fuzz_judge_verdicts")


def test_no_made_up_reply_is_read_wrongly_and_most_are_read(fuzz: ModuleType):
    tally = fuzz.fuzz(REPLIES, seed=3)
    assert [(made.text, made.truth, read.label) for made, read in tally.wrong] == []
    assert tally.replies == REPLIES
    right = sum(n for (_, said), n in tally.counts.items() if said == "right")
    assert right > 0.8 * REPLIES


def test_a_wrong_reading_is_told_from_one_left_unread(fuzz: ModuleType):
    def made(truth: str | None) -> object:
        return fuzz.MadeReply("x", truth, CORRECTNESS, "stop", "line")

    right = Reading(label="CORRECT", value=1.0, status="scored")
    unread = Reading(status="unparsed", reason="why")
    assert fuzz.outcome(made("CORRECT"), right) == "right"
    assert fuzz.outcome(made("INCORRECT"), right) == "wrong CORRECT"
    assert fuzz.outcome(made(None), right) == "wrong CORRECT"
    assert fuzz.outcome(made("CORRECT"), unread) == "left unread"
    assert fuzz.outcome(made(None), unread) == "right"


def test_the_table_adds_up(fuzz: ModuleType):
    tally = fuzz.fuzz(300, seed=1)
    assert fuzz.table(tally).splitlines()[-1].startswith("| all | 300 |")
