"""Write docs/reference/cli.md from the help of every command; with --check, only compare."""

from __future__ import annotations

import argparse
import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "cli.md"
HEAD = """\
# Command line

Every command takes `--help`. Results go to standard output, errors to standard error, and the exit
code tells [what kind of error](exit-codes.md) it was.
"""


def commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    """Yield (words that call it, command) for every visible command below this one, in order."""
    children = getattr(command, "commands", None)
    if children is None:
        yield path, command
        return
    for name, child in children.items():
        if not child.hidden:
            yield from commands(child, f"{path} {name}")


def default_of(parameter: Any) -> str:  # noqa: ANN401
    """Return how the table shows the default: empty for flags that are off and for no default."""
    if parameter.required:
        return "required"
    default = getattr(parameter, "show_default", True)
    value = default if isinstance(default, str) else parameter.default
    if value is None or value is False or value in ((), []) or callable(value) or not default:
        return ""
    return f"`{getattr(value, 'value', value)}`"


def row(parameter: Any) -> str:  # noqa: ANN401
    """Return the table row of an argument or option."""
    if parameter.param_type_name == "argument":
        words = str(parameter.metavar or parameter.name).upper().strip("[].")
    else:
        words = ", ".join([*parameter.opts, *parameter.secondary_opts])
    text = " ".join((parameter.help or "").split()).replace("|", "\\|")
    return f"| `{words}` | {default_of(parameter)} | {text} |"


def section(path: str, command: Any) -> str:  # noqa: ANN401
    """Return the section of one command: its help, then a table of what it takes."""
    lines = [f"\n## {path}\n", inspect.cleandoc(command.help or "").split("\f")[0].strip()]
    shown = [p for p in command.params if p.name != "help" and not getattr(p, "hidden", False)]
    if shown:
        lines += ["", "| argument or option | default | meaning |", "|---|---|---|"]
        lines += [row(parameter) for parameter in shown]
    return "\n".join(lines) + "\n"


def page() -> str:
    """Return the whole page as it should stand."""
    app = importlib.import_module("finassay.apps.cli.app").app
    root = typer.main.get_command(app)
    return HEAD + "".join(section(path, command) for path, command in commands(root, "finassay"))


def main() -> int:
    """Write the page, or compare it, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if the page is out of date")
    if not parser.parse_args().check:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page():
        return 0
    print(f"{PAGE.name} is not what the commands say; run `make pages`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
