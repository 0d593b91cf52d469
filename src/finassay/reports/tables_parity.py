"""Tables about tools' verdicts beside ours.  In: a parity.  Out: tables."""

from __future__ import annotations

from finassay.analyses.results_parity import (
    Parity,
    ParityDifference,
    RuleParity,
    UnscoredConventions,
)
from finassay.reports import numbers as num
from finassay.reports.table import Column, Gaps, Table, grouped, lefts, rights

SHOWN = 20


def tables(result: Parity) -> list[Table]:
    """Return all tables of a parity that have rows."""
    made = (agreement(result), differences(result), conventions(result))
    return [table for table in made if table.rows or table.key == "parity"]


def agreement(result: Parity) -> Table:
    """Return how far our rules say what the tools said."""
    gaps = Gaps()
    return Table(
        key="parity",
        caption="Verdicts of the tools and of our rules of the same name",
        columns=(
            *lefts("Tool's scorer", "Our rule", "Reads"),
            *rights("Verdicts", "Both score", "Same", "Same, %", "Kappa"),
            *rights("Tool only", "Ours only", "Left out"),
        ),
        rows=tuple(_agreement_row(rule, gaps) for rule in result.rules),
        notes=gaps.notes(
            *(f"{rule.scorer}: {rule.note}" for rule in result.rules if rule.note),
            "Left out: the tool compared with another text than the item's reference, or the item "
            "or the reply is missing or redacted.",
            result.method,
            _without(result),
            *result.warnings,
        ),
    )


def _without(result: Parity) -> str:
    if not result.without_rule:
        return ""
    shown = num.listed([num.clean(name) for name in result.without_rule[:SHOWN]])
    more = len(result.without_rule) - SHOWN
    rest = f" and {more} more" if more > 0 else ""
    return f"We have no rule for {shown}{rest}."


def _agreement_row(rule: RuleParity, gaps: Gaps) -> tuple[str, ...]:
    none = "nothing is scored by both"
    share, kappa = rule.share, rule.kappa
    return (
        num.shortened(rule.scorer),
        num.shortened(rule.rule),
        rule.reads,
        num.count(rule.n),
        num.count(rule.both_scored),
        num.count(rule.agree),
        gaps.dash(none) if share is None else num.percent(share, rule.both_scored),
        gaps.dash("undefined: one of the two always says the same")
        if kappa is None
        else num.coefficient(kappa),
        num.count(rule.tool_only),
        num.count(rule.ours_only),
        num.count(rule.other_reference + rule.unmarked),
    )


def differences(result: Parity) -> Table:
    """Return the first answers on which a tool and our rule do not say the same."""
    gaps = Gaps()
    groups = [
        tuple(_difference_row(rule, one, gaps) for one in rule.differing[:SHOWN])
        for rule in result.rules
    ]
    rows, breaks = grouped(*groups)
    total = sum(rule.n_differing for rule in result.rules)
    more = total - len(rows)
    return Table(
        key="parity-differences",
        caption=f"Answers on which they differ, {num.count(total)} in all",
        columns=(
            *lefts("Tool's scorer", "Item", "System"),
            Column("Trial"),
            *rights("Tool", "Ours"),
            *lefts("Text", "Read", "Reference"),
        ),
        rows=rows,
        breaks=breaks,
        notes=gaps.notes(
            "Text, read and reference are digests: of the reply, of what our rule was given, and "
            "of the item's reference.",
            f"{num.count(more)} more are not shown; `--json` has more of them." if more else "",
        ),
    )


def _difference_row(rule: RuleParity, one: ParityDifference, gaps: Gaps) -> tuple[str, ...]:
    return (
        num.shortened(rule.scorer),
        num.shortened(one.item_id, 30),
        num.shortened(one.system, 30),
        str(one.trial),
        _value(one.tool_value, one.tool_status, gaps),
        _value(one.value, one.status, gaps),
        one.text_digest[:8],
        one.read_digest[:8],
        one.reference_digest[:8],
    )


def _value(value: float | None, status: str, gaps: Gaps) -> str:
    return gaps.dash(status.replace("_", " ")) if value is None else f"{value:.4g}"


def conventions(result: Parity) -> Table:
    """Return each score of a tool with the unscored left out, and counted as wrong."""
    gaps = Gaps()
    return Table(
        key="parity-conventions",
        caption="Scores of the tools under both conventions for what they left unscored",
        columns=(
            *lefts("Tool's scorer", "System", "Benchmark"),
            *rights("Verdicts", "Unscored", "Left out, %", "As wrong, %", "Printed by the tool"),
        ),
        rows=tuple(_convention_row(row, gaps) for row in result.conventions),
        notes=gaps.notes(
            "Printed: fractions as percent, other scales as they stand; from all runs in the study."
        ),
    )


def _convention_row(row: UnscoredConventions, gaps: Gaps) -> tuple[str, ...]:
    none = "no verdict has a value"
    said = [
        num.percent(score.value, row.n) if score.unit == "fraction" else score.printed
        for score in row.printed
    ]
    return (
        num.shortened(row.scorer),
        num.shortened(row.system, 30),
        num.shortened(row.benchmark, 30),
        num.count(row.n),
        num.count(row.unscored),
        gaps.dash(none) if row.excluded is None else num.percent(row.excluded, row.n),
        gaps.dash(none) if row.wrong is None else num.percent(row.wrong, row.n),
        "; ".join(said) if said else gaps.dash("the log holds no such aggregate"),
    )
