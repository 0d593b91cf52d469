"""Environment variables and programs.  In: the environment.  Out: what is set, and set wrongly."""

from __future__ import annotations

import difflib
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from finassay.reports.doctor.results import Finding, State

DATA = "FINASSAY_DATA"
LABELS_URL = "FINASSAY_LABELS_URL"
OURS = (DATA, LABELS_URL)

LARGEST_PORT = 65_535

_KEY = re.compile(r"(?P<server>[A-Z][A-Z0-9_]*)_(?:API_KEY|API_TOKEN|ACCESS_TOKEN)")
_BASE_URL = re.compile(r"(?P<server>[A-Z][A-Z0-9_]*)_BASE_URL")
_URL = re.compile(r"(?P<backend>[a-z]+)(?:\+\w+)?://\S*")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")

FindProgram = Callable[[str], str | None]


def examine_environment(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Yield a finding on each variable that Finassay or a provider of models reads.

    Values that hold secrets are never part of a finding.
    """
    yield _data(environment.get(DATA))
    yield _labels_url(environment.get(LABELS_URL))
    yield from _port(environment.get("PORT"))
    yield from _unknown(environment)
    yield _keys(environment)
    yield from _servers(environment)


def _variable(name: str, state: State, said: str, advice: str = "") -> Finding:
    return Finding(area="environment", name=name, state=state, said=said, advice=advice)


def _data(value: str | None) -> Finding:
    if not value:
        return _variable(DATA, "ok", "not set; only tests on real data need it")
    folder = Path(value)
    try:
        entries = sum(1 for _ in folder.iterdir())
    except OSError as error:
        said = f"{value!r} is not a folder that can be read: {error.strerror}"
        return _variable(DATA, "problem", said, "name a folder, or unset it")
    return _variable(DATA, "ok", f"{value!r}, a folder with {entries} entries")


def _labels_url(value: str | None) -> Finding:
    if not value:
        return _variable(LABELS_URL, "ok", "not set; labels stand in the study's labels.sqlite")
    found = _URL.fullmatch(value)
    if found is None:
        return _variable(
            LABELS_URL,
            "problem",
            "set, but no URL of a database",
            "write it as postgresql+psycopg://USER:PASSWORD@HOST/NAME, or unset it",
        )
    return _variable(LABELS_URL, "ok", f"set, a database of kind {found['backend']}")


def _port(value: str | None) -> Iterator[Finding]:
    if value is None:
        return
    if value.isascii() and value.isdigit() and int(value) <= LARGEST_PORT:
        yield _variable("PORT", "ok", f"{value}; `finassay serve` listens there")
        return
    said = f"{value!r} is no port; expected a number from 0 to {LARGEST_PORT}"
    yield _variable("PORT", "problem", said, "correct or unset it; `finassay serve` reads it")


def _unknown(environment: Mapping[str, str]) -> Iterator[Finding]:
    for name in sorted(environment):
        if not name.startswith("FINASSAY_") or name in OURS:
            continue
        near = difflib.get_close_matches(name, OURS, n=1)
        advice = f"did you mean {near[0]}?" if near else f"there are: {', '.join(OURS)}"
        yield _variable(name, "note", "set, and Finassay reads no variable of this name", advice)


def _keys(environment: Mapping[str, str]) -> Finding:
    names = sorted(name for name, value in environment.items() if value and _KEY.fullmatch(name))
    if names:
        return _variable("keys of providers", "ok", f"{', '.join(names)}: set")
    return _variable("keys of providers", "ok", "none set; only models at a provider need one")


def _servers(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Yield the servers of one's own that have an address and no key."""
    keyed = {found["server"] for name in environment if (found := _KEY.fullmatch(name))}
    for name in sorted(environment):
        found = _BASE_URL.fullmatch(name)
        if found and found["server"] not in keyed:
            yield _variable(
                name,
                "note",
                f"set, and {found['server']}_API_KEY is not",
                f"set {found['server']}_API_KEY as well, to any text where the server asks for no "
                f"key",
            )


def examine_programs(labels_url: str | None, find: FindProgram = shutil.which) -> Iterator[Finding]:
    """Yield whether programs are there that some uses want.

    Args:
        labels_url: database of labels; PostgreSQL's client is looked for where it is one of its.
        find: gives the path of a program, or None.
    """
    browser = next((name for name in _BROWSERS if find(name)), None)
    yield Finding(
        area="program",
        name="chromium",
        state="ok" if browser else "note",
        said=f"found as {browser}" if browser else "not found; only tests of pages need it",
    )
    if labels_url and labels_url.startswith("postgres"):
        has_client = find("psql") is not None
        yield Finding(
            area="program",
            name="psql",
            state="ok" if has_client else "note",
            said="found" if has_client else "not found; Finassay itself does without it",
            advice="" if has_client else "install PostgreSQL's client to look into the database",
        )
