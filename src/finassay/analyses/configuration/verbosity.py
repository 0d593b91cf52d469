"""Are longer replies the ones that a judge turns?  In: a rule, a judge, lengths.  Out: effects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import special

from finassay.analyses.alignment import aligned
from finassay.analyses.kernels.logistic import logistic_fit
from finassay.analyses.results_configuration import LengthEffect, Verbosity
from finassay.errors import MissingVerdictsError
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.reply_facts import ReplyFacts
from finassay.records import Item

METHOD = (
    "among rule-wrong replies that the judge decided; outcome: the judge marks it right; logistic "
    "regression on the natural log of the characters of the reply by maximum likelihood, with "
    "indicators of task and system, and errors clustered by item (Liang and Zeger, 1986), "
    "G/(G-1) (n-1)/(n-P) corrected; p is normal, two-sided"
)

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Rule-wrong replies: one row a reply."""

    lengths: Ints
    turned: NDArray[np.bool_]
    item: Ints
    task: Ints
    system: Ints

    def where(self, keep: NDArray[np.bool_]) -> _Rows:
        return _Rows(
            self.lengths[keep],
            self.turned[keep],
            self.item[keep],
            self.task[keep],
            self.system[keep],
        )


def verbosity(
    rule: VerdictMatrix,
    judge: VerdictMatrix,
    *,
    items: Sequence[Item],
    replies: ReplyFacts,
    names: tuple[str, str],
    systems: Sequence[str],
    level: float = 0.95,
) -> Verbosity:
    """Return whether the length of a reply goes with being overturned, raw and adjusted.

    Args:
        rule: items x systems verdicts of the rule.
        judge: items x systems verdicts of the judge.
        items: every item.
        replies: lengths, one row an item.
        names: scorer ids of the rule and of the judge.
        systems: systems to look at.
        level: confidence level.

    Raises:
        MissingVerdictsError: none of the systems has verdicts of both and replies.
    """
    shared = [
        name
        for name in systems
        if name in rule.columns and name in judge.columns and name in replies.systems
    ]
    if not shared:
        raise MissingVerdictsError(
            f"no system has replies and verdicts of both {names[0]!r} and {names[1]!r}; mark the "
            f"same systems with both"
        )
    tasks = [item.family or item.task for item in items]
    whole, n_empty = _rows(rule, judge, items=items, replies=replies, shared=shared, tasks=tasks)
    groups = sorted(set(tasks)), shared
    effects = tuple(
        _effect(name, whole, groups, level=level)
        for name in ("length alone", "with task", "with task and system")
    )
    turned = whole.lengths[whole.turned]
    return Verbosity(
        rule=names[0],
        judge=names[1],
        n=len(whole.lengths),
        n_overturned=len(turned),
        n_empty=n_empty,
        median_overturned=_median(turned),
        median_kept=_median(whole.lengths[~whole.turned]),
        systems=tuple(_medians(whole, at, name) for at, name in enumerate(shared)),
        effects=effects,
        level=level,
        method=METHOD,
        warnings=_warnings(n_empty, effects),
    )


def _rows(
    rule: VerdictMatrix,
    judge: VerdictMatrix,
    *,
    items: Sequence[Item],
    replies: ReplyFacts,
    shared: Sequence[str],
    tasks: Sequence[str],
) -> tuple[_Rows, int]:
    left = aligned(rule.select(columns=shared), items)
    right = aligned(judge.select(columns=shared), items)
    lengths = np.column_stack([replies.lengths[:, replies.column(name)] for name in shared])
    order = sorted(set(tasks))
    task = np.array([order.index(name) for name in tasks], dtype=np.int64)
    wrong = left.scored & ~left.right & right.scored
    item, system = (axis.astype(np.int64) for axis in np.nonzero(wrong & (lengths > 0)))
    rows = _Rows(lengths[item, system], right.right[item, system], item, task[item], system)
    return rows, int((wrong & (lengths == 0)).sum())


def _median(lengths: Ints) -> float | None:
    return float(np.median(lengths)) if len(lengths) else None


def _medians(rows: _Rows, at: int, name: str) -> tuple[str, int, float | None, int, float | None]:
    own = rows.where(rows.system == at)
    turned, kept = own.lengths[own.turned], own.lengths[~own.turned]
    return name, len(turned), _median(turned), len(kept), _median(kept)


def _effect(
    name: str, rows: _Rows, groups: tuple[Sequence[str], Sequence[str]], *, level: float
) -> LengthEffect:
    axes = {"length alone": 0, "with task": 1, "with task and system": 2}[name]
    kept, dropped = _varying(rows, groups, axes)
    columns = [np.ones(len(kept.lengths)), np.log(kept.lengths.astype(np.float64))]
    for codes in (kept.task, kept.system)[:axes]:
        columns += [(codes == code).astype(np.float64) for code in np.unique(codes)[1:]]
    fit = logistic_fit(np.column_stack(columns), kept.turned, kept.item)
    bare = LengthEffect(
        name=name,
        n=len(kept.lengths),
        n_overturned=int(kept.turned.sum()),
        n_clusters=len(np.unique(kept.item)),
        coefficient=None,
        error=None,
        low=None,
        high=None,
        z=None,
        p=None,
        odds_per_doubling=None,
        reason=fit if isinstance(fit, str) else "",
        dropped=dropped,
    )
    if isinstance(fit, str):
        return bare
    slope, error = float(fit.coefficients[1]), float(fit.errors[1])
    reach = float(special.ndtri((1.0 + level) / 2.0)) * error
    z = slope / error
    return replace(
        bare,
        coefficient=slope,
        error=error,
        low=slope - reach,
        high=slope + reach,
        z=z,
        p=math.erfc(abs(z) / math.sqrt(2.0)),
        odds_per_doubling=2.0**slope,
    )


def _varying(
    rows: _Rows, groups: tuple[Sequence[str], Sequence[str]], axes: int
) -> tuple[_Rows, tuple[str, ...]]:
    """Return the rows of groups whose outcome varies, and the names of the others.

    An indicator of a group in which every reply is turned, or none, has no finite estimate.
    """
    dropped: list[str] = []
    while True:
        before = len(rows.lengths)
        for codes, names in list(zip((rows.task, rows.system), groups, strict=True))[:axes]:
            flat = [code for code in np.unique(codes) if len(set(rows.turned[codes == code])) < 2]
            dropped += [names[code] for code in flat]
            if flat:
                rows = rows.where(~np.isin(codes, flat))
                break
        if len(rows.lengths) == before:
            return rows, tuple(dropped)


def _warnings(n_empty: int, effects: Sequence[LengthEffect]) -> tuple[str, ...]:
    out = []
    if n_empty:
        out.append(f"{n_empty} empty rule-wrong replies left out: they have no log length")
    dropped = effects[-1].dropped
    if dropped:
        out.append(f"left out of the fullest model, without variation: {', '.join(dropped)}")
    return tuple(out)
