"""A small marked study with everything that a leaderboard shows: for tests of its pages."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from finassay.marking.regime_scoring import score_regimes
from finassay.marking.scoring import score_study
from finassay.records import Item, Prediction, RunRecord, SystemKind, SystemSpec
from finassay.study import Study
from finassay.study.rows import predictions_frame
from finassay.study.schemas import VERDICTS
from study_samples import in_run, of_scorer

JUDGE = "judge/planted"
RULES = ("strict/numbers-first", "number_set")
FORMULA = '=HYPERLINK("http://x")'
SCRIPT = "<script>alert(1)</script>"

SYSTEMS: tuple[tuple[str, SystemKind], ...] = (
    ("alpha", "model"),
    ("beta", "model"),
    (FORMULA, "model"),
    (SCRIPT, "model"),
    ("always yes", "baseline"),
    ("reader", "person"),
)
N_OPEN, N_CHOICE, N_READ = 14, 10, 6


def items() -> list[Item]:
    """Return open items of one task and yes-or-no items of another."""
    asked = [
        Item(
            item_id=f"NUM_{i:02}",
            family="NUM",
            task="rates",
            difficulty=("easy", "hard")[i % 2],
            question=f"How long is term {i}?",
            context=f"Term {i} ends after {3 * i + 2} days.",
            reference=f"{3 * i + 2} days",
        )
        for i in range(N_OPEN)
    ]
    chosen = [
        Item(
            item_id=f"CON_{i:02}",
            family="CON",
            task="contradiction_detection",
            question=f"Do rules {i} and {i + 1} contradict each other?",
            reference=("Yes", "No", "No")[i % 3],
            choices=("Yes", "No"),
        )
        for i in range(N_CHOICE)
    ]
    return [*asked, *chosen]


def reply(item: Item, at: int, system: int) -> str:
    """Return what a system says: better systems are wrong less often, all are wordy at times."""
    truth = item.reference or ""
    if SYSTEMS[system][0] == "always yes":
        return "Yes"
    if (at * 7 + system * 5) % 11 < 2 + 2 * system:
        return "Yes" if truth == "No" else "No" if truth == "Yes" else f"{at + 400} days"
    return truth if at % 3 else f"The answer is {truth}, or so the rules say."


def judged_right(at: int, system: int) -> bool:
    """Return what the planted judge says: it favours the systems that stand lower."""
    return (at * 5 + system * 3) % 7 < 3 + system


def board_study(path: Path, *, judged: bool = True) -> Study:
    """Return the study, marked with two rules, a judge on the open task, and every regime."""
    study = Study.create(path, name="Boards & <tables>")
    asked = items()
    study.add_items(asked, benchmark="boards")
    for number, (name, kind) in enumerate(SYSTEMS):
        system = SystemSpec(name=name, model=f"m{number}", kind=kind)
        study.add_system(system)
        run_id = f"run-{number}"
        study.add_run(RunRecord(run_id=run_id, system_id=system.system_id))
        answered = asked[:N_READ] if kind == "person" else asked
        rows = predictions_frame(
            Prediction(
                item_id=item.item_id,
                system_id=system.system_id,
                text=reply(item, at, number),
                run_id=run_id,
            )
            for at, item in enumerate(answered)
        )
        study.commit("predictions", rows, partition=in_run(system, run_id))
        if judged and kind != "person":
            _judge(study, system, number)
    score_study(study, scorers=RULES)
    score_regimes(study)
    return study


def _judge(study: Study, system: SystemSpec, number: int) -> None:
    study.add_scorer(JUDGE, "1", name=JUDGE, spec="{}", package_version="0")
    rows = pl.DataFrame(
        [
            {
                "item_id": item.item_id,
                "system_id": system.system_id,
                "trial": 0,
                "scorer_id": JUDGE,
                "scorer_version": "1",
                "repeat": 0,
                "status": "scored",
                "value": float(judged_right(at, number)),
                "reason": "as planted",
                "revision": 0,
            }
            for at, item in enumerate(items()[:N_OPEN])
        ]
    )
    study.commit("verdicts", VERDICTS.complete(rows), partition=of_scorer(JUDGE, system))
