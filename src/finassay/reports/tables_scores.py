"""Tables of scores.  In: leaderboards.  Out: tables."""

from __future__ import annotations

from finassay.analyses.results import (
    BalancedAccuracy,
    Estimate,
    Leaderboard,
    LeaderboardRow,
    MajorityFloor,
    PersonRow,
    ReportedRow,
)
from finassay.records import Unscored
from finassay.reports import numbers as num
from finassay.reports.table import Column, Gaps, Table, grouped, lefts, rights

NO_VERDICT = "no verdict in the denominator"
INCOMPLETE = "not ranked: verdicts are missing"
VOID = "not ranked: none of its verdicts counts"
OWN_ITEMS = "not ranked: marked on its own items only"
AS_REPORTED = "not ranked: numbers as reported, never pooled with the measured"
BOTH_WAYS = "no single value: unscored verdicts are counted both ways"
NOT_SAID = "the source does not say"

POLICY_WORDS: dict[Unscored, str] = {
    "wrong": "unscored verdicts count as wrong",
    "exclude": "unscored verdicts are left out of the denominator",
    "bounds": "unscored verdicts are counted both ways, as worst and best case",
}


def rate(estimate: Estimate, gaps: Gaps) -> str:
    """Return the percent of an estimate, "worst–best" when only bounds are known."""
    if estimate.value is not None:
        return num.percent(estimate.value, estimate.n)
    if estimate.worst is not None and estimate.best is not None:
        return num.span(estimate.worst, estimate.best, estimate.n)
    return gaps.dash(NO_VERDICT)


def rate_and_count(estimate: Estimate, gaps: Gaps) -> str:
    """Return the percent with k/n in brackets."""
    text = rate(estimate, gaps)
    return f"{text} ({num.share(estimate.total, estimate.n)})" if estimate.n else text


def interval(low: float | None, high: float | None, n: int, gaps: Gaps, why: str) -> str:
    """Return the interval in percents, or a dash with the reason."""
    return gaps.dash(why) if low is None or high is None else num.span(low, high, n)


def policy_note(policy: Unscored) -> str:
    """Return the policy for unscored verdicts as a sentence."""
    words = POLICY_WORDS[policy]
    return f"{words[0].upper()}{words[1:]}."


def _scores(estimate: Estimate, gaps: Gaps) -> tuple[str, ...]:
    ends = interval(estimate.low, estimate.high, estimate.n, gaps, NO_VERDICT)
    return (
        rate(estimate, gaps),
        num.share(estimate.total, estimate.n) if estimate.n else gaps.dash(NO_VERDICT),
        ends,
    )


def _out(estimate: Estimate) -> tuple[str, str]:
    outside = estimate.n_failed + estimate.n_not_applicable + estimate.n_missing
    return num.count(estimate.n_unscored), num.count(outside)


def _rank(row: LeaderboardRow, board: Leaderboard, gaps: Gaps) -> str:
    if row.ranks is None:
        return gaps.dash(VOID if row.complete else INCOMPLETE)
    return num.rank(row.ranks.under(board.rank_convention))


def _rank_range(row: LeaderboardRow, gaps: Gaps) -> str:
    if row.rank_range is None:
        return gaps.dash(VOID if row.complete else INCOMPLETE)
    best, worst = row.rank_range
    return str(best) if best == worst else f"{best}{num.EN_DASH}{worst}"


def leaderboard(board: Leaderboard, names: dict[str, str]) -> Table:
    """Return systems by rank, then the unranked, people and the reported rows."""
    gaps = Gaps()
    ranges = any(r.rank_range and r.rank_range[0] != r.rank_range[1] for r in board.rows)
    measured = [_measured(row, board, names, gaps, ranges=ranges) for row in board.rows]
    ranked = sum(row.ranks is not None for row in board.rows)
    people = [_person(person, names, gaps, ranges=ranges) for person in board.persons]
    reported = [_reported_here(row, names, gaps, ranges=ranges) for row in _reported(board)]
    rows, breaks = grouped(measured[:ranked], measured[ranked:], people, reported)
    possible = rights("Possible ranks") if ranges else ()
    return Table(
        key="leaderboard",
        caption=f"Systems under {num.clean(board.rule)}, {num.plural(board.n_items, 'item')}",
        columns=(
            *lefts("System"),
            *rights("Rank"),
            *possible,
            *rights("Accuracy, %", "Right / n", f"{num.level(board.level)} interval"),
            *rights("Macro, %", "Unscored", "Outside n"),
        ),
        rows=rows,
        breaks=breaks,
        notes=gaps.notes(
            f"Ranks: {board.rank_convention}. {policy_note(board.policy)}",
            board.method,
            "Possible ranks: best and worst that the unscored verdicts allow." if ranges else "",
            "Macro: mean over the families, each with the same weight. Outside n: failed, not "
            "applicable or missing verdicts, never in a denominator.",
            people_note(board),
            *board.warnings,
        ),
    )


def people_note(board: Leaderboard) -> str:
    """Return which rule marked people where it is not the board's, as a sentence; else ""."""
    others = dict.fromkeys(p.rule for p in board.persons if p.rule != board.rule)
    if not others:
        return ""
    return f"People are marked by {' and '.join(others)}: {board.rule} holds no verdicts on them."


def _measured(
    row: LeaderboardRow, board: Leaderboard, names: dict[str, str], gaps: Gaps, *, ranges: bool
) -> tuple[str, ...]:
    macro = (
        gaps.dash("a family has no value, or there are no families")
        if row.macro is None
        else num.percent(row.macro, row.estimate.n)
    )
    rank = _rank(row, board, gaps)
    possible = (_rank_range(row, gaps),) if ranges else ()
    scores = _scores(row.estimate, gaps)
    return (names[row.system], rank, *possible, *scores, macro, *_out(row.estimate))


def _person(
    person: PersonRow, names: dict[str, str], gaps: Gaps, *, ranges: bool
) -> tuple[str, ...]:
    dash = gaps.dash(OWN_ITEMS)
    scores = _scores(person.estimate, gaps)
    ranks = (dash,) * (2 if ranges else 1)
    return (names[person.person], *ranks, *scores, dash, *_out(person.estimate))


def _reported(board: Leaderboard) -> tuple[ReportedRow, ...]:
    return tuple(dict.fromkeys(board.reported))


def _reported_here(
    row: ReportedRow, names: dict[str, str], gaps: Gaps, *, ranges: bool
) -> tuple[str, ...]:
    dash = gaps.dash(AS_REPORTED)
    shown = _reported_scores(row, gaps)
    ranks = (dash,) * (2 if ranges else 1)
    return (f"{names[row.system]} ({num.clean(row.column)})", *ranks, *shown, *(dash,) * 3)


def _reported_scores(row: ReportedRow, gaps: Gaps) -> tuple[str, str, str]:
    n = row.n or 0
    of = gaps.dash(NOT_SAID) if row.n is None else num.count(row.n)
    if row.n is not None and row.correct is not None:
        of = num.share(row.correct, row.n)
    return num.percent(row.value, n), of, interval(row.low, row.high, n, gaps, NOT_SAID)


def by_group(board: Leaderboard, names: dict[str, str], *, difficulty: bool = False) -> Table:
    """Return accuracy in each family (or difficulty), with floors and people below."""
    gaps = Gaps()
    groups = board.difficulties if difficulty else board.families
    what = "difficulty" if difficulty else "family"

    def cells(pairs: tuple[tuple[str, Estimate], ...], why: str) -> tuple[str, ...]:
        known = dict(pairs)
        return tuple(
            rate_and_count(known[group], gaps) if group in known else gaps.dash(why)
            for group in groups
        )

    measured = [
        (names[r.system], *cells(r.per_difficulty if difficulty else r.per_family, NO_VERDICT))
        for r in board.rows
    ]
    people = [
        (names[p.person], *cells(p.per_family, "no item of this family was answered"))
        for p in board.persons
        if not difficulty
    ]
    floor = [] if difficulty or not board.floors else [_floor_row(board, gaps)]
    rows, breaks = grouped(measured, people, floor)
    return Table(
        key="difficulties" if difficulty else "families",
        caption=f"Accuracy by {what} under {num.clean(board.rule)}, % (right / n)",
        columns=(*lefts("System"), *rights(*(num.clean(g) or "(none)" for g in groups))),
        rows=rows,
        breaks=breaks,
        notes=gaps.notes(
            "Majority floor: always answering the most frequent reference label." if floor else "",
            people_note(board) if people else "",
        ),
    )


def _floor_row(board: Leaderboard, gaps: Gaps) -> tuple[str, ...]:
    floors = {floor.family: floor for floor in board.floors}
    return ("Majority floor", *(_floor(floors.get(f), gaps) for f in board.families))


def _floor(floor: MajorityFloor | None, gaps: Gaps) -> str:
    if floor is None:
        return gaps.dash("references of this family are no labels")
    return f"{num.percent(floor.value, floor.n)} ({num.share(floor.count, floor.n)})"


def balanced(board: Leaderboard, names: dict[str, str]) -> Table | None:
    """Return accuracy beside floor and balanced accuracy for label families; None without."""
    gaps = Gaps()
    rows = []
    for row in board.rows:
        for part in row.balanced:
            recalls = "; ".join(
                f"{num.clean(label)} "
                f"{gaps.dash(NO_VERDICT) if right is None else num.share(right, n)}"
                for label, right, n in part.recalls
            )
            cells = (*_balanced(part, gaps), num.count(part.n_unscored), recalls)
            rows.append((names[row.system], num.clean(part.family), *cells))
    if not rows:
        return None
    return Table(
        key="balanced",
        caption="Label families: accuracy against always giving the most frequent label",
        columns=(
            *lefts("System", "Family"),
            *rights("Accuracy, %", "Balanced, %", "Over floor, points", "Unscored"),
            *lefts("Recall of each label"),
        ),
        rows=tuple(rows),
        notes=gaps.notes(
            "Balanced: mean of the recalls over the reference labels.", policy_note(board.policy)
        ),
    )


def _balanced(part: BalancedAccuracy, gaps: Gaps) -> tuple[str, str, str]:
    """Return accuracy, balanced accuracy (worst to best when only bounds are known) and margin."""
    why = BOTH_WAYS if part.policy == "bounds" and part.n_unscored else NO_VERDICT
    if part.value is not None:
        balanced = num.percent(part.value, part.n)
    elif part.policy == "bounds" and part.worst is not None and part.best is not None:
        balanced = num.span(part.worst, part.best, part.n)
    else:
        balanced = gaps.dash("a label has no verdict that counts" if part.n else NO_VERDICT)
    return (
        gaps.dash(why) if part.accuracy is None else num.percent(part.accuracy, part.n),
        balanced,
        gaps.dash(why) if part.margin is None else num.points(part.margin, part.n),
    )


def persons(board: Leaderboard, names: dict[str, str]) -> tuple[Table, ...]:
    """Return one table a person: the person and every complete system on the same items."""
    made = []
    for index, person in enumerate(board.persons, start=1):
        gaps = Gaps()
        own = [(names[person.person], *_scores(person.estimate, gaps))]
        others = [(names[s.system], *_scores(s.estimate, gaps)) for s in person.systems]
        rows, breaks = grouped(own, others)
        made.append(
            Table(
                key=f"person-{index}",
                caption=f"{names[person.person]} and every complete system on the same "
                f"{num.plural(person.n_items, 'item')}, under {num.clean(person.rule)}",
                columns=(
                    *lefts("System"),
                    *rights("Accuracy, %", "Right / n", f"{num.level(board.level)} interval"),
                ),
                rows=rows,
                breaks=breaks,
                notes=gaps.notes(_standing(person)),
            )
        )
    return tuple(made)


def _standing(person: PersonRow) -> str:
    if person.n_above is None:
        return "Not compared: none of the person's verdicts counts."
    return f"{person.n_above} above, {person.n_equal} equal, {person.n_below} below."


def reported(
    boards: tuple[Leaderboard, ...], names: dict[str, str], *, no_text: bool = False
) -> Table | None:
    """Return the rows that exist only as printed numbers, of all boards; None without."""
    found = dict.fromkeys(row for board in boards for row in board.reported)
    if not found:
        return None
    gaps = Gaps()
    rows = tuple(
        (
            names[row.system],
            num.clean(row.column),
            *_reported_scores(row, gaps),
            num.clean(row.source),
            gaps.dash("text left out") if no_text else num.clean(row.note),
        )
        for row in found
    )
    return Table(
        key="reported",
        caption="As reported: numbers without predictions behind them, compared, never pooled",
        columns=(
            *lefts("System", "Column"),
            *rights("Value, %", "Right / n", f"{num.level(boards[0].level)} interval"),
            *lefts("Source", "Note"),
        ),
        rows=rows,
        notes=gaps.notes(),
    )


MOST_COLUMNS = 14
"""Systems that stand side by side; more of them are rows."""


def every_rule(boards: tuple[Leaderboard, ...], names: dict[str, str]) -> Table | None:
    """Return each system's accuracy under each rule; None with fewer than two rules."""
    if len(boards) < 2:
        return None
    gaps = Gaps()
    systems = dict.fromkeys(row.system for board in boards for row in board.rows)
    found = {(b.rule, row.system): row.estimate for b in boards for row in b.rows}

    def cell(board: Leaderboard, system: str) -> str:
        estimate = found.get((board.rule, system))
        if estimate is None:
            return gaps.dash("not marked by this rule")
        text = rate(estimate, gaps)
        if not estimate.n or estimate.n == board.n_items:
            return text
        return f"{text}{gaps.mark('over fewer items than the benchmark has')}"

    rules = {board.rule: num.clean(board.rule) for board in boards}
    if len(systems) <= MOST_COLUMNS:
        # Rule names are long and systems few: a row for each rule keeps the table on the page.
        columns = (*lefts("Rule"), *(Column(names[system]) for system in systems))
        rows = [(rules[b.rule], *(cell(b, system) for system in systems)) for b in boards]
    else:
        columns = (*lefts("System"), *(Column(text) for text in rules.values()))
        rows = [(names[system], *(cell(b, system) for b in boards)) for system in systems]
    return Table(
        key="every-rule",
        caption="The same predictions under every rule, accuracy in %",
        columns=columns,
        rows=tuple(rows),
        notes=gaps.notes(policy_note(boards[0].policy)),
    )
