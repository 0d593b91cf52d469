"""How a study is served.  In: options of the command.  Out: one frozen record."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from finassay.errors import UsageError

_SITE = re.compile(r"https://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?")

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """How a study is served.

    Attributes:
        study: directory of the study.
        labels_url: SQLAlchemy URL of people's labels; the study's own SQLite file if None.
        index: directory of a retrieval index, for questions to the rules; None for none.
        model: model that words answers to such questions; None for extractive answers.
        no_text: leave out questions, replies and passages.
        is_static: pages are written to files: no forms, no sessions, relative links.
        allowed_hosts: names under which the server may be addressed, beside loopback names.
        is_https: whether people reach it through TLS, so that cookies may say Secure.
        embed_in: sites that may show pages in a frame, as https://NAME; nobody by default.
        max_upload_bytes: largest body of a request.
        patience_s: seconds that a page waits for its result before it says that it is being
            computed.

    Raises:
        UsageError: a site to be embedded in is no address of a site.
    """

    study: Path
    labels_url: str | None = None
    index: Path | None = None
    model: str | None = None
    no_text: bool = False
    is_static: bool = False
    allowed_hosts: tuple[str, ...] = ()
    is_https: bool = False
    embed_in: tuple[str, ...] = ()
    max_upload_bytes: int = 64 * MEBIBYTE
    patience_s: float = 8.0

    def __post_init__(self) -> None:
        for site in self.embed_in:
            if not _SITE.fullmatch(site):
                raise UsageError(
                    f"a site that shows pages in a frame must be https://NAME, got {site!r}; give "
                    f"its address without a path"
                )
