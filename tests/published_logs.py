"""The published logs of IndiaFinBench as items and matrices, read with the csv module alone."""

import csv
import json
from functools import cache
from pathlib import Path

from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item
from real_data import data_root

ELEVEN = (
    "gemini",
    "qwen3_32b",
    "groq70b",
    "llama4scout",
    "kimi_k2",
    "llama3",
    "gpt_oss_120b",
    "gpt_oss_20b",
    "gemini25_pro",
    "mistral",
    "deepseek_r1_70b",
)
"""Systems whose totals equal the printed ones, in the order of the printed tables."""

TWELVE = (*ELEVEN, "gemma4_e4b")


def folder() -> Path:
    return data_root() / "indiafinbench"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def documents_of(entry: dict[str, str]) -> tuple[str, ...]:
    if "document" in entry:
        return (entry["document"],)
    return entry["document_a"], entry["document_b"]


@cache
def items() -> tuple[Item, ...]:
    listed = json.loads((folder() / "items.json").read_text(encoding="utf-8"))
    return tuple(
        Item(
            item_id=entry["id"],
            family=entry["id"].split("_")[0],
            task=entry["task_type"],
            difficulty=entry["difficulty"],
            question=entry["question"],
            reference=entry["answer"],
            documents=documents_of(entry),
        )
        for entry in listed
    )


@cache
def stored(systems: tuple[str, ...] = ELEVEN) -> VerdictMatrix:
    cells = [
        ((row["id"],), name, "scored", float(row["correct"]))
        for name in systems
        for row in rows(folder() / "predictions" / f"{name}.csv")
    ]
    return VerdictMatrix.from_cells(cells, row_names=("item_id",), column_name="system")


@cache
def judge(systems: tuple[str, ...] = ELEVEN) -> VerdictMatrix:
    cells = [
        ((row["item_id"],), row["system"], "scored", float(row["judge"]))
        for row in rows(folder() / "judge_verdicts.csv")
        if row["system"] in systems
    ]
    return VerdictMatrix.from_cells(cells, row_names=("item_id",), column_name="system")


@cache
def judged_cells() -> dict[tuple[str, str], float]:
    table = rows(folder() / "judge_verdicts.csv")
    return {(row["item_id"], row["system"]): float(row["judge"]) for row in table}


@cache
def judge_only() -> VerdictMatrix:
    """Return the judge where it was asked and the stored verdict on contradiction items."""
    table, judged = stored(), judged_cells()
    cells = [
        (row, name, "scored", judged.get((row[0], name), float(table.values[i, j])))
        for i, row in enumerate(table.rows)
        for j, name in enumerate(table.columns)
    ]
    return VerdictMatrix.from_cells(cells, row_names=("item_id",), column_name="system")


@cache
def augmented() -> VerdictMatrix:
    """Return right where the stored verdict or the judge says right."""
    table, judged = stored(), judged_cells()
    cells = [
        (row, name, "scored", max(float(table.values[i, j]), judged.get((row[0], name), 0.0)))
        for i, row in enumerate(table.rows)
        for j, name in enumerate(table.columns)
    ]
    return VerdictMatrix.from_cells(cells, row_names=("item_id",), column_name="system")


def lengths(name: str) -> tuple[int, ...]:
    return tuple(len(row["prediction"]) for row in rows(folder() / "predictions" / f"{name}.csv"))


def empty_replies(name: str) -> tuple[str, ...]:
    table = rows(folder() / "predictions" / f"{name}.csv")
    return tuple(row["id"] for row in table if not row["prediction"].strip())
