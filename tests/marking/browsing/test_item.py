"""One item with its replies against what the study holds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browsing_studies import HOSTILE, JUDGE, ODD_ID, REPLIES, browsing_study, spec, stored
from finassay.errors import UnknownNameError, UsageError
from finassay.marking.browsing.highlights import marked_reply, marked_text, pieces
from finassay.marking.browsing.item import Shelves, open_shelves, show_item
from finassay.marking.browsing.shelf import VerdictShelf
from finassay.marking.browsing.why import why_marked
from finassay.marking.scoring import score_study
from finassay.records import Item, Prediction
from finassay.study import Study


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return browsing_study(tmp_path_factory.mktemp("browsing") / "study")


@pytest.fixture(scope="module")
def shelves(study: Study) -> Iterator[Shelves]:
    kept = VerdictShelf()
    yield open_shelves(study.snapshot(), study, kept)
    kept.close()


def test_every_stored_verdict_on_an_item_is_shown(study: Study, shelves: Shelves) -> None:
    for item_id in ("q1", "q2", ODD_ID, "q4"):
        shown = show_item(shelves, item_id)
        found = {
            (reply.system_id, mark.scorer, mark.status, mark.value, mark.reason)
            for reply in shown.replies
            for mark in reply.marks
        }
        keys = ("system_id", "scorer_id", "status", "value", "reason")
        rows = stored(study, "verdicts")
        expected = {tuple(r[key] for key in keys) for r in rows if r["item_id"] == item_id}
        assert found == expected
        assert {reply.system: reply.text for reply in shown.replies} == {
            name: texts[item_id][0] for name, texts in REPLIES.items() if item_id in texts
        }


def test_right_replies_stand_first_and_pages_cut_the_list(shelves: Shelves) -> None:
    whole = show_item(shelves, "q1")
    order = [outcome for _, outcome in whole.outcomes]
    assert order == sorted(order, key=["right", "wrong", "unscored", "absent"].index)
    names = [
        reply.system
        for start in range(3)
        for reply in show_item(shelves, "q1", start=start, size=1).replies
    ]
    assert names == [reply.system for reply in whole.replies]
    assert show_item(shelves, "q1", start=7).replies == ()
    assert sum(whole.counts.values()) == whole.total == 3


def test_labels_of_people_who_differ_are_a_conflict(shelves: Shelves) -> None:
    shown = show_item(shelves, "q1")
    assert shown.conflicts == ("alpha",)
    people = [mark for mark in shown.replies[0].marks if mark.kind == "person"]
    assert {mark.scorer: mark.value for mark in people} == {"person/asha": 1.0, "person/ben": 0.0}


def test_a_judge_is_shown_with_its_words_and_what_is_stale_is_said(shelves: Shelves) -> None:
    alpha = next(reply for reply in show_item(shelves, "q1").replies if reply.system == "alpha")
    judged = next(mark for mark in alpha.marks if mark.scorer == JUDGE)
    assert judged.judge is not None
    assert judged.judge.text == "VERDICT: INCORRECT, said the judge"
    assert judged.is_stale
    assert not next(mark for mark in alpha.marks if mark.scorer == "financial").is_stale


def test_why_shows_steps_and_what_the_judge_was_asked(shelves: Shelves) -> None:
    found = why_marked(shelves, "q1", "alpha")
    assert dict(found.steps["financial"])["reference read as"] == "30 days"
    ((scorer, judge),) = found.judges
    assert scorer == JUDGE
    assert "QUESTION TO THE JUDGE" in judge.prompt


def test_without_text_nothing_that_was_said_is_left(shelves: Shelves) -> None:
    for item_id in ("q1", "q2", ODD_ID):
        bare = repr(show_item(shelves, item_id).without_text())
        for words in ("30 days", "crore", "alert", "evil", "line 3", "said the judge", "misread"):
            assert words not in bare


def test_what_is_not_there_is_named(shelves: Shelves, study: Study) -> None:
    with pytest.raises(UnknownNameError, match="no item 'zz'"):
        show_item(shelves, "zz")
    with pytest.raises(UnknownNameError, match="no verdicts of 'zz'"):
        show_item(shelves, "q1", rule="zz")
    with pytest.raises(UnknownNameError, match="no reply to item 'q2'"):
        why_marked(shelves, "q2", "gamma")
    with pytest.raises(UsageError, match="from 1 to 25"):
        show_item(shelves, "q1", size=26)
    with pytest.raises(UnknownNameError, match="no trial 3"):
        open_shelves(study.snapshot(), study, shelves.verdicts, trial=3)


def test_a_shelf_copies_only_what_changed(study: Study, shelves: Shelves) -> None:
    shelf = VerdictShelf()
    before = set(shelf.stock(study.snapshot()))
    assert set(shelf.stock(study.snapshot())) == before
    score_study(study, scorers=("token_f1",))
    after = set(shelf.stock(study.snapshot()))
    assert before < after
    assert len(after - before) == 1
    rows = shelf.verdicts(study.snapshot(), "q1", 0)
    assert rows.filter(scorer_id="token_f1").height == 3
    assert rows.height == study.snapshot().frame("verdicts", item_id="q1").height
    shelf.close()
    assert not any(path.exists() for path in after)


@given(text=st.text(max_size=60), data=st.data())
@settings(deadline=None, max_examples=80)
def test_pieces_joined_are_the_text(text: str, data: st.DataObject) -> None:
    ends = st.integers(-3, len(text) + 3)
    spans = data.draw(st.lists(st.tuples(ends, ends, st.sampled_from(["answer", "number"]))))
    found = pieces(text, spans)
    assert "".join(piece for _, piece in found) == text
    assert all(piece for _, piece in found)
    assert "".join(piece for _, piece in marked_text(text)) == text


@given(
    reply=st.text(max_size=80), reference=st.sampled_from(["30 days", "Yes", "Rs. 5 crore", "x"])
)
@settings(deadline=None, max_examples=80)
def test_a_marked_reply_is_the_reply(reply: str, reference: str) -> None:
    item = Item(item_id="i", question="How much?", reference=reference)
    found = marked_reply(item, Prediction(text=reply))
    assert "".join(piece for _, piece in found) == reply


@pytest.mark.parametrize(
    ("reference", "reply", "answer"),
    [
        ("30 days", "Rule 7 of 2015 applies, so the answer is 30 days.", "30 days"),
        ("Rs. 5 crore", "First 3 crore, then 9 crore. Therefore Rs. 6 crore.", "Rs. 6 crore"),
        ("Yes", "No. It is not required.", "No"),
        ("the board", "  The board. ", "The board."),
    ],
)
def test_what_is_taken_for_the_answer_is_marked(reference: str, reply: str, answer: str) -> None:
    item = Item(item_id="i", question="How much, or is it?", reference=reference)
    found = marked_reply(item, Prediction(text=reply))
    assert [piece for mark, piece in found if mark == "answer"] == [answer]


def test_hostile_text_stays_text(shelves: Shelves) -> None:
    shown = show_item(shelves, ODD_ID)
    alpha = next(reply for reply in shown.replies if reply.system == "alpha")
    assert "".join(piece for _, piece in alpha.segments) == HOSTILE
    assert spec("alpha").system_id == alpha.system_id
