"""Comparisons on a terminal.  In: the result of a comparison.  Out: plain lines."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.analyses.results import Comparisons, PairTest, PersonTests
from finassay.analyses.results_compare import BootstrapTest, PValue
from finassay.reports import numbers as num
from finassay.reports.plain import wrapped

NAME = 22
WIDTH = 110


def comparison_lines(found: Comparisons) -> list[str]:
    """Return the comparison in lines: pairs, tie groups, counts, people and warnings."""
    names = [name for test in _all_tests(found) for name in (test.left, test.right)]
    short = num.short_names(dict.fromkeys(names), NAME)
    lines = [*_head(found), "", *_pairs(found.pairs, short, alpha=found.alpha)]
    lines += _letters(found, short)
    lines += _counts(found)
    for person in found.persons:
        lines += _person(person, short, alpha=found.alpha)
    if found.warnings:
        lines += [
            "",
            *(
                line
                for note in found.warnings
                for line in wrapped(num.sentence(note, names), WIDTH)
            ),
        ]
    return lines


def _all_tests(found: Comparisons) -> list[PairTest]:
    return [*found.pairs, *(test for person in found.persons for test in person.pairs)]


def _head(found: Comparisons) -> list[str]:
    units = "items"
    if found.clusters:
        units = f"items and {len(found.cluster_sizes)} clusters by {', '.join(found.clusters)}"
    first = (
        f"{num.plural(len(found.pairs), 'pair')} under {found.rule}, {units}; unscored: "
        f"{found.policy}"
    )
    second = (
        f"p adjusted by {found.adjust} for a family of {found.family}, level {found.alpha:g}; "
        f"p is inclusive (>=) / exclusive (>); * marks adjusted inclusive p below the level"
    )
    return [
        *wrapped(first, WIDTH),
        *wrapped(second, WIDTH),
        *wrapped(num.sentence(found.method), WIDTH),
    ]


def _pairs(tests: Sequence[PairTest], short: dict[str, str], *, alpha: float) -> list[str]:
    heads = ["left", "right", "n", "points", "interval"]
    heads += ["item p", "cluster p"] if any(t.cluster for t in tests) else ["item p"]
    rows = [_row(test, short, alpha) for test in tests]
    notes = [f"{short[t.left]} and {short[t.right]}: {note}" for t in tests for note in _notes(t)]
    return [
        *_grid([heads, *rows]),
        *(line for note in notes for line in wrapped(f"  {note}", WIDTH)),
    ]


def _row(test: PairTest, short: dict[str, str], alpha: float) -> list[str]:
    effect = test.effect
    low, high = (num.points(end, test.n) for end in (effect.low, effect.high))
    cells = [
        short[test.left],
        short[test.right],
        str(test.n),
        num.points(test.difference, test.n),
        f"[{low}, {high}]",
        _tested(test.item, alpha),
    ]
    return [*cells, _tested(test.cluster, alpha)] if test.cluster else cells


def _tested(test: BootstrapTest, alpha: float) -> str:
    mark = "*" if test.adjusted.inclusive < alpha else " "
    return f"{p_text(test.p)}{mark}"


def p_text(p: PValue) -> str:
    """Return both p of a test; one by Monte Carlo shows its standard error."""
    both = f"{_digits(p.inclusive)}/{_digits(p.exclusive)}"
    return both if p.standard_error is None else f"{both} ±{_digits(p.standard_error)}"


def _digits(p: float) -> str:
    return f"{p:.4f}" if p >= 0.001 else f"{p:.2e}"


def _notes(test: PairTest) -> list[str]:
    said = list(test.warnings)
    if test.worst and test.best:
        low, high = (num.points(case.difference, test.n) for case in (test.worst, test.best))
        left = "; ".join(p_text(case.item) for case in (test.worst, test.best))
        said.append(
            f"{test.n_unscored} unscored: the difference lies in [{low}, {high}], item p {left}"
        )
    return said


def _grid(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if at < 2 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _letters(found: Comparisons, short: dict[str, str]) -> list[str]:
    if not found.letters:
        return []
    heads = ["tie groups", "score", "over items", *(["over clusters"] if found.clusters else [])]
    rows = [
        [short[one.system], num.percent(one.score, found.n_items), one.item]
        + ([one.cluster or ""] if found.clusters else [])
        for one in found.letters
    ]
    return ["", *_grid([heads, *rows])]


def _counts(found: Comparisons) -> list[str]:
    lines = [""]
    for count in found.counts:
        said = f"{count.item.inclusive}/{count.item.exclusive} over items"
        if count.cluster is not None:
            said += f", {count.cluster.inclusive}/{count.cluster.exclusive} over clusters"
        lines.append(f"p < {count.name}: {said}, of {num.plural(count.pairs, 'pair')}")
    return lines


def _person(person: PersonTests, short: dict[str, str], *, alpha: float) -> list[str]:
    where = num.plural(person.n, "item")
    if person.clusters is not None:
        where += f" in {num.plural(person.clusters, 'cluster')}"
    head = f"{person.person} on {where}, a family of {person.family}:"
    return ["", *wrapped(head, WIDTH), *_pairs(person.pairs, short, alpha=alpha)]
