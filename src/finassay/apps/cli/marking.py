"""Commands that mark, and that explain a mark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.completions import complete_scorer, complete_system
from finassay.apps.cli.options import (
    Address,
    EngineName,
    JsonTarget,
    NoText,
    StudyPath,
    Workers,
    scorer_id,
    scorer_or_spec,
)
from finassay.errors import UsageError

if TYPE_CHECKING:
    from finassay.marking.scoring import ScoreReport
    from finassay.records import AnswerContract


def score(
    study: StudyPath,
    scorer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID|@FILE",
            help="Scorer to mark with; repeat for more.",
            autocompletion=complete_scorer,
        ),
    ] = None,
    regime: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="strict, judge-only or judge-augmented; repeat."),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="String rule of the regimes; by default `stored` where the study holds it, else "
            "`strict/numbers-first`.",
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Judge of the regimes; by default the first by name."),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Only this system; repeat.", autocompletion=complete_system
        ),
    ] = None,
    engine: EngineName = "local",
    workers: Workers = None,
    address: Address = None,
    json: JsonTarget = None,
) -> None:
    """Mark the predictions of a study.

    Verdicts that stand on the present texts are kept, so a run that was stopped goes on.
    """
    from finassay.analyses.wording import plural
    from finassay.marking.engines import open_engine
    from finassay.marking.regime_scoring import score_regimes
    from finassay.marking.scoring import DEFAULT_SCORERS, MarkingReport, score_study
    from finassay.study import Study

    opened = Study.open(study)
    named = tuple(scorer_or_spec(name) for name in scorer or ())
    rules = named or (() if regime else DEFAULT_SCORERS)
    with (
        open_engine(engine, workers=workers, address=address) as runs,
        show.steps("marking") as progress,
    ):
        marked = score_study(opened, scorers=rules, systems=system, engine=runs, progress=progress)
        combined = score_regimes(opened, names=regime, base=base, judge=judge)
    done = f"{plural(marked.marked, 'verdict')} made, {marked.up_to_date} stood already"
    systems, scorers = len(marked.systems), len(marked.scorers)
    texts = [
        f"{plural(systems, 'system')}, {plural(scorers, 'scorer')}: {done}",
        *left_out(marked),
        f"regimes: {', '.join(combined.scorers) or 'none'} ({plural(combined.marked, 'verdict')})",
    ]
    show.result("score", MarkingReport(marking=marked, regimes=combined), json, texts)


def left_out(marked: ScoreReport) -> list[str]:
    """Return a line for each reason why predictions were not marked, if there are any."""
    from finassay.analyses.wording import plural

    alone, redacted = marked.without_item, marked.redacted
    belong, were = ("belongs" if alone == 1 else "belong"), ("was" if redacted == 1 else "were")
    get = "gets" if redacted == 1 else "get"
    counts = (
        (alone, f"{belong} to items that the study does not hold"),
        (redacted, f"{were} redacted and {get} no new verdict"),
    )
    return [f"{plural(count, 'prediction')} {why}" for count, why in counts if count]


def mark(
    scorer: Annotated[
        str,
        typer.Argument(
            metavar="SCORER",
            help="Scorer id; see `scorers`; or @FILE.",
            autocompletion=complete_scorer,
        ),
    ],
    reference: Annotated[str, typer.Option(help="The accepted answer.")],
    reply: Annotated[str, typer.Option(help="The reply to mark.")],
    question: Annotated[str | None, typer.Option(help="The question.")] = None,
    choices: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="The labels or options offered.")
    ] = None,
    task: Annotated[str | None, typer.Option(help="Task of the item.")] = None,
    contract: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD=VALUE", help="What counts as an answer, as type=percent; repeat."
        ),
    ] = None,
    json: JsonTarget = None,
) -> None:
    """Mark one reply and say why."""
    from finassay.marking.single import as_item, as_prediction, explain_mark

    offered = [choice.strip() for choice in choices.split(",")] if choices else None
    item = as_item(
        reference=reference,
        question=question,
        choices=offered,
        task=task,
        contract=_contract(contract or []),
    )
    explained = explain_mark(scorer_or_spec(scorer), item=item, prediction=as_prediction(reply))
    show.result("mark", explained, json, explained.to_lines())


def _contract(given: list[str]) -> AnswerContract:
    from finassay.runs.importers.contracts import contract_of

    pairs = [text.partition("=") for text in given]
    for field, sign, value in pairs:
        if not sign:
            raise UsageError(f"--contract takes FIELD=VALUE, as decimals=2, got {field + value!r}")
    try:
        return contract_of({field.strip(): value for field, _, value in pairs})
    except ValueError as error:
        raise UsageError(f"--contract: {error}; it takes FIELD=VALUE, as decimals=2") from error


def explain(
    study: StudyPath,
    item: Annotated[str, typer.Option(help="Item id.")],
    system: Annotated[
        str,
        typer.Option(
            help="Display name of the system, or the start of its id.",
            autocompletion=complete_system,
        ),
    ],
    scorer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID", help="Only this scorer; repeat.", autocompletion=complete_scorer
        ),
    ] = None,
    no_text: NoText = False,
    json: JsonTarget = None,
) -> None:
    """Show why one reply got its marks.

    For every rule: what it read, and which stage decided.
    """
    from finassay.marking.explain import explain_prediction
    from finassay.study import Study

    snapshot = Study.open(study).snapshot()
    names = None if scorer is None else [scorer_id(name) for name in scorer]
    found = explain_prediction(snapshot, item_id=item, system=system, scorers=names)
    shown = found.without_text() if no_text else found
    show.result("explain", shown, json, shown.to_lines())


def scorers(json: JsonTarget = None) -> None:
    """List the installed scorers and their parameters."""
    from finassay.scorers.catalogue import scorer_catalogue

    known = scorer_catalogue()
    show.result("scorers", known, json, known.to_lines())
