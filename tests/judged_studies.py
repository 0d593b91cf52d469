"""Small studies that judges are let loose on, and requests for them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from finassay.judges import JudgeRequest, Protocol
from finassay.records import AnswerContract, Finish, Item, Prediction, RunRecord, SystemSpec
from finassay.runs.requests import Effort
from finassay.study import Study
from finassay.study.rows import predictions_frame
from scripted_server import Script, ScriptedServer, scripted_server

JUDGE = "openai-api/scripted/judge-1"
QUICK = Effort(retries=2, longest_wait_s=0.01)

ITEMS = (
    *(
        Item(
            item_id=f"q{n}",
            benchmark="terms",
            family="open",
            question=f"How long is term {n}?",
            context=f"Term {n} ends after {5 * n} days.",
            reference=f"{5 * n} days",
        )
        for n in range(1, 7)
    ),
    Item(
        item_id="r1",
        benchmark="terms",
        family="open",
        question="Who signs?",
        context="The board signs.",
    ),
    Item(
        item_id="y1",
        benchmark="terms",
        family="closed",
        question="Is term 1 the shortest?",
        reference="Yes",
        contract=AnswerContract(type="yes_no"),
    ),
)
"""Six open questions, one of them without a reference, and a closed one."""

TRUTH = {item.question: item.reference for item in ITEMS if item.reference}

ALPHA = SystemSpec(name="alpha", model="p/alpha-7b", provider="p")
BETA = SystemSpec(name="beta", model="p/beta-7b", provider="p")

RIGHT = {
    item.item_id: "Yes" if item.family == "closed" else f"It takes {item.reference}."
    for item in ITEMS
    if item.reference
}
WRONG = dict.fromkeys(RIGHT, "It takes 999 days.")


@contextmanager
def served(judge: Script) -> Iterator[ScriptedServer]:
    """Yield a server on which every model is this judge, with the environment set to it."""
    with scripted_server(judge) as server:
        told = {"SCRIPTED_BASE_URL": server.url, "SCRIPTED_API_KEY": "not-a-secret"}
        with patch.dict(os.environ, told):
            yield server


def says(
    study: Study,
    spec: SystemSpec,
    texts: Mapping[str, str],
    finishes: Mapping[str, Finish] | None = None,
) -> None:
    """File a system's answers in place of what it said before."""
    study.add_system(spec)
    run_id = f"run of {spec.name}"
    study.add_run(RunRecord(run_id=run_id, system_id=spec.system_id))
    rows = [
        Prediction(
            item_id=item_id,
            system_id=spec.system_id,
            text=text,
            finish=(finishes or {}).get(item_id, "stop"),
            run_id=run_id,
        )
        for item_id, text in texts.items()
    ]
    partition = {"system_id": spec.system_id, "run_id": run_id}
    study.commit("predictions", predictions_frame(rows), partition=partition)


def study_to_judge(path: Path, *, items: Sequence[Item] = ITEMS) -> Study:
    """A right system, and one that is right on the odd terms."""
    study = Study.create(path, name="terms")
    study.add_items(items, benchmark="terms")
    mixed = {i: (RIGHT if i in ("q1", "q3", "q5", "y1") else WRONG)[i] for i in RIGHT}
    known = {item.item_id for item in items}
    for spec, texts in ((ALPHA, {**RIGHT, "r1": "The board."}), (BETA, {**mixed, "r1": "Nobody."})):
        says(study, spec, {item_id: text for item_id, text in texts.items() if item_id in known})
    return study


def request(*protocols: Protocol, judges: Sequence[str] = (JUDGE,), **more: object) -> JudgeRequest:
    """A request of the scripted judge, of one vote under each protocol by default."""
    listed = protocols or (Protocol(votes=1),)
    return JudgeRequest(
        judges=tuple(judges),
        protocols=listed,
        **{"effort": QUICK, **more},  # type: ignore[arg-type]
    )


def verdicts(study: Study, scorer_id: str) -> dict[tuple[str, str], dict[str, object]]:
    """The verdicts of a scorer by system's name and item."""
    snapshot = study.snapshot()
    names = {spec.system_id: spec.name for spec in snapshot.systems()}
    rows = snapshot.frame("verdicts", scorer_id=scorer_id)
    return {(names[row["system_id"]], row["item_id"]): row for row in rows.iter_rows(named=True)}
