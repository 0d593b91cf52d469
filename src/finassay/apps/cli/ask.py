"""The command on asking or going on.  In: a study, states or a table.  Out: metrics and pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.options import JsonTarget, NoText, optional_scorer_id
from finassay.errors import InputError, UsageError

if TYPE_CHECKING:
    from finassay.analyses.ask.report import AskSettings
    from finassay.benchmarks.ask.prompts import Protocol
    from finassay.reports.ask_workflow import AskRequest

MOST_SIZE_DIGITS = 5
"""Digits of a number of states behind a table: every count up to it is tried."""

STATES_SUFFIXES = (".jsonl", ".yaml", ".yml")


SourcePath = Annotated[
    Path,
    typer.Argument(
        metavar="PATH",
        help="Study of states, file of states (.jsonl, .yaml), CSV table of metrics, or "
        "finassay-ask for the bundled states and baselines.",
    ),
]
AlignmentScorer = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        help="Scorer of requests: judge/NAME, person/NAME or a rule; by default "
        "ask/alignment-words, a baseline that compares words.",
    ),
]
Evaluators = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME", help="System that judged the requests; compared with nobody; repeat."
    ),
]
TableSizes = Annotated[
    str | None,
    typer.Option(
        metavar="ASK,PROCEED", help="States behind a table; by default found in its digits."
    ),
]
FiledIn = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Study in which the states of a file, or bundled ones, are filed."
    ),
]
ProtocolName = Annotated[
    str, typer.Option(help="How replies to filed states name their action: tokens or json.")
]
ExactForm = Annotated[
    bool,
    typer.Option("--exact-form", help="Replies not written exactly as asked are invalid."),
]
PageDirectory = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Also write DIR/ask.html, and the cases of a study."),
]
Draws = Annotated[int, typer.Option(help="Resamples of trajectories.")]
Seed = Annotated[int, typer.Option(help="Seed of the resamples.")]


def ask(
    path: SourcePath,
    alignment: AlignmentScorer = None,
    evaluator: Evaluators = None,
    states: TableSizes = None,
    study: FiledIn = None,
    protocol: ProtocolName = "tokens",
    exact: ExactForm = False,
    out: PageDirectory = None,
    draws: Draws = 2000,
    seed: Seed = 0,
    no_text: NoText = False,
    json: JsonTarget = None,
) -> None:
    """Measure whether systems ask when they should, and for what.

    The eight metrics with reference policies and intervals over trajectories, pairs that agree
    alike and ask differently, costs by price.  A table of printed metrics is checked instead:
    identities, and whether its numbers were rounded or cut.
    """
    from finassay.analyses.ask.report import AskSettings
    from finassay.apps.cli.audit import require_directory

    if draws < 1:
        raise UsageError(f"--draws must be 1 or more, got {draws}")
    if out is not None:
        require_directory(out)
    if path.suffix.lower() in STATES_SUFFIXES:
        _file(path, study, protocol, json)
        return
    path = _filed(path, study)
    settings = AskSettings(
        evaluators=tuple(evaluator or ()), sizes=_sizes(states), draws=draws, seed=seed
    )
    if _is_study(path):
        if settings.sizes is not None:
            raise UsageError("--states is for a table; a study holds its states, so leave it out")
        asked = _request(optional_scorer_id(alignment), settings, exact=exact)
        _study(path, asked, out, json=json, no_text=no_text)
    else:
        if alignment is not None or exact:
            raise UsageError(
                "--alignment and --exact-form are for a study; a table has no replies"
                ", so leave them out"
            )
        _table(path, settings, out, json)


def _filed(path: Path, study: Path | None) -> Path:
    """Return the path, or the study of the bundled states where their name is given."""
    from finassay.benchmarks.ask.bundled import ASK_BENCHMARK

    if str(path) == ASK_BENCHMARK and study is not None:
        from finassay.reports.ask_workflow import ask_demo_study

        return ask_demo_study(study).root
    if str(path) == ASK_BENCHMARK and not path.exists():
        raise UsageError(
            f"{ASK_BENCHMARK} needs --study DIR, in which the bundled states are filed"
        )
    if study is not None:
        raise UsageError("--study is for a file of states (.jsonl, .yaml); expected one as PATH")
    return path


def _is_study(path: Path) -> bool:
    from finassay.study.config import CONFIG_NAME

    if not path.exists():
        raise InputError(
            f"there is nothing at {str(path)!r}; expected a study, a file of states (.jsonl, "
            f".yaml) or a CSV table"
        )
    return (path / CONFIG_NAME).exists()


def _file(path: Path, study: Path | None, protocol: str, json: str | None) -> None:
    from finassay.reports.ask_workflow import file_states
    from finassay.reports.terminal_ask import states_lines

    found = file_states(path, study, _protocol(protocol))
    show.result("ask-states", found, json, states_lines(found))


def _protocol(text: str) -> Protocol:
    from finassay.benchmarks.ask.prompts import PROTOCOLS

    for protocol in PROTOCOLS:
        if text == protocol:
            return protocol
    raise UsageError(f"--protocol must be one of {', '.join(PROTOCOLS)}, got {text!r}")


def _sizes(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(
        part.isdecimal() and len(part) <= MOST_SIZE_DIGITS and int(part) for part in parts
    ):
        raise UsageError(
            f"--states must be two whole numbers above 0 with at most {MOST_SIZE_DIGITS} digits, "
            f"ask then proceed, such as 583,97; got {text!r}"
        )
    return int(parts[0]), int(parts[1])


def _request(alignment: str | None, settings: AskSettings, *, exact: bool) -> AskRequest:
    from finassay.marking.ask_outcomes import ACTION_SCORER, ALIGNMENT_BASELINE
    from finassay.reports.ask_workflow import AskRequest

    return AskRequest(
        alignment=alignment or ALIGNMENT_BASELINE,
        action=f'{ACTION_SCORER}[form="exact"]' if exact else ACTION_SCORER,
        settings=settings,
    )


def _study(
    path: Path,
    request: AskRequest,
    out: Path | None,
    *,
    json: str | None,
    no_text: bool,
) -> None:
    from finassay.reports.ask_page import write_ask
    from finassay.reports.ask_workflow import ask_study
    from finassay.reports.terminal_ask import ask_lines
    from finassay.study import Study

    with show.steps("marking") as progress:
        report, outcomes = ask_study(Study.open(path), request, progress=progress)
    lines = ask_lines(report)
    if out is not None:
        cases = None if no_text else outcomes
        lines += ["", *(f"written: {file}" for file in write_ask(report, out, cases))]
    show.result("ask", report, json, lines)


def _table(path: Path, settings: AskSettings, out: Path | None, json: str | None) -> None:
    from finassay.reports.ask_page import write_ask
    from finassay.reports.ask_workflow import ask_table_report
    from finassay.reports.terminal_ask import ask_lines

    report = ask_table_report(path, settings)
    lines = ask_lines(report)
    if out is not None:
        lines += ["", *(f"written: {file}" for file in write_ask(report, out))]
    show.result("ask", report, json, lines)
