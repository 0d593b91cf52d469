"""A small marked study, and what its exports hold."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from finassay.integrations.score_values import Policy
from finassay.marking.scoring import score_study
from finassay.records import Item, Prediction, RunRecord, SystemSpec
from finassay.reports.exports.export import ExportOptions, ExportReport, Format, export_study
from finassay.study import Study
from finassay.study.rows import predictions_frame

ITEMS = (
    Item(
        item_id="1",
        task="numerical_reasoning",
        family="NUM",
        difficulty="easy",
        question="What is the fee?",
        context="The fee is 3%.",
        reference="3%",
        alternatives=("three per cent",),
    ),
    Item(item_id="2", question="Which?", choices=("crimson", "blue"), reference="crimson"),
    Item(item_id="3", question="Who?", reference=None),
)
ALPHA = SystemSpec(name="alpha", model="alpha-7b")
BETA = SystemSpec(name="org/beta [512 tokens]", model="beta")


def reply(item_id: str, text: str, system: SystemSpec = ALPHA, **fields: object) -> Prediction:
    known = {"item_id": item_id, "text": text, "system_id": system.system_id, "run_id": "r"}
    return Prediction(**{**known, **fields})  # type: ignore[arg-type]


def study_of(path: Path, replies: Mapping[SystemSpec, Sequence[Prediction]]) -> Study:
    study = Study.create(path)
    study.add_items(ITEMS, benchmark="b")
    for system, listed in replies.items():
        study.add_system(system)
        study.add_run(RunRecord(run_id="r", system_id=system.system_id))
        study.commit(
            "predictions",
            predictions_frame(listed),
            partition={"system_id": system.system_id, "run_id": "r"},
        )
    return study


def export(
    study: Study,
    out: Path,
    format: Format,  # noqa: A002 - the word of the command
    unscored: Policy = "wrong",
    **options: object,
) -> ExportReport:
    chosen = ExportOptions(unscored=unscored, **options)  # type: ignore[arg-type]
    return export_study(study.snapshot(), out, format=format, options=chosen)


def marked_study(path: Path) -> Study:
    """Make a study of two systems, one with two trials, marked by two rules."""
    alpha = [
        reply("1", "3 %", reasoning="look", tokens_in=5, tokens_out=2, latency_s=0.5),
        reply("2", "", finish="empty"),
        reply("3", "Me."),
    ]
    beta = [reply("1", "4%", BETA, finish="stop"), reply("1", "3%", BETA, trial=1, finish="stop")]
    made = study_of(path, {ALPHA: alpha, BETA: beta})
    score_study(made, scorers=("financial", "exact"))
    return made


def records(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
