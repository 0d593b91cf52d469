"""Other tools read a study, and a study needs none of them."""

import subprocess
import sys

import duckdb
import polars as pl
from deltalake import DeltaTable

from finassay.study import TABLES, Study
from study_samples import SYSTEM

TEXTS = [f"answer {i} of alpha" for i in range(3)]


def test_plain_polars_reads_every_table(study: Study):
    snapshot = study.snapshot()
    for name, schema in TABLES.items():
        rows = pl.read_delta(str(study.root / name)).select(list(schema.columns))
        assert rows.sort(schema.key).equals(snapshot.frame(name))


def test_duckdb_reads_a_table_through_arrow(study: Study):
    predictions = pl.read_delta(str(study.root / "predictions")).to_arrow()
    verdicts = pl.read_delta(str(study.root / "verdicts")).to_arrow()
    with duckdb.connect() as connection:
        connection.register("predictions", predictions)
        connection.register("verdicts", verdicts)
        query = """
            SELECT text, value FROM predictions JOIN verdicts USING (item_id, system_id, trial)
            ORDER BY item_id
        """
        assert connection.sql(query).fetchall() == [(text, 1.0) for text in TEXTS]


def test_pandas_reads_a_table(study: Study):
    frame = DeltaTable(study.root / "predictions").to_pandas()
    mine = frame[frame["system_id"] == SYSTEM.system_id].sort_values("item_id")
    assert mine["text"].tolist() == TEXTS


def test_a_study_is_written_and_read_without_pyarrow_and_pandas(study: Study):
    program = f"""
import sys
for name in ("pyarrow", "pandas", "duckdb"):
    sys.modules[name] = None
from finassay.study import Study
from finassay.study.check import check
study = Study.open({str(study.root)!r})
rows = study.snapshot().frame("predictions", system_id={SYSTEM.system_id!r})
partition = {{"system_id": {SYSTEM.system_id!r}, "run_id": "run-1"}}
assert study.commit("predictions", rows.head(2), partition=partition).changed
assert study.commit("predictions", rows.lazy(), partition=partition).changed
assert check(study).problems == ()
assert set(study.snapshot().digests()) == set(study.snapshot().versions)
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_importing_the_package_does_not_load_the_frame_library():
    program = "import finassay, sys; assert not {'polars', 'deltalake'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
