"""Write the table of the second reading of `finassay-operations` from a reader's answers.

    python scripts/operations_second_reading.py ANSWERS.jsonl

ANSWERS.jsonl holds {"item_id": ..., "answer": ...} a line; " | " stands between lines of an answer.
Answers are compared with references under the items' contracts; text under a rubric by its key
points, which is a hint only.  Whoever has compared an answer with the key points, or found that
another one can be defended, adds `agrees` and `note` to its line, and these are taken instead.
The table tells what was found before any mending, so write it before items are mended.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

from finassay.benchmarks.operations import OperationItem, bundled_shelf
from finassay.benchmarks.operations.second_reading import COLUMNS, FILE
from finassay.records import Prediction
from finassay.scorers.operations.contract import UnderContract

DATA = Path(__file__).parents[1] / "src" / "finassay" / "benchmarks" / "data"
HALF = 0.5
LINE = " | "


def outcome(entry: OperationItem, answer: str) -> tuple[str, str]:
    """Return how an answer agrees with the reference, and a note."""
    if answer.strip() == (entry.item.reference or "").strip():
        return "agree", ""
    verdict = UnderContract().score(
        item=entry.item, prediction=Prediction(text=answer.replace(LINE, "\n"), finish="stop")
    )
    if "coverage_baseline" in verdict.flags:
        said = verdict.reason.partition(": ")[2].partition(" (")[0]
        return ("agree_other_form" if (verdict.value or 0.0) >= HALF else "disagree"), said
    if verdict.value == 1.0:
        return "agree_other_form", ""
    return "disagree", verdict.reason


def main() -> None:
    """Read the answers, write the table, and print what does not agree."""
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    read = {row["item_id"]: row for row in map(json.loads, filter(None, lines))}
    entries = bundled_shelf().entries
    missing = [entry.item.item_id for entry in entries if entry.item.item_id not in read]
    if missing:
        raise SystemExit(f"{len(missing)} items have no answer, the first {missing[0]!r}")
    rows = []
    for entry in entries:
        row = read[entry.item.item_id]
        answer = str(row["answer"])
        agrees, note = outcome(entry, answer)
        agrees, note = row.get("agrees", agrees), row.get("note", note)
        rows.append((entry.item.item_id, answer, agrees, note))
        if agrees == "disagree":
            print(f"{entry.item.item_id}: {answer!r}; reference {entry.item.reference!r}; {note}")
    with (DATA / FILE).open("w", encoding="utf-8", newline="") as target:
        writer = csv.writer(target, lineterminator="\n")
        writer.writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main()
