"""Commands about label extraction: what freedom the rule has that reads labels out of replies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.options import (
    Address,
    Encoding,
    EngineName,
    JsonTarget,
    Strict,
    Workers,
)
from finassay.errors import UsageError

if TYPE_CHECKING:
    from finassay.analyses.extraction.audit import Settings
    from finassay.runs.importers.label_cells import CellSpec
    from finassay.text.labels import Matcher

MATCHERS = ("substring", "word")
NORMS = ("none", "lower", "compatible")

Stratum = Annotated[
    str | None,
    typer.Option(metavar="COL", help="Column of declared subgroups, for the floor."),
]
MatcherName = Annotated[str, typer.Option(help="When a reply names a label: substring or word.")]
NormName = Annotated[
    str, typer.Option(help="Done to reply and label first: none, lower or compatible.")
]
Longest = Annotated[
    bool, typer.Option("--longest", help="A label inside a longer one does not count.")
]
HyphenJoins = Annotated[
    bool, typer.Option("--hyphen-joins", help="For words: non-negative names no negative.")
]
ReplyColumn = Annotated[str | None, typer.Option(help="Column of the replies.")]
GoldColumn = Annotated[str | None, typer.Option(help="Column of the accepted labels.")]

app = typer.Typer(help="Audit how labels are read out of replies.", no_args_is_help=True)


@app.command("audit")
def audit(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE...]", help="FLARE logs, or tables of replies."),
    ] = None,
    choices: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="The labels in card order; else those in the log."),
    ] = None,
    stratum: Stratum = None,
    matcher: MatcherName = "substring",
    norm: NormName = "lower",
    longest: Longest = False,
    hyphen_joins: HyphenJoins = False,
    task: Annotated[str | None, typer.Option(help="The task, for the certificate.")] = None,
    arm: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Prompt arm; undeclared, nothing is certified."),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(metavar="N", help="Generation budget; undeclared, nothing is certified."),
    ] = None,
    cells: Annotated[
        Path | None,
        typer.Option(metavar="CELLS.toml", help="Labels, arm and budget of each log."),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Label rule to compare, as in `scorers`; repeat."),
    ] = None,
    reply_column: ReplyColumn = None,
    gold_column: GoldColumn = None,
    encoding: Encoding = "utf-8",
    strict: Strict = False,
    engine: EngineName = "local",
    workers: Workers = None,
    address: Address = None,
    json: JsonTarget = None,
) -> None:
    """Show what scores the extraction rule could make of the same replies.

    For each log: coverage, ambiguity, the reachable interval against the majority floor, every
    rule's score with the items it filled in, and what can be certified.
    """
    from finassay.analyses.extraction.label_lines import label_audit_lines
    from finassay.analyses.extraction.log_audits import audit_label_logs
    from finassay.marking.engines import open_engine
    from finassay.runs.importers.label_cells import CellSpec
    from finassay.runs.importers.label_logs import LabelColumns

    declared = CellSpec(
        file=Path(),
        task=task or "",
        arm=arm or "",
        budget=budget or "",
        stratum=stratum or "",
        choices=split_labels(choices),
    )
    settings = _settings(
        _matcher(matcher, norm, longest=longest, hyphen_joins=hyphen_joins), rules=rule
    )
    with (
        open_engine(engine, workers=workers, address=address) as runs,
        show.transfer("reading") as progress,
    ):
        result = audit_label_logs(
            _specs(files or [], cells, declared),
            settings=settings,
            columns=LabelColumns(reply=reply_column, gold=gold_column),
            encoding=encoding,
            strict=strict,
            engine=runs,
            progress=progress,
        )
    show.result("labels-audit", result, json, label_audit_lines(result))


@app.command("count")
def count(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A Parquet file of replies.")],
    choices: Annotated[
        str, typer.Option(metavar="A,B,...", help="The labels in card order, at most 63.")
    ],
    stratum: Stratum = None,
    matcher: MatcherName = "substring",
    norm: NormName = "lower",
    longest: Longest = False,
    hyphen_joins: HyphenJoins = False,
    reply_column: ReplyColumn = None,
    gold_column: GoldColumn = None,
    json: JsonTarget = None,
) -> None:
    """Count a log that is too long to be held, in one pass.

    Counts, the interval of selecting rules, the floor and the score in card order follow; for
    rules that need positions, use `labels audit`.
    """
    from finassay.analyses.extraction.label_lines import stream_lines
    from finassay.analyses.extraction.streams import audit_stream
    from finassay.marking.label_counts import label_histogram, parquet_replies

    batches = parquet_replies(
        file, reply=reply_column or "reply", gold=gold_column or "gold", stratum=stratum
    )
    histogram = label_histogram(
        batches,
        choices=split_labels(choices),
        matcher=_matcher(matcher, norm, longest=longest, hyphen_joins=hyphen_joins),
    )
    result = audit_stream(histogram)
    show.result("labels-count", result, json, stream_lines(result))


@app.command("demo")
def demo(json: JsonTarget = None) -> None:
    """Show three scores of one made-up log in which no reply names a label.

    Selecting rules score 0, filling in a default scores the majority share, and a bare-letter
    fallback scores something else again: the rule makes the number.
    """
    from finassay.analyses.extraction.audit import audit_cell
    from finassay.analyses.extraction.demonstration import DEMONSTRATION_RULES, demonstration_cell
    from finassay.analyses.extraction.label_lines import cell_lines
    from finassay.text.labels import Matcher

    settings = _settings(Matcher(), rules=list(DEMONSTRATION_RULES))
    result = audit_cell(demonstration_cell(), settings)
    show.result("labels-demo", result, json, cell_lines(result))


@app.command("fingerprint")
def fingerprint(
    gold: Annotated[
        str, typer.Option(metavar="A=N,B=N,...", help="Items by accepted label: good=132,bad=68.")
    ],
    accuracy: Annotated[str | None, typer.Option(help="Accuracy as printed.")] = None,
    weighted_f1: Annotated[str | None, typer.Option(help="Weighted F1 as printed.")] = None,
    macro_f1: Annotated[str | None, typer.Option(help="Macro F1 as printed.")] = None,
    mcc: Annotated[str | None, typer.Option(help="Matthews correlation as printed.")] = None,
    json: JsonTarget = None,
) -> None:
    """Tell whether printed scores are those of a constant predictor."""
    from finassay.analyses.extraction.fingerprints import Metric, constant_fingerprint
    from finassay.analyses.extraction.label_lines import fingerprint_lines

    given: dict[Metric, str | None] = {
        "accuracy": accuracy,
        "weighted_f1": weighted_f1,
        "macro_f1": macro_f1,
        "mcc": mcc,
    }
    printed = {metric: text for metric, text in given.items() if text is not None}
    found = constant_fingerprint(_gold_counts(gold), printed)
    show.result("labels-fingerprint", found, json, fingerprint_lines(found))


def split_labels(text: str | None) -> tuple[str, ...]:
    """Return the labels of a text such as no,yes."""
    return tuple(label.strip() for label in text.split(",")) if text else ()


def _specs(files: list[Path], cells: Path | None, declared: CellSpec) -> list[CellSpec]:
    """Return what is declared of each log: by the file of cells, else by the options.

    With a file of cells and no logs named, all its cells are read.
    """
    from finassay.runs.importers.label_cells import load_cell_specs

    known = load_cell_specs(cells) if cells is not None else ()
    if not files and not known:
        raise UsageError("nothing to audit: name at least one log, or --cells CELLS.toml")
    found = [] if files else list(known)
    for file in files:
        fitting = [spec for spec in known if spec.file.resolve() == file.resolve()]
        found += fitting or [replace(declared, file=file, system=file.stem)]
    return found


def _matcher(kind: str, norm: str, *, longest: bool, hyphen_joins: bool) -> Matcher:
    from finassay.text.labels import Matcher

    for found in ("substring", "word"):
        for form in ("none", "lower", "compatible"):
            if (kind, norm) == (found, form):
                return Matcher(kind=found, norm=form, longest=longest, hyphen_joins=hyphen_joins)
    raise UsageError(
        f"--matcher must be one of {', '.join(MATCHERS)} and --norm one of {', '.join(NORMS)}, "
        f"got {kind!r} and {norm!r}"
    )


def _settings(matcher: Matcher, *, rules: list[str] | None) -> Settings:
    from finassay.analyses.extraction.audit import Settings

    return Settings(matcher=matcher, rules=tuple(rules) if rules else None)


def _gold_counts(text: str) -> dict[str, int]:
    counts = {}
    for part in text.split(","):
        label, equals, number = part.strip().rpartition("=")
        if not equals or not label or not number.strip().isdecimal():
            raise UsageError(f"--gold takes LABEL=N,LABEL=N, as good=132,bad=68; got {text!r}")
        counts[label] = int(number)
    return counts
