"""Label audits in plain lines.  In: results.  Out: lines of text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from finassay.analyses.extraction.audit import CellAudit, RuleAudit
from finassay.analyses.extraction.fingerprints import ConstantFingerprint
from finassay.analyses.extraction.log_audits import LabelAudit, LogAudit
from finassay.analyses.extraction.results_sweep import LabelSweep
from finassay.analyses.extraction.streams import StreamAudit

_SHOWN_ROWS = 10


def label_audit_lines(audit: LabelAudit) -> list[str]:
    """Return every log, then all cells side by side where there are several."""
    found = [line for log in audit.logs for line in (*_log(log), "")]
    return [*found, *_sweep(audit.sweep)] if len(audit.logs) > 1 else found[:-1]


def cell_lines(cell: CellAudit) -> list[str]:
    """Return one audited cell."""
    named = (cell.task, cell.system, cell.arm, cell.budget, cell.split)
    title = " / ".join(part for part in named if part) or "cell"
    n, text_only = cell.n, cell.reach_of("text_function")
    shares = (
        f"coverage {_share(cell.counts.covered, n)}, ambiguity M "
        f"{_share(cell.counts.ambiguous, n)}, contested M* {_share(cell.counts.contested, n)}"
    )
    reached = (
        f"rules of the family {cell.family} reach "
        f"{_interval(cell.verdict.low, cell.verdict.high, n)}, those that read the reply alone "
        f"{_interval(text_only.low, text_only.high, n)}"
    )
    return [
        f"{title}: {n} items, labels {', '.join(cell.labels)}",
        f"  matcher {cell.matcher}",
        f"  {shares}",
        f"  {reached}",
        *_floor_lines(cell),
        *_rule_lines(cell.rules),
        *_bound_lines(cell),
        *_certificate_lines(cell),
        *(f"  note: {warning}" for warning in cell.warnings),
    ]


def fingerprint_lines(found: ConstantFingerprint) -> list[str]:
    """Return whether printed scores are a constant's, and what every constant scores."""
    names = ", ".join(repr(label) if label else "no label at all" for label in found.matches)
    if not found.matches:
        said = "no constant predictor has these scores"
    elif found.is_telling:
        said = f"these are the scores of always predicting {names}"
    else:
        said = "every constant has a correlation of 0: give accuracy or F1 as well"
    rows = [
        (
            constant.label if constant.label is not None else "(none)",
            *(
                f"{value:.4f}"
                for value in (
                    constant.accuracy,
                    constant.weighted_f1,
                    constant.macro_f1,
                    constant.mcc,
                )
            ),
        )
        for constant in found.constants
    ]
    head = ("always", "accuracy", "weighted F1", "macro F1", "MCC")
    return [f"{found.n} items: {said}", *_table([head, *rows])]


def stream_lines(found: StreamAudit) -> list[str]:
    """Return what a histogram of named labels says."""
    counts = found.counts
    n = counts.n
    lines = [
        f"{n} items, labels {', '.join(found.choices)}, matcher {found.matcher}",
        f"  coverage {_share(counts.covered, n)}",
        f"  ambiguity M {_share(counts.ambiguous, n)}, contested M* {_share(counts.contested, n)}",
        f"  rules that select reach {_interval(found.reach.low, found.reach.high, n)}",
        f"  card order {_share(found.card_order_right, n)}",
        f"  floor {_share(found.floor, n)}: {found.verdict.text}",
    ]
    if found.stratified_floor is not None and found.stratified_verdict is not None:
        over = _share(found.stratified_floor, n)
        lines.append(f"  floor over strata {over}: {found.stratified_verdict.text}")
    return lines


def _log(log: LogAudit) -> Iterator[str]:
    shape = "FLARE log" if log.is_flare else "table"
    yield f"{log.source} ({shape}; labels: {log.choices_from})"
    yield from cell_lines(log.cell)
    if log.logged is not None:
        yield (
            f"  logged marks: {log.logged.reproduced} of {log.logged.n} come out the same in card "
            f"order {', '.join(log.logged.order)}"
        )
    if log.card_order is not None:
        order = log.card_order
        shown = ", ".join(order.order or ()) or order.state
        yield f"  card order shown by the log: {shown} ({order.reason})"
    if log.contradictions:
        rows = [found.row for found in log.contradictions]
        more = f" and {len(rows) - _SHOWN_ROWS} more" if len(rows) > _SHOWN_ROWS else ""
        kinds = ", ".join(dict.fromkeys(f.kind.replace("_", " ") for f in log.contradictions))
        yield f"  {len(rows)} rows contradict themselves ({kinds}): "
        yield f"    {', '.join(rows[:_SHOWN_ROWS])}{more}"
    for agreed in log.human:
        yield f"  {agreed.rule} reads what a person reads in {agreed.same} of {agreed.n}"
    yield from (f"  note: {warning}" for warning in log.warnings)


def _floor_lines(cell: CellAudit) -> Iterator[str]:
    labels = " or ".join(cell.floor.labels)
    yield f"  floor {_share(cell.floor.count, cell.n)} (always {labels}): {cell.verdict.text}"
    if cell.stratified_floor is not None and cell.stratified_verdict is not None:
        strata = len(cell.stratified_floor.strata)
        yield (
            f"  floor over {strata} strata {_share(cell.stratified_floor.count, cell.n)}: "
            f"{cell.stratified_verdict.text}"
        )


def _rule_lines(rules: Sequence[RuleAudit]) -> list[str]:
    head = ("rule", "accuracy", "floor", "outside", "filled", "refused")
    rows = [
        (
            rule.score.rule,
            f"{rule.score.accuracy:.4f}",
            rule.verdict.outcome,
            str(rule.membership.n_witnesses),
            str(rule.score.default_filled + rule.score.random_filled),
            str(rule.score.refused),
        )
        for rule in rules
    ]
    return _table([head, *rows]) if rows else []


def _bound_lines(cell: CellAudit) -> Iterator[str]:
    bounds = cell.bounds
    for name, found in (("weighted F1", bounds.weighted_f1), ("macro F1", bounds.macro_f1)):
        yield f"  {name} over selectors [{found.low:.4f}, {found.high:.4f}] ({found.kind})"


def _certificate_lines(cell: CellAudit) -> list[str]:
    if cell.certificate is None:
        why = cell.uncertified.removesuffix("; no certificate")
        return [f"  no certificate: {why}"]
    return [f"  {line}" for line in cell.certificate.to_lines()]


def _sweep(sweep: LabelSweep) -> Iterator[str]:
    yield f"{len(sweep.rows)} cells side by side, matcher {sweep.matcher}"
    head = ("by", "cells", "n", "clears", "ties", "below", "undetermined")
    rows = [
        (t.by, t.cells, *map(str, (t.n, t.clears, t.ties, t.below, t.undetermined)))
        for t in sweep.tallies
    ]
    yield from _table([head, *rows])
    for agreed in sweep.human:
        yield f"  {agreed.rule} reads what a person reads in {agreed.same} of {agreed.n}"
    if sweep.changing:
        yield f"  cells whose side depends on the rule: {', '.join(sweep.changing)}"
    for pair in sweep.arms:
        stands = {None: "cannot be compared", True: "stands", False: "does not stand"}
        yield (
            f"  {pair.task} / {pair.system}: free {pair.free_outcome}, exact answer "
            f"{pair.exact_outcome}; the conclusion {stands[pair.survives]}"
        )
    yield from (f"  note: {warning}" for warning in sweep.warnings)


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows with the first column left and the others right, indented."""
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    return [
        "  "
        + "  ".join(
            cell.rjust(width) if j else cell.ljust(width)
            for j, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _share(count: int, n: int) -> str:
    return f"{count / n:.4f} ({count}/{n})"


def _interval(low: int, high: int, n: int) -> str:
    return f"[{low / n:.4f}, {high / n:.4f}]"
