"""A study in which every text, name and label tries to act on the page that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

import polars as pl

from finassay.records import AnswerContract, Item, Prediction, RunRecord, SystemSpec
from finassay.study import Study
from finassay.study.rows import predictions_frame
from finassay.study.schemas import VERDICTS
from web_injections import ALL, INJECTIONS, NAMES

FAMILIES = ("open", "<b onclick=window.taken=1>closed</b>", "</script><script>window.taken=1")
JUDGES = ("judge/<img src=x onerror=window.taken=1>", "judge/two</script><script>window.taken=1")


def names_of_systems() -> tuple[str, ...]:
    """One of every second kind of attack; items have names of all kinds."""
    return tuple(
        next(text for text in texts if text in NAMES and len(text) < 120)
        for texts in islice(INJECTIONS.values(), 0, None, 2)
    )


def hostile_items() -> Iterator[Item]:
    """Return an item for each text: it is the question, the passage, the reference and the id."""
    ids = dict.fromkeys((*NAMES, *(f"item-{n:03d}" for n in range(len(ALL)))))
    for at, (item_id, text) in enumerate(zip(ids, ALL, strict=False)):
        closed = at % 3 == 1
        yield Item(
            item_id=item_id,
            benchmark="terms",
            question=f"{text} What does the rule say?",
            context=f"{text} A broker pays a fee of {at + 1} rupees.",
            reference="yes" if closed else f"{at + 1} rupees {text}",
            choices=("yes", "no", text) if closed else (),
            family=FAMILIES[at % 3],
            task=NAMES[at % 7],
            difficulty=NAMES[7 + at % 3],
            documents=(NAMES[at % 11],),
            contract=AnswerContract(),
        )


def hostile_study(path: Path) -> Study:
    """Return a study of hostile items, answered by systems with hostile names, and judged."""
    study = Study.create(path, name="</title><script>window.taken=1;alert(1)</script> & \"study'")
    items = tuple(hostile_items())
    study.add_items(items, benchmark="terms")
    for at, name in enumerate(names_of_systems()):
        system = SystemSpec(name=name, model=name, provider=NAMES[at])
        study.add_system(system)
        run_id = f"run-{at}"
        study.add_run(RunRecord(run_id=run_id, system_id=system.system_id))
        texts = islice(cycle(ALL), at, None)
        rows = predictions_frame(
            Prediction(
                item_id=item.item_id,
                system_id=system.system_id,
                text=f"{item.reference}\n{text}" if (at + n) % 3 else text,
                reasoning=text,
                run_id=run_id,
            )
            for n, (item, text) in enumerate(zip(items, texts, strict=False))
        )
        study.commit(
            "predictions", rows, partition={"system_id": system.system_id, "run_id": run_id}
        )
        for judge in JUDGES:
            _judge(study, judge, system, items, at)
    return study


def _judge(study: Study, judge: str, system: SystemSpec, items: Sequence[Item], shift: int) -> None:
    study.add_scorer(judge, "1", name=judge, spec="{}", package_version="0")
    rows = pl.DataFrame(
        [
            {
                "item_id": item.item_id,
                "system_id": system.system_id,
                "trial": 0,
                "scorer_id": judge,
                "scorer_version": "1",
                "repeat": 0,
                "status": "scored",
                "value": float((n + shift + (n % 7 == 0)) % 3 > 0),
                "label": text,
                "extracted": text,
                "reason": text,
                "revision": 0,
            }
            for n, (item, text) in enumerate(zip(items, ALL, strict=False))
        ]
    )
    told = {"scorer_id": judge, "scorer_version": "1", "system_id": system.system_id}
    study.commit("verdicts", VERDICTS.complete(rows), partition=told)
