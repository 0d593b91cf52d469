"""Ask the 135M demonstration model some bundled questions, and mark its replies under all rules.

    python scripts/local_model.py [STUDY] [ITEMS]

Needs the extra `local`, whose runtime compiles for minutes, so nothing runs this by itself.  The
model is small: expect fluent replies, few right ones, and rules that disagree about them.
"""

from __future__ import annotations

import socket
import subprocess
import sys

from finassay.errors import FinassayError
from finassay.integrations.local_model import MODEL, demonstration_server

RULES = ("strict/numbers-first", "strict/fuzzy-first", "strict/as-stated", "financial")


def main() -> int:
    """Run, score and audit; return the exit code."""
    study = sys.argv[1] if len(sys.argv) > 1 else "local-study"
    items = sys.argv[2] if len(sys.argv) > 2 else "12"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    finassay = [sys.executable, "-m", "finassay"]
    chosen = [word for rule in RULES for word in ("--scorer", rule)]
    try:
        with demonstration_server(port) as address:
            named = ["--model", MODEL, "--base-url", address, "--limit", items, "--budget", "96"]
            ask = [*finassay, "run", "finassay-regqa", "--study", study, *named]
            subprocess.run([*ask, "--max-connections", "1"], check=True)
        subprocess.run([*finassay, "score", study, *chosen], check=True)
        subprocess.run([*finassay, "audit", study, "--out", f"{study}-report"], check=True)
    except FinassayError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
