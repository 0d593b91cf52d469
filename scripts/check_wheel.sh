#!/bin/sh
# Install the wheel of dist/ in a new environment outside the checkout and use it there.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
wheel=$(ls "$root"/dist/finassay-*.whl)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
unset PYTHONPATH VIRTUAL_ENV PYTHONDONTWRITEBYTECODE || true
cd "$place"

"$root/.venv/bin/python" -m venv venv
venv/bin/python -m pip install --quiet --no-compile "$wheel" # what is used is compiled on the way

venv/bin/python - "$root" <<'PYTHON'
import sys
from importlib.resources import files

import finassay

root, home = sys.argv[1], finassay.__file__
if home.startswith(root):
    sys.exit(f"finassay was imported from the checkout ({home}), not from the wheel")
if not files("finassay").joinpath("py.typed").is_file():
    sys.exit("the wheel does not hold py.typed")
if "polars" in sys.modules:
    sys.exit("`import finassay` loads polars; it must stay light")
PYTHON
venv/bin/finassay --help >/dev/null
venv/bin/finassay scorers >/dev/null
venv/bin/finassay demo --out report
[ -s report/report.html ] || { echo "the demo wrote no report.html" >&2; exit 1; }
echo "The wheel works: $(basename "$wheel")"
