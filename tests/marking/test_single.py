import subprocess
import sys

import pytest

import finassay
from finassay.errors import SpecError, UnknownNameError, UsageError
from finassay.marking.single import as_text, fate_of, mark, trace
from finassay.records import AnswerContract, Item, Prediction, Verdict
from finassay.scorers.composites import Imported
from finassay.scorers.registry import load_scorer


class Recorder:
    """A scorer that keeps what it was shown."""

    name = "recorder"
    version = "1"

    def __init__(self) -> None:
        self.item: Item | None = None
        self.prediction: Prediction | None = None

    def score(self, *, item: Item, prediction: Prediction) -> Verdict:
        self.item, self.prediction = item, prediction
        return Verdict(status="unparsed", reason="recorded")


def test_mark_gives_what_the_scorer_gives():
    item = Item(item_id="", reference="30 days", task="temporal_reasoning")
    expected = load_scorer("strict/numbers-first").score(
        item=item, prediction=Prediction(text="Within 30 days.")
    )
    found = mark(
        "strict/numbers-first",
        reference="30 days",
        reply="Within 30 days.",
        task="temporal_reasoning",
    )
    assert found == expected
    assert found.value == 1.0


def test_a_scorer_and_its_id_mark_alike():
    scorer = load_scorer("token_set[threshold=0.9]")
    by_id = mark("token_set[threshold=0.9]", reference="a b c", reply="a b d")
    assert mark(scorer, reference="a b c", reply="a b d") == by_id


def test_everything_that_is_known_of_an_item_reaches_the_scorer():
    seen = Recorder()
    contract = AnswerContract(type="choice", decimals=2)
    mark(
        seen,
        reference="B",
        reply="(b)",
        question="Which?",
        choices=["A", "B"],
        context="A passage.",
        task="con",
        contract=contract,
    )
    assert seen.item == Item(
        item_id="",
        reference="B",
        question="Which?",
        choices=("A", "B"),
        context="A passage.",
        task="con",
        contract=contract,
    )
    assert seen.prediction == Prediction(text="(b)", finish="not_logged")


def test_a_reply_of_white_space_reaches_the_scorer_as_empty():
    seen = Recorder()
    mark(seen, reference="5", reply=" \x1c\n")
    assert seen.prediction == Prediction(text=" \x1c\n", finish="empty")


def test_what_is_left_out_is_empty_for_the_scorer():
    seen = Recorder()
    mark(seen, reference=None, reply="5")
    assert seen.item == Item(item_id="", reference=None)


def test_no_reference_is_not_applicable():
    assert mark("exact", reference=None, reply="5").status == "not_applicable"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5\ud800%", "5\ufffd%"),
        ("\udfff", "\ufffd"),
        ("\ud83d\ude00", "\U0001f600"),
        ("\x00é\U0001f600", "\x00é\U0001f600"),
        ("", ""),
        ("\ufeff5", "\ufeff5"),
    ],
)
def test_halves_of_surrogate_pairs_become_the_replacement_character(text: str, expected: str):
    assert as_text(text) == expected


def test_lone_surrogates_reach_no_scorer():
    seen = Recorder()
    lone = "\ud800"
    mark(seen, reference=lone, reply=lone, question=lone, choices=[lone], context=lone, task=lone)
    assert seen.item == Item(
        item_id="",
        reference="\ufffd",
        question="\ufffd",
        choices=("\ufffd",),
        context="\ufffd",
        task="\ufffd",
    )
    assert seen.prediction == Prediction(text="\ufffd", finish="not_logged")


@pytest.mark.parametrize(("reply", "finish"), [("", "empty"), ("\n", "empty"), (".", "not_logged")])
def test_the_fate_of_a_text_is_empty_or_not_known(reply: str, finish: str):
    assert fate_of(reply) == finish


def test_an_unknown_scorer_is_an_error():
    with pytest.raises(UnknownNameError, match=r"no scorer 'exactly'; did you mean exact"):
        mark("exactly", reference="5", reply="5")


def test_a_threshold_in_percent_is_an_error():
    with pytest.raises(SpecError, match=r"for 72% pass 0\.72"):
        mark("strict/numbers-first[threshold=72]", reference="5", reply="5")


def test_an_imported_scorer_cannot_mark():
    with pytest.raises(UsageError, match="imported, not computed"):
        mark("stored", reference="5", reply="5")


def test_the_steps_of_a_composite_are_its_parts_reasons():
    scorer = load_scorer('any_of[parts=["exact","includes"]]')
    steps = trace(
        scorer, item=Item(item_id="", reference="5"), prediction=Prediction(text="5 days")
    )
    assert steps == (
        ("exact", "the texts differ"),
        ("includes", "the reply contains the reference"),
    )


def test_the_steps_of_a_rule_name_the_numbers_it_compares():
    steps = trace(
        load_scorer("strict/numbers-first"),
        item=Item(item_id="", reference="30"),
        prediction=Prediction(text="30."),
    )
    assert ("numbers in reply", "30.") in steps


def test_a_scorer_that_is_no_rule_has_no_steps():
    item, prediction = Item(item_id="", reference="5"), Prediction(text="5")
    assert trace(Imported(name="stored"), item=item, prediction=prediction) == ()


def _modules_after(code: str) -> set[str]:
    ended = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
    )
    return set(ended.stdout.split())


@pytest.mark.parametrize(
    "scorer", ["strict/numbers-first", "exact", "token_f1", "number_set", "yes_no", "token_set"]
)
def test_marking_one_answer_loads_no_frame_library(scorer: str):
    code = f"import finassay; finassay.mark({scorer!r}, reference='5', reply='5')"
    loaded = _modules_after(code)
    assert "finassay.marking.single" in loaded
    assert not loaded & {"polars", "deltalake", "sqlalchemy", "scipy"}


def test_importing_the_package_loads_no_room():
    loaded = _modules_after("import finassay")
    assert not {name for name in loaded if name.startswith("finassay.marking")}


def test_mark_is_public():
    assert finassay.mark is mark


@pytest.mark.parametrize("parts", [{"reply": 5}, {"reference": 5}, {"reply": None}])
def test_what_is_no_text_is_refused_in_words(parts: dict[str, object]):
    told = {"reference": "5", "reply": "5", **parts}
    with pytest.raises(UsageError, match="must be text, got"):
        mark("exact", **told)  # type: ignore[arg-type]
