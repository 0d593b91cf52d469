"""Label cells of a study.  In: items, systems and replies.  Out: cells, and one sweep over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finassay.analyses.extraction.audit import Settings, audit_cell
from finassay.analyses.extraction.cells import LabelCell
from finassay.analyses.extraction.results_sweep import LabelSweep
from finassay.analyses.extraction.rows import sweep_row
from finassay.analyses.extraction.sweep import label_sweep
from finassay.analyses.results_audit import Finding
from finassay.analyses.wording import plural, some
from finassay.errors import UsageError
from finassay.marking.choice_replies import ChoiceReply
from finassay.records import Item, SystemSpec
from finassay.text.labels import Matcher, finder

_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyCells:
    """The cells of a study: every task whose items offer choices, by every system but people.

    Attributes:
        cells: in the order of tasks, then of systems.
        warnings: what was left out.
    """

    cells: tuple[LabelCell, ...]
    warnings: tuple[str, ...] = ()


def cells_of_study(
    items: Sequence[Item], systems: Sequence[SystemSpec], replies: Sequence[ChoiceReply]
) -> StudyCells:
    """Return the label cells of a study.

    Items belong to a task by their `task`, else by their family.  An item whose reference is none
    of its choices, or whose choices cannot be told apart in lower case, is left out and counted.

    Args:
        items: all items.
        systems: all systems.
        replies: replies to items with choices.
    """
    usable = {item.item_id: item for item in items if item.choices and _is_usable(item)}
    unusable = sum(bool(item.choices) for item in items) - len(usable)
    asked = {(reply.system_id, reply.item_id): reply for reply in replies}
    tasks: dict[str, list[Item]] = {}
    for item in usable.values():
        tasks.setdefault(item.task or item.family, []).append(item)
    found = tuple(
        cell
        for task in sorted(tasks)
        for system in systems
        if system.kind != "person"
        for cell in _cell(task, system, tasks[task], asked)
    )
    text = f"{plural(unusable, 'item')} left out: the reference is none of the choices"
    return StudyCells(cells=found, warnings=(text,) if unusable else ())


def study_extraction(study: StudyCells) -> LabelSweep | None:
    """Return the sweep over the cells of a study; None where no item offers choices."""
    if not study.cells:
        return None
    # The rows hold no bounds of F1, so none are searched for.
    settings = Settings(limit=1)
    rows = [sweep_row(audit_cell(cell, settings)) for cell in study.cells]
    return label_sweep(
        rows,
        matcher=settings.matcher.name,
        item_ids=[cell.ids for cell in study.cells],
        warnings=study.warnings,
    )


def extraction_findings(sweep: LabelSweep | None) -> Iterator[Finding]:
    """Yield what a reader must know of label extraction before quoting a number."""
    open_cells = [row for row in sweep.rows if row.outcome == "undetermined"] if sweep else []
    if sweep is not None and open_cells:
        titles = [f"{row.task} / {row.system}" for row in open_cells]
        more = f" and {len(titles) - _SHOWN} more" if len(titles) > _SHOWN else ""
        yield Finding(
            severity="high" if sweep.changing else "medium",
            title=f"The extraction rule decides {plural(len(open_cells), 'comparison')} "
            f"with a constant answer",
            evidence=(
                f"of {plural(len(sweep.rows), 'cell')}, {len(open_cells)} reach both sides of "
                f"their floor: {some(titles[:_SHOWN])}{more}"
            ),
            advice="name the rule that reads labels beside every score on these tasks",
            link="extraction",
        )


def _is_usable(item: Item) -> bool:
    try:
        found = finder(Matcher(), tuple(item.choices))
    except UsageError:
        return False
    return item.reference is not None and found.index_of(item.reference) is not None


def _cell(
    task: str,
    system: SystemSpec,
    items: Sequence[Item],
    asked: dict[tuple[str, str], ChoiceReply],
) -> Iterator[LabelCell]:
    """Yield the cell of a task and a system, if the system answered any of its items."""
    answered = [item for item in items if (system.system_id, item.item_id) in asked]
    if not answered:
        return
    given = [asked[system.system_id, item.item_id] for item in answered]
    cards = tuple(tuple(item.choices) for item in answered)
    is_one = len(set(cards)) == 1
    yield LabelCell(
        task=task,
        system=system.name,
        arm=system.prompt_arm,
        budget=system.budget,
        choices=cards[0] if is_one else (),
        item_choices=() if is_one else cards,
        replies=tuple(reply.text for reply in given),
        golds=tuple(item.reference or "" for item in answered),
        item_ids=tuple(item.item_id for item in answered),
        finishes=tuple(reply.finish for reply in given),
    )
