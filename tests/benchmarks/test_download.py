"""What holds for one file over HTTP, against a server on this machine."""

from __future__ import annotations

import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from finassay.benchmarks.download import Patience, download, retry_after_s
from finassay.errors import FetchError, UsageError
from loopback import Answer, serving

BODY = b"one,two\n1,2\n"


def test_the_body_comes_as_it_was_sent():
    with serving({"/a": Answer(body=BODY)}) as home:
        assert download(f"{home.url}/a", limit=100) == BODY


def test_an_empty_file_is_a_file():
    with serving({"/a": Answer()}) as home:
        assert download(f"{home.url}/a", limit=0) == b""


def test_not_found_is_said_at_once(waits: list[float]):
    with serving({}) as home:
        with pytest.raises(FetchError, match=r"answered 404.*--from DIR"):
            download(f"{home.url}/a", limit=100)
        assert home.asked == ["/a"]
    assert waits == []


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_failure_that_may_pass_is_tried_again(status: int, waits: list[float]):
    with serving({"/a": [Answer(status=status), Answer(body=BODY)]}) as home:
        assert download(f"{home.url}/a", limit=100) == BODY
        assert home.asked == ["/a", "/a"]
    assert waits == [0.5]


def test_waits_double_and_tries_end(waits: list[float]):
    with serving({"/a": Answer(status=500)}) as home:
        with pytest.raises(FetchError, match="in 4 tries: the server answered 500"):
            download(f"{home.url}/a", limit=100)
        assert len(home.asked) == 4
    assert waits == [0.5, 1.0, 2.0]


def test_no_retries_means_one_try(waits: list[float]):
    with serving({"/a": Answer(status=500)}) as home:
        with pytest.raises(FetchError, match="in 1 tries"):
            download(f"{home.url}/a", limit=100, patience=Patience(retries=0))
        assert len(home.asked) == 1


@pytest.mark.parametrize(("asked", "waited"), [("7", 7.0), ("86400", 60.0), ("soon", 0.5)])
def test_a_wait_that_the_server_asks_for_is_kept_within_bounds(
    asked: str, waited: float, waits: list[float]
):
    busy = Answer(status=429, headers={"Retry-After": asked})
    with serving({"/a": [busy, Answer(body=BODY)]}) as home:
        assert download(f"{home.url}/a", limit=100) == BODY
    assert waits == [waited]


def test_a_wait_may_be_a_date():
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    assert retry_after_s({"Retry-After": later}) == pytest.approx(40, abs=3)


def test_a_date_in_the_past_means_no_wait():
    assert retry_after_s({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0


def test_a_short_body_is_tried_again(waits: list[float]):
    short = Answer(body=BODY[:5], declared=len(BODY))
    with serving({"/a": [short, Answer(body=BODY)]}) as home:
        assert download(f"{home.url}/a", limit=100) == BODY
    assert waits == [0.5]


def test_a_body_that_stays_short_is_an_error(waits: list[float]):
    with (
        serving({"/a": Answer(body=BODY[:5], declared=len(BODY))}) as home,
        pytest.raises(FetchError, match=r"in 4 tries: .*5"),
    ):
        download(f"{home.url}/a", limit=100)


def test_a_body_that_declares_too_much_is_refused_unread():
    with serving({"/a": Answer(body=b"x", declared=10**12)}) as home:
        with pytest.raises(FetchError, match="at most 100 bytes, 1000000000000 bytes declared"):
            download(f"{home.url}/a", limit=100)
        assert home.asked == ["/a"]


def test_a_body_without_a_declared_length_stops_at_the_limit():
    with (
        serving({"/a": Answer(body=b"x" * 5000, declared=-1)}) as home,
        pytest.raises(FetchError, match="at most 100 bytes, more came"),
    ):
        download(f"{home.url}/a", limit=100)


def test_a_redirect_to_http_is_followed():
    answers = {
        "/a": Answer(status=302, headers={"Location": "/b"}),
        "/b": Answer(body=BODY),
    }
    with serving(answers) as home:
        assert download(f"{home.url}/a", limit=100) == BODY
        assert home.asked == ["/a", "/b"]


@pytest.mark.parametrize(
    "target", ["file:///etc/hostname", "ftp://127.0.0.1/a", "data:text/plain,a", "gopher://h/a"]
)
def test_a_redirect_to_another_scheme_is_refused(target: str, waits: list[float]):
    with (
        serving({"/a": Answer(status=302, headers={"Location": target})}) as home,
        pytest.raises(FetchError, match="redirect was not followed"),
    ):
        download(f"{home.url}/a", limit=100)
    assert waits == []


def test_a_redirect_loop_ends(waits: list[float]):
    answers = {
        "/a": Answer(status=302, headers={"Location": "/b"}),
        "/b": Answer(status=302, headers={"Location": "/a"}),
    }
    with serving(answers) as home:
        with pytest.raises(FetchError, match="redirect was not followed"):
            download(f"{home.url}/a", limit=100)
        assert len(home.asked) < 20
    assert waits == []


@pytest.mark.parametrize("url", ["file:///etc/hostname", "ftp://h/a", "/a", "http:///a", ""])
def test_only_http_addresses_are_taken(url: str):
    with pytest.raises(UsageError, match="must start with http"):
        download(url, limit=100)


def test_a_server_that_is_not_there_is_said_with_what_to_do(waits: list[float]):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(FetchError, match=r"4 tries: .*proxies.*--from DIR"):
            download(f"http://127.0.0.1:{port}/a", limit=100)
    assert waits == [0.5, 1.0, 2.0]


def test_a_server_that_falls_silent_is_given_up(waits: list[float]):
    silent = Answer(body=b"", declared=10, hang=True)
    with serving({"/a": silent}) as home:
        patience = Patience(retries=1, timeout_s=0.1)
        with pytest.raises(FetchError, match="in 2 tries: TimeoutError"):
            download(f"{home.url}/a", limit=100, patience=patience)


@pytest.mark.parametrize("settings", [{"retries": -1}, {"timeout_s": 0}])
def test_impatience_without_meaning_is_refused(settings: dict[str, float]):
    with pytest.raises(UsageError, match="must be"):
        Patience(**settings)
