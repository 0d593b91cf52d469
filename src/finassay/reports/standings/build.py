"""From boards to rows.  In: a board, an audit, perhaps a multiverse.  Out: standings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from finassay.analyses.results_audit import Audit
from finassay.analyses.results_compare import Comparisons
from finassay.analyses.results_multiverse import Ends, MultiverseResult, SystemRange
from finassay.analyses.results_ranks import RankSet
from finassay.analyses.results_scores import (
    Leaderboard,
    LeaderboardRow,
    MajorityFloor,
    PersonRow,
    ReportedRow,
)
from finassay.analyses.rule_boards import RuleBoard, regime_names, rule_names
from finassay.reports import numbers as num
from finassay.reports.standings.records import (
    RankSpan,
    RowKind,
    RulesState,
    Score,
    Standing,
    Standings,
    score_of,
)
from finassay.reports.tables import shown_names
from finassay.reports.tables_scores import INCOMPLETE, VOID

OWN_ITEMS = "on its own items"
AS_REPORTED = "as reported, never pooled with the measured"
FLOOR = "Majority floor"


def standings(
    audit: Audit,
    made: RuleBoard,
    *,
    rules: MultiverseResult | None = None,
    is_pending: bool = False,
) -> Standings:
    """Return every row of a board in its own order: by rank, then the unranked, then references.

    Args:
        audit: the audit that the board belongs to.
        made: the board.
        rules: the study under every rule; ranks over rules are shown on boards of all items.
        is_pending: whether `rules` are being computed.
    """
    board, names = made.board, shown_names(audit)
    asked = None if made.task else rules
    rows = (
        *_systems(audit, made, asked, names),
        *(_person(person, names) for person in board.persons),
        *_floor(board),
        *(_reported(row, names) for row in dict.fromkeys(board.reported)),
    )
    grouped = any(row.group is not None for row in rows)
    return Standings(
        study=audit.study,
        regime=made.name,
        is_regime=made.is_regime,
        task=made.task,
        regimes=regime_names(audit),
        rules=rule_names(audit),
        tasks=audit.leaderboard.families,
        columns=() if made.task else board.families,
        n_items=board.n_items,
        n_systems=len(board.rows),
        rows=rows,
        rules_state=_state(made, rules, is_pending=is_pending),
        n_rules=None if asked is None else asked.n_rules,
        policy=board.policy,
        rank_convention=board.rank_convention,
        rank_basis=board.rank_basis,
        level=board.level,
        alpha=audit.comparisons.alpha if grouped and audit.comparisons is not None else None,
        method=board.method,
        rank_method="" if made.ranks is None else _rank_method(made),
        warnings=board.warnings,
    )


def _state(made: RuleBoard, rules: MultiverseResult | None, *, is_pending: bool) -> RulesState:
    if made.task:
        return "absent"
    if rules is not None:
        return "measured"
    return "pending" if is_pending else "absent"


def _rank_method(made: RuleBoard) -> str:
    ranks = made.ranks
    if ranks is None:
        return ""
    return (
        f"ranks that the items leave open at {num.level(ranks.level)}, for each system alone: "
        f"{num.count(ranks.draws)} resamples of {ranks.resampled}, seed {ranks.seed}, over "
        f"{num.plural(ranks.n_items, 'item')} on which every system counts"
    )


def _systems(
    audit: Audit, made: RuleBoard, rules: MultiverseResult | None, names: Mapping[str, str]
) -> Iterator[Standing]:
    sets = {} if made.ranks is None else {row.system: row for row in made.ranks.rows}
    ranges = {} if rules is None else {row.system: row for row in rules.ranges}
    letters = _letters(audit.comparisons, made)
    for row in made.board.rows:
        yield _system(
            row,
            made.board,
            names[row.system],
            ranks=sets.get(row.system),
            over_rules=ranges.get(row.system),
            group=letters.get(row.system),
        )


def _system(
    row: LeaderboardRow,
    board: Leaderboard,
    shown: str,
    *,
    ranks: RankSet | None,
    over_rules: SystemRange | None,
    group: str | None,
) -> Standing:
    kind: RowKind = "baseline" if row.kind == "baseline" else "model"
    unranked = "" if row.ranks is not None else VOID if row.complete else INCOMPLETE
    spread = row.rank_range
    return Standing(
        system=row.system,
        shown=shown,
        kind=kind,
        score=score_of(row.estimate),
        per_task=tuple((family, score_of(part)) for family, part in row.per_family),
        macro=row.macro,
        rank=None if row.ranks is None else row.ranks.under(board.rank_convention),
        why_unranked=unranked,
        unscored_ranks=None if spread is None else RankSpan(best=spread[0], worst=spread[1]),
        sampling_ranks=None
        if ranks is None
        else RankSpan(best=ranks.marginal[0], worst=ranks.marginal[1]),
        rule_ranks=None if over_rules is None else _span(over_rules.rule_rank),
        both_ranks=None if over_rules is None else _span(over_rules.both_rank),
        group=group,
    )


def _span(ends: Ends) -> RankSpan | None:
    if ends.low is None or ends.high is None:
        return None
    return RankSpan(best=ends.low, worst=ends.high)


def _letters(found: Comparisons | None, made: RuleBoard) -> dict[str, str]:
    """Return the tie groups where every pair was tested under this rule on all items."""
    if found is None or not made.is_primary:
        return {}
    return {one.system: one.cluster or one.item for one in found.letters}


def _person(person: PersonRow, names: Mapping[str, str]) -> Standing:
    beside = ""
    if person.n_above is not None:
        beside = (
            f"; of the systems on the same items {person.n_above} score above, "
            f"{person.n_equal} the same, {person.n_below} below"
        )
    return Standing(
        system=person.person,
        shown=names[person.person],
        kind="person",
        score=score_of(person.estimate),
        per_task=tuple((family, score_of(part)) for family, part in person.per_family),
        why_unranked=OWN_ITEMS,
        note=f"{num.plural(person.n_items, 'item')}, marked by {num.clean(person.rule)}{beside}",
    )


def _floor(board: Leaderboard) -> Iterator[Standing]:
    if not board.floors:
        return
    by_task = {floor.family: floor for floor in board.floors}
    is_whole = sum(floor.n for floor in board.floors) == board.n_items
    said = "; ".join(f"{num.clean(f.family)}: {num.clean(f.label)}" for f in board.floors)
    yield Standing(
        system=FLOOR,
        shown=FLOOR,
        kind="floor",
        score=_constant(*board.floors) if is_whole else None,
        per_task=tuple((name, _constant(floor)) for name, floor in by_task.items()),
        why_unranked="no system",
        note=f"always the most frequent reference label ({said})",
    )


def _constant(*floors: MajorityFloor) -> Score:
    right, n = sum(f.count for f in floors), sum(f.n for f in floors)
    value = right / n
    return Score(value=value, low=None, high=None, worst=value, best=value, right=float(right), n=n)


def _reported(row: ReportedRow, names: Mapping[str, str]) -> Standing:
    parts = tuple(
        (
            family,
            Score(
                value=right / n if n else None,
                low=None,
                high=None,
                worst=None,
                best=None,
                right=float(right),
                n=n,
            ),
        )
        for family, right, n in row.per_family
    )
    return Standing(
        system=row.system,
        shown=names[row.system],
        kind="reported",
        score=Score(
            value=row.value,
            low=row.low,
            high=row.high,
            worst=row.value,
            best=row.value,
            right=None if row.correct is None else float(row.correct),
            n=row.n or 0,
        ),
        per_task=parts,
        why_unranked=AS_REPORTED,
        note=f"{num.clean(row.source)}, column {num.clean(row.column)}",
    )
