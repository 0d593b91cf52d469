"""How a study is served.  In: options of the command.  Out: one frozen record."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

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
        max_upload_bytes: largest body of a request.
        patience_s: seconds that a page waits for its result before it says that it is being
            computed.
    """

    study: Path
    labels_url: str | None = None
    index: Path | None = None
    model: str | None = None
    no_text: bool = False
    is_static: bool = False
    allowed_hosts: tuple[str, ...] = ()
    is_https: bool = False
    max_upload_bytes: int = 64 * MEBIBYTE
    patience_s: float = 8.0
