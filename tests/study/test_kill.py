"""A writer that is killed leaves the old partition or the new one, never a mixture."""

import pytest

from finassay.study import Study
from finassay.study.check import check
from finassay.study.clean import clean
from study_processes import Child, run_and_kill, run_and_measure
from study_samples import SYSTEM, answers, in_run, item

pytestmark = pytest.mark.full

ROWS = 2000


@pytest.mark.parametrize(
    "points", [10, pytest.param(50, marks=pytest.mark.long)], ids=["ten", "fifty"]
)
def test_a_write_killed_at_any_point_leaves_old_or_new(study: Study, points: int):
    study.drop("verdicts", {"scorer_id": "exact", "scorer_version": "1", **_system()})
    study.add_items([item(f"{i:02d}") for i in range(ROWS)], benchmark="demo")
    old = answers(n=ROWS)
    new = answers(n=ROWS, suffix=" new").sort("item_id")
    study.commit("predictions", old, partition=in_run())
    old = old.sort("item_id")
    took = run_and_measure(Child("overwrite", study.root, ROWS))
    assert _held(study).equals(new)
    for point in range(points):
        study.commit("predictions", old, partition=in_run())
        run_and_kill(Child("overwrite", study.root, ROWS), took * point / (points - 1))
        survived = Study.open(study.root)
        held = _held(survived)
        assert held.equals(old) or held.equals(new), f"mixture at point {point}"
        if point % 10 == 0:
            assert check(survived).problems == ()
    before = study.snapshot()
    clean(study, older_than_hours=0)
    assert check(study).problems == ()
    assert study.snapshot().digests() == before.digests()
    assert clean(study, older_than_hours=0).files == ()
    assert not list(study.root.glob("*.tmp"))
    first = study.snapshot({"predictions": 1})
    assert first.frame("predictions").height == 3


def _system() -> dict[str, str]:
    return {"system_id": SYSTEM.system_id}


def _held(study: Study):  # noqa: ANN202
    return study.snapshot().frame("predictions", system_id=SYSTEM.system_id)
