"""Which differences are real.  In: verdicts of one rule and items.  Out: tests of every pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned, complete_columns
from finassay.analyses.clusters import Clusters, clusters_of
from finassay.analyses.compare_claims import (
    CompareSettings,
    pair_warnings,
    significance_counts,
)
from finassay.analyses.estimates import points, silent
from finassay.analyses.kernels.families import adjusted, letters, tie_groups
from finassay.analyses.kernels.power import detectable_mean, detectable_share
from finassay.analyses.pair_tests import (
    Ends,
    Pair,
    Sheet,
    bootstrap_p,
    difference_intervals,
    discordant,
    effect_size,
    lattice_of,
    mcnemar_test,
    pair_error,
    sign_flip_p,
    t_test,
)
from finassay.analyses.results_compare import (
    AdjustedP,
    BootstrapTest,
    BoundCase,
    Comparisons,
    Detectable,
    PairTest,
    PersonTests,
    PValue,
    TieLetters,
)
from finassay.errors import UnknownNameError, UsageError
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item

__all__ = ["CompareSettings", "compare"]

METHOD = (
    "paired bootstrap, centred on the observed difference, by the exact distribution of the "
    "resampled sum where scores lie on a lattice and it is small enough, else by Monte Carlo from "
    "shared draws; clusters are drawn as wholes"
)


FEWEST_CLUSTERS = 2
"""With one cluster every resample is the sample."""


class OneClusterError(UsageError):
    """The items that two systems share lie in one cluster, so there is nothing to resample."""


def compare(
    matrix: VerdictMatrix,
    items: Sequence[Item],
    *,
    rule: str,
    settings: CompareSettings,
    pairs: Sequence[tuple[str, str]] | None = None,
    persons: Sequence[str] = (),
) -> Comparisons:
    """Return tests of pairs of systems on the items they share.

    Without `pairs`, every pair of the systems with a verdict for every item is tested; systems
    that lack some are named in the warnings.  Each of the `persons` is tested against all of these
    systems, on the person's own items, as a family of its own.

    Args:
        matrix: items x systems verdicts of one rule.
        items: the items of the study.
        rule: name of the rule.
        settings: policy, clusters, family and the rest.
        pairs: (left, right) systems.
        persons: columns of the matrix that are people.

    Raises:
        UsageError: the rows are not items, a declared family is smaller than the tests made, or a
            pair shares no item.
        UnknownNameError: a system or a cluster column that is not there.
    """
    bench = _Bench.of(aligned(matrix, items), items, settings)
    names = [name for name in bench.matrix.columns if name not in set(persons)]
    whole = [name for name in complete_columns(bench.matrix) if name in names]
    asked = list(pairs) if pairs is not None else bench.all_pairs(whole)
    family = _family(settings, len(asked))
    tests = bench.tests([bench.place(pair) for pair in asked], family)
    shown = bench.ranked(dict.fromkeys(name for pair in asked for name in pair))
    return Comparisons(
        rule=rule,
        policy=settings.policy,
        n_items=len(items),
        systems=tuple(shown),
        clusters=settings.clusters,
        cluster_sizes=bench.clusters.sizes if bench.clusters else (),
        adjust=settings.adjust,
        family=family,
        alpha=settings.alpha,
        level=settings.level,
        seed=settings.seed,
        pairs=tests,
        counts=significance_counts(tests, family, settings.alpha),
        letters=bench.letters(shown, tests) if pairs is None else (),
        persons=tuple(bench.person(name, whole) for name in persons),
        method=METHOD,
        warnings=_warnings(bench, names, whole, all_pairs=pairs is None),
    )


def _family(settings: CompareSettings, tests: int) -> int:
    family = tests if settings.family is None else settings.family
    if family < tests:
        raise UsageError(
            f"`family` must be at least the {tests} tests made, got {family!r}; name the number "
            f"of tests that the claim was picked from"
        )
    return family


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bench:
    """The verdicts of one rule, ready to be tested."""

    matrix: VerdictMatrix
    sheet: Sheet
    clusters: Clusters | None
    settings: CompareSettings

    @classmethod
    def of(cls, matrix: VerdictMatrix, items: Sequence[Item], settings: CompareSettings) -> _Bench:
        values, counted = points(matrix, settings.policy)
        clusters = clusters_of(items, settings.clusters) if settings.clusters else None
        steps, per_one = lattice_of(values)
        sheet = Sheet(
            values=values,
            counted=counted,
            steps=steps,
            per_one=per_one,
            labels=clusters.labels if clusters else None,
            work=settings.work,
            draws=settings.draws,
            seed=settings.seed,
            engine=settings.engine,
        )
        return cls(matrix=matrix, sheet=sheet, clusters=clusters, settings=settings)

    def place(self, pair: tuple[str, str]) -> Pair:
        known = self.matrix.columns
        for name in pair:
            if name not in known:
                raise UnknownNameError(
                    f"no system is called {name!r} under this rule; there are: {', '.join(known)}"
                )
        if pair[0] == pair[1]:
            raise UsageError(
                f"a system cannot be compared with itself, got {pair[0]!r} twice; name two"
            )
        found = known.index(pair[0]), known.index(pair[1])
        shared = self.sheet.shared(found)
        if not shared.any():
            raise UsageError(
                f"{pair[0]!r} and {pair[1]!r} share no item that counts for both"
                "; mark more of their answers under this rule, or choose another with --scorer"
            )
        labels = self.sheet.labels
        if labels is not None and len(set(labels[shared].tolist())) < FEWEST_CLUSTERS:
            raise OneClusterError(
                f"the items that {pair[0]!r} and {pair[1]!r} share lie in one cluster of "
                f"{' and '.join(self.settings.clusters)}: drawing it again always gives the same "
                f"difference, so there is nothing to test; compare without clusters"
            )
        return found

    def all_pairs(self, names: Sequence[str]) -> list[tuple[str, str]]:
        return list(combinations(self.ranked(names), 2))

    def ranked(self, names: Sequence[str] | dict[str, None]) -> list[str]:
        """Return the names from the highest mean verdict to the lowest."""
        listed = list(names)
        return sorted(listed, key=lambda name: (-self.score(name), listed.index(name)))

    def score(self, name: str) -> float:
        at = self.matrix.columns.index(name)
        rows = self.sheet.counted[:, at]
        return float(self.sheet.values[rows, at].mean()) if rows.any() else 0.0

    def tests(self, pairs: Sequence[Pair], family: int) -> tuple[PairTest, ...]:
        """Return one test a pair, adjusted for the family."""
        by_item = self._adjusted(bootstrap_p(self.sheet, pairs, clustered=False), family)
        by_cluster: list[tuple[PValue, AdjustedP]] | None = None
        if self.clusters is not None:
            found = bootstrap_p(self.sheet, pairs, clustered=True)
            by_cluster = self._adjusted(found, family)
        ends = difference_intervals(self.sheet, pairs, level=self.settings.level)
        return tuple(
            self._test(
                pair,
                item=by_item[at],
                cluster=by_cluster[at] if by_cluster else None,
                ends=ends[at],
                family=family,
            )
            for at, pair in enumerate(pairs)
        )

    def _adjusted(self, found: Sequence[PValue], family: int) -> list[tuple[PValue, AdjustedP]]:
        columns = [
            adjusted(
                np.array([getattr(p, convention) for p in found]),
                method=self.settings.adjust,
                family=family,
            ).tolist()
            for convention in ("inclusive", "exclusive", "mid")
        ]
        triples = zip(*columns, strict=True)
        return [
            (p, AdjustedP(inclusive=a, exclusive=b, mid=c))
            for p, (a, b, c) in zip(found, triples, strict=True)
        ]

    def _test(
        self,
        pair: Pair,
        *,
        item: tuple[PValue, AdjustedP],
        cluster: tuple[PValue, AdjustedP] | None,
        ends: Ends,
        family: int,
    ) -> PairTest:
        sheet, rows = self.sheet, self.sheet.shared(pair)
        n, groups = int(rows.sum()), self._groups(rows)
        scores = [float(sheet.values[rows, at].mean()) for at in pair]
        counts = discordant(sheet, pair)
        worst, best = self._bounds(pair)
        by_item = BootstrapTest(units=n, p=item[0], adjusted=item[1])
        by_cluster = (
            BootstrapTest(units=groups, p=cluster[0], adjusted=cluster[1]) if cluster else None
        )
        return PairTest(
            left=self.matrix.columns[pair[0]],
            right=self.matrix.columns[pair[1]],
            n=n,
            n_unscored=self._unscored(pair),
            left_score=scores[0],
            right_score=scores[1],
            difference=float(sheet.differences(pair).mean()),
            item=by_item,
            cluster=by_cluster,
            mcnemar=mcnemar_test(counts),
            sign_flip=sign_flip_p(sheet, pair),
            t=t_test(sheet.differences(pair)),
            effect=effect_size(sheet, pair, level=self.settings.level, bootstrap=ends),
            detectable=self._detectable(pair, counts, family),
            worst=worst,
            best=best,
            warnings=pair_warnings(by_item, by_cluster, counts, alpha=self.settings.alpha),
        )

    def _groups(self, rows: NDArray[np.bool_]) -> int:
        labels = self.sheet.labels
        return 0 if labels is None else len(np.unique(labels[rows]))

    def _unscored(self, pair: Pair) -> int:
        status = self.matrix.status[self.sheet.shared(pair)][:, list(pair)]
        return int(silent(status).any(axis=1).sum())

    def _bounds(self, pair: Pair) -> tuple[BoundCase | None, BoundCase | None]:
        """Return the worst and the best case for the left system, where silence leaves room."""
        if self.settings.policy != "bounds" or not self._unscored(pair):
            return None, None
        empty = silent(self.matrix.status)
        cases = []
        for left, right in ((0.0, 1.0), (1.0, 0.0)):
            values = self.sheet.values.copy()
            for at, fill in zip(pair, (left, right), strict=True):
                values[empty[:, at], at] = fill
            cases.append(self._case(self.sheet.with_values(values), pair))
        return cases[0], cases[1]

    def _case(self, sheet: Sheet, pair: Pair) -> BoundCase:
        clustered = self.clusters is not None
        return BoundCase(
            difference=float(sheet.differences(pair).mean()),
            item=bootstrap_p(sheet, [pair], clustered=False)[0],
            cluster=bootstrap_p(sheet, [pair], clustered=True)[0] if clustered else None,
        )

    def _detectable(self, pair: Pair, counts: tuple[int, int] | None, family: int) -> Detectable:
        alpha, power = self.settings.alpha / family, self.settings.power
        differences = self.sheet.differences(pair)
        n = len(differences)
        if counts is not None:
            item = detectable_share(n=n, discordance=sum(counts) / n, alpha=alpha, power=power)
        else:
            spread = float(differences.std(ddof=1)) / n**0.5 if n > 1 else 0.0
            item = detectable_mean(standard_error=spread, degrees=n - 1, alpha=alpha, power=power)
        known = pair_error(self.sheet, pair) if self.clusters is not None else None
        cluster = (
            detectable_mean(standard_error=known[0], degrees=known[1] - 1, alpha=alpha, power=power)
            if known
            else None
        )
        return Detectable(alpha=alpha, power=power, item=item, cluster=cluster)

    def letters(self, names: Sequence[str], tests: Sequence[PairTest]) -> tuple[TieLetters, ...]:
        """Return the tie groups of systems between which every pair was tested."""
        item = self._letters(names, [(t.left, t.right, t.item.adjusted.inclusive) for t in tests])
        by_cluster = [
            (t.left, t.right, t.cluster.adjusted.inclusive) for t in tests if t.cluster is not None
        ]
        cluster = self._letters(names, by_cluster) if self.clusters is not None else None
        return tuple(
            TieLetters(
                system=name,
                score=self.score(name),
                item=item[at],
                cluster=cluster[at] if cluster else None,
            )
            for at, name in enumerate(names)
        )

    def _letters(
        self, names: Sequence[str], found: Sequence[tuple[str, str, float]]
    ) -> tuple[str, ...]:
        place = {name: at for at, name in enumerate(names)}
        differ = np.zeros((len(names), len(names)), dtype=bool)
        for left, right, p in found:
            a, b = place[left], place[right]
            differ[a, b] = differ[b, a] = p < self.settings.alpha
        return letters(tie_groups(differ), len(names))

    def person(self, name: str, systems: Sequence[str]) -> PersonTests:
        """Return one person against every system, on the person's items."""
        pairs = [self.place((name, other)) for other in self.ranked(systems)]
        own = self.sheet.counted[:, self.matrix.columns.index(name)]
        tests = self.tests(pairs, len(pairs))
        return PersonTests(
            person=name,
            n=int(own.sum()),
            clusters=self._groups(own) if self.clusters is not None else None,
            family=len(pairs),
            pairs=tests,
        )


def _warnings(
    bench: _Bench, names: Sequence[str], whole: Sequence[str], *, all_pairs: bool
) -> tuple[str, ...]:
    said = list(bench.clusters.warnings) if bench.clusters else []
    partial = [name for name in names if name not in whole]
    if all_pairs and partial:
        said.append(
            f"systems without a verdict for some items are in no pair: {', '.join(partial)}; "
            f"name a pair to compare them on shared items"
        )
    return tuple(said)
