"""Try the reader of promptfoo's logs on what the tool itself writes.

    npm install --prefix FOLDER promptfoo
    python scripts/promptfoo_log.py FOLDER/node_modules/.bin/promptfoo [--out LOG.json]

The tool's `echo` provider answers, so nothing is asked of a model.  The log that it writes is
imported, and its answers and verdicts are compared with the log itself.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from finassay.runs.importers.logs.importing import find_logs, import_logs
from finassay.study import Study

CONFIG = {
    "description": "Rates",
    "prompts": ["Answer shortly: {{question}}", "The answer to {{question}} is {{guess}}"],
    "providers": [{"id": "echo", "label": "parrot"}],
    "tests": [
        {
            "vars": {"question": "What is the repo rate?", "guess": "6.50%", "expected": "6.50%"},
            "assert": [
                {"type": "contains", "value": "{{expected}}", "metric": "rate"},
                {"type": "icontains", "value": "ANSWER"},
            ],
        },
        {
            "metadata": {"id": "bank-rate"},
            "vars": {"question": "Bank rate?", "guess": "5%"},
            "assert": [{"type": "equals", "value": "The answer to Bank rate? is 5%"}],
        },
    ],
}
QUIET = {
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
}


def evaluate(tool: str, folder: Path) -> Path:
    """Run the tool in a folder and return its log."""
    (folder / "promptfooconfig.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    command = [tool, "eval", "--no-cache", "--no-write", "-c", "promptfooconfig.json"]
    environment = {**os.environ, **QUIET, "PROMPTFOO_CONFIG_DIR": str(folder / "config")}
    # It exits with another code than 0 where assertions fail, as some here do on purpose.
    subprocess.run(
        [*command, "-o", "log.json"], cwd=folder, check=False, env=environment, capture_output=True
    )
    return folder / "log.json"


def compare(log: Path, folder: Path) -> int:
    """Import a log, print what came of it, and return how many answers or verdicts differ."""
    results = json.loads(log.read_text(encoding="utf-8"))["results"]["results"]
    study = Study.create(folder / "study")
    report = import_logs(study, find_logs([log]).sources)
    print("\n".join(report.to_lines()))
    texts = sorted(study.snapshot().frame("predictions")["text"])
    frame = study.snapshot().frame("verdicts", scorer_id="imported/promptfoo/success")
    right = (sorted(frame["value"]), sorted(float(one["success"]) for one in results))
    expected = sorted(one["response"]["output"] for one in results)
    return int(texts != expected) + int(right[0] != right[1])


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("tool", help="the promptfoo program")
    asked.add_argument("--out", type=Path, help="where to keep the log")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = evaluate(given.tool, folder)
        if not log.is_file():
            print(f"{given.tool} wrote no log")
            return 1
        if given.out is not None:
            shutil.copy(log, given.out)
        differing = compare(log, folder)
    print("the study says what the log says" if not differing else "they differ")
    return differing


if __name__ == "__main__":
    sys.exit(main())
