"""A study of 100,000 predictions to try the web application on, made up from a seed.

    python benchmarks/web_study.py DIRECTORY [--systems 50] [--items 2000]

Marked under three rules and by a judge whose prompts and replies are kept, with regimes over them
and labels of two people.  A directory that holds such a study already is left as it is.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path

import polars as pl

from finassay.marking.regime_scoring import score_regimes
from finassay.marking.scoring import score_study
from finassay.records import Item, Prediction, RunRecord, SystemSpec, Verdict, content_id
from finassay.study import Study
from finassay.study.filing import file_verdicts
from finassay.study.label_records import Label
from finassay.study.labels import LabelStore, append_labels
from finassay.study.nested import EVIDENCE, JUDGING, SHOWN_SYSTEM, add_prompts, open_judging
from finassay.study.rows import predictions_frame, verdict_row

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))

from made_up_studies import make_study

SEED = 11
NAME = "made up at scale"
SCORERS = ("strict/numbers-first", "financial", "token_set")
JUDGE = "judge/made-judge/single/human/A"
JUDGE_SPEC = SystemSpec(name="made-judge", model="made/judge", provider="made")
SLIPS = 0.08
LABELS_EACH = 400
CONTEXT_SENTENCES = 4
PER_DOCUMENT = 8


def build(root, *, n_systems=50, n_items=2000):
    """Make the study at `root` unless it is there, and return it."""
    if (root / "study.toml").exists():
        return Study.open(root)
    made = root.with_name(f"{root.name}.making")
    shutil.rmtree(made, ignore_errors=True)
    source = make_study(SEED, n_items=n_items, n_systems=n_systems)
    study = Study.create(made, name=NAME, unscored="wrong")
    items = items_of(source)
    study.add_items(items, benchmark="made-up")
    specs = {name: spec_of(name) for name in source.systems}
    for name, spec in specs.items():
        answers(study, spec, source.texts[name])
    score_study(study, scorers=SCORERS)
    judge(study, source, items, specs)
    score_regimes(study)
    label(study, source, items, specs)
    made.rename(root)
    return Study.open(root)


def items_of(source):
    """Return the items with passages, documents and difficulty labels that mean something."""
    rng = random.Random(SEED)
    rate = source.truth.mean(axis=1)
    found = []
    for at, item in enumerate(source.items):
        heard = rate[at] + rng.gauss(0.0, 0.12)
        label = "easy" if heard > 0.85 else "medium" if heard > 0.6 else "hard"
        others = rng.sample(source.questions, CONTEXT_SENTENCES)
        told = [f"{one.item.question.removesuffix('?')}: {one.item.reference}." for one in others]
        own = f"{item.question.removesuffix('?')}: {item.reference}."
        context = " ".join(rng.sample([own, *told], len(told) + 1))
        document = f"circular-{at // PER_DOCUMENT:03d}"
        found.append(replace(item, difficulty=label, context=context, documents=(document,)))
    return found


def spec_of(name):
    family = name.partition("-")[0]
    return SystemSpec(name=name, model=f"made/{name}", provider="made", model_family=family)


def answers(study, spec, texts):
    """File one system's replies; a few of them are empty or cut."""
    rng = random.Random(f"{SEED} {spec.name}")
    study.add_system(spec)
    run_id = f"run of {spec.name}"
    study.add_run(RunRecord(run_id=run_id, system_id=spec.system_id))
    rows = []
    for item_id, text in texts.items():
        fate = rng.random()
        said, finish = ("", "empty") if fate < 0.01 else (text, "stop")
        if 0.01 <= fate < 0.02:
            said, finish = text[: max(1, len(text) // 2)], "truncated"
        rows.append(
            Prediction(
                item_id=item_id, system_id=spec.system_id, text=said, finish=finish, run_id=run_id
            )
        )
    partition = {"system_id": spec.system_id, "run_id": run_id}
    study.commit("predictions", predictions_frame(rows), partition=partition)


def judge(study, source, items, specs):
    """File what a made-up judge says of every open reply, and what it was asked."""
    inner = open_judging(study)
    inner.add_system(JUDGE_SPEC)
    inner.add_run(RunRecord(run_id="run of made-judge", system_id=JUDGE_SPEC.system_id))
    spec = json.dumps({"scorer": "judge", "judge": JUDGE_SPEC.name, EVIDENCE: JUDGING})
    study.add_scorer(JUDGE, "1", name=JUDGE, spec=spec, package_version="made")
    prompts, replies, by_system = {}, {}, {}
    digests = {item.item_id: item.item_digest for item in items}
    snapshot = study.snapshot()
    for j, (name, system) in enumerate(specs.items()):
        rng = random.Random(f"{SEED} judge {name}")
        held = snapshot.frame("predictions", system_id=system.system_id)
        said = {row["item_id"]: row for row in held.iter_rows(named=True)}
        rows = []
        for i, item in enumerate(items):
            if item.family == "CON":
                continue
            one = said[item.item_id]
            prompt = prompt_of(item, one["text"], system.system_id)
            is_right = bool(source.truth[i, j]) and one["finish"] == "stop"
            word = "correct" if is_right != (rng.random() < SLIPS) else "incorrect"
            reply = Prediction(
                item_id=prompt.item_id,
                system_id=JUDGE_SPEC.system_id,
                text=f"The reply says {one['text'][:80]!r}. VERDICT: {word.upper()}",
                finish="stop",
                run_id="run of made-judge",
            )
            prompts[prompt.item_id] = prompt
            replies.setdefault(prompt.item_id, reply)
            verdict = Verdict(
                status="scored",
                value=float(word == "correct"),
                label=word,
                reason=f"the judge says {word.upper()}",
                evidence_id=reply.prediction_id,
            )
            rows.append(
                verdict_row(
                    verdict,
                    item_id=item.item_id,
                    trial=0,
                    text_digest=one["text_digest"],
                    item_digest=digests[item.item_id],
                )
            )
        by_system[system.system_id] = rows
    add_prompts(inner, prompts.values())
    partition = {"system_id": JUDGE_SPEC.system_id, "run_id": "run of made-judge"}
    inner.commit("predictions", predictions_frame(replies.values()), partition=partition)
    for system_id, rows in by_system.items():
        file_verdicts(study, rows, scorer=(JUDGE, "1"), system_id=system_id)


def prompt_of(item, reply, system_id):
    words = (
        f"Question: {item.question}\nReference: {item.reference}\nReply: {reply}\n"
        f"Is the reply correct? End with VERDICT: CORRECT or VERDICT: INCORRECT."
    )
    return Item(
        item_id=content_id(words),
        benchmark=JUDGING,
        question=words,
        strata=((SHOWN_SYSTEM, system_id),),
    )


def label(study, source, items, specs):
    """Let two people label the same replies; they differ on some."""
    rng = random.Random(SEED)
    rows = {item.item_id: i for i, item in enumerate(items)}
    names = list(specs)
    drawn = {(rng.choice(items).item_id, rng.choice(names)) for _ in range(LABELS_EACH)}
    said = []
    for person in ("asha", "ben"):
        for item_id, name in sorted(drawn):
            is_right = bool(source.truth[rows[item_id], names.index(name)])
            is_right ^= rng.random() < SLIPS
            said.append(
                Label(
                    annotator=person,
                    item_id=item_id,
                    system_id=specs[name].system_id,
                    label="correct" if is_right else "incorrect",
                    value=float(is_right),
                )
            )
    with LabelStore.of(study) as store:
        with store.engine.begin() as connection:
            append_labels(connection, said)
        store.materialise(study)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--systems", type=int, default=50)
    parser.add_argument("--items", type=int, default=2000)
    args = parser.parse_args()
    start = time.perf_counter()
    study = build(args.directory, n_systems=args.systems, n_items=args.items)
    counts = {
        table: int(study.snapshot().scan(table).select(pl.len()).collect().item())
        for table in ("items", "systems", "predictions", "verdicts")
    }
    print(f"{args.directory}: {counts}, {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
