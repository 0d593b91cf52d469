"""A study under the doctor's eyes: nothing is changed, and every fault has a line."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from finassay.errors import MissingExtraError, StudyError, UsageError
from finassay.reports.doctor.of_study import examine_study
from finassay.reports.doctor.results import Finding
from finassay.study import Study
from finassay.study.label_look import look_at_labels
from finassay.study.label_migrations import LAYOUT_VERSION
from finassay.study.labels import LabelStore
from study_samples import small_study


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_study(tmp_path / "study").root


def findings(root: Path, url: str | None = None) -> dict[str, Finding]:
    return {one.name: one for one in examine_study(root, url)}


def everything_in(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def layout_becomes(root: Path, version: int) -> None:
    with closing(sqlite3.connect(root / "labels.sqlite")) as store, store:
        store.execute("UPDATE store_layout SET version = ?", (version,))


def test_a_whole_study_is_well_and_stays_as_it_is(root: Path):
    LabelStore.of(Study.open(root)).close()
    before = everything_in(root)
    found = findings(root)
    assert {one.state for one in found.values()} == {"ok"}
    assert found["labels"].said == f"sqlite can be read, layout {LAYOUT_VERSION}"
    assert everything_in(root) == before


def test_a_study_without_labels_gets_no_store_by_being_looked_at(root: Path):
    assert findings(root)["labels"].said == "sqlite, nothing in it yet"
    assert not (root / "labels.sqlite").exists()


def test_labels_that_another_process_has_open_are_read_with_its_log(root: Path):
    with LabelStore.of(Study.open(root)) as store, store.writing() as connection:
        connection.execute(text("UPDATE store_layout SET version = 1"))
        connection.commit()
        assert look_at_labels(Study.open(root)).layout == 1


def test_no_study_is_a_problem_that_says_how_to_make_one(tmp_path: Path):
    found = findings(tmp_path)["directory"]
    assert found.state == "problem"
    assert "finassay study create" in found.said


def test_a_study_of_a_newer_version_is_a_problem(root: Path):
    path = root / "study.toml"
    path.write_text(path.read_text().replace("schema_version = 1", "schema_version = 99"))
    assert "install a newer Finassay" in findings(root)["opening"].said


def test_a_lost_file_is_found_without_reading_the_rows(root: Path):
    next((root / "predictions").rglob("*.parquet")).unlink()
    found = findings(root)["tables"]
    assert found.state == "problem"
    assert "predictions: a file cannot be read" in found.said


def test_a_lost_log_is_a_problem_and_no_traceback(root: Path):
    for path in (root / "predictions" / "_delta_log").iterdir():
        path.unlink()
    assert findings(root)["tables"].state == "problem"


def test_what_killed_writers_left_is_counted_and_left(root: Path):
    left = root / "predictions" / "spool.parquet"
    left.write_bytes(b"x" * 2**20)
    os.utime(left, (0, 0))
    found = findings(root)["leftovers"]
    assert (found.state, found.said) == ("note", "1 files of killed writers, 1.0 MiB")
    assert left.exists()


def test_a_study_from_the_future_says_that_the_clock_is_wrong(root: Path):
    path = root / "study.toml"
    lines = path.read_text().splitlines()
    later = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(time.time() + 7200))
    lines = [f'created = "{later}"' if one.startswith("created") else one for one in lines]
    path.write_text("\n".join(lines))
    assert findings(root)["created"].state == "problem"
    path.write_text("\n".join(lines).replace(later, "yesterday"))
    assert findings(root)["created"].state == "note"


def test_layouts_of_labels_are_old_new_or_too_new(root: Path):
    LabelStore.of(Study.open(root)).close()
    for version, state in ((1, "note"), (LAYOUT_VERSION, "ok"), (99, "problem")):
        layout_becomes(root, version)
        assert findings(root)["labels"].state == state


def test_a_file_that_is_no_database_of_labels_is_a_problem(root: Path):
    (root / "labels.sqlite").write_bytes(b"not a database, and long enough to be read" * 20)
    assert "cannot be read: file is not a database" in findings(root)["labels"].said


@pytest.mark.parametrize(
    ("url", "error", "match"),
    [
        ("nonsense", UsageError, "the URL of the label store cannot be used"),
        ("mysql+nodriver://h/d", UsageError, "the URL of the label store cannot be used"),
        ("mysql+pymysql://h/d", MissingExtraError, "cannot be imported"),
        ("postgresql+psycopg://u:pw@127.0.0.1:1/d", StudyError, "cannot be read: .*refused"),
    ],
)
def test_addresses_of_labels_that_lead_nowhere_have_an_error_each(
    root: Path, url: str, error: type[Exception], match: str
):
    with pytest.raises(error, match=match) as raised:
        look_at_labels(Study.open(root), url=url)
    assert ":pw@" not in str(raised.value)


@pytest.mark.parametrize(
    ("url", "error"), [("nonsense", UsageError), ("mysql+pymysql://h/d", MissingExtraError)]
)
def test_opening_a_store_at_such_an_address_says_the_same(url: str, error: type[Exception]):
    with pytest.raises(error, match=r"of the label store cannot be (used|imported)"):
        LabelStore(url)
