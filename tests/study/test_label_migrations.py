from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, text

from finassay.errors import StudyError
from finassay.study import Study
from finassay.study import label_migrations as migrations_module
from finassay.study.adjudication.ledger import Ledger, UnitAnswer
from finassay.study.adjudication.ledger_tables import LEDGER_TABLES
from finassay.study.check import check
from finassay.study.label_migrations import (
    LABEL_STEPS,
    LAYOUT_VERSION,
    LabelStep,
    bring_up_to_date,
    claim_for_study,
    store_id,
)
from finassay.study.label_tables import METADATA
from finassay.study.labels import Label, LabelStore
from finassay.study.people import People
from study_processes import Child, run_together


def said(item_id: str = "00") -> Label:
    return Label(annotator="ann", item_id=item_id, system_id="s", label="correct", value=1.0)


def make_first_layout(url: str) -> None:
    """Turn a store into one of the layout before people, with a label and an answer in it."""
    with LabelStore(url) as store:
        store.record(said())
        Ledger(store, "d").record([UnitAnswer(unit_id="u1", annotator="ann", label="x")])
        with store.engine.begin() as connection:
            later = {one.name for one in LEDGER_TABLES} - {"draw_answers", "draw_assignments"}
            for table in ("sessions", "people", "store_layout", *later):
                connection.execute(text(f"DROP TABLE {table}"))


def tables(url: str) -> set[str]:
    engine = create_engine(url)
    found = set(inspect(engine).get_table_names())
    engine.dispose()
    return found


def test_a_store_of_the_first_layout_is_led_on_when_it_is_opened(store_url: str):
    make_first_layout(store_url)
    assert "people" not in tables(store_url)
    with LabelStore(store_url) as store:
        assert [one.label for one in store.current()] == [said()]
        assert len(Ledger(store, "d").current()) == 1
        People(store).add("ann")
    assert tables(store_url) == set(METADATA.tables)


def test_processes_that_open_an_old_store_at_once_lead_it_on_once(store_url: str):
    make_first_layout(store_url)
    run_together(Child("labels", store_url, writer, 2) for writer in range(3))
    with LabelStore(store_url) as store, store.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM store_layout")).scalar() == 1
        assert len(store.history()) == 1 + 3 * 2


def test_a_newer_store_is_refused_and_left_as_it_is(store_url: str):
    with LabelStore(store_url) as store, store.engine.begin() as connection:
        connection.execute(text("UPDATE store_layout SET version = 99"))
    with pytest.raises(StudyError, match=r"has layout 99; expected 2 or older.*newer Finassay"):
        LabelStore(store_url)
    engine = create_engine(store_url)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version FROM store_layout")).scalar() == 99
    engine.dispose()


def test_a_step_that_fails_leaves_nothing_behind(store_url: str):
    make_first_layout(store_url)
    before = tables(store_url)

    def fail(connection: object) -> None:
        LABEL_STEPS[0].apply(connection)
        raise KeyboardInterrupt

    broken = [LabelStep(name="broken", from_version=1, apply=fail)]
    engine = create_engine(store_url)
    with pytest.raises(KeyboardInterrupt):
        bring_up_to_date(engine, steps=broken)
    assert tables(store_url) == before
    assert bring_up_to_date(engine) == ("people-and-pages",)
    assert bring_up_to_date(engine) == ()
    with pytest.raises(StudyError, match="no step leads on from it to 9"):
        bring_up_to_date(engine, to_version=9)
    engine.dispose()


def test_the_known_steps_have_names_of_their_own_and_lead_to_the_present():
    assert len({step.name for step in LABEL_STEPS}) == len(LABEL_STEPS)
    assert [step.from_version for step in LABEL_STEPS] == list(range(1, LAYOUT_VERSION))


def test_a_store_that_is_up_to_date_is_opened_without_a_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "labels.sqlite"
    LabelStore(sqlite=path).close()
    monkeypatch.setattr(migrations_module, "_alone", None)
    LabelStore(sqlite=path).close()


def test_stores_have_names_of_their_own_that_stay(store_url: str, tmp_path: Path):
    with LabelStore(store_url) as one, LabelStore(sqlite=tmp_path / "other.sqlite") as other:
        assert len(store_id(one.engine)) == 16
        assert store_id(one.engine) != store_id(other.engine)
        with LabelStore(store_url) as again:
            assert store_id(again.engine) == store_id(one.engine)


def test_a_store_that_serves_one_study_is_refused_to_another(store_url: str):
    with LabelStore(store_url) as store:
        claim_for_study(store.engine, "a of 2026")
        claim_for_study(store.engine, "a of 2026")
        with pytest.raises(StudyError, match=r"serves the study 'a of 2026', and this one is 'b'"):
            claim_for_study(store.engine, "b")


def test_tables_of_people_are_no_problem_of_the_study(study: Study):
    with LabelStore.of(study) as store:
        People(store).add("ann")
    assert check(study).problems == ()
