"""Commands about operation contracts: begin one, check them, show what there is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from finassay.apps.cli import show as output
from finassay.apps.cli.options import JsonTarget, StudyPath
from finassay.errors import InputError

app = typer.Typer(
    help="Contracts of review operations: what is measured, and how it is marked.",
    no_args_is_help=True,
)


@app.command("new")
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name, as in legal-outcome.")],
    folder: Annotated[Path, typer.Option("--in", help="Folder that the files go to.")] = Path(),
) -> None:
    """Write a commented contract, NAME.yaml, and one item, NAME.jsonl, to begin with."""
    from finassay.benchmarks.operations.template import write_template

    written = write_template(name, folder)
    output.lines(f"written: {path}" for path in written)


@app.command("check")
def check(
    path: Annotated[
        Path | None,
        typer.Argument(metavar="[PATH]", help="A contract or a folder; by default those shipped."),
    ] = None,
    json: JsonTarget = None,
) -> None:
    """Check contracts, their items and their parsers; say everything that is wrong.

    Items stand beside each contract, in NAME.jsonl.  Exit code 3 when there is an error.
    """
    from finassay.benchmarks.operations.shelf import bundled_folder
    from finassay.scorers.operations.check import check_contracts

    found = check_contracts(path or bundled_folder())
    output.result("contract-check", found, json, found.to_lines())
    if found.errors:
        raise typer.Exit(InputError.exit_code)


@app.command("show")
def show(
    path: Annotated[
        Path | None,
        typer.Argument(metavar="[PATH]", help="A contract or a folder; by default those shipped."),
    ] = None,
    json: JsonTarget = None,
) -> None:
    """Show which contracts there are, by layer and group, with their items."""
    from finassay.benchmarks.operations.inventory import inventory_of
    from finassay.benchmarks.operations.shelf import bundled_shelf, open_shelf

    found = inventory_of(open_shelf(path) if path else bundled_shelf())
    output.result("contract-show", found, json, found.to_lines())


@app.command("load")
def load(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="The study; made if not there.")],
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A contract, or a folder of them.")],
    benchmark: Annotated[
        str | None, typer.Option(metavar="NAME", help="Benchmark; by default the name of PATH.")
    ] = None,
) -> None:
    """Put the items of contracts into a study, with what each contract tells a system."""
    from finassay.benchmarks.operations.shelf import load_items
    from finassay.study import Study

    name = benchmark or path.stem
    shelf = load_items(Study.open_or_create(study, name=study.name), path, benchmark=name)
    output.lines([f"{name}: {len(shelf.entries)} items under {len(shelf.contracts)} contracts"])


@app.command("scores")
def scores(
    study: StudyPath,
    scorer: Annotated[
        str, typer.Option(metavar="ID", help="Whose verdicts are read.")
    ] = "contract",
    json: JsonTarget = None,
) -> None:
    """Show each system's score in each family: malformed counted as wrong, and valid only."""
    from finassay.marking.contract_scores import contract_scores
    from finassay.study import Study

    found = contract_scores(Study.open(study).snapshot(), scorer)
    output.result("contract-scores", found, json, found.to_lines())
