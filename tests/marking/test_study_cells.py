"""Reading system by system gives what one table of all verdicts gives."""

from pathlib import Path

import numpy as np
import pytest
from deltalake import write_deltalake

from finassay.errors import CellClashError
from finassay.marking.scoring import score_study
from finassay.marking.study_cells import Cells, replies_of
from finassay.marking.table import VerdictTable, newest_versions
from finassay.marking.view import load_verdicts
from finassay.records import SystemSpec
from finassay.study import Study
from finassay.study.snapshot import Snapshot
from marking_studies import put_replies, put_verdicts
from study_samples import OTHER, SYSTEM, marks, of_scorer, small_study

RULES = ("exact", "token_f1")
ITEMS = ["00", "01", "02"]


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    """Every system is a block of its own."""
    made = small_study(tmp_path / "s")
    score_study(made, scorers=RULES)
    spec = SystemSpec(name="judged")
    made.add_system(spec)
    put_replies(made, spec, {"00": "yes", "02": "ERROR: timed out", "99": "no such item"})
    said = [("00", "scored", 0.25), ("02", "no_answer", None), ("99", "scored", 1.0)]
    put_verdicts(made, said, spec=spec, repeats=2)
    monkeypatch.setattr(Snapshot.blocks, "__kwdefaults__", {"most": 1})
    monkeypatch.setattr("finassay.marking.study_cells.BLOCK_ROWS", 0)
    return made


def cells(study: Study) -> Cells:
    snapshot = study.snapshot()
    return Cells(snapshot, ITEMS, snapshot.systems())


def slowly(study: Study, scorer_id: str):
    """Return the matrix from one table of all verdicts."""
    frame = load_verdicts(study.snapshot()).frame
    own = VerdictTable(newest_versions(frame)).where(scorer_id=scorer_id, trial=0, repeat=0)
    return own.matrix(rows=("item_id",), columns="system", row_order=[(one,) for one in ITEMS])


@pytest.mark.parametrize("scorer_id", [*RULES, "judge/a"])
def test_blocks_give_the_matrix_of_the_whole_table(study: Study, scorer_id: str):
    found, _ = cells(study).of(scorer_id, 0)
    expected = slowly(study, scorer_id)
    assert found is not None
    assert (found.rows, found.columns) == (expected.rows, expected.columns)
    assert np.array_equal(found.values, expected.values)
    assert np.array_equal(found.status, expected.status)


def test_the_newest_version_of_a_scorer_is_read(study: Study):
    newer = marks(study, "exact", OTHER, value=0.5)
    newer = newer.with_columns(scorer_version=newer["scorer_version"].replace("1", "10"))
    study.commit("verdicts", newer, partition=of_scorer("exact", OTHER, "10"))
    found, _ = cells(study).of("exact", 0)
    assert found is not None
    assert found.columns == (OTHER.name,)
    assert found.values.ravel().tolist() == [0.5] * 3


def test_a_trial_without_verdicts_has_no_matrix(study: Study):
    assert cells(study).of("exact", 3) == (None, ())


def test_two_verdicts_under_one_key_are_refused(study: Study):
    twice = marks(study, "judge/b", SYSTEM)
    for _ in range(2):
        write_deltalake(study.root / "verdicts", twice.to_arrow(), mode="append")
    with pytest.raises(CellClashError, match="two verdicts stand under one key"):
        cells(study).of("judge/b", 0)


def test_replies_are_told_by_system_whatever_the_blocks(study: Study):
    snapshot = study.snapshot()
    names = {spec.system_id: spec.name for spec in snapshot.systems()}
    found = replies_of(snapshot, names, trial=0)
    assert list(found.lengths) == ["alpha", "beta", "judged"]
    assert found.lengths["judged"] == (3, 16, 12)
    assert found.errors == {"judged": ("02",)}
    assert found.count == 9
