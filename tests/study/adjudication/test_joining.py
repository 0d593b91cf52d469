from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from adjudication_studies import frozen, judged_study
from finassay.errors import UsageError
from finassay.study import Study
from finassay.study.adjudication.dealing import deal, seat_hand
from finassay.study.adjudication.draws import Draw, DrawUnit, UnitKey, unit_id_of
from finassay.study.adjudication.labelling import Labelling
from finassay.study.adjudication.ledger import UnitAnswer
from finassay.study.adjudication.ledger_tables import LEDGER_TABLES
from finassay.study.labels import LabelStore
from postgres_server import throw_away_server


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    made = judged_study(tmp_path_factory.mktemp("joining") / "s", n=10)
    frozen(made, labels=12)
    return made


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with throw_away_server() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def labelling(request: pytest.FixtureRequest, study: Study, tmp_path: Path) -> Iterator[Labelling]:
    if request.param == "sqlite":
        with LabelStore(sqlite=tmp_path / "labels.sqlite") as store:
            yield Labelling(study, store)
        return
    with LabelStore(request.getfixturevalue("server")) as store:
        with store.engine.begin() as connection:
            for table in ("labels", *(one.name for one in LEDGER_TABLES)):
                connection.execute(text(f"DELETE FROM {table}"))
        yield Labelling(study, store)


def sample(n: int, seed: int) -> Draw:
    keys = [UnitKey(f"q{i}", "s") for i in range(n)]
    units = tuple(
        DrawUnit(
            unit_id=unit_id_of(key),
            key=key,
            stratum="all",
            probability=1.0,
            digests=("d",),
            item_digest="i",
        )
        for key in keys
    )
    return Draw(
        name="d",
        task="correctness",
        design="simple",
        seed=seed,
        protocol="shown",
        scorers=(),
        systems=(),
        strata=(),
        units=units,
    )


@settings(deadline=None, max_examples=60)
@given(
    n=st.integers(0, 30),
    people=st.integers(1, 5),
    overlap=st.floats(0.0, 1.0),
    seed=st.integers(0, 5),
)
def test_those_who_join_one_by_one_have_the_hands_of_a_common_deal(
    n: int, people: int, overlap: float, seed: int
):
    draw = sample(n, seed)
    names = [f"p{i}" for i in range(people)]
    one_by_one = {
        name: seat_hand(draw, name, seat=seat, people=people, overlap=overlap)
        for seat, name in enumerate(names)
    }
    assert one_by_one == deal(draw, names, overlap=overlap)


def answers(labelling: Labelling, name: str, n: int) -> None:
    ledger = labelling.ledger("first")
    units = ledger.assignments()[name, "label"][:n]
    ledger.record(
        [UnitAnswer(unit_id=unit, annotator=name, label="CORRECT", value=1.0) for unit in units]
    )


def hands(labelling: Labelling) -> dict[str, tuple[str, ...]]:
    return {who: units for (who, _), units in labelling.ledger("first").assignments().items()}


def test_whoever_joins_a_draw_that_nobody_opened_labels_all_of_it(labelling: Labelling):
    assert [labelling.join("first", name) for name in ("ada", "bob")] == [12, 12]


def test_joining_twice_changes_nothing(labelling: Labelling):
    labelling.join("first", "ada")
    before = hands(labelling)
    assert labelling.join("first", "ada") == 12
    assert hands(labelling) == before


def test_people_who_join_at_once_share_what_not_everybody_labels(labelling: Labelling):
    labelling.open("first", people=3, overlap=0.25, by="eve")
    names = ("ada", "bob", "cyd")
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda name: labelling.join("first", name), names))
    counts = Counter(unit for units in hands(labelling).values() for unit in units)
    assert sorted(counts.values()) == [1] * 9 + [3] * 3
    assert sorted(len(units) for units in hands(labelling).values()) == [6, 6, 6]


def test_whoever_comes_beyond_the_seats_gets_the_shared_units(labelling: Labelling):
    labelling.open("first", people=1, overlap=0.5, by="eve")
    assert [labelling.join("first", name) for name in ("ada", "bob")] == [12, 6]


def test_the_open_units_of_who_leaves_go_to_the_others(labelling: Labelling):
    labelling.open("first", people=3, overlap=0.0, by="eve")
    for name in ("ada", "bob", "cyd"):
        labelling.join("first", name)
    answers(labelling, "ada", 1)
    before = hands(labelling)
    left = labelling.withdraw("first", "ada", by="eve", reason="left the firm")
    after = hands(labelling)
    assert (left.answered, left.freed, left.dropped) == (1, 3, 0)
    assert dict(left.given) == {"bob": 2, "cyd": 1} or dict(left.given) == {"bob": 1, "cyd": 2}
    assert after["ada"] == before["ada"][:1]
    for name in ("bob", "cyd"):
        # What they had keeps its place, and what is new stands behind it.
        assert after[name][: len(before[name])] == before[name]
    gone = set(before["ada"][1:])
    assert set(after["bob"] + after["cyd"]) == set(before["bob"] + before["cyd"]) | gone


def test_units_that_everybody_has_already_go_to_nobody(labelling: Labelling):
    for name in ("ada", "bob"):
        labelling.join("first", name)
    answers(labelling, "ada", 4)
    left = labelling.withdraw("first", "ada", by="eve")
    assert (left.freed, left.given, left.dropped) == (8, (), 8)
    assert len(hands(labelling)["bob"]) == 12


def test_who_left_has_nothing_to_label_and_may_come_back(labelling: Labelling):
    labelling.join("first", "ada")
    answers(labelling, "ada", 2)
    labelling.withdraw("first", "ada", by="eve")
    assert labelling.queue("first", "ada").next().shown is None
    assert labelling.join("first", "ada") == 12
    assert labelling.queue("first", "ada").progress().waiting == 10


def test_the_share_of_who_left_alone_is_there_for_the_next(labelling: Labelling):
    labelling.open("first", people=2, overlap=0.0, by="eve")
    assert labelling.join("first", "ada") == 6
    labelling.withdraw("first", "ada", by="eve")
    for name in ("bob", "cyd"):
        assert labelling.join("first", name) == 6
    counts = Counter(unit for units in hands(labelling).values() for unit in units)
    assert set(counts.values()) == {1}
    assert len(counts) == 12


def test_nobody_leaves_a_draw_that_they_do_not_have(labelling: Labelling):
    labelling.join("first", "ada")
    with pytest.raises(UsageError, match="was not given to 'eve'; it was given to: ada"):
        labelling.withdraw("first", "eve", by="bob")
    answers(labelling, "ada", 12)
    with pytest.raises(UsageError, match="has answered all units"):
        labelling.withdraw("first", "ada", by="bob")


@pytest.mark.parametrize(("people", "overlap"), [(0, 1.0), (1001, 1.0), (2, -0.1), (2, 30.0)])
def test_an_opening_out_of_range_is_refused(labelling: Labelling, people: int, overlap: float):
    with pytest.raises(UsageError, match="got"):
        labelling.open("first", people, overlap, by="eve")
