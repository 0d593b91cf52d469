"""Judges beside people, by definitions: lists of pairs, weights and fractions."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

Pair = tuple[int, int | None]
"""What people say (0 or 1), and what the judge says (0, 1 or None)."""

Weighted = tuple[int, int | str, Fraction]

HALF = Fraction(1, 2)


def weighted(pairs: Iterable[Pair], treatment: str) -> list[Weighted]:
    """Spell out each pair as the verdicts that it stands for."""
    out: list[Weighted] = []
    for people, judge in pairs:
        if judge is not None:
            out.append((people, judge, Fraction(1)))
        elif treatment == "category":
            out.append((people, "none", Fraction(1)))
        elif treatment == "wrong":
            out.append((people, 0, Fraction(1)))
        elif treatment == "half":
            out += [(people, 0, HALF), (people, 1, HALF)]
    return out


def weight(rows: Iterable[Weighted], holds: Callable[[int, int | str], bool]) -> Fraction:
    return sum((w for people, judge, w in rows if holds(people, judge)), Fraction(0))


def kappa(pairs: Sequence[Pair], treatment: str) -> Fraction | None:
    rows = weighted(pairs, treatment)
    n = weight(rows, lambda _p, _j: True)
    if not n:
        return None
    observed = weight(rows, lambda p, j: p == j) / n
    expected = sum(
        (
            weight(rows, lambda p, _, k=k: p == k) * weight(rows, lambda _, j, k=k: j == k)
            for k in (0, 1, "none")
        ),
        Fraction(0),
    ) / (n * n)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def f1(pairs: Sequence[Pair], treatment: str, positive: int) -> Fraction | None:
    rows = weighted(pairs, treatment)
    hits = weight(rows, lambda p, j: p == j == positive)
    said = weight(rows, lambda _, j: j == positive)
    true = weight(rows, lambda p, _: p == positive)
    if not said and not true:
        return None
    precision = hits / said if said else Fraction(0)
    recall = hits / true if true else Fraction(0)
    if not precision + recall:
        return Fraction(0)
    return 2 * precision * recall / (precision + recall)


def accuracy(pairs: Sequence[Pair], treatment: str) -> Fraction | None:
    rows = weighted(pairs, treatment)
    n = weight(rows, lambda _p, _j: True)
    return weight(rows, lambda p, j: p == j) / n if n else None


def error_rate(pairs: Sequence[Pair], people_say: int) -> Fraction | None:
    """False positives for 0, false negatives for 1, of the verdicts that were read."""
    judged = [judge for people, judge in pairs if people == people_say and judge is not None]
    return Fraction(sum(j != people_say for j in judged), len(judged)) if judged else None


def consensus(labels: Sequence[str], rule: str, least: int) -> str | None:
    """What labels "yes", "no" and "unsure" come to."""
    counted = (
        [one for one in labels if one != "unsure"] if rule == "drop-not-sure" else list(labels)
    )
    if len(counted) < least or not counted:
        return None
    for answer in ("yes", "no"):
        votes = counted.count(answer)
        if votes == len(counted) if rule == "unanimous" else votes > len(counted) / 2:
            return answer
    return None
