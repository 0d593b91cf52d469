"""Two writers at once, clocks that jump, few open files, and no room for temporary files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Thread

from fault_cases import ALL_OR_NOTHING, Case
from fault_child import Straits
from fault_kills import RULES, imported
from fault_rig import Command, Ran, Rig, Words, fill, parts_of, settle, small_disk
from finassay.study import Study
from finassay.study.labels import Label, LabelStore

TEN_YEARS = 315_360_000
FEW_FILES = 64
LABELS_EACH = 25


def _both(rig: Rig, first: Words, second: Words) -> list[Ran]:
    """Run two commands at once, and return what became of both."""
    commands = [Command(rig.folder, words) for words in (first, second)]
    for command in commands:
        command.go()
    return [command.end() for command in commands]


def two_writers(first: str, second: str) -> Callable[[Rig, int], None]:
    """Return a case: two commands write to one study, and the study is as after both in turn."""

    def run(rig: Rig, times: int) -> None:
        start = rig.folder / "start"
        imported(rig, start, items=60)
        words = {
            "import": ("import", "{}", rig.folder / "raw" / "system-0.csv", "--system", "fourth"),
            "score": ("score", "{}", *RULES),
        }
        turn = rig.folder / "in-turn"
        shutil.copytree(start, turn)
        for kind in (first, second, "score"):
            rig.run_well(*_at(words[kind], turn))
        wanted = parts_of(turn)
        for number in range(times):
            study = rig.folder / f"both-{number}"
            shutil.copytree(start, study)
            before = parts_of(study)
            for ran in _both(rig, _at(words[first], study), _at(words[second], study)):
                rig.met(ran, 0, names={study: "STUDY"})
            settle(rig, study, before, wanted)
            # A scoring marks what was there when it began: the next one marks the rest.
            rig.run_well(*_at(words["score"], study))
            rig.expect(parts_of(study) == wanted, "the study is not as after both in turn")

    return run


def _at(words: Words, study: Path) -> Words:
    return tuple(study if word == "{}" else word for word in words)


def two_labellers(rig: Rig, _times: int) -> None:
    """Let two writers revise the same labels at once: every revision is kept, in one order."""
    study = rig.folder / "study"
    imported(rig, study, items=20)
    opened = Study.open(study)
    system_id = opened.snapshot().systems()[0].system_id

    def label(writer: int) -> None:
        with LabelStore.of(opened) as store:
            for number in range(LABELS_EACH):
                said = Label(
                    annotator="ann",
                    item_id=f"q{number % 3:04d}",
                    system_id=system_id,
                    label="y",
                    value=1.0,
                    note=f"{writer}:{number}",
                )
                store.record(said)

    writers = [Thread(target=label, args=(writer,)) for writer in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    with LabelStore.of(opened) as store:
        history = store.history()
    notes = {one.label.note for one in history}
    rig.expect(len(history) == len(notes) == 2 * LABELS_EACH, f"{len(history)} revisions are kept")
    for item in {one.label.item_id for one in history}:
        numbers = [one.revision for one in history if one.label.item_id == item]
        rig.expect(numbers == list(range(len(numbers))), f"revisions of {item}: {numbers}")
    settle(rig, study, parts_of(study), None)


def _clock(rig: Rig) -> Path:
    """Return the compiled clock."""
    made = rig.folder / "clock.so"
    if not made.exists():
        source = Path(__file__).with_name("fault_clock.c")
        command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(made), str(source), "-ldl"]
        subprocess.run(command, check=True, capture_output=True)
    return made


def _with_clock(rig: Rig, words: Words, *, offset_s: int = 0, jump_s: int = 0) -> Ran:
    told = {"CLOCK_OFFSET_S": str(offset_s), "CLOCK_JUMP_S": str(jump_s)}
    environment = os.environ | told | {"LD_PRELOAD": str(_clock(rig))}
    return _process(words, environment)


def _process(words: Words, environment: Mapping[str, str]) -> Ran:
    command: Sequence[str] = [sys.executable, "-m", "finassay", *map(str, words)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return Ran(code=done.returncode, out=done.stdout, err=done.stderr, seconds=0.0)


def clock_between(rig: Rig, _times: int) -> None:
    """Let every command run ten years before the one before it, and one ten years ahead."""
    calm = rig.folder / "calm"
    words = imported(rig, calm, items=20)
    rig.run_well("score", calm, *RULES)
    study = rig.folder / "study"
    changed = rig.folder / "raw" / "system-0.csv"
    steps: list[tuple[Words, int]] = [
        (("import", study, *words[2:]), TEN_YEARS),
        (("score", study, "--scorer", "exact"), -TEN_YEARS),
        (("score", study, *RULES), 0),
        (("import", study, changed), -2 * TEN_YEARS),
        (("study", "check", study), TEN_YEARS),
    ]
    for command, offset_s in steps:
        ran = _with_clock(rig, command, offset_s=offset_s)
        rig.met(ran, 0, names={study: "STUDY"})
    rig.expect(parts_of(study) == parts_of(calm), "the study depends on the clock")
    settle(rig, study, parts_of(calm), None)


def clock_during(rig: Rig, _times: int) -> None:
    """Let the clock jump to and fro by ten years while commands are at work."""
    calm = rig.folder / "calm"
    words = imported(rig, calm, items=20)
    rig.run_well("score", calm, *RULES)
    study = rig.folder / "study"
    for command in (("import", study, *words[2:]), ("score", study, *RULES)):
        rig.met(_with_clock(rig, command, jump_s=TEN_YEARS), 0, names={study: "STUDY"})
    rig.expect(parts_of(study) == parts_of(calm), "the study depends on the clock")
    settle(rig, study, parts_of(calm), None)


def few_files(rig: Rig, _times: int) -> None:
    """Import, mark and audit with at most 64 open files."""
    calm = rig.folder / "calm"
    words = imported(rig, calm, items=20)
    rig.run_well("score", calm, *RULES)
    study = rig.folder / "study"
    straits = Straits(open_files=FEW_FILES)
    for command in (("import", study, *words[2:]), ("score", study, *RULES)):
        rig.met(rig.run(*command, straits=straits), 0, 9, names={study: "STUDY"})
    settle(rig, study, {}, parts_of(calm))
    for command in (("import", study, *words[2:]), ("score", study, *RULES)):
        rig.run_well(*command)
    rig.expect(parts_of(study) == parts_of(calm), "with more files, it is not whole")


def no_temporary_files(rig: Rig, _times: int) -> None:
    """Import, mark and audit with a directory of temporary files that is full, or not there."""
    calm = rig.folder / "calm"
    words = imported(rig, calm, items=20)
    rig.run_well("audit", calm, "--out", rig.folder / "calm-report")
    with small_disk(rig.folder / "temporary", 64) as full:
        fill(full, 0)
        for number, place in enumerate((str(full), str(rig.folder / "nowhere"), "")):
            study = rig.folder / f"study-{number}"
            straits = Straits(tmpdir=place)
            report = rig.folder / f"report-{number}"
            commands = (("import", study, *words[2:]), ("audit", study, "--out", report))
            for command in commands:
                rig.met(rig.run(*command, straits=straits), 0, names={study: "STUDY"})
            rig.expect(parts_of(study) == parts_of(calm), f"with TMPDIR={place!r} it differs")
            settle(rig, study, parts_of(calm), None)


_BOTH = "nothing: both end, each partition is one writer's"
_CLOCK = "set the clock; nothing else, but that sessions end by it (log in again)"
TWO = "two writers at once"
AFTER_BOTH = "as after both in turn; the check is clean"

CASES = (
    *(
        Case(
            fault=TWO,
            during=f"{first} and {second}",
            disk=AFTER_BOTH,
            advice=_BOTH,
            run=two_writers(first, second),
            needs="children",
        )
        for first, second in (("import", "import"), ("score", "score"), ("score", "import"))
    ),
    Case(
        fault=TWO,
        during="labels of one person and unit",
        disk="every revision is kept, numbered without a gap",
        advice=_BOTH,
        run=two_labellers,
        is_quick=True,
    ),
    Case(
        fault="clock ten years back and ahead",
        during="between import, score, score, import, check",
        disk="as with a right clock (equal digests)",
        advice=_CLOCK,
        run=clock_between,
        needs="compiler",
    ),
    Case(
        fault="clock jumps to and fro by ten years",
        during="while import and score are at work",
        disk="as with a right clock (equal digests)",
        advice=_CLOCK,
        run=clock_during,
        needs="compiler",
    ),
    Case(
        fault="64 open files (`ulimit -n 64`)",
        during="import, score",
        disk=ALL_OR_NOTHING,
        advice="let the process open more files (`ulimit -n 1024`) and run it again",
        run=few_files,
        needs="children",
    ),
    Case(
        fault="temporary directory full, missing, or not named",
        during="import, audit --out",
        disk="whole: what is written aside stands beside its target",
        advice="nothing",
        run=no_temporary_files,
        needs="mount",
    ),
)
