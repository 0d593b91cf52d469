"""Two runs of one model under two conditions.  In: manifests, verdicts.  Out: paired deltas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned
from finassay.analyses.compare import compare
from finassay.analyses.compare_claims import CompareSettings
from finassay.analyses.configuration.caps import Caps, at_cap
from finassay.analyses.estimates import count_rate, points
from finassay.analyses.results_compare import Comparisons
from finassay.analyses.results_configuration import (
    ArmPair,
    BudgetCurve,
    BudgetPoint,
    FieldChange,
    RunPair,
)
from finassay.analyses.results_overturns import CountRate
from finassay.errors import UnknownNameError, UsageError
from finassay.marking.matrix import ABSENT, STATUS_CODES, VerdictMatrix, is_right
from finassay.marking.reply_facts import ReplyFacts
from finassay.records import FINISHES, Item, RunRecord, SystemSpec

Texts = Mapping[str, Mapping[str, str]]
"""System -> item -> digest of its reply."""

NOT_CONDITIONS = frozenset({"name", "run_id", "system_id", "started", "ended", "prediction_digest"})
"""Fields of manifests that name a run or say when it was, and are no condition of it."""

MOST_PAIRS = 200
"""Pairs of runs of one model that are compared without being asked for by name."""

BUDGET_METHOD = "runs of one model whose manifests declare different budgets, in the order of these"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Runs:
    """Everything that the comparison of runs reads.

    Attributes:
        items: every item.
        systems: every system.
        runs: the runs of all systems.
        matrix: items x systems verdicts of the rule.
        rule: its scorer id.
        settings: policy, clusters and levels.
        replies: lengths and fates.
        caps: caps of the systems.
        digests: digests of the replies.
    """

    items: tuple[Item, ...]
    systems: tuple[SystemSpec, ...]
    runs: tuple[RunRecord, ...]
    matrix: VerdictMatrix
    rule: str
    settings: CompareSettings
    replies: ReplyFacts
    caps: Caps
    digests: Texts

    def spec(self, name: str) -> SystemSpec:
        """Return the system of that name.

        Raises:
            UnknownNameError: there is none.
        """
        for system in self.systems:
            if system.name == name:
                return system
        known = ", ".join(sorted(system.name for system in self.systems))
        raise UnknownNameError(f"no system is called {name!r}; there are: {known}")

    @property
    def models(self) -> dict[str, list[str]]:
        """Return the systems of each model that was run more than once."""
        found: dict[str, list[str]] = {}
        for system in self.systems:
            if system.model and system.kind == "model" and system.name in self.matrix.columns:
                found.setdefault(system.model, []).append(system.name)
        return {model: names for model, names in found.items() if len(names) > 1}


def changed_fields(
    left: SystemSpec, right: SystemSpec, runs: Sequence[RunRecord]
) -> tuple[FieldChange, ...]:
    """Return the fields of two manifests that differ, of the systems first and then of their runs.

    Names, ids and times are left out: they differ between any two runs.
    """
    changes = [
        FieldChange(field=field.name, left=before, right=after)
        for field in fields(SystemSpec)
        if field.name not in NOT_CONDITIONS
        for before, after in [(_said(left, field.name), _said(right, field.name))]
        if before != after
    ]
    for field in fields(RunRecord):
        if field.name not in NOT_CONDITIONS:
            sides = [_of_runs(runs, spec.system_id, field.name) for spec in (left, right)]
            if sides[0] != sides[1]:
                changes.append(FieldChange(field=field.name, left=sides[0], right=sides[1]))
    return tuple(changes)


def _said(record: SystemSpec | RunRecord, name: str) -> str:
    value = getattr(record, name)
    if not isinstance(value, tuple):
        return str(value)
    return ", ".join("=".join(part) if isinstance(part, tuple) else str(part) for part in value)


def _of_runs(runs: Sequence[RunRecord], system_id: str, name: str) -> str:
    said = {_said(run, name) for run in runs if run.system_id == system_id}
    return "; ".join(sorted(said))


def run_pairs(given: Runs, declared: Sequence[tuple[str, str]] = ()) -> tuple[RunPair, ...]:
    """Return the comparison of every two runs of one model, and of the pairs declared besides.

    Args:
        given: verdicts and manifests.
        declared: (left, right) display names of runs of one model.

    Raises:
        UnknownNameError: a declared system is not there.
    """
    found = [
        (model, pair) for model, names in given.models.items() for pair in combinations(names, 2)
    ][:MOST_PAIRS]
    for pair in declared:
        if pair not in [known for _, known in found]:
            found.append(("", pair))
    made = (_run_pair(given, model, pair) for model, pair in found)
    return tuple(pair for pair in made if pair is not None)


def _run_pair(given: Runs, model: str, pair: tuple[str, str]) -> RunPair | None:
    left, right = (given.spec(name) for name in pair)
    try:
        found = _compared(given, given.matrix, pair)
    except UsageError:
        # They share no item, or one cluster alone: there is nothing to compare.
        return None
    test = found.pairs[0]
    capped = _at_caps(given, pair)
    return RunPair(
        model=model,
        left=pair[0],
        right=pair[1],
        changed=changed_fields(left, right, given.runs),
        n=test.n,
        left_score=test.left_score,
        right_score=test.right_score,
        difference=-test.difference,
        low=-test.effect.high,
        high=-test.effect.low,
        item=test.item,
        cluster=test.cluster,
        mcnemar=test.mcnemar,
        left_at_cap=capped[0],
        right_at_cap=capped[1],
        n_same=_same_replies(given.digests, pair),
    )


def _compared(given: Runs, matrix: VerdictMatrix, pair: tuple[str, str]) -> Comparisons:
    return compare(matrix, given.items, rule=given.rule, settings=given.settings, pairs=[pair])


def _at_caps(given: Runs, pair: tuple[str, str]) -> list[CountRate]:
    there = [_there(given.replies, name) for name in pair]
    both = there[0] & there[1]
    table, names = at_cap(given.replies, given.caps), list(given.caps.caps)
    return [
        count_rate(
            int((table[:, names.index(name)] & both).sum()) if name in names else 0, int(both.sum())
        )
        for name in pair
    ]


def _there(replies: ReplyFacts, name: str) -> NDArray[np.bool_]:
    if name not in replies.systems:
        return np.zeros(len(replies.item_ids), dtype=bool)
    return replies.present[:, replies.column(name)]


def _same_replies(digests: Texts, pair: tuple[str, str]) -> int | None:
    left, right = (digests.get(name, {}) for name in pair)
    shared = set(left) & set(right)
    return sum(left[item] == right[item] for item in shared) if shared else None


def arm_pairs(given: Runs) -> tuple[ArmPair, ...]:
    """Return every two prompt arms over all models that were run with both.

    Runs of one model count as a pair of arms when nothing but the prompt differs.
    """
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for names in given.models.values():
        for pair in combinations(names, 2):
            left, right = sorted((given.spec(name) for name in pair), key=lambda s: s.prompt_arm)
            if left.prompt_arm != right.prompt_arm and _only_prompt(left, right):
                key = left.prompt_arm, right.prompt_arm
                found.setdefault(key, []).append((left.name, right.name))
    made = (_arm_pair(given, arms, models) for arms, models in sorted(found.items()))
    return tuple(pair for pair in made if pair is not None)


def _only_prompt(left: SystemSpec, right: SystemSpec) -> bool:
    prompts = {"prompt_arm", "prompt_hash", "few_shot"}
    return {change.field for change in changed_fields(left, right, ())} <= prompts


def _arm_pair(
    given: Runs, arms: tuple[str, str], models: Sequence[tuple[str, str]]
) -> ArmPair | None:
    table = aligned(given.matrix, given.items)
    values, counted = points(table, given.settings.policy)
    sides = [[table.columns.index(pair[at]) for pair in models] for at in (0, 1)]
    rows = np.asarray(counted[:, [*sides[0], *sides[1]]].all(axis=1), dtype=bool)
    if not rows.any():
        return None
    means = np.column_stack([values[:, side].mean(axis=1) for side in sides])
    shown = [f"arm {name or '(none)'}" for name in arms]
    status = np.where(rows[:, None], STATUS_CODES["scored"], ABSENT).astype(np.int8)
    both = VerdictMatrix(
        values=np.where(rows[:, None], means, 0.0),
        status=np.repeat(status, 2, axis=1),
        row_names=table.row_names,
        rows=table.rows,
        column_name="arm",
        columns=(shown[0], shown[1]),
    )
    try:
        test = _compared(given, both, (shown[0], shown[1])).pairs[0]
    except UsageError:
        return None
    apart = [
        float((values[rows, right] - values[rows, left]).mean())
        for left, right in zip(*sides, strict=True)
    ]
    return ArmPair(
        left=arms[0],
        right=arms[1],
        models=tuple(models),
        n=int(rows.sum()),
        difference=-test.difference,
        n_positive=sum(one > 0 for one in apart),
        n_negative=sum(one < 0 for one in apart),
        item=test.item,
        cluster=test.cluster,
    )


def budget_curves(given: Runs) -> tuple[BudgetCurve, ...]:
    """Return accuracy by completion budget for each model that was run under several."""
    curves = []
    for model, names in given.models.items():
        specs = [given.spec(name) for name in names]
        budgets = {spec.budget for spec in specs if spec.budget}
        if len(budgets) > 1:
            ordered = sorted((s for s in specs if s.budget), key=lambda s: _amount(s.budget))
            curves.append(
                BudgetCurve(
                    name=model,
                    rule=given.rule,
                    is_cut=False,
                    points=tuple(_points(given, ordered)),
                    method=BUDGET_METHOD,
                )
            )
    return tuple(curves)


def _amount(budget: str) -> tuple[float, str]:
    """Return a key that sorts budgets by their number, those without one last."""
    digits = "".join(char for char in budget if char.isdecimal())
    return (float(digits) if digits else float("inf"), budget)


def _points(given: Runs, specs: Sequence[SystemSpec]) -> Iterator[BudgetPoint]:
    table = aligned(given.matrix, given.items)
    values, counted = points(table, given.settings.policy)
    for spec in specs:
        at = table.columns.index(spec.name)
        there = _there(given.replies, spec.name)
        ended = _ended(given, spec.name)
        yield BudgetPoint(
            budget=spec.budget,
            system=spec.name,
            score=count_rate(
                int((is_right(values[:, at]) & counted[:, at]).sum()), int(counted[:, at].sum())
            ),
            at_cap=count_rate(int((ended & there).sum()), int(there.sum())),
        )


def _ended(given: Runs, name: str) -> NDArray[np.bool_]:
    """Return (R,) whether a reply stands at the cap or was truncated by its provider."""
    table, names = at_cap(given.replies, given.caps), list(given.caps.caps)
    capped = table[:, names.index(name)] if name in names else np.zeros(len(table), dtype=bool)
    if name not in given.replies.systems:
        return capped
    told = given.replies.finish[:, given.replies.column(name)] == FINISHES.index("truncated")
    return np.asarray(capped | told)
