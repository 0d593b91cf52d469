"""Tables of a calibration.  In: its result.  Out: tables of strings."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.analyses.calibration import ALL
from finassay.analyses.results_calibration import (
    AgreementInterval,
    Calibration,
    CalibrationRow,
    CalibrationScore,
    CalibrationStratum,
    CalibrationTest,
    DisagreementKind,
)
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, grouped, lefts, rights

UNDEFINED = "kappa is undefined where people or a rule say one and the same of all"
NO_RIGHT = "no reply is called right"
SHOWN_ROWS = 8
NAME = 52


def agreement_table(found: Calibration, stratum: CalibrationStratum) -> Table:
    """Return the agreement of every rule in one stratum, candidates first, peers by kappa."""
    gaps = Gaps()
    tests = {test.right: test for test in found.tests if test.stratum == stratum.name}
    scored = [(row, _score(row, stratum.name)) for row in found.rows]
    own = [pair for pair in scored if pair[0].role != "peer"]
    peers = sorted(
        (pair for pair in scored if pair[0].role == "peer"), key=lambda pair: -_merit(pair[1])
    )
    lines = [
        [
            (
                *_cells(row, score, gaps),
                *(_test(tests.get(row.family), gaps) if found.tests else ()),
            )
            for row, score in part
        ]
        for part in (own, peers)
    ]
    rows, breaks = grouped(*lines)
    level = f"{100 * found.level:g}%"
    tested = rights("kappa less", level, "p", "Holm p") if found.tests else ()
    return Table(
        key=f"calibration-{stratum.name}",
        caption=_caption(found, stratum),
        columns=(
            *lefts("rule"),
            *rights("variants", "kappa", level, "F1", level, "precision", "recall", "no value"),
            *tested,
        ),
        rows=rows,
        breaks=breaks,
        notes=gaps.notes(),
    )


def _caption(found: Calibration, stratum: CalibrationStratum) -> str:
    conditions = [*found.only, *(() if stratum.name == ALL else (stratum.name,))]
    where = f"Replies with {num.listed(conditions)}" if conditions else "All replies"
    share = "" if stratum.prevalence is None else f", {100 * stratum.prevalence:.1f}%"
    tests = f"; p is adjusted for {num.plural(found.family_size, 'test')}" if found.tests else ""
    return (
        f"{where}: {num.plural(stratum.n, 'reply', 'replies')} in "
        f"{num.plural(stratum.n_groups, 'group')} of {found.group!r}, people call "
        f"{num.count(stratum.n_right)} right{share}{tests}"
    )


def _score(row: CalibrationRow, stratum: str) -> CalibrationScore:
    return next(score for score in row.scores if score.stratum == stratum)


def _merit(score: CalibrationScore) -> float:
    return -2.0 if score.kappa.value is None else score.kappa.value


def _cells(row: CalibrationRow, score: CalibrationScore, gaps: Gaps) -> tuple[str, ...]:
    mark = "* " if row.role == "chosen" else ""
    return (
        f"{mark}{num.shortened(row.family, NAME)}",
        num.count(row.n_variants),
        *_interval(score.kappa, gaps),
        *_interval(score.f1, gaps),
        _share(score.precision, gaps),
        _share(score.recall, gaps),
        num.count(score.n_unscored),
    )


def _interval(given: AgreementInterval, gaps: Gaps) -> tuple[str, str]:
    if given.value is None:
        return gaps.dash(UNDEFINED), ""
    return num.coefficient(given.value), _ends(given.low, given.high)


def _ends(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    return f"{num.coefficient(low)} to {num.coefficient(high)}"


def _share(value: float | None, gaps: Gaps) -> str:
    return gaps.dash(NO_RIGHT) if value is None else num.coefficient(value)


def _test(test: CalibrationTest | None, gaps: Gaps) -> tuple[str, str, str, str]:
    if test is None:
        return "", "", "", ""
    if test.difference is None or test.p is None or test.adjusted is None:
        return gaps.dash(UNDEFINED), "", "", ""
    return (
        num.signed(test.difference, 3),
        _ends(test.low, test.high),
        num.p_value(test.p),
        num.p_value(test.adjusted),
    )


def choices_table(found: Calibration) -> Table:
    """Return what every rule with variants chose, over all rows and in the folds."""
    rows = [row for row in found.rows if row.n_variants > 1]
    gaps = Gaps()

    def kappa(value: float | None) -> str:
        return gaps.dash(UNDEFINED) if value is None else num.coefficient(value)

    return Table(
        key="calibration-choices",
        caption="What was chosen: kappa as asked for, of the choice on the rows that made it, and "
        "on rows that did not",
        columns=(*lefts("rule"), *rights("as asked", "fitted", "held out"), *lefts("choice")),
        rows=tuple(
            (
                num.shortened(row.family, NAME),
                kappa(row.default_kappa),
                kappa(row.fitted_kappa),
                kappa(row.scores[0].kappa.value),
                f"{row.spec} ({_folds(row, found.folds)})",
            )
            for row in rows
        ),
        notes=gaps.notes(),
    )


def _folds(row: CalibrationRow, folds: int) -> str:
    same = dict(row.fold_specs).get(row.spec, 0)
    return f"{same} of {folds} folds agree"


def disagreements_table(found: Calibration) -> Table:
    """Return the kinds of disagreement of the chosen rule, on rows that chose nothing."""
    return Table(
        key="calibration-disagreements",
        caption="Where the choice and people disagree, by kind",
        columns=(*rights("n"), *lefts("outcome", "because", "people say", "rows")),
        rows=tuple(_kind(kind) for kind in found.disagreements),
    )


OUTCOMES = {
    "accepted": "accepted, people say no",
    "rejected": "rejected, people say yes",
    "no value": "no value, people say yes",
}


def _kind(kind: DisagreementKind) -> tuple[str, ...]:
    said = ", ".join(f"{num.clean(label)} {n}" for label, n in kind.labels)
    return (
        num.count(kind.n),
        OUTCOMES[kind.outcome],
        num.clean(kind.because),
        said,
        _places(kind.rows),
    )


def _places(rows: Sequence[int]) -> str:
    shown = ", ".join(str(row) for row in rows[:SHOWN_ROWS])
    rest = len(rows) - SHOWN_ROWS
    return f"{shown} and {rest} more" if rest > 0 else shown


def calibration_tables(found: Calibration) -> list[Table]:
    """Return all tables of a calibration: agreement by stratum, choices, disagreements."""
    agreement = [agreement_table(found, stratum) for stratum in found.strata]
    return [*agreement, choices_table(found), disagreements_table(found)]


def notes(found: Calibration) -> list[str]:
    """Return what stands below the tables: how they are made, and what a reader must know."""
    marked = "* marks the choice; figures are of rows that chose nothing"
    reasons = dict.fromkeys(why for _, why in found.absent)
    absent = [
        f"not in the table: {num.listed(name for name, why in found.absent if why == reason)} "
        f"({reason})"
        for reason in reasons
    ]
    return [
        num.sentence(f"{marked}; {found.unscored}"),
        num.sentence(found.method),
        *(num.sentence(text) for text in (*found.warnings, *absent)),
    ]
