"""Disks that are full, that can only be read, and directories without rights."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from fastapi.testclient import TestClient

from adjudication_studies import frozen, judged_study
from fault_cases import ALL_OR_NOTHING, AS_BEFORE, Case
from fault_child import Straits
from fault_kills import RULES, imported
from fault_rig import Parts, Rig, Words, fill, parts_of, settle, small_disk
from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings
from finassay.study.labels import LabelStore
from finassay.study.people import People, store_for

NOBODY = 65534
DISK_KIB = 4096
ROOMS = (0, 4_096, 16_384, 60_000, 120_000, 200_000)
"""Bytes that a full disk has left, from none to about what a command needs."""


def _names(rig: Rig, study: Path) -> Mapping[Path, str]:
    return {
        study: "STUDY",
        rig.folder / "disk" / "report": "REPORT",
        rig.folder / "disk": "DISK",
        rig.folder: "FOLDER",
    }


def _until_it_fits(
    rig: Rig, study: Path, words: Words, *, before: Parts, whole: Parts, rooms: tuple[int, ...]
) -> None:
    """Run a command on a disk with less and more room; then with enough, when it must be whole."""
    disk = study.parent
    for room in rooms:
        filler = fill(disk, room)
        rig.met(rig.run(*words), 0, 9, names=_names(rig, study))
        filler.unlink()
        settle(rig, study, before, whole)
    rig.run_well(*words)
    rig.expect(parts_of(study) == whole, "run again with room, it is not whole")
    rig.expect(any(code == 9 for code, _ in rig.seen), "the disk was never full")


def full_import(rig: Rig, times: int) -> None:
    """Import into a study that is made on a full disk."""
    source = rig.folder / "source"
    words = imported(rig, source, items=60)
    with small_disk(rig.folder / "disk", DISK_KIB) as disk:
        _until_it_fits(
            rig,
            disk / "study",
            ("import", disk / "study", *words[2:]),
            before={},
            whole=parts_of(source),
            rooms=ROOMS[:times],
        )


def full_score(rig: Rig, times: int) -> None:
    """Mark a study on a full disk."""
    source = rig.folder / "source"
    imported(rig, source, items=60)
    before = parts_of(source)
    rig.run_well("score", source, *RULES)
    with small_disk(rig.folder / "disk", DISK_KIB) as disk:
        study = disk / "study"
        imported(rig, study, items=60)
        words = ("score", study, *RULES)
        whole = parts_of(source)
        _until_it_fits(rig, study, words, before=before, whole=whole, rooms=ROOMS[:times])


def full_label(rig: Rig, _times: int) -> None:
    """Save a label on a full disk: the page is told, and the same label goes in afterwards."""
    with small_disk(rig.folder / "disk", 2 * DISK_KIB) as disk:
        study = judged_study(disk / "study", n=12)
        draw = frozen(study, labels=12)
        with store_for(study) as store:
            token = People(store).add("ada").token
        settings = WebSettings(study=study.root)
        app = create_app(settings)
        with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
            client.headers["Authorization"] = f"Bearer {token}"
            base = f"/api/adjudicate/{draw.name}"
            client.post(f"{base}/join", json={})
            unit = client.get(f"{base}/next").json()["unit"]
            said = {key: unit[key] for key in ("unit", "submission", "seen")}
            said |= {"label": unit["menu"][0]["label"], "note": "n" * 2000}
            filler = fill(disk, 0)
            refused = client.post(f"{base}/answers", json=said)
            rig.expect(refused.status_code == 503, f"status {refused.status_code}")
            rig.seen.append((503, refused.json()["error"]["message"]))
            filler.unlink()
            stored = client.post(f"{base}/answers", json=said).json()
            rig.expect(stored["outcome"] == "new", f"afterwards: {stored['outcome']}")
        with LabelStore.of(study) as store:
            rig.expect(len(store.history()) == 1, "the label is not stored once")
        settle(rig, study.root, parts_of(study.root), None)


def full_report(rig: Rig, times: int) -> None:
    """Write a report to a full disk: files that stand there are whole, nothing is left aside."""
    study = rig.folder / "study"
    imported(rig, study, items=20)
    words = ("audit", study, "--scorer", "exact", "--scorer", "token_set", "--out")
    rig.run_well(*words, rig.folder / "whole")
    before = parts_of(study)
    with small_disk(rig.folder / "disk", DISK_KIB) as disk:
        for room in (0, 100_000)[:times]:
            filler = fill(disk, room)
            rig.met(rig.run(*words, disk / "report"), 9, names=_names(rig, study))
            filler.unlink()
            for path in (disk / "report").rglob("*"):
                twin = rig.folder / "whole" / path.relative_to(disk / "report")
                rig.expect(twin.exists(), f"{path.name} is left over")
                if path.is_file() and path.suffix == ".tex":
                    rig.expect(path.read_bytes() == twin.read_bytes(), f"{path.name} is cut")
    settle(rig, study, before, None)


def read_only(rig: Rig, _times: int) -> None:
    """Write to a study on a disk that can only be read; reading goes on."""
    source = rig.folder / "source"
    words = imported(rig, source, items=20)
    with small_disk(rig.folder / "disk", 2 * DISK_KIB) as disk:
        study = disk / "study"
        shutil.copytree(source, study, copy_function=shutil.copyfile)
        before = parts_of(study)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        more = rig.folder / "raw" / "system-0.csv"
        commands = (
            ("import", study, more, "--system", "new"),
            ("import", disk / "new", *words[2:]),
            ("score", study, "--scorer", "exact"),
            ("audit", study, "--out", rig.folder / "report"),
        )
        for command in commands:
            rig.met(rig.run(*command), 9, names=_names(rig, study))
        for command in (("study", "check", study), ("study", "info", study)):
            rig.run_well(*command)
        rig.expect(parts_of(study) == before, "the study changed")


def without_rights(rig: Rig, _times: int) -> None:
    """Write to a study of somebody else, as a user without rights."""
    study = rig.folder / "study"
    imported(rig, study, items=20)
    before = parts_of(study)
    for path in (rig.folder, *rig.folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    straits = Straits(uid=NOBODY)
    for words in (
        ("score", study, "--scorer", "exact"),
        ("import", study, rig.folder / "raw" / "system-0.csv", "--system", "new"),
        ("import", rig.folder / "other", rig.folder / "raw" / "system-0.csv"),
    ):
        rig.met(rig.run(*words, straits=straits), 9, names=_names(rig, study))
    ran = rig.run("study", "check", study, straits=straits)
    rig.expect(ran.code == 0, f"the check ends with {ran.code}: {ran.told}")
    settle(rig, study, before, None)


_ROOM = "free some space and run the same command again: it ends whole"
FULL = "full disk"
READ_ONLY = "read-only disk"

CASES = (
    Case(
        fault=FULL,
        during="import",
        disk=f"{ALL_OR_NOTHING}, or no study yet",
        advice=_ROOM,
        run=full_import,
        needs="mount",
        is_quick=True,
    ),
    Case(
        fault=FULL, during="score", disk=ALL_OR_NOTHING, advice=_ROOM, run=full_score, needs="mount"
    ),
    Case(
        fault=FULL,
        during="serve, a label being saved",
        disk="the label is not stored; labels before it are",
        advice="free some space and send the label again: it is stored once",
        run=full_label,
        needs="mount",
        is_quick=True,
    ),
    Case(
        fault=FULL,
        during="audit --out",
        disk="files of the report whole, or not there; the study marked, and clean",
        advice=_ROOM,
        run=full_report,
        needs="mount",
    ),
    Case(
        fault=READ_ONLY,
        during="import, score, audit",
        disk=AS_BEFORE,
        advice="make it writable, or work on a copy; commands that only read go on",
        run=read_only,
        needs="mount",
        is_quick=True,
    ),
    Case(
        fault="no rights in the directory",
        during="import, score",
        disk=AS_BEFORE,
        advice="give the user the rights, or work on a copy; commands that only read go on",
        run=without_rights,
        needs="children",
    ),
)
