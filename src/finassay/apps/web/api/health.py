"""Whether the server is up.  In: nothing.  Out: yes, and its version."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from finassay._version import __version__

router = APIRouter(prefix="/api", tags=["server"])


class Health(BaseModel):
    """That the server is up.

    Attributes:
        status: always "ok".
        version: of the package.
    """

    status: str
    version: str


@router.get("/health")
async def health() -> Health:
    """Return that the server is up; nothing of the study is read."""
    return Health(status="ok", version=__version__)
