"""Label audits of log files.  In: declared logs.  Out: every cell, what its log says, one sweep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple

from finassay.analyses.extraction.audit import CellAudit, Settings, audit_cell
from finassay.analyses.extraction.card_order import (
    CardOrder,
    Contradiction,
    Reproduction,
    contradictions,
    infer_card_order,
    reproduce_log,
)
from finassay.analyses.extraction.cells import LabelCell
from finassay.analyses.extraction.results_sweep import HumanAgreement, LabelSweep, SweepRow
from finassay.analyses.extraction.rows import human_agreement, sweep_row
from finassay.analyses.extraction.sweep import label_sweep
from finassay.errors import UsageError
from finassay.marking.engines import LOCAL, Engine, in_order
from finassay.runs.importers.label_cells import CellSpec
from finassay.runs.importers.label_logs import LabelColumns, LabelLog, read_label_log
from finassay.runs.importers.sources import Progress

ChoicesFrom = Literal["declared", "table", "log", "log, in inferred card order"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogAudit:
    """The audit of one log.

    Attributes:
        source: name of the file.
        is_flare: whether it has the shape of a FLARE `write_out` log.
        n_bad: rows that could not be used.
        choices_from: where the labels and their order come from; "log" is the alphabetical order
            of the labels seen in it, which no card vouches for.
        cell: the audit of its replies.
        card_order: what the log shows of the card order; None without logged marks.
        logged: how far extraction in card order gives the logged marks; None without marks.
        contradictions: rows whose logged values contradict each other.
        human: agreement of every rule with a person's reading; () where there is none.
        warnings: what a reader must know of the log.
    """

    source: str
    is_flare: bool
    n_bad: int
    choices_from: ChoicesFrom
    cell: CellAudit
    card_order: CardOrder | None
    logged: Reproduction | None
    contradictions: tuple[Contradiction, ...]
    human: tuple[HumanAgreement, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAudit:
    """The audits of some logs, and all of them side by side.

    Attributes:
        logs: one a log, in the order given.
        sweep: all cells in one table.
    """

    logs: tuple[LogAudit, ...]
    sweep: LabelSweep


def audit_label_logs(
    specs: Sequence[CellSpec],
    *,
    settings: Settings | None = None,
    columns: LabelColumns | None = None,
    encoding: str = "utf-8",
    strict: bool = False,
    engine: Engine = LOCAL,
    progress: Progress | None = None,
) -> LabelAudit:
    """Return the label audits of log files.

    Args:
        specs: what is declared of each log.
        settings: matcher, rules and what else is assumed of every cell.
        columns: which column of the logs is what; found by their names by default.
        encoding: a Python codec name.
        strict: a row that cannot be used is an error.
        engine: where logs are audited; the result is the same wherever.
        progress: called after each log with logs done and logs in all.

    Raises:
        UsageError: no log, or labels that cannot be told apart or lack an accepted one.
        InputError: a log cannot be read.
    """
    if not specs:
        raise UsageError("nothing to audit: name at least one log")
    used = settings or Settings()
    reading = _Reading(used, columns or LabelColumns(), encoding, strict)
    # Another process may stand in another directory.
    named = specs if engine.is_here else [replace(s, file=s.file.resolve()) for s in specs]
    made, rows, ids = [], [], []
    for audited, row, items in in_order(engine.map(partial(_audited, reading), named)):
        made.append(audited)
        rows.append(row)
        ids.append(items)
        if progress is not None:
            progress(len(made), len(specs))
    human = [found for audit in made for found in audit.human]
    sweep = label_sweep(rows, matcher=used.matcher.name, item_ids=ids, human=human)
    return LabelAudit(logs=tuple(made), sweep=sweep)


class _Reading(NamedTuple):
    """How every log of an audit is read."""

    settings: Settings
    columns: LabelColumns
    encoding: str
    strict: bool


def _audited(reading: _Reading, spec: CellSpec) -> tuple[LogAudit, SweepRow, tuple[str, ...]]:
    """Return one log audited, its row of the sweep, and the ids of its items."""
    settings, columns, encoding, strict = reading
    asked = replace(columns, stratum=spec.stratum)
    log = read_label_log(spec.file, columns=asked, encoding=encoding, strict=strict)
    audited, items = _audit_log(log, spec, settings)
    return audited, sweep_row(audited.cell, answers=spec.answers), items


def _audit_log(
    log: LabelLog, spec: CellSpec, settings: Settings
) -> tuple[LogAudit, tuple[str, ...]]:
    has_marks = any(row.is_right is not None for row in log.rows)
    shared = _shared_choices(log, spec)
    order = infer_card_order(log, shared) if has_marks and shared else None
    cell, choices_from = cell_of(log, spec, order=order)
    humans = [row.human for row in log.rows]
    is_read = any(human is not None for human in humans)
    audit = LogAudit(
        source=log.source,
        is_flare=log.is_flare,
        n_bad=len(log.bad),
        choices_from=choices_from,
        cell=audit_cell(cell, settings),
        card_order=order,
        logged=reproduce_log(log, cell.choices) if has_marks and cell.choices else None,
        contradictions=contradictions(log),
        human=human_agreement(cell, humans, settings) if is_read else (),
        warnings=_warnings(log, choices_from, order, spec.choices),
    )
    return audit, cell.ids


def cell_of(
    log: LabelLog, spec: CellSpec, *, order: CardOrder | None = None
) -> tuple[LabelCell, ChoicesFrom]:
    """Return the cell of a log, and where its labels come from.

    Labels are those declared, else those that the table offers, else those seen in the log; the
    last ones in the card order that its marks give away, where they do.  Rows whose names repeat
    are numbered.

    Args:
        log: the log.
        spec: what is declared of it.
        order: what the log shows of the card order.
    """
    names = tuple(row.row for row in log.rows)
    per_item = tuple(row.choices for row in log.rows)
    varied = not spec.choices and len(set(per_item)) > 1 and all(per_item)
    choices, choices_from = _choices(log, spec, order)
    cell = LabelCell(
        task=spec.task,
        system=spec.system,
        arm=spec.arm,
        budget=spec.budget,
        split=spec.split,
        choices=() if varied else choices,
        item_choices=per_item if varied else (),
        replies=tuple(row.reply for row in log.rows),
        golds=tuple(row.gold for row in log.rows),
        item_ids=names if len(set(names)) == len(names) else (),
        strata=tuple(row.stratum for row in log.rows) if spec.stratum else (),
    )
    return cell, choices_from


def _shared_choices(log: LabelLog, spec: CellSpec) -> tuple[str, ...]:
    """Return the labels of every row; () where rows offer different ones."""
    if spec.choices or len({row.choices for row in log.rows}) == 1:
        return spec.choices or log.choices()
    return ()


def _choices(
    log: LabelLog, spec: CellSpec, order: CardOrder | None
) -> tuple[tuple[str, ...], ChoicesFrom]:
    if spec.choices:
        return spec.choices, "declared"
    if any(row.choices for row in log.rows):
        return log.choices(), "table"
    if order is not None and order.order is not None:
        return order.order, "log, in inferred card order"
    return log.choices(), "log"


def _warnings(
    log: LabelLog,
    choices_from: ChoicesFrom,
    order: CardOrder | None,
    declared: tuple[str, ...],
) -> tuple[str, ...]:
    found = []
    if log.bad:
        first = log.bad[0]
        found.append(
            f"{len(log.bad)} rows cannot be used, the first in line {first.line}: {first.reason}"
        )
    if len({row.row for row in log.rows}) < len(log.rows):
        found.append("names of rows repeat, so they are numbered")
    if choices_from == "log":
        found.append(
            "the labels were read off the log, in alphabetical order: scores of rules that go by "
            "card order hold only if the card has that order"
        )
    if order is not None and order.state == "no order fits":
        found.append(order.reason)
    known = order.order if order is not None else None
    if known is not None and choices_from == "declared" and known != declared:
        found.append(
            f"the declared order {', '.join(declared)} does not give the logged marks, which show "
            f"{', '.join(known)}"
        )
    return tuple(found)
