"""Have the 135M demonstration model judge answers that people marked; its calibration must fail.

    python scripts/local_judge.py STUDY [TABLE]

TABLE holds answers with a column that says what a person found, 1 or 0 (`--marks`, "mark" by
default); it is imported first.  Without it STUDY must hold answers and labels of people already.
The judge is asked once about every answer, on this machine (`--limit` and `--requests` bound it).
Then `finassay judges` and `finassay audit` say what it is worth, in their own words: the script
only reads them, prints the figures, and returns 1 unless both say that the judge fails calibration.

Needs the extra `local`, whose runtime compiles for minutes, so nothing runs this by itself.
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from finassay.errors import FinassayError, RunError
from finassay.integrations.local_model import CONTEXT, MODEL, demonstration_server

FINASSAY = [sys.executable, "-m", "finassay"]
TOKENS = 96
FINDINGS, JUDGES = "Findings", "Judges and people"
"""Sections of an audit that must name a judge that fails."""


def main() -> int:
    """Judge, read the reports, and return 0 only if they say that the judge fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("study", type=Path)
    parser.add_argument("table", type=Path, nargs="?")
    parser.add_argument("--marks", default="mark", help="column with what a person found")
    parser.add_argument("--out", type=Path, help="where reports go; beside the study by default")
    parser.add_argument("--limit", type=int, help="judge answers to so many items only")
    parser.add_argument("--requests", type=int, help="ask at most so often this time")
    asked = parser.parse_args()
    out = asked.out or asked.study.with_name(f"{asked.study.name}-judged")
    out.mkdir(parents=True, exist_ok=True)
    try:
        if asked.table is not None:
            bring_in(asked.study, asked.table, asked.marks)
        bounds = {"--limit": asked.limit, "--max-requests": asked.requests}
        scorer = judge(asked.study, out, bounds)
    except FinassayError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return told(asked.study, out, scorer)


def bring_in(study: Path, table: Path, marks: str) -> None:
    """Import answers and what a person found."""
    words = [study, table, "--items-from-predictions", "--benchmark", "labelled"]
    run("import", *words, "--scorer", f"{marks}=person/reader", quiet=True)


def judge(study: Path, out: Path, bounds: Mapping[str, int | None]) -> str:
    """Have the model judge within bounds, and return the scorer id of its verdicts."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    target = out / "judging.json"
    words = ["--judge", MODEL, "--votes", "1", "--budget", str(TOKENS), "--max-connections", "1"]
    words += ["--context-window", str(CONTEXT), "--json", str(target)]
    for option, most in bounds.items():
        words += [] if most is None else [option, str(most)]
    began = time.monotonic()
    with demonstration_server(port) as address:
        # Answers that are left when the bound is reached are no fault here.
        run("judge", study, *words, "--base-url", address, fine=(0, RunError.exit_code))
    print(f"judged in {time.monotonic() - began:.0f} s")
    return str(json.loads(target.read_text("utf-8"))["judged"][0]["scorer_id"])


def told(study: Path, out: Path, scorer: str) -> int:
    """Print what the reports say of the judge, and return 0 if both say that it fails."""
    run("judges", study, "--judge", scorer, "--json", out / "judges.json")
    run("audit", study, "--out", out / "report", quiet=True)
    found = json.loads((out / "judges.json").read_text("utf-8"))
    (one,) = found["judges"]
    counts, agreement = one["counts"], one["agreement"]
    print(f"\n{scorer}: {one['standing']}: {one['reason']}")
    if agreement is not None:
        kappa = agreement["treated"][0]["kappa"]
        print(f"kappa {kappa['value']} ({kappa['low']} to {kappa['high']}), n {agreement['n']}")
    print(f"unparsed {counts['n_unparsed']} of {counts['n']}, failed {counts['n_failed']}")
    lines = (out / "report" / "report.md").read_text("utf-8").replace("\\", "").splitlines()
    parts = {"judges": [finding["text"] for finding in found["findings"]]}
    for name in (FINDINGS, JUDGES):
        start = lines.index(f"## {name}") + 1
        ends = (at for at, line in enumerate(lines) if at > start and line.startswith("## "))
        parts[f"audit, {name}"] = lines[start : next(ends, len(lines))]
    fails = {
        where: any(is_failing(scorer, text) for text in texts) for where, texts in parts.items()
    }
    for where, holds in fails.items():
        print(f"{where}: {'says' if holds else 'does NOT say'} that it fails calibration")
    return 0 if all(fails.values()) else 1


def is_failing(scorer: str, text: str) -> bool:
    """Return whether a text says of a judge that it fails."""
    return scorer.removeprefix("judge/") in text and "fails calibration" in text


def run(*words: object, quiet: bool = False, fine: Sequence[int] = (0,)) -> None:
    """Run a command of Finassay, and stop where it fails."""
    stdout = subprocess.DEVNULL if quiet else None
    done = subprocess.run([*FINASSAY, *map(str, words)], check=False, stdout=stdout)
    if done.returncode not in fine:
        sys.exit(done.returncode)


if __name__ == "__main__":
    sys.exit(main())
