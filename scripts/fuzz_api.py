"""Send made-up requests to every operation of the API of a study, and print what came back.

The study is copied first.  Exits with 1 if an answer was a fault of the server, or an error in
another form than the API's.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from fastapi.testclient import TestClient

from api_fuzz import ApiFuzzer
from finassay.apps.web import guards
from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings
from finassay.study import Study
from finassay.study.adjudication.draw_files import draw_names
from web_clients import token_of


def known_of(study: Path) -> dict[str, list[str]]:
    """Return values that exist in a study, by the names of parameters that take them."""
    opened = Study.open(study)
    snapshot = opened.snapshot()
    systems = [spec.name for spec in snapshot.systems()[:20]]
    items = [item.item_id for item in snapshot.items()[:20]]
    return {
        **dict.fromkeys(("a", "b", "system", "name"), systems),
        **dict.fromkeys(("id", "item", "item_id"), items),
        **({"draw": list(draw_names(opened))} if draw_names(opened) else {}),
    }


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("study", type=Path, help="a study, for instance of `finassay demo`")
    parser.add_argument("--examples", type=int, default=200, help="requests for each operation")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    guards.REQUESTS = sys.maxsize
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        study = Path(shutil.copytree(asked.study, Path(folder) / "study"))
        token = token_of(study, "fuzzer", "label", "review", "submit")
        settings = WebSettings(study=study, patience_s=600)
        with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
            for headers in ({}, {"Authorization": f"Bearer {token}"}):
                fuzzer = ApiFuzzer(client, headers=headers, known=known_of(study))
                fuzzer.run(examples=asked.examples, start=asked.seed)
                print("with a token" if headers else "without a token")
                print("\n".join(f"  {line}" for line in [*fuzzer.lines(), *fuzzer.faults]))
                faults += len(fuzzer.faults)
    print(f"{faults} faults")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
