"""Headers that keep a page from running what it shows.  In: a response.  Out: the same, guarded."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NOBODY = "frame-ancestors 'none'"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    f"connect-src 'self'; form-action 'self'; base-uri 'none'; {NOBODY}"
)
"""Content security policy: own scripts and styles only, none of them in the page itself."""

STATIC_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'"
)
"""The policy of a page that is a file, where it stands in the page; frames cannot be forbidden."""


class SecurityHeaders:
    """Adds the policy and its companions to every response.

    Args:
        app: the application behind it.
        embed_in: sites that may show a page in a frame; nobody by default.
    """

    def __init__(self, app: ASGIApp, *, embed_in: Sequence[str] = ()) -> None:
        self.app = app
        around = " ".join(embed_in) or "'none'"
        self._policy = POLICY.replace(NOBODY, f"frame-ancestors {around}")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with the headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["content-security-policy"] = self._policy
                headers["x-content-type-options"] = "nosniff"
                headers["referrer-policy"] = "no-referrer"
                headers["cross-origin-opener-policy"] = "same-origin"
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        await self.app(scope, receive, guarded)
