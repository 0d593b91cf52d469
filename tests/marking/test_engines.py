"""Engines by name, and large systems in slices."""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine_studies import RULES, study_of
from finassay.errors import MarkingError, MissingExtraError, UsageError
from finassay.marking import regime_scoring, scoring, units
from finassay.marking.engines import LOCAL, in_order, open_engine
from finassay.marking.regime_scoring import score_regimes
from finassay.marking.rowwise import Marker
from finassay.marking.scoring import score_study
from finassay.records import Item, Prediction, RunRecord, SystemSpec, Verdict
from finassay.study import Study
from finassay.study.clean import clean
from finassay.study.pieces import scan_pieces, slices
from finassay.study.redact import redact
from finassay.study.rows import predictions_frame

SYSTEM = SystemSpec(name="m0").system_id


@pytest.fixture(scope="module")
def unmarked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return study_of(tmp_path_factory.mktemp("engines") / "study", systems=2, items=40).root


@pytest.fixture
def study(unmarked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.setattr(scoring, "MOST_TOGETHER", 15)
    monkeypatch.setattr(regime_scoring, "MOST_HELD", 15)
    return Study.open(shutil.copytree(unmarked, tmp_path / "study"))


def parts(study: Study) -> list[Path]:
    return sorted(study.root.glob("marked-*.tmp"))


class Marked(list[int]):
    """Numbers of rows that a marker was given."""


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> Marked:
    seen = Marked()

    def mark(self: Marker, scorer: object) -> object:
        seen.append(len(self.batch))
        return whole(self, scorer)

    whole = Marker.mark
    monkeypatch.setattr(units.Marker, "mark", mark)
    return seen


def stop_before(place: int) -> scoring.Progress:
    def stop(done: int, _total: int, _label: str) -> None:
        if done == place:
            raise KeyboardInterrupt

    return stop


def test_slices_hold_every_row_once_and_no_more_than_asked(tmp_path: Path):
    study = Study.create(tmp_path / "a study")
    study.add_items([Item(item_id=f"q{n}", reference="5") for n in range(23)], benchmark="demo")
    study.add_system(SystemSpec(name="m0"))
    for run, (start, end) in {"run é": (0, 9), "run b": (9, 10), "run c": (10, 23)}.items():
        study.add_run(RunRecord(run_id=run, system_id=SYSTEM))
        rows = predictions_frame(
            Prediction(item_id=f"q{n}", system_id=SYSTEM, text=f"It is {n}.", run_id=run)
            for n in range(start, end)
        )
        study.commit("predictions", rows, partition={"system_id": SYSTEM, "run_id": run})
    snapshot = study.snapshot()
    cut = list(slices(snapshot, "predictions", SYSTEM, most=4))
    frames = [scan_pieces(snapshot, "predictions", pieces).collect() for pieces in cut]
    assert [frame.height for frame in frames] == [4, 4, 4, 4, 4, 3]
    read = sorted(row for frame in frames for row in frame.rows())
    assert read == sorted(snapshot.frame("predictions").rows())
    assert snapshot.rows_of_systems("predictions") == {SYSTEM: 23}
    assert scan_pieces(snapshot, "predictions", ()).collect().height == 0


def test_slices_give_the_table_of_whole_systems(study: Study, unmarked: Path, tmp_path: Path):
    score_study(study, scorers=RULES)
    score_regimes(study)
    scoring.MOST_TOGETHER = regime_scoring.MOST_HELD = 1000
    whole = Study.open(shutil.copytree(unmarked, tmp_path / "whole"))
    score_study(whole, scorers=RULES)
    score_regimes(whole)
    assert study.snapshot().digest("verdicts") == whole.snapshot().digest("verdicts")
    assert not parts(study)


def test_a_stopped_run_takes_over_the_slices_that_were_finished(study: Study, marked: Marked):
    with pytest.raises(KeyboardInterrupt, match=r"^$"):
        score_study(study, scorers=RULES, systems=["m0"], progress=stop_before(2))
    assert study.snapshot().frame("verdicts").height == 0
    assert len(parts(study)) == 2 * len(RULES)
    marked.clear()
    report = score_study(study, scorers=RULES, systems=["m0"])
    assert marked == [10] * len(RULES)
    assert report.marked == 40 * len(RULES)
    assert not parts(study)


def test_a_finished_slice_that_was_cut_is_made_again(study: Study, marked: Marked):
    with pytest.raises(KeyboardInterrupt, match=r"^$"):
        score_study(study, scorers=RULES[:1], systems=["m0"], progress=stop_before(2))
    cut = parts(study)[0]
    os.truncate(cut, cut.stat().st_size // 2)
    marked.clear()
    score_study(study, scorers=RULES[:1], systems=["m0"])
    assert marked == [15, 10]
    assert study.snapshot().frame("verdicts").height == 40


def test_a_finished_slice_of_older_items_is_made_again(study: Study, marked: Marked):
    with pytest.raises(KeyboardInterrupt, match=r"^$"):
        score_study(study, scorers=["exact"], systems=["m0"], progress=stop_before(2))
    items = [Item(item_id=f"q{n:05}", reference="1 days") for n in range(40)]
    study.add_items(items, benchmark="demo")
    marked.clear()
    score_study(study, scorers=["exact"], systems=["m0"])
    assert marked == [15, 15, 10]
    values = dict(study.snapshot().frame("verdicts").select("item_id", "value").iter_rows())
    replies = study.snapshot().frame("predictions", system_id=SYSTEM)
    for item_id, text in replies.select("item_id", "text").iter_rows():
        expected = None if not text else float(text == "1 days")
        assert values[item_id] == expected


@pytest.mark.parametrize("remove", [clean, redact])
def test_finished_slices_are_removed_with_what_else_is_left_over(study: Study, remove: object):
    with pytest.raises(KeyboardInterrupt, match=r"^$"):
        score_study(study, scorers=RULES, systems=["m0"], progress=stop_before(2))
    if remove is clean:
        clean(study, older_than_hours=0)
    else:
        redact(study, pattern="days")
    assert not parts(study)


def test_tasks_of_several_workers_are_small_enough_for_all(
    study: Study, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(scoring, "MOST_TOGETHER", 1000)
    monkeypatch.setattr(scoring, "FEWEST_TOGETHER", 10)

    class Wide:
        name, is_here, width, map = "wide", True, 2, LOCAL.map

    told: list[str] = []
    score_study(study, scorers=RULES, engine=Wide(), progress=lambda *step: told.append(step[2]))
    assert told == ["m0", "m1", ""]


def test_results_are_given_in_order_as_soon_as_all_before_them_are_there():
    given = iter([(1, "b"), (0, "a"), (2, "c")])
    ordered = in_order(given)
    assert next(ordered) == "a"
    assert next(given) == (2, "c")
    assert list(ordered) == ["b"]


@pytest.mark.parametrize(
    ("asked", "match"),
    [
        ({"name": "dask"}, "the engine must be one of local, ray, got 'dask'"),
        ({"workers": 2}, "--workers is for the engine 'ray'"),
        ({"address": "auto"}, "--address is for the engine 'ray'"),
        ({"name": "ray", "workers": 0}, "`workers` must be 1 or more, got 0"),
    ],
)
def test_an_engine_that_cannot_be_had_is_refused(asked: dict[str, str], match: str):
    with pytest.raises(UsageError, match=match), open_engine(**asked):
        raise AssertionError(asked)


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(MissingExtraError, match=r'run pip install "finassay\[ray\]"'),
        open_engine("ray"),
    ):
        raise AssertionError("ray")


def test_an_address_where_nothing_answers_is_told_at_once():
    pytest.importorskip("ray")
    with (
        pytest.raises(MarkingError, match=r"no Ray cluster answers at '127\.0\.0\.1:1': "),
        open_engine("ray", address="127.0.0.1:1"),
    ):
        raise AssertionError("answered")


@dataclass(frozen=True)
class Unregistered:
    """A scorer that nobody can build from its name."""

    name = "house/unregistered"
    version = "1"

    def score(self, *, item: Item, prediction: Prediction) -> Verdict:
        del item, prediction
        return Verdict(status="scored", value=1.0)


def test_a_scorer_that_workers_cannot_build_is_refused_before_any_work(study: Study):
    class Elsewhere:
        name, is_here, width, map = "elsewhere", False, 2, LOCAL.map

    before = study.snapshot().versions
    with pytest.raises(UsageError, match="'house/unregistered' cannot be sent to workers"):
        score_study(study, scorers=[Unregistered()], engine=Elsewhere())
    assert study.snapshot().versions == before
    assert score_study(study, scorers=[Unregistered()]).marked == 80


def test_a_process_that_has_only_the_job_makes_the_same_table(study: Study, tmp_path: Path):
    class Elsewhere:
        name, is_here, width, map = "elsewhere", False, 2, LOCAL.map

    other = Study.open(shutil.copytree(study.root, tmp_path / "other"))
    score_study(study, scorers=RULES, engine=Elsewhere())
    score_study(other, scorers=RULES)
    assert study.snapshot().digest("verdicts") == other.snapshot().digest("verdicts")
    assert score_study(study, scorers=RULES, engine=Elsewhere()).marked == 0
