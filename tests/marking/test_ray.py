"""Marking on a Ray cluster of two workers, started once for this file."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import engine_studies
from engine_studies import RULES, SLICE, Deadly, die_always, fail, square, study_of
from finassay.analyses.compare import CompareSettings
from finassay.analyses.compare_study import compare_study
from finassay.analyses.extraction.log_audits import audit_label_logs
from finassay.analyses.kernels.resampling import UnitSums
from finassay.analyses.kernels.resampling_blocks import (
    pair_tails_in_blocks,
    rank_shares_in_blocks,
)
from finassay.errors import MarkingError
from finassay.marking import scoring
from finassay.marking.engines import LOCAL, Engine, in_order, open_engine
from finassay.marking.multiverse.grid_file import built_in_grid
from finassay.marking.multiverse.study import mark_multiverse
from finassay.marking.scoring import score_study
from finassay.marking.units import MarkingJob, Unit, mark_there
from finassay.marking.view import view_study
from finassay.runs.importers.label_cells import CellSpec
from finassay.study import Study
from finassay.study.check import check

ray = pytest.importorskip("ray", reason="Ray, an extra, is not installed")

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def cluster() -> Iterator[Engine]:
    with pytest.MonkeyPatch.context() as patch:
        # Workers find the helpers of tests where this process finds them.
        patch.setenv("PYTHONPATH", str(Path(engine_studies.__file__).parent))
        patch.delenv("RAY_ADDRESS", raising=False)
        with open_engine("ray", workers=2) as engine:
            yield engine


@pytest.fixture(scope="module")
def unmarked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return study_of(tmp_path_factory.mktemp("ray") / "study", systems=4, items=500).root


@pytest.fixture(scope="module")
def digest(unmarked: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    study = Study.open(shutil.copytree(unmarked, tmp_path_factory.mktemp("ray") / "local"))
    score_study(study, scorers=RULES)
    return study.snapshot().digest("verdicts")


@pytest.fixture
def study(unmarked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.setattr(scoring, "MOST_TOGETHER", SLICE)
    return Study.open(shutil.copytree(unmarked, tmp_path / "study"))


def test_results_come_back_with_the_place_of_their_task(cluster: Engine):
    assert dict(cluster.map(square, range(9))) == {n: n * n for n in range(9)}
    assert list(in_order(cluster.map(square, range(9)))) == [n * n for n in range(9)]


def test_slices_and_whole_systems_give_the_table_that_one_process_gives(
    cluster: Engine, study: Study, digest: str, unmarked: Path, tmp_path: Path
):
    report = score_study(study, scorers=RULES, engine=cluster)
    assert (report.marked, report.up_to_date) == (6000, 0)
    assert study.snapshot().digest("verdicts") == digest
    scoring.MOST_TOGETHER = 600
    whole = Study.open(shutil.copytree(unmarked, tmp_path / "whole"))
    score_study(whole, scorers=RULES, engine=cluster)
    assert whole.snapshot().digest("verdicts") == digest
    assert score_study(study, scorers=RULES, engine=cluster).up_to_date == 6000


def test_the_task_of_a_killed_worker_is_run_again_without_double_rows(
    cluster: Engine, study: Study, digest: str, tmp_path: Path
):
    flag = tmp_path / "died"
    report = score_study(study, scorers=RULES, engine=Deadly(cluster, flag))
    assert flag.exists()
    assert report.marked == 6000
    assert study.snapshot().digest("verdicts") == digest
    assert check(study).is_clean


@pytest.mark.long
def test_a_killed_driver_leaves_no_half_partition_and_is_resumed(
    cluster: Engine, study: Study, digest: str
):
    address = ray.get_runtime_context().gcs_address
    script = Path(engine_studies.__file__)
    done = subprocess.run([sys.executable, script, study.root, address], check=False)
    assert done.returncode == -signal.SIGKILL
    held = study.snapshot().frame("verdicts")
    assert held.height % 500 == 0
    assert held.height < 6000
    assert sorted(study.root.glob("marked-*.tmp"))
    report = score_study(study, scorers=RULES, engine=cluster)
    assert (report.marked, report.up_to_date) == (6000 - held.height, held.height)
    assert study.snapshot().digest("verdicts") == digest
    assert check(study).is_clean


def test_ctrl_c_keeps_what_came_back_and_the_command_goes_on(
    cluster: Engine, study: Study, digest: str
):
    address = ray.get_runtime_context().gcs_address
    script = Path(engine_studies.__file__)
    rules = [part for rule in RULES for part in ("--scorer", rule)]
    words = ["score", study.root, *rules, "--engine", "ray", "--address", address]
    done = subprocess.run(
        [sys.executable, script, "--interrupt", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    assert done.stderr.endswith(
        "finassay: stopped; what was committed is kept, run again to go on\n"
    )
    held = study.snapshot().frame("verdicts").height
    assert 0 < held < 6000
    assert check(study).is_clean
    report = score_study(study, scorers=RULES, engine=cluster)
    assert (report.marked, report.up_to_date) == (6000 - held, held)
    assert study.snapshot().digest("verdicts") == digest


def test_a_scorer_that_a_worker_lacks_is_named_with_the_machine(cluster: Engine, study: Study):
    job = MarkingJob(
        root=str(study.root),
        versions=tuple(study.snapshot().versions.items()),
        specs=('{"name": "house/rule", "version": "1", "parameters": {}}',),
    )
    unit = Unit(label="m0", systems=("x",))
    with pytest.raises(MarkingError, match=r"the worker on '.+' cannot build the scorer 'house"):
        list(cluster.map(partial(mark_there, job), [unit]))


def test_a_machine_that_does_not_see_the_study_is_named(cluster: Engine, tmp_path: Path):
    job = MarkingJob(root=str(tmp_path / "elsewhere"), versions=(), specs=())
    with pytest.raises(MarkingError, match=r"sees no study at '.+elsewhere'; expected every"):
        list(cluster.map(partial(mark_there, job), [Unit(label="m0", systems=("x",))]))


def test_a_task_that_fails_is_told_with_its_error(cluster: Engine):
    with pytest.raises(MarkingError, match="failed on a worker: LookupError: nothing at 3; "):
        list(cluster.map(fail, [3]))


def test_a_task_that_kills_every_worker_is_given_up(
    cluster: Engine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("finassay.marking.engines.ray_cluster.RETRIES", 1)
    with pytest.raises(MarkingError, match=r"given up after 2 tries: .+; the usual cause is"):
        list(cluster.map(die_always, [0]))


@pytest.mark.long
def test_every_rule_of_a_grid_marks_as_in_one_process(cluster: Engine, tmp_path: Path):
    snapshot = study_of(tmp_path / "study", systems=3, items=40).snapshot()
    grid = built_in_grid("qa")
    here, there = (
        mark_multiverse(snapshot, grid, systems=["m0", "m2"], engine=engine)
        for engine in (LOCAL, cluster)
    )
    assert (here.cells, here.items, here.systems) == (there.cells, there.items, there.systems)
    assert np.array_equal(here.sheets, there.sheets)
    assert np.array_equal(here.sheet, there.sheet)
    assert np.array_equal(here.present, there.present)


@pytest.mark.long
def test_logs_of_labels_are_audited_as_in_one_process(cluster: Engine, tmp_path: Path):
    specs = []
    for number in range(3):
        rows = [f"q{n},{['yes', 'no'][n % 2]}. It is {n % number if number else 'so'},"
                f"{'yes' if n % 3 else 'no'}" for n in range(20)]  # fmt: skip
        path = tmp_path / f"log{number}.csv"
        path.write_text("\n".join(["item_id,reply,gold", *rows]))
        specs.append(CellSpec(file=path, system=f"m{number}", choices=("no", "yes")))
    assert audit_label_logs(specs, engine=cluster) == audit_label_logs(specs)


def test_pairs_are_tested_as_in_one_process(cluster: Engine, study: Study):
    score_study(study, scorers=RULES)
    view = view_study(study.snapshot())
    # No work may be spent on an exact test, so that all of them are drawn.
    here, there = (
        compare_study(
            view,
            rule="token_f1",
            settings=CompareSettings(policy="wrong", draws=3_500, work=0, engine=engine),
        )
        for engine in (LOCAL, cluster)
    )
    assert {pair.item.p.method for pair in here.pairs} == {"monte carlo"}
    assert here == there


def test_draws_on_workers_are_those_of_one_process(cluster: Engine):
    rng = np.random.default_rng(7)
    sizes = rng.integers(1, 9, 40).astype(float)
    sums = rng.binomial(sizes.astype(int)[:, None], [0.5, 0.6, 0.4]).astype(float)
    units = UnitSums(sums=sums, sizes=sizes, on_lattice=True)
    pairs = np.array([[0, 1], [0, 2]])
    here, there = (
        pair_tails_in_blocks(units, pairs, draws=4_200, seed=1, engine=engine)
        for engine in (LOCAL, cluster)
    )
    assert here == there
    ranks, ranks_there = (
        rank_shares_in_blocks(sums, sizes, draws=4_200, seed=1, engine=engine)
        for engine in (LOCAL, cluster)
    )
    assert np.array_equal(ranks, ranks_there)
