"""Frozen results about declared claims.  In: nothing.  Out: holds, fails or depends, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from finassay.analyses.results_scores import RankConvention
from finassay.records import Unscored

Outcome = Literal["holds", "fails", "depends", "undecided"]
"""Holds under every rule that decides it, fails under every one, depends on the rule, or no rule
decides it."""

RuleGroup = Literal["rule", "regime", "grid", "printed", "pair"]
"""Where a rule comes from: a scorer of the study, a regime, a grid of rules, a printed column; or
a comparison of several rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimCheck:
    """A claim under one rule, or between several.

    Attributes:
        rule: scorer id, regime/NAME, rule of the grid, or the rules compared.
        group: where the rule comes from.
        unscored: what was done with verdicts without a value.
        holds: None when this rule does not decide the claim.
        found: what was found, with numbers; why it is not decided where it is not.
        margin: by how much it holds (positive) or fails (negative or zero), in the unit of the
            claim: points of accuracy as a fraction, ranks, systems, or a coefficient; None where
            it is not decided.
        also: other rules that give every one of these verdicts, so that they are not counted.
    """

    rule: str
    group: RuleGroup
    unscored: Unscored
    holds: bool | None
    found: str
    margin: float | None
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimTally:
    """How the rules of one group decide a claim.

    Attributes:
        group: where the rules come from.
        n: rules with different verdicts.
        n_holds: of these, rules under which it holds.
        n_fails: rules under which it fails.
        n_undecided: rules that do not decide it.
        share: n_holds / (n_holds + n_fails); None when both are 0.
        weighted_share: the same with declared plausibility weights; None without weights.
    """

    group: RuleGroup
    n: int
    n_holds: int
    n_fails: int
    n_undecided: int
    share: float | None
    weighted_share: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterExample:
    """The rule of a group that is nearest to the base rule and decides the claim otherwise.

    Attributes:
        rule: its name.
        group: where it comes from.
        holds: what it says, the opposite of what the base rule says.
        found: what was found under it.
        changed: share of the verdicts in the scope that differ from the base rule's; None where
            the rule holds no verdicts on items, or the base none to compare with.
        choices: (choice, under the base rule, under this rule) of those that differ; empty for
            rules that no grid describes.
        n_as_near: rules of the group that are as near, itself among them.
    """

    rule: str
    group: RuleGroup
    holds: bool
    found: str
    changed: float | None
    choices: tuple[tuple[str, str, str], ...]
    n_as_near: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimVerdict:
    """One declared claim and what the rules say of it.

    Attributes:
        number: place in the file, from 1.
        text: the claim in its author's words.
        source: where it was made.
        statement: the claim as it was evaluated.
        kind: kind of claim.
        negated: whether the file denies the statement, so that "holds" means that the statement
            does not.
        scope: which rules, items and systems it was evaluated on, in words.
        n_items: items in the scope; None when only printed columns are compared.
        outcome: holds, fails, depends or undecided.
        n_holds: rules under which it holds.
        n_fails: rules under which it fails.
        n_undecided: rules that do not decide it.
        share: n_holds / (n_holds + n_fails); None when both are 0.
        base: the claim under the base rule; None where the base is not in its scope.
        tallies: the same counts by group of rules.
        nearest: the nearest rule of each group that says otherwise than the base rule.
        checks: every rule by itself; rules of a grid are in the tallies alone.
        undecided: reasons why rules do not decide it, each once.
    """

    number: int
    text: str
    source: str
    statement: str
    kind: str
    negated: bool
    scope: str
    n_items: int | None
    outcome: Outcome
    n_holds: int
    n_fails: int
    n_undecided: int
    share: float | None
    base: ClaimCheck | None
    tallies: tuple[ClaimTally, ...]
    nearest: tuple[CounterExample, ...]
    checks: tuple[ClaimCheck, ...]
    undecided: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsReport:
    """Every claim of a file under every rule.

    Attributes:
        study: name of the study.
        file: the file of claims.
        base: rule that counter-examples are measured from.
        policy: what was done with unscored verdicts; under "bounds" a rule with such verdicts is
            evaluated twice, once with them wrong and once without them.
        rank_convention: convention of ranks, where a claim is about them.
        systems: systems that are ranked together, unless a claim says otherwise.
        n_items: items of the study.
        n_rules: scorers of the study that were tried.
        n_regimes: regimes that were tried.
        n_grid: rules of the grid that were tried.
        claims: in the order of the file.
        method: how a claim is decided and what is nearest.
        warnings: what a reader must know.
    """

    study: str
    file: str
    base: str
    policy: Unscored
    rank_convention: RankConvention
    systems: tuple[str, ...]
    n_items: int
    n_rules: int
    n_regimes: int
    n_grid: int
    claims: tuple[ClaimVerdict, ...]
    method: str
    warnings: tuple[str, ...] = ()

    def outcomes(self) -> dict[Outcome, int]:
        """Return how many claims have each outcome."""
        kinds: tuple[Outcome, ...] = ("holds", "depends", "fails", "undecided")
        return {kind: sum(claim.outcome == kind for claim in self.claims) for kind in kinds}
