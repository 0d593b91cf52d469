"""Constant answers.  In: items, verdicts, replies, printed scores.  Out: constant predictors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from finassay.analyses.alignment import aligned
from finassay.analyses.extraction.fingerprints import METRICS, Metric, constant_fingerprint
from finassay.analyses.labels import LabelFamily, label_families
from finassay.analyses.provenance.inputs import ProvenanceInputs, Section
from finassay.analyses.provenance.results import Check, Measure, ProvenanceFinding
from finassay.analyses.wording import plural
from finassay.marking.matrix import VerdictMatrix
from finassay.records import ReportedScore

FEWEST = 20
FEWEST_OTHER = 5
FEWEST_METRICS = 2

METHOD = (
    f"on a family of {FEWEST} items or more whose references are labels, {FEWEST_OTHER} or more of "
    f"them not the most frequent one: the verdicts are right exactly where one label is accepted, "
    f"or every reply is the same; or {FEWEST_METRICS} printed metrics are those of a constant"
)


def check_constants(inputs: ProvenanceInputs) -> Iterator[Section]:
    """Yield systems whose verdicts, replies or printed scores are those of a constant answer."""
    families = [
        family
        for family in label_families(inputs.items)
        if family.floor.n >= FEWEST and family.floor.n - family.floor.count >= FEWEST_OTHER
    ]
    stored = inputs.matrices.get(inputs.stored)
    found: list[ProvenanceFinding] = []
    for family in families:
        found += _by_replies(inputs, family)
        told = {finding.systems[0] for finding in found}
        if stored is not None:
            found += [f for f in _by_verdicts(inputs, stored, family) if f.systems[0] not in told]
        found += _by_metrics(inputs.reported, family)
    yield Section(
        Check(
            kind="constant_predictor",
            n=len(families),
            unit="families of labels",
            n_findings=len(found),
            method=METHOD,
            false_alarm_rate=0.0,
        ),
        found,
    )


def _finding(
    system: str, family: LabelFamily, evidence: str, label: str | None
) -> ProvenanceFinding:
    said = "a constant" if label is None else f"always {label!r}"
    return ProvenanceFinding(
        kind="constant_predictor",
        severity="medium",
        title=f"{system} answers as {said} does on {family.floor.family}",
        systems=(system,),
        evidence=evidence,
        advice="read balanced accuracy here: a constant knows nothing of the items",
        measures=(
            Measure(name="items", value=family.floor.n),
            Measure(name="score of the best constant", value=family.floor.value),
        ),
    )


def _by_replies(inputs: ProvenanceInputs, family: LabelFamily) -> Iterator[ProvenanceFinding]:
    replies = inputs.replies
    if replies is None:
        return
    for j, system in enumerate(replies.systems):
        rows = family.rows & replies.present[:, j] & ~replies.empty[:, j]
        n = int(rows.sum())
        if n >= FEWEST and len(np.unique(replies.whole_keys[rows, j])) == 1:
            yield _finding(system, family, f"all {n} replies are the same", None)


def _by_verdicts(
    inputs: ProvenanceInputs, stored: VerdictMatrix, family: LabelFamily
) -> Iterator[ProvenanceFinding]:
    table = aligned(stored, inputs.items)
    labels = np.asarray(family.labels, dtype=object)
    for j, system in enumerate(table.columns):
        scored = table.scored[family.rows, j]
        if not scored.all() or inputs.is_person(system):
            continue
        right = table.right[family.rows, j]
        for label, count in family.floor.labels:
            if np.array_equal(right, labels == label):
                text = f"right on all {plural(count, 'item')} with that reference, and on no other"
                yield _finding(system, family, text, label)


def _by_metrics(
    reported: Sequence[ReportedScore], family: LabelFamily
) -> Iterator[ProvenanceFinding]:
    known: dict[tuple[str, str, str], dict[Metric, str]] = {}
    for score in reported:
        metric, _, over = score.column.partition(":")
        for name in METRICS:
            if metric == name and over == family.floor.family and score.printed:
                known.setdefault((score.source, score.table, score.row), {})[name] = score.printed
    counts: Mapping[str, int] = dict(family.floor.labels)
    for (source, table, row), printed in known.items():
        if len(printed) < FEWEST_METRICS:
            continue
        match = constant_fingerprint(counts, printed)
        if match.is_constant:
            text = (
                f"{source}, {table}: "
                f"{', '.join(f'{name} {text}' for name, text in printed.items())} are what it gets"
            )
            yield _finding(row, family, text, match.matches[0] or None)
