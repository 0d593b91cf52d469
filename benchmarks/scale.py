"""Cost of a study by its size: import, mark, check, digest and audit, each as a command of its own.

    python benchmarks/scale.py --sizes 1000 10000 100000 --json scale.json --svg scale.svg
    python benchmarks/scale.py --from scale.json --plan 1000000000 --price-hour 0.05

Makes predictions (seeded, short replies), runs the commands of Finassay on them as child processes,
and reads the memory of each command and its children ten times a second.  Prints rows a second,
peak memory and bytes on disk for every size, and how each grows: the slope of log cost on log size
with its 95% interval.  Everything is deleted unless `--keep` names a directory.

`--plan N` prints what N predictions would cost in time, storage and money from the measured
sizes, and how wrong the same forecast is on the largest size when it is made from the others.

Floor: no command at more than `--most-mib` (4096).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import tempfile
import time
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from scale_fit import exponent, line
from scale_input import Shape, write_items, write_predictions
from scale_watch import watch

SCORERS = ("strict/numbers-first", "token_f1", "includes")
STAGES = ("import", "score", "check", "digest", "audit")
PARTS = ("seconds", "cpu_s", "peak_mib")
DEFAULT_SIZES = (1_000, 10_000, 100_000)
PACKAGES = ("finassay", "polars", "deltalake", "numpy")
SECONDS_PER_HOUR = 3600.0
GIB = 1 << 30


def commands(folder, source):
    """Return the command line of every stage."""
    study, finassay = str(folder / "study"), [sys.executable, "-m", "finassay"]
    rules = [part for name in SCORERS for part in ("--scorer", name)]
    tables = [study, str(source), "--items", str(folder / "items.csv"), "--benchmark", "scale"]
    return {
        "import": [*finassay, "import", *tables],
        "score": [*finassay, "score", study, *rules],
        "check": [*finassay, "study", "check", study],
        "digest": [*finassay, "study", "info", study],
        "audit": [*finassay, "audit", study, "--out", str(folder / "report"), *rules],
    }


def bytes_under(path):
    return sum(file.stat().st_size for file in Path(path).rglob("*") if file.is_file())


def measure(shape, folder, kind, stages):
    """Return what every stage needed for one size; a directory that was kept is used again."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"predictions.{kind}"
    began = time.perf_counter()
    if not source.exists():
        write_items(folder / "items.csv", shape)
        aside = folder / f"aside.{kind}"
        write_predictions(aside, shape)
        aside.replace(source)
    made_in = time.perf_counter() - began
    found = {}
    for name, command in commands(folder, source).items():
        if name not in stages:
            continue
        needed = watch(command, log=folder / f"{name}.log")
        found[name] = {**asdict(needed), "rows_per_s": shape.predictions / needed.seconds}
        print(
            f"{shape.predictions:>12,} {name:<7} {needed.seconds:>9.1f} s {needed.cpu_s:>9.1f} s "
            f"{shape.predictions / needed.seconds:>11,.0f} rows/s {needed.peak_mib:>7.0f} MiB",
            flush=True,
        )
    return {
        "predictions": shape.predictions,
        "systems": shape.systems,
        "items": shape.items,
        "input_bytes": source.stat().st_size,
        "made_in_s": made_in,
        "study_bytes": bytes_under(folder / "study"),
        "table_bytes": {
            name: bytes_under(folder / "study" / name)
            for name in ("items", "predictions", "verdicts")
        },
        "report_bytes": bytes_under(folder / "report"),
        "stages": found,
    }


def points_of(runs, stage, part):
    return [
        (run["predictions"], run["stages"][stage][part]) for run in runs if stage in run["stages"]
    ]


def exponents(runs):
    """Return the exponents of every stage by part, over all sizes and over the two largest."""
    found = {}
    for stage in STAGES:
        for part in PARTS:
            points = points_of(runs, stage, part)
            whole = exponent(points)
            if whole is None:
                continue
            last = exponent(points[-2:])
            found[f"{stage} {part}"] = {**asdict(whole), "largest_two": last.slope}
    return found


def machine():
    cores, memory = os.cpu_count(), os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "processor": _processor(),
        "cores": cores,
        "memory_gib": round(memory / GIB, 1),
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
        "load_before": os.getloadavg()[0],
    }


def _processor():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":")[1].strip() for line in lines if "model name" in line), "")


def print_exponents(found):
    print("\ngrowth: cost ~ size^b, least squares on logarithms, 95% interval of Student's t")
    for name, one in found.items():
        known = one["low"] is not None
        ends = f"[{one['low']:.2f}, {one['high']:.2f}]" if known else "(needs three sizes)"
        print(
            f"  {name:<17} b = {one['slope']:.2f} {ends} over {one['sizes']} sizes; "
            f"{one['largest_two']:.2f} between the two largest"
        )


def print_sizes(runs):
    print("\non disk, bytes a prediction")
    for run in runs:
        n = run["predictions"]
        tables = ", ".join(f"{name} {size / n:.0f}" for name, size in run["table_bytes"].items())
        print(f"  {n:>12,}: study {run['study_bytes'] / n:.0f} ({tables})")


def forecast(runs, predictions):
    """Return the time of every stage, and bytes on disk, at a size that was not measured.

    Memory is not forecast: what grows with the size at first is bounded later.
    """
    found = {}
    for stage in STAGES:
        if len(points_of(runs, stage, "seconds")) >= 2:
            found[stage] = {
                part: line(points_of(runs, stage, part)).at(predictions)
                for part in ("seconds", "cpu_s")
            }
    size = line([(run["predictions"], run["study_bytes"]) for run in runs]).at(predictions)
    return found, size


def print_plan(runs, asked):
    """Print the forecast of a size, and the error of the same forecast where it can be checked."""
    stages, size = forecast(runs, asked.plan)
    core_hours = sum(one["cpu_s"] for one in stages.values()) / SECONDS_PER_HOUR
    measured = f"{runs[0]['predictions']:,} to {runs[-1]['predictions']:,}"
    print(f"\n{asked.plan:,} predictions, from {measured} measured (fixed cost + rate x size):")
    for name, one in stages.items():
        wall, cpu = (one[part] / SECONDS_PER_HOUR for part in ("seconds", "cpu_s"))
        print(f"  {name:<7} {wall:>8.2f} h {cpu:>8.2f} core-hours")
    money = core_hours * asked.price_hour
    print(
        f"  together {core_hours:.2f} core-hours, {money:.2f} at {asked.price_hour:g} for an hour "
        f"of one core; {size / GIB:.1f} GiB on disk"
    )
    if asked.judge_tokens:
        sent, written = (asked.plan * tokens / 1e6 for tokens in asked.judge_tokens)
        cost = sent * asked.judge_price[0] + written * asked.judge_price[1]
        print(f"  one judge over all: {sent:,.0f} + {written:,.0f} million tokens, {cost:,.0f}")
    if len(runs) > 2:
        print_error(runs)


def print_error(runs):
    """Print how far the forecast of the largest size from the others is off."""
    last = runs[-1]
    stages, size = forecast(runs[:-1], last["predictions"])
    print(
        f"\n{last['predictions']:,} forecast in the same way from the smaller sizes, and measured:"
    )
    for name, one in stages.items():
        for part, unit in (("seconds", "s"), ("cpu_s", "s of one core")):
            true = last["stages"].get(name, {}).get(part)
            if true is not None:
                error = one[part] / true - 1
                print(f"  {name:<7} {one[part]:>9,.0f} {true:>9,.0f} {unit} ({error:+.0%})")
    true = last["study_bytes"]
    print(f"  on disk {size / GIB:>9.2f} {true / GIB:>9.2f} GiB ({size / true - 1:+.0%})")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=DEFAULT_SIZES)
    parser.add_argument("--systems", type=int, default=20)
    parser.add_argument("--format", choices=("csv", "jsonl", "parquet"), default="csv")
    parser.add_argument("--stages", nargs="+", choices=STAGES, default=STAGES)
    parser.add_argument("--keep", type=Path, help="directory for inputs, studies and reports")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--from", dest="source", type=Path, nargs="+", help="measured before")
    parser.add_argument("--most-mib", type=float, default=4096.0)
    parser.add_argument("--plan", type=int, help="predictions to forecast")
    parser.add_argument("--price-hour", type=float, default=0.05, help="of one core")
    parser.add_argument("--judge-tokens", type=float, nargs=2, metavar=("SENT", "WRITTEN"))
    parser.add_argument(
        "--judge-price", type=float, nargs=2, default=(0.1, 0.4), metavar=("SENT", "WRITTEN"),
        help="of a million tokens",
    )  # fmt: skip
    return parser.parse_args()


def measured(asked):
    """Return what was measured now, or earlier."""
    if asked.source:
        documents = [json.loads(path.read_text(encoding="utf-8")) for path in asked.source]
        return {"machine": documents[0]["machine"], "runs": merged(documents)}
    result = {"machine": machine(), "runs": []}
    with tempfile.TemporaryDirectory(prefix="finassay-scale-") as folder:
        home = asked.keep or Path(folder)
        print(f"{'predictions':>12} {'stage':<7} {'wall':>11} {'cpu':>11}")
        for size in sorted(asked.sizes):
            shape = Shape.of(size, systems=asked.systems)
            own = home / str(size)
            result["runs"].append(measure(shape, own, asked.format, asked.stages))
            if asked.keep is None:
                shutil.rmtree(own)
    return result


def merged(documents):
    """Return the runs of several documents by size; stages measured later take the place.

    Sizes on disk are those of the run that wrote most: others may have left stages out.
    """
    found = {}
    for run in (run for document in documents for run in document["runs"]):
        before = found.get(run["predictions"], {"stages": {}})
        stages = {**before["stages"], **run["stages"]}
        fullest = max((run, before), key=lambda one: one.get("study_bytes", 0))
        found[run["predictions"]] = {**fullest, "stages": stages}
    return [found[size] for size in sorted(found)]


def main():
    asked = arguments()
    result = measured(asked)
    result["exponents"] = exponents(result["runs"])
    print_exponents(result["exponents"])
    print_sizes(result["runs"])
    if asked.plan:
        print_plan(result["runs"], asked)
    if asked.json:
        asked.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if asked.svg:
        from scale_chart import scale_chart  # noqa: PLC0415 - needs the extra that draws

        asked.svg.write_text(scale_chart(result), encoding="utf-8")
    peak = max(one["peak_mib"] for run in result["runs"] for one in run["stages"].values())
    if peak > asked.most_mib:
        sys.exit(f"a command needed {peak:.0f} MiB, expected at most {asked.most_mib:.0f}")


if __name__ == "__main__":
    main()
