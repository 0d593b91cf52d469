"""A study under a grid of rules.  In: a snapshot and what is asked.  Out: one frozen result."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np

from finassay.analyses.multiverse.analysis import MultiverseSettings, analyse_multiverse
from finassay.analyses.multiverse.floor import RIGHT, UNLABELLED, WRONG, PeopleLabels
from finassay.analyses.results_multiverse import MultiverseResult
from finassay.analyses.units import units_of
from finassay.errors import InputError, MappingError, UsageError
from finassay.marking.engines import LOCAL, Engine
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.multiverse.cube import Multiverse
from finassay.marking.multiverse.dimensions import JUDGE, UNSCORED_CHOICES, Task
from finassay.marking.multiverse.grid import Grid
from finassay.marking.multiverse.grid_file import built_in_grid
from finassay.marking.multiverse.study import mark_multiverse, task_of
from finassay.marking.scoring import Progress
from finassay.marking.view import scorer_matrix
from finassay.records import RIGHT as LEAST_RIGHT
from finassay.records import Unscored
from finassay.scorers.registry import load_scorer
from finassay.study.snapshot import Snapshot

NO_JUDGE = "none"

CALIBRATION_COLUMNS = ("item_id", "system", "right")
_TRUTHS = {"1": RIGHT, "0": WRONG, "true": RIGHT, "false": WRONG, "right": RIGHT, "wrong": WRONG}


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiverseRequest:
    """What is asked of a study.

    Attributes:
        grid: the rules; the grid that ships for the task if None.
        task: "qa" or "labels"; what the items ask for if None.
        judge: scorer id of the judge; "none" for no judge; the first by name if None.
        base: choices of the base rule as "dimension=choice,...", or a scorer id that is a rule of
            the grid; the grid's own if None.
        unscored: "wrong" or "exclude" for all rules; as each rule says if None.
        weighted: False takes all choices of a dimension for equally plausible.
        people: scorer id of the labels for a kappa floor, or a CSV file with the columns item_id,
            system and right.
    """

    grid: Grid | None = None
    task: Task | None = None
    judge: str | None = None
    base: str | None = None
    unscored: str | None = None
    weighted: bool = True
    people: str | None = None


def multiverse_of_study(
    snapshot: Snapshot,
    request: MultiverseRequest | None = None,
    *,
    settings: MultiverseSettings | None = None,
    engine: Engine = LOCAL,
    progress: Progress | None = None,
) -> MultiverseResult:
    """Return a study under every rule of a grid, analysed.

    Args:
        snapshot: pinned tables.
        request: grid, judge, base and the rest.
        settings: levels, draws, clusters, floor.
        engine: where replies are marked; the result is the same wherever.
        progress: called before each block of replies.

    Raises:
        UsageError: something asked for does not fit the study or the grid.
        MissingVerdictsError: the judge or the people asked for hold no verdicts.
    """
    asked = request or MultiverseRequest()
    people = None if asked.people is None else people_labels(snapshot, asked.people)
    items = snapshot.items()
    if settings is not None:
        # A column that is not there is said before the work, not after it.
        units_of(items, settings.cluster)
    multiverse = marked(snapshot, asked, engine=engine, progress=progress)
    return analyse_multiverse(
        multiverse,
        items=items,
        study=snapshot.config.name,
        settings=settings,
        people=people,
    )


def marked(
    snapshot: Snapshot,
    asked: MultiverseRequest,
    *,
    engine: Engine = LOCAL,
    progress: Progress | None = None,
) -> Multiverse:
    """Return the verdicts of every rule that is asked for."""
    grid = asked.grid or built_in_grid(asked.task or task_of(snapshot))
    if asked.task is not None and grid.task != asked.task:
        raise UsageError(
            f"the grid {grid.name!r} is for {grid.task!r}, and {asked.task!r} was asked for; name "
            f"another grid or leave the task out"
        )
    if asked.unscored is not None:
        if asked.unscored not in UNSCORED_CHOICES:
            raise UsageError(
                f"the unscored policy of a rule must be one of {UNSCORED_CHOICES}, got "
                f"{asked.unscored!r}: a rule of a grid gives one accuracy, not two bounds"
            )
        grid = grid.with_unscored(cast("Unscored", asked.unscored))
    if asked.judge == NO_JUDGE and grid.has_judge:
        grid = grid.without(JUDGE)
    if asked.base is not None:
        grid = grid.with_base(_base(grid, asked.base))
    return mark_multiverse(
        snapshot,
        grid,
        judge=None if asked.judge == NO_JUDGE else asked.judge,
        weighted=asked.weighted,
        engine=engine,
        progress=progress,
    )


def _base(grid: Grid, text: str) -> dict[str, str]:
    """Return the choices that a text names, or those of the rule that it is the id of."""
    if "=" in text and "[" not in text:
        pairs = [part.partition("=") for part in text.split(",")]
        return {name.strip(): choice.strip() for name, _, choice in pairs}
    scorer = load_scorer(text)
    rules = grid.without(JUDGE) if grid.has_judge else grid
    for cell in rules.cells():
        if cell.scorer == scorer:
            return dict(cell.choices)
    raise UsageError(
        f"no rule of the grid {grid.name!r} is {text!r}; give the base as dimension=choice,..., of "
        f"the dimensions {', '.join(one.name for one in grid.dimensions)}"
    )


def people_labels(snapshot: Snapshot, people: str) -> PeopleLabels:
    """Return the labels of a scorer of the study, or of a CSV file.

    Raises:
        MissingVerdictsError: the scorer holds no verdicts.
        InputError: the file cannot be read.
        MappingError: it lacks a column.
    """
    if people.lower().endswith(".csv"):
        return labels_of_file(Path(people))
    return labels_of(people, scorer_matrix(snapshot, people))


def labels_of(name: str, matrix: VerdictMatrix) -> PeopleLabels:
    """Return an items x systems matrix of verdicts as labels; what has no value is no label."""
    labels = np.where(matrix.values >= LEAST_RIGHT, np.int8(RIGHT), np.int8(WRONG))
    return PeopleLabels(
        name=name,
        items=matrix.labels("item_id"),
        systems=matrix.columns,
        labels=np.where(matrix.scored, labels, np.int8(UNLABELLED)).astype(np.int8),
    )


def labels_of_file(path: Path) -> PeopleLabels:
    """Return the labels of a CSV file with the columns item_id, system and right.

    Raises:
        InputError: it cannot be read, a label is no truth value, or a reply is labelled twice.
        MappingError: a column is missing.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            missing = [name for name in CALIBRATION_COLUMNS if name not in (rows.fieldnames or ())]
            if missing:
                raise MappingError(
                    f"{path}: the columns {missing} are missing, got {rows.fieldnames!r}"
                    "; rename the columns of the file, or name a scorer id such as person/NAME"
                )
            found = _cells(path, list(rows))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; check the path") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"{path}: cannot be read as UTF-8 CSV: {error}; save it as CSV in UTF-8"
        ) from error
    items = tuple(dict.fromkeys(item for item, _ in found))
    systems = tuple(dict.fromkeys(system for _, system in found))
    labels = np.full((len(items), len(systems)), UNLABELLED, dtype=np.int8)
    item_at, system_at = ({name: at for at, name in enumerate(n)} for n in (items, systems))
    for (item, system), label in found.items():
        labels[item_at[item], system_at[system]] = label
    return PeopleLabels(name=path.name, items=items, systems=systems, labels=labels)


def _cells(path: Path, rows: Sequence[dict[str, str]]) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    for number, row in enumerate(rows, start=2):
        key = row["item_id"], row["system"]
        said = (row["right"] or "").strip().lower()
        if key in found:
            raise InputError(
                f"{path}, line {number}: the reply {key} is labelled twice"
                "; keep one row for each reply"
            )
        if said not in _TRUTHS:
            raise InputError(
                f"{path}, line {number}: `right` must be one of {', '.join(_TRUTHS)}, got {said!r}"
            )
        found[key] = _TRUTHS[said]
    return found
