"""Ask baselines answer the bundled states through the path of all baselines."""

from __future__ import annotations

from pathlib import Path

import pytest

from finassay.analyses.ask.report import AskSettings
from finassay.benchmarks.ask.bundled import load_ask_benchmark
from finassay.integrations.ask_baselines import ASK_BASELINES, first_requirement_missing
from finassay.records import Item
from finassay.reports.ask_workflow import AskRequest, ask_demo_study, ask_study
from finassay.text.ask_replies import parse_ask_reply

ITEMS = load_ask_benchmark()
BY_NAME = {one.name: one for one in ASK_BASELINES}


def reply(name: str, item: Item) -> str:
    return BY_NAME[name].answer(item, ITEMS)


def test_every_reply_of_every_baseline_is_valid():
    for baseline in ASK_BASELINES:
        for item in ITEMS:
            read = parse_ask_reply(baseline.answer(item, ITEMS))
            assert read.action in {"ask", "proceed"}
            assert read.flags == ()


def test_only_the_control_reads_what_is_hidden():
    for item in ITEMS:
        hidden = Item(
            item_id=item.item_id,
            question=item.question,
            context=item.context,
            language=item.language,
        )
        for baseline in ASK_BASELINES:
            if not baseline.reads_key:
                assert baseline.answer(item, ITEMS) == baseline.answer(hidden, ())
    assert [one.name for one in ASK_BASELINES if one.reads_key] == ["ask-control-need"]


def test_a_chinese_state_is_answered_in_chinese():
    item = next(one for one in ITEMS if one.language == "zh")
    assert "请" in reply("ask-always", item)


@pytest.mark.parametrize(
    ("record", "missing"),
    [
        (
            "Rules: (1) extract; (2) proof of address. Received: register extract.\n\nOpen",
            "proof of address",
        ),
        ("Rules: (1) register extract. Received: register extract.\n\nOpen step: x.", None),
        ("规则：（一）营业执照；（二）租约。收到：营业执照。\n\n当前步骤：全部", "租约"),
    ],
)
def test_the_checklist_asks_for_the_first_requirement_without_trace(
    record: str, missing: str | None
):
    assert first_requirement_missing(record) == missing


def test_the_bundled_benchmark_runs_from_states_to_a_report(tmp_path: Path):
    study = ask_demo_study(tmp_path / "study")
    report, found = ask_study(study, AskRequest(settings=AskSettings(draws=30)))
    rows = {row.system: row for row in report.rows}
    assert set(found.outcomes) == set(BY_NAME)
    assert all(len(one) == len(ITEMS) for one in found.outcomes.values())
    control = rows["ask-control-need"].scores
    assert (control.raa, control.era, control.cra) == (1.0, 1.0, 1.0)
    assert "ask-control-need" not in report.compared
    always, policy = rows["ask-always"].scores, rows["Always-Ask"].scores
    assert (always.raa, always.bacc) == (policy.raa, policy.bacc)
    assert rows["ask-never"].scores.cra is None
    # Two protocols, one list of requirements: the same actions.
    one, other = rows["ask-checklist"].scores, rows["ask-checklist-json"].scores
    assert (one.ask_recall, one.proceed_recall) == (other.ask_recall, other.proceed_recall)
