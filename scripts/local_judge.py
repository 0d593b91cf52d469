"""Have the 135M demonstration model judge some answers, and hold its verdicts against a rule.

    python scripts/local_judge.py [STUDY] [ITEMS]

Needs the extra `local`, whose runtime compiles for minutes, so nothing runs this by itself.  The
answers are the model's own and those of two baselines.  The model judges at chance level: expect
many replies without a verdict, and an agreement with the rule that is about that of chance.
"""

from __future__ import annotations

import socket
import subprocess
import sys

from finassay.errors import FinassayError
from finassay.integrations.local_model import CONTEXT, MODEL, demonstration_server

RULE = "financial"
BASELINES = ("finassay/majority", "finassay/bm25-quantity")
SCORER = "judge/{name} (96 tokens)/single/human/A"


def main() -> int:
    """Run, judge, score and compare; return the exit code."""
    study = sys.argv[1] if len(sys.argv) > 1 else "local-judge-study"
    items = sys.argv[2] if len(sys.argv) > 2 else "12"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    finassay = [sys.executable, "-m", "finassay"]
    scorer = SCORER.format(name=MODEL.rpartition("/")[2])
    try:
        with demonstration_server(port) as address:
            one = ["--max-connections", "1", "--budget", "96"]
            ask = [*finassay, "run", "finassay-regqa", "--study", study, "--limit", items]
            models = [word for name in BASELINES for word in ("--model", name)]
            subprocess.run([*ask, *models], check=True)
            subprocess.run([*ask, "--model", MODEL, "--base-url", address, *one], check=True)
            judge = [*finassay, "judge", study, "--judge", MODEL, "--base-url", address]
            subprocess.run([*judge, "--context-window", str(CONTEXT), *one], check=True)
        subprocess.run([*finassay, "score", study, "--scorer", RULE], check=True)
        subprocess.run([*finassay, "agree", study, "--raters", f"{RULE},{scorer}"], check=True)
    except FinassayError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
