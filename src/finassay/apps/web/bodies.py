"""Bodies of requests.  In: chunks as they come.  Out: the same, or a refusal before they are kept.

A body is refused when it is declared too large, when it grows too large (bodies in chunks declare
nothing), and when it comes so slowly that it only holds a connection.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from fastapi import HTTPException
from starlette.types import Message, Receive, Scope

PATIENCE_S = 20.0
"""Seconds that a body may take whatever its size."""

SLOWEST_BYTES_PER_S = 20_000
"""Bytes that must come in each second beyond that."""

LimitOf = Callable[[], Awaitable[int]]


class GuardedBody:
    """The body of one request, measured as it is read.

    Args:
        receive: where it comes from.
        usual: bytes that every request may send.
        limit_of: how many this request may send; asked only when it sends more than the usual.
        patience_s: seconds that it may take whatever its size.
    """

    def __init__(
        self, receive: Receive, *, usual: int, limit_of: LimitOf, patience_s: float = PATIENCE_S
    ) -> None:
        self._receive = receive
        self._limit = usual
        self._limit_of: LimitOf | None = limit_of
        self._patience_s = patience_s
        self._read = 0
        self._begun = time.monotonic()
        self._is_over = False
        self.refusal: HTTPException | None = None

    async def require(self, size: int) -> None:
        """Check that a body of so many bytes may be sent.

        Raises:
            HTTPException: 413, it may not.
        """
        if size > self._limit and self._limit_of is not None:
            self._limit, self._limit_of = await self._limit_of(), None
        if size > self._limit:
            raise self._refused(
                413, f"the request is larger than {self._limit:,} bytes; nothing was kept"
            )

    async def receive(self) -> Message:
        """Return the next chunk.

        Raises:
            HTTPException: 408 or 413, it came too slowly or is too large.
        """
        if self._is_over:
            return await self._receive()
        left_s = self._begun + self._patience_s + self._read / SLOWEST_BYTES_PER_S
        try:
            message = await asyncio.wait_for(self._receive(), max(0.0, left_s - time.monotonic()))
        except TimeoutError as error:
            raise self._refused(408, "the request came too slowly; nothing was kept") from error
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            self._is_over = not message.get("more_body", False)
            await self.require(self._read)
        return message

    def _refused(self, status: int, why: str) -> HTTPException:
        self.refusal = HTTPException(
            status_code=status, detail=why, headers={"Connection": "close"}
        )
        return self.refusal


def declared_size(scope: Scope) -> int:
    """Return the size that a request declares, 0 for none."""
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else 0
    return 0
