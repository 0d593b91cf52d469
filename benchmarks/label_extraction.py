"""Speed of label counting against the twenty-line function, side by side, and memory at scale.

    python benchmarks/label_extraction.py [--replies 1000000] [--scale 10000000] [--json FILE]

The peer is the counting function as one would write it: for each reply, lower-case it and ask of
every label whether it occurs.  Both count the same replies in one run and must agree on every
count.  First all replies are different, then each stands ten times.  With `--scale` a Parquet file
of that many replies and twenty labels is written aside and counted in one pass in a process of its
own; its greatest memory is reported.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import tempfile
import time
from pathlib import Path

import polars as pl

from finassay.marking.label_counts import label_histogram, parquet_replies

LABELS = (
    "dovish", "hawkish", "neutral", "positive", "negative", "rumour", "complete", "noise",
    "causal", "good", "bad", "yes", "no", "rise", "fall", "climate", "governance", "labour",
    "water", "emission",
)  # fmt: skip
WORDS = (
    "the", "client", "has", "a", "stable", "income", "and", "revenue", "margin", "guidance",
    "was", "raised", "while", "costs", "fell", "in", "quarter", "operating", "outlook",
    "remains", "cautious", "profit", "net", "capital", "ratio", "board", "dividend",
)  # fmt: skip
FEWEST_CHARACTERS = 120


def replies(count, seed):
    rng = random.Random(seed)
    texts, golds = [], []
    for number in range(count):
        words = rng.choices(WORDS, k=22)
        if rng.random() < 0.9:
            words[rng.randrange(len(words))] = rng.choice(LABELS).capitalize()
        text = f"{' '.join(words)} {number:x}"
        texts.append(text.ljust(FEWEST_CHARACTERS, "."))
        golds.append(rng.choice(LABELS))
    return texts, golds


def peer(texts, golds, labels):
    """Return (covered, ambiguous, contested, forced right) by a loop over replies and labels."""
    covered = ambiguous = contested = right = 0
    for text, gold in zip(texts, golds, strict=True):
        lowered = text.lower()
        named = [label for label in labels if label.lower() in lowered]
        covered += bool(named)
        if len(named) > 1:
            ambiguous += 1
            contested += gold in named
        elif named == [gold]:
            right += 1
    return covered, ambiguous, contested, right


def ours(texts, golds, labels):
    return figures(label_histogram([pl.DataFrame({"reply": texts, "gold": golds})], choices=labels))


def figures(histogram):
    covered = ambiguous = contested = right = 0
    for (_, gold, named), count in histogram.cells:
        several = named.bit_count() > 1
        covered += count * (named > 0)
        ambiguous += count * several
        contested += count * (several and bool(named >> gold & 1))
        right += count * (named == 1 << gold)
    return covered, ambiguous, contested, right


def timed(function, *args):
    start = time.perf_counter()
    result = function(*args)
    return result, time.perf_counter() - start


def compare(name, texts, golds):
    mine, mine_s = timed(ours, texts, golds, LABELS)
    theirs, theirs_s = timed(peer, texts, golds, LABELS)
    if mine != theirs:
        raise SystemExit(f"{name}: the counts differ: {mine} and {theirs}")
    count = len(texts)
    return {
        "replies": count,
        "distinct": len(set(texts)),
        "counts": mine,
        "peer_us_per_reply": theirs_s / count * 1e6,
        "finassay_us_per_reply": mine_s / count * 1e6,
        "ratio": theirs_s / mine_s,
    }


def write_scale(path, count, seed):
    part = min(count, 500_000)
    texts, golds = replies(part, seed)
    frame = pl.DataFrame({"reply": texts, "gold": golds})
    pieces = [
        frame.lazy().with_columns(pl.col("reply") + f" {number}")
        for number in range(-(-count // part))
    ]
    pl.concat(pieces).head(count).sink_parquet(path)


def scale(path, queue):
    start = time.perf_counter()
    histogram = label_histogram(parquet_replies(path), choices=LABELS)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    queue.put((histogram.n, time.perf_counter() - start, peak))


def at_scale(count, seed):
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "replies.parquet"
        writer = context.Process(target=write_scale, args=(path, count, seed))
        writer.start()
        writer.join()
        queue = context.Queue()
        counter = context.Process(target=scale, args=(path, queue))
        counter.start()
        n, seconds, peak = queue.get()
        counter.join()
    return {"replies": n, "labels": len(LABELS), "seconds": seconds, "peak_gib": peak / 2**30}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replies", type=int, default=1_000_000)
    parser.add_argument("--scale", type=int, default=0, help="replies of the pass over a file")
    parser.add_argument("--seed", type=int, default=20260)
    parser.add_argument("--json", default=None, help="also write the figures to this file")
    options = parser.parse_args()

    texts, golds = replies(options.replies, options.seed)
    ours(texts[:1000], golds[:1000], LABELS)  # load libraries before the clock starts
    few = max(1, options.replies // 10)
    rng = random.Random(options.seed)
    order = [number % few for number in range(options.replies)]
    rng.shuffle(order)
    result = {
        "all_distinct": compare("all distinct", texts, golds),
        "ten_to_one": compare("ten to one", [texts[i] for i in order], [golds[i] for i in order]),
    }
    if options.scale:
        result["scale"] = at_scale(options.scale, options.seed)
    print(json.dumps(result, indent=2))
    if options.json:
        Path(options.json).write_text(json.dumps(result, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
