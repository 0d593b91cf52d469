"""Tables of provenance.  In: an audit of provenance.  Out: tables."""

from __future__ import annotations

from finassay.analyses.provenance.results import (
    Board,
    Provenance,
    RankEffect,
    RuleTrace,
    TotalsTrace,
)
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, lefts, rights

SHOWN_WITNESSES = 6
SHOWN_LENGTHS = 60


def findings(found: Provenance) -> Table:
    """Return all findings, most severe first, with witnesses and the chance of a false alarm."""
    gaps = Gaps()
    return Table(
        key="provenance-findings",
        caption="What a reader must know about the making of these numbers",
        columns=lefts("Severity", "Kind", "Finding", "Evidence", "Witnesses", "What to do"),
        rows=tuple(
            (
                finding.severity,
                finding.kind,
                num.clean(finding.title),
                num.clean(finding.evidence),
                num.clean(witnesses(finding.witnesses, finding.n_witnesses))
                or gaps.dash("about no item in particular"),
                finding.advice,
            )
            for finding in found.findings
        ),
        notes=gaps.notes(),
    )


def witnesses(shown: tuple[str, ...], n: int) -> str:
    """Return the first witnesses and how many more there are; "" for none."""
    few = shown[:SHOWN_WITNESSES]
    told = ("; " if any("," in each for each in few) else ", ").join(few)
    more = n - len(few)
    return f"{told} and {more} more" if few and more > 0 else told


def checks(found: Provenance) -> Table:
    """Return every question that was asked, whether or not something was found."""
    return Table(
        key="provenance-checks",
        caption="What was asked, of how many things, and how often a clean study answers yes",
        columns=(
            *lefts("Kind"),
            *rights("Looked at"),
            *lefts("Of"),
            *rights("Found", "False alarms"),
            *lefts("How it decides"),
        ),
        rows=tuple(
            (
                check.kind,
                num.count(check.n),
                check.unit,
                str(check.n_findings),
                "none" if check.false_alarm_rate == 0.0 else f"{check.false_alarm_rate:.2g}",
                check.method,
            )
            for check in found.checks
        ),
        notes=("False alarms: by the level of the test; none: what is found is a plain fact.",),
    )


def boards(trace: RuleTrace) -> Table | None:
    """Return the three leaderboards side by side; None where no system follows another rule."""
    if not trace.boards or not trace.boards[0].rows:
        return None
    places = [{row.system: row for row in board.rows} for board in trace.boards]
    odd = set(trace.odd)
    rows = []
    for row in trace.boards[0].rows:
        cells = [places_of[row.system] for places_of in places]
        name = num.clean(row.system) + (" *" if row.system in odd else "")
        rows.append(
            (name, *(text for cell in cells for text in (str(cell.rank), num.count(cell.right))))
        )
    headers = [f"{what}, {board.name}" for board in trace.boards for what in ("Rank", "Right")]
    return Table(
        key="provenance-boards",
        caption="Three leaderboards: as stored, the odd rows marked again, all rows marked again",
        columns=(*lefts("System"), *rights(*headers)),
        rows=tuple(rows),
        notes=(
            (
                f"* follows another rule than the rest; marked again by {trace.common_rule}. "
                f"Right: of {num.count(trace.boards[0].rows[0].n)} items. Ranks: competition."
            ),
            *(_with_judge(board) for board in trace.boards if board.with_judge is not None),
        ),
    )


def _with_judge(board: Board) -> str:
    found = board.with_judge
    if found is None or found.spearman is None or found.kendall is None:
        return f"{board.name}: no rank correlation with the judge can be told."
    p = "" if found.spearman_p is None else f" (p {found.spearman_p:.3f})"
    tau_p = "" if found.kendall_p is None else f" (p {found.kendall_p:.3f})"
    return (
        f"{board.name}: rank correlation with {found.right} over {found.n} systems: Spearman "
        f"{num.fixed(found.spearman, 4)}{p}, Kendall {num.fixed(found.kendall, 4)}{tau_p}."
    )


def nearest(trace: RuleTrace) -> Table:
    """Return for each system the rule that its stored verdicts are closest to."""
    gaps = Gaps()
    return Table(
        key="provenance-rules",
        caption="Which rule the verdicts of the source follow",
        columns=(
            *lefts("System", "Closest rule"),
            *rights("Mismatches", "With the common rule"),
        ),
        rows=tuple(
            (
                num.clean(system),
                num.clean(", ".join(rules[:2]) + (" and others" if len(rules) > 2 else "")),
                num.count(fewest),
                gaps.dash("no common rule") if common is None else num.count(common),
            )
            for system, rules, fewest, common in trace.nearest
        ),
        notes=gaps.notes(
            f"Common rule: {trace.common_rule or 'none'}. A mismatch: right and wrong differ."
        ),
    )


def totals(trace: TotalsTrace) -> Table:
    """Return for each printed row the rule that its totals are closest to."""
    rows = []
    for row in trace.rows:
        known = dict(row.distances)
        mark = " *" if row.row in trace.odd else ""
        rows.append(
            (
                num.clean(row.row) + mark,
                num.clean(row.system),
                row.distances[0][0],
                num.count(row.distances[0][1]),
                num.count(known[trace.common_rule]) if trace.common_rule in known else "",
            )
        )
    return Table(
        key="provenance-totals",
        caption=num.clean(f"{trace.source}, {trace.table}: which rule the printed totals follow"),
        columns=(
            *lefts("Printed row", "System", "Closest rule"),
            *rights("Answers apart", "From the common rule"),
        ),
        rows=tuple(rows),
        notes=(
            f"Parts compared: {', '.join(trace.parts)}. Common rule: {trace.common_rule}. ",
            "* follows another rule.",
        ),
    )


def piles(found: Provenance) -> Table | None:
    """Return the lengths at which texts were cut, by file; None where none was."""
    shown = [p for p in found.piles if p.what == "reply" or 2 * p.n_longer < p.n_at]
    if not shown:
        return None
    return Table(
        key="provenance-caps",
        caption="Lengths at which texts were cut, by file",
        columns=(
            *lefts("System", "File", "Text"),
            *rights("Characters", "At it", "Of", "Expected", "In mid-sentence"),
        ),
        rows=tuple(
            (
                num.clean(p.system),
                num.clean(p.source),
                p.what,
                num.count(p.length),
                num.count(p.n_at),
                num.count(p.n),
                "cut in the log" if p.expected is None else num.fixed(p.expected, 1),
                num.count(p.open_ended),
            )
            for p in shown[:SHOWN_LENGTHS]
        ),
        notes=("Expected: texts of one length, from the 20 lengths below; of different texts.",),
    )


def length(found: Provenance) -> Table | None:
    """Return how scorers go with length; None where there is nothing to look at."""
    rows = [f for f in found.length if f.n]
    if not rows:
        return None
    gaps = Gaps()
    reason = "too few replies, or no difference among them"
    out = []
    for f in rows:
        slope, within = (
            gaps.dash(reason) if value is None else num.fixed(100 * value, 1)
            for value in (f.slope, f.slope_within)
        )
        p, p_within = (
            gaps.dash(reason) if value is None else f"{value:.2g}" for value in (f.p, f.p_within)
        )
        out.append((f.scorer, num.count(f.n), num.count(f.n_credited), slope, p, within, p_within))
    return Table(
        key="provenance-length",
        caption="Replies that every candidate rule marks wrong: does credit go with length?",
        columns=(
            *lefts("Scorer"),
            *rights("Replies", "Credited", "Points for twice the length", "p"),
            *rights("Within systems", "p within"),
        ),
        rows=tuple(out),
        notes=gaps.notes("Least squares with family effects, errors clustered by item."),
    )


def effect(found: RankEffect, index: int) -> Table:
    """Return the ranks before and after one correction."""
    gaps = Gaps()
    gone = gaps.dash if any(m.rank_after is None for m in found.moves) else None
    rows = []
    for move in found.moves:
        after = (
            ("", "")
            if move.rank_after is None or move.right_after is None or move.n_after is None
            else (str(move.rank_after), f"{move.right_after} / {move.n_after}")
        )
        if gone is not None and move.rank_after is None:
            after = (gone("the correction takes it out"),) * 2
        before = f"{move.right_before} / {move.n_before}"
        rows.append((num.clean(move.system), str(move.rank_before), before, *after))
    return Table(
        key=f"provenance-effect-{index}",
        caption=f"Ranks under {found.rule}: as they are, and {num.clean(found.correction)}",
        columns=(*lefts("System"), *rights("Rank", "Right", "Rank after", "Right after")),
        rows=tuple(rows),
        notes=gaps.notes(),
    )
