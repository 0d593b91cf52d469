"""Every speed claim of the documentation, measured: ours, peer, ratio and floor in one table.

    python benchmarks/book.py [--short] [--only WORDS] [--json FILE]

Runs the measurements beside it, each in a process of its own, takes the figures that book.toml
names out of their JSON, and ends with 1 where one falls below its floor, or above its ceiling, or
was not measured.  The short form has small sizes and wide bounds, for continuous integration.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
BOOK = HERE / "book.toml"
PACKAGES = ("finassay", "numpy", "scipy", "polars", "deltalake", "rapidfuzz", "math-verify",
            "rank-bm25", "inspect-ai")  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One figure that is claimed, as book.toml has it."""

    id: str
    what: str
    program: str
    page: str
    ours: str
    unit: str
    says: str = ""
    peer: str = ""
    ratio: str = ""
    n: str = ""
    of: str = "ratio"
    at_least: float | None = None
    at_most: float | None = None
    short: float | None = None


@dataclass(frozen=True, kw_only=True)
class Program:
    """One measurement: its file, and its arguments in the forms that it has."""

    file: str
    minutes: float
    needs_data: bool = False
    long: list[str] | None = None
    short: list[str] | None = None

    def arguments(self, *, is_short: bool) -> list[str] | None:
        """Return the arguments of a form; None where the program does not have it."""
        return self.short if is_short else self.long


@dataclass(frozen=True, kw_only=True)
class Row:
    """A claim as it was measured; without figures where it could not be."""

    id: str
    what: str
    page: str
    ours: float | None
    peer: float | None
    ratio: float | None
    unit: str
    n: float | None
    bound: str
    holds: bool
    fault: str = ""


def read_book(path: Path = BOOK) -> tuple[list[Program], list[Claim], list[dict[str, str]]]:
    """Return the programs, the claims, and the words that are none."""
    book = tomllib.loads(path.read_text(encoding="utf-8"))
    programs = [Program(**entry) for entry in book["program"]]
    return programs, [Claim(**entry) for entry in book["claim"]], book["other"]


def at(document: object, path: str) -> float | None:
    """Return the number at a path of a JSON document; None where there is none."""
    for part in path.split("."):
        if isinstance(document, list):
            document = document[int(part)]
        elif isinstance(document, Mapping):
            document = document.get(part)
        else:
            return None
    return float(document) if isinstance(document, int | float) else None


def measured(program: Program, *, is_short: bool) -> tuple[object, str]:
    """Run a measurement; return its JSON (None without) and what went wrong."""
    with tempfile.TemporaryDirectory(prefix="finassay-book-") as folder:
        target = Path(folder) / "figures.json"
        command = [
            sys.executable,
            str(HERE / program.file),
            *(program.arguments(is_short=is_short) or []),
        ]
        try:
            done = subprocess.run(
                [*command, "--json", str(target)],
                cwd=folder,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
                capture_output=True,
                text=True,
                check=False,
                timeout=60 * program.minutes,
            )
        except subprocess.TimeoutExpired:
            return None, f"{program.file} took more than {program.minutes:g} minutes"
        if not target.exists():
            last = (done.stderr.strip() or "no word").splitlines()[-1]
            return None, f"{program.file} ended with {done.returncode}: {last}"
        return json.loads(target.read_text(encoding="utf-8")), ""


def row_of(claim: Claim, figures: object, fault: str, *, is_short: bool) -> Row:
    """Return a claim as it was measured."""
    ours, peer, n = (
        at(figures, path) if path else None for path in (claim.ours, claim.peer, claim.n)
    )
    ratio = at(figures, claim.ratio) if claim.ratio else None
    least, most = claim.at_least, claim.at_most
    if is_short:
        least, most = (claim.short if bound is not None else None for bound in (least, most))
    value = ours if claim.of == "ours" else ratio
    sign, bound = (">=", least) if least is not None else ("<=", most)
    if value is None and not fault:
        fault = (
            f"{claim.program} gives no figure {claim.ours if claim.of == 'ours' else claim.ratio!r}"
        )
    holds = value is not None and bound is not None
    if value is not None and bound is not None:
        holds = value >= bound if sign == ">=" else value <= bound
    return Row(
        id=claim.id, what=claim.what, page=claim.page, ours=ours, peer=peer, ratio=ratio,
        unit=claim.unit, n=n, bound=f"{claim.of} {sign} {bound:g}", holds=holds, fault=fault,
    )  # fmt: skip


def machine() -> dict[str, str]:
    """Return what the figures were measured on."""
    model = platform.processor() or platform.machine()
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        names = [line for line in facts.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = os.getloadavg()[0]
    return {
        "processor": model,
        "cores": str(os.cpu_count()),
        "memory": f"{memory:.0f} GiB",
        "load at the start": f"{load:.1f}",
        "system": f"{platform.system()} {platform.release()}",
    }


def versions() -> dict[str, str]:
    """Return the versions of what is measured and of its peers."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def shown(row: Row) -> str:
    """Return a row of the table."""
    ours = f"{number(row.ours)} {row.unit}"
    verdict = "holds" if row.holds else f"FAILS {row.fault}".rstrip()
    cells = (f"{row.id:<24}", f"{ours:>18}", f"{number(row.peer):>10}", f"{number(row.ratio):>8}")
    return f"{' '.join(cells)}  {row.bound:<16} {number(row.n):>10}  {verdict}"


def must_hold(claim: Claim) -> str:
    """Return the bound of a claim in words."""
    bound = claim.at_least if claim.at_least is not None else claim.at_most
    if claim.of == "ours":
        if bound == 0:
            return "shown beside, no bound"
        return f"at {'least' if claim.at_least is not None else 'most'} {bound:g} {claim.unit}"
    if claim.at_least is not None:
        return f"at least {bound:g} times as fast"
    return f"at most {bound:g} times as long"


def page_table(claims: list[Claim]) -> str:
    """Return the table of docs/reference/benchmark-book.md."""
    rows = [f"| `{one.id}` | {one.what} | {must_hold(one)} |" for one in claims]
    return "\n".join(["| claim | what is measured | must hold |", "|---|---|---|", *rows])


def run(*, is_short: bool, only: str = "") -> list[Row]:
    """Run every measurement of a form, and return the claims as measured."""
    programs, claims, _ = read_book()
    rows: list[Row] = []
    for program in programs:
        mine = [
            claim
            for claim in claims
            if claim.program == program.file
            and (only in claim.id or only in program.file)
            and not (is_short and claim.short is None)
        ]
        if program.arguments(is_short=is_short) is None or not mine:
            continue
        if program.needs_data and is_short and not os.environ.get("FINASSAY_DATA"):
            print(f"left out {program.file}: FINASSAY_DATA names no folder", file=sys.stderr)
            continue
        begun = time.monotonic()
        figures, fault = measured(program, is_short=is_short)
        rows += [row_of(claim, figures, fault, is_short=is_short) for claim in mine]
        took = time.monotonic() - begun
        print(f"ran {program.file} in {took:.0f} s", file=sys.stderr, flush=True)
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--short", action="store_true", help="small sizes and wide bounds")
    parser.add_argument(
        "--only", default="", help="claims or programs whose name holds these words"
    )
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    on, using = machine(), versions()
    rows = run(is_short=asked.short, only=asked.only)
    print(f"{'claim':<24} {'ours':>18} {'peer':>10} {'ratio':>8}  {'must hold':<16} {'n':>10}")
    print("\n".join(map(shown, rows)))
    print("; ".join(f"{name}: {value}" for name, value in on.items()))
    print("; ".join(f"{name} {value}" for name, value in using.items()))
    if asked.json:
        form = "short" if asked.short else "long"
        told = {"form": form, "machine": on, "versions": using, "rows": [asdict(r) for r in rows]}
        asked.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    failing = [row.id for row in rows if not row.holds]
    print(
        f"{len(rows)} claims, " + (f"these fail: {', '.join(failing)}" if failing else "all hold")
    )
    return int(bool(failing) or not rows)


if __name__ == "__main__":
    sys.exit(main())
