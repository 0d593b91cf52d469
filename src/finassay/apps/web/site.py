"""The pages of the application and the links between them.  In: a key.  Out: an address.

Every page has one fixed path, and what varies stands in the query: names of items and systems can
hold any character, and a path cannot.  In a static export a link is a relative file instead, and is
remembered so that the export knows what to write next.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

Value = str | int | float | bool | None
Query = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the application.

    Attributes:
        key: name in links and file names.
        path: fixed path on the server.
        label: its name in the navigation and as a heading.
        group: group of the navigation; "" for pages that are reached from others only.
        is_exportable: whether a static site holds it.
    """

    key: str
    path: str
    label: str
    group: str = ""
    is_exportable: bool = True


GROUPS = ("Scores", "Evidence", "Review", "Work")
"""Groups of the navigation, in order."""

PAGES: tuple[Page, ...] = (
    Page(key="leaderboard", path="/", label="Leaderboard", group="Scores"),
    Page(key="rules", path="/rules", label="Rules", group="Scores"),
    Page(key="difficulty", path="/difficulty", label="Difficulty", group="Scores"),
    Page(key="items", path="/items", label="Items", group="Evidence"),
    Page(key="item", path="/item", label="Item"),
    Page(key="why", path="/why", label="Why this mark", is_exportable=False),
    Page(key="compare", path="/compare", label="Compare", group="Evidence"),
    Page(key="judges", path="/judges", label="Judges and people", group="Evidence"),
    Page(key="operations", path="/operations", label="Operations", group="Review"),
    Page(key="ask", path="/ask", label="Ask or proceed", group="Review"),
    Page(
        key="ask-the-rules",
        path="/ask-the-rules",
        label="Ask the rules",
        group="Review",
        is_exportable=False,
    ),
    Page(
        key="adjudicate",
        path="/adjudicate",
        label="Adjudicate",
        group="Work",
        is_exportable=False,
    ),
    Page(
        key="adjudicate-label",
        path="/adjudicate/label",
        label="Label",
        is_exportable=False,
    ),
    Page(
        key="adjudicate-conflicts",
        path="/adjudicate/conflicts",
        label="Conflicts",
        is_exportable=False,
    ),
    Page(
        key="adjudicate-references",
        path="/adjudicate/references",
        label="References in doubt",
        is_exportable=False,
    ),
    Page(
        key="adjudicate-agreement",
        path="/adjudicate/agreement",
        label="Agreement",
        is_exportable=False,
    ),
    Page(
        key="adjudicate-people",
        path="/adjudicate/people",
        label="Who labels",
        is_exportable=False,
    ),
    Page(
        key="adjudicate-answers",
        path="/adjudicate/answers.csv",
        label="Answers",
        is_exportable=False,
    ),
    Page(key="submit", path="/submit", label="Submit", group="Work", is_exportable=False),
    Page(key="about", path="/about", label="About these pages"),
)
"""Every page, in the order of the navigation."""

BY_KEY: Mapping[str, Page] = {page.key: page for page in PAGES}
BY_PATH: Mapping[str, Page] = {page.path: page for page in PAGES}


@dataclass(frozen=True, slots=True)
class Target:
    """A page with its query: what a link leads to."""

    page: Page
    query: Query = ()

    @property
    def url(self) -> str:
        """The address on the server."""
        return f"{self.page.path}?{urlencode(self.query)}" if self.query else self.page.path

    @property
    def file(self) -> str:
        """The file of a static export, relative to its root."""
        if not self.query:
            return "index.html" if self.page.path == "/" else f"{self.page.key}.html"
        told = urlencode(self.query)
        slug = re.sub(r"[^A-Za-z0-9]+", "-", "-".join(value for _, value in self.query)).strip("-")
        digest = hashlib.sha256(told.encode()).hexdigest()[:10]
        return f"{self.page.key}/{slug[:48].lower()}-{digest}.html"


@dataclass(slots=True)
class Links:
    """Links of one page.

    Attributes:
        at: the page that holds them.
        is_static: whether they lead to files.
        found: targets of a static export that were linked to, in order.
    """

    at: Target
    is_static: bool = False
    found: dict[Target, None] = field(default_factory=dict)

    def link(self, key: str, **query: Value) -> str:
        """Return the address of a page; parameters that are None or "" are left out.

        In a static export, pages that it does not hold lead to "".
        """
        target = target_of(key, query)
        if not self.is_static:
            return target.url
        if not target.page.is_exportable:
            return ""
        self.found[target] = None
        return self.root + target.file

    def static(self, name: str) -> str:
        """Return the address of a file of the package."""
        return f"{self.root}static/{name}" if self.is_static else f"/static/{name}"

    @property
    def root(self) -> str:
        """The way from this page's file to the root of the export."""
        return "../" * self.at.file.count("/")


def target_of(key: str, query: Mapping[str, Value]) -> Target:
    """Return the target of a page and its parameters.

    Raises:
        KeyError: no page has that key.
    """
    told = ((name, _text(value)) for name, value in query.items() if value not in (None, ""))
    return Target(BY_KEY[key], tuple(sorted(told)))


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
