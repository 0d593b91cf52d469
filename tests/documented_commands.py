"""The commands that stand in the documentation."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHELLS = {"sh", "console", ""}
"""Fences whose blocks hold commands: in `console`, and without a word, output stands too."""

_FENCE = re.compile(r"^```(?P<info>[\w{}-]*)[^\n`]*\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def shell_lines(page: Path) -> Iterator[str]:
    """Yield the command lines of a page: continued lines joined, prompts taken off."""
    for fence in _FENCE.finditer(page.read_text(encoding="utf-8")):
        if fence["info"] not in SHELLS:
            continue
        for line in re.sub(r"\\\n\s*", " ", fence["body"]).splitlines():
            if fence["info"] == "sh":
                yield line.strip()
            elif line.startswith("$ "):
                yield line[2:].strip()
            elif not fence["info"] and line.startswith("finassay "):
                yield line.strip()


def finassay_words(line: str) -> list[list[str]]:
    """Return the words after each `finassay` of a line, up to a pipe, a comment or the next one."""
    try:
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return []
    found: list[list[str]] = []
    inside = False
    for at, word in enumerate(words):
        if re.fullmatch(r"[|&;<>]+", word):
            inside = False
        elif (word == "finassay" or word.endswith("/finassay")) and _begins(words, at):
            found.append([])
            inside = True
        elif inside:
            found[-1].append(word)
    return found


def _begins(words: list[str], at: int) -> bool:
    """Whether a program can stand here: first, after a mark, or after settings of variables."""
    before = words[at - 1] if at else "|"
    return bool(re.fullmatch(r"[|&;<>]+|[A-Z_]+=.*|nohup|time|env", before))
