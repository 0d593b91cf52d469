import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from adjudication_studies import SYSTEMS, add_duels, frozen, judged_study
from finassay.errors import AnsweredMeanwhileError, NotAssignedError, UnknownNameError, UsageError
from finassay.study import Study
from finassay.study.adjudication.filing import correct_reference
from finassay.study.adjudication.labelling import Labelling
from finassay.study.adjudication.ledger_tables import LEDGER_TABLES
from finassay.study.adjudication.queue import Decision, LabelQueue, QueueView
from finassay.study.labels import LabelStore
from postgres_server import throw_away_server

N = 12


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with throw_away_server() as url:
        yield url


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = judged_study(tmp_path_factory.mktemp("queue") / "s", n=N, choices=("high", "low"))
    add_duels(made, "judge/p", dict.fromkeys(range(N), ("left", "left")))
    return made.root


@pytest.fixture
def study(template: Path, tmp_path: Path) -> Study:
    return Study.open(shutil.copytree(template, tmp_path / "s"))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def labelling(request: pytest.FixtureRequest, study: Study) -> Iterator[Labelling]:
    url = None if request.param == "sqlite" else request.getfixturevalue("server")
    with LabelStore.of(study, url=url) as store:
        if url is not None:
            with store.engine.begin() as connection:
                for table in ("labels", *(one.name for one in LEDGER_TABLES)):
                    connection.execute(text(f"DELETE FROM {table}"))
        yield Labelling(study, store)


def opened(labelling: Labelling, person: str = "ada", task: str = "correctness") -> LabelQueue:
    frozen(labelling.study, task)
    labelling.join("first", person)
    return labelling.queue("first", person)


def said(view: QueueView, label: str = "CORRECT", **more: object) -> Decision:
    assert view.shown is not None
    decision = Decision(
        unit_id=view.shown.unit_id, label=label, submission=view.submission, seen=view.seen
    )
    return replace(decision, **more)


def test_a_queue_gives_each_unit_once_in_the_order_of_the_ledger(labelling: Labelling):
    queue = opened(labelling)
    order = labelling.ledger("first").assignments()["ada", "label"]
    given = []
    while (view := queue.next()).shown is not None:
        given.append(view.shown.unit_id)
        assert view.place == len(given)
        assert queue.answer(said(view)).outcome == "new"
    assert tuple(given) == order
    assert (queue.progress().answered, queue.progress().waiting) == (12, 0)


def test_the_same_form_sent_twice_counts_once(labelling: Labelling):
    queue = opened(labelling)
    decision = said(queue.next())
    first, second = queue.answer(decision), queue.answer(decision)
    assert (first.outcome, second.outcome) == ("new", "repeated")
    assert first.revision == second.revision == 0
    assert len(labelling.ledger("first").history()) == 1


def test_the_same_form_sent_by_many_threads_counts_once(labelling: Labelling):
    queue = opened(labelling)
    decision = said(queue.next())
    start = threading.Barrier(8)

    def send(_: int) -> str:
        start.wait()
        return queue.answer(decision).outcome

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(send, range(8)))
    assert sorted(outcomes) == ["new", *["repeated"] * 7]
    assert len(labelling.ledger("first").history()) == 1
    assert len(labelling.store.history()) == 1


def test_two_windows_neither_skip_nor_double_a_unit(labelling: Labelling):
    queue = opened(labelling)
    left, right = queue.next(), queue.next()
    assert left.shown is not None
    assert right.shown is not None
    assert left.shown.unit_id == right.shown.unit_id
    assert queue.answer(said(left)).outcome == "new"
    assert queue.answer(said(right)).outcome == "unchanged"
    after = queue.next()
    assert after.place == 2
    assert queue.progress().answered == 1


def test_a_late_window_never_replaces_what_was_said_since(labelling: Labelling):
    queue = opened(labelling)
    early, late = queue.next(), queue.next()
    queue.answer(said(early, "CORRECT"))
    with pytest.raises(AnsweredMeanwhileError, match="another window, or from a sheet"):
        queue.answer(said(late, "INCORRECT"))
    (only,) = labelling.ledger("first").history()
    assert only.answer.label == "CORRECT"


def test_going_back_adds_a_revision_and_keeps_the_first(labelling: Labelling):
    queue = opened(labelling)
    queue.answer(said(queue.next(), "CORRECT"))
    view = queue.next()
    assert view.before is not None
    back = queue.at(view.before)
    assert back.said is not None
    assert (back.said.label, back.seen, back.place) == ("CORRECT", 0, 1)
    assert queue.answer(said(back, "INCORRECT", note="a second look")).outcome == "revised"
    assert [one.answer.label for one in labelling.ledger("first").history()] == [
        "CORRECT",
        "INCORRECT",
    ]
    assert queue.next().place == 2


def test_a_form_for_one_unit_cannot_answer_another(labelling: Labelling):
    queue = opened(labelling)
    first = queue.next()
    queue.answer(said(first))
    second = said(queue.next(), submission=first.submission)
    with pytest.raises(UsageError, match="was for another unit"):
        queue.answer(second)


def test_units_of_others_cannot_be_answered(labelling: Labelling):
    queue = opened(labelling)
    view = queue.next()
    with pytest.raises(NotAssignedError, match="not among those given to 'eve'"):
        labelling.queue("first", "eve").answer(said(view))
    with pytest.raises(NotAssignedError, match="has no unit 'u1'"):
        queue.answer(said(view, unit_id="u1"))
    assert labelling.ledger("first").history() == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"label": "PERHAPS"}, "must be one of 'CORRECT', 'INCORRECT', 'not sure'"),
        ({"note": "x" * 10_001}, "may have 10000 characters"),
        ({"note": "a\0b"}, "no text"),
        ({"correction": "\ud800"}, "no text"),
        ({"submission": ""}, "letters and digits"),
        ({"submission": "../x"}, "letters and digits"),
    ],
)
def test_what_cannot_be_kept_is_refused(
    labelling: Labelling, change: dict[str, object], fault: str
):
    queue = opened(labelling)
    with pytest.raises(UsageError, match=fault):
        queue.answer(said(queue.next(), **change))
    assert labelling.ledger("first").history() == []


def test_a_label_of_correctness_reaches_the_label_store_with_the_answer(labelling: Labelling):
    queue = opened(labelling)
    view = queue.next()
    queue.answer(said(view, "INCORRECT", note="wrong year"))
    (stored,) = labelling.store.history()
    assert (stored.label.annotator, stored.label.label, stored.label.value) == (
        "ada",
        "INCORRECT",
        0.0,
    )
    assert stored.label.system_id in {system.system_id for system in SYSTEMS}


def test_a_unit_whose_item_changed_is_passed_over_and_counted(labelling: Labelling):
    queue = opened(labelling)
    view = queue.next()
    assert view.shown is not None
    item = queue.draw.by_unit[view.shown.unit_id].key.item_id
    other = (
        "low"
        if labelling.showing("first").item(queue.draw.by_unit[view.shown.unit_id]).reference
        == "high"
        else "high"
    )
    correct_reference(labelling.study, item, other, by="eve", reason="a test")
    later = Labelling(labelling.study, labelling.store).queue("first", "ada")
    changed = sum(unit.key.item_id == item for unit in queue.draw.units)
    assert later.progress().passed_over == changed
    assert later.next().shown != view.shown
    with pytest.raises(UsageError, match="cannot be answered any more"):
        later.answer(said(view))


def test_changed_texts_are_noticed_while_a_queue_is_worked_on(study: Study):
    now = [0.0]
    with LabelStore.of(study) as store:
        labelling = Labelling(study, store, clock=lambda: now[0])
        queue = opened(labelling)
        first = queue.next()
        assert first.shown is not None
        unit = queue.draw.by_unit[first.shown.unit_id]
        correct_reference(study, unit.key.item_id, "other", by="eve", reason="a test")
        assert labelling.queue("first", "ada").progress().passed_over == 0
        now[0] = 3.0
        assert labelling.queue("first", "ada").progress().passed_over > 0


def test_a_pair_is_stored_by_side_and_shown_by_letter(labelling: Labelling):
    queue = opened(labelling, task="pairwise")
    stored = set()
    while (view := queue.next()).shown is not None:
        queue.answer(said(view, "A"))
        back = queue.at(view.shown.unit_id)
        assert back.said is not None
        assert back.said.label == "A"
        held = labelling.ledger("first").answer_of(view.shown.unit_id, "ada", "label")
        assert held is not None
        assert held.answer.label == ("right" if view.shown.swapped else "left")
        assert held.answer.value == (0.0 if view.shown.swapped else 1.0)
        stored.add(held.answer.label)
    assert stored == {"left", "right"}


@pytest.mark.parametrize(
    ("task", "protocol", "asked"),
    [
        ("correctness", "shown", (True, True)),
        ("correctness", "hidden", (False, False)),
        ("reference", "shown", (False, True)),
    ],
)
def test_references_can_be_flagged_where_they_are_shown(
    study: Study, task: str, protocol: str, asked: tuple[bool, bool]
):
    frozen(study, task, protocol=protocol, labels=6)
    with LabelStore.of(study) as store:
        labelling = Labelling(study, store)
        labelling.join("first", "ada")
        queue = labelling.queue("first", "ada")
        view = queue.next()
        assert (view.asks_flag, view.asks_correction) == asked
        assert view.shown is not None
        label = view.shown.menu[0].label
        queue.answer(said(view, label, reference_wrong=True, correction="5"))
        (held,) = labelling.ledger("first").history()
        assert held.answer.reference_wrong == asked[0]
        assert held.answer.correction == ("5" if asked[1] else "")


def test_people_see_their_draws_with_those_that_wait_first(labelling: Labelling):
    frozen(labelling.study, name="done", labels=1)
    frozen(labelling.study, name="new", labels=3)
    frozen(labelling.study, name="open", labels=5)
    for name in ("done", "open"):
        labelling.join(name, "ada")
    queue = labelling.queue("done", "ada")
    queue.answer(said(queue.next()))
    listed = labelling.own_draws("ada")
    assert [one.draw for one in listed] == ["open", "done", "new"]
    assert [one.progress and one.progress.waiting for one in listed] == [5, 0, None]


def test_an_unknown_draw_is_named_as_such(labelling: Labelling):
    with pytest.raises(UnknownNameError, match="has no draw 'x'"):
        labelling.queue("x", "ada")


def test_a_revision_shown_as_seen_must_be_the_one_that_stands(labelling: Labelling):
    queue = opened(labelling)
    view = queue.next()
    queue.answer(said(view))
    back = queue.at(said(view).unit_id)
    with pytest.raises(AnsweredMeanwhileError, match="nothing was recorded"):
        queue.answer(replace(said(back, "INCORRECT"), seen=None))
