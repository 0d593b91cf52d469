"""The rules under which claims are evaluated.  In: a view of a study.  Out: named rules."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from finassay.analyses.alignment import aligned
from finassay.analyses.estimates import silent
from finassay.analyses.results_claims import RuleGroup
from finassay.errors import UnknownNameError
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.regimes import REGIME_PREFIX
from finassay.marking.view import StudyView
from finassay.records import ReportedScore, Unscored

PRINTED_PREFIX = "printed/"
"""Names of printed columns: printed/TABLE/COLUMN."""

GROUPS: Mapping[str, RuleGroup] = {
    "rules": "rule",
    "regimes": "regime",
    "grid": "grid",
    "printed": "printed",
}
"""Word in the scope of a claim -> the group of rules that it stands for."""

EACH_WAY: tuple[Unscored, ...] = ("wrong", "exclude")
"""How verdicts without a value are counted where the policy is "bounds": each way once."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rule:
    """A rule with its verdicts, which are made when they are asked for.

    Attributes:
        name: scorer id, regime/NAME, printed/TABLE/COLUMN or a rule of the grid.
        group: where it comes from.
        unscored: what is done with verdicts without a value.
        verdicts: returns items x systems; None for a printed column.
        scores: (system, score) of a printed column.
        choices: (dimension, choice) of a rule of a grid.
        weight: declared plausibility; None without one.
        vector: number of its verdicts in a grid: rules with the same one mark all replies alike;
            None outside a grid.
    """

    name: str
    group: RuleGroup
    unscored: Unscored
    verdicts: Callable[[], VerdictMatrix] | None = None
    scores: tuple[tuple[str, float], ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    weight: float | None = None
    vector: int | None = None


def rules_of(view: StudyView, policy: Unscored, names: Mapping[str, str]) -> tuple[Rule, ...]:
    """Return the scorers, regimes and printed columns of a study as rules.

    Under "bounds" a rule with unscored verdicts is there twice: with them wrong, and without them.

    Args:
        view: the study.
        policy: what is done with verdicts without a value.
        names: printed name -> system, for printed columns.
    """
    found: list[Rule] = []
    groups: tuple[tuple[RuleGroup, Mapping[str, VerdictMatrix]], ...] = (
        ("rule", view.matrices),
        ("regime", {f"{REGIME_PREFIX}{name}": one for name, one in view.regimes.items()}),
    )
    for group, matrices in groups:
        for name, matrix in matrices.items():
            laid = aligned(matrix, view.items)
            ways = (policy,) if policy != "bounds" else EACH_WAY
            if policy == "bounds" and not silent(laid.status).any():
                ways = EACH_WAY[:1]
            found += [
                Rule(name=name, group=group, unscored=way, verdicts=_given(laid)) for way in ways
            ]
    return (*found, *_printed(view.reported, policy, names))


def _given(matrix: VerdictMatrix) -> Callable[[], VerdictMatrix]:
    return lambda: matrix


def _printed(
    reported: Sequence[ReportedScore], policy: Unscored, names: Mapping[str, str]
) -> list[Rule]:
    columns: dict[str, list[tuple[str, float]]] = {}
    for score in reported:
        if score.unit == "fraction":
            name = f"{PRINTED_PREFIX}{score.table}/{score.column}"
            columns.setdefault(name, []).append((names.get(score.row, score.row), score.value))
    return [
        Rule(name=name, group="printed", unscored=policy, scores=tuple(scores))
        for name, scores in columns.items()
        if len({system for system, _ in scores}) == len(scores)
    ]


def named(rules: Sequence[Rule], name: str, where: str) -> list[Rule]:
    """Return the rules of that name (several where the unscored are counted both ways).

    Raises:
        UnknownNameError: there is none.
    """
    found = [rule for rule in rules if rule.name == name]
    if not found:
        raise unknown(where, "a rule", name, [rule.name for rule in rules if rule.group != "grid"])
    return found


def within(rules: Sequence[Rule], asked: Iterable[str], where: str) -> list[Rule]:
    """Return the rules that a scope asks for: by name or by group, all but printed by default.

    Raises:
        UnknownNameError: it asks for a rule that is not there.
    """
    wanted = list(asked)
    if not wanted:
        return [rule for rule in rules if rule.group != "printed"]
    kept: list[Rule] = []
    for name in wanted:
        group = GROUPS.get(name)
        some = named(rules, name, where) if group is None else _of_group(rules, group)
        kept += [rule for rule in some if rule not in kept]
    return kept


def _of_group(rules: Sequence[Rule], group: RuleGroup) -> list[Rule]:
    return [rule for rule in rules if rule.group == group]


def unknown(where: str, what: str, got: str, known: Iterable[str]) -> UnknownNameError:
    """Return the error about a name that is not there, with the nearest one that is."""
    listed = list(dict.fromkeys(known))
    near = difflib.get_close_matches(got, listed, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(listed) or 'none'}"
    return UnknownNameError(f"{where}: expected {what} of the study, got {got!r}; {hint}")
