"""Verdicts as other tools' scores."""

import pytest

from finassay.errors import UsageError
from finassay.integrations.score_values import NO_ANSWER, Policy, require_policy, score_value
from finassay.records import Status, Verdict


def value(verdict: Verdict, unscored: Policy = "wrong"):
    return score_value(verdict, scorer_id="r", version="2", unscored=unscored)


def silent(status: Status, reason: str = "why") -> Verdict:
    return Verdict(status=status, reason=reason)


def test_a_scored_verdict_keeps_its_number_under_both_policies():
    verdict = Verdict(status="scored", value=0.25, extracted="5", reason="near", flags=("f",))
    assert value(verdict) == value(verdict, "exclude")
    found = value(verdict)
    assert (found.value, found.answer, found.explanation, found.reason) == (0.25, "5", "near", None)
    assert found.metadata == {"status": "scored", "flags": ["f"], "scorer": "r", "version": "2"}


@pytest.mark.parametrize("status", ["no_answer", "unparsed"])
def test_silence_counts_as_wrong_or_is_left_out(status: Status):
    assert value(silent(status)).value == NO_ANSWER
    assert value(silent(status), "exclude").value is None


@pytest.mark.parametrize("status", ["failed", "not_applicable"])
@pytest.mark.parametrize("unscored", ["wrong", "exclude"])
def test_what_does_not_tell_of_the_model_is_never_wrong(status: Status, unscored: Policy):
    assert value(silent(status), unscored).value is None


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (silent("no_answer", "the reply is empty"), "no_response"),
        (silent("no_answer", "the reply refuses to answer"), "refusal"),
        (silent("unparsed"), "invalid_response_format"),
        (silent("failed"), "scoring_failed"),
        (silent("not_applicable"), "not_applicable"),
    ],
)
def test_the_reason_for_silence_is_in_the_other_tools_words(verdict: Verdict, reason: str):
    assert value(verdict).reason == reason


def test_a_label_stands_in_the_metadata():
    assert value(Verdict(status="scored", value=1.0, label="yes")).metadata["label"] == "yes"


def test_an_unknown_policy_is_refused():
    with pytest.raises(UsageError, match=r"`unscored` must be one of .* got 'bounds'"):
        require_policy("bounds")
