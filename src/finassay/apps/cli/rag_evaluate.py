"""The command that compares configurations of retrieval."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.options import Encoding, JsonTarget
from finassay.errors import UsageError

if TYPE_CHECKING:
    from finassay.records import Item

StudyOrNone = Annotated[
    Path | None,
    typer.Argument(metavar="[STUDY]", help="Study whose items are asked.", show_default=False),
]
FromFile = Annotated[
    Path | None,
    typer.Option("--from", metavar="FILE", help="Table of items with passages, beside a study."),
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--configurations",
        metavar="NAME[,NAME]",
        help="Configurations to compare; all by default. Repeat or separate by commas.",
    ),
]
EmbedderName = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        metavar="NAME",
        help="Embedding model; 'none' compares configurations of BM25 alone.",
    ),
]
Overlap = Annotated[
    float,
    typer.Option(
        help="Least share of a passage that a chunk must hold to count for it; 0 for any overlap."
    ),
]
Draws = Annotated[int, typer.Option(help="Resamples where a test is by Monte Carlo.")]
Seed = Annotated[int, typer.Option(help="Seed of what is drawn.")]
Cache = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Keep embeddings of chunks here, so that a second run is quick."
    ),
]


def evaluate(
    study: StudyOrNone = None,
    items: FromFile = None,
    configurations: Names = None,
    embedder: EmbedderName = None,
    overlap: Overlap = 0.0,
    draws: Draws = 20_000,
    seed: Seed = 0,
    cache: Cache = None,
    encoding: Encoding = "utf-8",
    json: JsonTarget = None,
) -> None:
    """Compare configurations of retrieval on the passages that questions were made from.

    The passages of all items, joined per document, are the corpus; each question looks for its
    own.  Shown: recall, hits, ranks, times and sizes of every configuration, paired tests over
    clusters of documents, what others reported on another corpus, and what this one cannot show.
    """
    from finassay.analyses.retrieval import EvaluationSettings, chosen, evaluate_retrieval
    from finassay.benchmarks.reported import load_reported
    from finassay.reports.plain import joined_lines
    from finassay.reports.tables_retrieval import tables

    settings = EvaluationSettings(overlap=overlap, draws=draws, seed=seed, cache=cache)
    names = [name.strip() for given in configurations or () for name in given.split(",")]
    asked = chosen([name for name in names if name], embedder=embedder)
    found = _items(study, items, encoding)
    with show.steps("retrieval") as step:
        result = evaluate_retrieval(
            found,
            asked,
            settings=settings,
            reported=load_reported("indiafinbench-retrieval"),
            step=step,
        )
    show.result("rag-evaluate", result, json, joined_lines(tables(result)))


def _items(study: Path | None, file: Path | None, encoding: str) -> list[Item]:
    if (study is None) == (file is None):
        raise UsageError(
            "name either a study or, with --from, a table of items; got "
            f"{'neither' if study is None else 'both'}"
        )
    if file is None and encoding != "utf-8":
        raise UsageError(
            "--encoding is of the table named by --from; a study has one: leave it out"
        )
    if file is not None:
        from finassay.runs.importers.items_alone import read_items

        return read_items(file, encoding=encoding)
    from finassay.study import Study

    assert study is not None
    return Study.open(study).snapshot().items()
