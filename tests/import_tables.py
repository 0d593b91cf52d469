"""Small tables to import, and what a study holds of them afterwards."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from finassay.records import Item
from finassay.study import Study

LONG = "The issuer shall hold at least twenty per cent of the capital for three years, item "

Table = Sequence[Mapping[str, str]]


def table(path: Path, rows: Table) -> Path:
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def answers(
    ids: Sequence[str] = tuple(f"q{n}" for n in range(12)), **more: str
) -> list[dict[str, str]]:
    return [{"id": one, "prediction": f"answer to {one}", **more} for one in ids]


def texts(study: Study, system: str) -> dict[str, str]:
    snapshot = study.snapshot()
    frame = snapshot.frame("predictions", system_id=snapshot.resolve_system(system))
    return dict(zip(frame["item_id"], frame["text"], strict=True))


def stored(study: Study, system: str, scorer: str = "stored") -> dict[str, float | None]:
    snapshot = study.snapshot()
    system_id = snapshot.resolve_system(system)
    frame = snapshot.frame("verdicts", system_id=system_id, scorer_id=scorer)
    return dict(zip(frame["item_id"], frame["value"], strict=True))


def twelve_items(path: Path) -> Study:
    """A study with twelve items of two families and nothing else."""
    made = Study.create(path)
    items = [
        Item(
            item_id=f"q{number}",
            family="NUM" if number < 6 else "REG",
            question=f"What is asked in question {number} of this benchmark?",
            reference=f"{LONG}{number}",
        )
        for number in range(12)
    ]
    made.add_items(items, benchmark="b")
    return made
