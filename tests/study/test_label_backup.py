import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from finassay.errors import InputError, UsageError
from finassay.study.adjudication.ledger import Ledger, UnitAnswer
from finassay.study.label_backup import backup_labels, restore_labels
from finassay.study.labels import Label, LabelStore
from finassay.study.people import People
from finassay.study.sessions import Sessions

FILLED = {"labels": 3, "people": 2, "draw_answers": 1, "draw_assignments": 2}


def said(item_id: str) -> Label:
    return Label(annotator="ann", item_id=item_id, system_id="s", label="correct", value=1.0)


@pytest.fixture
def store(store_url: str) -> Iterator[LabelStore]:
    with LabelStore(store_url) as opened:
        yield opened


@pytest.fixture
def filled(store: LabelStore) -> LabelStore:
    for item_id in ("00", "01", "01"):
        store.record(said(item_id))
    ledger = Ledger(store, "d")
    ledger.assign("ann", "label", ["u1", "u2"])
    ledger.record(
        [UnitAnswer(unit_id="u1", annotator="ann", label="x", note="é\n\x00".strip("\0"))]
    )
    people = People(store)
    people.add("bob")
    people.revoke("bob")
    people.add("bob", ("review",))
    return store


def test_a_copy_holds_every_row_and_comes_back(filled: LabelStore, tmp_path: Path):
    token = People(filled).add("ann").token
    made = backup_labels(filled, tmp_path / "copy.sqlite")
    assert made.rows.items() >= (FILLED | {"people": 3}).items()
    with LabelStore(sqlite=tmp_path / "new.sqlite") as new:
        back = restore_labels(new, tmp_path / "copy.sqlite")
        assert back.rows == made.rows
        assert new.history() == filled.history()
        assert Ledger(new, "d").history() == Ledger(filled, "d").history()
        assert Ledger(new, "d").assignments() == {("ann", "label"): ("u1", "u2")}
        assert People(new).listed() == People(filled).listed()
        assert People(new).with_token(token) == People(filled).with_token(token)
        assert new.record(said("01")).revision == 2


def test_a_copy_comes_back_into_any_database_and_writing_goes_on(store: LabelStore, tmp_path: Path):
    with LabelStore(sqlite=tmp_path / "source.sqlite") as source:
        for item_id in ("00", "01"):
            source.record(said(item_id))
        People(source).add("ann")
        history = source.history()
        backup_labels(source, tmp_path / "copy.sqlite")
    restore_labels(store, tmp_path / "copy.sqlite")
    assert store.history() == history
    assert store.record(said("02")).revision == 0
    assert People(store).add("bob").person.name == "bob"


def test_sessions_stay_behind(filled: LabelStore, tmp_path: Path):
    ann = People(filled).add("ann").person
    session = Sessions(filled).begin(ann)
    backup_labels(filled, tmp_path / "copy.sqlite")
    assert Sessions(filled).person(session) == ann
    with LabelStore(sqlite=tmp_path / "copy.sqlite") as copy:
        assert Sessions(copy).person(session) is None
        with copy.engine.connect() as connection:
            assert connection.execute(text("SELECT count(*) FROM sessions")).scalar() == 0


def test_a_copy_is_one_whole_file_with_nothing_beside_it(filled: LabelStore, tmp_path: Path):
    folder = tmp_path / "copies"
    folder.mkdir()
    copy = folder / "copy.sqlite"
    backup_labels(filled, copy)
    assert list(folder.iterdir()) == [copy]
    with closing(sqlite3.connect(copy)) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert plain.execute("SELECT count(*) FROM labels").fetchone() == (3,)


def test_a_copy_made_while_people_label_is_of_one_moment(store: LabelStore, tmp_path: Path):
    Ledger(store, "d")
    done = threading.Event()

    def write() -> None:
        # A label and an answer come together: a copy has as many of the one as of the other.
        with LabelStore(store.url) as mine:
            ledger, at = Ledger(mine, "d"), 0
            while not done.is_set():
                answer = UnitAnswer(unit_id=f"u{at}", annotator="ann", label="x")
                ledger.record([answer], [said(f"{at}")])
                at += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        copies = [backup_labels(store, tmp_path / f"{turn}.sqlite").rows for turn in range(5)]
    finally:
        done.set()
        writer.join()
    assert all(rows["labels"] == rows["draw_answers"] for rows in copies)
    assert copies[0]["labels"] < copies[-1]["labels"]


def test_a_file_is_replaced_only_when_told_to(filled: LabelStore, tmp_path: Path):
    copy = tmp_path / "copy.sqlite"
    copy.write_text("mine")
    with pytest.raises(UsageError, match="exists already; name another file, or give --overwrite"):
        backup_labels(filled, copy)
    assert copy.read_text() == "mine"
    assert backup_labels(filled, copy, overwrite=True).rows["labels"] == 3
    with pytest.raises(UsageError, match="there is no directory"):
        backup_labels(filled, tmp_path / "no" / "copy.sqlite")
    with pytest.raises(UsageError, match="exists already"):
        backup_labels(filled, tmp_path, overwrite=True)


def test_a_store_that_holds_something_takes_no_copy(filled: LabelStore, tmp_path: Path):
    backup_labels(filled, tmp_path / "copy.sqlite")
    before = filled.history(), People(filled).listed()
    with pytest.raises(UsageError, match=r"is not empty \(labels: 3\).*empty store only"):
        restore_labels(filled, tmp_path / "copy.sqlite")
    assert (filled.history(), People(filled).listed()) == before


def test_files_that_are_no_copy_are_refused_and_leave_the_store_empty(
    store: LabelStore, tmp_path: Path
):
    text_file, other, cut = (tmp_path / name for name in ("a.txt", "b.sqlite", "c.sqlite"))
    text_file.write_text("labels")
    with closing(sqlite3.connect(other)) as plain:
        plain.execute("CREATE TABLE t (x)")
        plain.commit()
    with LabelStore(sqlite=tmp_path / "source.sqlite") as source:
        for at in range(300):
            source.record(said(str(at)))
        backup_labels(source, cut)
    cut.write_bytes(cut.read_bytes()[: cut.stat().st_size // 2])
    with pytest.raises(InputError, match="is not an SQLite file"):
        restore_labels(store, text_file)
    with pytest.raises(InputError, match="no table of labels in it"):
        restore_labels(store, other)
    with pytest.raises(InputError, match="no whole copy of a label store"):
        restore_labels(store, cut)
    with pytest.raises(InputError, match=r"cannot be read: No such file"):
        restore_labels(store, tmp_path / "none.sqlite")
    assert store.history() == []
    assert not list(tmp_path.glob("*.tmp*"))


def test_a_copy_of_the_first_layout_is_led_on_and_stays_as_it_is(store: LabelStore, tmp_path: Path):
    copy = tmp_path / "old.sqlite"
    with LabelStore(sqlite=copy) as old:
        old.record(said("00"))
        with old.engine.begin() as connection:
            for table in ("sessions", "people", "store_layout"):
                connection.execute(text(f"DROP TABLE {table}"))
    before = copy.read_bytes()
    assert restore_labels(store, copy).rows["labels"] == 1
    assert [one.label for one in store.history()] == [said("00")]
    assert copy.read_bytes() == before
