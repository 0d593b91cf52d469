"""Which rule made the verdicts of the source.  In: matrices.  Out: a trace, and odd systems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.agreement import rule_agreement, rule_distances, sign_test_p
from finassay.analyses.alignment import aligned
from finassay.analyses.provenance.effects import board_rows, counts, rank_effect
from finassay.analyses.provenance.inputs import ProvenanceInputs, Section
from finassay.analyses.provenance.results import (
    Board,
    BoardName,
    Check,
    Measure,
    ProvenanceFinding,
    RuleTrace,
)
from finassay.analyses.regimes import correlation
from finassay.analyses.reported import reported_rows
from finassay.analyses.results_rules import Correlation, RuleAgreement, SystemRule
from finassay.analyses.wording import plural, some
from finassay.marking.matrix import ABSENT, VerdictMatrix

ALPHA = 0.01
"""Level over all systems of a study at which a system is said to follow another rule."""

WITNESSES = 20

METHOD = (
    "a system is odd when its verdicts are closest to another rule than the rest's; a sign test of "
    f"its mismatches with both gives p < {ALPHA:g} over the number of systems and of rules; and "
    "what the other rule explains better stands above Tukey's fence of the other systems' "
    "mismatches"
)


def trace_rules(inputs: ProvenanceInputs) -> tuple[RuleTrace | None, Section]:
    """Return which rule the verdicts of the source follow, and systems that follow another."""
    stored = inputs.matrices.get(inputs.stored)
    names = [] if stored is None else [n for n in stored.columns if not inputs.is_person(n)]
    if stored is None or not names or not inputs.candidates:
        return None, _section(0, [])
    kept = stored.select(columns=names)
    agreement = rule_agreement(rule_distances(kept, inputs.candidates), stored=inputs.stored)
    odd = [own for own in agreement.systems if _is_certain(own, agreement)]
    common = agreement.common_rule
    boards: tuple[Board, ...] = ()
    if odd and common is not None:
        boards = _boards(inputs, kept, inputs.candidates[common], [own.system for own in odd])
    trace = RuleTrace(
        stored=inputs.stored,
        common_rule=common,
        odd=tuple(own.system for own in odd),
        nearest=tuple(
            (own.system, own.best, own.mismatches, own.common_mismatches)
            for own in agreement.systems
        ),
        distances=agreement.distances,
        boards=boards,
    )
    found = [_finding(inputs, agreement, trace, own) for own in odd]
    return trace, _section(len(names), found)


def _section(n: int, found: list[ProvenanceFinding]) -> Section:
    check = Check(
        kind="mixed_rule",
        n=n,
        unit="systems with verdicts of the source",
        n_findings=len(found),
        method=METHOD,
        false_alarm_rate=ALPHA,
    )
    return Section(check, found)


def _p(own: SystemRule) -> float:
    return sign_test_p(own.mismatches, own.common_mismatches or 0)


def _is_certain(own: SystemRule, agreement: RuleAgreement) -> bool:
    tests = len(agreement.systems) * max(1, len(agreement.scorers) - 1)
    return own.is_outlier and _p(own) * tests < ALPHA


def _finding(
    inputs: ProvenanceInputs, agreement: RuleAgreement, trace: RuleTrace, own: SystemRule
) -> ProvenanceFinding:
    common = agreement.common_rule or ""
    low, high = agreement.common_range or (0, 0)
    witnesses = _witnesses(inputs, own.system, own.best[0], common)
    first, alone, together = (board_of(trace.boards, name, own.system) for name in _NAMES)
    standing = ""
    if first and alone and together:
        standing = (
            f"; under {common} it has {alone[0]} right instead of {first[0]} (rank {first[1]}"
            f"{_beside_printed(inputs, first)}): rank {alone[1]} if it alone is marked again, "
            f"rank {together[1]} if all systems are"
        )
    before, after = (
        {row.system: (row.right, row.n) for row in board.rows} for board in trace.boards[:2]
    )
    effect = rank_effect(
        before,
        after,
        correction=f"with {some(trace.odd)} marked by {common}",
        rule=inputs.stored,
    )
    return ProvenanceFinding(
        kind="mixed_rule",
        severity="high",
        title=f"The stored verdicts of {own.system} follow another rule than the rest",
        systems=(own.system,),
        evidence=(
            f"{own.system} has {plural(own.mismatches, 'mismatch', 'mismatches')} with "
            f"{some(own.best)} and {own.common_mismatches} with {common}; the other "
            f"{plural(len(agreement.systems) - len(trace.odd), 'system')} follow {common} with "
            f"{low} to {high} mismatches{standing}"
        ),
        advice="mark every system again with one rule before comparing them",
        measures=(
            Measure(name="mismatches with its own rule", value=own.mismatches),
            Measure(name="mismatches with the common rule", value=own.common_mismatches or 0),
            Measure(name="most mismatches of another system", value=high),
        ),
        p=_p(own),
        witnesses=witnesses[:WITNESSES],
        n_witnesses=len(witnesses),
        effect=effect,
        false_alarm_rate=ALPHA,
    )


def _beside_printed(inputs: ProvenanceInputs, standing: tuple[int, int]) -> str:
    """Return the rank beside systems of which only printed counts are known, where they change it.

    Args:
        inputs: of the audit.
        standing: (right, rank) among the systems with verdicts.
    """
    stored = inputs.matrices[inputs.stored]
    printed = reported_rows(
        inputs.reported, rule=inputs.stored, items=inputs.items, measured=stored.columns
    )
    above = sum(row.correct is not None and row.correct > standing[0] for row in printed)
    if not above:
        return ""
    rank, systems = standing[1] + above, plural(len(printed), "system")
    return f", {rank} beside {systems} known only as printed"


def _witnesses(inputs: ProvenanceInputs, system: str, own: str, common: str) -> tuple[str, ...]:
    """Return the items where the stored verdict is that of one rule and not of the other."""
    sides = []
    for matrix in (
        inputs.matrices[inputs.stored],
        inputs.candidates[own],
        inputs.candidates[common],
    ):
        table = aligned(matrix, inputs.items)
        j = table.columns.index(system)
        sides.append((table.right[:, j], table.scored[:, j]))
    (stored, there), (mine, mine_there), (theirs, theirs_there) = sides
    shows = there & mine_there & theirs_there & (stored == mine) & (stored != theirs)
    ids = inputs.item_ids
    return tuple(ids[i] for i in np.flatnonzero(shows))


_NAMES: tuple[BoardName, ...] = ("stored", "odd rows marked again", "all rows marked again")


def board_of(boards: Sequence[Board], name: str, system: str) -> tuple[int, int] | None:
    """Return (right, rank) of a system on the board of that name; None where it is not on it."""
    for board in boards:
        for row in board.rows:
            if board.name == name and row.system == system:
                return row.right, row.rank
    return None


def _boards(
    inputs: ProvenanceInputs,
    stored: VerdictMatrix,
    common: VerdictMatrix,
    odd: Sequence[str],
) -> tuple[Board, ...]:
    """Return the three leaderboards over the systems that are complete on both sides.

    Items on which the source has no verdict at all are left out of all three.
    """
    left, right = aligned(stored, inputs.items), aligned(common, inputs.items)
    keep = np.asarray((left.status != ABSENT).any(axis=1), dtype=np.bool_)
    whole = counts(right, inputs.items, keep=keep)
    names = [name for name in counts(left, inputs.items, keep=keep) if name in whole]
    before, after = left.select(columns=names), right.select(columns=names)
    mixed = _spliced(before, after, [name for name in odd if name in names])
    judge = None if inputs.judge is None else inputs.matrices.get(inputs.judge)
    return tuple(
        _board(inputs, name, (table, keep), judge)
        for name, table in zip(_NAMES, (before, mixed, after), strict=True)
    )


def _spliced(table: VerdictMatrix, other: VerdictMatrix, columns: Sequence[str]) -> VerdictMatrix:
    """Return the table with some columns taken from another of the same shape."""
    values, status = table.values.copy(), table.status.copy()
    for name in columns:
        j = table.columns.index(name)
        values[:, j], status[:, j] = other.values[:, j], other.status[:, j]
    return VerdictMatrix(
        values=values,
        status=status,
        row_names=table.row_names,
        rows=table.rows,
        column_name=table.column_name,
        columns=table.columns,
    )


def _board(
    inputs: ProvenanceInputs,
    name: BoardName,
    kept: tuple[VerdictMatrix, NDArray[np.bool_]],
    judge: VerdictMatrix | None,
) -> Board:
    table, keep = kept
    rows = board_rows(counts(table, inputs.items, keep=keep))
    if judge is None:
        return Board(name=name, rows=rows, with_judge=None)
    both = [column for column in table.columns if column in judge.columns]
    own = table.select(columns=both)
    said = aligned(judge, inputs.items).select(columns=both)
    judged = np.where(said.scored, said.right, own.right)[keep].sum(axis=0)
    n = int(keep.sum())
    return Board(
        name=name,
        rows=rows,
        with_judge=_with_judge(own, judged.astype(np.float64), str(inputs.judge)),
        judged=board_rows({s: (int(k), n) for s, k in zip(both, judged, strict=True)}),
    )


def _with_judge(own: VerdictMatrix, judged: NDArray[np.float64], judge: str) -> Correlation | None:
    if len(own.columns) < 2:
        return None
    mine = own.right.sum(axis=0).astype(np.float64)
    return correlation("this board", judge, mine, judged)
