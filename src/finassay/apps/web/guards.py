"""What stands before every page.  In: a request.  Out: it goes on, or is refused and logged."""

from __future__ import annotations

import logging

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.routing import Match, Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from finassay.apps.web.bodies import GuardedBody, declared_size
from finassay.apps.web.failures import failure
from finassay.apps.web.gate import Gate
from finassay.apps.web.headers import SecurityHeaders
from finassay.apps.web.hosts import may_be_addressed
from finassay.apps.web.people import person_of, too_many, whose_request
from finassay.apps.web.settings import MEBIBYTE, WebSettings

USUAL_BYTES = MEBIBYTE
"""Largest body of a request that is no upload of somebody who may submit."""

UPLOADS = ("/submit", "/api/submit")
"""Paths below which larger bodies are taken."""

REQUESTS = 2_000
"""Requests of one address in a window; files of the package are not counted."""

WINDOW_S = 10.0

LOGGED = frozenset({401, 403, 405, 408, 413, 421, 429})
"""Answers that are refusals: each leaves a line in the log, without tokens."""

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

_LOG = logging.getLogger("finassay.web")

_LONGEST_LOGGED = 200


def add_guards(app: FastAPI, settings: WebSettings) -> None:
    """Put the guards before an application: the one added last sees a request first."""
    gate: Gate = app.state.gate
    app.add_middleware(Methods, routes_of=app)
    app.add_middleware(Guards, gate=gate, settings=settings)
    app.add_middleware(SecurityHeaders, embed_in=settings.embed_in)


class Guards:
    """Checks the host, the rate and the body of every request, and logs what was refused.

    Args:
        app: what is guarded.
        gate: with people and counts.
        settings: with allowed hosts and the size of uploads.
    """

    def __init__(self, app: ASGIApp, *, gate: Gate, settings: WebSettings) -> None:
        self.app = app
        self.gate = gate
        self.settings = settings
        self._hosts = frozenset(host.lower() for host in settings.allowed_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        body = GuardedBody(receive, usual=USUAL_BYTES, limit_of=lambda: self._limit(request))
        has_begun = False

        async def logged(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                if body.refusal is not None and message["status"] != body.refusal.status_code:
                    raise body.refusal
                has_begun = True
                _log(request, message["status"])
            await send(message)

        try:
            self._check(request)
            await body.require(declared_size(scope))
            await self.app(scope, body.receive, logged)
        except HTTPException as refusal:
            if has_begun:
                raise
            answer = failure(request, refusal.status_code, refusal.detail, refusal.headers)
            body.refusal = None
            await answer(scope, receive, logged)

    def _check(self, request: Request) -> None:
        host = request.headers.get("host", "")
        if not may_be_addressed(host, self._hosts):
            raise HTTPException(
                status_code=421,
                detail="this server is not known by that name; whoever runs it allows the name "
                "with --allowed-host",
            )
        if request.url.path.startswith("/static/"):
            return
        wait_s = self.gate.limiter.take(
            ("all", whose_request(request)), limit=REQUESTS, window_s=WINDOW_S
        )
        if wait_s is not None:
            raise too_many(wait_s)

    async def _limit(self, request: Request) -> int:
        """Return how much a request may send: uploads are for those who may submit."""
        if not request.url.path.startswith(UPLOADS):
            return USUAL_BYTES
        person = await run_in_threadpool(person_of, request)
        may = person is not None and person.may("submit")
        return self.settings.max_upload_bytes if may else USUAL_BYTES


def _log(request: Request, status: int) -> None:
    if status in LOGGED:
        _LOG.warning(
            "refused %s %s with %s, from %s to host %s",
            ascii(request.method[:20]),
            # Without the query: a token that somebody puts there by mistake stays out of the log.
            ascii(request.scope["path"][:_LONGEST_LOGGED]),
            status,
            whose_request(request),
            ascii(request.headers.get("host", "")[:_LONGEST_LOGGED]),
        )


class Methods:
    """Answers HEAD as GET without the body, and OPTIONS with the methods that there are.

    Args:
        app: what answers the rest.
        routes_of: the application whose routes are asked.
    """

    def __init__(self, app: ASGIApp, *, routes_of: FastAPI) -> None:
        self.app = app
        self.routes_of = routes_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        method = scope.get("method")
        if scope["type"] == "http" and method == "HEAD":
            await self.app({**scope, "method": "GET"}, receive, _without_body(send))
        elif scope["type"] == "http" and method == "OPTIONS":
            await self._options(scope, receive, send)
        else:
            await self.app(scope, receive, self._with_methods(dict(scope), send))

    async def _options(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._methods(scope)
        if not found:
            await self.app({**scope, "method": "GET"}, receive, send)
            return
        await Response(status_code=204, headers={"Allow": found})(scope, receive, send)

    def _with_methods(self, scope: Scope, send: Send) -> Send:
        """Let a refusal of a method name all others: routes of one path know only their own."""

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 405:
                MutableHeaders(scope=message)["Allow"] = self._methods(scope)
            await send(message)

        return told

    def _methods(self, scope: Scope) -> str:
        found = {method for method in METHODS if self._is_answered({**scope, "method": method})}
        if "GET" in found:
            found.add("HEAD")
        return ", ".join(sorted(found | {"OPTIONS"})) if found else ""

    def _is_answered(self, scope: Scope) -> bool:
        # What is mounted are files, which can be read only.
        return any(
            route.matches(dict(scope))[0] is Match.FULL
            and (scope["method"] == "GET" or not isinstance(route, Mount))
            for route in self.routes_of.routes
        )


def _without_body(send: Send) -> Send:
    async def bare(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return bare
