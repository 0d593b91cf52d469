from pathlib import Path

import pytest

from finassay.errors import MissingVerdictsError
from finassay.marking.regime_scoring import score_regimes
from finassay.marking.scoring import score_study
from finassay.marking.view import view_study
from finassay.records import Prediction, RunRecord, SystemSpec
from finassay.study import Study
from finassay.study.rows import predictions_frame
from study_samples import in_run, item, marks, of_scorer, small_study

TEXTS = ("", "ERROR: timed out", "a fine answer")


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return small_study(tmp_path / "s")


def odd_system(study: Study) -> SystemSpec:
    """Add a system with an empty reply, a transport error and a second trial."""
    spec = SystemSpec(name="odd")
    study.add_system(spec)
    study.add_run(RunRecord(run_id="odd-run", system_id=spec.system_id))
    rows = [
        Prediction(
            item_id=f"{at:02d}",
            system_id=spec.system_id,
            trial=trial,
            text=text,
            finish="stop" if text else "empty",
            run_id="odd-run",
            flags=("reference_cut",) if at == 2 else (),
        )
        for trial in (0, 1)
        for at, text in enumerate(TEXTS)
    ]
    study.commit("predictions", predictions_frame(rows), partition=in_run(spec, "odd-run"))
    return spec


def test_verdicts_lie_as_items_by_systems_in_order(study: Study):
    score_study(study, scorers=["includes"])
    view = view_study(study.snapshot())
    matrix = view.matrices["includes"]
    assert matrix.rows == (("00",), ("01",), ("02",))
    assert set(matrix.columns) == {"alpha", "beta"}
    assert matrix.scored.all()
    # "exact" has verdicts on one system only; that system is its only column
    assert view.matrices["exact"].columns == ("alpha",)


def test_the_replies_are_counted_without_their_texts(study: Study):
    odd_system(study)
    view = view_study(study.snapshot())
    assert view.empty_replies == {"odd": ("00",)}
    assert view.error_replies == {"odd": ("01",)}
    assert view.cut_references == {"odd": 1}
    assert view.trials == {"odd": 2}
    assert view.lengths["odd"] == (0, 16, 13)
    assert view.lengths["alpha"] == (17, 17, 17)


def test_regimes_stand_apart_and_say_who_decides(study: Study):
    items = [item("00", family="A"), item("01", family="A"), item("02", family="B")]
    study.add_items(items, benchmark="demo")
    for name, value in (("stored", 0.0), ("judge/x", 1.0)):
        study.add_scorer(name, "1", name=name, spec="{}", package_version="0")
        rows = marks(study, name, value=value)
        if name == "judge/x":
            rows = rows.filter(rows["item_id"] != "02")
        study.commit("verdicts", rows, partition=of_scorer(name))
    score_regimes(study)
    view = view_study(study.snapshot())
    assert not [name for name in view.matrices if name.startswith("regime/")]
    assert view.decided_by["strict"] == (("A", "stored"), ("B", "stored"))
    assert view.decided_by["judge-only"] == (("A", "judge/x"), ("B", "stored"))
    assert view.decided_by["judge-augmented"] == (("A", "stored or judge/x"), ("B", "stored"))
    assert view.regimes["judge-only"].values[:, 0].tolist() == [1.0, 1.0, 0.0]


def test_a_study_without_verdicts_says_what_to_run(tmp_path: Path):
    empty = Study.create(tmp_path / "empty")
    with pytest.raises(MissingVerdictsError, match="holds no verdicts; run `finassay score"):
        view_study(empty.snapshot())


def test_a_view_is_pinned_to_its_snapshot(study: Study):
    snapshot = study.snapshot()
    score_study(study, scorers=["includes"])
    assert set(view_study(snapshot).matrices) == {"exact"}
    assert dict(view_study(snapshot).versions) == dict(snapshot.versions)


def test_items_whose_verdict_is_a_baseline_of_coverage_are_named_by_rule(study: Study):
    points = item("00", reference="- the fee is owed\n- the notice came late")
    study.add_items([points, item("01"), item("02")], benchmark="demo")
    score_study(study, scorers=["includes", "key_points"])
    found = view_study(study.snapshot()).baselines
    assert set(found) == {"key_points"}
    assert "00" in found["key_points"]
