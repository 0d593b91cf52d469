"""Commands about documents: build an index, ask it, measure how well it finds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import rag_evaluate, show
from finassay.apps.cli.options import JsonTarget
from finassay.errors import UsageError

if TYPE_CHECKING:
    import datetime as dt

    from finassay.retrieval import IndexSettings, SearchSettings

IndexPath = Annotated[Path, typer.Argument(metavar="INDEX", help="Directory of the index.")]
Mode = Annotated[str, typer.Option(help="hybrid, dense or lexical (BM25).")]
PassageCount = Annotated[int, typer.Option("--k", help="Passages that are found.", min=1)]

app = typer.Typer(
    help="Find passages of rules and answer from them, with citations.", no_args_is_help=True
)

app.command("evaluate")(rag_evaluate.evaluate)


@app.command("build")
def build(
    index: IndexPath,
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH...", help="Text, Markdown, HTML or PDF files; folders."),
    ],
    metadata: Annotated[
        list[Path] | None,
        typer.Option(help="CSV or JSON that says title, date, regulator and so on; repeat."),
    ] = None,
    chunk_size: Annotated[
        int | None, typer.Option(help="Most characters of a passage; 1600 by default.")
    ] = None,
    overlap: Annotated[
        int | None, typer.Option(help="Characters repeated of the one before; 200 by default.")
    ] = None,
    tokeniser: Annotated[str | None, typer.Option(help="identifiers or plain.")] = None,
    embedder: Annotated[
        str | None,
        typer.Option(help="multilingual-e5-small-q4, sentence-transformers:NAME, hashing, none."),
    ] = None,
    anew: Annotated[
        bool, typer.Option("--anew", help="Build again from nothing, with these settings.")
    ] = False,
    only: Annotated[
        bool, typer.Option("--only", help="Take documents out that are not in PATH... any more.")
    ] = False,
    json: JsonTarget = None,
) -> None:
    """Build or extend an index of documents.

    What is there already costs nothing, and a stopped build goes on where it was.  A file that
    cannot be read is told; the others are loaded.
    """
    from finassay.retrieval.from_files import build_index

    settings = _settings(chunk_size, overlap, tokeniser, embedder)
    with show.steps("embedding") as progress:
        built = build_index(
            index,
            paths,
            metadata=metadata or (),
            settings=settings,
            anew=anew,
            only=only,
            progress=lambda done, total: progress(done, total, ""),
        )
    show.result("rag-build", built, json, built.to_lines())


def _settings(
    size: int | None, overlap: int | None, tokeniser: str | None, embedder: str | None
) -> IndexSettings | None:
    """Return the settings that were asked for, the others as usual; None where none were."""
    from finassay.retrieval import ChunkSettings, IndexSettings

    if size is None and overlap is None and tokeniser is None and embedder is None:
        return None
    usual, chunks = IndexSettings(), ChunkSettings()
    size = chunks.size if size is None else size
    return IndexSettings(
        # A smaller passage repeats less of the one before, in proportion.
        chunks=ChunkSettings(
            size=size, overlap=min(chunks.overlap, size // 8) if overlap is None else overlap
        ),
        tokeniser=tokeniser or usual.tokeniser,
        embedder=embedder or usual.embedder,
    )


@app.command("query")
def query(
    index: IndexPath,
    question: Annotated[str, typer.Argument(help="A question, or an identifier.")],
    k: PassageCount = 5,
    mode: Mode = "hybrid",
    regulator: Annotated[
        list[str] | None, typer.Option(help="Only documents that it issued; repeat.")
    ] = None,
    on: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only what is in force on YYYY-MM-DD.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only what was issued on this day or later.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only what was issued by this day.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="PROVIDER/MODEL", help="Writes the answer; else sentences of the passages."
        ),
    ] = None,
    budget: Annotated[int, typer.Option(help="Most tokens of the model's reply.", min=1)] = 512,
    base_url: Annotated[str | None, typer.Option(help="Where the model is served.")] = None,
    json: JsonTarget = None,
) -> None:
    """Answer a question from an index, with citations.

    Passages that the answer cites are marked with a star.
    """
    from finassay.integrations.cited_answers import Question, cited_answer
    from finassay.retrieval import Filters, Index
    from finassay.runs.requests import Asking, Decoding, Effort

    asked = Question(
        text=question,
        k=k,
        filters=Filters(
            regulators=tuple(regulator or ()),
            date_from=_day("--since", since),
            date_until=_day("--until", until),
            in_force_on=_day("--on", on),
        ),
        search=search_settings(mode),
    )
    found = cited_answer(
        Index.open(index),
        asked,
        model=model,
        asking=Asking(decoding=Decoding(budget=budget)),
        effort=Effort(base_url=base_url),
    )
    show.result("rag-query", found, json, found.to_lines())


def search_settings(mode: str) -> SearchSettings:
    """Return how rankings are made and joined, of the name of a mode.

    Raises:
        UsageError: there is no such mode.
    """
    from finassay.retrieval import SearchSettings
    from finassay.retrieval.records import SEARCH_MODES

    for known in SEARCH_MODES:
        if mode == known:
            return SearchSettings(mode=known)
    raise UsageError(f"--mode must be one of {', '.join(SEARCH_MODES)}, got {mode!r}")


def _day(option: str, text: str | None) -> dt.date | None:
    import datetime as dt

    if text is None:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{option} must be a date as 2024-09-30, got {text!r}") from error
