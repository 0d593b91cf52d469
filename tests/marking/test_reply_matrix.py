"""Replies as arrays: what they say of texts without holding them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import MarkingError
from finassay.marking.in_memory import candidate_matrices
from finassay.marking.reply_matrix import ReplyMatrix, replies_from, reply_matrix
from finassay.marking.scoring import score_study
from finassay.marking.view import view_study
from finassay.records import Item, Prediction, RunRecord, SystemSpec
from finassay.study import Study
from finassay.study.rows import predictions_frame

pytestmark = pytest.mark.full

ITEMS = ("q0", "q1", "q2")


def of(*texts: str | None) -> ReplyMatrix:
    """Return one item, and a system for each text."""
    named = {f"s{at}": text for at, text in enumerate(texts)}
    return replies_from(list(named), ["q0"], lambda system, _: named[system])


def test_what_is_absent_is_not_blank():
    found = of(None, "", " \n ", "Rs. 5")
    assert found.present.tolist() == [[False, True, True, True]]
    assert found.empty.tolist() == [[False, True, True, False]]
    assert found.lengths.tolist() == [[-1, 0, 3, 5]]


def test_keys_agree_whatever_case_and_white_space():
    found = of("Within  30 days", "within 30\nDAYS ", "within 31 days", "")
    assert found.keys[0, 0] == found.keys[0, 1] != found.keys[0, 2]
    assert found.keys[0, 3] == 0


def test_keys_agree_on_texts_that_were_cut_at_other_lengths():
    long = "The trustee shall report every large exposure to the regulator within thirty days " * 3
    found = of(long, long[:100], long[:60])
    assert found.keys[0, 0] == found.keys[0, 1] != found.keys[0, 2]
    assert found.whole_keys[0, 0] != found.whole_keys[0, 1]


def test_a_text_is_open_where_its_sentence_does_not_end():
    found = of("of the Act", "of the Act.", "Rs. 5,", "अधिनियम क", "(a)", "30")
    assert found.open_ended.tolist() == [[True, False, True, True, False, False]]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.text(max_size=40), min_size=1, max_size=6))
def test_lengths_are_pythons(texts: list[str]):
    found = of(*texts)
    assert found.lengths[0].tolist() == [len(text) for text in texts]


def test_arrays_of_another_shape_are_refused():
    found = of("a", "b")
    with pytest.raises(MarkingError, match=r"`keys` must be 1 items x 1 systems, got shape \(1, 2"):
        ReplyMatrix(
            items=("q0",),
            systems=("s0",),
            lengths=found.lengths,
            keys=found.keys,
            whole_keys=found.whole_keys,
            empty=found.empty,
            error=found.error,
            open_ended=found.open_ended,
            reference_cut_at=found.reference_cut_at,
            question_cut_at=found.question_cut_at,
            sources=("",),
        )


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = Study.create(tmp_path / "study", name="small")
    items = [Item(item_id=name, family="F", reference="30 days") for name in ITEMS]
    made.add_items(items, benchmark="small")
    for name, texts in {"b": ("30 days", "x", "FAIL: 503"), "a": ("thirty", "30 days")}.items():
        spec = SystemSpec(name=name)
        made.add_system(spec)
        made.add_run(
            RunRecord(
                run_id=f"run-{name}",
                system_id=spec.system_id,
                environment=f"imported from {name}.csv",
            )
        )
        rows = predictions_frame(
            Prediction(
                item_id=item,
                system_id=spec.system_id,
                text=text,
                run_id=f"run-{name}",
                flags=("reference_cut", "reference_cut_at:100", "question_cut_at:80")
                if item == "q1"
                else (),
            )
            for item, text in zip(ITEMS, texts, strict=False)
        )
        made.commit(
            "predictions",
            rows,
            partition={"system_id": spec.system_id, "run_id": f"run-{name}"},
        )
    return made


def test_a_study_gives_systems_by_name_with_their_files(study: Study):
    found = reply_matrix(study.snapshot(), ITEMS)
    assert (found.systems, found.sources) == (("a", "b"), ("a.csv", "b.csv"))
    assert found.present.tolist() == [[True, True], [True, True], [False, True]]
    assert found.error[:, 1].tolist() == [False, False, True]
    assert found.reference_cut_at.tolist() == [[0, 0], [100, 100], [0, 0]]
    assert found.question_cut_at[:, 0].tolist() == [0, 80, 0]


def test_candidates_are_marked_as_a_study_marks_them_and_change_nothing(study: Study):
    before = study.snapshot().digests()
    rules = ("strict/numbers-first", "includes", "token_f1")
    made = candidate_matrices(study.snapshot(), items=ITEMS, scorers=rules)
    assert study.snapshot().digests() == before
    score_study(study, scorers=rules)
    view = view_study(study.snapshot())
    for rule in rules:
        held = view.matrices[rule].select(columns=["a", "b"])
        own = made[rule].select(columns=["a", "b"])
        assert own.rows == held.rows
        assert own.values.tolist() == held.values.tolist()
        assert own.status.tolist() == held.status.tolist()


def test_verdicts_at_hand_are_taken_as_they_are(study: Study):
    score_study(study, scorers=("includes",))
    held = view_study(study.snapshot()).matrices
    found = candidate_matrices(study.snapshot(), items=ITEMS, scorers=("includes",), known=held)
    assert found["includes"] is held["includes"]
