"""Kill `finassay run` at random points, run it again, and show that nothing is lost or repeated.

    python scripts/kill_and_resume.py --kills 20

The bundled benchmark is asked of models on a scripted server over real HTTP, which fails in passing
now and then, and of the models named with --model.  After every kill -9 it is read off the disk
which replies had been received; no start may ask for one of them again.  In the end the canonical
digests of all tables must be those of a run that was left alone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from killed_runs import Setting, kill_and_resume


def main() -> int:
    """Run the proof and return 0 if it holds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--served", type=int, default=6, help="models on the scripted server")
    parser.add_argument(
        "--model", action="append", default=[], help="more models, such as baselines"
    )
    asked = parser.parse_args()
    setting = Setting(
        benchmark="finassay-regqa",
        served=[f"m{number}" for number in range(asked.served)],
        others=asked.model,
    )
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="finassay-kills-") as folder:
        found = kill_and_resume(setting, Path(folder), kills=asked.kills, seed=asked.seed)
    disturbed, calm = found.digests
    print(f"{found.kills} kills in {found.starts} starts, at {dict(found.moments)}")
    print(f"{found.wanted} answers wanted of the server, {found.requests} requests")
    print(
        f"replies sent whole: {found.answered}, of these lost on their way in a kill: {found.lost}"
    )
    print(f"asked again after the reply was received: {len(found.again)}")
    print(f"digests equal to the undisturbed run: {disturbed == calm}")
    print(f"problems that the study check finds: {found.problems or 'none'}")
    print(f"{time.monotonic() - start:.0f} s")
    holds = not found.again and disturbed == calm and not found.problems
    return 0 if holds and found.kills == asked.kills else 1


if __name__ == "__main__":
    sys.exit(main())
