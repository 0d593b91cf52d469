import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from finassay.errors import ConflictError, StudyError, UsageError
from finassay.study import Study
from finassay.study import labels as labels_module
from finassay.study.adjudication.following import AnswerFiler
from finassay.study.check import check
from finassay.study.labels import Label, LabelStore
from postgres_server import throw_away_server
from study_processes import Child, run_together
from study_samples import OTHER, SYSTEM, answers, in_run, marks, of_scorer


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with throw_away_server() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'labels.sqlite'}"
    address: str = request.getfixturevalue("server")
    with LabelStore(address) as store, store.engine.begin() as connection:
        connection.execute(text("DELETE FROM labels"))
    return address


@pytest.fixture
def store(url: str) -> Iterator[LabelStore]:
    with LabelStore(url) as opened:
        yield opened


def said(item_id: str = "00", **fields: object) -> Label:
    base: dict[str, object] = {
        "annotator": "ann",
        "item_id": item_id,
        "system_id": SYSTEM.system_id,
        "label": "correct",
        "value": 1.0,
    }
    return Label(**{**base, **fields})


def test_a_changed_mind_is_a_new_revision_and_the_old_stays(store: LabelStore):
    first = store.record(said())
    second = store.record(said(label="wrong", value=0.0, note="overlooked the sign"))
    assert (first.revision, first.previous) == (0, None)
    assert (second.revision, second.previous) == (1, 0)
    assert store.history() == [first, second]
    assert store.current() == [second]


def test_labels_come_back_exactly(store: LabelStore):
    odd = said("é'\"%", annotator="Zoë/1", label="n/a", note="a\nb", text_digest="t", trial=3)
    assert store.record(odd).label == odd
    assert [one.label for one in store.current()] == [odd]


def test_times_are_utc_and_in_order(store: LabelStore):
    times = [store.record(said()).at for _ in range(3)]
    assert times == sorted(times)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", at) for at in times)


def test_history_and_current_are_filtered(store: LabelStore):
    for item_id in ("00", "01"):
        for annotator in ("ann", "bob"):
            store.record(said(item_id, annotator=annotator))
    assert [one.label.annotator for one in store.current(item_id="01")] == ["ann", "bob"]
    assert [one.label.item_id for one in store.history(annotator="bob")] == ["00", "01"]
    assert store.current(system_id="none") == store.current(trial=1) == []
    assert store.annotators() == ["ann", "bob"]


def test_writers_at_once_lose_no_revision(url: str):
    with LabelStore(url):
        run_together(Child("labels", url, writer, 8) for writer in range(2))
    with LabelStore(url) as store:
        history = store.history()
    assert [one.revision for one in history] == list(range(16))
    assert [one.previous for one in history] == [None, *range(15)]
    assert {one.label.note for one in history} == {f"{w}:{t}" for w in range(2) for t in range(8)}


def test_a_store_made_by_two_processes_at_once_is_one_store(url: str):
    run_together(Child("labels", url, writer, 1) for writer in range(2))
    with LabelStore(url) as store:
        assert len(store.history()) == 2


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"annotator": ""}, "must say who gave it"),
        ({"value": 1.2}, r"must be in \[0, 1\], got 1.2"),
        ({"value": float("nan")}, r"must be in \[0, 1\], got nan"),
        ({"value": None}, "label 'correct' .* has no value"),
        ({"label": ""}, "needs a word for it"),
    ],
)
def test_a_label_that_says_nothing_is_refused(fields: dict[str, object], message: str):
    with pytest.raises(UsageError, match=message):
        said(**fields)


def test_a_label_that_others_keep_revising_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(labels_module, "ATTEMPTS", 2)
    with LabelStore(sqlite=tmp_path / "l.sqlite") as store:
        kept = store.record(said())
        monkeypatch.setattr(labels_module, "append_label", _same_revision_again)
        with pytest.raises(
            ConflictError, match=r"in 2 tries, the last ending in: UNIQUE constraint"
        ):
            store.record(said())
        assert store.history() == [kept]


def _same_revision_again(connection, label):  # noqa: ANN001, ANN202
    row = {"revision": 0, "at": "", "previous": None, "trial": 0, "note": "", "label": "x"}
    keys = {"annotator": label.annotator, "item_id": "00", "system_id": label.system_id}
    connection.execute(labels_module.LABELS.insert().values(**row, **keys))


def test_a_database_out_of_reach_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    with pytest.raises(StudyError, match=r"cannot be reached: .*unable to open"):
        LabelStore(sqlite=tmp_path / "no" / "such" / "folder" / "labels.sqlite")
    with pytest.raises(UsageError, match="a URL or an SQLite path"):
        LabelStore()


def test_sqlite_runs_in_wal_mode_beside_the_study(study: Study):
    with LabelStore.of(study) as store, store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    assert (study.root / "labels.sqlite").exists()


def test_latest_revisions_become_verdicts_once(study: Study, store: LabelStore):
    store.record(said("00", label="wrong", value=0.0))
    store.record(said("00", note="on reflection"))
    store.record(said("01", label="", value=None))
    store.record(said("02", annotator="bob", system_id=OTHER.system_id, value=0.5, label="partly"))
    commits = store.materialise(study)
    assert [commit.changed for commit in commits] == [True, True]
    rows = study.snapshot().frame("verdicts", scorer_id="person/ann")
    columns = ("item_id", "status", "value", "label", "reason", "revision")
    assert rows.select(columns).rows() == [
        ("00", "scored", 1.0, "correct", "on reflection", 1),
        ("01", "unparsed", None, "not sure", "the annotator answered 'not sure'", 0),
    ]
    assert check(study).problems == ()
    versions = study.snapshot().versions
    assert not any(commit.changed for commit in store.materialise(study))
    assert study.snapshot().versions == versions


def test_a_filer_writes_one_commit_a_person_and_only_what_changed(study: Study, store: LabelStore):
    for system_id in (SYSTEM.system_id, OTHER.system_id):
        store.record(said("00", system_id=system_id))
        store.record(said("00", annotator="bob", system_id=system_id))
    filer = AnswerFiler(study, store)
    assert [(one.rows, one.changed) for one in filer.file()] == [(2, True), (2, True)]
    assert filer.file() == []
    store.record(said("01", annotator="bob", system_id=OTHER.system_id))
    assert [(one.rows, one.changed) for one in filer.file()] == [(2, True)]
    # A revision has the keys of before; what stood on the other system stays.
    store.record(said("00", annotator="bob", system_id=OTHER.system_id, label="wrong", value=0.0))
    assert [(one.rows, one.changed) for one in filer.file()] == [(2, True)]
    rows = study.snapshot().frame("verdicts", scorer_id="person/bob")
    held = {(one["system_id"], one["item_id"]): one["value"] for one in rows.iter_rows(named=True)}
    assert held == {
        (SYSTEM.system_id, "00"): 1.0,
        (OTHER.system_id, "00"): 0.0,
        (OTHER.system_id, "01"): 1.0,
    }
    assert check(study).problems == ()


def test_a_label_of_another_text_shows_as_stale(study: Study, store: LabelStore):
    seen = answers()["text_digest"][0]
    store.record(said("00", text_digest=seen))
    study.commit("predictions", answers(suffix="!"), partition=in_run())
    study.commit("verdicts", marks(study), partition=of_scorer("exact"))
    store.materialise(study)
    (problem,) = check(study).problems
    assert (problem.code, problem.n) == ("stale_text", 1)
    assert "person/ann" in problem.message
