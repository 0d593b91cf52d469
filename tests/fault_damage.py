"""Files of a study that are cut, empty, changed or gone."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

from fault_cases import Case
from fault_kills import imported
from fault_rig import Rig, parts_of
from finassay.study import Study
from finassay.study.labels import Label, LabelStore

Damage = Callable[[Path], None]
BIT = 0x10


def cut(path: Path) -> None:
    """Cut a file in half."""
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


def empty(path: Path) -> None:
    """Leave a file without content."""
    path.write_bytes(b"")


def gone(path: Path) -> None:
    """Remove a file."""
    path.unlink()


def flip(path: Path, at: int) -> None:
    """Turn one bit of a file."""
    content = bytearray(path.read_bytes())
    content[at] ^= BIT
    path.write_bytes(content)


def footer_spoilt(path: Path) -> None:
    """Overwrite part of what a Parquet file says of its columns; its length stays."""
    content = bytearray(path.read_bytes())
    content[-80:-20] = b"\xff" * 60
    path.write_bytes(content)


def overwritten(path: Path) -> None:
    """Put something else in the place of a file."""
    path.write_bytes(b"not a database " * 600)


def data_file(study: Path) -> Path:
    """Return a file with predictions."""
    return min((study / "predictions").rglob("*.parquet"))


def log_entry(study: Path) -> Path:
    """Return the newest entry of the log of the predictions."""
    return max((study / "predictions" / "_delta_log").glob("*.json"))


def damaged(
    where: Callable[[Path], Path], how: Damage, *, is_met_by_all: bool = True
) -> Callable[[Rig, int], None]:
    """Return a case: every command that reads a damaged file refuses it, and a copy mends it.

    Args:
        where: finds the file in a study.
        how: damages it.
        is_met_by_all: also by an import of another system, which does not read its rows.
    """

    def run(rig: Rig, _times: int) -> None:
        study = rig.folder / "study"
        imported(rig, study, items=20)
        before = parts_of(study)
        path = where(study)
        kept = path.read_bytes()
        how(path)
        names = {study: "STUDY", rig.folder: "FOLDER"}
        more = rig.folder / "raw" / "system-0.csv"
        rig.met(rig.run("score", study, "--scorer", "exact"), 4, names=names)
        codes = (4,) if is_met_by_all else (0, 4)
        rig.met(rig.run("import", study, more, "--system", "new"), *codes, names=names)
        checked = rig.run("study", "check", study)
        rig.expect(checked.code == 4, f"the check ends with {checked.code}: {checked.out}")
        cleaned = rig.run("study", "clean", study, "--older-than-hours", "0")
        rig.expect(cleaned.code in {0, 4}, f"cleaning ends with {cleaned.code}: {cleaned.told}")
        rig.expect("Traceback" not in cleaned.err, "cleaning shows a traceback")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(kept)
        found = parts_of(study)
        rig.expect(before.items() <= found.items(), "with the copy back, something differs")
        added = {table for table, _ in found.keys() - before.keys()}
        # An import files what it says of its system before it meets the damaged table.
        if is_met_by_all:
            rig.expect(added <= {"systems", "runs", "scorers"}, f"rows were added to {added}")
        rig.run_well("score", study, "--scorer", "exact")

    return run


def turned_bits(rig: Rig, times: int) -> None:
    """Turn bits at random places of a data file: never a traceback, texts are checked."""
    study = rig.folder / "study"
    imported(rig, study, items=60, systems=1)
    path = data_file(study)
    kept = path.read_bytes()
    good = Study.open(study).snapshot().frame("predictions")
    rng = random.Random(1)
    for _ in range(8 * times):
        flip(path, rng.randrange(len(kept)))
        checked = rig.run("study", "check", study)
        rig.expect("Traceback" not in checked.err, f"a traceback: {checked.err[-300:]}")
        rig.expect(checked.code in {0, 4}, f"the check ends with {checked.code}")
        if checked.code == 0:
            found = Study.open(study).snapshot().frame("predictions")
            same = found.select("item_id", "text").equals(good.select("item_id", "text"))
            rig.expect(same, "a text changed and the check is clean")
        scored = rig.run("score", study, "--scorer", "exact")
        rig.expect("Traceback" not in scored.err, f"a traceback: {scored.err[-300:]}")
        rig.expect(scored.code in {0, 4}, f"scoring ends with {scored.code}")
        path.write_bytes(kept)
    rig.seen.append((4, "`study check` names the rows, or the file"))


def damaged_labels(how: Damage) -> Callable[[Rig, int], None]:
    """Return a case: a damaged store of labels is told, and a backup brings it back."""

    def run(rig: Rig, _times: int) -> None:
        study = rig.folder / "study"
        imported(rig, study, items=20)
        opened = Study.open(study)
        system_id = opened.snapshot().systems()[0].system_id
        with LabelStore.of(opened) as store:
            for number in range(20):
                said = Label(
                    annotator="ann",
                    item_id=f"q{number:04d}",
                    system_id=system_id,
                    label="y",
                    value=1.0,
                )
                store.record(said)
            history = store.history()
        backup = rig.folder / "labels.backup"
        rig.run_well("study", "backup-labels", study, backup)
        how(study / "labels.sqlite")
        names = {study: "STUDY", rig.folder: "FOLDER"}
        rig.met(rig.run("people", "list", study), 4, names=names)
        checked = rig.run("study", "check", study)
        rig.expect(checked.code == 4, f"the check ends with {checked.code}: {checked.out}")
        rig.expect("labels.sqlite is damaged" in checked.out, f"the check says {checked.out}")
        shutil.move(study / "labels.sqlite", rig.folder / "damaged")
        for beside in study.glob("labels.sqlite-*"):
            beside.unlink()
        rig.run_well("study", "restore-labels", study, backup)
        with LabelStore.of(opened) as store:
            rig.expect(store.history() == history, "the backup brings back other labels")

    return run


_COPY = "restore the file, or the study, from a copy; nothing else of the study is touched"


def _case(
    fault: str, what: str, run: Callable[[Rig, int], None], *, is_quick: bool = False
) -> Case:
    return Case(
        fault=fault,
        during=what,
        disk="as the damage left it; no command writes to that table",
        advice=_COPY,
        run=run,
        is_quick=is_quick,
    )


CASES = (
    _case("file cut", "Parquet", damaged(data_file, cut)),
    _case("file empty", "Parquet", damaged(data_file, empty)),
    _case("file missing", "Parquet", damaged(data_file, gone)),
    _case(
        "footer overwritten",
        "Parquet",
        damaged(data_file, footer_spoilt, is_met_by_all=False),
        is_quick=True,
    ),
    Case(
        fault="bits turned anywhere",
        during="Parquet",
        disk="as the damage left it",
        advice=f"{_COPY}; see below on what no check finds",
        run=turned_bits,
    ),
    _case("file cut", "log of a table", damaged(log_entry, cut)),
    _case("file empty", "log of a table", damaged(log_entry, empty), is_quick=True),
    _case("file cut", "study.toml", damaged(lambda study: study / "study.toml", cut)),
    _case("file empty", "study.toml", damaged(lambda study: study / "study.toml", empty)),
    _case("file missing", "study.toml", damaged(lambda study: study / "study.toml", gone)),
    Case(
        fault="file overwritten",
        during="labels.sqlite",
        disk="tables as before; the check names the file",
        advice="move it away and `finassay study restore-labels` from a backup",
        run=damaged_labels(overwritten),
    ),
    Case(
        fault="file cut",
        during="labels.sqlite",
        disk="tables as before; the check names the file",
        advice="move it away and `finassay study restore-labels` from a backup",
        run=damaged_labels(cut),
    ),
)
