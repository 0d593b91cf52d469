"""Pairwise judges and baselines beside people."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from finassay.analyses.kernels.judge_tables import CORRECT, INCORRECT, TREATMENTS
from finassay.analyses.pairwise.candidate_pairs import candidate_pairs
from finassay.analyses.pairwise.people import pairwise_people
from finassay.analyses.pairwise.people_inputs import PairPlan
from finassay.analyses.pairwise.results_people import PairVoice, PairwisePeople
from finassay.errors import MissingVerdictsError, UsageError
from finassay.marking.asked_answers import AskedAnswers, AskedCounts
from finassay.marking.outside import JudgeSpec
from finassay.records import SystemSpec
from pairwise_samples import inputs, plan
from reference import pairwise as slow
from small_boards import board

JUDGE = "judge/beta/pairwise/none/A"
LABELS = {"person/a": {"alpha": "110", "beta": "100", "gamma": "01u"}}
"""Pairs: i0 alpha-gamma and beta-gamma, i1 alpha-beta and beta-gamma; none at i2."""


def voice(found: PairwisePeople, name: str) -> PairVoice:
    (one,) = (one for one in found.voices if one.scorer_id == name)
    return one


def test_pairs_are_every_correct_beside_every_incorrect_answer():
    truth = np.array([[CORRECT, INCORRECT, CORRECT], [INCORRECT, -1, CORRECT]])
    pairs = candidate_pairs(truth, ["x", "y"], ["b", "a", "c"])
    assert [(p.item_id, p.left, p.right, p.better) for p in pairs] == [
        ("x", "a", "b", "right"),
        ("x", "a", "c", "right"),
        ("y", "b", "c", "right"),
    ]


def test_names_decide_the_arrangement_and_not_the_order_of_systems():
    truth = np.array([[CORRECT, INCORRECT, INCORRECT]])
    one = candidate_pairs(truth, ["x"], ["b", "a", "c"])
    other = candidate_pairs(truth[:, ::-1], ["x"], ["c", "a", "b"])
    assert one == other


def test_agreement_counts_pairs_under_every_treatment():
    said = {
        ("i0", "alpha", "gamma"): "ll",
        ("i0", "beta", "gamma"): "lr",
        ("i1", "alpha", "beta"): "uu",
        ("i1", "beta", "gamma"): "ll",
    }
    found = pairwise_people(inputs(LABELS, {"judge/x": said}), plan())
    assert (found.n_pairs, found.n_items, found.n_systems) == (4, 2, 3)
    agreement = voice(found, "judge/x").agreement
    assert agreement is not None
    counts = (agreement.n, agreement.n_same, agreement.n_other, agreement.n_tied)
    assert (*counts, agreement.n_unread) == (4, 1, 1, 1, 1)
    pairs = [("left", "left"), ("left", "tie"), ("left", None), ("right", "left")]
    for one in agreement.treated:
        expected = slow.kappa(pairs, one.treatment)
        assert one.kappa.value == pytest.approx(float(expected or 0))
    assert [one.treatment for one in agreement.treated] == list(TREATMENTS)
    assert [one.n for one in agreement.treated] == [4, 4, 4, 2]


def test_a_stored_pair_the_other_way_round_is_turned():
    # The study calls gamma left; gamma is wrong, so "right" is what people prefer.
    said = {("i0", "gamma", "alpha"): "rr", ("i0", "gamma", "beta"): "r."}
    found = pairwise_people(inputs(LABELS, {"judge/x": said}), plan())
    agreement = voice(found, "judge/x").agreement
    assert agreement is not None
    assert (agreement.n, agreement.n_same, agreement.n_tied) == (2, 1, 1)
    assert voice(found, "judge/x").n_missing == 2


def test_the_sum_rule_lets_one_order_decide():
    said = {("i0", "alpha", "gamma"): "lt", ("i0", "beta", "gamma"): "l."}
    found = pairwise_people(inputs(LABELS, {"judge/x": said}), plan(rule="sum"))
    agreement = voice(found, "judge/x").agreement
    assert agreement is not None
    assert (agreement.n_same, agreement.n_tied) == (2, 0)


def test_a_failed_call_is_a_pair_that_was_not_asked_about():
    found = pairwise_people(inputs(LABELS, {"judge/x": {("i0", "alpha", "gamma"): "ff"}}), plan())
    assert voice(found, "judge/x").agreement is None
    assert voice(found, "judge/x").n_missing == 4


def test_the_higher_value_wins_and_equal_values_tie():
    scores = {"alpha": "1h.", "beta": "h0.", "gamma": "hh."}
    found = pairwise_people(inputs(LABELS, {}, baselines={"rouge": scores}), plan())
    agreement = voice(found, "rouge").agreement
    assert agreement is not None
    # i0: alpha over gamma as people; beta and gamma equal.  i1: alpha and gamma over beta.
    assert (agreement.n_same, agreement.n_other, agreement.n_tied) == (3, 0, 1)
    assert voice(found, "rouge").order is None
    assert "only baselines" in " ".join(found.warnings)


def test_pairs_with_a_judges_own_answer_are_left_out_unless_asked_for():
    said = {
        ("i0", "alpha", "gamma"): "ll",
        ("i0", "beta", "gamma"): "ll",
        ("i1", "alpha", "beta"): "ll",
        ("i1", "beta", "gamma"): "ll",
    }
    given = inputs(LABELS, {JUDGE: said})
    apart = voice(pairwise_people(given, plan()), JUDGE)
    assert apart.identity is not None
    assert apart.identity.candidate == "beta"
    assert (apart.n_own, apart.agreement.n if apart.agreement else 0) == (3, 1)
    whole = voice(pairwise_people(given, plan(with_own=True)), JUDGE)
    assert whole.agreement is not None
    assert whole.agreement.n == 4


def many(agree_right: str, agree_wrong: str, n: int = 40) -> PairwisePeople:
    """Return a judge "judge" whose own answers are right on even items.

    On those it decides as the first letters say, on the others as the second letters.
    """
    half = "10" * (n // 2)
    labels = {"person/a": {"one": "1" * n, "two": "0" * n, "judge": half}}
    said = {
        (f"i{at}", "one", "two"): (agree_right if at % 2 == 0 else agree_wrong) for at in range(n)
    }
    judges = {"judge/judge/pairwise/none/A": said}
    judges["judge/judge/pairwise/human/A"] = dict.fromkeys(said, "ll")
    return pairwise_people(inputs(labels, judges), plan())


def test_agreement_depends_on_whether_the_judge_could_answer():
    found = many("ll", "rr")
    (none,) = (one for one in found.conditional if "/none/" in one.scorer_id)
    assert (none.candidate, none.source) == ("judge", "people")
    assert (none.n_right, none.n_wrong) == (20, 20)
    assert (none.right.value, none.wrong.value) == (1.0, -1.0)
    assert none.difference.figure.value == 2.0


def test_arms_are_compared_on_common_pairs_and_by_own_answers():
    found = many("ll", "rr")
    by_given = {one.given: one for one in found.comparisons}
    assert set(by_given) == {"", "right", "wrong"}
    whole = by_given[""]
    assert (whole.left, whole.factor) == ("judge/judge/pairwise/human/A", "arm")
    assert (whole.n, whole.n_flipped) == (40, 20)
    assert whole.difference.figure.value == pytest.approx(1.0)
    assert whole.difference.differs
    assert by_given["right"].difference.figure.value == 0.0
    assert not by_given["right"].difference.differs
    assert by_given["wrong"].difference.figure.value == 2.0
    assert any(one.size == 1 and "arms" in one.name for one in found.families)


def test_a_judge_that_always_prefers_the_first_answer_is_told():
    found = many("lr", "lr")
    order = voice(found, "judge/judge/pairwise/none/A").order
    assert order is not None
    assert order.consistent.k == 0
    assert (order.first.k, order.first.n, order.n_lean_first) == (80, 80, 40)
    assert order.p < 1e-9


def test_a_judge_at_chance_has_kappa_about_zero_and_its_interval_holds_it():
    rng = np.random.default_rng(3)
    n = 300
    labels = {"person/a": {"one": "1" * n, "two": "0" * n}}
    said = {(f"i{at}", "one", "two"): rng.choice(["ll", "rr"]) for at in range(n)}
    agreement = voice(pairwise_people(inputs(labels, {"judge/x": said}), plan()), "judge/x")
    assert agreement.agreement is not None
    kappa = agreement.agreement.primary.kappa
    assert kappa.low is not None
    assert kappa.high is not None
    assert kappa.low < 0.0 < kappa.high
    # Two standard errors of 2 x share - 1.
    assert abs(kappa.value or 0.0) < 2 * 2 * 0.5 / n**0.5


def test_three_people_make_a_consensus():
    labels = {
        "person/a": {"alpha": "1", "beta": "0"},
        "person/b": {"alpha": "1", "beta": "u"},
        "person/c": {"alpha": "0", "beta": "0"},
    }
    found = pairwise_people(inputs(labels, {"judge/x": {("i0", "alpha", "beta"): "ll"}}), plan())
    assert found.n_pairs == 1
    assert "at least 2 labels" in found.consensus


def test_agreement_is_cut_by_fields_of_items():
    found = pairwise_people(
        inputs(LABELS, {"judge/x": {("i0", "alpha", "gamma"): "ll"}}), plan(by=("family",))
    )
    assert [(part.by, part.stratum) for part in voice(found, "judge/x").strata] == [
        ("family", "all")
    ]
    with pytest.raises(UsageError, match="no item of a pair has it"):
        pairwise_people(inputs(LABELS, {"judge/x": {}}), plan(by=("colour",)))


def test_labels_that_make_no_pair_are_refused():
    labels = {"person/a": {"alpha": "11", "beta": "11"}}
    with pytest.raises(MissingVerdictsError, match="make no pair"):
        pairwise_people(inputs(labels, {"judge/x": {}}), plan())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rule": "first"}, "`rule` must be one of"),
        ({"primary": "tie"}, "`primary` must be one of"),
        ({"level": 95}, r"for 95% pass 0\.95"),
    ],
)
def test_a_plan_that_cannot_be_followed_is_refused(changes: dict[str, object], message: str):
    with pytest.raises(UsageError, match=message):
        PairPlan(**changes)  # type: ignore[arg-type]


def test_what_a_judge_answered_when_it_was_asked_splits_pairs_too():
    labels = {"person/a": {"one": "1111", "two": "0000"}}
    said = {(f"i{at}", "one", "two"): "ll" if at < 2 else "rr" for at in range(4)}
    name = "judge/outsider/pairwise/none/A"
    spec = SystemSpec(name="outsider, answering", model="lab/outsider-1")
    asked = AskedAnswers(
        systems=(spec,),
        counts={spec.name: AskedCounts(n=4, stale=1)},
        scorer_id="financial",
        rule=board({spec.name: "11n0"}),
    )
    given = replace(
        inputs(labels, {name: said}),
        specs={name: JudgeSpec(scorer_id=name, model="lab/outsider-1")},
        asked=asked,
    )
    found = pairwise_people(given, plan())
    (one,) = found.conditional
    assert (one.candidate, one.answers, one.source_id) == ("", "asked", "financial")
    assert (one.n_right, one.n_wrong, one.n_unknown) == (2, 2, 0)
    assert (one.right.value, one.wrong.value) == (1.0, -1.0)
    assert any("1 answer of 'outsider, answering' left out" in told for told in found.warnings)
