"""Speed of `financial` on distinct replies, beside Math-Verify on the same rows.

    python benchmarks/financial_speed.py [--replies 1000] [--json FILE]

The rows are answers of models to questions on annual reports where FINASSAY_DATA names a folder
with `financebench`, else replies put together from the bundled set; both have about 700 characters
on average.  No reply stands twice, and nothing is kept of a reply.  Two figures: *shared item side*
keeps question, reference and contract read, as where many systems answer one item; *fresh* empties
all that is kept of a text before each comparison, so that both sides are read anew.  The peer is
`verify(parse(reference), parse(reply))` of Math-Verify as its users call it, time limits included.
Times are processor seconds of one process, the fastest round counts, so they are per core.

The aim is 1,500 comparisons a second and 8 times the peer.  Ends with 1 below the floors, which are
what is reached, less room for a busy machine (`--floor 0` only measures).
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

AIM_PER_SECOND, AIM_RATIO = 1_500, 8
FLOOR_PER_SECOND, FLOOR_RATIO = 600, 2.0
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


def kept_texts():
    """Return what empties each cache of finassay that is keyed by a text, by name."""
    found = {}
    for module in [m for name, m in list(sys.modules.items()) if name.startswith("finassay")]:
        for value in list(vars(module).values()):
            wrapped = getattr(value, "__wrapped__", None)
            cached = wrapped is not None and hasattr(value, "cache_clear")
            if cached and TEXT_ARGUMENTS & set(inspect.signature(wrapped).parameters):
                found[f"{wrapped.__module__}.{wrapped.__qualname__}"] = value.cache_clear
    return found


def mark_all(scorer, pairs):
    return [scorer.score(item=item, prediction=prediction).value for item, prediction in pairs]


def mark_fresh(scorer, pairs, empty):
    values = []
    for item, prediction in pairs:
        for forget in empty:
            forget()
        values.append(scorer.score(item=item, prediction=prediction).value)
    return values


def math_verify_all(pairs):
    return [verify(parse(item.reference), parse(p.text)) for item, p in pairs]


def calls(scorer, pairs):
    """Return the calls that one comparison makes on average: Python functions and built-ins."""
    counted = 0

    def count(_frame, event, _arg):
        nonlocal counted
        counted += event in {"call", "c_call"}

    sys.setprofile(count)
    mark_all(scorer, pairs)
    sys.setprofile(None)
    return counted / len(pairs)


KINDS = {
    "shared": (
        "shared_item_side_per_second",
        "ratio_with_shared_item_side",
        "question, reference and contract are read once an item, each reply anew",
    ),
    "fresh": ("fresh_per_second", "ratio_fresh", "all is read anew for each comparison"),
}


def table(figures):
    """Return ours, the peer's and their ratio for both kinds of comparison, and what each is."""
    peer = figures["math_verify_per_second"]
    lines = [f"{'':8}{'ours /s':>9}{'peer /s':>9}{'ratio':>7}"]
    for kind, (ours, ratio, what) in KINDS.items():
        lines.append(f"{kind:8}{figures[ours]:9.0f}{peer:9.0f}{figures[ratio]:7.2f}  {what}")
    aim = f"aim: {AIM_PER_SECOND:,} a second and {AIM_RATIO} times the peer"
    return "\n".join((*lines, aim))


def timed(function, *args):
    start = time.process_time()
    result = function(*args)
    return result, time.process_time() - start


def fastest(rounds, function, *args):
    results = [timed(function, *args) for _ in range(rounds)]
    return min(results, key=lambda result: result[1])


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
    empty = kept_texts()
    mark_all(scorer, pairs)
    shared, shared_s = fastest(options.rounds, mark_all, scorer, pairs)
    fresh, fresh_s = fastest(options.rounds, mark_fresh, scorer, pairs, list(empty.values()))
    math_verify_all(pairs[:20])
    theirs, theirs_s = timed(math_verify_all, pairs)
    figures = {
        "rows": source,
        "replies": len(pairs),
        "items": len({(item.question, item.reference) for item, _ in pairs}),
        "mean_characters": statistics.fmean(len(p.text) for _, p in pairs),
        "scorer": options.scorer,
        "shared_item_side_per_second": len(pairs) / shared_s,
        "fresh_per_second": len(pairs) / fresh_s,
        "math_verify_per_second": len(pairs) / theirs_s,
        "ratio_with_shared_item_side": theirs_s / shared_s,
        "ratio_fresh": theirs_s / fresh_s,
        "aim": {"per_second": AIM_PER_SECOND, "ratio": AIM_RATIO},
        "calls_per_comparison_with_shared_item_side": calls(scorer, pairs),
        "same_verdict": sum((v == 1.0) == bool(t) for v, t in zip(shared, theirs, strict=True)),
        "emptied_when_fresh": sorted(empty),
    }
    print(json.dumps(figures, indent=2))
    print(table(figures))
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=2), encoding="utf-8")
    if shared != fresh:
        raise SystemExit("what is kept of texts changes verdicts")
    slow = figures["shared_item_side_per_second"] < options.floor * FLOOR_PER_SECOND
    behind = figures["ratio_with_shared_item_side"] < options.floor * FLOOR_RATIO
    return 1 if slow or behind else 0


if __name__ == "__main__":
    sys.exit(main())
