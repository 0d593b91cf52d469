#!/bin/sh
# Make or refresh .venv:  environment.sh run | dev
#   run  the package and what it needs
#   dev  the same, with the dependency group `dev` of pyproject.toml
# A stamp inside .venv holds the checksum of pyproject.toml and the place of this checkout, so a
# second call returns at once, and a changed or moved checkout is installed again.
set -eu

profile=${1:?"usage: environment.sh run|dev"}
cd "$(dirname "$0")/.."
python=.venv/bin/python
key="$(cksum <pyproject.toml) $(pwd -P)"

is_current() {
  [ -x "$python" ] && [ -f ".venv/stamp-$1" ] && [ "$(cat ".venv/stamp-$1")" = "$key" ]
}

# Print the first interpreter that runs and is new enough; shims that only complain are passed over.
find_python() {
  for name in python3.13 python3.12 python3.11 python3; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
      command -v "$name"
      return
    fi
  done
}

# Tests use a part of what is installed, and what they use is compiled on the way.
with_uv() {
  rm -rf .venv
  uv venv --quiet --seed --python "${base:->=3.11}" .venv || return 1
  if [ "$profile" = dev ]; then
    uv pip install --quiet --python "$python" --editable . --group dev
  else
    uv pip install --quiet --compile-bytecode --python "$python" --editable .
  fi
}

with_pip() {
  if [ -z "$base" ]; then
    echo "finassay needs Python 3.11 or newer; none of python3.13, python3.12, python3.11," \
      "python3 is one. Install one, or install uv, and run make again." >&2
    exit 1
  fi
  rm -rf .venv
  "$base" -m venv .venv
  "$python" -m pip install --quiet --upgrade "pip>=25.1" # older ones do not know --group
  if [ "$profile" = dev ]; then
    "$python" -m pip install --quiet --no-compile --editable . --group dev
  else
    "$python" -m pip install --quiet --editable .
  fi
}

is_current "$profile" && exit 0
# A development environment holds everything that running needs.
[ "$profile" = run ] && is_current dev && exit 0

base=$(find_python)
echo "Setting up .venv ($profile) ..." >&2
if command -v uv >/dev/null 2>&1; then
  # uv does not read pip's settings, so a registry that only pip knows is reached by pip alone.
  with_uv || { echo "uv could not do it; trying pip." >&2; with_pip; }
else
  with_pip
fi
rm -f .venv/stamp-*
printf '%s\n' "$key" >".venv/stamp-$profile"
