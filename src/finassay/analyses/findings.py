"""Findings of an audit.  In: its inputs and parts.  Out: what a reader must know first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from finassay.analyses.audit_inputs import AuditInputs
from finassay.analyses.extraction.study_cells import extraction_findings
from finassay.analyses.parts import Parts
from finassay.analyses.provenance.numbers import check_numbers
from finassay.analyses.provenance.printed_tables import printed_tables
from finassay.analyses.results_audit import SEVERITIES, Finding
from finassay.analyses.results_rules import MoveCount, RuleAgreement
from finassay.analyses.results_scores import Estimate
from finassay.analyses.wording import count, listed, percent, plural, some

Source = Callable[[AuditInputs, Parts], Iterator[Finding]]


def derive_findings(inputs: AuditInputs, parts: Parts) -> tuple[Finding, ...]:
    """Return the findings, most severe first; each states what was measured and what to do."""
    found = [finding for source in SOURCES for finding in source(inputs, parts)]
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))


def _provenance(_: AuditInputs, parts: Parts) -> Iterator[Finding]:
    agreement = parts.agreement
    if agreement is None or agreement.common_rule is None or agreement.common_range is None:
        return
    low, high = agreement.common_range
    for system in (s for s in agreement.systems if s.is_outlier):
        yield Finding(
            severity="high",
            title=f"The stored verdicts of {system.system} follow another rule than the rest",
            evidence=(
                f"{system.system} is closest to {some(system.best)} with "
                f"{plural(system.mismatches, 'mismatch', 'mismatches')}, and has "
                f"{system.common_mismatches} with {agreement.common_rule}; the other systems "
                f"follow {agreement.common_rule} with {low} to {high} mismatches"
                f"{_standing(agreement, system.system)}"
            ),
            advice="mark every system again with one rule before comparing them",
            link="agreement",
        )


def _standing(agreement: RuleAgreement, system: str) -> str:
    """Return both readings of the rank that a system would have under the rule of the rest."""
    for row in agreement.remarked:
        if row.system == system:
            ties = f", with {plural(row.ties_together, 'other')}" if row.ties_together else ""
            return (
                f"; under {row.rule} it has {row.remarked_right} of {row.n} right instead of "
                f"{row.stored_right} (rank {row.stored_rank}): rank {row.rank_alone} if it alone "
                f"is marked again, rank {row.rank_together}{ties} if all systems are"
            )
    return ""


def _reordering(_: AuditInputs, parts: Parts) -> Iterator[Finding]:
    regimes = parts.regimes
    if regimes is None or not regimes.systems:
        return
    leaders = {regime.leaders for regime in regimes.regimes}
    top = max(regimes.moves, key=lambda m: m.at_least, default=None)
    if top is None:
        return
    held = dict(regimes.holds)[regimes.rank_convention]
    told = "; ".join(f"{r.regime}: {some(r.leaders)}" for r in regimes.regimes)
    yield Finding(
        severity="high" if len(leaders) > 1 else "medium",
        title="The regime changes the order of the systems",
        evidence=(
            f"{len(held)} of {len(regimes.systems)} systems keep their {regimes.rank_convention} "
            f"rank under all {len(regimes.regimes)} regimes; leaders: {told}"
        ),
        advice="quote ranks only with the regime they were made under",
        link="regimes",
    )
    for moved in _telling_moves(parts):
        told = ", ".join(f"{name} {number}" for name, number in moved.counts)
        yield Finding(
            severity="low",
            title="How far systems move depends on the rank convention",
            evidence=(
                f"of {moved.n} systems across {some(moved.regimes)}, those that move "
                f"{moved.at_least} or more ranks: {told}"
            ),
            advice="name the rank convention beside every claim about ranks",
            link="regimes",
        )


def _telling_moves(parts: Parts) -> list[MoveCount]:
    """Return the one count over the first group whose conventions differ most."""
    if parts.regimes is None:
        return []
    first = [m for m in parts.regimes.moves if m.regimes == parts.regimes.moves[0].regimes]
    differing = [m for m in first if m.depends_on_convention]
    differing.sort(key=lambda m: -_range(m))
    return differing[:1]


def _range(moved: MoveCount) -> int:
    numbers = [number for _, number in moved.counts]
    return max(numbers) - min(numbers)


def _truncation(_: AuditInputs, parts: Parts) -> Iterator[Finding]:
    piles = parts.truncation
    if piles is None or not piles.suspected:
        return
    worst = max((r for r in piles.rows if r.is_suspected), key=lambda r: r.at_longest / r.n)
    yield Finding(
        severity="medium",
        title=f"Replies of {plural(len(piles.suspected), 'system')} look cut at a fixed length",
        evidence=(
            f"{count(piles.n_at_longest)} of {plural(piles.n_replies, 'reply', 'replies')} stand "
            f"at the longest length of their system; most of all {worst.system}: "
            f"{worst.at_longest} of {worst.n} at {worst.longest} characters"
        ),
        advice="log whole replies, or report the result on the items where nothing is at a cap",
        link="truncation",
    )


def _cut_references(inputs: AuditInputs, _: Parts) -> Iterator[Finding]:
    cut = {name: rows for name, rows in inputs.cut_references.items() if rows}
    if not cut:
        return
    most = max(cut, key=lambda name: cut[name])
    yield Finding(
        severity="medium",
        title=f"The logs of {plural(len(cut), 'system')} hold cut references",
        evidence=f"{plural(sum(cut.values()), 'row')} in all; most in {most}: {cut[most]}",
        advice="mark against the references of the items, never against the logged copies",
        link="truncation",
    )


def _empty_replies(inputs: AuditInputs, _: Parts) -> Iterator[Finding]:
    for rule, matrix in inputs.matrices.items():
        at, right = {row: i for i, row in enumerate(matrix.labels("item_id"))}, matrix.right
        credited = {
            name: sum(bool(right[at[i], j]) for i in inputs.empty_replies.get(name, ()) if i in at)
            for j, name in enumerate(matrix.columns)
        }
        hit = {name: times for name, times in credited.items() if times}
        if hit:
            yield Finding(
                severity="high" if rule == inputs.primary else "medium",
                title=f"{rule} marks empty replies right",
                evidence=", ".join(f"{name}: {times}" for name, times in hit.items()),
                advice="do not use this rule on empty replies, or count them as no answer",
                link="leaderboard",
            )


def _trials(inputs: AuditInputs, _: Parts) -> Iterator[Finding]:
    several = {name: trials for name, trials in inputs.trials.items() if trials > 1}
    if not several:
        return
    most = max(several.values())
    of = f"{most}" if set(several.values()) == {most} else f"up to {most}"
    yield Finding(
        severity="high",
        title=f"Only the first of {of} trials is shown",
        evidence=(
            f"{plural(len(several), 'system')} answered items more than once: "
            f"{some(f'{name} {trials} times' for name, trials in several.items())}; no interval "
            f"here holds the spread between trials"
        ),
        advice="look at the other trials too before quoting a difference between systems",
        link="leaderboard",
    )


def _error_replies(inputs: AuditInputs, _: Parts) -> Iterator[Finding]:
    broken = {name: ids for name, ids in inputs.error_replies.items() if ids}
    if not broken:
        return
    most = max(broken, key=lambda name: len(broken[name]))
    total = sum(len(ids) for ids in broken.values())
    yield Finding(
        severity="medium",
        title=f"Replies of {plural(len(broken), 'system')} look like transport errors",
        evidence=(
            f"{plural(total, 'reply', 'replies')} in all; most in {most}: {len(broken[most])}, for "
            f"instance on {broken[most][0]}"
        ),
        advice="ask again for these items: a failed call is marked as if it were an answer",
        link="leaderboard",
    )


def _gaps(_: AuditInputs, parts: Parts) -> Iterator[Finding]:
    board = parts.leaderboard
    for row in board.rows:
        given = row.estimate
        if not row.complete:
            yield Finding(
                severity="medium",
                title=f"{row.system} is incomplete and not ranked",
                evidence=f"no verdict on {given.n_missing} of {board.n_items} items",
                advice="run the missing items, or compare all systems on the shared ones",
                link="leaderboard",
            )
        if given.n_failed:
            yield Finding(
                severity="medium",
                title=f"Marking failed for {row.system}",
                evidence=f"{given.n_failed} of {board.n_items} verdicts failed: in no denominator",
                advice="mark them again; a mean over the rest is of other items",
                link="leaderboard",
            )


def _unscored(_: AuditInputs, parts: Parts) -> Iterator[Finding]:
    board = parts.leaderboard
    silent = {r.system: r.estimate.n_unscored for r in board.rows if r.estimate.n_unscored}
    if not silent:
        return
    most = max(silent, key=lambda name: silent[name])
    moved = [r.system for r in board.ranked if r.rank_range and r.rank_range[0] != r.rank_range[1]]
    yield Finding(
        severity="medium" if moved else "low",
        title=f"{plural(sum(silent.values()), 'verdict')} of {board.rule} hold no answer",
        evidence=(
            f"policy {board.policy!r}; most for {most}: {silent[most]} of {board.n_items}; "
            f"ranks that they can change: {len(moved)} of {len(board.ranked)}"
        ),
        advice="show the best and the worst case before quoting the order",
        link="leaderboard",
    )


def _top(given: Estimate) -> float | None:
    """Return the value, or the best case where bounds leave no single value."""
    return given.best if given.value is None and given.n else given.value


def _floors(_: AuditInputs, parts: Parts) -> Iterator[Finding]:
    board = parts.leaderboard
    said: list[tuple[str, str]] = []
    for floor in board.floors:
        tops = {row.system: _top(dict(row.per_family)[floor.family]) for row in board.rows}
        below = [name for name, top in tops.items() if top is not None and top < floor.value]
        if below:
            constant = f"{percent(floor.value, floor.n)}% ({floor.count} of {floor.n})"
            text = f"always {floor.label!r} scores {constant}, below it: {some(below)}"
            said.append((floor.family, f"{floor.family}: {text}"))
    if said:
        yield Finding(
            severity="medium",
            title=f"Systems score below a constant answer on {listed(name for name, _ in said)}",
            evidence="; ".join(text for _, text in said),
            advice="read balanced accuracy on these families",
            link="leaderboard",
        )


def _evidence(_: AuditInputs, parts: Parts) -> Iterator[Finding]:
    coverage = parts.coverage
    if coverage is not None and coverage.zero_information and coverage.n_items:
        none = len(coverage.zero_information)
        share = percent(none / coverage.n_items, coverage.n_items)
        yield Finding(
            severity="note",
            title=f"{share}% of the items separate no pair of systems",
            evidence=(
                f"{none} of {coverage.n_items} items: all right on {coverage.all_right}, "
                f"none right on {coverage.none_right}"
            ),
            advice="size a difference against the items that can show one",
            link="coverage",
        )
    documents = parts.documents
    if documents is not None and len(documents.clusters) < documents.n_items:
        yield Finding(
            severity="note",
            title="Items share source documents",
            evidence=(
                f"{documents.n_items} items rest on {len(documents.per_document)} documents in "
                f"{plural(len(documents.clusters), 'cluster')}; the largest holds "
                f"{max(documents.sizes, default=0)} items"
            ),
            advice="intervals that take items as independent draws are too sure of themselves",
            link="documents",
        )


def _recognition(_: AuditInputs, parts: Parts) -> Iterator[Finding]:
    for fit in parts.recognition:
        if fit.claim_holds is False:
            found = some(fit.reproduces) or "no convention"
            yield Finding(
                severity="low",
                title=f"Printed ranks of {fit.column} are not {fit.claimed} ranks",
                evidence=f"{fit.source}: {found} reproduces all {fit.n} printed ranks",
                advice="name the convention that was used",
                link="recognition",
            )


def _printed_numbers(inputs: AuditInputs, _: Parts) -> Iterator[Finding]:
    for section in check_numbers(printed_tables(inputs.reported)):
        for found in section.findings:
            yield Finding(
                severity=found.severity,
                title=found.title,
                evidence=found.evidence,
                advice=found.advice,
                link="findings",
            )


def _extraction(_: AuditInputs, parts: Parts) -> Iterator[Finding]:
    yield from extraction_findings(parts.extraction)


SOURCES: tuple[Source, ...] = (
    _provenance,
    _reordering,
    _trials,
    _empty_replies,
    _error_replies,
    _truncation,
    _cut_references,
    _gaps,
    _unscored,
    _floors,
    _extraction,
    _recognition,
    _printed_numbers,
    _evidence,
)
