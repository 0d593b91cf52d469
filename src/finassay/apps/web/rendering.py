"""Templates of pages.  In: a request and what it shows.  Out: HTML.

Templates escape everything; nothing that comes from a study is ever marked as safe.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from finassay._version import __version__
from finassay.apps.web.desk import Desk, desk_of
from finassay.apps.web.headers import STATIC_POLICY
from finassay.apps.web.people import Person, csrf_token, person_of
from finassay.apps.web.site import BY_PATH, GROUPS, PAGES, Links, Page, Target
from finassay.apps.web.wording import for_readers
from finassay.errors import StudyError
from finassay.reports.numbers import clean

_TOLD = ("items", "predictions", "verdicts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What every template may ask of the application.

    Attributes:
        study: name of the study.
        is_static: whether the page is a file: no forms, no people.
        no_text: whether questions, replies and passages are left out.
        version: of the package.
        here: the page that is shown, None for errors and forms of their own.
        person: who is logged in.
        state: versions of the tables that hold items, replies and verdicts.
        policy: content security policy of a page that is a file.
    """

    study: str
    is_static: bool
    no_text: bool
    version: str
    here: Page | None
    person: Person | None
    state: str
    policy: str

    @property
    def groups(self) -> tuple[tuple[str, tuple[Page, ...]], ...]:
        """The navigation: groups with the pages that exist here."""
        shown = [page for page in PAGES if page.is_exportable or not self.is_static]
        return tuple((name, tuple(page for page in shown if page.group == name)) for name in GROUPS)


FRAGMENTS = frozenset({"x-fragment", "hx-request"})
"""Headers of requests for a piece of a page."""


def render(
    request: Request, template: str, *, title: str, status: int = 200, **context: object
) -> HTMLResponse:
    """Return a page.

    Args:
        request: what is answered; its path says which page this is.
        template: file name under `templates/`.
        title: of the page, before the name of the study.
        status: HTTP status.
        **context: what the template shows.
    """
    desk = desk_of(request)
    links = links_of(request)
    site = Site(
        study=clean(desk.study.config.name),
        is_static=desk.settings.is_static,
        no_text=desk.settings.no_text,
        version=__version__,
        here=BY_PATH.get(request.url.path),
        person=None if desk.settings.is_static else person_of(request),
        # Pieces of a page have no footer to say it in, and come too often to look each time.
        state="" if FRAGMENTS.intersection(request.headers) else _state(desk),
        policy=STATIC_POLICY,
    )
    text = (
        environment()
        .get_template(template)
        .render(
            site=site,
            title=title,
            link=links.link,
            static=links.static,
            csrf_field=lambda: _csrf_field(request),
            csrf_token=lambda: csrf_token(request),
            query=dict(request.query_params),
            **context,
        )
    )
    return HTMLResponse(text, status_code=status)


def _state(desk: Desk) -> str:
    """Return the versions of the tables that the numbers of a page come from."""
    try:
        versions = desk.snapshot().versions
    except StudyError:
        # The page itself says what is wrong with the study.
        return ""
    told = (f"{table} {versions[table]}" for table in _TOLD if table in versions)
    return f"tables at versions {', '.join(told)}"


def links_of(request: Request) -> Links:
    """Return the links of the page that is being answered; a static export reads them after."""
    links = getattr(request.state, "links", None)
    if isinstance(links, Links):
        return links
    here = BY_PATH.get(request.url.path, PAGES[0])
    query = tuple(sorted((k, v) for k, v in request.query_params.items() if v))
    made = Links(Target(here, query), is_static=desk_of(request).settings.is_static)
    request.state.links = made
    return made


def _csrf_field(request: Request) -> Markup:
    field = '<input type="hidden" name="csrf" value="{}">'
    return Markup(field).format(csrf_token(request))  # noqa: S704 - a constant; the value is escaped


@cache
def environment() -> Environment:
    """Return the environment of the templates."""
    made = Environment(
        loader=PackageLoader("finassay.apps.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["harmless"] = harmless
    made.filters["as_json"] = as_json
    made.filters["for_readers"] = for_readers
    return made


def harmless(text: str | None) -> str:
    """Return a text with control, format and direction characters made visible as their code.

    New lines and tabs stay.
    """
    return "".join(
        character
        if character in "\n\t" or unicodedata.category(character) not in {"Cc", "Cf", "Cs"}
        else f"<U+{ord(character):04X}>"
        for character in text or ""
    )


_IN_SCRIPT = {ord(mark): f"\\u{ord(mark):04x}" for mark in "<>&\u2028\u2029"}


def as_json(value: Mapping[str, object]) -> Markup:
    """Return a value as JSON that can stand in a script element: nothing in it ends the element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.translate(_IN_SCRIPT))  # noqa: S704 - every mark that HTML reads is escaped
