"""The application and its way out.  In: arguments.  Out: an exit code, errors on stderr."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Annotated

import typer

from finassay import stopping
from finassay.apps.cli import (
    adjudicate,
    arms,
    ask,
    audit,
    calibrate,
    claims,
    compare,
    completions,
    configuration,
    contracts,
    demo,
    doctor,
    evidence,
    export,
    judge,
    judges,
    labels,
    marking,
    multiverse,
    operations,
    parity,
    people,
    provenance,
    rag,
    references,
    run,
    serve,
    show,
    site,
    studies,
    tables,
)
from finassay.errors import DiskError, FinassayError, UsageError

INTERRUPTED = 130
"""Exit code of a command that was stopped with Ctrl-C (128 + SIGINT)."""

app = typer.Typer(
    name="finassay",
    help="How much of a financial-LLM leaderboard is the model, and how much is the scoring rule?",
    epilog="Start with `finassay demo`.  Every command that computes takes --json FILE (or -).",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Plain help: loading a formatter would take longer than everything else together.
    rich_markup_mode=None,
)

app.command("demo", rich_help_panel="Start")(demo.demo)
app.command("audit", rich_help_panel="Start")(audit.audit)
app.command("fetch", rich_help_panel="Bring in")(tables.fetch)
app.command("import", rich_help_panel="Bring in")(tables.import_)
app.command("run", rich_help_panel="Bring in")(run.run)
app.command("judge", rich_help_panel="Mark")(judge.judge)
app.command("score", rich_help_panel="Mark")(marking.score)
app.command("mark", rich_help_panel="Mark")(marking.mark)
app.command("explain", rich_help_panel="Mark")(marking.explain)
app.command("scorers", rich_help_panel="Mark")(marking.scorers)
app.command("calibrate", rich_help_panel="Analyse")(calibrate.calibrate)
app.command("compare", rich_help_panel="Analyse")(compare.compare)
app.command("items", rich_help_panel="Analyse")(evidence.items)
app.command("ranks", rich_help_panel="Analyse")(evidence.ranks)
app.command("agree", rich_help_panel="Analyse")(evidence.agree)
app.command("judges", rich_help_panel="Analyse")(judges.judges)
app.command("ask", rich_help_panel="Analyse")(ask.ask)
app.command("parity", rich_help_panel="Analyse")(parity.parity)
app.command("claims", rich_help_panel="Analyse")(claims.claims)
app.command("configuration", rich_help_panel="Analyse")(configuration.configuration)
app.command("arms", rich_help_panel="Analyse")(arms.arms)
app.command("attribution", rich_help_panel="Analyse")(configuration.attribution)
app.command("provenance", rich_help_panel="Analyse")(provenance.provenance)
app.command("multiverse", rich_help_panel="Analyse")(multiverse.multiverse)
app.command("operations", rich_help_panel="Analyse")(operations.operations)
app.add_typer(labels.app, name="labels", rich_help_panel="Mark")
app.add_typer(adjudicate.app, name="adjudicate", rich_help_panel="Mark")
app.add_typer(references.app, name="references", rich_help_panel="Analyse")
app.command("serve", rich_help_panel="Start")(serve.serve)
app.command("export", rich_help_panel="Keep")(export.export)
app.command("export-site", rich_help_panel="Keep")(site.export_site)
app.add_typer(rag.app, name="rag", rich_help_panel="Analyse")
app.add_typer(contracts.app, name="contract", rich_help_panel="Mark")
app.add_typer(studies.app, name="study", rich_help_panel="Keep")
app.add_typer(people.app, name="people", rich_help_panel="Keep")
app.command("schema", rich_help_panel="Keep")(studies.schema)
app.command("doctor", rich_help_panel="Start")(doctor.doctor)
app.command("version", rich_help_panel="Keep")(studies.version)


def _show_version(asked: bool) -> None:
    if asked:
        studies.version()
        raise typer.Exit


@app.callback()
def options(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", is_eager=True, callback=_show_version
        ),
    ] = False,
) -> None:
    """How much of a financial-LLM leaderboard is the model, and how much is the scoring rule?"""


def main() -> None:
    """Run the command line and exit.

    An error that Finassay raises on purpose is printed on stderr, without a traceback, and gives
    the exit code of its class (docs/reference/exit-codes.md).
    """
    try:
        with stopping.listening(), _InOurWords():
            _run()
    except FinassayError as error:
        show.lines([f"finassay: {error}"], "-")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.stderr.write("finassay: stopped; what was committed is kept, run again to go on\n")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader went away (`| head`): close quietly, as other tools do.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        # A full disk or a directory without permission is not a fault of the program.
        where = f"{error.filename!r}: " if error.filename else ""
        told = error.strerror or " ".join(str(error).split())
        if error.errno == errno.ENAMETOOLONG:
            sys.stderr.write(f"finassay: {where}{told}\n")
            sys.exit(UsageError.exit_code)
        from finassay.study.disk import advice

        sys.stderr.write(f"finassay: {where}{told}; {advice(error.errno)}\n")
        sys.exit(DiskError.exit_code)


class _InOurWords:
    """Lets what libraries of tables raise end as an error of ours; loads nothing for that."""

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if error is None or "finassay.study.disk" not in sys.modules:
            return
        from finassay.study.disk import from_library

        ours = from_library(error)
        if ours is not None:
            raise ours from error


def _as_utf8(argument: str) -> str:
    """Return an argument as the text that was typed, whatever the locale says.

    Raises:
        UsageError: its bytes are not UTF-8, so nobody can say what text it is.
    """
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError as error:
        raise UsageError(
            f"the argument {argument!r} is not UTF-8: {error}"
            "; type it in a terminal that is set to UTF-8, or rename the file"
        ) from error


def _run() -> None:
    for name in ("stdout", "stderr"):
        # A closed stream (`>&-`) is None: what has no reader is written nowhere.
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - lives as long as we
            setattr(sys, name, nowhere)
    sys.argv[1:] = [_as_utf8(argument) for argument in sys.argv[1:]]
    if completions.INSTRUCTION in os.environ:
        completions.leave_out_the_rest(app)
    try:
        app()
    except SystemExit as done:
        if done.code == INTERRUPTED:
            raise KeyboardInterrupt from done
        raise
    finally:
        # What is buffered must meet a closed pipe here, and not while the interpreter ends.
        sys.stdout.flush()
