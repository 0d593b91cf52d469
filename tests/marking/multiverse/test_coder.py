"""Rules on whole columns give what each rule says of each row by itself."""

import itertools
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import UsageError
from finassay.marking.batch import Batch
from finassay.marking.multiverse.coder import Coder
from finassay.marking.multiverse.codes import FAILED, OUT, RIGHT, SILENT, WRONG, code_of, combined
from finassay.records import FINISHES, Finish, Item, Prediction, Verdict
from finassay.scorers.base import Scorer
from finassay.scorers.composites import AllOf, AnyOf, FirstScored, Imported
from finassay.scorers.declared import ALLOWED, DeclaredRule
from finassay.scorers.labels import declared as labels
from finassay.scorers.labels.declared import DeclaredLabelRule
from finassay.scorers.registry import load_scorer
from marking_samples import spaced, texts

pytestmark = pytest.mark.full

OTHERS = (
    "includes",
    "token_f1[threshold=0.5]",
    "number_set",
    "yes_no",
    "strict/fuzzy-first",
    "financial",
    "financial[coverage=0.5,guards=false]",
)


def rules() -> st.SearchStrategy[DeclaredRule]:
    named = {name: st.sampled_from(allowed) for name, allowed in ALLOWED.items()}
    return st.builds(
        DeclaredRule,
        normaliser=st.sampled_from(["none", "casefold", "words", "words-percent-stop", "squad"]),
        threshold=st.sampled_from([0.0, 0.3, 0.5, 0.72, 1.0]),
        tolerance=st.sampled_from([0.0, 0.01, 0.5]),
        **named,
    )


def label_rules() -> st.SearchStrategy[DeclaredLabelRule]:
    named = {name: st.sampled_from(allowed) for name, allowed in labels.ALLOWED.items()}
    return st.builds(DeclaredLabelRule, hyphen_joins=st.booleans(), **named)


REPLIES = st.one_of(
    texts,
    spaced,
    st.sampled_from(
        [
            "",
            "  ",
            "Yes. The limit is 5%.",
            "No, at least 30 days.\nFinal answer: 45 days",
            "The fee is 0.05 or 5 per cent; therefore: at most 10%",
            "I cannot answer this question.",
            "cannot be determined",
            "Answer is: up to 1,00,000 rupees",
        ]
    ),
)
REFERENCES = st.one_of(
    st.none(), texts, st.sampled_from(["5%", "0.05", "Yes", "No, it is not", "at least 30 days"])
)


@st.composite
def rows(draw: st.DrawFn) -> dict[str, object]:
    return {
        "reference": draw(REFERENCES),
        "reply": draw(REPLIES),
        "task": draw(st.sampled_from(["", "contradiction_detection", "Con"])),
        "alternatives": draw(st.lists(st.sampled_from(["5", "no", "30", "!"]), max_size=2)),
        "finish": draw(st.sampled_from(FINISHES)),
    }


def pair(row: dict[str, object]) -> tuple[Item, Prediction]:
    item = Item(
        item_id="",
        reference=row["reference"],
        task=str(row.get("task", "")),
        alternatives=tuple(row.get("alternatives", ())),
        choices=tuple(row.get("choices", ())),
    )
    finish: Finish = row["finish"]
    return item, Prediction(text=str(row["reply"]), finish=finish)


def one_by_one(scorer: Scorer, listed: list[dict[str, object]]) -> list[int]:
    return [
        code_of(scorer.score(item=item, prediction=prediction))
        for item, prediction in map(pair, listed)
    ]


@settings(deadline=None, max_examples=150)
@given(st.lists(rows(), min_size=1, max_size=6), st.lists(rules(), min_size=1, max_size=6))
def test_a_declared_rule_on_columns_is_the_rule_on_rows(
    listed: list[dict[str, object]], chosen: list[DeclaredRule]
):
    coder = Coder(Batch.from_rows(listed))
    for rule in chosen:
        assert coder.codes(rule).tolist() == one_by_one(rule, listed), rule


CARDS = (("no", "yes"), ("non", "no", "none"), ("good", "bad"), ("A", "a"), ("yes",), ())
LABEL_REPLIES = st.one_of(
    st.sampled_from(
        [
            "",
            "No.",
            "yes or no",
            "none of them, no",
            "good-bad",
            "It is not bad. Good.\nAnswer: bad",
            "I cannot answer: good",
            "NO\n\nYES",
        ]
    ),
    st.lists(st.sampled_from(["no", "Yes", "none", "good", "bad", "a", ".", "\n"]), max_size=5).map(
        " ".join
    ),
)


@st.composite
def label_rows(draw: st.DrawFn) -> dict[str, object]:
    card = draw(st.sampled_from(CARDS))
    return {
        "reference": draw(st.sampled_from([*card, None, "other"])),
        "reply": draw(LABEL_REPLIES),
        "choices": list(card),
        "finish": draw(st.sampled_from(FINISHES)),
    }


@settings(deadline=None, max_examples=150)
@given(
    st.lists(label_rows(), min_size=1, max_size=6), st.lists(label_rules(), min_size=1, max_size=6)
)
def test_a_declared_label_rule_on_columns_is_the_rule_on_rows(
    listed: list[dict[str, object]], chosen: list[DeclaredLabelRule]
):
    coder = Coder(Batch.from_rows(listed))
    for rule in chosen:
        assert coder.codes(rule).tolist() == one_by_one(rule, listed), rule


@settings(deadline=None, max_examples=30)
@given(st.lists(rows(), min_size=1, max_size=6))
def test_any_other_scorer_is_marked_as_by_rows(listed: list[dict[str, object]]):
    coder = Coder(Batch.from_rows(listed))
    for name in OTHERS:
        assert coder.codes(load_scorer(name)).tolist() == one_by_one(load_scorer(name), listed)


def verdict(code: int) -> Verdict:
    if code in {WRONG, RIGHT}:
        return Verdict(status="scored", value=float(code == RIGHT))
    return Verdict(status=STATUSES[code], reason="said so")


STATUSES = {OUT: "not_applicable", FAILED: "failed", SILENT: "no_answer"}


@pytest.mark.parametrize("kind", [AnyOf, AllOf, FirstScored])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_composites_of_codes_are_composites_of_verdicts(kind: type[AnyOf], count: int):
    every = list(itertools.product(range(5), repeat=count))
    composite = kind(parts=tuple(Imported(name=f"judge/{n}") for n in range(count)))
    columns = [np.array(column, dtype=np.uint8) for column in zip(*every, strict=True)]
    found = combined(composite, columns)
    assert found is not None
    for codes, got in zip(every, found.tolist(), strict=True):
        expected = composite.combine([("", verdict(code)) for code in codes])
        assert got == code_of(expected), codes


def test_verdicts_from_outside_must_be_given():
    coder = Coder(Batch.from_rows([{"reference": "a", "reply": "a"}]))
    with pytest.raises(UsageError, match="are imported, not computed"):
        coder.codes(AnyOf(parts=(DeclaredRule(), Imported(name="judge/x"))))


def test_a_judge_adds_to_a_rule():
    batch = Batch.from_rows([{"reference": "a", "reply": "b"}, {"reference": "a", "reply": "a"}])
    said = np.array([RIGHT, WRONG], dtype=np.uint8)
    coder = Coder(batch, {"judge/x": said})
    both = (DeclaredRule(), Imported(name="judge/x"))
    assert coder.codes(AnyOf(parts=both)).tolist() == [RIGHT, RIGHT]
    assert coder.codes(AllOf(parts=both)).tolist() == [WRONG, WRONG]


def test_every_finish_and_status_has_a_code():
    assert len(get_args(Finish)) == 7
    assert [code_of(verdict(code)) for code in range(5)] == list(range(5))
