"""What could be drawn for labelling.  In: a snapshot.  Out: units with what was said of them.

A unit is a prediction, a pair of predictions on one item, or an item.  Each carries the verdicts of
the named judges and rules, digests of its texts, and tags that strata are made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finassay.errors import UsageError
from finassay.marking.drawing.pairs import pair_units
from finassay.marking.drawing.predictions import item_units, prediction_units
from finassay.marking.drawing.units import PopulationUnit, items_of
from finassay.records import SystemSpec
from finassay.study.adjudication.tasks import LabellingTask
from finassay.study.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """All units that could be drawn.

    Attributes:
        units: in the order of item, system and trial.
        systems: (system id, display name), sorted by name.
        scorers: the named judges and rules.
        lengths: most characters of "short" and of "middle" texts; empty where nobody asked.
        versions: (table, pinned version).
    """

    units: tuple[PopulationUnit, ...]
    systems: tuple[tuple[str, str], ...]
    scorers: tuple[str, ...]
    lengths: tuple[int, ...]
    versions: tuple[tuple[str, int], ...]


def population_of(
    snapshot: Snapshot,
    task: LabellingTask,
    *,
    scorers: Sequence[str],
    systems: Sequence[str] = (),
    trial: int = 0,
) -> Population:
    """Return the units that a task could be asked of.

    Args:
        snapshot: pinned tables.
        task: decides what a unit is; for tasks with labels of the items, items without are left
            out, and for reference review those without a reference.
        scorers: judges and rules whose verdicts are frozen; for pairs, scorers of comparisons.
        systems: display names or ids; every model by default, or every system without any.
        trial: which trial of each system.

    Raises:
        MissingVerdictsError: a named scorer holds no verdicts here.
        UsageError: nothing can be drawn.
        UnknownNameError: there is no such system.
    """
    chosen = _systems(snapshot, systems)
    items = items_of(snapshot, task)
    lengths: tuple[int, ...] = ()
    if task.unit == "item":
        units = item_units(snapshot, items, chosen, scorers, trial)
    elif task.unit == "pair":
        units, lengths = pair_units(snapshot, items, chosen, scorers, trial)
    else:
        units, lengths = prediction_units(snapshot, items, chosen, scorers, trial)
    if not units:
        raise UsageError(
            f"the study at {snapshot.root} holds nothing that the task {task.name!r} can be asked "
            f"of; import or run predictions first, or name other systems"
        )
    return Population(
        units=tuple(units),
        systems=tuple((spec.system_id, spec.name) for spec in chosen),
        scorers=tuple(scorers),
        lengths=lengths,
        versions=tuple(sorted(snapshot.versions.items())),
    )


def _systems(snapshot: Snapshot, names: Sequence[str]) -> list[SystemSpec]:
    every = snapshot.systems()
    if names:
        ids = {snapshot.resolve_system(name) for name in names}
        return [spec for spec in every if spec.system_id in ids]
    return [spec for spec in every if spec.kind == "model"] or every
