"""The command that shows what Finassay does, on data that ship with it."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.audit import (
    OutDirectory,
    audit_settings,
    report_study,
    require_directory,
)
from finassay.apps.cli.options import JsonTarget

if TYPE_CHECKING:
    from finassay.study import Study

BenchmarkNames = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Bundled benchmark to audit, as finassay-operations, which is also marked under its "
        "contracts; repeat. By default those that any rule can mark, then operations and "
        "ask-or-proceed states in studies beside.",
    ),
]


def demo(
    study: Annotated[Path, typer.Option(help="Directory of the study to build.")] = Path(
        "demo-study"
    ),
    out: OutDirectory = Path("demo-report"),
    benchmark: BenchmarkNames = None,
    json: JsonTarget = None,
) -> None:
    """Audit the bundled benchmark: no network, no model.

    The items are answered by baseline systems that ship with Finassay; the report says what
    they are.  The bundled operations and ask-or-proceed states are answered and measured too, in
    studies beside, with pages of their own.
    """
    from finassay.benchmarks.operations.shelf import BENCHMARK
    from finassay.reports.workflow import demo_study

    require_directory(out)
    settings = audit_settings(None, None, None, "competition", None)
    if BENCHMARK in (benchmark or ()):
        primary = "contract" if set(benchmark or ()) == {BENCHMARK} else None
        settings = replace(settings, scorers=(*settings.scorers, "contract"), primary=primary)
    built = demo_study(study, names=benchmark)
    report_study(built, settings, out=out, no_text=False, json=json)
    if benchmark is None:
        beside = study.with_name(f"{study.name}-operations")
        _operations_demo(demo_study(beside, names=[BENCHMARK]), beside, out, json)
        _ask_demo(study.with_name(f"{study.name}-ask"), out, json)


def _operations_demo(study: Study, path: Path, out: Path, json: str | None) -> None:
    """Mark the bundled operations under their contracts, and say which system does which."""
    from finassay.analyses.operations.from_study import StudyRequest, operations_of_study
    from finassay.analyses.operations.selection import SelectionSettings
    from finassay.integrations.baselines import BASELINES
    from finassay.marking.scoring import score_study
    from finassay.marking.view import view_study
    from finassay.reports.operations_page import write_operations

    score_study(study, scorers=("contract",))
    view = view_study(study.snapshot())
    # Those that read the key would lead everywhere, and no shortlist would cost anything.
    controls = tuple(baseline.name for baseline in BASELINES if baseline.reads_key)
    request = StudyRequest(rule="contract", leave_out=controls)
    found = operations_of_study(view, request, SelectionSettings())
    written = write_operations(found, out, (shlex.join(["finassay", *sys.argv[1:]]),))
    _say_written(written, path, json)


def _ask_demo(path: Path, out: Path, json: str | None) -> None:
    """Answer the bundled states, and measure who asks and whether the request is the right one."""
    from finassay.reports.ask_page import write_ask
    from finassay.reports.ask_workflow import AskRequest, ask_demo_study, ask_study

    report, outcomes = ask_study(ask_demo_study(path), AskRequest())
    _say_written(write_ask(report, out, outcomes), path, json)


def _say_written(written: tuple[Path, ...], study: Path, json: str | None) -> None:
    more = f" and {len(written) - 1} more" if len(written) > 1 else ""
    show.lines([f"written: {written[0]}{more}, from {study}"], json)
