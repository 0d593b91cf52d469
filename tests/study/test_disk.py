"""A disk that refuses, files that are damaged: what is said, and that nothing was changed."""

from __future__ import annotations

import errno
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from deltalake.exceptions import CommitFailedError, DeltaError
from sqlalchemy.exc import OperationalError

from adjudication_studies import frozen, judged_study
from cli_runs import run
from finassay.errors import DiskError, StudyError
from finassay.study import Study, tables
from finassay.study.adjudication import ledger as ledger_module
from finassay.study.adjudication.filing import file_answers
from finassay.study.adjudication.ledger import Ledger, UnitAnswer
from finassay.study.check import check
from finassay.study.clean import clean
from finassay.study.config import write_aside
from finassay.study.disk import from_library, in_our_words, writing
from finassay.study.label_file import damaged_label_file
from finassay.study.labels import LabelStore
from study_samples import answers, in_run


def newest_entry(study: Study) -> Path:
    return tables.log_files(study.root / "predictions")[-1]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device; .*free some"),
        (DeltaError("x \x1b[31m no \x1b[0m (os error 28)"), "No space left on device; .*free some"),
        (OSError(errno.EROFS, "Read-only"), "Read-only file system; .*work on a copy"),
        (CommitFailedError("cannot rename (os error 30)"), "Read-only file system"),
        (
            pl.exceptions.ComputeError("Too many open files (os error 24)"),
            "Too many .*ulimit -n 1024",
        ),
    ],
    ids=["full", "full in the storage library", "read-only", "read-only at the commit", "files"],
)
def test_a_refused_write_says_what_refuses_and_what_to_do(error: Exception, said: str):
    with (
        pytest.raises(DiskError, match=rf"^the table cannot be written: {said}"),
        writing("the table"),
    ):
        raise error


def test_another_writers_commit_and_a_fault_of_the_program_pass_as_they_are():
    for error in (CommitFailedError("conflict"), pl.exceptions.SchemaError("no such column")):
        with pytest.raises(type(error), match=str(error)), writing("the table"):
            raise error
    assert in_our_words(pl.exceptions.ColumnNotFoundError("x")) is None
    assert from_library(ValueError("x")) is None


def test_a_damaged_file_is_told_in_one_short_line():
    told = in_our_words(
        pl.exceptions.ComputeError("parquet: File\nout of \x1b[1mspecification" * 99)
    )
    assert isinstance(told, StudyError)
    assert "parquet: File out of specification" in str(told)
    assert len(str(told)) < 400
    assert "\x1b" not in str(told)


def test_a_commit_on_a_full_disk_changes_nothing(study: Study, monkeypatch: pytest.MonkeyPatch):
    before = dict(study.snapshot().versions)

    def full(_folder: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tables, "require_room", full)
    with pytest.raises(DiskError, match=r"table 'predictions' of the study at .*nothing else was"):
        study.commit("predictions", answers(suffix=" new"), partition=in_run())
    assert dict(study.snapshot().versions) == before


def test_a_file_that_cannot_be_written_whole_leaves_nothing_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def fail(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("finassay.study.config.os.fsync", fail)
    with pytest.raises(DiskError, match=r"study\.toml cannot be written: No space"):
        write_aside(tmp_path / "study.toml", "name = 1\n")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_entry_of_a_log_is_not_taken_for_a_commit_of_nothing(study: Study):
    newest_entry(study).write_bytes(b"")
    with pytest.raises(StudyError, match=r"entry '0+\d+\.json' of its log is empty"):
        study.snapshot()


@pytest.mark.parametrize("kept", [0, 30])
def test_cleaning_removes_nothing_where_a_log_is_damaged(study: Study, kept: int):
    entry = newest_entry(study)
    entry.write_bytes(entry.read_bytes()[:kept])
    files = sorted((study.root / "predictions").rglob("*.parquet"))
    (study.root / "spool-x.tmp").touch()
    with pytest.raises(StudyError, match="this entry of a table's log is damaged"):
        clean(study, older_than_hours=0)
    assert sorted((study.root / "predictions").rglob("*.parquet")) == files


def test_a_lost_study_toml_is_not_made_anew_over_rows(study: Study):
    (study.root / "study.toml").unlink()
    with pytest.raises(StudyError, match=r"holds the tables of a study .*no study\.toml"):
        Study.open_or_create(study.root)
    assert not (study.root / "study.toml").exists()


def test_bits_turned_in_a_footer_are_told_on_the_command_line(study: Study):
    path = min((study.root / "predictions").rglob("*.parquet"))
    content = bytearray(path.read_bytes())
    content[-80:-20] = b"\xff" * 60
    path.write_bytes(content)
    ran = run("score", study.root, "--scorer", "includes")
    assert (ran.code, ran.out) == (4, "")
    assert "a file is damaged: `finassay study check` says which" in ran.err
    assert "Traceback" not in ran.err


def sqlite_fault(name: str) -> OperationalError:
    cause = sqlite3.OperationalError("told so")
    cause.sqlite_errorname = name
    return OperationalError("insert", {}, cause)


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("SQLITE_FULL", DiskError, "what was stored before is kept, this was not"),
        ("SQLITE_READONLY_DBMOVED", DiskError, "give this user the right to write"),
        ("SQLITE_CORRUPT", StudyError, "restore-labels"),
        ("SQLITE_BUSY", None, ""),
    ],
)
def test_a_store_tells_what_lasts_from_what_passes(
    tmp_path: Path, name: str, kind: type[Exception] | None, said: str
):
    with LabelStore(sqlite=tmp_path / "labels.sqlite") as store:
        found = store.lasting_fault(sqlite_fault(name))
        if kind is None:
            assert found is None
            return
        assert type(found) is kind
        assert said in str(found)
        # Trying again fifty times would not help: it is told at once.
        tries = []

        def work(_connection: object) -> None:
            tries.append(1)
            raise sqlite_fault(name)

        with pytest.raises(kind, match="label store"):
            Ledger(store, "d").attempt(work)
        assert len(tries) == 1


def test_a_damaged_file_of_labels_is_found_by_the_check(study: Study):
    path = study.root / "labels.sqlite"
    assert damaged_label_file(path) is None
    with LabelStore.of(study):
        pass
    assert damaged_label_file(path) is None
    path.write_bytes(b"not a database " * 600)
    assert damaged_label_file(path) == "file is not a database"
    (problem,) = (one for one in check(study).problems if one.severity == "error")
    assert (problem.code, problem.table) == ("labels_unreadable", "labels")
    assert "finassay study restore-labels" in problem.message


def test_the_later_answer_of_two_draws_counts_when_the_clock_went_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    study = judged_study(tmp_path / "s", n=12)
    first, second = (frozen(study, "rubric", name, labels=12) for name in ("first", "second"))
    key = first.units[0].key
    twin = next(unit for unit in second.units if unit.key == key)

    class Back(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:
            return datetime.now(UTC) - timedelta(days=365)  # the class that stands in this module

    menu = ("correct", "incorrect")
    with LabelStore.of(study) as store:
        for draw, unit, word in ((first, first.units[0], menu[0]), (second, twin, menu[1])):
            said = UnitAnswer(unit_id=unit.unit_id, annotator="ann", label=word, value=0.5)
            if draw is second:
                monkeypatch.setattr(ledger_module, "datetime", Back)
            Ledger(store, draw.draw_id).record([said])
        file_answers(study, second, store)
    rows = study.snapshot().frame("verdicts", system_id=key.system_id, item_id=key.item_id)
    assert menu[1] in rows["label"].to_list()
    assert menu[0] not in rows["label"].to_list()
