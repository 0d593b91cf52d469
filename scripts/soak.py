"""Keep a server busy for half an hour, and show that its memory and open files stay flat.

    python scripts/soak.py --minutes 30 [--json FILE] [--svg FILE]

Readers ask for pages and for the API, people label and change their minds, one process imports new
answers and another marks them, all at once and over HTTP or the command line.  Resident memory and
open files of the server are read once a second.  After a warm-up the slope of both is estimated
(the median of the slopes of all pairs of samples, which a single jump does not move).  Ends with 1
where a slope is above its bound, where an answer was a server's error, or where the study does not
check clean afterwards.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import numpy as np

from adjudication_studies import SYSTEMS, frozen, judged_study
from finassay.study import Study
from finassay.study.check import check
from finassay.study.labels import LabelStore
from finassay.study.people import People, store_for
from import_tables import table
from killable_server import free_port

ITEMS, LABELS = 200, 300
READERS, PEOPLE = 2, ("ada", "bob")
PAUSE_S, REST_S = 0.25, 15.0
MOST_MIB_A_MINUTE, MOST_FILES_A_MINUTE = 1.0, 0.5
"""Largest slopes after the warm-up: 60 MiB an hour, and thirty open files an hour."""

SLOWEST_S = 300.0
"""Seconds after which a missing answer is a fault."""

BARS = "▁▂▃▄▅▆▇█"


@dataclass
class Soak:
    """What went on: samples of the server, and what it answered.

    `samples` are (seconds, MiB resident, open files).
    """

    samples: list[tuple[float, float, int]] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    commands: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def count(self, status: int, what: str) -> None:
        """Count an answer; one of 500 and more, but 503 while something is computed, is a fault."""
        with self.lock:
            self.statuses[status] += 1
            if status >= 500:
                self.faults.append(f"{status} for {what}")


class Client:
    """A connection that stays open, to one server."""

    def __init__(self, port: int, soak: Soak, token: str = "") -> None:
        self._made = lambda: http.client.HTTPConnection("127.0.0.1", port, timeout=SLOWEST_S)
        self._connection = self._made()
        self._soak = soak
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, path: str, body: object = None) -> bytes:
        """Return the body of an answer."""
        sent = None if body is None else json.dumps(body)
        headers = self._headers | ({} if sent is None else {"Content-Type": "application/json"})
        for _ in range(2):
            try:
                self._connection.request("GET" if sent is None else "POST", path, sent, headers)
                answer = self._connection.getresponse()
                content = answer.read()
            except TimeoutError:
                self._connection.close()
                self._connection = self._made()
                with self._soak.lock:
                    self._soak.faults.append(f"no answer in {SLOWEST_S:.0f} s for {path}")
                return b""
            except (http.client.HTTPException, ConnectionError):
                # A connection that asked nothing for a while is closed by the server.
                self._connection.close()
                self._connection = self._made()
                continue
            self._soak.count(answer.status, path)
            return content
        return b""


def read(client: Client, stop: Event, seed: int) -> None:
    """Read pages and the API, in random order."""
    rng = random.Random(seed)
    first, second = (system.name for system in SYSTEMS)
    while not stop.is_set():
        item = f"q{rng.randrange(ITEMS):03d}"
        pages = (
            *("/", "/rules", "/items", "/difficulty", "/judges", "/api/health", "/adjudicate"),
            *(f"/item?id={item}", f"/items?q={item}", f"/compare?a={first}&b={second}"),
            *(f"/items?page={rng.randrange(1, 5)}", "/api/openapi.json", f"/why?id={item}"),
        )
        client.ask(rng.choice(pages))
        stop.wait(PAUSE_S)


def label(client: Client, stop: Event, draw: str, seed: int) -> None:
    """Answer every unit once, then change one's mind again and again."""
    rng = random.Random(seed)
    base = f"/api/adjudicate/{draw}"
    client.ask(f"{base}/join", {})
    known: list[str] = []
    while not stop.is_set():
        told = json.loads(client.ask(f"{base}/next") or b"{}")
        unit = told.get("unit")
        if unit is None and known:
            told = json.loads(client.ask(f"{base}/units/{rng.choice(known)}") or b"{}")
            unit = told.get("unit")
        if unit is not None:
            known.append(unit["unit"])
            del known[:-LABELS]
            said = {key: unit[key] for key in ("unit", "submission", "seen")}
            client.ask(f"{base}/answers", said | {"label": rng.choice(unit["menu"])["label"]})
        stop.wait(PAUSE_S)


def command(soak: Soak, *words: str) -> None:
    """Run a command of the program, and note its failure."""
    done = subprocess.run(
        [sys.executable, "-m", "finassay", *words], capture_output=True, text=True, check=False
    )
    with soak.lock:
        soak.commands[words[0]] += 1
        if done.returncode:
            soak.faults.append(f"`finassay {words[0]}` ended with {done.returncode}: {done.stderr}")


def import_again(soak: Soak, stop: Event, study: Path, folder: Path) -> None:
    """Import another version of a system's answers, over and over."""
    turn = 0
    while not stop.is_set():
        turn += 1
        said = [
            {"id": f"q{n:03d}", "prediction": f"The rate is {n + turn % 3}."} for n in range(ITEMS)
        ]
        file = table(folder / "imported.csv", said)
        command(soak, "import", str(study), str(file))
        stop.wait(REST_S)


def score_again(soak: Soak, stop: Event, study: Path) -> None:
    """Mark what has changed, over and over."""
    while not stop.is_set():
        command(soak, "score", str(study), "--scorer", "exact", "--scorer", "token_set")
        stop.wait(REST_S)


def sample(soak: Soak, stop: Event, process: int, begun: float) -> None:
    """Read memory and open files of the server once a second."""
    while not stop.wait(1.0):
        try:
            status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
            files = sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())
        except OSError:
            soak.faults.append("the server is gone")
            return
        resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        soak.samples.append((time.monotonic() - begun, int(resident.split()[1]) / 1024, files))


@contextmanager
def server(study: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Serve a study as anybody does, and stop it in good order."""
    words = ("-m", "finassay", "serve", str(study), "--port", str(port))
    with subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(60)


def wait_until_up(port: int) -> None:
    """Wait until the server answers."""
    for _ in range(600):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/api/health")
            connection.getresponse().read()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError("the server did not answer within two minutes")


def soak(folder: Path, minutes: float) -> Soak:
    """Keep a server busy for so many minutes, and return what went on."""
    made = Soak()
    study = judged_study(folder / "study", n=ITEMS)
    draw = frozen(study, labels=LABELS)
    with store_for(study) as store:
        tokens = [People(store).add(name).token for name in PEOPLE]
    port, stop = free_port(), Event()
    with server(study.root, port) as process:
        wait_until_up(port)
        begun = time.monotonic()
        jobs: list[Callable[[], None]] = [
            lambda: sample(made, stop, process.pid, begun),
            lambda: import_again(made, stop, study.root, folder),
            lambda: score_again(made, stop, study.root),
            *(_reader(port, made, stop, seed) for seed in range(READERS)),
            *(
                _labeller(port, made, stop, token, (draw.name, seed))
                for seed, token in enumerate(tokens)
            ),
        ]
        threads = [Thread(target=job, daemon=True) for job in jobs]
        for thread in threads:
            thread.start()
        stop.wait(60 * minutes)
        stop.set()
        for thread in threads:
            thread.join(120)
    problems = [one for one in check(Study.open(study.root)).problems if one.severity == "error"]
    made.faults += [f"the check finds: {one.message}" for one in problems]
    with LabelStore.of(study) as store:
        made.commands["labels and revisions"] = len(store.history())
    return made


def _reader(port: int, made: Soak, stop: Event, seed: int) -> Callable[[], None]:
    return lambda: read(Client(port, made), stop, seed)


def _labeller(
    port: int, made: Soak, stop: Event, token: str, task: tuple[str, int]
) -> Callable[[], None]:
    return lambda: label(Client(port, made, token), stop, *task)


def slope_a_minute(seconds: Sequence[float], values: Sequence[float]) -> float:
    """Return the median slope of all pairs of samples, a minute (Theil and Sen)."""
    at, value = np.asarray(seconds), np.asarray(values)
    step = max(1, len(at) // 600)
    at, value = at[::step], value[::step]
    first, second = np.triu_indices(len(at), 1)
    slopes = (value[second] - value[first]) / (at[second] - at[first])
    return float(np.median(slopes) * 60)


def curve(values: Sequence[float], width: int = 72) -> str:
    """Return a curve in one line of text."""
    parts = np.array_split(np.asarray(values), min(width, len(values)))
    means = np.array([part.mean() for part in parts])
    low, high = means.min(), means.max()
    scaled = (means - low) / (high - low or 1.0) * (len(BARS) - 1)
    return "".join(BARS[round(float(one))] for one in scaled)


def drawing(made: Soak, warm_s: float) -> str:
    """Return the curve of memory as an SVG."""
    wide, high, edge = 720, 240, 50
    seconds, memory, _ = zip(*made.samples, strict=True)
    most, longest = 1.15 * max(memory), max(seconds)

    def place(at: float, value: float) -> str:
        across = edge + at / longest * (wide - edge - 10)
        return f"{across:.1f},{high - 30 - value / most * (high - 50):.1f}"

    step = max(1, len(seconds) // 400)
    line = " ".join(
        place(at, value) for at, value in zip(seconds[::step], memory[::step], strict=True)
    )
    begin, end = place(warm_s, 0), place(warm_s, most)
    ticks = "".join(
        f'<text x="{edge - 6}" y="{float(place(0, value).split(",")[1]) + 4:.1f}" '
        f'text-anchor="end">{value:.0f}</text>'
        for value in np.linspace(0, 100 * (most // 100), 3)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" role="img" '
        f'aria-label="Resident memory of the server in MiB over {longest / 60:.0f} minutes" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>'
        f'<polyline points="{line}" fill="none" stroke="#1f5fa8" stroke-width="1.5"/>'
        f'<polyline points="{begin} {end}" fill="none" stroke="#777" stroke-dasharray="4 4"/>'
        f'{ticks}<text x="{edge}" y="14">resident memory, MiB; dashed: end of the warm-up</text>'
        f'<text x="{wide - 10}" y="{high - 8}" text-anchor="end">{longest / 60:.0f} minutes</text>'
        f"</svg>\n"
    )


def summary(made: Soak, warm_s: float) -> dict[str, object]:
    """Return the figures of a soak."""
    after = [one for one in made.samples if one[0] >= warm_s]
    seconds, memory, files = zip(*after, strict=True)
    return {
        "minutes": round(made.samples[-1][0] / 60, 1),
        "warm_up_minutes": round(warm_s / 60, 1),
        "answers": sum(made.statuses.values()),
        "statuses": {str(status): n for status, n in sorted(made.statuses.items())},
        "commands": dict(made.commands),
        "mib_at_the_end_of_the_warm_up": round(memory[0], 1),
        "mib_at_the_end": round(memory[-1], 1),
        "mib_at_most": round(max(memory), 1),
        "mib_a_minute": round(slope_a_minute(seconds, memory), 3),
        "files_at_most": max(files),
        "files_a_minute": round(slope_a_minute(seconds, files), 3),
    }


def missed(figures: Mapping[str, object], faults: Sequence[str]) -> list[str]:
    """Return what does not hold."""
    found = [*faults[:10]]
    for name, most in (
        ("mib_a_minute", MOST_MIB_A_MINUTE),
        ("files_a_minute", MOST_FILES_A_MINUTE),
    ):
        slope = float(str(figures[name]))
        if slope > most:
            found.append(f"{name} is {slope}, expected at most {most}")
    return found


def main() -> int:
    """Soak, show what came of it, and return 0 if all holds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--warm-up", type=float, default=None, help="minutes; a third by default")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--svg", type=Path)
    asked = parser.parse_args()
    warm_s = 60 * (asked.minutes / 3 if asked.warm_up is None else asked.warm_up)
    with tempfile.TemporaryDirectory(prefix="finassay-soak-") as folder:
        made = soak(Path(folder), asked.minutes)
    figures = summary(made, warm_s)
    for name, value in figures.items():
        print(f"{name:<32} {value}")
    print(f"memory {curve([one[1] for one in made.samples])}")
    print(f"files  {curve([one[2] for one in made.samples])}")
    short = missed(figures, made.faults)
    if asked.json:
        told = figures | {"samples": made.samples, "missed": short}
        asked.json.write_text(json.dumps(told) + "\n", encoding="utf-8")
    if asked.svg:
        asked.svg.write_text(drawing(made, warm_s), encoding="utf-8")
    print("\n".join(f"does not hold: {one}" for one in short) or "all holds")
    return int(bool(short))


if __name__ == "__main__":
    sys.exit(main())
