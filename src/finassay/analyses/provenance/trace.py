"""The audit of provenance.  In: ProvenanceInputs.  Out: findings, checks and traces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from finassay.analyses.from_study import printed_ranks
from finassay.analyses.provenance.clashes import check_clashes
from finassay.analyses.provenance.constants import check_constants
from finassay.analyses.provenance.copies import check_copies
from finassay.analyses.provenance.cuts import at_cap, check_cuts, copy_cuts, reply_caps
from finassay.analyses.provenance.inputs import ProvenanceInputs, Section
from finassay.analyses.provenance.length import check_length
from finassay.analyses.provenance.numbers import check_numbers
from finassay.analyses.provenance.printed_tables import printed_tables
from finassay.analyses.provenance.results import (
    Check,
    LengthPoint,
    Measure,
    Provenance,
    ProvenanceFinding,
)
from finassay.analyses.provenance.rules import trace_rules
from finassay.analyses.provenance.silence import check_silence
from finassay.analyses.provenance.totals import trace_totals
from finassay.analyses.recognition import recognise_ranks
from finassay.analyses.results_audit import SEVERITIES
from finassay.analyses.wording import some
from finassay.records import ReportedScore


def trace_provenance(
    inputs: ProvenanceInputs, *, sizes: Mapping[str, int] | None = None
) -> Provenance:
    """Return where the numbers of a study come from, as far as the study itself shows.

    Every check is listed whether or not it found something, with the chance that it finds
    something in a study where nothing is wrong.

    Args:
        inputs: what the study holds.
        sizes: printed column -> items, where the printed scores do not say.
    """
    people = [name for name in inputs.kinds if inputs.is_person(name)]
    caps, copies = reply_caps(inputs.replies, skip=people), copy_cuts(inputs.replies)
    cut = None if inputs.replies is None else at_cap(inputs.replies, caps)
    tables = printed_tables(inputs.reported, sizes)
    rules, by_verdicts = trace_rules(inputs)
    totals, by_totals = trace_totals(inputs, tables, _cut_replies(caps))
    length, by_length = check_length(inputs, cut)
    sections = [
        by_verdicts,
        by_totals,
        by_length,
        *check_cuts(inputs, caps, copies),
        *check_silence(inputs),
        *check_copies(inputs),
        *check_clashes(inputs),
        *check_constants(inputs),
        *check_numbers(tables),
        _printed_ranks(inputs.reported),
    ]
    findings = [finding for section in sections for finding in section.findings]
    names = {name for matrix in inputs.matrices.values() for name in matrix.columns}
    if inputs.replies is not None:
        names.update(inputs.replies.systems)
    return Provenance(
        study=inputs.study,
        versions=inputs.versions,
        n_items=len(inputs.items),
        n_systems=len(names),
        n_predictions=0 if inputs.replies is None else int(inputs.replies.present.sum()),
        candidates=tuple(inputs.candidates),
        findings=tuple(sorted(findings, key=lambda f: SEVERITIES.index(f.severity))),
        checks=tuple(section.check for section in sections),
        rules=rules,
        totals=totals,
        piles=(*caps, *copies),
        length=length,
        warnings=tuple(_warnings(inputs)),
    )


def _cut_replies(caps: Sequence[LengthPoint]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for cap in caps:
        counted[cap.system] = counted.get(cap.system, 0) + cap.n_at
    return counted


def _printed_ranks(reported: Sequence[ReportedScore]) -> Section:
    """Return printed ranks that do not follow the convention which the source says it uses."""
    columns = printed_ranks(reported)
    found = []
    for printed in columns:
        fit = recognise_ranks(
            printed.rows, source=printed.source, column=printed.column, claimed=printed.claimed
        )
        if fit.claim_holds is False:
            wrong = [f for f in fit.fits if f.convention == fit.claimed]
            cells = [c for f in wrong for c in f.contradictions]
            found.append(
                ProvenanceFinding(
                    kind="printed_ranks",
                    severity="low",
                    title=f"Printed ranks of {fit.column} are not {fit.claimed} ranks",
                    systems=tuple(cell.row for cell in cells),
                    evidence=(
                        f"{fit.source}: {some(fit.reproduces) or 'no convention'} reproduces all "
                        f"{fit.n} printed ranks"
                    ),
                    advice="name the convention that was used",
                    measures=(Measure(name="ranks that differ", value=len(cells)),),
                    witnesses=tuple(
                        f"{c.row}: {c.printed_rank:g}, not {c.expected_rank:g}" for c in cells
                    ),
                    n_witnesses=len(cells),
                )
            )
    claimed = [printed for printed in columns if printed.claimed is not None]
    return Section(
        Check(
            kind="printed_ranks",
            n=len(claimed),
            unit="columns of ranks with a claimed convention",
            n_findings=len(found),
            method="the claimed convention does not give the printed ranks of the printed values",
            false_alarm_rate=0.0,
        ),
        found,
    )


def _warnings(inputs: ProvenanceInputs) -> Iterator[str]:
    if inputs.stored not in inputs.matrices:
        yield (f"the study holds no verdicts of {inputs.stored!r}, so no rule can be read off them")
    if inputs.replies is None or not inputs.replies.systems:
        yield "the study holds no replies: nothing can be said of texts, copies or cuts"
    if not inputs.candidates:
        yield "no candidate rules: nothing can be marked again"
