"""Other tools read a study, and a study needs none of them."""

import json
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


def test_duckdb_reads_the_files_of_a_pinned_version_with_ids_as_text(study: Study):
    table = DeltaTable(study.root / "verdicts")
    query = """
        SELECT system_id, scorer_id, scorer_version, count(*), avg(value)
        FROM read_parquet($files, hive_partitioning = true, hive_types_autocast = false)
        WHERE status = 'scored' GROUP BY ALL
    """
    with duckdb.connect() as connection:
        found = connection.execute(query, {"files": table.file_uris()}).fetchall()
    assert found == [(SYSTEM.system_id, "exact", "1", 3, 1.0)]


OLD_TYPES = {"string", "long", "double", "boolean"}


def leaves(kind: object) -> set[str]:
    """The primitive types in the JSON of a Delta type."""
    if isinstance(kind, str):
        return {kind}
    assert isinstance(kind, dict)
    parts = (
        [kind["elementType"]] if kind["type"] == "array" else [f["type"] for f in kind["fields"]]
    )
    return {leaf for part in parts for leaf in leaves(part)}


def test_tables_need_the_oldest_readers_and_writers_of_the_format(study: Study):
    # Protocol 1 and 2 without table features: what Spark 3.5 with Delta 3 reads and writes, and
    # every older one (PROTOCOL.md, "Requirements for Readers").
    for name in TABLES:
        table = DeltaTable(study.root / name)
        protocol = table.protocol()
        assert (protocol.min_reader_version, protocol.min_writer_version) == (1, 2)
        assert (protocol.reader_features, protocol.writer_features) == (None, None)
        configuration = table.metadata().configuration
        assert "delta.columnMapping.mode" not in configuration
        assert "delta.enableDeletionVectors" not in configuration
        assert leaves(json.loads(table.schema().to_json())) <= OLD_TYPES
