"""The command that serves a study to browsers."""

from __future__ import annotations

import ipaddress
import os
from importlib import util
from pathlib import Path
from typing import Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.options import LabelsUrl, NoText, StudyPath
from finassay.errors import MissingExtraError, UsageError

DEFAULT_HOST = "127.0.0.1"

_NEEDED = ("fastapi", "uvicorn", "python_multipart")


def serve(
    study: StudyPath,
    host: Annotated[
        str | None,
        typer.Option(
            help="Address to listen at; by default an address in the environment's HOST, "
            "else 127.0.0.1: this machine only."
        ),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            min=0, max=65535, envvar="PORT", show_envvar=False, help="Port; 0 for any free one."
        ),
    ] = 8000,
    labels_url: LabelsUrl = None,
    index: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Retrieval index, for questions to the rules."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(help="Model that words answers to questions; else they are extracted."),
    ] = None,
    no_text: NoText = False,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Name under which browsers may address the server, beside localhost and "
            "addresses; repeat.",
        ),
    ] = None,
    embed_in: Annotated[
        list[str] | None,
        typer.Option(
            metavar="https://NAME", help="Site that may show the pages in a frame; repeat."
        ),
    ] = None,
    behind_proxy: Annotated[
        bool,
        typer.Option(
            "--behind-proxy",
            help="A proxy with TLS stands before it: believe its X-Forwarded-For and -Proto.",
        ),
    ] = False,
) -> None:
    """Serve a study as web pages: leaderboard, items, comparisons, labelling.

    Reading needs no token; labelling, reviewing and submitting do (`finassay people add`).  Ctrl-C
    stops it.
    """
    _require_extra()
    from finassay.apps.web.serving import Address, exposure, log_to_stderr, serve_app
    from finassay.apps.web.settings import WebSettings

    if index is not None and not index.is_dir():
        raise UsageError(
            f"there is no index at {str(index)!r}; build one with `finassay rag build`"
        )
    settings = WebSettings(
        study=study,
        labels_url=labels_url,
        index=index,
        model=model,
        no_text=no_text,
        allowed_hosts=tuple(allowed_host or ()),
        is_https=behind_proxy,
        embed_in=tuple(embed_in or ()),
    )
    at = Address(host or _host_of_environment(), port)
    show.lines([*_without_verdicts(study, labels_url)], "-")
    show.lines(exposure(at, settings, is_proxied=behind_proxy), "-")
    log_to_stderr()
    serve_app(
        settings,
        at,
        is_proxied=behind_proxy,
        ready=lambda real: show.lines([f"serving {study} at {real.url}; stop with Ctrl-C"], "-"),
    )


def _without_verdicts(study: Path, labels_url: str | None) -> list[str]:
    """Return what to run where a study has nothing to show yet; check whom its store serves."""
    from finassay.study import Study
    from finassay.study.people import store_for
    from finassay.study.study import LABELS_NAME

    opened = Study.open(study)
    if labels_url is not None or (opened.root / LABELS_NAME).exists():
        store_for(opened, url=labels_url).close()
    if opened.snapshot().scorer_ids():
        return []
    return [f"this study has no verdicts yet, so most pages are empty; run: finassay score {study}"]


def _host_of_environment() -> str:
    """Return the address in HOST; a machine's name, which some shells put there, is passed over."""
    given = os.environ.get("HOST", "")
    try:
        return str(ipaddress.ip_address(given)) if given else DEFAULT_HOST
    except ValueError:
        if given != "localhost":
            show.lines([f"HOST={given!r} is no address and is passed over; see --host"], "-")
        return DEFAULT_HOST


def _require_extra() -> None:
    missing = [name for name in _NEEDED if util.find_spec(name) is None]
    if missing:
        raise MissingExtraError(
            f"serving pages needs the package {missing[0]!r}, which is not installed; install it "
            f"with: pip install 'finassay[web]'"
        )
