"""Kappa of `financial` with a judge and with the strict rule, and the rows where it overrules both.

    python scripts/overruled_rows.py --data FOLDER [--rows 100] [--draw] [--show ID/SYSTEM ...]

FOLDER holds `indiafinbench` (items.json, judge_verdicts.csv, predictions/).  Open items of twelve
systems carry the verdicts of the strict rule and of a small judge.  Kappas come with intervals that
draw whole items.  A row is *overruled* when both agree and `financial` says otherwise.

docs/reference/overruled_rows.csv holds a seeded draw of such rows with the class that a reader gave
each.  `--draw` brings it up to date with today's rule: rows that are still overruled keep their
class, the others leave, and the next of the same draw come in without a class.  The order of the
draw is that of digests of seed, item and system, so it does not depend on the rule.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from finassay.analyses.kernels.agreement import cohen
from finassay.records import RIGHT, Item, Prediction, content_digest
from finassay.scorers.base import Scorer
from finassay.scorers.registry import load_scorer

TABLE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "overruled_rows.csv"
SEED = "20263"
SECOND_SEED = "20264"
SECOND_ROWS = 30
COLUMNS = ("item_id", "system", "financial", "class", "kind", "sentence", "second_class")
CLASSES = ("financial right", "both right", "unclear")
DRAWS = 2_000
RULE = "financial"


class Key(NamedTuple):
    """Which row."""

    item_id: str
    system: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One reply to one item under three rules; 1 is right."""

    key: Key
    item: Item
    reply: str
    strict: int
    judge: int
    financial: int
    reason: str

    @property
    def is_overruled(self) -> bool:
        """Whether `financial` says other than the strict rule and the judge, who agree."""
        return self.strict == self.judge != self.financial


def read_items(folder: Path) -> dict[str, Item]:
    """Return the items by id."""
    raw = json.loads((folder / "items.json").read_text(encoding="utf-8"))
    return {
        one["id"]: Item(
            item_id=one["id"],
            task=one["task_type"],
            family=one["id"].partition("_")[0],
            question=one["question"],
            context=str(one.get("context", "")),
            reference=one["answer"],
        )
        for one in raw
    }


def read_replies(folder: Path) -> dict[Key, str]:
    """Return the replies of every system that has a file of predictions."""
    found: dict[Key, str] = {}
    for path in sorted((folder / "predictions").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            for line in csv.DictReader(lines):
                found[Key(line["id"], path.stem)] = line["prediction"]
    return found


def read_rows(folder: Path, rule: Scorer) -> tuple[list[Row], set[str]]:
    """Return the rows that can be marked, and the systems whose replies are not there."""
    items, replies = read_items(folder), read_replies(folder)
    rows: list[Row] = []
    absent: set[str] = set()
    with (folder / "judge_verdicts.csv").open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines):
            key = Key(line["item_id"], line["system"])
            if key not in replies:
                absent.add(key.system)
                continue
            item = items[key.item_id]
            verdict = rule.score(
                item=item, prediction=Prediction(item_id=key.item_id, text=replies[key])
            )
            rows.append(
                Row(
                    key=key,
                    item=item,
                    reply=replies[key],
                    strict=int(line["strict"]),
                    judge=int(line["judge"]),
                    financial=int(verdict.value is not None and verdict.value >= RIGHT),
                    reason=f"{verdict.status}: {verdict.reason}",
                )
            )
    return rows, absent


def kappa(pairs: Sequence[tuple[str, int, int]]) -> str:
    """Return Cohen's kappa of (item, left, right) with its interval over items, as text."""
    names = sorted({item for item, _, _ in pairs})
    place = {item: number for number, item in enumerate(names)}
    coefficient = cohen(np.array([pair[1:] for pair in pairs], dtype=np.int64), 2)
    sums = np.zeros((len(names), coefficient.features.shape[1]))
    np.add.at(sums, [place[item] for item, _, _ in pairs], coefficient.features)
    (value,), (known,) = coefficient.values(sums.sum(axis=0, keepdims=True))
    if not known:
        return f"kappa not defined (n = {len(pairs)})"
    rng = np.random.default_rng(int(SEED))
    counts = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=DRAWS)
    drawn, defined = coefficient.values(counts @ sums)
    low, high = np.quantile(drawn[defined], [0.025, 0.975])
    return f"kappa {value:.3f} [{low:.3f}, {high:.3f}], n = {len(pairs):,} on {len(names)} items"


def agreement(rows: Sequence[Row]) -> list[str]:
    """Return the lines on how the three agree, over all rows and by family."""
    lines = []
    for family in ("all", *sorted({row.item.family for row in rows})):
        own = [row for row in rows if family in ("all", row.item.family)]
        sides = {
            "financial and judge": [(r.key.item_id, r.financial, r.judge) for r in own],
            "financial and strict": [(r.key.item_id, r.financial, r.strict) for r in own],
            "strict and judge": [(r.key.item_id, r.strict, r.judge) for r in own],
        }
        lines += [f"{family}: {name}: {kappa(pairs)}" for name, pairs in sides.items()]
        shares = [
            f"{name} {np.mean([getattr(r, name) for r in own]):.3f}"
            for name in ("strict", "judge", "financial")
        ]
        lines.append(f"{family}: marked right: {', '.join(shares)}")
    return lines


def digest_order(seed: str, keys: Sequence[Key]) -> list[Key]:
    """Return the keys in the order of a seeded draw."""
    return sorted(keys, key=lambda key: content_digest(seed, *key))


def read_table() -> dict[Key, dict[str, str]]:
    """Return the rows of the committed table by key; none where there is no table."""
    if not TABLE.is_file():
        return {}
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return {Key(line["item_id"], line["system"]): line for line in csv.DictReader(lines)}


def drawn(rows: Sequence[Row], count: int) -> list[Row]:
    """Return the first overruled rows of the seeded draw."""
    overruled = {row.key: row for row in rows if row.is_overruled}
    return [overruled[key] for key in digest_order(SEED, [*overruled])[:count]]


def write_table(chosen: Sequence[Row], known: Mapping[Key, Mapping[str, str]]) -> None:
    """Write the table of drawn rows, with the classes that are known."""
    aside = TABLE.with_suffix(".part")
    with aside.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        out.writeheader()
        for row in chosen:
            said = "right" if row.financial else "wrong"
            old = known.get(row.key, {})
            kept = old if old.get("financial") == said else {}
            line = {column: kept.get(column, "") for column in COLUMNS}
            out.writerow(line | {**row.key._asdict(), "financial": said})
    aside.replace(TABLE)


def second_keys(keys: Sequence[Key]) -> list[Key]:
    """Return the rows that a second reader classes."""
    return digest_order(SECOND_SEED, keys)[:SECOND_ROWS]


def summary(table: Mapping[Key, Mapping[str, str]]) -> list[str]:
    """Return the counts of the classes, by what `financial` said, and the second reader's kappa."""
    counts = Counter((line["financial"], line["class"]) for line in table.values())
    kinds = Counter((line["class"], line["kind"]) for line in table.values())
    lines = [
        f"{n:3d}  financial says {said}: {name or 'not read'}"
        for (said, name), n in sorted(counts.items())
    ]
    lines += [f"{n:3d}  {name}: {kind}" for (name, kind), n in sorted(kinds.items()) if kind]
    twice = [line for line in table.values() if line["class"] and line["second_class"]]
    if twice:
        codes = np.array(
            [[CLASSES.index(line[c]) for c in ("class", "second_class")] for line in twice]
        )
        coefficient = cohen(codes.astype(np.int64), len(CLASSES))
        (value,), (known,) = coefficient.values(coefficient.features.sum(axis=0, keepdims=True))
        same = int((codes[:, 0] == codes[:, 1]).sum())
        lines.append(
            f"second reading: {same} of {len(twice)} alike, "
            + (f"kappa {value:.2f}" if known else "kappa not defined")
        )
    return lines


def show(row: Row, line: Mapping[str, str]) -> str:
    """Return all that a reader needs to class a row, without what it was classed before."""
    said = "right" if row.financial else "wrong"
    return "\n".join(
        (
            f"=== {row.key.item_id}/{row.key.system}  financial: {said} ({row.reason})",
            f"Q: {row.item.question}",
            f"CONTEXT: {row.item.context}",
            f"REFERENCE: {row.item.reference}",
            f"REPLY ({len(row.reply)}): {row.reply}",
            f"now in the table: {'yes' if line else 'no'}",
        )
    )


def main() -> int:
    """Print the agreement, bring the table up to date or show rows; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder that holds indiafinbench")
    parser.add_argument("--rows", type=int, default=100, help="rows to draw")
    parser.add_argument("--draw", action="store_true", help="bring the table up to date")
    parser.add_argument("--show", nargs="*", metavar="ID/SYSTEM", help="print drawn rows, or these")
    parser.add_argument("--rule", default=RULE)
    options = parser.parse_args()
    rows, absent = read_rows(options.data / "indiafinbench", load_scorer(options.rule))
    chosen = drawn(rows, options.rows)
    if options.show is not None:
        wanted = set(options.show) or {"/".join(row.key) for row in chosen}
        table = read_table()
        print("\n\n".join(show(r, table.get(r.key, {})) for r in rows if "/".join(r.key) in wanted))
        return 0
    if absent:
        print(f"no replies here, left out: {', '.join(sorted(absent))}", file=sys.stderr)
    print("\n".join(agreement(rows)))
    both = Counter(row.strict for row in rows if row.is_overruled)
    print(f"overruled: {both[1]} that both mark right, {both[0]} that both mark wrong")
    if options.draw:
        write_table(chosen, read_table())
    print("\n".join(summary(read_table())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
