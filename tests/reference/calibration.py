"""Calibration by its definitions: loops over rows, folds and candidates, in fractions."""

from collections.abc import Callable, Sequence
from fractions import Fraction

Marks = Sequence[bool]


def kappa(rule: Marks, people: Marks) -> Fraction | None:
    n = len(rule)
    if n == 0:
        return None
    observed = Fraction(sum(a == b for a, b in zip(rule, people, strict=True)), n)
    yes = Fraction(sum(rule), n) * Fraction(sum(people), n)
    no = Fraction(n - sum(rule), n) * Fraction(n - sum(people), n)
    return None if yes + no == 1 else (observed - yes - no) / (1 - yes - no)


def f1(rule: Marks, people: Marks) -> Fraction | None:
    both = sum(a and b for a, b in zip(rule, people, strict=True))
    if sum(rule) + sum(people) == 0:
        return None
    if both == 0:
        return Fraction(0)
    precision, recall = Fraction(both, sum(rule)), Fraction(both, sum(people))
    return 2 * precision * recall / (precision + recall)


def first_best(values: Sequence[Fraction | None]) -> int:
    best = 0
    for at, value in enumerate(values):
        if value is not None and (values[best] is None or value > values[best]):
            best = at
    return best


def chosen(candidates: Sequence[Marks], people: Marks, rows: Sequence[int]) -> int:
    """Return the candidate with the highest kappa on these rows."""
    said = [people[i] for i in rows]
    return first_best([kappa([marks[i] for i in rows], said) for marks in candidates])


def chosen_by_inner_folds(
    candidates: Sequence[Marks], people: Marks, inner: Sequence[Sequence[int]]
) -> int:
    """Return the candidate whose marks on all inner folds, each held out in turn, agree best."""
    values = []
    for marks in candidates:
        rule, said = [], []
        for fold in inner:
            rule += [marks[i] for i in fold]
            said += [people[i] for i in fold]
        values.append(kappa(rule, said))
    return first_best(values)


def family_by_inner_folds(
    families: Sequence[Sequence[Marks]], people: Marks, inner: Sequence[Sequence[int]]
) -> int:
    values = []
    for candidates in families:
        rule, said = [], []
        for held_out in inner:
            rest = [i for fold in inner if fold is not held_out for i in fold]
            best = candidates[chosen(candidates, people, rest)]
            rule += [best[i] for i in held_out]
            said += [people[i] for i in held_out]
        values.append(kappa(rule, said))
    return first_best(values)


def clustered_bootstrap(
    statistic: Callable[[Sequence[int]], Fraction | None],
    groups: Sequence[Sequence[int]],
    draws: Sequence[Sequence[int]],
) -> list[Fraction | None]:
    """Return the statistic of the rows of the groups drawn, once for each time they are drawn.

    `draws` holds how often each group is drawn in each resample.
    """
    found = []
    for counts in draws:
        rows = []
        for group, times in zip(groups, counts, strict=True):
            for _ in range(times):
                rows += group
        found.append(statistic(rows))
    return found


def centred_p(observed: Fraction, drawn: Sequence[Fraction]) -> Fraction:
    reached = sum(abs(one - observed) >= abs(observed) for one in drawn)
    return Fraction(1 + reached, 1 + len(drawn))
