"""Small studies that the tests of the study room share."""

from pathlib import Path

import polars as pl

from finassay.records import Item, Prediction, RunRecord, SystemSpec
from finassay.study import Study
from finassay.study.rows import predictions_frame
from finassay.study.schemas import VERDICTS

SYSTEM = SystemSpec(name="alpha", model="alpha-7b")
OTHER = SystemSpec(name="beta", model="beta-70b")
RUN = "run-1"
ITEM_IDS = ("00", "01", "02")


def item(item_id: str, **fields: str) -> Item:
    return Item(
        item_id=item_id, **{"question": f"What is {item_id}?", "reference": item_id, **fields}
    )


def answers(
    system: SystemSpec = SYSTEM, *, run_id: str = RUN, suffix: str = "", n: int = 3
) -> pl.DataFrame:
    return predictions_frame(
        Prediction(
            item_id=f"{i:02d}",
            system_id=system.system_id,
            text=f"answer {i} of {system.name}{suffix}",
            finish="stop",
            run_id=run_id,
        )
        for i in range(n)
    )


def in_run(system: SystemSpec = SYSTEM, run_id: str = RUN) -> dict[str, str]:
    return {"system_id": system.system_id, "run_id": run_id}


def of_scorer(scorer_id: str, system: SystemSpec = SYSTEM, version: str = "1") -> dict[str, str]:
    return {
        "scorer_id": scorer_id,
        "scorer_version": version,
        "system_id": system.system_id,
    }


def marks(
    study: Study, scorer_id: str = "exact", system: SystemSpec = SYSTEM, value: float = 1.0
) -> pl.DataFrame:
    """Verdicts of one value on all predictions of a system, with the digests of what is marked."""
    snapshot = study.snapshot()
    item_digests = snapshot.frame("items").select("item_id", "item_digest")
    rows = snapshot.frame("predictions", system_id=system.system_id).select(
        "item_id", "system_id", "trial", "text_digest", extracted="text"
    )
    made = rows.join(item_digests, on="item_id").with_columns(
        scorer_id=pl.lit(scorer_id),
        scorer_version=pl.lit("1"),
        repeat=pl.lit(0, dtype=pl.Int64),
        status=pl.lit("scored"),
        value=pl.lit(value),
        revision=pl.lit(0, dtype=pl.Int64),
        reason=pl.lit("as it says"),
    )
    return VERDICTS.complete(made)


def small_study(path: Path) -> Study:
    """Three items, two systems, their predictions, and verdicts of one scorer on the first."""
    study = Study.create(path, name="small")
    study.add_items([item(item_id) for item_id in ITEM_IDS], benchmark="demo")
    for system, run_id in ((SYSTEM, RUN), (OTHER, "run-2")):
        study.add_system(system)
        study.add_run(RunRecord(run_id=run_id, system_id=system.system_id))
        rows = answers(system, run_id=run_id)
        study.commit("predictions", rows, partition=in_run(system, run_id))
    study.add_scorer("exact", "1", name="exact", spec="{}", package_version="0")
    study.commit("verdicts", marks(study), partition=of_scorer("exact"))
    return study
