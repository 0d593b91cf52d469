"""Visible text of HTML.  In: the text of a page.  Out: what a reader sees, tables row by row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from finassay.errors import InputError
from finassay.retrieval.cleaning import clean
from finassay.retrieval.extra import load_extra

_UNSEEN = frozenset(
    ("script", "style", "template", "noscript", "head", "svg", "math", "iframe", "object", "canvas",
     "select", "datalist", "audio", "video")
)  # fmt: skip
_PARAGRAPHS = frozenset(
    ("p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "dl", "blockquote", "pre",
     "section", "article", "figure")
)  # fmt: skip
_LINES = frozenset(
    ("address", "aside", "caption", "dd", "details", "div", "dt", "fieldset", "figcaption",
     "footer", "form", "header", "hr", "li", "main", "nav", "summary", "tr", "br")
)  # fmt: skip
_CELLS = frozenset(("td", "th"))
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
# Elements end and begin side by side: of a run of their breaks, the widest counts.
_LINE, _PARAGRAPH = "\x01", "\x02"
_BREAKS = re.compile("[\x01\x02]")
_RUN = re.compile("[ \n]*[\x01\x02](?:[ \x01\x02])*")
_ROMAN = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def text_of_html(page: str, *, where: str) -> tuple[str, str]:
    """Return the visible text of a page, and its title.

    Raises:
        InputError: it holds no element, or is nested deeper than the parser goes.
        MissingExtraError: lxml is not installed.
    """
    etree = load_extra(
        "lxml.etree", what="reading HTML", extra="documents", instead="convert the pages to text"
    )
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True)
    root = etree.fromstring(page.encode("utf-8", "replace"), parser) if page.strip() else None
    fatal = [entry.message for entry in parser.error_log if entry.level_name == "FATAL"]
    if fatal:
        raise InputError(
            f"{where}: expected HTML that can be read to its end, got {fatal[0]!r}; repair the "
            f"page, or save its text"
        )
    if root is None:
        return "", ""
    titles = root.xpath("//head/title/text()")
    text = _RUN.sub(_break_of, "".join(_pieces(etree, root)))
    return clean(text), clean(titles[0]) if titles else ""


def _break_of(run: re.Match[str]) -> str:
    return "\n\n" if _PARAGRAPH in run[0] or run[0].count("\n") > 1 else "\n"


@dataclass
class _State:
    """Where in a page the reading is."""

    unseen: Any = None
    cells: int = 0
    pre: int = 0
    lists: list[tuple[str, int]] = field(default_factory=list)
    is_first_cell: bool = True


def _pieces(etree: Any, root: Any) -> Iterator[str]:  # noqa: ANN401 - its package has no types
    state = _State()
    for event, element in etree.iterwalk(root, events=("start", "end")):
        tag = element.tag if isinstance(element.tag, str) else ""
        if event == "start":
            if state.unseen is None:
                yield from _opened(state, element, tag)
        else:
            if state.unseen is element:
                state.unseen = None
            elif state.unseen is None:
                yield from _closed(state, tag)
            if state.unseen is None and element.tail:
                yield _written(element.tail, state)


def _opened(state: _State, element: Any, tag: str) -> Iterator[str]:  # noqa: ANN401 - as above
    if _is_unseen(element, tag):
        state.unseen = element
        return
    if tag in _CELLS:
        if not state.is_first_cell:
            yield " | "
        state.cells += 1
        state.is_first_cell = False
    else:
        yield _break(state, tag)
    if tag == "tr":
        state.is_first_cell = True
    elif tag == "pre":
        state.pre += 1
    elif tag in ("ol", "ul"):
        state.lists.append((element.get("type", "1") if tag == "ol" else "", _start(element)))
    elif tag == "li":
        yield _number(state, element)
    if element.text:
        yield _written(element.text, state)


def _closed(state: _State, tag: str) -> Iterator[str]:
    if tag in _CELLS:
        state.cells = max(0, state.cells - 1)
        state.is_first_cell = False
        return
    if tag == "pre":
        state.pre = max(0, state.pre - 1)
    elif tag in ("ol", "ul") and state.lists:
        state.lists.pop()
    if tag != "br":
        yield _break(state, tag)


def _break(state: _State, tag: str) -> str:
    """Return what parts an element from what is beside it; a row stays one line."""
    if tag == "br" and not state.cells:
        return "\n"
    if tag in _PARAGRAPHS:
        return " " if state.cells else _PARAGRAPH
    if tag in _LINES:
        return " " if state.cells else _LINE
    return ""


def _is_unseen(element: Any, tag: str) -> bool:  # noqa: ANN401 - as above
    if tag in _UNSEEN or not tag or element.get("hidden") is not None:
        return True
    return bool(_HIDDEN.search(element.get("style", "")))


def _written(text: str, state: _State) -> str:
    text = _BREAKS.sub(" ", text)
    return text if state.pre and not state.cells else _SPACE.sub(" ", text)


def _start(element: Any) -> int:  # noqa: ANN401 - as above
    written = element.get("start", "1").strip()
    return int(written) if written.isdecimal() and len(written) < 5 else 1


def _number(state: _State, element: Any) -> str:  # noqa: ANN401 - as above
    """Return the number that a browser shows before an item of an ordered list."""
    if not state.lists:
        return ""
    kind, number = state.lists[-1]
    written = element.get("value", "").strip()
    if written.isdecimal() and len(written) < 5:
        number = int(written)
    state.lists[-1] = (kind, number + 1)
    return f"{_counted(kind, number)}. " if kind else ""


def _counted(kind: str, number: int) -> str:
    if kind in ("i", "I") and 0 < number < 40:
        roman = ""
        for value, digits in _ROMAN:
            roman += digits * (number // value)
            number %= value
        return roman if kind == "i" else roman.upper()
    if kind in ("a", "A") and 0 < number <= 26:
        return chr(ord(kind) + number - 1)
    return str(number)
