"""Runs of Inspect in a process of their own: it leaves streams open, which our tests forbid.

    python tests/inspect_runs.py SCENE FOLDER

runs a scene and prints what came of it as JSON.  A scene gets a folder of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from finassay.benchmarks.bundled import load_bundled
from finassay.records import Item, Prediction, RunRecord, SystemSpec
from finassay.study import Study
from finassay.study.rows import predictions_frame

SYSTEM = SystemSpec(name="alpha", model="alpha-7b")
ITEMS = (
    Item(item_id="1", question="What is the fee?", context="The fee is 3%.", reference="3%"),
    Item(item_id="2", question="How long?", context="Ten days.", reference="10 days"),
)
SOME = load_bundled("finassay-regqa")[::15]
"""Items that baselines are asked inside Inspect."""

INSIDE = ("majority", "bm25-quantity")
"""Baselines that are asked inside Inspect: one of them looks at all items."""

FIELDS = ("text", "reasoning", "finish", "tokens_in", "tokens_out")
"""What is compared of a reply."""

RECORDED = tuple(
    Prediction(
        item_id=item.item_id,
        system_id=SYSTEM.system_id,
        trial=trial,
        text=f"{item.reference} in trial {trial}",
        reasoning="let me see" if trial else "",
        finish="truncated" if trial else "stop",
        tokens_in=11,
        tokens_out=7 + trial,
        run_id="r",
    )
    for item in ITEMS
    for trial in (0, 1)
)
"""Replies of a study that is replayed."""

MARKED = (
    Item(item_id="a", reference="5%", question="What share?", documents=("d1",)),
    Item(item_id="b", reference="30 days", question="How long?", documents=("d1", "d2")),
    Item(item_id="c", reference="Yes", question="Is it so?", documents=("d2",)),
    Item(item_id="d", reference="EUR 7", question="How much?", documents=("d3",)),
    Item(item_id="e", reference=None, question="Who?"),
)
SAID = {"a": "5 per cent", "b": "31 days", "c": "", "d": "x" * 20_000 + " EUR 7", "e": "Me."}
"""Replies that are marked inside Inspect; one is long, one silent."""


def scene(name: str, folder: Path) -> Any:  # noqa: ANN401 - whatever the scene prints
    """Run a scene in a process of its own and return what it printed."""
    done = subprocess.run(
        [sys.executable, __file__, name, str(folder)],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.strip().splitlines()[-1])


def study_of(path: Path, predictions: Sequence[Prediction]) -> Path:
    """Make a study of `ITEMS` with the predictions of one system."""
    study = Study.create(path)
    study.add_items(ITEMS, benchmark="b")
    study.add_system(SYSTEM)
    study.add_run(RunRecord(run_id="r", system_id=SYSTEM.system_id))
    study.commit(
        "predictions",
        predictions_frame(predictions),
        partition={"system_id": SYSTEM.system_id, "run_id": "r"},
    )
    return path


def _eval(model: Any, items: Sequence[Item], folder: Path, **options: Any) -> list[Any]:  # noqa: ANN401
    import inspect_ai  # noqa: PLC0415
    from inspect_ai.solver import generate  # noqa: PLC0415

    from finassay.integrations.inspect_tasks import dataset_of  # noqa: PLC0415

    scorer = options.pop("scorer", None)
    dataset = options.pop("dataset", None) or dataset_of(items, "b")
    task = inspect_ai.Task(dataset=dataset, solver=generate(), scorer=scorer)
    settings = {"log_dir": str(folder / "logs"), "display": "none", "fail_on_error": False}
    return inspect_ai.eval(task, model=model, **settings, **options)


def _replies(log: Any) -> list[Any]:  # noqa: ANN401
    from finassay.integrations.inspect_samples import prediction_of  # noqa: PLC0415

    found = []
    for sample in log.samples:
        reply = prediction_of(sample.output, item_id=str(sample.id), trial=sample.epoch - 1)
        said = [getattr(reply, name) for name in FIELDS]
        found.append([reply.item_id, reply.trial, said, sample.error and sample.error.message])
    return found


def models(folder: Path) -> dict[str, Any]:
    """Ask baselines, replays and scripts, and return the replies."""
    from inspect_ai.dataset import Sample  # noqa: PLC0415
    from inspect_ai.model import get_model  # noqa: PLC0415

    from finassay.integrations.inspect_models import replay_model  # noqa: PLC0415

    logs = _eval([f"finassay/{name}" for name in INSIDE], SOME, folder)
    whole = replay_model(study_of(folder / "whole", RECORDED), "alpha")
    part = replay_model(study_of(folder / "part", RECORDED[:1]), "alpha")
    script = folder / "script.jsonl"
    script.write_text('{"item_id": "1", "text": "3%"}\n{"item_id": "*", "text": ""}\n', "utf-8")
    scripted = get_model("finassay/scripted", replies=str(script), memoize=False)
    item = SOME[0]
    other = [Sample(id="007", input=f"Read: {item.context}\n\nQ: {item.question}\nA:")]
    return {
        "baselines": [_replies(log) for log in logs],
        "replay": _replies(_eval(whole, ITEMS, folder, epochs=2)[0]),
        "part": _replies(_eval(part, ITEMS, folder)[0]),
        "script": _replies(_eval(scripted, ITEMS, folder)[0]),
        "other task": _replies(_eval("finassay/bm25-sentence", (), folder, dataset=other)[0]),
    }


def scores(folder: Path) -> dict[str, Any]:
    """Mark scripted replies by our rules in several ways, and return scores and metrics."""
    from inspect_ai import score  # noqa: PLC0415
    from inspect_ai.dataset import Sample  # noqa: PLC0415
    from inspect_ai.scorer import precomputed_scores  # noqa: PLC0415

    from finassay.integrations.inspect_models import scripted_model  # noqa: PLC0415
    from finassay.integrations.inspect_scorers import mark, named  # noqa: PLC0415

    model = scripted_model(SAID)
    rules = [
        named("financial")(),
        named("financial")(unscored="exclude"),
        mark("strict/as-stated"),
        named("strict/as-stated")(threshold=0.99),
    ]
    (log,) = _eval(model, MARKED, folder, scorer=rules)
    plain = [
        Sample(id="x", input="What share?", target=["5%", "one in twenty"], metadata={"doc_id": 1}),
        Sample(id="y", input="Pick", choices=["red", "blue"], target="B"),
    ]
    said = scripted_model({"x": "one in twenty", "y": "Answer: B"})
    (bare,) = _eval(said, (), folder, dataset=plain, scorer=[named("exact")(), named("choice")()])
    written = folder / "written.jsonl"
    again = []
    if written.exists():
        held = precomputed_scores(str(written))
        again = _scores(score(log, held, action="overwrite", display="none"))
    return {
        "log": log.location,
        "marked": _scores(log),
        "metrics": {s.name: {k: m.value for k, m in s.metrics.items()} for s in log.results.scores},
        "counted": {s.name: [s.scored_samples, s.unscored_samples] for s in log.results.scores},
        "bare": _scores(bare),
        "again": again,
    }


def _scores(log: Any) -> list[Any]:  # noqa: ANN401
    return [
        [str(s.id), name, found.model_dump(mode="json")]
        for s in log.samples
        for name, found in (s.scores or {}).items()
    ]


SCENES: dict[str, Callable[[Path], dict[str, Any]]] = {"models": models, "scores": scores}

if __name__ == "__main__":
    sys.stdout.write(json.dumps(SCENES[sys.argv[1]](Path(sys.argv[2]))) + "\n")
