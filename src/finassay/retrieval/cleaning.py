"""Clean text.  In: text as it was read.  Out: text whose offsets citations count."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_BREAKS = re.compile(r"\r\n?|[\x0b\x1c-\x1e\x85\u2028\u2029]")
# Control and format characters, and halves of characters, which no reader sees; the joiners of
# Indian scripts stay.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_SPACES = re.compile("[ \t\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_AROUND = re.compile(r" ?\n ?")
_BLANK_LINES = re.compile(r"\n{3,}")
_DIGITS = re.compile(r"\d+")
_EDGE = 2
_FEWEST_PAGES = 4


def clean(text: str) -> str:
    """Return a text with one kind of line break and space, and nothing that cannot be seen.

    Lines stay, and one blank line between paragraphs; letters and marks are as written.
    """
    text = _UNSEEN.sub("", _BREAKS.sub("\n", text)).replace("\x0c", "\n\n")
    text = _AROUND.sub("\n", _SPACES.sub(" ", text))
    return _BLANK_LINES.sub("\n\n", text).strip()


def joined_pages(pages: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    """Return the clean text of pages, and the offset at which each of them begins.

    A sentence goes on from page to page, so a single line break stands between them.
    """
    text: list[str] = []
    starts: list[int] = []
    length = 0
    for page in _without_edges([clean(page) for page in pages]):
        begin = length + 1 if length and page else length
        starts.append(begin)
        if page:
            text.append(page)
            length = begin + len(page)
    if starts:
        starts[0] = 0
    return "\n".join(text), tuple(starts)


def _without_edges(pages: Sequence[str]) -> list[str]:
    """Return pages without the headers and footers that most of them share, numbers aside."""
    if len(pages) < _FEWEST_PAGES:
        return list(pages)
    lines = [page.split("\n") for page in pages]
    counted = Counter(key for one in lines for key in {_key(line) for line in _edges(one)})
    most = 0.6 * len(pages)
    running = {key for key, n in counted.items() if key and n > most}
    return ["\n".join(_trimmed(one, running)).strip() for one in lines]


def _edges(lines: Sequence[str]) -> Sequence[str]:
    return [*lines[:_EDGE], *lines[_EDGE:][-_EDGE:]]


def _trimmed(lines: Sequence[str], running: set[str]) -> list[str]:
    kept = list(lines)
    for _ in range(_EDGE):
        if kept and _key(kept[0]) in running:
            del kept[0]
        if kept and _key(kept[-1]) in running:
            del kept[-1]
    return kept


def _key(line: str) -> str:
    return _DIGITS.sub("#", line).strip().casefold()
