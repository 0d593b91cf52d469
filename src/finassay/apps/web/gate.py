"""Tokens and sessions of a server.  In: what a request carries.  Out: the person, or None."""

from __future__ import annotations

import hmac
from functools import cached_property
from hashlib import sha256
from typing import cast

from fastapi import Request

from finassay.apps.web.desk import Desk
from finassay.apps.web.limits import RateLimiter
from finassay.study.label_migrations import store_id
from finassay.study.people import People, Person
from finassay.study.sessions import Sessions

SESSION_COOKIE = "finassay_session"
"""How the session's cookie begins.  The store follows: cookies of two servers on one machine would
otherwise replace each other, since cookies know no ports."""

VISIT_COOKIE = "finassay_visit"
"""Cookie of somebody who is about to log in; binds the form to the browser."""

LOCKED = "__Host-"
"""Before the name of a cookie that came through TLS: browsers then take it from this host only."""

BEARER = "bearer "


class Gate:
    """Who may pass.

    Args:
        desk: with the label store, which holds people and sessions.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.limiter = RateLimiter()

    @cached_property
    def people(self) -> People:
        """The people of the store."""
        return People(self.desk.store)

    @cached_property
    def sessions(self) -> Sessions:
        """The sessions of the store."""
        return Sessions(self.desk.store)

    @cached_property
    def _store(self) -> str:
        return store_id(self.desk.store.engine)

    def cookie(self, request: Request) -> str:
        """Return the name of the session's cookie on this server."""
        return f"{self._prefix(request)}{SESSION_COOKIE}_{self._store}"

    def visit_cookie(self, request: Request) -> str:
        """Return the name of the cookie of somebody who is not logged in."""
        return f"{self._prefix(request)}{VISIT_COOKIE}"

    def is_secure(self, request: Request) -> bool:
        """Return whether the request came through TLS, here or at a proxy."""
        return self.desk.settings.is_https or request.url.scheme == "https"

    def _prefix(self, request: Request) -> str:
        return LOCKED if self.is_secure(request) else ""

    def session(self, request: Request) -> str:
        """Return the id of the session that a request carries, "" for none; it may be over."""
        # Without any such cookie the store need not be there: pages can be read without it.
        if not any(SESSION_COOKIE in name for name in request.cookies):
            return ""
        return request.cookies.get(self.cookie(request), "")

    def person(self, request: Request) -> Person | None:
        """Return whose token or session a request carries, None for nobody's."""
        token = bearer(request)
        if token is not None:
            return self.people.with_token(token)
        session = self.session(request)
        return self.sessions.person(session) if session else None

    def form_token(self, request: Request) -> str:
        """Return what forms of this browser must carry; "" for a browser without a cookie.

        It follows from the session by HMAC, so that no other session's will do and none is stored.
        """
        visit = getattr(request.state, "visit", "")
        secret = (
            self.session(request) or visit or request.cookies.get(self.visit_cookie(request), "")
        )
        if not secret:
            return ""
        return hmac.new(secret.encode(), b"finassay form", sha256).hexdigest()


def bearer(request: Request) -> str | None:
    """Return the token of the API that a request carries; None where it carries no such header."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    return header[len(BEARER) :].strip() if header[: len(BEARER)].lower() == BEARER else ""


def gate_of(request: Request) -> Gate:
    """Return the gate of the server that got a request."""
    return cast("Gate", request.app.state.gate)
