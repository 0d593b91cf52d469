"""Who is asking.  In: a request.  Out: the person logged in, or a refusal.

Everybody who reaches the server may read.  Whoever writes has a token: browsers log in with it once
and carry a session's cookie, programs send it as `Authorization: Bearer TOKEN`.
"""

from __future__ import annotations

import hmac
import math
from collections.abc import Callable
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, HTTPException, Request

from finassay.apps.web.gate import bearer, gate_of
from finassay.apps.web.limits import whose
from finassay.errors import StudyError
from finassay.study.people import Person
from finassay.study.people import PersonRole as Role

__all__ = [
    "Checked",
    "Labeller",
    "LoginNeededError",
    "MaybePerson",
    "Person",
    "PersonOf",
    "Reviewer",
    "Role",
    "Submitter",
    "checked",
    "csrf_token",
    "having",
    "limited",
    "person_of",
    "refuse_other_sites",
    "somebody",
    "too_many",
    "whose_request",
]

FAILURES_PER_MINUTE = 30
"""Wrong bearer tokens that an address may send in a minute."""

_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")

_OWN_SITES = frozenset({"same-origin", "none"})
"""What browsers say of a request that no other site began."""


class LoginNeededError(Exception):
    """A page is for people who are logged in: the application answers with the login page."""


def person_of(request: Request) -> Person | None:
    """Return who is logged in: by the session's cookie, or by a bearer token of the API.

    Nobody is where the label store is out of reach: pages can be read without it.
    """
    if not hasattr(request.state, "person"):
        try:
            request.state.person = gate_of(request).person(request)
        except StudyError as error:
            request.state.person = None
            request.state.why_nobody = error
    found: Person | None = request.state.person
    return found


def somebody(request: Request) -> Person:
    """Return who is logged in.

    Raises:
        LoginNeededError: nobody is.
        HTTPException: the token is nobody's, or too many were tried.
        StudyError: the label store is out of reach.
    """
    # First, because it may say why nobody can label here.
    _ = gate_of(request).desk.store
    person = person_of(request)
    # A token that cannot be looked up is not one that is nobody's.
    why = getattr(request.state, "why_nobody", None)
    if isinstance(why, StudyError):
        raise why
    if person is None and bearer(request) is not None:
        wait_s = gate_of(request).limiter.take(
            ("token", whose_request(request)), limit=FAILURES_PER_MINUTE
        )
        if wait_s is not None:
            raise too_many(wait_s)
        raise HTTPException(
            status_code=401,
            detail="this token is nobody's, or was revoked; ask who runs the server for one",
            headers={"WWW-Authenticate": "Bearer"},
        )
    if person is None:
        raise LoginNeededError
    return person


def having(role: Role) -> Callable[[Request], Person]:
    """Return a dependency that gives the person logged in, and refuses one without a role."""

    def check(request: Request) -> Person:
        person = somebody(request)
        if not person.may(role):
            raise HTTPException(
                status_code=403,
                detail=f"this needs the role {role!r}, and {person.name} has "
                f"{', '.join(person.roles)}; ask who runs the server for it",
            )
        return person

    return check


def csrf_token(request: Request) -> str:
    """Return the token that forms of this session carry; "" where there is no session."""
    try:
        return gate_of(request).form_token(request)
    except StudyError:
        return ""


async def checked(request: Request) -> None:
    """Refuse a request that changes something unless this site's own page, or a program, sent it.

    A program shows its bearer token, which no other site can make a browser send.  A browser must
    come from this site and its form must carry the token of its session, as field `csrf` or in the
    header X-CSRF-Token.

    Raises:
        HTTPException: 403, the request is from elsewhere.
    """
    if bearer(request) is not None:
        return
    refuse_other_sites(request)
    wanted = csrf_token(request)
    given = await _given_token(request)
    if not (wanted and hmac.compare_digest(given.encode(), wanted.encode())):
        raise HTTPException(
            status_code=403,
            detail="the form is from another session, or the session is over; nothing was "
            "changed; load the page again, log in where it asks for it, and send it again",
        )


def refuse_other_sites(request: Request) -> None:
    """Check where a browser says that a request comes from.

    Raises:
        HTTPException: 403, from another site.
    """
    origin = request.headers.get("origin")
    site = request.headers.get("sec-fetch-site")
    # Pages send no referrer, and browsers then name the origin of a form as "null".
    is_own = origin in (None, "null") or _is_own(origin or "", request)
    if (
        not is_own
        or (site is not None and site not in _OWN_SITES)
        or (origin == "null" and not site)
    ):
        raise HTTPException(
            status_code=403, detail="another site sent this form; nothing was changed"
        )


def _is_own(origin: str, request: Request) -> bool:
    # A proxy may end TLS before the server, so schemes may differ: the host and port must not.
    return urlsplit(origin).netloc.lower() == request.headers.get("host", "").lower() != ""


async def _given_token(request: Request) -> str:
    header = request.headers.get("x-csrf-token")
    if header is not None:
        return header
    if not request.headers.get("content-type", "").lower().startswith(_FORMS):
        return ""
    field = (await request.form()).get("csrf")
    return field if isinstance(field, str) else ""


def whose_request(request: Request) -> str:
    """Return whom a request counts for: the address that it came from."""
    return whose(request.client.host if request.client else None)


def too_many(wait_s: float) -> HTTPException:
    """Return the refusal of one request too many, with the seconds to wait."""
    seconds = max(1, math.ceil(wait_s))
    return HTTPException(
        status_code=429,
        detail=f"too many requests; try again in {seconds} s",
        headers={"Retry-After": str(seconds)},
    )


def limited(name: str, *, per_minute: int) -> Callable[[Request], None]:
    """Return a dependency that refuses more requests a minute than so many.

    They are counted by person, and by address where nobody is logged in.
    """

    def check(request: Request) -> None:
        person = person_of(request)
        counted = f"person {person.name}" if person else whose_request(request)
        wait_s = gate_of(request).limiter.take((name, counted), limit=per_minute)
        if wait_s is not None:
            raise too_many(wait_s)

    return check


MaybePerson = Annotated[Person | None, Depends(person_of)]
PersonOf = Annotated[Person, Depends(somebody)]
Labeller = Annotated[Person, Depends(having("label"))]
Reviewer = Annotated[Person, Depends(having("review"))]
Submitter = Annotated[Person, Depends(having("submit"))]
Checked = Depends(checked)
"""For `dependencies=[Checked]` of every route that changes something."""
