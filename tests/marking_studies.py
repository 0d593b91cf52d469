"""Ways to fill small studies that the tests of the marking room share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from finassay.records import Prediction, RunRecord, Status, SystemSpec
from finassay.study import Study
from finassay.study.rows import predictions_frame
from finassay.study.schemas import VERDICTS


def put_replies(study: Study, spec: SystemSpec, replies: Mapping[str, str]) -> None:
    run_id = f"run-{spec.name}"
    study.add_run(RunRecord(run_id=run_id, system_id=spec.system_id))
    rows = predictions_frame(
        Prediction(item_id=item_id, system_id=spec.system_id, text=text, run_id=run_id)
        for item_id, text in replies.items()
    )
    study.commit("predictions", rows, partition={"system_id": spec.system_id, "run_id": run_id})


Said = Sequence[tuple[str, Status, float | None]]


def put_verdicts(
    study: Study,
    said: Said,
    *,
    spec: SystemSpec,
    scorer_id: str = "judge/a",
    repeats: int = 1,
    text_digest: str | None = None,
) -> None:
    rows = [
        {
            "item_id": item_id,
            "system_id": spec.system_id,
            "trial": 0,
            "scorer_id": scorer_id,
            "scorer_version": "1",
            "repeat": repeat,
            "status": status,
            "value": value,
            "reason": "as read",
            "revision": 0,
            "text_digest": text_digest,
        }
        for item_id, status, value in said
        for repeat in range(repeats)
    ]
    frame = VERDICTS.complete(pl.DataFrame(rows, schema_overrides=dict(VERDICTS.columns)))
    partition = {"scorer_id": scorer_id, "scorer_version": "1", "system_id": spec.system_id}
    study.commit("verdicts", frame, partition=partition)


Cells = dict[str, tuple[str, float | None]]


def regime_cells(study: Study, name: str, spec: SystemSpec) -> Cells:
    """Return (status, value) by item under a regime."""
    frame = study.snapshot().frame("verdicts", system_id=spec.system_id, scorer_id=f"regime/{name}")
    return {row["item_id"]: (row["status"], row["value"]) for row in frame.iter_rows(named=True)}
