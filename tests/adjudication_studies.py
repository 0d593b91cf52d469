"""Small studies with two judges, for the tests of labelling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl

from finassay.analyses.adjudication.from_study import PlanRequest, plan_in_study
from finassay.analyses.adjudication.plan import PlanSettings
from finassay.records import Item, Prediction, RunRecord, SystemSpec
from finassay.study import Study
from finassay.study.adjudication.draw_files import read_draw
from finassay.study.adjudication.draws import Draw
from finassay.study.adjudication.tasks import task_named
from finassay.study.rows import predictions_frame
from finassay.study.schemas import COMPARISONS, VERDICTS
from study_samples import in_run, of_scorer

SYSTEMS = (
    SystemSpec(name="alpha", model="alpha-7b"),
    SystemSpec(name="beta", model="beta-70b"),
)
JUDGES = ("judge/one", "judge/two")

Says = Callable[[int, int], float | None]
"""What a judge says of system s on item i: a value, or None for an unreadable reply."""


def is_right(item: int, system: int) -> bool:
    """What people would say, if they were asked: planted."""
    return (item * 7 + system * 3) % 5 > 1


def judge_one(item: int, system: int) -> float | None:
    """Right, but for every tenth item."""
    return float(is_right(item, system) != (item % 10 == 0))


def judge_two(item: int, system: int) -> float | None:
    """Right, but for every sixth item, and silent on every eleventh."""
    if item % 11 == 3:
        return None
    return float(is_right(item, system) != (item % 6 == 0))


def judged_study(
    path: Path,
    *,
    n: int = 60,
    texts: Mapping[tuple[int, int], str] | None = None,
    judges: Mapping[str, Says] | None = None,
    choices: Sequence[str] = (),
) -> Study:
    """A study of n items and two systems, with the verdicts of judges on every answer."""
    study = Study.create(path, name="judged")
    study.add_items(
        [
            Item(
                item_id=f"q{i:03d}",
                question=f"What is the rate of case {i}?",
                context=f"Case {i} pays {i} percent.",
                reference=choices[i % len(choices)] if choices else f"{i} percent",
                choices=tuple(choices),
                family="open" if i % 2 else "closed",
                task="rates",
            )
            for i in range(n)
        ],
        benchmark="demo",
    )
    for s, system in enumerate(SYSTEMS):
        study.add_system(system)
        run_id = f"run-{s}"
        study.add_run(RunRecord(run_id=run_id, system_id=system.system_id))
        rows = predictions_frame(
            Prediction(
                item_id=f"q{i:03d}",
                system_id=system.system_id,
                text=(texts or {}).get((i, s), f"The rate is {i if is_right(i, s) else i + 1}."),
                finish="truncated" if i % 13 == 5 else "stop",
                run_id=run_id,
            )
            for i in range(n)
        )
        study.commit("predictions", rows, partition=in_run(system, run_id))
    for name, says in (judges or {JUDGES[0]: judge_one, JUDGES[1]: judge_two}).items():
        add_judge(study, name, says, n=n)
    return study


def add_judge(study: Study, name: str, says: Says, *, n: int) -> None:
    """Give a study the verdicts of a judge on all answers, in place of earlier ones."""
    study.add_scorer(name, "1", name=name, spec="{}", package_version="0")
    for s, system in enumerate(SYSTEMS):
        rows = pl.DataFrame(
            [
                {
                    "item_id": f"q{i:03d}",
                    "system_id": system.system_id,
                    "trial": 0,
                    "scorer_id": name,
                    "scorer_version": "1",
                    "repeat": 0,
                    "status": "unparsed" if (value := says(i, s)) is None else "scored",
                    "value": value,
                    "reason": "as planted",
                    "revision": 0,
                }
                for i in range(n)
            ]
        )
        partition = of_scorer(name, system)
        study.commit("verdicts", VERDICTS.complete(rows), partition=partition)


def add_duels(study: Study, name: str, winners: Mapping[int, tuple[str, str]]) -> None:
    """Give a study a judge's winners of alpha (left) against beta, in both orders."""
    rows = [
        {
            "item_id": f"q{i:03d}",
            "left_system_id": SYSTEMS[0].system_id,
            "left_trial": 0,
            "right_system_id": SYSTEMS[1].system_id,
            "right_trial": 0,
            "scorer_id": name,
            "scorer_version": "1",
            "order": order,
            "repeat": 0,
            "winner": winner,
            "status": "scored",
        }
        for i, both in winners.items()
        for order, winner in zip(("left_first", "right_first"), both, strict=True)
    ]
    partition = {"scorer_id": name, "scorer_version": "1"}
    study.commit("comparisons", COMPARISONS.complete(pl.DataFrame(rows)), partition=partition)


def drawn(study: Study, name: str = "first") -> Draw:
    """Return a draw of a study."""
    return read_draw(study, name)


def frozen(study: Study, task: str = "correctness", name: str = "first", **more: object) -> Draw:
    """Draw a sample of a study for a task and keep it."""
    settings = {"task": task_named(task), "design": "simple", "labels": 12, "by": ()} | more
    scorers = () if task_named(task).unit == "pair" else JUDGES
    plan_in_study(
        study,
        PlanRequest(settings=PlanSettings(**settings), scorers=scorers, name=name),
    )
    return read_draw(study, name)
