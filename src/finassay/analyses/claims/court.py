"""Standings in the scope of a claim.  In: rules and a scope.  Out: a standing, or why not.

A standing that cannot be made is no failure of the claim: the rule does not decide it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.claims.declared import ClaimFile, DeclaredClaim, Scope
from finassay.analyses.claims.rules import Rule, unknown
from finassay.analyses.claims.standings import Cells, Standing
from finassay.analyses.clusters import clusters_of
from finassay.analyses.configuration.caps import below_cap, caps_of
from finassay.analyses.estimates import points_of
from finassay.analyses.results_scores import RankConvention
from finassay.analyses.wording import plural, some
from finassay.errors import UsageError
from finassay.marking.matrix import ABSENT
from finassay.marking.reply_facts import ReplyFacts
from finassay.records import Item


@dataclass(frozen=True, slots=True)
class Undecided:
    """Why a rule does not decide a claim."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Court:
    """What claims are evaluated on.

    Attributes:
        items: the items of the study.
        systems: systems that are ranked together by default.
        known: every system with verdicts.
        file: the declared claims.
        convention: convention of ranks.
        replies: lengths of replies, for claims about items below the caps; None without replies.
    """

    items: tuple[Item, ...]
    systems: tuple[str, ...]
    known: tuple[str, ...]
    file: ClaimFile
    convention: RankConvention
    replies: ReplyFacts | None

    def require(self, names: Sequence[str], where: str) -> tuple[str, ...]:
        """Return the names of systems, once they are known to be there.

        Raises:
            UnknownNameError: one is not.
        """
        for name in names:
            if name not in self.known:
                raise unknown(where, "a system", name, self.known)
        return tuple(names)

    def ranked(self, scope: Scope, where: str) -> tuple[str, ...]:
        """Return the systems that are ranked together in a scope.

        Raises:
            UnknownNameError: the scope names a system that is not there.
        """
        asked = self.require(scope.systems, where) or self.systems
        out = self.require(scope.leave_out, where)
        return tuple(name for name in asked if name not in out)

    def rows(self, scope: Scope, systems: Sequence[str], where: str) -> NDArray[np.bool_]:
        """Return (R,) the items of a scope.

        Raises:
            UnknownNameError: no item has this family or difficulty.
            UsageError: items below the caps are asked for and the study holds no replies.
        """
        keep = np.ones(len(self.items), dtype=bool)
        for key, wanted in (("family", scope.families), ("difficulty", scope.difficulties)):
            held = [getattr(item, key) for item in self.items]
            for name in wanted:
                if name not in held:
                    raise unknown(where, f"a {key}", name, sorted(set(held)))
            if wanted:
                keep &= np.array([value in wanted for value in held])
        if scope.below_cap:
            keep &= self._below_cap(systems, where)
        return keep

    def _below_cap(self, systems: Sequence[str], where: str) -> NDArray[np.bool_]:
        if self.replies is None:
            raise UsageError(
                f"{where}: `below_cap` asks for the lengths of replies, and the study holds none"
                "; import their replies, or leave the key out"
            )
        caps = caps_of(self.replies, declared=self.file.caps, systems=systems)
        return below_cap(self.replies, caps)

    def labels(self) -> NDArray[np.int64]:
        """Return (R,) the cluster of each item; every item its own without declared clusters."""
        if not self.file.clusters:
            return np.arange(len(self.items), dtype=np.int64)
        return clusters_of(self.items, self.file.clusters).labels


def place_of(file: ClaimFile, claim: DeclaredClaim) -> str:
    """Return where a claim stands, for errors."""
    return f"{file.path}, claim {claim.number}"


def standing_of(
    rule: Rule,
    *,
    systems: Sequence[str],
    rows: NDArray[np.bool_],
    labels: NDArray[np.int64],
    convention: RankConvention,
) -> Standing | Undecided:
    """Return the standing of systems under a rule, or why there is none.

    Args:
        rule: the rule.
        systems: who must have a score.
        rows: (R,) the items that count.
        labels: (R,) cluster of each item.
        convention: convention of ranks.
    """
    if rule.verdicts is None:
        return _printed(rule, systems, convention)
    matrix = rule.verdicts()
    missing = [name for name in systems if name not in matrix.columns]
    if missing:
        return Undecided(f"{rule.name} holds no verdicts on {some(missing)}")
    if not rows.any():
        return Undecided("no item is in the scope of the claim")
    where = [matrix.columns.index(name) for name in systems]
    status = matrix.status[rows][:, where]
    gaps = (status == ABSENT).any(axis=0)
    if gaps.any():
        n = int((status == ABSENT).any(axis=1).sum())
        short = [name for name, gap in zip(systems, gaps, strict=True) if gap]
        return Undecided(f"{rule.name} holds no verdict on {plural(n, 'item')} for {some(short)}")
    values, counted = points_of(matrix.values[rows][:, where], status, rule.unscored)
    sizes = counted.sum(axis=0)
    if not sizes.all():
        void = [name for name, size in zip(systems, sizes, strict=True) if not size]
        return Undecided(f"{rule.name} gives {some(void)} no verdict that counts")
    values = np.where(counted, values, 0.0)
    return Standing(
        rule=rule.name,
        systems=tuple(systems),
        scores=values.sum(axis=0) / sizes,
        n=int(sizes.max()),
        convention=convention,
        cells=Cells(values=values, counted=counted, labels=labels[rows]),
    )


def _printed(
    rule: Rule, systems: Sequence[str], convention: RankConvention
) -> Standing | Undecided:
    held = dict(rule.scores)
    missing = [name for name in systems if name not in held]
    if missing:
        return Undecided(f"{rule.name} prints nothing of {some(missing)}")
    return Standing(
        rule=rule.name,
        systems=tuple(systems),
        scores=np.array([held[name] for name in systems]),
        n=None,
        convention=convention,
    )


def shared_systems(rules: Sequence[Rule], systems: Sequence[str]) -> tuple[str, ...]:
    """Return the systems that are compared between rules.

    Where every rule is a printed column, these are the rows that all of them print.
    """
    if not all(rule.group == "printed" for rule in rules):
        printed: list[Mapping[str, float]] = [dict(r.scores) for r in rules if r.scores]
        return tuple(name for name in systems if all(name in held for held in printed))
    first, *rest = (dict(rule.scores) for rule in rules)
    return tuple(name for name in first if all(name in held for held in rest))
