"""Processes that are killed (SIGKILL) at random points of what they do."""

from __future__ import annotations

import http.client
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread

from adjudication_studies import frozen, judged_study
from fault_cases import ALL_OR_NOTHING, Case
from fault_rig import PLAIN, Parts, Rig, Words, parts_of, raw_files, settle
from finassay.study import Study
from finassay.study.check import check
from finassay.study.labels import LabelStore
from finassay.study.people import People, store_for
from judged_studies import JUDGE, TRUTH, served, study_to_judge
from killable_server import KillableServer, free_port, killable_server
from scripted_judge import ScriptedJudge
from scripted_server import Asked, Reply

RULES = ("--scorer", "exact", "--scorer", "token_set", "--scorer", "strict/numbers-first")
ABANDONED = 7200.0


def imported(rig: Rig, study: Path, *, items: int = 200, systems: int = 3) -> Words:
    """Import made-up answers into a study, and return the words that did."""
    files = raw_files(rig.folder / "raw", items=items, systems=systems)
    words = ("import", study, *files, "--items", rig.folder / "raw" / "items.csv")
    rig.run_well(*words)
    return words


def kill_again_and_again(
    rig: Rig, kills: int, prepare: Callable[[Path], None], words: Callable[[Path], Words]
) -> list[Path]:
    """Kill a command at random points of its work, each time on a fresh study; return those.

    Each is then whole after the command has been run once more.
    """
    rng = random.Random(len(str(words(Path("s"))[0])))
    calm = rig.folder / "calm"
    prepare(calm)
    before: Parts = parts_of(calm) if calm.exists() else {}
    took = rig.run(*words(calm), straits=PLAIN).seconds
    whole = parts_of(calm)
    studies = []
    for number in range(kills):
        study = rig.folder / f"killed-{number}"
        prepare(study)
        rig.run_and_kill(*words(study), after_s=took * rng.random())
        settle(rig, study, before, whole)
        rig.run_well(*words(study))
        rig.expect(parts_of(study) == whole, f"after kill {number}, run again, it is not whole")
        studies.append(study)
    return studies


def killed_import(rig: Rig, times: int) -> None:
    """Kill an import that makes its study."""
    words = imported(rig, rig.folder / "first")
    kill_again_and_again(rig, times, lambda _: None, lambda study: ("import", study, *words[2:]))


def killed_score(rig: Rig, times: int) -> None:
    """Kill a scoring under three rules."""
    source = rig.folder / "source"
    imported(rig, source)
    kill_again_and_again(
        rig,
        times,
        lambda study: shutil.copytree(source, study) and None,
        lambda study: ("score", study, *RULES),
    )


def killed_audit(rig: Rig, times: int) -> None:
    """Kill an audit that writes a report: every file of it is whole or not there."""
    source = rig.folder / "source"
    imported(rig, source, items=40)
    rig.run_well("score", source)

    def words(study: Path) -> Words:
        return ("audit", study, "--out", study.with_name(f"{study.name}-report"))

    rig.run_well("audit", source, "--out", rig.folder / "first-report")
    kill_again_and_again(rig, times, lambda study: shutil.copytree(source, study) and None, words)
    wanted = _files(rig.folder / "first-report")
    for number in range(times):
        report = rig.folder / f"killed-{number}-report"
        long_ago = time.time() - ABANDONED
        for path in report.rglob(".*.part"):
            os.utime(path, (long_ago, long_ago))
        rig.run_well(*words(rig.folder / f"killed-{number}"))
        rig.expect(_files(report) == wanted, f"files of report {number}: {sorted(_files(report))}")


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def _slowly(asked: Asked) -> Reply:
    judge = ScriptedJudge(truth=TRUTH, error_rate=0.3)
    return replace(judge(replace(asked, attempt=0)), wait_s=0.02)


def _judge(study: Path) -> subprocess.Popen[bytes]:
    words = ("judge", str(study), "--judge", JUDGE, "--votes", "3", "--max-wait", "0.01")
    more = ("--max-connections", "2", "--land-every", "4")
    return subprocess.Popen(
        [sys.executable, "-m", "finassay", *words, *more],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ),
    )


def killed_judge(rig: Rig, times: int) -> None:
    """Kill a judging over real HTTP again and again: what it received is not asked again."""
    rng = random.Random(5)
    with served(_slowly) as server:
        study = study_to_judge(rig.folder / "disturbed").root
        for _ in range(times):
            process = _judge(study)
            stop_at = len(server.asked) + rng.randint(1, 12)
            while len(server.asked) < stop_at and process.poll() is None:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.wait()
            problems = check(Study.open(study)).problems
            rig.expect(not problems, f"after a kill: {[one.message for one in problems]}")
        rig.expect(_judge(study).wait() == 0, "the last run failed")
        asked = len(server.asked)
    with served(_slowly) as server:
        calm = study_to_judge(rig.folder / "calm").root
        rig.expect(_judge(calm).wait() == 0, "the undisturbed run failed")
        wanted = len(server.asked)
    rig.expect(parts_of(study) == parts_of(calm), "it ends elsewhere than the undisturbed run")
    rig.expect(asked <= wanted + 2 * times, f"{asked} requests for {wanted} votes")
    settle(rig, study, parts_of(calm), None)


def killed_server(rig: Rig, times: int) -> None:
    """Kill a server while labels are sent: what was answered is stored once, and only that."""
    study = judged_study(rig.folder / "study", n=60)
    draw = frozen(study, labels=60)
    with store_for(study) as store:
        token = People(store).add("ada").token
    rng = random.Random(3)
    with killable_server(study.root, free_port()) as server:
        server.wait_until_up()
        _ask(server, token, f"{draw.name}/join", {})
        answered = _label_all(server, token, draw.name, [rng.randint(1, 9) for _ in range(times)])
    with LabelStore.of(study) as store:
        stored = store.history()
    rig.expect(server.kills == times + 1, f"{server.kills - 1} kills, expected {times}")
    rig.expect(len(stored) == answered, f"{answered} units answered, {len(stored)} labels stored")
    rig.expect({one.revision for one in stored} == {0}, "a label was stored twice")
    settle(rig, study.root, parts_of(study.root), None)


def _label_all(server: KillableServer, token: str, draw: str, gaps: list[int]) -> int:
    """Answer every unit, killing the server when so many answers have gone; return how many."""
    units = 0
    until = gaps.pop() if gaps else -1
    while True:
        shown = _ask(server, token, f"{draw}/next")["unit"]
        if shown is None:
            return units
        menu = shown["menu"]
        said = {key: shown[key] for key in ("unit", "submission", "seen")}
        said["label"] = menu[units % len(menu)]["label"]
        until -= 1
        if until == 0:
            _send_and_kill(server, token, f"{draw}/answers", said)
            until = gaps.pop() if gaps else -1
        # The same submission again: it counts once, whether the first came through or not.
        _ask(server, token, f"{draw}/answers", said)
        units += 1


def _request(server: KillableServer, token: str, path: str, body: object) -> urllib.request.Request:
    sent = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return urllib.request.Request(f"{server.address}/api/adjudicate/{path}", sent, headers)


def _ask(server: KillableServer, token: str, path: str, body: object = None) -> dict:
    with urllib.request.urlopen(_request(server, token, path, body), timeout=60) as reply:
        return json.load(reply)


def _send(request: urllib.request.Request) -> None:
    with suppress(OSError, http.client.HTTPException):
        urllib.request.urlopen(request, timeout=10).close()


def _send_and_kill(server: KillableServer, token: str, path: str, body: object) -> None:
    """Send a request, kill the server in whatever it is doing with it, and start another."""
    sent = Thread(target=_send, args=(_request(server, token, path, body),))
    sent.start()
    time.sleep(random.Random(server.kills).random() * 0.02)
    server.kill()
    sent.join()
    server.start()
    server.wait_until_up()


_AGAIN = "run the same command again: it ends as if it had been left alone"
KILLED = "kill -9 at random points"

CASES = (
    Case(
        fault=KILLED,
        during="import",
        disk=ALL_OR_NOTHING,
        advice=f"{_AGAIN}; `study clean` removes what no version refers to",
        run=killed_import,
        needs="children",
    ),
    Case(
        fault=KILLED,
        during="score",
        disk=ALL_OR_NOTHING,
        advice=f"{_AGAIN}; what was committed is not marked again",
        run=killed_score,
        needs="children",
    ),
    Case(
        fault=KILLED,
        during="judge, over HTTP",
        disk="replies received are in the journal or the tables; the check is clean",
        advice=f"{_AGAIN}; only what was on its way is asked again",
        run=killed_judge,
        needs="server",
    ),
    Case(
        fault=KILLED,
        during="serve, a label being saved",
        disk="labels that were answered are stored, each once",
        advice="start the server again; a page sends its label again",
        run=killed_server,
        needs="server",
    ),
    Case(
        fault=KILLED,
        during="audit --out",
        disk=f"{ALL_OR_NOTHING}; files of the report whole, or not there",
        advice=f"{_AGAIN}; the next report, an hour later, removes `.part` files",
        run=killed_audit,
        needs="children",
    ),
)
