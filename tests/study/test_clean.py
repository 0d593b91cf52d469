import os
import time

import pytest

from finassay.errors import UsageError
from finassay.study import Study
from finassay.study.clean import clean
from study_samples import answers, in_run


def leave_behind(study: Study, *, hours_old: float) -> set[str]:
    """Make what a killed writer leaves: a data file, half a file, half a commit, a spool."""
    folder = study.root / "predictions" / "system_id=x" / "run_id=a%2Fb"
    folder.mkdir(parents=True)
    paths = [
        folder / "part-0-c000.snappy.parquet",
        folder / "part-1-c000.snappy.parquet#1",
        study.root / "predictions" / "_delta_log" / "_commit_1.json.tmp",
        study.root / "spool-1.tmp",
    ]
    at = time.time() - hours_old * 3600
    for path in paths:
        path.write_bytes(b"12345")
        os.utime(path, (at, at))
    return {str(path.relative_to(study.root)) for path in paths}


def test_leftovers_are_removed_and_nothing_else(study: Study):
    study.commit("predictions", answers(suffix="!"), partition=in_run())
    before = {path for path in study.root.rglob("*") if path.is_file()}
    versions, digests = study.snapshot().versions, study.snapshot().digests()
    left = leave_behind(study, hours_old=25)
    report = clean(study)
    assert set(report.files) == left
    assert report.bytes == 20
    assert {path for path in study.root.rglob("*") if path.is_file()} == before
    assert study.snapshot().versions == versions
    assert study.snapshot().digests() == digests


def test_files_of_a_writer_at_work_stay(study: Study):
    left = leave_behind(study, hours_old=1)
    assert clean(study).files == ()
    assert all((study.root / path).exists() for path in left)


def test_older_versions_stay_readable(study: Study):
    old = study.snapshot()
    for suffix in ("!", "?"):
        study.commit("predictions", answers(suffix=suffix), partition=in_run())
    assert clean(study, older_than_hours=0).files == ()
    again = study.snapshot(old.versions)
    assert again.frame("predictions").equals(old.frame("predictions"))


def test_older_versions_stay_readable_past_a_checkpoint(study: Study):
    # The log is folded into a checkpoint after every hundred commits.
    for turn in range(101):
        study.commit("reported", _reported(turn), partition={"source": "s"})
    assert list((study.root / "reported" / "_delta_log").glob("*.checkpoint.parquet"))
    assert clean(study, older_than_hours=0).files == ()
    values = [study.snapshot({"reported": v}).frame("reported")["value"][0] for v in (1, 50, 101)]
    assert values == [0.0, 49.0, 100.0]


def _reported(turn: int):  # noqa: ANN202
    from finassay.records import ReportedScore  # noqa: PLC0415
    from finassay.study.rows import reported_frame  # noqa: PLC0415

    score = ReportedScore(source="s", table="1", row="a", column="b", value=float(turn))
    return reported_frame([score])


def test_a_negative_age_is_refused(study: Study):
    with pytest.raises(UsageError, match="must be 0 or more, got -1"):
        clean(study, older_than_hours=-1)
