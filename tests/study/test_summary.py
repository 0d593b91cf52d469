from pathlib import Path

import polars as pl

from finassay.study.schemas import TABLES
from finassay.study.summary import summarise
from study_samples import small_study


def test_the_summary_counts_rows_and_names_digests_of_every_table(tmp_path: Path):
    study = small_study(tmp_path / "s")
    snapshot = study.snapshot()
    found = summarise(snapshot)
    assert (found.name, found.unscored) == ("small", "bounds")
    assert [table.name for table in found.tables] == list(TABLES)
    rows = {table.name: table.rows for table in found.tables}
    assert rows == {name: snapshot.scan(name).collect().height for name in TABLES}
    assert rows["predictions"] == 6
    assert {table.name: table.digest for table in found.tables} == dict(snapshot.digests())


def test_the_summary_stays_at_its_snapshot(tmp_path: Path):
    study = small_study(tmp_path / "s")
    snapshot = study.snapshot()
    before = summarise(snapshot)
    gone = snapshot.frame("predictions").filter(pl.lit(value=False))
    first = snapshot.frame("predictions").row(0, named=True)
    partition = {"system_id": first["system_id"], "run_id": first["run_id"]}
    study.commit("predictions", gone, partition=partition)
    assert summarise(snapshot) == before
    assert summarise(study.snapshot()) != before


def test_lines_line_up(tmp_path: Path):
    lines = summarise(small_study(tmp_path / "s").snapshot()).to_lines()
    assert len({line.index(" rows ") for line in lines[1:]}) == 1
