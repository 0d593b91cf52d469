"""An import that was stopped goes on where it was, and nothing comes in twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from finassay.errors import BadRowsError
from finassay.runs.importers import predictions
from finassay.runs.importers._staging import staging
from finassay.runs.importers.mapping import ColumnMap
from finassay.runs.importers.predictions import FileImport
from finassay.runs.importers.sources import Batch, Row
from finassay.runs.importers.tables import ImportOptions, import_predictions
from finassay.study import Commit, Study
from finassay.study.check import check
from finassay.study.clean import clean
from import_tables import table, texts, twelve_items

SYSTEMS = ("alpha", "beta", "gamma")
BAD_LINE = 5


class Stopped(BaseException):
    """What ends a process."""


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write down how far reading came after every batch of four rows."""
    monkeypatch.setattr(predictions, "STATE_ROWS", 4)
    monkeypatch.setattr("finassay.runs.importers.sources._BATCH_ROWS", 4)
    monkeypatch.setattr("finassay.runs.importers.sources._LOOK_EVERY", 4)


def three_systems(path: Path, *, correct: str = "1") -> Path:
    rows = [
        {"id": f"q{n}", "system": name, "prediction": f"{name} to q{n}", "correct": correct}
        for n in range(12)
        for name in SYSTEMS
    ]
    rows[BAD_LINE - 2]["id"] = ""
    return table(path, rows)


def accepted(monkeypatch: pytest.MonkeyPatch, *, most: int | None = None) -> list[str]:
    """Note the rows that are worked on; end the process at one of them."""
    seen: list[str] = []
    plain = FileImport.accept

    def accept(self: FileImport, row: Row, batch: Batch) -> None:
        if most is not None and len(seen) == most:
            raise Stopped
        seen.append(str(row.values["prediction"]))
        plain(self, row, batch)

    monkeypatch.setattr(FileImport, "accept", accept)
    return seen


def stop_reading(
    study: Study, path: Path, monkeypatch: pytest.MonkeyPatch, *, after: int = 18
) -> None:
    with monkeypatch.context() as patched:
        accepted(patched, most=after)
        with pytest.raises(Stopped):
            import_predictions(study, path)


def whole(path: Path, tmp_path: Path) -> Study:
    """The same file imported in one go."""
    study = twelve_items(tmp_path / "whole")
    import_predictions(study, path)
    return study


def left(study: Study) -> list[str]:
    return sorted(path.name for path in study.root.glob("*.tmp"))


def test_a_stopped_import_goes_on_and_ends_as_one_that_was_not(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = three_systems(tmp_path / "all.csv")
    stop_reading(study, path, monkeypatch)
    assert len(left(study)) == 1
    seen = accepted(monkeypatch)
    report = import_predictions(study, path)
    # 16 rows were written down before the process ended at the 19th.
    assert len(seen) == 36 - 16
    other = whole(path, tmp_path)
    assert study.snapshot().digests() == other.snapshot().digests()
    assert report.systems == import_predictions(other, path).systems
    assert report.files[0].rows_read == 36
    assert [row.line for row in report.files[0].bad_rows] == [BAD_LINE]
    assert "its first 16 rows were taken over" in report.notes[0]
    assert left(study) == []
    assert check(study).problems == ()


def test_systems_that_were_committed_are_not_committed_again(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = three_systems(tmp_path / "all.csv")
    monkeypatch.setattr("finassay.runs.importers._table_commits.GROUP_ROWS", 1)
    plain = Study.commit
    made: list[str] = []

    def commit(self: Study, name: str, *args: object, **how: object) -> Commit:
        if name == "predictions":
            made.append(name)
            if len(made) == 3:
                raise Stopped
        return plain(self, name, *args, **how)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(Study, "commit", commit)
        with pytest.raises(Stopped):
            import_predictions(study, path)
        made.clear()
        seen = accepted(patched)
        report = import_predictions(study, path)
    assert seen == []
    assert len(made) == 1
    assert sum(one.table == "predictions" for one in report.commits) == 3
    assert study.snapshot().digests() == whole(path, tmp_path).snapshot().digests()


def test_another_state_of_the_file_is_read_from_its_beginning(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = three_systems(tmp_path / "all.csv")
    stop_reading(study, path, monkeypatch)
    three_systems(path, correct="0.25")
    seen = accepted(monkeypatch)
    import_predictions(study, path)
    assert len(seen) == 36
    assert len(left(study)) == 1


def test_another_mapping_is_read_from_the_beginning(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = three_systems(tmp_path / "all.csv")
    stop_reading(study, path, monkeypatch)
    seen = accepted(monkeypatch)
    import_predictions(study, path, options=ImportOptions(mapping=ColumnMap(without=("correct",))))
    assert len(seen) == 36


def test_what_was_left_and_cannot_be_read_is_read_anew(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = three_systems(tmp_path / "all.csv")
    stop_reading(study, path, monkeypatch)
    (folder,) = study.root.glob("import-*.tmp")
    next(folder.glob("p-*.parquet")).write_bytes(b"PAR1")
    seen = accepted(monkeypatch)
    import_predictions(study, path)
    assert len(seen) == 36
    assert study.snapshot().digests() == whole(path, tmp_path).snapshot().digests()


def test_an_import_that_is_refused_leaves_nothing(study: Study, tmp_path: Path) -> None:
    path = three_systems(tmp_path / "all.csv")
    with pytest.raises(BadRowsError, match="id is empty"):
        import_predictions(study, path, options=ImportOptions(strict=True))
    assert left(study) == []


def test_two_imports_of_one_file_at_once_have_folders_of_their_own(
    study: Study, tmp_path: Path
) -> None:
    path = three_systems(tmp_path / "all.csv")
    snapshot, options = study.snapshot(), ImportOptions()
    with staging(snapshot, path, options) as one, staging(snapshot, path, options) as two:
        assert one.folder != two.folder
    assert left(study) == []


def test_what_nobody_took_up_is_cleaned_away(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = three_systems(tmp_path / "all.csv")
    stop_reading(study, path, monkeypatch)
    assert clean(study).files == ()
    removed = clean(study, older_than_hours=0).files
    assert any(name.endswith("state.json") for name in removed)
    assert left(study) == []


def test_rows_and_systems_are_counted_while_they_come(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("finassay.runs.importers._table_commits.GROUP_ROWS", 1)
    progress = Counting()
    import_predictions(study, three_systems(tmp_path / "all.csv"), progress=progress)
    assert progress.seen == 36
    assert progress.landed == [(0, 3), (1, 3), (2, 3)]


class Counting:
    """A progress that counts everything it is told."""

    def __init__(self) -> None:
        self.seen = 0
        self.landed: list[tuple[int, int]] = []

    def __call__(self, done: int, total: int | None) -> None: ...

    def rows(self, count: int) -> None:
        self.seen += count

    def commits(self, done: int, total: int) -> None:
        self.landed.append((done, total))


def test_the_same_texts_are_kept_by_system(study: Study, tmp_path: Path) -> None:
    import_predictions(study, three_systems(tmp_path / "all.csv"))
    for name in SYSTEMS:
        expected = {f"q{n}": f"{name} to q{n}" for n in range(12)}
        # The row that could not be used is q1 of alpha.
        if name == "alpha":
            del expected["q1"]
        assert texts(study, name) == expected
