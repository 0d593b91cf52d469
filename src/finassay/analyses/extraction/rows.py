"""One cell as a row of a sweep, and beside a person.  In: an audit, a cell.  Out: frozen rows."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.analyses.extraction.audit import CellAudit, RuleAudit, Settings, label_rule, rules_of
from finassay.analyses.extraction.candidates import CandidateTable, candidates
from finassay.analyses.extraction.cells import LabelCell
from finassay.analyses.extraction.floors import against_floor
from finassay.analyses.extraction.readings import read_rule
from finassay.analyses.extraction.results_sweep import HumanAgreement, RuleOutcome, SweepRow
from finassay.errors import UsageError
from finassay.runs.importers.label_cells import Answers


def sweep_row(audit: CellAudit, *, answers: Answers = "free") -> SweepRow:
    """Return what a sweep shows of one audited cell.

    Against strata that are declared, interval and rules are compared with the stratified floor.
    """
    line = audit.stratified_floor or audit.floor
    verdict = audit.stratified_verdict or audit.verdict
    reached, by_text = audit.reach_of(audit.family), audit.reach_of("text_function")
    rules = tuple(_outcome(rule, line.count, verdict.band) for rule in audit.rules)
    certificate = audit.certificate
    kinds: tuple[str, ...] = certificate.kinds if certificate is not None else ()
    is_vacuous = certificate is not None and certificate.is_vacuous
    return SweepRow(
        task=audit.task,
        system=audit.system,
        arm=audit.arm,
        budget=audit.budget,
        split=audit.split,
        answers=answers,
        n=audit.n,
        k=len(audit.labels),
        covered=audit.counts.covered,
        ambiguous=audit.counts.ambiguous,
        contested=audit.counts.contested,
        low=reached.low,
        high=reached.high,
        text_low=by_text.low,
        text_high=by_text.high,
        floor=line.count,
        is_stratified=audit.stratified_floor is not None,
        outcome=verdict.outcome,
        sub_state=verdict.sub_state,
        rules=rules,
        changes_side=len({found.outcome for found in rules if found.is_member}) > 1,
        certificate=(*kinds, "vacuous") if is_vacuous else kinds,
        digest=audit.input_digest,
    )


def _outcome(rule: RuleAudit, floor_count: int, band: int) -> RuleOutcome:
    score = rule.score
    return RuleOutcome(
        rule=score.rule,
        right=score.right,
        accuracy=score.accuracy,
        outcome=against_floor(score.right, score.right, floor_count, band=band).outcome,
        is_member=rule.membership.is_member,
        filled=score.default_filled + score.random_filled,
        refused=score.refused,
    )


def human_agreement(
    cell: LabelCell,
    humans: Sequence[str | None],
    settings: Settings | None = None,
) -> tuple[HumanAgreement, ...]:
    """Return how often each rule reads what a person reads, over the replies that one read.

    Args:
        cell: the replies.
        humans: the label that a person reads in each reply, "" where they read none, None where
            nobody looked.
        settings: the matcher and the rules.

    Raises:
        UsageError: there is not one reading for each reply, or one is no label of the cell.
    """
    if len(humans) != cell.n:
        raise UsageError(
            f"{cell.title}: expected one human reading for each of {cell.n} replies (None where "
            f"nobody looked), got {len(humans)}"
        )
    used = settings or Settings()
    table = candidates(cell, used.matcher)
    places = [None if not human else _place(table, human, cell) for human in humans]
    read = [i for i, human in enumerate(humans) if human is not None]
    found = []
    for rule in rules_of(used):
        reading = read_rule(cell, label_rule(rule), table)
        pairs = [(reading.places[i], places[i]) for i in read]
        same = sum(mine == theirs for mine, theirs in pairs)
        found.append(
            HumanAgreement(
                rule=reading.rule,
                n=len(pairs),
                same=same,
                share=same / len(pairs) if pairs else None,
                filled_against=sum(m is not None and t is None for m, t in pairs),
                missed=sum(m is None and t is not None for m, t in pairs),
            )
        )
    return tuple(found)


def _place(table: CandidateTable, human: str, cell: LabelCell) -> int:
    try:
        return table.place_of(human)
    except ValueError:
        raise UsageError(
            f"{cell.title}: the human reading {human!r} is none of the labels "
            f"{list(table.labels)!r}; leave it empty where no label was read"
        ) from None
