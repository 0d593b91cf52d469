"""What child processes write.  Each job prepares, yields once when it is ready, then writes."""

from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import polars as pl

from finassay.records import SystemSpec
from finassay.study import Study
from finassay.study.labels import Label, LabelStore
from finassay.study.schemas import VERDICTS
from study_samples import SYSTEM, answers, in_run, of_scorer


def overwrite(root: Path, rows: int) -> Iterator[None]:
    """Replace the partition that the kill tests watch."""
    study = Study.open(root)
    frame = answers(suffix=" new", n=rows)
    yield
    study.commit("predictions", frame.lazy(), partition=in_run())


def verdicts(root: Path, scorer_id: str, writer: int, times: int) -> Iterator[None]:
    """Commit verdicts that all say which writer made them, and in which round."""
    study = Study.open(root)
    base = study.snapshot().frame("predictions", system_id=SYSTEM.system_id)
    yield
    for turn in range(times):
        rows = [
            {
                "item_id": item_id,
                "system_id": SYSTEM.system_id,
                "trial": 0,
                "scorer_id": scorer_id,
                "scorer_version": "1",
                "repeat": 0,
                "status": "failed",
                "reason": f"{writer}:{turn}",
                "revision": 0,
            }
            for item_id in base["item_id"]
        ]
        frame = pl.DataFrame(rows, schema=VERDICTS.polars_schema)
        assert study.commit("verdicts", frame, partition=of_scorer(scorer_id)).changed


def system(root: Path, writer: int, times: int) -> Iterator[None]:
    """Add systems of one's own."""
    study = Study.open(root)
    yield
    for turn in range(times):
        study.add_system(SystemSpec(name=f"w{writer}-{turn}"))


def labels(url: str, writer: int, times: int) -> Iterator[None]:
    """Revise one and the same label again and again."""
    yield
    with LabelStore(url) as store:
        for turn in range(times):
            said = Label(
                annotator="ann",
                item_id="00",
                system_id="s",
                label="y",
                value=1.0,
                note=f"{writer}:{turn}",
            )
            store.record(said)


JOBS = {"overwrite": overwrite, "verdicts": verdicts, "system": system, "labels": labels}


def work(name: str, arguments: tuple[object, ...], parent: Connection) -> None:
    """Do one job: say "ready", wait for the word, write, say "done"."""
    job = JOBS[name](*arguments)
    next(job)
    parent.send("ready")
    parent.recv()
    for _ in job:
        pass
    parent.send("done")
