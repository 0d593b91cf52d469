"""Selection from a study.  In: a view of a study.  Out: one result, under its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned
from finassay.analyses.estimates import Settings, points, silent, worst_case_note
from finassay.analyses.from_study import choose_primary
from finassay.analyses.operations.draws import ItemStack
from finassay.analyses.operations.layers import Groups, groups_of
from finassay.analyses.operations.results import OperationsResult
from finassay.analyses.operations.selection import Evidence, SelectionSettings, select_operations
from finassay.analyses.operations.sheet import POINTS, ScoreSheet
from finassay.analyses.operations.shortlists import FEWEST_SYSTEMS
from finassay.analyses.rank_sets import Resampling, rank_confidence
from finassay.analyses.units import Units, units_of
from finassay.analyses.wording import plural
from finassay.errors import UnknownNameError
from finassay.marking.matrix import ABSENT, VerdictMatrix
from finassay.marking.regimes import REGIME_PREFIX
from finassay.marking.view import StudyView
from finassay.records import JUDGE_PREFIX, Item, Unscored

DOCUMENTS = "documents"
CONTRACTS = "contract"
"""Scorer that marks each item as its contract says: the primary rule of operations, if there."""

FEWEST_CLUSTERS = 2

SPREADLESS = 1e-12
"""Range of differences that is taken for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRequest:
    """What is asked of a study.

    Attributes:
        rule: scorer id or regime/NAME; if None, that of the contracts, else the primary rule.
        policy: what is done with verdicts without a value; the study's default if None, and the
            worst case where that is bounds.
        knowledge: families that are knowledge.
        operations: operations to look at; all by default.
        evaluators: systems that judged; by default those whose name a judge bears.
        layers: contract or family -> layer.
        leave_out: systems to leave out of everything.
        clusters: columns of items that are drawn together; documents where items have them, items
            one by one with ("item_id",).
    """

    rule: str | None = None
    policy: Unscored | None = None
    knowledge: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    evaluators: tuple[str, ...] = ()
    layers: Mapping[str, str] | None = None
    leave_out: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()


def operations_of_study(
    view: StudyView,
    request: StudyRequest | None = None,
    settings: SelectionSettings | None = None,
) -> OperationsResult:
    """Return selection from the verdicts of a study, with intervals, under each of its rules.

    The score of a system in a family is 100 times its mean verdict, and the knowledge score the
    unweighted mean over knowledge families.  A system counts where it has a verdict for every item.
    People are left out.

    Raises:
        UnknownNameError: the rule holds no verdicts.
        UsageError: no family is knowledge, or an operation has fewer than two systems.
    """
    asked, how = request or StudyRequest(), settings or SelectionSettings()
    rules = _rules(view)
    primary = asked.rule or (
        CONTRACTS if CONTRACTS in view.matrices else choose_primary(view.matrices)
    )
    if primary not in rules:
        raise UnknownNameError(
            f"no verdicts of {primary!r} in this study; there are: {', '.join(sorted(rules))}"
        )
    groups = groups_of(
        view.items, layers=asked.layers, knowledge=asked.knowledge, operations=asked.operations
    )
    study = _Study(view, groups, asked)
    sheet, stack = study.scores(primary, rules[primary])
    notes = worst_case_note(study.policy, study.unscored(rules[primary]))
    return select_operations(
        sheet,
        Evidence(
            source=view.name,
            rule=primary,
            policy="wrong" if study.policy == "bounds" else study.policy,
            stack=stack,
            tied={
                name: study.tied(sheet, at, rules[primary], how)
                for at, name in enumerate(sheet.operations)
            },
            others={name: study.scores(name, matrix)[0] for name, matrix in rules.items()},
            warnings=(
                *notes,
                *study.coverage_only(primary),
                *study.units.warnings(),
                *_lone(stack),
            ),
        ),
        how,
    )


def _rules(view: StudyView) -> dict[str, VerdictMatrix]:
    regimes = {f"{REGIME_PREFIX}{name}": matrix for name, matrix in view.regimes.items()}
    return {**view.matrices, **regimes}


def _lone(stack: ItemStack) -> tuple[str, ...]:
    """Return a warning where a cluster is the only one of its kind and so never varies."""
    alone = sum(len(members) == 1 for members in stack.strata())
    if not alone:
        return ()
    said = (
        f"{plural(alone, 'cluster')} ({stack.name}) touch families as no other does and stand in "
        f"every resample: intervals are too narrow by what they would add"
    )
    return (said,)


class _Study:
    """The items of a study in groups, and what each rule says of them."""

    def __init__(self, view: StudyView, groups: Groups, asked: StudyRequest) -> None:
        self.view, self.groups, self.asked = view, groups, asked
        self.policy: Unscored = asked.policy or view.unscored
        self.names = (*groups.operations, *groups.knowledge)
        place = {name: at for at, name in enumerate(self.names)}
        self.kept = np.array([name in place for name in groups.of_item], dtype=np.bool_)
        self.items = [item for item, keep in zip(view.items, self.kept, strict=True) if keep]
        used = [name for name in groups.of_item if name in place]
        self.codes = np.array([place[name] for name in used], dtype=np.int64)
        self.columns = _clusters(self.items, asked.clusters)
        self.units: Units = units_of(self.items, self.columns)
        self._check(asked.leave_out, {spec.name for spec in view.systems})
        gone = {spec.name for spec in view.systems if spec.kind == "person"} | {*asked.leave_out}
        self.systems = tuple(
            dict.fromkeys(spec.name for spec in view.systems if spec.name not in gone)
        )
        self._check(asked.evaluators, set(self.systems))

    def matrix(self, matrix: VerdictMatrix) -> VerdictMatrix:
        """Return the rows of the items in groups, and the columns of systems that are no person."""
        whole = aligned(matrix, self.view.items)
        wanted = {item.item_id for item in self.items}
        columns = [name for name in self.systems if name in whole.columns]
        return whole.select(rows=lambda row: row[0] in wanted, columns=columns)

    def unscored(self, matrix: VerdictMatrix) -> int:
        """Return the verdicts without a value of the items in groups."""
        return int(silent(self.matrix(matrix).status).sum())

    def scores(self, rule: str, matrix: VerdictMatrix) -> tuple[ScoreSheet, ItemStack]:
        """Return the sheet and the verdicts of one rule."""
        own = self.matrix(matrix)
        values, counted = points(own, self.policy)
        stack = ItemStack(
            values=values,
            counted=counted,
            groups=self.codes,
            n_groups=len(self.names),
            clusters=self.units.codes,
            name=self.units.name,
        )
        means, known = stack.means()
        whole = known & self._complete(own)
        n = len(self.groups.operations)
        judged, evaluators = self._judges(rule, own.columns)
        sheet = ScoreSheet(
            systems=own.columns,
            knowledge_name=_knowledge_name(self.groups.knowledge),
            operations=self.groups.operations,
            layers=tuple(self.groups.layers[name] for name in self.groups.operations),
            judged=judged,
            evaluators=evaluators,
            knowledge=np.round(means[n:].mean(axis=0), 9),
            has_knowledge=np.asarray(whole[n:].all(axis=0)),
            scores=np.where(whole[:n], means[:n], 0.0).T,
            present=whole[:n].T,
            scale=1,
            unit=POINTS,
        )
        return sheet, stack

    def coverage_only(self, rule: str) -> tuple[str, ...]:
        """Return a warning that names the operations whose verdicts count mentioned points only."""
        flagged = set(self.view.baselines.get(rule, ()))
        found = {
            code
            for item, code in zip(self.items, self.codes.tolist(), strict=True)
            if item.item_id in flagged
        }
        if not found:
            return ()
        named = ", ".join(self.names[code] for code in sorted(found))
        said = (
            f"under {rule} the scores of {named} are a baseline of coverage: they say which key "
            f"points a text mentions and not whether it is right; verdicts of a judge or of people "
            f"replace them"
        )
        return (said,)

    def _complete(self, matrix: VerdictMatrix) -> NDArray[np.bool_]:
        """Return (groups, M) where a system has a verdict for every item of a group."""
        there = matrix.status != ABSENT
        return np.stack([there[self.codes == at].all(axis=0) for at in range(len(self.names))])

    def _judges(
        self, rule: str, systems: Sequence[str]
    ) -> tuple[tuple[bool, ...], tuple[str, ...]]:
        """Return which operations a system judged under the rule, and which systems those are."""
        deciders = dict(self.view.decided_by.get(rule.removeprefix(REGIME_PREFIX), ()))
        families: dict[str, set[str]] = {name: set() for name in self.groups.operations}
        for item, code in zip(self.items, self.codes.tolist(), strict=True):
            if code < len(self.groups.operations):
                families[self.names[code]].add(item.family)
        says = {
            name: " ".join([rule, *(deciders.get(family, "") for family in sorted(found))])
            for name, found in families.items()
        }
        judged = {name: JUDGE_PREFIX in said for name, said in says.items()}
        words = {word for said in says.values() for word in said.split()}
        named = {word.removeprefix(JUDGE_PREFIX) for word in words if word.startswith(JUDGE_PREFIX)}
        models = {spec.name: {spec.name, spec.model} for spec in self.view.systems}
        found = tuple(
            name
            for name in systems
            if name in self.asked.evaluators or bool(models.get(name, {name}) & named)
        )
        return tuple(judged[name] for name in self.groups.operations), found

    @staticmethod
    def _check(asked: Sequence[str], known: set[str]) -> None:
        for name in asked:
            if name not in known:
                raise UnknownNameError(
                    f"no system is called {name!r}; there are: {', '.join(sorted(known))}"
                )

    def tied(
        self, sheet: ScoreSheet, at: int, matrix: VerdictMatrix, how: SelectionSettings
    ) -> tuple[str, ...]:
        """Return the systems that the items of an operation cannot tell from the best, best first.

        Empty where there is too little to test: one system, or one cluster.
        """
        inside = self.codes == at
        items = [item for item, keep in zip(self.items, inside, strict=True) if keep]
        names = sheet.names(sheet.eligible(at))
        wanted = {item.item_id for item in items}
        own = self.matrix(matrix).select(rows=lambda row: row[0] in wanted, columns=names)
        paired = np.asarray(points(own, self.policy)[1].all(axis=1))
        units = units_of(items, self.columns).within(paired) if items else None
        if len(names) < FEWEST_SYSTEMS or units is None or units.size < FEWEST_CLUSTERS:
            return ()
        found = rank_confidence(
            own,
            items=items,
            rule=sheet.operations[at],
            settings=Settings(
                policy="wrong" if self.policy == "bounds" else self.policy, level=how.level
            ),
            resampling=Resampling(draws=how.draws, seed=how.seed, cluster=self.columns),
            systems=names,
        )
        open_ = [row.system for row in found.rows if row.simultaneous[0] == 1]
        values = points(own.select(columns=open_), self.policy)[0][paired]
        behind = always_behind(values, units.codes, level=how.level, systems=len(names))
        return tuple(name for name, lost in zip(open_, behind.tolist(), strict=True) if not lost)


def always_behind(
    values: NDArray[np.float64], clusters: NDArray[np.int64], *, level: float, systems: int
) -> NDArray[np.bool_]:
    """Return (M,) systems that trail the first column by one and the same score in every cluster.

    Such a difference has no spread, so that no studentised statistic says anything of it; the sign
    test does: 2 / 2^G, for all pairs with the leader together below 1 - level.

    Args:
        values: (N, M) verdicts, the leader's first.
        clusters: (N,) cluster of each item.
        level: confidence level.
        systems: systems that are compared.
    """
    size = int(clusters.max()) + 1
    sums = np.zeros((size, values.shape[1]))
    np.add.at(sums, clusters, values[:, :1] - values)
    means = sums / np.bincount(clusters, minlength=size)[:, None]
    same = np.ptp(means, axis=0) < SPREADLESS
    is_sure = (systems - 1) * 2.0 ** (1 - size) <= 1.0 - level
    return np.asarray(same & (means[0] > SPREADLESS) & is_sure)


def _clusters(items: Sequence[Item], asked: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns that are drawn together: what is asked for, else documents."""
    if asked == ("item_id",):
        return ()
    if asked:
        return asked
    return (DOCUMENTS,) if any(item.documents for item in items) else ()


def _knowledge_name(families: tuple[str, ...]) -> str:
    if len(families) == 1:
        return families[0]
    return f"mean of {len(families)} knowledge families"
