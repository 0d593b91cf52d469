"""Systems that exist only as printed numbers.  In: reported scores.  Out: rows beside a board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from finassay.analyses.kernels.intervals import wilson
from finassay.analyses.results_scores import ReportedRow
from finassay.records import Item, ReportedScore


def reported_rows(
    reported: Sequence[ReportedScore],
    *,
    rule: str,
    items: Sequence[Item],
    decided_by: Sequence[tuple[str, str]] = (),
    measured: Sequence[str] = (),
    level: float = 0.95,
) -> tuple[ReportedRow, ...]:
    """Return the systems whose printed parts add up to the whole board of a rule.

    A part is a reported score whose column is "RULE:FAMILY" (or "SCORER:FAMILY" with the scorer
    that decides the family under the regime), with its number of items.  A system appears when it
    has a part for every family and the parts count as many items as the board.  A score whose
    column is the rule itself and which is said to be over all items also makes a row.

    Args:
        reported: printed scores; `value` is a fraction.
        rule: scorer id or regime name.
        items: every item.
        decided_by: (family, scorer id) of a regime.
        measured: systems with verdicts of their own, which are never shown as reported.
        level: confidence level.
    """
    sizes = Counter(item.family for item in items)
    decider = dict(decided_by)
    rows = []
    for system in dict.fromkeys(score.row for score in reported if score.row not in measured):
        own = {score.column: score for score in reported if score.row == system}
        parts = _parts(own, rule=rule, sizes=sizes, decider=decider)
        whole = own.get(rule)
        if parts:
            rows.append(_from_parts(system, parts, rule=rule, level=level))
        elif whole is not None and whole.n == len(items):
            rows.append(_from_whole(system, whole))
    return tuple(rows)


def _parts(
    own: Mapping[str, ReportedScore],
    *,
    rule: str,
    sizes: Mapping[str, int],
    decider: Mapping[str, str],
) -> list[tuple[str, ReportedScore]]:
    """Return (family, score) for every family, or nothing when a family is not whole."""
    parts = []
    for family, n in sizes.items():
        score = own.get(f"{rule}:{family}") or own.get(f"{decider.get(family, rule)}:{family}")
        if score is None or score.n != n:
            return []
        parts.append((family, score))
    return parts


def _from_parts(
    system: str, parts: Sequence[tuple[str, ReportedScore]], *, rule: str, level: float
) -> ReportedRow:
    counts = tuple(
        (family, round(score.value * (score.n or 0)), score.n or 0) for family, score in parts
    )
    right, n = sum(k for _, k, _ in counts), sum(size for _, _, size in counts)
    low, high = wilson(right=right, n=n, level=level)
    return ReportedRow(
        system=system,
        source="; ".join(dict.fromkeys(score.source for _, score in parts)),
        column=rule,
        value=right / n,
        n=n,
        correct=right,
        low=low,
        high=high,
        per_family=counts,
        note="as reported: sums of printed parts, never pooled with measured rows",
    )


def _from_whole(system: str, score: ReportedScore) -> ReportedRow:
    return ReportedRow(
        system=system,
        source=score.source,
        column=score.column,
        value=score.value,
        n=score.n,
        correct=None,
        low=None,
        high=None,
        note=score.note or "as reported: one printed number, never pooled with measured rows",
    )
