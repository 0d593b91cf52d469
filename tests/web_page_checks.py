"""What a page may hold, read from its HTML as a browser would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"br", "wbr", "hr", "img", "input", "link", "meta", "col", "source"})

ELEMENTS = frozenset({
    "a", "article", "b", "bdi", "blockquote", "body", "br", "button", "caption", "code", "dd",
    "del", "details", "dialog", "div", "dl", "dt", "em", "fieldset", "figcaption", "figure",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "head", "header", "hr", "html", "i", "input",
    "kbd", "label", "legend", "li", "link", "main", "mark", "meta", "nav", "noscript", "ol",
    "optgroup", "option", "output", "p", "pre", "progress", "q", "s", "script", "section",
    "select", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td",
    "textarea", "tfoot", "th", "thead", "time", "title", "tr", "u", "ul", "wbr", "svg", "g",
    "rect", "path", "line", "circle", "text", "desc",
})  # fmt: skip
"""Elements that our templates use."""


@dataclass(slots=True)
class Read:
    """What stands in a page.

    Attributes:
        elements: name and attributes of each element, in order.
        texts: texts by the element that they stand in.
        faults: what no page may hold.
    """

    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def links(self) -> Iterator[str]:
        """Return every address that the page leads to or loads."""
        for _, attributes in self.elements:
            for name in ("href", "src", "action"):
                if name in attributes:
                    yield attributes[name]

    @property
    def ids(self) -> set[str]:
        """Every id of the page."""
        return {told["id"] for _, told in self.elements if "id" in told}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.read = Read()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.read.elements.append((tag, told))
        if tag not in ELEMENTS:
            self.read.faults.append(f"element <{tag}>")
        for name, value in told.items():
            if name.startswith(("on", "hx-on", "style", "srcdoc", "formaction")):
                self.read.faults.append(f"attribute {name}={value!r}")
            if name in {"href", "src", "action"}:
                self._address(value)
        if tag == "script" and "src" not in told and told.get("type") != "application/json":
            self.read.faults.append("a script in the page")
        if tag not in VOID:
            self.open.append(tag)

    def _address(self, value: str) -> None:
        if value.partition(":")[0].strip().lower() in {"javascript", "vbscript"} or "//" in value:
            self.read.faults.append(f"address {value!r}")

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open[-1] != tag:
            self.read.faults.append(f"</{tag}> ends {self.open[-1:] or 'nothing'}")
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        within = self.open[-1] if self.open else ""
        self.read.texts.append((within, data))
        if within == "script":
            json.loads(data)

    def handle_comment(self, data: str) -> None:
        self.read.faults.append(f"a comment {data!r}")


def read_page(text: str) -> Read:
    """Return what stands in a page.

    Raises:
        ValueError: a script element holds no JSON.
    """
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.read
