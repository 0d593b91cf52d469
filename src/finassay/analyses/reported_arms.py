"""Arms of one measurement, as printed.  In: reported scores.  Out: ranks, moves, claims by arm.

A table such as "judge-only accuracy at three rounding tolerances" prints the same systems several
times.  Nothing is measured again: scores are compared as they are printed, so two rows tie exactly
when they are printed alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.from_study import RANK_SUFFIX
from finassay.analyses.kernels.ranks import ranks
from finassay.analyses.ranking import check_convention
from finassay.analyses.recognition import recognise_ranks
from finassay.analyses.regimes import METHOD, correlation, move_counts
from finassay.analyses.results_arms import ArmClaim, ArmColumn, ArmRow, ArmsReport
from finassay.analyses.results_scores import RANK_CONVENTIONS, RankConvention
from finassay.analyses.wording import some
from finassay.errors import UnknownNameError, UsageError
from finassay.records import ReportedScore

ALPHA = 0.05

Scores = dict[str, dict[str, ReportedScore]]
"""Column -> row -> score."""


def reported_arms(
    scores: Sequence[ReportedScore],
    *,
    table: str,
    base: str,
    rank_convention: RankConvention = "dense",
) -> ArmsReport:
    """Return how a printed table's systems stand in each of its columns, and what depends on that.

    Args:
        scores: reported scores, of any tables.
        table: the table whose columns are the arms, such as "Table 11".
        base: what each arm is correlated with, as "TABLE:COLUMN", such as "Table 6:strict".
        rank_convention: of the ranks that are shown; moves are counted under all conventions.

    Raises:
        UnknownNameError: there is no such table or column.
        UsageError: the table has fewer than two arms, or a row lacks one of them.
    """
    check_convention(rank_convention)
    columns = _columns(scores, table)
    arms = [name for name in columns if not name.endswith(RANK_SUFFIX)]
    if len(arms) < 2:
        raise UsageError(f"{table!r} must print at least two columns of scores, got {arms!r}")
    rows = tuple(columns[arms[0]])
    _require_all(columns, arms, rows, table)
    values = {arm: _values(columns[arm], rows) for arm in arms}
    reference = _base(scores, base)
    under: dict[str, dict[RankConvention, NDArray[np.float64]]] = {
        arm: {name: ranks(values[arm], convention=name) for name in RANK_CONVENTIONS}
        for arm in arms
    }
    held, tied, turned = _pairs(list(values.values()))
    made = tuple(_arm(arm, columns, rows, values[arm], (base, reference)) for arm in arms)
    return ArmsReport(
        source=next(iter(columns[arms[0]].values())).source,
        table=table,
        base=base,
        rank_convention=rank_convention,
        arms=made,
        rows=tuple(
            _row(name, at, reference, values, (under, rank_convention, columns))
            for at, name in enumerate(rows)
        ),
        moves=move_counts(under),
        n_pairs=held + tied + turned,
        n_held=held,
        n_tied=tied,
        n_turned=turned,
        claims=_claims(made, rows, values, under, rank_convention),
        method=f"scores as printed, two rows tie when they are printed alike; {METHOD}",
        warnings=_warnings(rows, reference),
    )


def _columns(scores: Sequence[ReportedScore], table: str) -> Scores:
    found: Scores = {}
    for score in scores:
        if score.table == table:
            found.setdefault(score.column, {})[score.row] = score
    if not found:
        known = sorted({score.table for score in scores})
        raise UnknownNameError(f"no reported scores of {table!r}; there are: {', '.join(known)}")
    return found


def _require_all(columns: Scores, arms: Sequence[str], rows: Sequence[str], table: str) -> None:
    for arm in arms:
        if set(columns[arm]) != set(rows):
            odd = sorted(set(columns[arm]) ^ set(rows))
            raise UsageError(
                f"{table}, column {arm!r}: every arm must print the same rows, got {odd!r} in one "
                "of two columns only"
            )


def _values(column: dict[str, ReportedScore], rows: Sequence[str]) -> NDArray[np.float64]:
    return np.array([column[row].value for row in rows], dtype=np.float64)


def _base(scores: Sequence[ReportedScore], base: str) -> dict[str, float]:
    table, _, column = base.partition(":")
    found = {s.row: s.value for s in scores if s.table == table and s.column == column}
    if not found:
        known = sorted({f"{score.table}:{score.column}" for score in scores})
        raise UnknownNameError(
            f"no reported column {base!r}; write it as TABLE:COLUMN, such as {known[0]!r}"
        )
    return found


def _pairs(columns: Sequence[NDArray[np.float64]]) -> tuple[int, int, int]:
    """Return (held, tied in some arm, turned) over the pairs of rows."""
    held = tied = turned = 0
    for a, b in combinations(range(len(columns[0])), 2):
        signs = {int(np.sign(column[a] - column[b])) for column in columns}
        turned += {1, -1} <= signs
        tied += 0 in signs and not {1, -1} <= signs and len(signs) > 1
        held += len(signs) == 1
    return held, tied, turned


def _arm(
    arm: str,
    columns: Scores,
    rows: Sequence[str],
    values: NDArray[np.float64],
    base: tuple[str, dict[str, float]],
) -> ArmColumn:
    name, reference = base
    shared = [at for at, row in enumerate(rows) if row in reference]
    left = np.array([reference[rows[at]] for at in shared], dtype=np.float64)
    printed = columns.get(f"{arm}{RANK_SUFFIX}", {})
    given = [
        (row, columns[arm][row].printed or str(columns[arm][row].value), printed[row].value)
        for row in rows
        if row in printed
    ]
    fits = (
        recognise_ranks(given, source=columns[arm][rows[0]].source, column=arm).reproduces
        if given
        else ()
    )
    low, high = float(values.min()), float(values.max())
    return ArmColumn(
        arm=arm,
        n=len(rows),
        low=low,
        high=high,
        spread=high - low,
        leaders=tuple(row for row, value in zip(rows, values, strict=True) if value == high),
        trailers=tuple(row for row, value in zip(rows, values, strict=True) if value == low),
        with_base=correlation(name, arm, left, values[shared]),
        printed_ranks=fits,
        has_printed_ranks=bool(given),
    )


Ranked = dict[str, dict[RankConvention, NDArray[np.float64]]]


def _row(
    name: str,
    at: int,
    base: dict[str, float],
    values: dict[str, NDArray[np.float64]],
    ranked: tuple[Ranked, RankConvention, Scores],
) -> ArmRow:
    under, convention, columns = ranked
    own = tuple(float(under[arm][convention][at]) for arm in values)
    printed = [columns.get(f"{arm}{RANK_SUFFIX}", {}).get(name) for arm in values]
    return ArmRow(
        system=name,
        base=base.get(name),
        scores=tuple(float(column[at]) for column in values.values()),
        ranks=own,
        printed=tuple(one.value for one in printed if one is not None) if all(printed) else (),
        move=max(own) - min(own),
    )


def _claims(
    arms: Sequence[ArmColumn],
    rows: Sequence[str],
    values: dict[str, NDArray[np.float64]],
    under: Ranked,
    convention: RankConvention,
) -> tuple[ArmClaim, ...]:
    """Return sentences read off the arms, those that depend on the arm first."""
    made = [
        *_ends(arms),
        *_correlated(arms),
        *_among_first(arms, rows, under, convention),
        *_above(arms, rows, values),
    ]
    return tuple(sorted(made, key=lambda claim: not claim.depends))


TOP = 3


def _ends(arms: Sequence[ArmColumn]) -> Iterator[ArmClaim]:
    for leaders in dict.fromkeys(arm.leaders for arm in arms):
        verb = "leads" if len(leaders) == 1 else "share the lead"
        yield _claim(arms, f"{some(leaders)} {verb}", [arm.leaders == leaders for arm in arms])
    for last in dict.fromkeys(arm.trailers for arm in arms):
        verb = "is last" if len(last) == 1 else "are last"
        yield _claim(arms, f"{some(last)} {verb}", [arm.trailers == last for arm in arms])


def _correlated(arms: Sequence[ArmColumn]) -> Iterator[ArmClaim]:
    yield _claim(
        arms,
        "the order correlates positively with the base column",
        [(arm.with_base.spearman or 0.0) > 0 for arm in arms],
    )
    yield _claim(
        arms,
        f"its rank correlation with the base column differs from zero at {ALPHA:g}",
        [(1.0 if (p := arm.with_base.spearman_p) is None else p) < ALPHA for arm in arms],
    )


def _among_first(
    arms: Sequence[ArmColumn], rows: Sequence[str], under: Ranked, convention: RankConvention
) -> Iterator[ArmClaim]:
    for at, row in enumerate(rows):
        places = [float(under[arm.arm][convention][at]) for arm in arms]
        if min(places) <= TOP < max(places):
            text = f"{row} is among the first {TOP} ({convention} ranks)"
            yield _claim(arms, text, [place <= TOP for place in places])


def _above(
    arms: Sequence[ArmColumn], rows: Sequence[str], values: dict[str, NDArray[np.float64]]
) -> Iterator[ArmClaim]:
    """Yield the pairs whose order is not the same in every arm."""
    base = values[arms[0].arm]
    for a, b in combinations(range(len(rows)), 2):
        up, down = (a, b) if base[a] >= base[b] else (b, a)
        text = f"{rows[up]} scores above {rows[down]}"
        claim = _claim(
            arms, text, [bool(values[arm.arm][up] > values[arm.arm][down]) for arm in arms]
        )
        if claim.depends:
            yield claim


def _claim(arms: Sequence[ArmColumn], text: str, holds: Sequence[bool]) -> ArmClaim:
    return ArmClaim(
        text=text,
        holds=tuple(arm.arm for arm, yes in zip(arms, holds, strict=True) if yes),
        fails=tuple(arm.arm for arm, yes in zip(arms, holds, strict=True) if not yes),
    )


def _warnings(rows: Sequence[str], base: dict[str, float]) -> tuple[str, ...]:
    missing = [row for row in rows if row not in base]
    if not missing:
        return ()
    return (f"not in the base column, so left out of the correlations: {some(missing)}",)
