"""Do to studies what goes wrong on real machines, and print what became of each.

    python scripts/fault_table.py [--times 6] [--only WORDS] [--page] [--check]

Every row is a fault that is really made: processes are killed, a small disk in memory is mounted
and filled, files are cut, the clock is set wrong by a library that is loaded before the program.
A row fails where the study ends between two states, where a traceback is shown, where an exit code
is another than it should be, or where the same command does not end whole afterwards.

`--page` rewrites docs/reference/faults.md; `--check` fails where that page says something else.
Mounting needs root: without it the rows of full and read-only disks are left out, and said so.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import fault_damage
import fault_disks
import fault_kills
import fault_straits
from fault_cases import Case
from fault_rig import Rig, small_disk
from finassay.errors import FinassayError

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "faults.md"
CASES = (*fault_kills.CASES, *fault_disks.CASES, *fault_damage.CASES, *fault_straits.CASES)
TIMES = 6
MARK = "<!-- the table below is written by scripts/fault_table.py --page -->"
UNMADE = "not made yet: run the command above"
END = "<!-- end of the table -->"


@dataclass(frozen=True, kw_only=True)
class Row:
    """What became of one case."""

    case: Case
    seen: tuple[tuple[int, str], ...]
    faults: tuple[str, ...]
    seconds: float


def can_mount() -> bool:
    """Return whether this process may mount a disk."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with small_disk(Path(folder), 64):
                return True
        except (PermissionError, OSError):
            return False


def unmet(cases: Sequence[Case]) -> dict[str, str]:
    """Return why the machine cannot do something that cases need."""
    missing: dict[str, str] = {}
    needed = {case.needs for case in cases}
    if "mount" in needed and not can_mount():
        missing["mount"] = "this process may not mount a disk"
    if "compiler" in needed and shutil.which("cc") is None:
        missing["compiler"] = "there is no C compiler to make a wrong clock with"
    if os.geteuid() != 0 and any(case.run is fault_disks.without_rights for case in cases):
        missing["root"] = "only root can take rights away"
    return missing


def row_of(case: Case, times: int) -> Row:
    """Do one case in a folder of its own."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="finassay-faults-") as folder:
        rig = Rig(Path(folder).resolve())
        Path(folder).chmod(0o755)
        try:
            case.run(rig, times)
        except (AssertionError, OSError, FinassayError) as error:
            rig.faults.append(f"it could not be carried out: {error!r}")
    return Row(
        case=case,
        seen=tuple(sorted(rig.seen)),
        faults=tuple(rig.faults),
        seconds=time.monotonic() - begun,
    )


def cells(row: Row) -> tuple[str, str, str, str, str]:
    """Return the cells of a row of the page."""
    told = [f"{code}: {text}" if text else f"{code}" for code, text in row.seen if code]
    shown = "<br>".join(one.replace("|", "\\|") for one in told) or "nothing: it ends well (0)"
    if row.case.fault == fault_kills.KILLED:
        shown = "the process is gone"
    return row.case.fault, row.case.during, shown, row.case.disk, row.case.advice


def table(rows: Sequence[Row], before: str = "") -> str:
    """Return the table of the page; cases that were not made stand as they stood before."""
    head = (
        "fault",
        "during",
        "what the user sees (exit code: message)",
        "on the disk",
        "what to do",
    )
    lines = [f"| {' | '.join(head)} |", "|---|---|---|---|---|"]
    made = {row.case.name: f"| {' | '.join(cells(row))} |" for row in rows}
    for case in CASES:
        start = f"| {case.fault} | {case.during} |"
        held = [line for line in before.splitlines() if line.startswith(start)]
        unmade = f"{start} {UNMADE} | {case.disk} | {case.advice} |"
        lines += [made[case.name]] if case.name in made else (held or [unmade])
    return "\n".join(lines)


def differences(rows: Sequence[Row]) -> list[str]:
    """Return the rows that the page does not have as they are."""
    page = PAGE.read_text(encoding="utf-8")
    found = []
    for row in rows:
        fault, during, shown, disk, advice = cells(row)
        lines = [line for line in page.splitlines() if line.startswith(f"| {fault} | {during} |")]
        if len(lines) != 1 or not lines[0].endswith(f" | {disk} | {advice} |"):
            found.append(f"the page has no row like: {row.case.name}")
            continue
        found += [
            f"{row.case.name}: the page does not have the message {one!r}"
            for one in shown.split("<br>")
            if one not in lines[0]
        ]
    return found


def write_page(rows: Sequence[Row]) -> None:
    """Put the table into the page."""
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition(MARK)
    before, _, tail = rest.partition(END)
    PAGE.write_text(f"{head}{MARK}\n\n{table(rows, before)}\n\n{END}{tail}", encoding="utf-8")


def main() -> int:
    """Run the cases and return 0 if all hold."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=TIMES, help="kills and fillings of each case")
    parser.add_argument(
        "--only", default="", help="cases whose name holds one of these words, with commas between"
    )
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    wanted = asked.only.split(",")
    chosen = [case for case in CASES if any(words in case.name for words in wanted)]
    missing = unmet(chosen)
    rows = []
    for case in chosen:
        lacks = missing.get(case.needs)
        if lacks is None and case.run is fault_disks.without_rights:
            lacks = missing.get("root")
        if lacks is not None:
            print(f"left out  {case.name}: {lacks}", flush=True)
            continue
        row = row_of(case, asked.times)
        rows.append(row)
        if asked.page:
            write_page([row])
        print(f"{'FAILS' if row.faults else 'holds'} {row.seconds:5.0f} s  {case.name}", flush=True)
        for fault in row.faults:
            print(f"        {fault}")
        for code, text in row.seen:
            print(f"        {code} {text}")
    wrong = differences(rows) if asked.check else []
    print("\n".join(wrong) or f"{len(rows)} rows, {sum(bool(row.faults) for row in rows)} fail")
    return int(bool(wrong) or any(row.faults for row in rows))


if __name__ == "__main__":
    sys.exit(main())
