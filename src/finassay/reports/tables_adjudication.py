"""Tables about labelling.  In: plans, sheets, progress and estimates.  Out: tables."""

from __future__ import annotations

from finassay.analyses.adjudication.results import (
    AnnotatorProgress,
    DrawEstimate,
    DrawPlan,
    DrawsStatus,
    DrawStatus,
    StratumPlan,
    SystemPlan,
)
from finassay.reports import numbers as num
from finassay.reports.plain import joined_lines
from finassay.reports.sheets.write import SheetsWritten
from finassay.reports.table import Gaps, Table, lefts, rights
from finassay.reports.tables_few_labels import advice_table, budget_table, few_label_tables
from finassay.runs.importers.sheets.importing import SheetsImported
from finassay.study.adjudication.joining import Opening, Withdrawn

SHOWN_CONFLICTS = 20
SHOWN_STRATA = 60


def plan_tables(plan: DrawPlan) -> list[Table]:
    """Return what would be drawn from each stratum, and how precise the scores will be."""
    tables = [_strata(plan)]
    if plan.systems:
        tables.append(_systems(plan))
    if plan.budget is not None:
        tables.append(budget_table(plan.budget))
    return tables


def _strata(plan: DrawPlan) -> Table:
    shown = plan.strata[:SHOWN_STRATA]
    level = num.percent(plan.level, 100).removesuffix(".0")
    kept = (
        f"Frozen as draw {plan.draw!r}."
        if plan.is_new
        else f"Draw {plan.draw!r} held this very sample already."
        if plan.draw
        else "Nothing is kept: give --draw NAME to freeze the sample."
    )
    width = (
        f"The score of all {plan.unit}s will be known to within {_half(plan.half_width)} points "
        f"({level}%), from labels alone."
        if plan.half_width is not None
        else ""
    )
    return Table(
        key="draw-plan",
        caption=f"{num.count(plan.labels)} of {num.plural(plan.population, plan.unit)} to label: "
        f"{plan.task}, design {plan.design}",
        columns=(*lefts("Stratum"), *rights("Size", "Labels", "Chance", "Spread")),
        rows=tuple(_stratum_row(one) for one in shown),
        notes=Gaps().notes(
            f"and {len(plan.strata) - len(shown)} more strata"
            if len(plan.strata) > len(shown)
            else "",
            f"verdicts frozen: {', '.join(plan.scorers) or 'none'}",
            width,
            *plan.warnings,
            kept,
        ),
    )


def _stratum_row(one: StratumPlan) -> tuple[str, ...]:
    return (
        num.shortened(one.name),
        num.count(one.size),
        num.count(one.take),
        f"{one.probability:.3f}",
        f"{one.spread:.2f}",
    )


def _half(width: float | None) -> str:
    return num.EM_DASH if width is None else num.percent(width, 100)


def _systems(plan: DrawPlan) -> Table:
    gaps = Gaps()

    def row(one: SystemPlan) -> tuple[str, ...]:
        why = "a stratum of this system gets no label"
        width = gaps.dash(why) if one.half_width is None else _half(one.half_width)
        return num.shortened(one.system), num.count(one.size), num.count(one.take), width

    return Table(
        key="draw-plan-systems",
        caption="What the sample brings for each system",
        columns=(*lefts("System"), *rights("Answers", "Labels", "Half width, points")),
        rows=tuple(row(one) for one in plan.systems),
        notes=gaps.notes("The widths rest on guesses of what people will say; see the method."),
    )


def written_lines(result: SheetsWritten) -> list[str]:
    """Return what sheets were written, as lines."""
    lines = [
        (
            f"draw {result.draw}: {result.task}, {num.plural(result.units, 'unit')}, "
            f"{num.count(result.shared)} with two people or more"
        )
    ]
    for one in result.sheets:
        what = "conflicts to settle" if one.role == "resolution" else "rows"
        lines.append(f"  {one.annotator}: {num.count(one.rows)} {what} in {', '.join(one.files)}")
    return [*lines, *(f"  {warning}" for warning in result.warnings)]


def opened_lines(draw: str, made: Opening) -> list[str]:
    """Return for whom a draw is, as lines."""
    people = "1 person" if made.people == 1 else f"{num.count(made.people)} people"
    shared = f"all of them label {made.overlap:.0%} of its units and share the rest"
    return [f"draw {draw} is for {people}; {shared}"]


def withdrawn_lines(result: Withdrawn) -> list[str]:
    """Return who has the units of a person who left, as lines."""
    kept = f"{num.plural(result.answered, 'answer')} of theirs stay"
    lines = [f"{result.annotator} is off draw {result.draw}: {kept} and count"]
    lines += [f"  {name} labels {num.plural(n, 'more unit')}" for name, n in result.given]
    if result.dropped:
        lines.append(
            f"  {num.plural(result.dropped, 'unit')} went to nobody: all others have them already, "
            f"or nobody else labels"
        )
    return lines


def imported_lines(result: SheetsImported) -> list[str]:
    """Return what came of importing sheets, as lines."""
    rows = num.count(sum(file.rows for file in result.files))
    files = num.plural(len(result.files), "file")
    people = ", ".join(result.annotators) or "nobody"
    new, revised, same = (num.count(n) for n in (result.new, result.revised, result.unchanged))
    flags = f"{num.count(result.flagged)} flag the reference as wrong"
    changed = f"{num.plural(result.verdicts, 'partition')} of the study changed"
    return [
        f"draw {result.draw}: {rows} rows of {files} by {people}",
        f"  {new} new, {revised} revised, {same} as before, {num.count(result.blank)} unlabelled",
        f"  {flags}; {changed}",
        *(f"  {note}" for note in result.notes),
    ]


def status_tables(status: DrawStatus) -> list[Table]:
    """Return progress, agreement, conflicts and doubted references of one draw."""
    tables = [_progress(status)]
    if status.agreement:
        tables.append(_agreement(status))
    if status.conflict_units:
        tables.append(_conflicts(status))
    if status.references:
        tables.append(_references(status))
    return tables


def _progress(status: DrawStatus) -> Table:
    settled = status.unanimous + status.majority + status.single + status.resolved
    return Table(
        key="draw-progress",
        caption=f"Draw {status.draw}: {status.task}, {num.share(settled, status.units)} settled",
        columns=(
            *lefts("Annotator", "Role"),
            *rights("Given", "Answered", "Not sure", "Flags", "Revised"),
        ),
        rows=tuple(_progress_row(one) for one in status.annotators),
        notes=Gaps().notes(
            f"{status.unanimous} unanimous, {status.majority} by majority, {status.single} by one "
            f"person, {status.resolved} resolved, {status.unsure} not sure, {status.conflicts} in "
            f"conflict, {status.open} open",
            f"a unit is settled by {status.rule}",
            *status.warnings,
        ),
    )


def _progress_row(one: AnnotatorProgress) -> tuple[str, ...]:
    counts = (one.assigned, one.answered, one.unsure, one.flagged, one.revised)
    return (num.shortened(one.annotator), one.role, *(num.count(count) for count in counts))


def _agreement(status: DrawStatus) -> Table:
    gaps = Gaps()

    def shown(value: float | None) -> str:
        return (
            gaps.dash("undefined: no units, or chance alone agrees")
            if value is None
            else (num.coefficient(value))
        )

    rows = [
        (one.name, shown(one.value), shown(one.observed), shown(one.expected), str(one.n_units))
        for one in status.agreement
    ]
    rows += [
        (
            f"{num.shortened(pair.left, 25)}, {num.shortened(pair.right, 25)}",
            shown(pair.kappa),
            shown(pair.observed),
            "",
            str(pair.n_units),
        )
        for pair in (status.pairs if len(status.pairs) > 1 else ())
    ]
    return Table(
        key="draw-agreement",
        caption="Agreement of those who labelled the same units",
        columns=(*lefts("Coefficient, or pair"), *rights("Value", "Observed", "Chance", "Units")),
        rows=tuple(rows),
        notes=gaps.notes("“not sure” counts as no answer here; pairs: Cohen's kappa"),
    )


def _conflicts(status: DrawStatus) -> Table:
    shown = status.conflict_units[:SHOWN_CONFLICTS]
    more = len(status.conflict_units) - len(shown)
    return Table(
        key="draw-conflicts",
        caption="Units on which people differ",
        columns=lefts("Unit", "Item", "Said"),
        rows=tuple(
            (
                one.unit_id,
                num.shortened(one.item_id, 30),
                "; ".join(f"{num.clean(who)}: {num.clean(label)}" for who, label in one.answers),
            )
            for one in shown
        ),
        notes=Gaps().notes(
            f"and {more} more" if more else "",
            "a sheet for a third person: finassay adjudicate sheet STUDY DRAW --conflicts",
        ),
    )


def _references(status: DrawStatus) -> Table:
    return Table(
        key="draw-references",
        caption="References that people doubt",
        columns=lefts("Item", "Reference", "Doubted by", "Should be"),
        rows=tuple(
            (
                num.shortened(one.item_id, 30),
                num.shortened(one.reference, 40),
                ", ".join(num.clean(name) for name in one.flagged_by),
                "corrected"
                if one.is_corrected
                else "; ".join(num.shortened(text, 40) for _, text in one.corrections),
            )
            for one in status.references
        ),
        notes=Gaps().notes("to accept one: finassay adjudicate correct STUDY ITEM"),
    )


def draws_table(result: DrawsStatus) -> Table:
    """Return all draws of a study."""
    return Table(
        key="draws",
        caption=f"{num.plural(len(result.draws), 'draw')} in this study",
        columns=(*lefts("Draw", "Task"), *rights("Units", "Open", "Conflicts", "Not sure")),
        rows=tuple(
            (
                one.draw,
                one.task,
                num.count(one.units),
                num.count(one.open),
                num.count(one.conflicts),
                num.count(one.unsure),
            )
            for one in result.draws
        ),
    )


def sides_table(result: DrawEstimate) -> Table:
    """Return which of two judges people agree with, where the two differ."""
    gaps = Gaps()

    def shown(share: float | None, n: int) -> str:
        return gaps.dash("the two never differ there") if share is None else num.percent(share, n)

    return Table(
        key="draw-sides",
        caption="With which of two scorers people agree, where the two differ",
        columns=(
            *lefts("First", "Second", "People"),
            *rights("Units", "First, %", "Second, %", "First, weighted, %"),
        ),
        rows=tuple(
            (
                num.shortened(one.left, 30),
                num.shortened(one.right, 30),
                num.shortened(one.people, 20),
                num.count(one.n),
                shown(one.left_share, one.n),
                shown(one.right_share, one.n),
                shown(one.weighted_left, one.n),
            )
            for one in result.sides
        ),
        notes=gaps.notes("weighted: each unit by 1 / its chance of being drawn"),
    )


def estimate_lines(result: DrawEstimate) -> list[str]:
    """Return an estimate as lines: what it stands on, scores, errors of judges, sides."""
    tables = [table for scores in result.scores for table in few_label_tables(scores)]
    if result.sides:
        tables.append(sides_table(result))
    if result.advice is not None:
        tables.append(advice_table(result.advice))
    return [*_estimate_head(result), "", *joined_lines(tables)]


def _estimate_head(result: DrawEstimate) -> list[str]:
    units = f"{num.count(result.labelled)} of {num.count(result.units)} units labelled"
    left = f"{result.unsure} not sure, {result.conflicts} in conflict, {result.open} open"
    whole = num.count(result.population)
    told = {warning for scores in result.scores for warning in scores.warnings}
    return [
        f"draw {result.draw}: {result.task}, design {result.design}; {units}, drawn from {whole}",
        f"  {left}, {result.unlabelled} with a label without a value",
        *(f"  {warning}" for warning in result.warnings if warning not in told),
    ]
