"""Who is asking.  In: a request.  Out: the person logged in, or a refusal.

STAND-IN: tokens are held in memory (`app.state.tokens`); to be replaced before it is served.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends, HTTPException, Request

Role = Literal["label", "review", "submit"]
COOKIE = "finassay_session"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who is logged in, and what they may do."""

    name: str
    roles: frozenset[Role]

    def may(self, role: Role) -> bool:
        """Return whether the person has a role."""
        return role in self.roles


class LoginNeededError(Exception):
    """A page is for people who are logged in: the application answers with the login page."""


def person_of(request: Request) -> Person | None:
    """Return who is logged in: by the session's cookie, or by a bearer token of the API."""
    header = request.headers.get("authorization", "")
    token = header.removeprefix("Bearer ") if header.startswith("Bearer ") else ""
    tokens: dict[str, Person] = getattr(request.app.state, "tokens", {})
    return tokens.get(token or request.cookies.get(COOKIE, ""))


def somebody(request: Request) -> Person:
    """Return who is logged in.

    Raises:
        LoginNeededError: nobody is.
    """
    person = person_of(request)
    if person is None:
        raise LoginNeededError
    return person


def csrf_token(request: Request) -> str:
    """Return the token that forms of this session carry; "" where nobody is logged in."""
    session = request.cookies.get(COOKIE, "")
    return hashlib.sha256(f"csrf {session}".encode()).hexdigest() if session else ""


async def checked(request: Request) -> None:
    """Refuse a POST of a session whose form does not carry the session's token."""
    if request.headers.get("authorization"):
        return
    form = await request.form()
    given = request.headers.get("x-csrf-token") or form.get("csrf")
    if given != csrf_token(request):
        raise HTTPException(status_code=403, detail="the form is from another session; reload it")


def limited(name: str, *, per_minute: int) -> Callable[[Request], None]:
    """Return a dependency that refuses more requests a minute than so many, by address."""

    def check(request: Request) -> None:
        request.state.limit = (name, per_minute)

    return check


MaybePerson = Annotated[Person | None, Depends(person_of)]
PersonOf = Annotated[Person, Depends(somebody)]
Checked = Depends(checked)
"""For `dependencies=[Checked]` of every route that changes something."""
