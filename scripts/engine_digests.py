"""Mark one study on each engine, and show that the canonical digests are equal.

    python scripts/engine_digests.py --predictions 1000000

The replies are made up (seeded): right, wrong, wordy and empty ones.  One system holds half of
them, so that it is marked in slices; the others are of many sizes.  Each engine runs as the command
`finassay score` in a process of its own, on its own copy; printed are its time, the time of cores
that it and its workers used, their largest resident memory together, and the digest.  The exit code
is 1 if digests differ.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from finassay.records import Item, Prediction, RunRecord, SystemSpec
from finassay.study import Study
from finassay.study.rows import predictions_frame

RULES = ("exact", "token_f1", "strict/numbers-first")
BATCH = 50_000
SAMPLE_S = 0.2
MIB = 2**20
WORDS = ("{} days", "Within {} days of it.", "It is {} days, as section {} says.", "", "{}%")


@dataclass(frozen=True)
class Outcome:
    """What marking on an engine came to; `peak` is in bytes, over the whole tree of processes."""

    seconds: float
    core_seconds: float
    peak: int
    digest: str
    rows: int


def main() -> int:
    """Run the proof and return 0 if the digests are equal."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--predictions", type=int, default=100_000)
    parser.add_argument("--systems", type=int, default=20, help="how many share the second half")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scorer", action="append", help=f"default: {', '.join(RULES)}")
    asked = parser.parse_args()
    rules = tuple(asked.scorer or RULES)
    with tempfile.TemporaryDirectory(prefix="finassay-engines-") as folder:
        made = Path(folder) / "study"
        start = time.monotonic()
        n = make_study(made, asked.predictions, asked.systems, asked.seed)
        print(f"{n:,} predictions made in {time.monotonic() - start:.0f} s; rules: {rules}")
        engines = {"local": ["--engine", "local"]}
        engines["ray"] = ["--engine", "ray", "--workers", str(asked.workers)]
        found = {}
        for name, options in engines.items():
            copy = Path(folder) / name
            shutil.copytree(made, copy)
            found[name] = one = marked(copy, rules, options)
            rate = n * len(rules) / one.seconds
            print(
                f"{name:6} {one.seconds:7.1f} s  {rate:9,.0f} verdicts/s  {one.rows:,} rows  "
                f"{one.core_seconds:6.0f} core s  peak {one.peak / MIB:6,.0f} MiB  {one.digest}",
                flush=True,
            )
            shutil.rmtree(copy)
    is_same = len({one.digest for one in found.values()}) == 1
    print("digests equal" if is_same else "DIGESTS DIFFER")
    return 0 if is_same else 1


def make_study(path: Path, predictions: int, others: int, seed: int) -> int:
    """Make a study in which one system has half of the predictions; return how many there are."""
    study = Study.create(path)
    rng = random.Random(seed)
    items = max(1, predictions // 2)
    references = [rng.randint(1, 400) for _ in range(items)]
    asked = (Item(item_id=f"q{n:08}", reference=f"{r} days") for n, r in enumerate(references))
    study.add_items(asked, benchmark="made-up")
    # Sizes fall off as 1 / rank, so that small and middling systems are both there.
    scale = (predictions - items) / sum(1 / (rank + 1) for rank in range(others))
    sizes = [items, *(int(scale / (rank + 1)) for rank in range(others))]
    for number, size in enumerate(sizes):
        spec = SystemSpec(name=f"system-{number:03}")
        system_id = study.add_system(spec)
        study.add_run(RunRecord(run_id=f"run-{number}", system_id=system_id))
        with tempfile.TemporaryDirectory(prefix="finassay-rows-") as folder:
            files = list(_written(Path(folder), system_id, number, references[:size], rng))
            rows = pl.concat([pl.scan_parquet(file) for file in files])
            partition = {"system_id": system_id, "run_id": f"run-{number}"}
            study.commit("predictions", rows, partition=partition)
    return sum(sizes)


def _written(
    folder: Path, system_id: str, number: int, references: Sequence[int], rng: random.Random
) -> Iterator[Path]:
    for start in range(0, len(references), BATCH):
        rows = predictions_frame(
            Prediction(
                item_id=f"q{start + at:08}",
                system_id=system_id,
                text=_reply(right, rng),
                run_id=f"run-{number}",
            )
            for at, right in enumerate(references[start : start + BATCH])
        )
        path = folder / f"{start}.parquet"
        rows.write_parquet(path)
        yield path


def _reply(right: int, rng: random.Random) -> str:
    said = right if rng.random() < 0.6 else rng.randint(1, 400)
    return rng.choice(WORDS).format(said, rng.randint(1, 99))


def marked(study: Path, rules: Sequence[str], options: Sequence[str]) -> Outcome:
    """Mark a study with the command, and return what it came to."""
    scorers = [part for rule in rules for part in ("--scorer", rule)]
    command = [sys.executable, "-m", "finassay", "score", str(study), *scorers, *options]
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peaks, used = [0], {}
    sampler = threading.Thread(target=_sample, args=(process, peaks, used))
    sampler.start()
    code = process.wait()
    seconds = time.monotonic() - start
    sampler.join()
    if code:
        raise SystemExit(f"{' '.join(command)} ended with {code}")
    snapshot = Study.open(study).snapshot()
    rows = snapshot.scan("verdicts").select(pl.len()).collect().item()
    return Outcome(seconds, sum(used.values()), peaks[0], snapshot.digest("verdicts"), rows)


def _sample(process: subprocess.Popen[bytes], peaks: list[int], used: dict[int, float]) -> None:
    while process.poll() is None:
        tree = _tree(process.pid)
        peaks[0] = max(peaks[0], sum(_resident(pid) for pid in tree))
        used.update((pid, max(used.get(pid, 0.0), _core_seconds(pid))) for pid in tree)
        time.sleep(SAMPLE_S)


def _stat(folder: Path) -> list[str]:
    """Return the fields of a process after its name, which stands in brackets and may hold spaces.

    Raises:
        OSError: the process has ended.
    """
    return (folder / "stat").read_text().rpartition(")")[2].split()


def _core_seconds(pid: int) -> float:
    try:
        fields = _stat(Path(f"/proc/{pid}"))
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _tree(root: int) -> set[int]:
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int(_stat(folder)[1])
        except OSError:
            continue
    tree = {root}
    while more := {pid for pid, parent in parents.items() if parent in tree} - tree:
        tree |= more
    return tree


def _resident(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            # Memory that processes share (the object store) is counted once: by proportion.
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
