from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from finassay.errors import ConflictError, UsageError
from finassay.study.adjudication import ledger as ledger_module
from finassay.study.adjudication.ledger import Ledger, Recorded, UnitAnswer
from finassay.study.adjudication.masking import mask_answers
from finassay.study.labels import Label, LabelStore
from postgres_server import throw_away_server


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with throw_away_server() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LabelStore]:
    if request.param == "sqlite":
        with LabelStore(f"sqlite:///{tmp_path / 'labels.sqlite'}") as opened:
            yield opened
        return
    with LabelStore(request.getfixturevalue("server")) as opened:
        Ledger(opened, "d")
        with opened.engine.begin() as connection:
            for table in ("labels", "draw_answers", "draw_assignments"):
                connection.execute(text(f"DELETE FROM {table}"))
        yield opened


def said(unit: str = "u1", **fields: object) -> UnitAnswer:
    base: dict[str, object] = {"annotator": "ada", "label": "CORRECT", "value": 1.0}
    return UnitAnswer(unit_id=unit, **{**base, **fields})


def label(item: str, annotator: str = "ada") -> Label:
    return Label(annotator=annotator, item_id=item, system_id="s", label="CORRECT", value=1.0)


def test_a_changed_answer_is_a_revision_and_the_same_answer_is_not(store: LabelStore):
    ledger = Ledger(store, "d1")
    assert ledger.record([said()]) == Recorded(new=1, revised=0, unchanged=0)
    assert ledger.record([said()]) == Recorded(new=0, revised=0, unchanged=1)
    changed = said(label="INCORRECT", value=0.0)
    assert ledger.record([changed]) == Recorded(new=0, revised=1, unchanged=0)
    assert [(r.answer.label, r.revision, r.previous) for r in ledger.history()] == [
        ("CORRECT", 0, None),
        ("INCORRECT", 1, 0),
    ]
    assert [r.answer for r in ledger.current()] == [changed]


@pytest.mark.parametrize(
    "change",
    [{"note": "n"}, {"reference_wrong": True}, {"correction": "5"}, {"label": "x", "value": None}],
)
def test_a_note_or_flag_alone_is_a_revision_too(store: LabelStore, change: dict[str, object]):
    ledger = Ledger(store, "d1")
    ledger.record([said()])
    assert ledger.record([said(**change)]).revised == 1


def test_answers_come_back_exactly(store: LabelStore):
    odd = said(
        "u2",
        annotator="Zoë",
        role="resolution",
        label="not sure",
        value=None,
        note="a\nb'\"",
        reference_wrong=True,
        correction="€5",
        swapped=True,
        source="f.csv",
        source_digest="0" * 64,
        source_row=7,
        recorded_by="lead",
    )
    ledger = Ledger(store, "d1")
    ledger.record([odd])
    assert [one.answer for one in ledger.current()] == [odd]


def test_draws_and_roles_do_not_mix(store: LabelStore):
    first, second = Ledger(store, "d1"), Ledger(store, "d2")
    first.record([said(), said(role="resolution", label="INCORRECT", value=0.0)])
    assert second.current() == []
    assert len(first.current()) == 2


def test_what_is_recorded_together_is_recorded_whole_or_not_at_all(
    store: LabelStore, monkeypatch: pytest.MonkeyPatch
):
    ledger = Ledger(store, "d1")
    kept = ledger_module.append_label
    calls = []

    def fail_on_the_second(connection: Connection, one: Label) -> object:
        calls.append(one)
        if len(calls) > 1:
            raise RuntimeError("the disk is full")
        return kept(connection, one)

    monkeypatch.setattr(ledger_module, "append_label", fail_on_the_second)
    with pytest.raises(RuntimeError, match="the disk is full"):
        ledger.record([said("u1"), said("u2")], [label("a"), label("b")])
    assert ledger.history() == []
    assert store.history() == []


def test_labels_go_to_the_label_store_with_the_answers_but_not_twice(store: LabelStore):
    ledger = Ledger(store, "d1")
    for _ in range(2):
        ledger.record([said("u1")], [label("a")])
    assert [one.label.item_id for one in store.history()] == ["a"]


def test_two_answers_of_one_person_on_one_unit_are_refused(store: LabelStore):
    with pytest.raises(UsageError, match="two answers of one person"):
        Ledger(store, "d1").record([said(), said(label="INCORRECT", value=0.0)])


def test_many_answers_at_once(store: LabelStore):
    ledger = Ledger(store, "d1")
    many = [said(f"u{k}") for k in range(1000)]
    assert ledger.record(many).new == 1000
    assert ledger.record(many).unchanged == 1000


def test_assigned_units_keep_their_place_and_more_come_after(store: LabelStore):
    ledger = Ledger(store, "d1")
    assert ledger.assign("ada", "label", ["u3", "u1"]) == ("u3", "u1")
    assert ledger.assign("ada", "label", ["u2", "u1"]) == ("u3", "u1", "u2")
    ledger.assign("bob", "resolution", ["u1"])
    assert ledger.assignments() == {
        ("ada", "label"): ("u3", "u1", "u2"),
        ("bob", "resolution"): ("u1",),
    }


def test_writers_who_always_come_second_give_up_and_store_nothing(
    store: LabelStore, monkeypatch: pytest.MonkeyPatch
):
    ledger = Ledger(store, "d1")
    ledger.record([said()])
    monkeypatch.setattr(ledger_module, "ATTEMPTS", 2)
    monkeypatch.setattr(Ledger, "latest_in", lambda *_: {})
    with pytest.raises(ConflictError, match="nothing could be recorded in 2 tries"):
        ledger.record([said(label="INCORRECT", value=0.0)])
    assert len(ledger.history()) == 1


def test_notes_and_corrections_are_masked_for_good(store: LabelStore):
    ledger = Ledger(store, "d1")
    ledger.record([said("u1", note="call 555-1234", correction="555-1234"), said("u2")])
    assert mask_answers(store, lambda t: t.replace("555-1234", "[x]")) == 1
    assert [(r.answer.note, r.answer.correction) for r in ledger.history()] == [
        ("call [x]", "[x]"),
        ("", ""),
    ]
    ledger.record([said("u1", note="again"), said("u2", note="again")])
    assert mask_answers(store, lambda _: "", {"u2"}) == 1
    assert [r.answer.note for r in ledger.current()] == ["again", ""]
