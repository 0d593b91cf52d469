"""Commands about retrieval: what is found in documents, and how well."""

from __future__ import annotations

import typer

from finassay.apps.cli import rag_evaluate

app = typer.Typer(help="Search documents, and measure how well they are searched.")


@app.callback(no_args_is_help=True)
def rag() -> None:
    """Search documents, and measure how well they are searched."""


app.command("evaluate")(rag_evaluate.evaluate)
