"""Uses of the public names that must type-check; mypy reads this file and nothing runs it."""

from __future__ import annotations

from typing import assert_type

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.multiverse.from_study import MultiverseRequest, multiverse_of_study
from finassay.analyses.results_multiverse import MultiverseResult
from finassay.errors import FinassayError, UsageError
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.multiverse.grid import Cell
from finassay.marking.multiverse.grid_file import built_in_grid
from finassay.records import Item, Prediction, Status, SystemSpec, Verdict
from finassay.scorers.base import Scorer
from finassay.scorers.registry import load_scorer, scorer_names, to_spec
from finassay.study.snapshot import Snapshot


def mark(scorer: Scorer, item: Item, prediction: Prediction) -> Verdict:
    """Return what any scorer says."""
    verdict = scorer.score(item=item, prediction=prediction)
    assert_type(verdict, Verdict)
    assert_type(verdict.value, float | None)
    assert_type(verdict.status, Status)
    return verdict


def by_name() -> str:
    """Return the spec of the first scorer."""
    assert_type(scorer_names(), tuple[str, ...])
    return to_spec(load_scorer(scorer_names()[0]))


def matrix(cells: list[tuple[tuple[str, ...], str, Status, float | None]]) -> NDArray[np.bool_]:
    """Return which cells hold a value."""
    found = VerdictMatrix.from_cells(cells, row_names=("item_id",), column_name="system_id")
    assert_type(found.select(columns=["a"]), VerdictMatrix)
    return found.scored


def rules(name: str) -> tuple[Cell, ...]:
    """Return the rules of a grid that ships."""
    cells = built_in_grid(name).cells(judge="judge/x")
    assert_type(cells[0].scorer, Scorer)
    assert_type(cells[0].weight, float)
    return cells


def every_rule(snapshot: Snapshot) -> MultiverseResult:
    """Return a study under every rule."""
    found = multiverse_of_study(snapshot, MultiverseRequest(task="qa", judge="none"))
    assert_type(found.accuracy, tuple[tuple[float | None, ...], ...])
    return found


def identity(system: SystemSpec) -> str:
    """Return the id of a system."""
    return system.system_id


def code(error: FinassayError) -> int:
    """Return the exit code of an error."""
    if isinstance(error, UsageError):
        assert_type(error, UsageError)
    return error.exit_code
