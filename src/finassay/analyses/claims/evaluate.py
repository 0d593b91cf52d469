"""Claims under every rule.  In: a file of claims and rules.  Out: holds, fails or depends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.claims.between import BetweenClaim, Moves, NoPositiveCorrespondence
from finassay.analyses.claims.checks import Check
from finassay.analyses.claims.court import (
    Court,
    Undecided,
    place_of,
    shared_systems,
    standing_of,
)
from finassay.analyses.claims.declared import DeclaredClaim, Scope
from finassay.analyses.claims.kinds import RuleClaim
from finassay.analyses.claims.rules import Rule, named, within
from finassay.analyses.claims.standings import Cells, Standing
from finassay.analyses.claims.tallies import Decided, verdict
from finassay.analyses.results_claims import ClaimCheck, ClaimVerdict
from finassay.analyses.wording import listed, plural
from finassay.errors import MissingVerdictsError

PAIRED_KINDS = frozenset(
    {
        "above",
        "tied",
        "significantly-above",
        "indistinguishable",
        "accuracy-at-least",
        "accuracy-is",
    }
)
"""Kinds that need scores of the systems that they name and of no other."""


def evaluate(
    claim: DeclaredClaim, rules: Sequence[Rule], court: Court, *, base: str
) -> ClaimVerdict:
    """Return what the rules in the scope of a claim say of it.

    Args:
        claim: the claim.
        rules: every rule of the study, and of a grid where there is one.
        court: items, systems and conventions.
        base: name of the rule that counter-examples are measured from.

    Raises:
        UnknownNameError: the claim names a system, rule, family or difficulty that is not there.
        UsageError: the claim asks for lengths of replies and there are none.
    """
    where = place_of(court.file, claim)
    ranked = court.ranked(claim.scope, where)
    rows = court.rows(claim.scope, ranked, where)
    hearing = _Hearing(court=court, claim=claim, ranked=ranked, rows=rows, labels=court.labels())
    between = isinstance(claim.claim, NoPositiveCorrespondence | Moves)
    decided = list(hearing.between(rules, where) if between else hearing.alone(rules, where))
    is_printed = bool(decided) and all(one.is_printed for one in decided)
    scope = "as printed" if is_printed else _said(claim.scope, court, len(ranked), int(rows.sum()))
    n_items = None if is_printed else int(rows.sum())
    return verdict(claim, decided, base=base, scope=scope, n_items=n_items)


def _said(scope: Scope, court: Court, systems: int, items: int) -> str:
    parts = [
        f"rules {listed(scope.rules)}" if scope.rules else "all rules",
        f"{plural(items, 'item')} of {len(court.items)}",
    ]
    if scope.families:
        parts.append(f"families {listed(scope.families)}")
    if scope.difficulties:
        parts.append(f"difficulties {listed(scope.difficulties)}")
    if scope.below_cap:
        parts.append("no reply at its cap")
    parts.append(plural(systems, "system"))
    return ", ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Hearing:
    """One claim in its scope."""

    court: Court
    claim: DeclaredClaim
    ranked: tuple[str, ...]
    rows: NDArray[np.bool_]
    labels: NDArray[np.int64]

    def alone(self, rules: Sequence[Rule], where: str) -> Iterator[Decided]:
        """Yield what each rule says by itself."""
        claim = self.claim.claim
        if isinstance(claim, NoPositiveCorrespondence | Moves):
            return
        own = self.court.require(claim.systems, where)
        systems = own if claim.kind in PAIRED_KINDS else tuple(dict.fromkeys((*self.ranked, *own)))
        known: dict[int, tuple[Check | Undecided, Cells | None]] = {}
        for rule in within(rules, self.claim.scope.rules, where):
            found = known.get(rule.vector) if rule.vector is not None else None
            if found is None:
                standing = self.standing(rule, systems)
                cells = standing.cells if isinstance(standing, Standing) else None
                found = _decide(claim, standing), cells
            if rule.vector is not None:
                known[rule.vector] = found
            yield Decided(
                check=self._check(rule, found[0]),
                cells=found[1],
                is_printed=rule.group == "printed",
                weight=rule.weight,
                choices=rule.choices,
            )

    def standing(self, rule: Rule, systems: Sequence[str]) -> Standing | Undecided:
        return standing_of(
            rule,
            systems=systems,
            rows=self.rows,
            labels=self.labels,
            convention=self.court.convention,
        )

    def _check(self, rule: Rule, found: Check | Undecided) -> ClaimCheck:
        if isinstance(found, Undecided):
            return ClaimCheck(
                rule=rule.name,
                group=rule.group,
                unscored=rule.unscored,
                holds=None,
                found=found.reason,
                margin=None,
            )
        # A denial holds by as much as what it denies fails.
        flip = self.claim.negated
        return ClaimCheck(
            rule=rule.name,
            group=rule.group,
            unscored=rule.unscored,
            holds=found.holds != flip,
            found=found.found,
            margin=-found.margin if flip else found.margin,
        )

    def between(self, rules: Sequence[Rule], where: str) -> Iterator[Decided]:
        """Yield what each comparison says, in each of its readings."""
        claim = self.claim.claim
        if not isinstance(claim, NoPositiveCorrespondence | Moves):
            return
        for compared in self._compared(claim, rules, where):
            systems = shared_systems(compared, self.ranked)
            standings = [self.standing(rule, systems) for rule in compared]
            for reading in claim.readings:
                yield Decided(
                    check=self._check(_together(compared), _jointly(claim, standings, reading)),
                    cells=None,
                    weight=compared[-1].weight,
                    choices=(),
                    reading=reading,
                    is_printed=all(rule.group == "printed" for rule in compared),
                )

    def _compared(
        self, claim: BetweenClaim, rules: Sequence[Rule], where: str
    ) -> Iterator[tuple[Rule, ...]]:
        fixed = [named(rules, name, where)[0] for name in claim.between]
        if len(fixed) > 1:
            yield tuple(fixed)
            return
        for other in within(rules, self.claim.scope.rules, where):
            if other.name != fixed[0].name:
                yield fixed[0], other


def _decide(claim: RuleClaim, standing: Standing | Undecided) -> Check | Undecided:
    if isinstance(standing, Undecided):
        return standing
    try:
        return claim.check(standing)
    except MissingVerdictsError as error:
        return Undecided(str(error))


def _jointly(
    claim: BetweenClaim, standings: Sequence[Standing | Undecided], reading: str
) -> Check | Undecided:
    ready = [one for one in standings if isinstance(one, Standing)]
    missing = [one for one in standings if isinstance(one, Undecided)]
    if missing:
        return missing[0]
    found = claim.check(ready, reading)
    if found is None:
        return Undecided("there is no coefficient: fewer than two systems, or all scores equal")
    return found


def _together(compared: Sequence[Rule]) -> Rule:
    last = compared[-1]
    return Rule(
        name=" / ".join(rule.name for rule in compared),
        group="grid" if last.group == "grid" else "pair",
        unscored=last.unscored,
    )
