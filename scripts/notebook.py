"""Run docs/tutorial/first-study.ipynb, and write its outputs and its page.

    python scripts/notebook.py            run; write the outputs and docs/tutorial/first-study.md
    python scripts/notebook.py --check    fail if the outputs or the page are not what a run gives

Cells are run in order in one namespace and in a folder of their own, as Jupyter would run them.
What a cell prints and the value of its last expression are its output.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).resolve().parents[1] / "docs" / "tutorial" / "first-study.ipynb"
PAGE = NOTEBOOK.with_suffix(".md")
DOWNLOAD = "Every cell below is run: {download}`the notebook <first-study.ipynb>` has the same.\n"

Cell = dict[str, Any]


def run(source: str, names: dict[str, object]) -> str:
    """Return what a cell shows: what it prints, and its last expression unless that is None."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(compile(tree, "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
            if value is not None:
                print(repr(value))
    return shown.getvalue()


def run_all(cells: list[Cell]) -> list[Cell]:
    """Return the cells with the outputs that a run gives."""
    names: dict[str, object] = {"__name__": "__main__"}
    before = Path.cwd()
    done = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for cell in cells:
                done.append({**cell, **_ran(cell, names, len(done))})
        finally:
            os.chdir(before)
    return done


def _ran(cell: Cell, names: dict[str, object], place: int) -> Cell:
    if cell["cell_type"] != "code":
        return {}
    text = run("".join(cell["source"]), names)
    output = {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
    return {"execution_count": place, "outputs": [output] if text else []}


def page_of(cells: list[Cell]) -> str:
    """Return the notebook as a page of the documentation."""
    parts = []
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            if len(parts) == 1:
                parts.append(DOWNLOAD.rstrip())
            continue
        parts.append(f"```python\n{source}\n```")
        parts += [f"```text\n{''.join(one['text']).rstrip()}\n```" for one in cell["outputs"]]
    return "\n\n".join(parts) + "\n"


def main() -> int:
    """Run the notebook, write or compare, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    held = NOTEBOOK.read_text(encoding="utf-8")
    notebook = json.loads(held)
    notebook["cells"] = run_all(notebook["cells"])
    made = {
        NOTEBOOK: json.dumps(notebook, ensure_ascii=False, indent=1) + "\n",
        PAGE: page_of(notebook["cells"]),
    }
    if not parser.parse_args().check:
        for path, text in made.items():
            path.write_text(text, encoding="utf-8")
        return 0
    stale = [p.name for p, t in made.items() if not p.is_file() or p.read_text("utf-8") != t]
    if stale:
        print(f"{', '.join(stale)}: not what a run gives; run `make pages`", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
