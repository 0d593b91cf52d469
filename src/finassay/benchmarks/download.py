"""One file over HTTP.  In: an address, a size limit and patience.  Out: bytes, or a FetchError."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPMessage
from time import sleep
from typing import IO
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from finassay.errors import FetchError, UsageError

_SCHEMES = ("http", "https")
_TOO_MANY_REQUESTS = 429
_SERVER_ERRORS = range(500, 600)
_REDIRECTS = range(300, 400)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to keep trying.

    Attributes:
        retries: further tries after the first.
        timeout_s: seconds without a byte after which a connection counts as lost.
        first_wait_s: seconds before the second try; doubled before each further one.
        longest_wait_s: most seconds between two tries, whatever the server asks for.

    Raises:
        UsageError: a number is out of range.
    """

    retries: int = 3
    timeout_s: float = 30.0
    first_wait_s: float = 0.5
    longest_wait_s: float = 60.0

    def __post_init__(self) -> None:
        if self.retries < 0:
            raise UsageError(f"`retries` must be 0 or more, got {self.retries!r}")
        if self.timeout_s <= 0:
            raise UsageError(f"`timeout_s` must be above 0 seconds, got {self.timeout_s!r}")

    def wait_s(self, attempt: int, asked_s: float | None) -> float:
        """Return the seconds to wait after a failed attempt, the first being 0."""
        wanted = self.first_wait_s * 2**attempt if asked_s is None else asked_s
        return min(wanted, self.longest_wait_s)


class _PassingError(Exception):
    """A failure that another try may mend; `asked_s` is the wait that the server asked for."""

    def __init__(self, message: str, asked_s: float | None = None) -> None:
        super().__init__(message)
        self.asked_s = asked_s


def download(url: str, *, limit: int, patience: Patience | None = None) -> bytes:
    """Return the body behind an address.

    Lost connections, short bodies, status 429 and 5xx are tried again; anything else is not.
    Proxies are taken from the environment (`https_proxy`, `no_proxy`, ...).

    Args:
        url: http or https.
        limit: most bytes that are accepted.
        patience: how long to keep trying.

    Raises:
        UsageError: the address is not http or https.
        FetchError: the file could not be had, or is larger than the limit.
    """
    require_http(url)
    patience = patience or Patience()
    attempt = 0
    while True:
        try:
            return _once(url, limit=limit, timeout_s=patience.timeout_s)
        except _PassingError as failure:
            if attempt == patience.retries:
                raise FetchError(
                    f"{url}: could not be fetched in {attempt + 1} tries: {failure}; check the "
                    f"connection (proxies are read from the environment) and run it again, or use "
                    f"your own copy with `--from DIR`"
                ) from failure
            sleep(patience.wait_s(attempt, failure.asked_s))
            attempt += 1


def require_http(url: str) -> None:
    """Check that an address is http or https, and names a host.

    Raises:
        UsageError: it is something else.
    """
    parts = urlsplit(url)
    if parts.scheme not in _SCHEMES or not parts.netloc:
        raise UsageError(f"the address must start with http:// or https://, got {url!r}")


def _once(url: str, *, limit: int, timeout_s: float) -> bytes:
    request = Request(url, headers={"User-Agent": "finassay"})  # noqa: S310 - scheme is checked
    try:
        response = _opener().open(request, timeout=timeout_s)
        if response is None:
            raise FetchError(f"{url}: no handler took the address; it must be http or https")
        with closing(response):
            declared = _declared(response.headers)
            if declared is not None and declared > limit:
                raise _too_large(url, limit, f"{declared} bytes declared")
            body = bytes(response.read(limit + 1))
    except HTTPError as error:
        with closing(error):
            raise _refusal(url, error) from error
    except (OSError, HTTPException) as error:
        raise _PassingError(f"{type(error).__name__}: {error}") from error
    if len(body) > limit:
        raise _too_large(url, limit, "more came")
    if declared is not None and len(body) < declared:
        raise _PassingError(f"the connection ended after {len(body)} of {declared} bytes")
    return body


def _refusal(url: str, error: HTTPError) -> FetchError | _PassingError:
    said = f"the server answered {error.code} ({error.reason})"
    if error.code == _TOO_MANY_REQUESTS or error.code in _SERVER_ERRORS:
        return _PassingError(said, retry_after_s(error.headers))
    if error.code in _REDIRECTS:
        return FetchError(
            f"{url}: the redirect was not followed: {said}; check the address, or use your own "
            f"copy with `--from DIR`"
        )
    return FetchError(
        f"{url}: {said}; check the address (`--base-url`), or use your own copy with `--from DIR`"
    )


def _too_large(url: str, limit: int, came: str) -> FetchError:
    return FetchError(
        f"{url}: expected at most {limit} bytes, {came}; this is not the file that was asked for: "
        f"check the address (`--base-url`)"
    )


def _declared(headers: Message) -> int | None:
    """Return the length that the server declares, or None where it does not."""
    text = str(headers.get("Content-Length", ""))
    return int(text) if text.isascii() and text.isdigit() else None


def retry_after_s(headers: Mapping[str, str] | Message) -> float | None:
    """Return the seconds that a `Retry-After` header asks for (RFC 9110, 10.2.3), or None."""
    text = str(headers.get("Retry-After", "")).strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


class _SameKindRedirect(HTTPRedirectHandler):
    """Follows redirects to http and https, but never from https to http or to anything else."""

    def redirect_request(
        self,
        req: Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> Request | None:
        scheme = urlsplit(newurl).scheme
        if scheme != "https" and scheme != urlsplit(req.full_url).scheme:
            raise HTTPError(req.full_url, code, f"it leads to {newurl!r}", headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener() -> OpenerDirector:
    # Not build_opener(): that one also opens file, ftp and data addresses.
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        HTTPHandler(),
        HTTPSHandler(),
        _SameKindRedirect(),
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener
