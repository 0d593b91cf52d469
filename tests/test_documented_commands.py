"""Every command of the documentation exists, with every option that is given to it."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from documented_commands import ROOT, finassay_words, shell_lines
from finassay.apps.cli.app import app

PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs" / "tutorial").glob("*.md")),
    *sorted((ROOT / "docs" / "how-to").glob("*.md")),
]


@pytest.fixture(scope="module")
def root() -> object:
    return typer.main.get_command(app)


def fault(root: object, words: list[str]) -> str | None:
    """Return what is wrong with a command line, or None."""
    command, rest = root, list(words)
    while (below := getattr(command, "commands", None)) and rest and not rest[0].startswith("-"):
        if rest[0] not in below:
            return f"no command {rest[0]!r}"
        command = below[rest.pop(0)]
    known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
    known |= {"--help"}
    given = [word.partition("=")[0] for word in rest if word.startswith("--") and len(word) > 2]
    unknown = [name for name in given if name not in known]
    return f"no option {unknown[0]!r}" if unknown else None


def test_every_command_on_a_page_exists_with_its_options(root: object):
    lines = [(page.name, line) for page in PAGES for line in shell_lines(page)]
    asked = [(name, words) for name, line in lines for words in finassay_words(line)]
    assert len(asked) > 100
    wrong = {f"{name}: finassay {' '.join(w)}": fault(root, w) for name, w in asked}
    assert {line: why for line, why in wrong.items() if why} == {}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("finassay audti demo-study", "no command 'audti'"),
        ("finassay study chek x", "no command 'chek'"),
        ("finassay audit x --outt y", "no option '--outt'"),
        ("finassay audit x --out=y", None),
        ("A=1 .venv/bin/finassay study check x | head  # --no", None),
    ],
)
def test_a_command_that_does_not_exist_would_be_noticed(root: object, line: str, why: str | None):
    (words,) = finassay_words(line)
    assert fault(root, words) == why


def test_lines_are_read_as_a_shell_reads_them(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text(
        "```sh\nfinassay mark exact \\\n  --reference 'a b'   # why\n```\n"
        "```console\n$ finassay demo\noutput of finassay\n```\n```python\nfinassay\n```\n"
    )
    found = [words for line in shell_lines(page) for words in finassay_words(line)]
    assert found == [["mark", "exact", "--reference", "a b"], ["demo"]]
