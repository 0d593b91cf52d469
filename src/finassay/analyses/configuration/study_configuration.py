"""From a study to what its conditions do.  In: a view, replies, manifests.  Out: one result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned, rankable
from finassay.analyses.claims.court import Undecided, standing_of
from finassay.analyses.claims.rules import EACH_WAY, Rule, named, rules_of, unknown
from finassay.analyses.clusters import clusters_of
from finassay.analyses.compare_claims import CompareSettings
from finassay.analyses.configuration.association import at_cap_association
from finassay.analyses.configuration.caps import Caps, below_cap, caps_of
from finassay.analyses.configuration.cuts import cut_curves
from finassay.analyses.configuration.runs import (
    Runs,
    Texts,
    arm_pairs,
    budget_curves,
    run_pairs,
)
from finassay.analyses.configuration.truncation import cap_rows, free_boards, free_families
from finassay.analyses.configuration.verbosity import verbosity
from finassay.analyses.from_study import choose_primary
from finassay.analyses.results_configuration import (
    AtCapAssociation,
    CapRow,
    Configuration,
    Verbosity,
)
from finassay.analyses.truncation import METHOD
from finassay.errors import MissingVerdictsError, UsageError
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.regimes import REGIME_PREFIX, choose_judge
from finassay.marking.reply_facts import ReplyFacts
from finassay.marking.view import StudyView
from finassay.records import RunRecord, Unscored


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked about the configuration.

    Attributes:
        rule: scorer id that runs are compared under; the primary rule by default.
        judge: scorer id of the judge; the first by name by default.
        policy: what is done with verdicts without a value; the study's default if None.
        families: families of the items looked at; all by default.
        caps: system -> cap in characters, None for a system that was not cut.
        leave_out: systems that are left out of everything.
        pairs: runs of one model that their manifests do not show as such.
        changes: (before, after) rules, regimes or printed columns whose difference is set against
            the at-cap rate.
        uncounted: systems that are shown in these associations and not counted.
        names: printed name -> system, for printed columns.
        clusters: columns of items that make clusters; none when empty.
    """

    rule: str | None = None
    judge: str | None = None
    policy: Unscored | None = None
    families: tuple[str, ...] = ()
    caps: Mapping[str, int | None] = field(default_factory=dict)
    leave_out: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    changes: tuple[tuple[str, str], ...] = ()
    uncounted: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    clusters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sources:
    """What the configuration is read from.

    Attributes:
        view: the study.
        replies: lengths, fates and tokens, one row an item of the view.
        runs: manifests of the runs.
        digests: digests of the replies.
        cut: characters -> items x systems verdicts on replies cut to them.
        cut_rule: scorer id that marked these.
    """

    view: StudyView
    replies: ReplyFacts
    runs: tuple[RunRecord, ...] = ()
    digests: Texts = field(default_factory=dict)
    cut: Mapping[int, VerdictMatrix] = field(default_factory=dict)
    cut_rule: str = ""


def study_configuration(sources: Sources, asked: Asked) -> Configuration:
    """Return what the condition of the runs does to the scores of a study.

    Raises:
        UnknownNameError: a system, rule or family that is not there.
        UsageError: every system is left out.
    """
    view = sources.view
    rule, rules = _rule(view, asked)
    systems = _systems(view, rules[rule], asked)
    policy = asked.policy or view.unscored
    rows = _rows(view, asked.families)
    caps = caps_of(sources.replies, declared=asked.caps, systems=_answering(sources, systems))
    free = below_cap(sources.replies, caps)
    listed = cap_rows(sources.replies, caps, items=view.items, rows=rows)
    runs = _runs(sources, asked, rules[rule], rule, caps)
    judge = asked.judge or choose_judge(view.matrices)
    every = caps_of(sources.replies, declared=asked.caps, systems=sources.replies.systems)
    runs = replace(runs, caps=every)
    return Configuration(
        study=view.name,
        rule=rule,
        judge=judge,
        policy=policy,
        systems=systems,
        families=asked.families,
        n_items=int(rows.sum()),
        n_free=int((rows & free).sum()),
        free_families=free_families(view.items, rows, free),
        caps=listed,
        boards=free_boards(
            _ranked_rules(rules, rule),
            items=view.items,
            systems=systems,
            policy=policy,
            rows=rows,
            free=free,
        ),
        pairs=run_pairs(runs, asked.pairs),
        arms=arm_pairs(runs),
        budgets=(
            *budget_curves(runs),
            *cut_curves(
                sources.cut,
                sources.replies,
                rule=sources.cut_rule,
                systems=systems,
                policy=policy,
            ),
        ),
        associations=_associations(sources, asked, (systems, rows), listed),
        verbosity=_verbosity(sources, rules[rule], (rule, judge), systems),
        method=METHOD,
        warnings=_warnings(listed, asked),
    )


def _rule(view: StudyView, asked: Asked) -> tuple[str, dict[str, VerdictMatrix]]:
    rules = {**view.matrices, **{f"{REGIME_PREFIX}{k}": m for k, m in view.regimes.items()}}
    rule = asked.rule or choose_primary(view.matrices)
    for name in (rule, asked.judge):
        if name is not None and name not in rules:
            raise unknown("configuration", "a rule", name, rules)
    return rule, rules


def _systems(view: StudyView, matrix: VerdictMatrix, asked: Asked) -> tuple[str, ...]:
    known = [spec.name for spec in view.systems]
    for name in (*asked.leave_out, *asked.uncounted):
        if name not in known:
            raise unknown("configuration", "a system", name, known)
    people = {spec.name for spec in view.systems if spec.kind == "person"}
    if known and not set(known) - people - set(asked.leave_out):
        raise UsageError(
            f"configuration: every system is left out ({', '.join(asked.leave_out) or 'people'}); "
            "leave fewer out"
        )
    whole = rankable(aligned(matrix, view.items), EACH_WAY[0])
    return tuple(n for n in whole if n not in people and n not in asked.leave_out)


def _rows(view: StudyView, wanted: Sequence[str]) -> NDArray[np.bool_]:
    held = [item.family for item in view.items]
    for name in wanted:
        if name not in held:
            raise unknown("configuration", "a family", name, sorted(set(held)))
    return np.array([not wanted or name in wanted for name in held], dtype=bool)


def _answering(sources: Sources, systems: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in systems if name in sources.replies.systems)


def _ranked_rules(rules: Mapping[str, VerdictMatrix], rule: str) -> dict[str, VerdictMatrix]:
    regimes = {name: one for name, one in rules.items() if name.startswith(REGIME_PREFIX)}
    return {rule: rules[rule], **regimes}


def _runs(sources: Sources, asked: Asked, matrix: VerdictMatrix, rule: str, caps: Caps) -> Runs:
    view = sources.view
    clusters = asked.clusters
    if clusters:
        # Without a pair of runs nothing would notice a column that is not there.
        clusters_of(view.items, clusters)
    return Runs(
        items=view.items,
        systems=tuple(spec for spec in view.systems if spec.name not in asked.leave_out),
        runs=sources.runs,
        matrix=aligned(matrix, view.items),
        rule=rule,
        settings=CompareSettings(policy=asked.policy or view.unscored, clusters=clusters),
        replies=sources.replies,
        caps=caps,
        digests=sources.digests,
    )


def _associations(
    sources: Sources,
    asked: Asked,
    scope: tuple[Sequence[str], NDArray[np.bool_]],
    caps: Sequence[CapRow],
) -> tuple[AtCapAssociation, ...]:
    systems, rows = scope
    names = {shown: name for shown, name in asked.names.items() if name in systems}
    rules = rules_of(sources.view, asked.policy or sources.view.unscored, names)
    rates = {row.system: row.at_cap for row in caps}
    found = []
    for before, after in _changes(sources.view, asked):
        scores = [
            _scores(named(rules, name, "--change")[0], systems, rows) for name in (before, after)
        ]
        found.append(
            at_cap_association(
                rates, scores[0], scores[1], names=(before, after), leave_out=asked.uncounted
            )
        )
    return tuple(found)


def _changes(view: StudyView, asked: Asked) -> tuple[tuple[str, str], ...]:
    """Return the changes asked for; from the strict regime to the judge's when none is."""
    if asked.changes:
        return asked.changes
    first, second = "strict", "judge-only"
    if first in view.regimes and second in view.regimes:
        return ((f"{REGIME_PREFIX}{first}", f"{REGIME_PREFIX}{second}"),)
    return ()


def _scores(rule: Rule, systems: Sequence[str], rows: NDArray[np.bool_]) -> dict[str, float]:
    """Return the score of each system that has one under a rule."""
    found = {}
    for name in systems:
        standing = standing_of(
            rule,
            systems=[name],
            rows=rows,
            labels=np.arange(len(rows), dtype=np.int64),
            convention="competition",
        )
        if not isinstance(standing, Undecided):
            found[name] = standing.score(name)
    return found


def _verbosity(
    sources: Sources, matrix: VerdictMatrix, names: tuple[str, str | None], systems: Sequence[str]
) -> Verbosity | None:
    rule, judge = names
    if judge is None or judge not in sources.view.matrices:
        return None
    try:
        return verbosity(
            matrix,
            sources.view.matrices[judge],
            items=sources.view.items,
            replies=sources.replies,
            names=(rule, judge),
            systems=systems,
        )
    except MissingVerdictsError:
        return None


def _warnings(caps: Sequence[CapRow], asked: Asked) -> tuple[str, ...]:
    out = []
    silent = [row.system for row in caps if dict(row.finishes).keys() == {"not_logged"}]
    if silent:
        out.append(
            f"the logs of {', '.join(silent)} do not say how replies ended: a reply that the "
            f"provider truncated below the cap is not seen"
        )
    guessed = [row.system for row in caps if row.cap is not None and not row.is_declared]
    if guessed:
        out.append(
            f"caps of {', '.join(guessed)} are where their replies pile up; declare what is known"
        )
    if asked.uncounted:
        out.append(f"not counted in the associations: {', '.join(asked.uncounted)}")
    return tuple(out)
