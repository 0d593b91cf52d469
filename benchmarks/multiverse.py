"""Speed of a multiverse against rule by rule, side by side, and memory at scale.

    python benchmarks/multiverse.py [--all] [--rules 1000] [--scale 100000] [--json FILE]

Ours marks the replies of twelve systems to 406 items under every rule in one pass.  The peer calls
`rule.score` on every reply for every rule.  Both run in one process on the same records, and every
verdict of the peer is compared.  The rules are those of the grid that ships which compare texts;
its rules for typed answers, whose common measure takes longest, are timed by themselves.  Without
`--all` the peer marks with 25 rules (and one typed rule) drawn from the grid and its time is taken
for all; with it, with all of them (about ten minutes).  `--scale` marks that many distinct replies
under the same rules in a process of its own and reports its greatest memory.  Needs the data folder
that FINASSAY_DATA names.

Floors: ours within 10 s, at least 100 times as fast as the peer, no verdict that differs, at
least 300 distinct verdict vectors, at most 4 GiB at scale.
"""

from __future__ import annotations

import argparse
import csv
import json
import multiprocessing
import os
import random
import resource
import sys
import time
from pathlib import Path

import numpy as np

from finassay.marking.batch import Batch
from finassay.marking.multiverse.blocks import BLOCK
from finassay.marking.multiverse.coder import Coder
from finassay.marking.multiverse.codes import code_of
from finassay.marking.multiverse.cube import collapsed
from finassay.marking.multiverse.grid_file import built_in_grid
from finassay.records import Item, Prediction

SYSTEMS = (
    "deepseek_r1_70b", "gemini", "gemini25_pro", "gemma4_e4b", "gpt_oss_120b", "gpt_oss_20b",
    "groq70b", "kimi_k2", "llama3", "llama4scout", "mistral", "qwen3_32b",
)  # fmt: skip
MOST_SECONDS, LEAST_RATIO, LEAST_DISTINCT, MOST_GIB = 10.0, 100.0, 300, 4.0
SEED = 7


def records():
    """Return the items and predictions of the twelve files."""
    root = Path(os.environ["FINASSAY_DATA"]) / "indiafinbench"
    items = {
        entry["id"]: Item(item_id=entry["id"], task=entry["task_type"], reference=entry["answer"])
        for entry in json.loads((root / "items.json").read_text(encoding="utf-8"))
    }
    found = []
    for system in SYSTEMS:
        with (root / "predictions" / f"{system}.csv").open(encoding="utf-8", newline="") as lines:
            found += [
                (items[row["id"]], Prediction(text=row["prediction"]))
                for row in csv.DictReader(lines)
            ]
    return found


def rows_of(pairs):
    return [
        {"reference": item.reference, "reply": prediction.text, "task": item.task}
        for item, prediction in pairs
    ]


def shipped(name):
    """Return the distinct scorers of that name in the grid that ships, in its order."""
    cells = built_in_grid("qa").without("judge").cells()
    return list(dict.fromkeys(cell.scorer for cell in cells if cell.scorer.name == name))


def scorers_of(count):
    """Return `count` rules that compare texts; the same ones every time."""
    distinct = shipped("rule")
    kept = sorted(random.Random(SEED).sample(range(len(distinct)), min(count, len(distinct))))
    return [distinct[at] for at in kept]


def ours(batch, scorers):
    coder = Coder(batch)
    return np.stack([coder.codes(scorer) for scorer in scorers])


def peer(pairs, scorer):
    return [code_of(scorer.score(item=item, prediction=one)) for item, one in pairs]


def side_by_side(scorers, *, drawn):
    """Mark with all scorers our way and with `drawn` of them the plain way; compare these."""
    pairs = records()
    batch = Batch.from_rows(rows_of(pairs))
    start, used = time.perf_counter(), time.process_time()
    codes = ours(batch, scorers)
    seconds, used = time.perf_counter() - start, time.process_time() - used
    asked = random.Random(SEED).sample(range(len(scorers)), min(drawn, len(scorers)))
    start = time.perf_counter()
    said = {at: peer(pairs, scorers[at]) for at in asked}
    plain = (time.perf_counter() - start) / len(said) * len(scorers)
    return {
        "rules": len(scorers),
        "predictions": len(pairs),
        "distinct verdict vectors": len(collapsed(codes)[0]),
        "ours, seconds": round(seconds, 2),
        "ours, CPU seconds": round(used, 2),
        "peer, seconds": round(plain, 1),
        "peer, rules marked": len(said),
        "ratio": round(plain / seconds, 1),
        "verdicts compared": len(said) * len(pairs),
        "verdicts that differ": int(sum((codes[at] != said[at]).sum() for at in said)),
    }


def at_scale(count, predictions, answer):
    """Mark distinct replies in blocks, as a study is marked, and send time and memory."""
    pairs, scorers = records(), scorers_of(count)
    codes = np.zeros((len(scorers), predictions), dtype=np.uint8)
    start = time.perf_counter()
    for begin in range(0, predictions, BLOCK):
        block = range(begin, min(begin + BLOCK, predictions))
        rows = rows_of(pairs[at % len(pairs)] for at in block)
        for at, row in zip(block, rows, strict=True):
            row["reply"] += f" ({at // len(pairs)})" if at >= len(pairs) else ""
        codes[:, begin : begin + len(block)] = ours(Batch.from_rows(rows), scorers)
    sheets, _ = collapsed(codes)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    answer.put((len(sheets), time.perf_counter() - start, used))


def scaled(count, predictions):
    context = multiprocessing.get_context("spawn")
    answer = context.Queue()
    process = context.Process(target=at_scale, args=(count, predictions, answer))
    process.start()
    distinct, seconds, used = answer.get()
    process.join()
    return {
        "at scale, predictions": predictions,
        "at scale, distinct verdict vectors": distinct,
        "at scale, seconds": round(seconds, 1),
        "at scale, GiB": round(used, 2),
    }


def missed(found):
    """Return what falls short of the floors."""
    short = []
    if found["ours, seconds"] > MOST_SECONDS:
        short.append(f"more than {MOST_SECONDS} s")
    if found["ratio"] < LEAST_RATIO:
        short.append(f"less than {LEAST_RATIO} times as fast")
    if found["verdicts that differ"] or found["typed, verdicts that differ"]:
        short.append("verdicts differ")
    if found["rules"] >= 1000 and found["distinct verdict vectors"] < LEAST_DISTINCT:
        short.append(f"fewer than {LEAST_DISTINCT} distinct verdict vectors")
    if found.get("at scale, GiB", 0.0) > MOST_GIB:
        short.append(f"more than {MOST_GIB} GiB")
    return short


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rules", type=int, default=1000)
    parser.add_argument("--all", action="store_true", help="the peer marks with every rule")
    parser.add_argument("--scale", type=int, default=0, metavar="PREDICTIONS")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    scorers = scorers_of(asked.rules)
    found = side_by_side(scorers, drawn=len(scorers) if asked.all else 25)
    typed = side_by_side(shipped("financial"), drawn=24 if asked.all else 1)
    found |= {f"typed, {name}": value for name, value in typed.items()}
    if asked.scale:
        found |= scaled(asked.rules, asked.scale)
    for name, value in found.items():
        print(f"{name:40} {value:>14,}" if isinstance(value, int) else f"{name:40} {value:>14}")
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    short = missed(found)
    for reason in short:
        print(f"below the floor: {reason}", file=sys.stderr)
    return bool(short)


if __name__ == "__main__":
    sys.exit(main())
