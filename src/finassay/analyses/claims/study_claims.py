"""From a study to its claims.  In: a view and a file of claims.  Out: a report on every claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from finassay.analyses.alignment import aligned, rankable
from finassay.analyses.claims.court import Court
from finassay.analyses.claims.declared import ClaimFile
from finassay.analyses.claims.evaluate import evaluate
from finassay.analyses.claims.rules import EACH_WAY, GROUPS, Rule, rules_of, unknown
from finassay.analyses.from_study import choose_primary
from finassay.analyses.results_claims import ClaimsReport, RuleGroup
from finassay.analyses.results_scores import RankConvention
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.regimes import REGIME_PREFIX
from finassay.marking.reply_facts import ReplyFacts
from finassay.marking.view import StudyView
from finassay.records import Unscored

METHOD = (
    "a claim is decided under every rule in its scope by itself; rules of the study that give the "
    "same verdicts there count once; the share is of the rules that decide it; the nearest rule "
    "that says otherwise changes the fewest choices of a grid, then the fewest verdicts"
)


def study_claims(
    view: StudyView,
    file: ClaimFile,
    *,
    policy: Unscored | None = None,
    base: str | None = None,
    rank_convention: RankConvention = "competition",
    replies: ReplyFacts | None = None,
    grid: Sequence[Rule] = (),
) -> ClaimsReport:
    """Return what the rules of a study say of the claims of a file.

    Args:
        view: the study.
        file: the claims.
        policy: what is done with verdicts without a value; the study's default if None.
        base: scorer id or regime/NAME from which counter-examples are measured; the stored
            verdicts, else the strict rule, else the first scorer.
        rank_convention: convention of ranks.
        replies: lengths of replies, for claims about items below the caps.
        grid: rules of a grid, the base rule of the grid first.

    Raises:
        UnknownNameError: the base or something that a claim names is not there.
        UsageError: a claim asks for lengths of replies and there are none.
    """
    wanted = policy or view.unscored
    anchor = base or choose_primary(view.matrices)
    held = {**view.matrices, **{f"{REGIME_PREFIX}{k}": m for k, m in view.regimes.items()}}
    if anchor not in held:
        raise unknown("the base rule", "a rule", anchor, held)
    people = {spec.name for spec in view.systems if spec.kind == "person"}
    table = aligned(held[anchor], view.items)
    systems = tuple(n for n in rankable(table, EACH_WAY[0]) if n not in people)
    rules = (*_about(rules_of(view, wanted, file.names), systems), *grid)
    _require_caps(file, replies, held)
    court = Court(
        items=view.items,
        systems=systems,
        known=tuple(sorted({name for matrix in held.values() for name in matrix.columns})),
        file=file,
        convention=rank_convention,
        replies=replies,
    )
    return ClaimsReport(
        study=view.name,
        file=file.path,
        base=anchor,
        policy=wanted,
        rank_convention=rank_convention,
        systems=court.systems,
        n_items=len(view.items),
        n_rules=_count(rules, "rule"),
        n_regimes=_count(rules, "regime"),
        n_grid=len(grid),
        claims=tuple(evaluate(claim, rules, court, base=anchor) for claim in file.claims),
        method=METHOD,
        warnings=(*_warnings(wanted, rules), *_empty_groups(file, rules)),
    )


def _about(rules: Sequence[Rule], systems: Sequence[str]) -> list[Rule]:
    """Return the rules that hold verdicts on one of the systems, and all printed columns."""
    return [
        rule
        for rule in rules
        if rule.verdicts is None or set(rule.verdicts().columns) & set(systems)
    ]


def _count(rules: Sequence[Rule], group: RuleGroup) -> int:
    return len({rule.name for rule in rules if rule.group == group})


def _require_caps(
    file: ClaimFile, replies: ReplyFacts | None, held: Mapping[str, VerdictMatrix]
) -> None:
    known = {name for matrix in held.values() for name in matrix.columns}
    known |= set(replies.systems if replies is not None else ())
    for name in file.caps:
        if name not in known:
            raise unknown(f"{file.path}: table [caps]", "a system", name, sorted(known))


def _empty_groups(file: ClaimFile, rules: Sequence[Rule]) -> tuple[str, ...]:
    """Return what to say of groups of rules that claims ask for and that hold no rule."""
    there = {rule.group for rule in rules}
    return tuple(
        f"claim {claim.number} asks for {name!r}, and there is none"
        + ("; add --multiverse or --grid" if name == "grid" else "")
        for claim in file.claims
        for name in claim.scope.rules
        if name in GROUPS and GROUPS[name] not in there
    )


def _warnings(policy: Unscored, rules: Sequence[Rule]) -> tuple[str, ...]:
    twice = [rule.name for rule in rules if rule.unscored == EACH_WAY[1]]
    if policy != "bounds" or not twice:
        return ()
    return (
        "verdicts without a value are counted wrong, and left out, each once, under "
        + ", ".join(dict.fromkeys(twice)),
    )
