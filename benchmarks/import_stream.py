"""Measures how fast a large prediction file is read and imported, and in how much memory.

    python benchmarks/import_stream.py --mb 1000
    python benchmarks/import_stream.py --mb 1000 --read-only --format jsonl

Writes a synthetic file of the size asked for into a temporary directory, reads or imports it, and
prints MB/s and the peak resident memory of this process.
"""

import argparse
import csv
import json
import resource
import tempfile
import time
from pathlib import Path

from finassay.records import Item
from finassay.runs.importers.sources import read_records
from finassay.runs.importers.tables import ImportOptions, import_predictions
from finassay.study import Study

ITEMS = 10_000
SENTENCE = (
    "The issuer shall hold at least 20% of the post-issue capital, “locked in” for 3 years.\n"
)


def text_of(number):
    return f"Answer {number}: " + SENTENCE * (1 + number % 20)


def rows(megabytes):
    written, number = 0, 0
    while written < megabytes * 1_000_000:
        text = text_of(number)
        yield {
            "id": f"item-{number % ITEMS}",
            "system": f"system-{number // ITEMS}",
            "prediction": text,
            "correct": str(number % 2),
        }
        written += len(text.encode()) + 40
        number += 1


def write(path, megabytes, kind):
    with path.open("w", encoding="utf-8", newline="") as handle:
        if kind == "csv":
            writer = csv.DictWriter(handle, ["id", "system", "prediction", "correct"])
            writer.writeheader()
            writer.writerows(rows(megabytes))
            return
        separator = {"jsonl": "\n", "json": ",\n"}[kind]
        handle.write("[\n" if kind == "json" else "")
        for number, row in enumerate(rows(megabytes)):
            handle.write((separator if number else "") + json.dumps(row, ensure_ascii=False))
        handle.write("\n]\n" if kind == "json" else "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=200)
    parser.add_argument("--format", choices=("csv", "jsonl", "json"), default="csv")
    parser.add_argument("--read-only", action="store_true")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"predictions.{asked.format}"
        write(path, asked.mb, asked.format)
        size = path.stat().st_size / 1e6
        study = Study.create(Path(folder) / "study")
        study.add_items([Item(item_id=f"item-{n}") for n in range(ITEMS)], benchmark="b")
        began = time.perf_counter()
        if asked.read_only:
            count = sum(len(batch.rows) for batch in read_records(path))
        else:
            report = import_predictions(study, path, options=ImportOptions(strict=True))
            count = sum(system.imported for system in report.systems)
        spent = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    verb = "read" if asked.read_only else "imported"
    print(
        f"{verb} {count} rows, {size:.0f} MB of {asked.format}, in {spent:.1f} s: "
        f"{size / spent:.1f} MB/s, peak {peak:.0f} MiB"
    )
    if asked.json:
        told = {"rows": count, "mb": size, "mb_per_second": size / spent, "peak_mib": peak}
        asked.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
