"""Printed scores that a constant predictor would get."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.extraction.fingerprints import constant_fingerprint, constant_scores
from finassay.errors import UsageError

GERMAN = {"good": 132, "bad": 68}
AUSTRALIAN = {"bad": 79, "good": 60}


def test_constant_scores_of_german_credit_are_the_known_ones() -> None:
    good, bad, silent = constant_scores(GERMAN)
    assert good.label == "good"
    assert (good.accuracy, good.mcc) == (0.66, 0.0)
    assert (round(good.weighted_f1, 4), round(good.macro_f1, 4)) == (0.5248, 0.3976)
    assert round(bad.weighted_f1, 4) == 0.1725
    assert (silent.label, silent.accuracy, silent.weighted_f1) == (None, 0.0, 0.0)


@pytest.mark.parametrize(
    ("counts", "f1", "label"),
    [
        (GERMAN, "0.52", "good"),
        (GERMAN, "0.17", "bad"),
        (AUSTRALIAN, "0.26", "good"),
        (AUSTRALIAN, "0.41", "bad"),
        (GERMAN, "52.5%", "good"),
    ],
)
def test_published_scores_of_constants_are_recognised(
    counts: dict[str, int], f1: str, label: str
) -> None:
    found = constant_fingerprint(counts, {"weighted_f1": f1, "mcc": "0"})
    assert (found.matches, found.is_constant) == ((label,), True)


def test_a_score_of_a_model_matches_no_constant() -> None:
    found = constant_fingerprint(GERMAN, {"accuracy": "0.61", "mcc": "0.12"})
    assert (found.matches, found.is_constant) == ((), False)


def test_more_printed_digits_are_a_closer_look() -> None:
    assert constant_fingerprint(GERMAN, {"weighted_f1": "0.53"}).matches == ()
    assert constant_fingerprint(GERMAN, {"weighted_f1": "0.5248"}).matches == ("good",)
    assert constant_fingerprint(GERMAN, {"weighted_f1": "0.5252"}).matches == ()


def test_a_correlation_of_zero_alone_tells_nothing() -> None:
    found = constant_fingerprint(GERMAN, {"mcc": "0.00"})
    assert found.matches == ("good", "bad", "")
    assert not found.is_constant


def test_a_score_of_zero_is_that_of_the_silent_predictor() -> None:
    assert constant_fingerprint(GERMAN, {"accuracy": "0.0000"}).matches == ("",)


@pytest.mark.parametrize("text", ["high", "nan", "inf", ""])
def test_a_printed_score_must_be_a_number(text: str) -> None:
    with pytest.raises(UsageError, match="`accuracy` must be a printed number"):
        constant_fingerprint(GERMAN, {"accuracy": text})


def test_unknown_metrics_and_empty_counts_are_refused() -> None:
    with pytest.raises(UsageError, match="one or more of"):
        constant_fingerprint(GERMAN, {"auc": "0.5"})  # type: ignore[dict-item]
    with pytest.raises(UsageError, match="one item or more by label"):
        constant_scores({})
    with pytest.raises(UsageError, match="none negative"):
        constant_scores({"a": 2, "b": -1})


@settings(deadline=None)
@given(
    counts=st.dictionaries(st.sampled_from("abcd"), st.integers(1, 50), min_size=1),
    which=st.integers(0, 3),
)
def test_closed_forms_equal_the_textbook_scores(counts: dict[str, int], which: int) -> None:
    constant = sorted(counts)[which % len(counts)]
    golds = [label for label, count in counts.items() for _ in range(count)]
    f1 = {}
    for label, count in counts.items():
        hits = sum(gold == constant == label for gold in golds)
        named = len(golds) if label == constant else 0
        f1[label] = 2 * hits / (named + count)
    (mine,) = [found for found in constant_scores(counts) if found.label == constant]
    assert mine.accuracy == pytest.approx(counts[constant] / len(golds))
    assert mine.macro_f1 == pytest.approx(sum(f1.values()) / len(f1))
    weighted = sum(f1[label] * count for label, count in counts.items()) / len(golds)
    assert mine.weighted_f1 == pytest.approx(weighted)
