"""Tables of any size for measurements.  In: a number of predictions and a seed.  Out: files.

Items ask for amounts, percentages, words or yes and no; every system has a skill of its own, and
writes short replies, some of them with a sentence around the answer.  The same seed gives the same
files.
"""

from __future__ import annotations

import csv
import json
import random
from dataclasses import dataclass
from pathlib import Path

import polars as pl

FAMILIES = ("amounts", "percentages", "terms", "yes or no")
TERMS = (
    "operating lease", "deferred tax", "goodwill impairment", "net interest margin",
    "free cash flow", "treasury stock", "contingent liability", "working capital",
)  # fmt: skip
FRAMES = ("{}", "The answer is {}.", "It is {}, as the filing says.", "Based on the context: {}")
COLUMNS = ("id", "system", "prediction")
BATCH = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How many systems answer how many items."""

    systems: int
    items: int
    seed: int = 7

    @classmethod
    def of(cls, predictions: int, *, systems: int, seed: int = 7) -> Shape:
        """Return the shape of a number of predictions over a number of systems."""
        if predictions % systems:
            raise SystemExit(f"{predictions} predictions do not divide over {systems} systems")
        return cls(systems=systems, items=predictions // systems, seed=seed)

    @property
    def predictions(self) -> int:
        """Return how many predictions there are."""
        return self.systems * self.items


def item_id(number):
    return f"item-{number:07d}"


def _answers(rng, number):
    """Return (reference, what a wrong reply says instead) of one item."""
    kind = number % len(FAMILIES)
    if kind == 0:
        amount = rng.randrange(1, 90_000)
        return f"${amount:,} million", f"${amount + rng.randrange(1, 900):,} million"
    if kind == 1:
        share = rng.randrange(1, 900) / 10
        return f"{share}%", f"{share + 1.3:.1f}%"
    if kind == 2:
        right = rng.randrange(len(TERMS))
        return TERMS[right], TERMS[right - 1]
    return ("Yes", "No") if rng.random() < 0.5 else ("No", "Yes")


def answers(shape):
    """Return (reference, wrong reply) of every item."""
    rng = random.Random(shape.seed)
    return [_answers(rng, number) for number in range(shape.items)]


def write_items(path: Path, shape: Shape) -> None:
    """Write the table of items."""
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(("id", "family", "difficulty", "question", "reference"))
        for number, (reference, _) in enumerate(answers(shape)):
            family = FAMILIES[number % len(FAMILIES)]
            level = ("easy", "medium", "hard")[number % 3]
            question = f"What does filing {number} say about its {family}?"
            writer.writerow((item_id(number), family, level, question, reference))


def rows(shape):
    """Yield (item id, system, reply), one system after the other."""
    told = answers(shape)
    for system in range(shape.systems):
        rng = random.Random(f"{shape.seed}/{system}")
        skill = 0.35 + 0.5 * (system + 1) / shape.systems
        name = f"system-{system:03d}"
        draw = rng.random
        for number, (right, wrong) in enumerate(told):
            said = draw()
            frame = FRAMES[int(4 * draw())]
            # The difficulty of an item is its number's, so that systems fail on the same ones.
            is_right = said < skill - 0.1 * (number % 3 - 1)
            yield item_id(number), name, frame.format(right if is_right else wrong)


def write_predictions(path: Path, shape: Shape) -> None:
    """Write one table of all predictions, as the ending of the path says."""
    kind = path.suffix
    if kind == ".csv":
        with path.open("w", encoding="utf-8", newline="") as handle:
            writer = csv.writer(handle)
            writer.writerow(COLUMNS)
            writer.writerows(rows(shape))
    elif kind == ".jsonl":
        with path.open("w", encoding="utf-8") as handle:
            for row in rows(shape):
                handle.write(json.dumps(dict(zip(COLUMNS, row, strict=True))) + "\n")
    elif kind == ".parquet":
        schema = dict.fromkeys(COLUMNS, pl.String)
        pl.defer(lambda: _frame(shape, schema), schema=schema).sink_parquet(path)
    else:
        raise SystemExit(f"no such format: {kind}")


def _frame(shape, schema):
    frames = []
    held = []
    for row in rows(shape):
        held.append(row)
        if len(held) == BATCH:
            frames.append(pl.DataFrame(held, schema=schema, orient="row"))
            held = []
    frames.append(pl.DataFrame(held, schema=schema, orient="row"))
    return pl.concat(frames)
