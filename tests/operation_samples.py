"""Contracts and items made up for tests."""

from __future__ import annotations

import json
from pathlib import Path

from finassay.benchmarks.operations import OperationContract, OperationItem
from finassay.benchmarks.operations.contract import Kind
from finassay.benchmarks.operations.items import ItemReader
from finassay.benchmarks.operations.problems import ContractProblem
from finassay.benchmarks.operations.schema import read_contract

LABELS = '  labels: {accept: ["yes", "approve"], refuse: ["no"]}\n'
RUBRIC = "  rubric:\n    - {criterion: coverage, weight: 1, asks: x}\n"


def contract_text(
    kind: Kind = "decision_label",
    *,
    name: str = "outcome",
    fields: str = "context, question, choices",
    scorer: str = "closed",
    layer: str = "review",
) -> str:
    """Return the YAML of a small contract."""
    labels = LABELS if kind == "decision_label" else ""
    rubric = RUBRIC if kind == "rubric_text" else ""
    return (
        f"contract: {name}\nversion: 1\ntitle: {name}\nlayer: {layer}\ngroup: g\ncapability: c\n"
        f"information:\n  sources: [record]\n  fields: [{fields}]\n  boundary: b\ndecision: d\n"
        f"artifact:\n  kind: {kind}\n  schema: s\n{labels}"
        "  instructions: {en: Answer., zh: 作答。}\n"
        f"scoring:\n  scorer: {scorer}\n  credit: x\n{rubric}unscored: wrong\nprovenance: p\n"
    )


def contract_of_kind(kind: Kind = "decision_label", **changes: str) -> OperationContract:
    """Return a small contract of a kind."""
    contract, problems = read_contract(contract_text(kind, **changes), file="c.yaml")
    assert contract is not None, problems
    return contract


ITEM: dict[str, object] = {
    "item_id": "i1",
    "contract": "outcome",
    "language": "en",
    "difficulty": "easy",
    "question": "What now?",
    "context": "The applicant sent one paper of the two that are needed.",
    "choices": ["accept", "refuse"],
    "reference": "refuse",
    "evidence": ["sent one paper"],
    "source": "made up",
    "rationale": "One is missing.",
}


def lines(*items: dict[str, object]) -> str:
    """Return items as JSON Lines."""
    return "".join(f"{json.dumps(item, ensure_ascii=False)}\n" for item in items)


def read_items(
    contract: OperationContract, *items: dict[str, object]
) -> tuple[tuple[OperationItem, ...], list[ContractProblem]]:
    """Return the items that can be used, and the problems with the others."""
    reader = ItemReader(contract, "i.jsonl", "b")
    return reader.read(lines(*items)), reader.problems


def write_shelf(folder: Path, text: str = "", *items: dict[str, object]) -> Path:
    """Write a contract and its items, and return the path of the contract."""
    path = folder / "outcome.yaml"
    path.write_text(text or contract_text(), encoding="utf-8")
    path.with_suffix(".jsonl").write_text(lines(*(items or (ITEM,))), encoding="utf-8")
    return path
