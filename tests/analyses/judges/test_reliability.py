"""The reliability of judges against slow loops over replies."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.judges.results import JudgeStanding
from finassay.analyses.judges.results_compare import Judges
from finassay.analyses.kernels.judge_tables import TREATMENTS
from finassay.errors import MissingVerdictsError, UsageError
from judged_samples import Columns, inputs, judged
from reference import judges as slow

ALPHA = "judge/alpha/single/none/A"
HUMAN = "judge/alpha/single/human/A"
WRONG = "judge/alpha/single/wrong/A"
SYSTEMS = ("alpha", "beta", "gamma")
SAID = {"1": 1, "0": 0, "u": None}


def letters(alphabet: str, length: int = 8) -> st.SearchStrategy[Columns]:
    column = st.text(alphabet=alphabet, min_size=length, max_size=length)
    return st.fixed_dictionaries(dict.fromkeys(SYSTEMS, column))


def truth(people: list[Columns], system: str, at: int) -> int | None:
    words = {"1": "yes", "0": "no", "u": "unsure"}
    labels = [words[one[system][at]] for one in people if one[system][at] != "."]
    found = slow.consensus(labels, "majority", min(2, len(people)))
    return None if found is None else int(found == "yes")


def pairs(
    people: list[Columns], judge: Columns, systems: tuple[str, ...], where: list[int] | None = None
) -> list[slow.Pair]:
    """What people settled and the judge said, reply by reply."""
    out: list[slow.Pair] = []
    for system in systems:
        for at, letter in enumerate(judge[system]):
            settled = truth(people, system, at)
            if settled is not None and letter in SAID and (where is None or at in where):
                out.append((settled, SAID[letter]))
    return out


def named(people: list[Columns]) -> dict[str, Columns]:
    return {f"person/{name}": one for name, one in zip("abc", people, strict=False)}


def of(result: Judges, judge: str) -> JudgeStanding:
    return next(one for one in result.judges if one.identity.scorer_id == judge)


def close(found: float | None, expected: Fraction | None) -> bool:
    if found is None or expected is None:
        return found is None and expected is None
    return found == pytest.approx(float(expected), abs=1e-9)


people_three = st.lists(letters("10u."), min_size=3, max_size=3)


@settings(deadline=None, max_examples=25)
@given(people=people_three, judge=letters("1100u.nf"))
def test_agreement_is_over_settled_replies_of_others_that_the_judge_was_shown(
    people: list[Columns], judge: Columns
):
    result = judged(inputs({ALPHA: judge}, named(people)))
    expected = pairs(people, judge, ("beta", "gamma"))
    found = of(result, ALPHA).agreement
    if not expected:
        assert found is None
        return
    assert found is not None
    assert found.n == len(expected)
    assert found.n_unscored == sum(said is None for _, said in expected)
    assert [one.treatment for one in found.treated] == list(TREATMENTS)
    for one in found.treated:
        assert close(one.kappa.value, slow.kappa(expected, one.treatment))
        assert close(one.f1_correct.value, slow.f1(expected, one.treatment, 1))
        assert close(one.f1_incorrect.value, slow.f1(expected, one.treatment, 0))
        assert close(one.accuracy.value, slow.accuracy(expected, one.treatment))
    assert close(found.false_positive.rate, slow.error_rate(expected, 0))
    assert close(found.false_negative.rate, slow.error_rate(expected, 1))


@settings(deadline=None, max_examples=25)
@given(people=people_three, judge=letters("1100u."))
def test_conditional_agreement_splits_by_what_people_say_of_the_judges_own_answer(
    people: list[Columns], judge: Columns
):
    result = judged(inputs({ALPHA: judge}, named(people)))
    own = {at: truth(people, "alpha", at) for at in range(8)}
    known = {at: said for at, said in own.items() if said is not None}
    if not known:
        assert result.conditional == ()
        return
    (found,) = result.conditional
    right = pairs(people, judge, ("beta", "gamma"), [at for at, said in known.items() if said])
    wrong = pairs(people, judge, ("beta", "gamma"), [at for at, said in known.items() if not said])
    assert (found.n_right, found.n_wrong) == (len(right), len(wrong))
    assert found.n_unknown == len(pairs(people, judge, ("beta", "gamma"))) - len(right) - len(wrong)
    kappas = [slow.kappa(one, "category") for one in (right, wrong)]
    assert close(found.right.value, kappas[0])
    assert close(found.wrong.value, kappas[1])
    gap = None if None in kappas else kappas[0] - kappas[1]  # type: ignore[operator]
    assert close(found.difference.figure.value, gap)


@settings(deadline=None, max_examples=25)
@given(people=people_three, judge=letters("1100u."))
def test_the_self_preference_gap_is_own_error_rate_minus_others(
    people: list[Columns], judge: Columns
):
    result = judged(inputs({ALPHA: judge}, named(people)))
    own, others = pairs(people, judge, ("alpha",)), pairs(people, judge, ("beta", "gamma"))
    if not own:
        assert result.self_preference == ()
        return
    (found,) = result.self_preference
    for says, gap in ((0, found.false_positive_gap), (1, found.false_negative_gap)):
        rates = [slow.error_rate(one, says) for one in (own, others)]
        expected = None if None in rates else rates[0] - rates[1]  # type: ignore[operator]
        assert close(gap.figure.value, expected)


@settings(deadline=None, max_examples=20)
@given(people=people_three, none=letters("10u."), human=letters("10u."))
def test_arms_are_compared_on_common_replies_only(
    people: list[Columns], none: Columns, human: Columns
):
    result = judged(inputs({ALPHA: none, HUMAN: human}, named(people)))
    common = [
        (truth(people, system, at), SAID[human[system][at]], SAID[none[system][at]])
        for system in ("beta", "gamma")
        for at in range(8)
        if truth(people, system, at) is not None
        and human[system][at] in SAID
        and none[system][at] in SAID
    ]
    found = [one for one in result.comparisons if not one.given]
    if not common:
        assert found == []
        return
    (one,) = found
    assert (one.factor, one.left, one.right, one.n) == ("arm", HUMAN, ALPHA, len(common))
    left = slow.kappa([(y, a) for y, a, _ in common if y is not None], "category")
    right = slow.kappa([(y, b) for y, _, b in common if y is not None], "category")
    assert close(one.left_kappa.value, left)
    assert close(one.right_kappa.value, right)
    assert one.n_flipped == sum(a != b for _, a, b in common)


LABELS: Columns = {"alpha": "11001010", "beta": "11010010", "gamma": "01100110"}


def test_consensus_counts_unanimous_dissent_and_excluded():
    people = {
        "person/a": {"beta": "110u1"},
        "person/b": {"beta": "11uu."},
        "person/c": {"beta": "101u."},
    }
    found = judged(inputs({"judge/x": {"beta": "11111"}}, people)).consensus
    assert found is not None
    assert (found.n_labelled, found.n_unanimous, found.n_one_dissent) == (5, 1, 1)
    # Three ways apart; agreed on "not sure"; a single label.
    assert (found.n_excluded, found.n_not_sure, found.n_too_few) == (3, 1, 1)
    assert (found.n_correct, found.n_incorrect, found.n_settled) == (2, 0, 2)


def test_a_single_person_settles_alone_and_it_is_said():
    found = judged(inputs({"judge/x": {"beta": "1100"}}, {"person/a": {"beta": "10u0"}})).consensus
    assert found is not None
    assert (found.least, found.n_settled) == (1, 3)
    assert "3 replies are settled by the label of one person alone" in found.warnings


def test_own_answers_count_where_it_is_asked():
    given_ = inputs({ALPHA: LABELS}, {"person/a": LABELS})
    without, with_own = judged(given_), judged(given_, with_own=True)
    one, two = of(without, ALPHA).agreement, of(with_own, ALPHA).agreement
    assert one is not None
    assert two is not None
    assert (one.n, two.n, of(without, ALPHA).n_self_judged) == (16, 24, 8)


def test_a_scorer_decides_on_own_answers_where_people_do_not():
    labels = {"beta": "11010010", "gamma": "01100110"}
    result = judged(
        inputs(
            {ALPHA: LABELS},
            {"person/a": labels},
            own_rule={"alpha": "1100nu10", "beta": "00000000"},
        )
    )
    (found,) = result.conditional
    assert (found.source, found.source_id) == ("scorer", "financial")
    # No answer is no right answer; what the rule cannot read is unknown: 3 right, 4 wrong.
    assert (found.n_items_right, found.n_items_wrong, found.n_unknown) == (3, 4, 2)


def test_nothing_says_how_the_judge_answered_and_that_is_told():
    labels = {"beta": "11010010", "gamma": "01100110"}
    result = judged(inputs({ALPHA: LABELS}, {"person/a": labels}))
    assert result.conditional == ()
    assert any("nothing says which questions alpha answered right" in w for w in result.warnings)


def test_conditional_and_preference_are_families_of_their_own():
    many = {name: letters * 5 for name, letters in LABELS.items()}
    given_ = inputs({ALPHA: many, HUMAN: many, WRONG: many}, {"person/a": many})
    result = judged(given_)
    sizes = {family.name.split(" where")[0]: family.size for family in result.families}
    assert sizes["kappa"] == 3
    assert (
        sizes["error rates on own answers minus on others', false positives and false negatives"]
        == 6
    )
    assert sizes["kappa of two arms of one judge"] == 3


def test_strata_cut_replies_and_an_unknown_one_is_refused():
    given_ = inputs({ALPHA: LABELS}, {"person/a": LABELS}, tasks="xxxxyyyy")
    strata = of(judged(given_, by=("task", "system")), ALPHA).strata
    sizes = {(part.by, part.stratum): part.n for part in strata}
    assert sizes == {
        ("task", "x"): 8,
        ("task", "y"): 8,
        ("system", "beta"): 8,
        ("system", "gamma"): 8,
    }
    with pytest.raises(UsageError, match="--by weather: no item has it"):
        judged(given_, by=("weather",))


def test_counts_show_both_conventions_for_verdicts_without_a_value():
    counts = of(judged(inputs({"judge/x": {"beta": "110unfa."}}, {})), "judge/x").counts
    assert (counts.n, counts.n_scored, counts.n_unparsed, counts.n_no_answer) == (7, 3, 1, 1)
    assert (counts.n_failed, counts.n_not_applicable) == (1, 1)
    assert (counts.excluded.k, counts.excluded.n) == (2, 3)
    assert (counts.wrong.k, counts.wrong.n) == (2, 5)


def test_labelled_replies_without_a_verdict_are_counted():
    result = judged(inputs({"judge/x": {"beta": "1.."}}, {"person/a": {"beta": "110"}}))
    assert of(result, "judge/x").counts.n_missing == 2


def test_pairwise_judges_are_left_out_and_alone_they_are_refused():
    pairwise = "judge/alpha/pairwise/none/A"
    result = judged(inputs({pairwise: LABELS, ALPHA: LABELS}, {"person/a": LABELS}))
    assert [one.identity.scorer_id for one in result.judges] == [ALPHA]
    assert any("compare two replies" in text for text in result.warnings)
    with pytest.raises(MissingVerdictsError, match="no verdicts of a judge"):
        judged(inputs({pairwise: LABELS}, {"person/a": LABELS}))


def test_the_wrong_arm_lists_replies_in_which_the_reference_is_overruled():
    judge = {"alpha": "00000000", "beta": "11000001", "gamma": "0000u000"}
    result = judged(inputs({WRONG: judge}, {"person/a": LABELS}))
    (found,) = result.wrong_references
    # Right answers: 4 of alpha, 4 of beta (two of them marked CORRECT), 4 of gamma.
    assert (found.correct.k, found.correct.n) == (2, 12)
    assert (found.incorrect.k, found.incorrect.n) == (1, 11)
    assert [(one.item_id, one.system) for one in found.overruled] == [
        ("i0", "beta"),
        ("i1", "beta"),
    ]
    assert found.n_unscored == 1


LABELS_12 = {"beta": "110010101100", "gamma": "011010011010"}


@pytest.mark.parametrize("says", ["u", "1", "0"])
def test_a_judge_that_tells_nothing_apart_fails_whatever_it_says(says: str):
    result = judged(
        inputs({"judge/x": dict.fromkeys(LABELS_12, says * 12)}, {"person/a": LABELS_12})
    )
    assert of(result, "judge/x").standing == "fails"
    (finding,) = (one for one in result.findings if one.kind == "fails_calibration")
    assert finding.text.startswith("judge/x fails calibration: kappa 0.00 (0.00 to 0.00)")


@pytest.mark.parametrize("label", ["1", "0"])
def test_where_everybody_always_says_the_same_kappa_is_undefined_and_nothing_is_claimed(label: str):
    same = dict.fromkeys(LABELS_12, label * 12)
    found = of(judged(inputs({"judge/x": same}, {"person/a": same})), "judge/x")
    assert found.standing == "undetermined"
    assert "undefined" in found.reason
    assert found.agreement is not None
    ends = found.agreement.primary.accuracy
    # 12 questions without an error: the low end of Clopper and Pearson is 0.025 to the power 1/12.
    assert (ends.value, ends.low) == (1.0, pytest.approx(0.025 ** (1 / 12)))


def test_draws_and_seed_decide_the_intervals():
    given_ = inputs({ALPHA: LABELS}, {"person/a": {**LABELS, "beta": "10010110"}})
    assert judged(given_) == judged(given_)


def test_fewer_than_ten_questions_have_no_interval_and_no_test():
    result = judged(inputs({ALPHA: LABELS, HUMAN: LABELS}, {"person/a": LABELS}))
    found = of(result, ALPHA)
    assert found.agreement is not None
    kappa = found.agreement.primary.kappa
    assert (kappa.value, kappa.low, kappa.high) == (1.0, None, None)
    assert found.standing == "undetermined"
    assert "fewer than 10 questions" in found.reason
    assert [one.difference.p for one in result.comparisons if not one.given] == [None]
