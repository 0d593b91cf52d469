"""Speed of `financial` on distinct replies without caches, beside Math-Verify on the same rows.

    python benchmarks/financial_speed.py [--replies 1000] [--json FILE]

The rows are answers of models to questions on annual reports where FINASSAY_DATA names a folder
with `financebench`, else replies put together from the bundled set; both have about 700 characters
on average.  No reply stands twice, and caches that are keyed by a text are taken out, so that each
comparison reads both sides anew.  The peer is `verify(parse(reference), parse(reply))` of
Math-Verify without time limits.  Times are processor seconds of one process, so they are per core.
What repetition gives is measured apart: the same rows, each twelve times, caches in place.

Ends with 1 below 1,500 comparisons a second or 8 times the peer (`--floor 0` only measures).
"""

from __future__ import annotations

import argparse
import inspect
import json
import logging
import os
import random
import statistics
import sys
import time
from pathlib import Path

from math_verify import parse, verify

from finassay.benchmarks.adversarial import adversarial_replies
from finassay.records import Item, Prediction
from finassay.scorers.registry import load_scorer

FLOOR_PER_SECOND = 1_500
FLOOR_RATIO = 8
TEXT_ARGUMENTS = {"text", "reply", "reference", "question", "low", "item", "prediction"}


def rows(count, seed):
    """Return (source, pairs of item and prediction), no reply twice."""
    root = os.environ.get("FINASSAY_DATA")
    file = Path(root) / "financebench" / "answers_with_human_labels.jsonl" if root else None
    if file is not None and file.is_file():
        lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        found = [(str(r["question"]), str(r["gold_answer"]), str(r["model_answer"])) for r in lines]
        return "financebench", distinct(found)[:count]
    return "bundled", distinct(made(random.Random(seed), count))


def made(rng, count):
    replies = adversarial_replies()
    found = []
    for _ in range(count):
        answer, others = rng.choice(replies), rng.sample(replies, k=4)
        text = "\n\n".join((*(one.prediction.text for one in others), answer.prediction.text))
        found.append((answer.item.question, answer.item.reference, text))
    return found


def distinct(found):
    seen = {}
    for question, reference, reply in found:
        if reply.strip():
            item = Item(item_id=str(len(seen)), question=question, reference=reference)
            seen.setdefault(reply, (item, Prediction(item_id=item.item_id, text=reply)))
    return list(seen.values())


def take_out_caches():
    """Replace every cached function of finassay that takes a text by what it wraps."""
    modules = [m for name, m in list(sys.modules.items()) if name.startswith("finassay")]
    taken = {}
    for module in modules:
        for name, value in list(vars(module).items()):
            wrapped = getattr(value, "__wrapped__", None)
            cached = wrapped is not None and hasattr(value, "cache_clear")
            if cached and TEXT_ARGUMENTS & set(inspect.signature(wrapped).parameters):
                setattr(module, name, wrapped)
                taken[f"{wrapped.__module__}.{wrapped.__qualname__}"] = True
    return sorted(taken)


def mark_all(scorer, pairs):
    return [scorer.score(item=item, prediction=prediction).value for item, prediction in pairs]


def math_verify_all(pairs):
    return [
        verify(
            parse(item.reference, parsing_timeout=None),
            parse(prediction.text, parsing_timeout=None),
            timeout_seconds=None,
        )
        for item, prediction in pairs
    ]


def timed(function, *args):
    start = time.process_time()
    result = function(*args)
    return result, time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replies", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3, help="the fastest round counts")
    parser.add_argument("--scorer", default="financial")
    parser.add_argument("--seed", type=int, default=20262)
    parser.add_argument("--floor", type=float, default=1.0, help="share of the floors to hold to")
    parser.add_argument("--json", default=None, help="also write the figures to this file")
    options = parser.parse_args()

    logging.disable(logging.WARNING)
    source, pairs = rows(options.replies, options.seed)
    scorer = load_scorer(options.scorer)
    repeated = pairs * 12
    mark_all(scorer, pairs[:20])
    values, repeated_s = timed(mark_all, scorer, repeated)
    taken_out = take_out_caches()
    rounds = [timed(mark_all, scorer, pairs) for _ in range(options.rounds)]
    ours_s = min(seconds for _, seconds in rounds)
    math_verify_all(pairs[:20])
    theirs, theirs_s = timed(math_verify_all, pairs)
    figures = {
        "rows": source,
        "replies": len(pairs),
        "mean_characters": statistics.fmean(len(p.text) for _, p in pairs),
        "scorer": options.scorer,
        "caches_taken_out": taken_out,
        "comparisons_per_second": len(pairs) / ours_s,
        "microseconds_per_comparison": ours_s / len(pairs) * 1e6,
        "math_verify_per_second": len(pairs) / theirs_s,
        "ratio": theirs_s / ours_s,
        "same_verdict": sum(
            (v == 1.0) == bool(t) for v, t in zip(rounds[0][0], theirs, strict=True)
        ),
        "per_second_when_each_row_stands_12_times_with_caches": len(repeated) / repeated_s,
    }
    print(json.dumps(figures, indent=2))
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=2), encoding="utf-8")
    if values[: len(pairs)] != rounds[0][0]:
        raise SystemExit("caches change verdicts")
    slow = figures["comparisons_per_second"] < options.floor * FLOOR_PER_SECOND
    behind = figures["ratio"] < options.floor * FLOOR_RATIO
    return 1 if slow or behind else 0


if __name__ == "__main__":
    sys.exit(main())
