"""Scores from few labels, of made-up systems whose true scores are known."""

import json
from collections.abc import Callable
from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest

from finassay.analyses.few_labels import CONVENIENCE, FewLabelSettings, estimate_few_labels
from finassay.analyses.kernels.design_estimates import hajek, horvitz_thompson
from finassay.analyses.kernels.designs import Stratum
from finassay.analyses.label_sample import FrameUnit, LabelSample
from finassay.analyses.results import to_jsonable
from finassay.analyses.results_few_labels import ESTIMATORS, FewLabels
from finassay.errors import UnknownNameError, UsageError
from label_samples import answers, by_dispute, by_item, labelled, plain, truth

ROWS = answers()

CORRECTED = ("human", "horvitz-thompson", "hajek", "rogan-gladen", "ppi", "ppi++")


@pytest.fixture(scope="module")
def stratified() -> FewLabels:
    return estimate_few_labels(by_dispute(ROWS, total=160))


@pytest.mark.parametrize("name", CORRECTED)
def test_every_interval_holds_the_true_score(stratified: FewLabels, name: str):
    for row in stratified.systems:
        one = row.by(name)
        assert one.low <= truth(ROWS, row.system) <= one.high
        assert one.low <= one.value <= one.high
        assert one.n_labels == row.n_labels == 80


def test_verdicts_make_labels_worth_more(stratified: FewLabels):
    for row in stratified.systems:
        alone, tuned = row.by("human"), row.by("ppi++")
        assert tuned.effective_size > alone.effective_size
        assert 0.3 < tuned.tuning < 1.0
        assert row.by("ppi").tuning == 1.0


def test_the_judge_as_it_is_has_a_score_and_no_interval(stratified: FewLabels):
    judge = stratified.systems[1].by("judge")
    verdicts = [unit.judge for unit, _ in ROWS if unit.system == "beta"]
    assert judge.value == pytest.approx(fmean(verdicts))
    assert (judge.low, judge.high) == (None, None)
    assert "how far they are from people is not known" in judge.reason


def test_labels_alone_are_the_same_by_three_formulas_when_strata_lie_in_systems(
    stratified: FewLabels,
):
    sample = by_dispute(ROWS, total=160)
    known = {one.name: one for one in sample.strata}
    for row in stratified.systems:
        drawn = [one for one in sample.units if one.system == row.system and one.label is not None]
        labels = np.array([one.label for one in drawn])
        chances = np.array([known[one.stratum].probability for one in drawn])
        total = horvitz_thompson(labels, chances, size=240)
        for name in ("human", "horvitz-thompson", "hajek"):
            assert row.by(name).value == pytest.approx(total)
        assert row.by("hajek").value == pytest.approx(hajek(labels, chances))


def test_the_tuned_score_is_the_sum_of_the_cells_of_stratum_and_verdict():
    # Twenty labels or more in every cell, so that none is pooled.
    rows = answers(items=2000, seed=5)
    sample = plain(rows, total=800)
    found = estimate_few_labels(sample)
    for row in found.systems:
        own = [one for one in sample.units if one.system == row.system]
        expected = 0.0
        for verdict in (0.0, 1.0):
            cell = [one for one in own if one.judge == verdict]
            labels = [one.label for one in cell if one.label is not None]
            assert len(labels) >= 20
            expected += len(cell) / len(own) * fmean(labels)
        assert row.by("ppi++").value == pytest.approx(expected)


def test_with_every_answer_labelled_the_score_is_known():
    rows = answers(items=30)
    found = estimate_few_labels(plain(rows, total=60))
    for row in found.systems:
        expected = truth(rows, row.system)
        for name in ("human", "horvitz-thompson", "hajek", "ppi", "ppi++"):
            one = row.by(name)
            assert (one.value, one.low, one.high) == pytest.approx((expected,) * 3)
        assert row.by("human").effective_size is None
    difference = next(one for one in found.differences if one.estimator == "ppi++")
    assert difference.low == pytest.approx(difference.high)


def test_labels_of_unknown_origin_are_refused():
    sample = replace(plain(ROWS, total=50), strata=())
    with pytest.raises(UsageError, match="50 labels were not drawn by a known design"):
        estimate_few_labels(sample)


def test_a_convenience_sample_is_shown_without_intervals_and_called_so():
    sample = replace(plain(ROWS, total=50), strata=())
    found = estimate_few_labels(sample, FewLabelSettings(accept_convenience=True))
    assert found.is_convenience
    assert found.warnings[0] == CONVENIENCE
    assert found.differences == ()
    for row in found.systems:
        labels = [
            one.label for one in sample.units if one.system == row.system and one.label is not None
        ]
        assert row.by("human").value == pytest.approx(fmean(labels))
        assert all(one.low is None and one.high is None for one in row.estimates)
        assert all(row.by(name).value is None for name in ESTIMATORS[2:])
        assert row.errors.agreement.low is None


def test_without_a_label_there_is_nothing_to_estimate():
    units = tuple(replace(unit, state="waiting") for unit, _ in ROWS[:4])
    strata = tuple(
        Stratum(name=name, size=n, take=n)
        for name, n in _sizes([unit.stratum for unit in units]).items()
    )
    sample = LabelSample(judge="judge/x", units=units, strata=strata)
    with pytest.raises(UsageError, match="no answer is labelled yet"):
        estimate_few_labels(sample)


def _sizes(names: list[str]) -> dict[str, int]:
    return {name: names.count(name) for name in names}


def test_a_system_without_labels_has_no_score_and_says_why():
    sample = plain(ROWS, total=60)
    units = tuple(
        replace(one, state="waiting", label=None)
        if one.system == "beta" and one.state == "labelled"
        else one
        for one in sample.units
    )
    found = estimate_few_labels(replace(sample, units=units))
    beta = found.systems[1]
    assert beta.by("ppi++").value is None
    assert beta.by("ppi++").reason == "none of its answers is labelled"
    assert beta.n_drawn > 0 == beta.n_labels
    assert all(one.value is None for one in found.differences if one.estimator == "human")


def test_a_stratum_without_labels_leaves_no_score():
    sample = by_dispute(ROWS, total=80)
    name = sample.strata[0].name
    units = tuple(
        replace(one, state="waiting", label=None)
        if one.stratum == name and one.state == "labelled"
        else one
        for one in sample.units
    )
    found = estimate_few_labels(replace(sample, units=units))
    system = name.split(",")[0]
    row = next(row for row in found.systems if row.system == system)
    assert row.by("human").reason == f"nothing is labelled yet in stratum {name!r}"
    assert next(one for one in found.strata if one.name == name).n_waiting == 20


def test_answers_people_are_not_sure_of_are_counted_and_left_out():
    sample = plain(ROWS, total=120)
    first = next(at for at, one in enumerate(sample.units) if one.state == "labelled")
    units = list(sample.units)
    units[first] = replace(units[first], state="not sure", label=None)
    found = estimate_few_labels(replace(sample, units=tuple(units)))
    assert found.n_labels == 119
    assert sum(row.n_unsure for row in found.systems) == 1
    assert any("people were not sure of 1 answer" in note for note in found.warnings)


def test_answers_without_a_verdict_are_a_class_of_their_own():
    sample = plain(ROWS, total=200)
    units = tuple(
        replace(one, judge=None) if at % 7 == 0 else one for at, one in enumerate(sample.units)
    )
    found = estimate_few_labels(replace(sample, units=units))
    assert [row.n_unjudged for row in found.systems] == [35, 34]
    assert any("gave no verdict on 69 answers" in note for note in found.warnings)
    for row in found.systems:
        assert row.by("ppi++").low <= truth(ROWS, row.system) <= row.by("ppi++").high


def test_a_judge_that_errs_otherwise_on_a_system_is_named_and_biases_the_pooled_rates():
    rows = answers(items=1000, errors={"alpha": (0.95, 0.5), "beta": (0.6, 0.97)}, seed=3)
    found = estimate_few_labels(plain(rows, total=900))
    assert any(
        note.startswith("the judge errs otherwise on alpha and beta than overall")
        for note in found.warnings
    )
    for row in found.systems:
        own, pooled = row.by("rogan-gladen"), row.by("rogan-gladen pooled")
        expected = truth(rows, row.system)
        assert own.low <= expected <= own.high
        assert not pooled.low <= expected <= pooled.high


def test_a_judge_that_may_be_at_chance_leaves_every_difference_open():
    rows = answers(errors={"alpha": (0.6, 0.55), "beta": (0.6, 0.55)})
    found = estimate_few_labels(plain(rows, total=40))
    pooled = next(one for one in found.differences if one.estimator == "rogan-gladen pooled")
    assert (pooled.low, pooled.high) == (-1.0, 1.0)


def test_pooled_rates_that_do_not_fit_a_system_leave_it_without_an_interval():
    rows = answers(
        items=1000,
        errors={"alpha": (0.99, 0.2), "beta": (0.6, 0.97)},
        shares={"alpha": 0.5, "beta": 0.05},
    )
    beta = estimate_few_labels(plain(rows, total=1600)).systems[1].by("rogan-gladen pooled")
    assert (beta.value, beta.low, beta.clipped) == (0.0, None, True)
    assert "no share of right answers fits" in beta.reason


def test_the_planted_error_rates_are_found():
    rows = answers(items=1500, errors={"alpha": (0.9, 0.7), "beta": (0.9, 0.7)}, seed=4)
    found = estimate_few_labels(plain(rows, total=1000))
    for errors in (found.errors, *(row.errors for row in found.systems)):
        assert errors.sensitivity.low <= 0.9 <= errors.sensitivity.high
        assert errors.specificity.low <= 0.7 <= errors.specificity.high
        assert errors.sensitivity.n + errors.specificity.n == errors.agreement.n


def test_differences_are_those_of_the_scores_and_turn_with_the_pair(stratified: FewLabels):
    sample = by_dispute(ROWS, total=160)
    turned = estimate_few_labels(sample, pairs=[("beta", "alpha")])
    alpha, beta = stratified.systems
    for one, other in zip(stratified.differences, turned.differences, strict=True):
        assert (one.left, one.right, one.paired) == ("alpha", "beta", False)
        assert other.value == pytest.approx(-one.value)
        if one.estimator in {"human", "ppi++", "rogan-gladen"}:
            scores = alpha.by(one.estimator).value, beta.by(one.estimator).value
            assert one.value == pytest.approx(scores[0] - scores[1])
        if one.low is not None:
            assert (other.low, other.high) == pytest.approx((-one.high, -one.low))
            assert one.low <= truth(ROWS, "alpha") - truth(ROWS, "beta") <= one.high


def test_all_differences_at_once_ask_for_wider_intervals():
    shares = {"a": 0.8, "b": 0.6, "c": 0.5}
    found = estimate_few_labels(plain(answers(shares=shares), total=240))
    assert len({(one.left, one.right) for one in found.differences}) == 3
    for one in found.differences:
        if one.low is not None:
            assert one.family_low < one.low
            assert one.family_high > one.high


def test_items_drawn_whole_give_paired_differences():
    sample = by_item(ROWS, total=80)
    found = estimate_few_labels(sample)
    human = next(one for one in found.differences if one.estimator == "human")
    assert (human.paired, human.n_common) == (True, 80)
    by_key = {(one.item_id, one.system): one.label for one in sample.units if one.label is not None}
    items = {item for item, _ in by_key}
    gaps = [by_key[item, "alpha"] - by_key[item, "beta"] for item in items]
    assert human.value == pytest.approx(fmean(gaps))
    expected = truth(ROWS, "alpha") - truth(ROWS, "beta")
    for one in found.differences:
        if one.low is not None:
            assert one.low <= expected <= one.high


def test_the_judge_alone_has_differences_without_an_interval(stratified: FewLabels):
    judge = next(one for one in stratified.differences if one.estimator == "judge")
    scores = [row.by("judge").value for row in stratified.systems]
    assert judge.value == pytest.approx(scores[0] - scores[1])
    assert judge.low is None


@pytest.mark.parametrize("make", [by_dispute, by_item])
def test_items_like_these_are_less_certain_than_these_items(
    make: Callable[..., LabelSample],
):
    sample = make(ROWS, total=100)
    here = estimate_few_labels(sample)
    wider = estimate_few_labels(sample, FewLabelSettings(population="items like these"))
    for one, other in zip(here.systems, wider.systems, strict=True):
        for name in ("human", "ppi", "ppi++"):
            assert other.by(name).value == pytest.approx(one.by(name).value)
            assert other.by(name).low < one.by(name).low
            assert other.by(name).high > one.by(name).high
    for one, other in zip(here.differences, wider.differences, strict=True):
        if one.low is not None:
            assert other.low < one.low


def test_clusters_widen_what_is_said_of_items_like_these():
    rows = [
        (replace(unit, judge=float(int(unit.item_id[1:]) // 8 % 2)), label) for unit, label in ROWS
    ]
    sample = plain(rows, total=100)
    clusters = {unit.item_id: str(int(unit.item_id[1:]) // 8) for unit, _ in rows}
    grouped = replace(sample, clusters=clusters)
    likely = FewLabelSettings(population="items like these")
    one = estimate_few_labels(sample, likely).systems[0].by("human")
    other = estimate_few_labels(grouped, likely).systems[0].by("human")
    assert other.high - other.low > one.high - one.low
    note = "items come in 30 clusters: that does not matter for the score on these items"
    assert any(note in line for line in estimate_few_labels(grouped).warnings)


def test_the_order_of_the_answers_does_not_matter(stratified: FewLabels):
    sample = by_dispute(ROWS, total=160)
    turned = replace(sample, units=tuple(reversed(sample.units)))
    found = {row.system: row for row in estimate_few_labels(turned).systems}
    for row in stratified.systems:
        for one in row.estimates:
            other = found[row.system].by(one.estimator)
            assert other.value == pytest.approx(one.value)
            assert other.low == pytest.approx(one.low)


def test_one_label_in_a_stratum_is_told_and_never_taken_for_certainty():
    units = [
        FrameUnit(item_id=f"q{at}", system="a", stratum=f"s{at // 10}", judge=1.0)
        for at in range(40)
    ]
    units = [labelled(one, 1.0) if at % 10 == 0 else one for at, one in enumerate(units)]
    strata = tuple(Stratum(name=f"s{at}", size=10, take=1) for at in range(4))
    found = estimate_few_labels(LabelSample(judge="judge/x", units=tuple(units), strata=strata))
    row = found.systems[0]
    for name in ("human", "horvitz-thompson", "hajek", "ppi", "ppi++"):
        assert row.by(name).low < 0.7
    assert row.by("hajek").error > 0.2
    assert any("one unit was drawn from s0, s1, s2 and s3" in note for note in found.warnings)


def graded(sample: LabelSample) -> LabelSample:
    """Return the sample with labels and verdicts of half a point beside whole ones."""
    units = []
    for at, one in enumerate(sample.units):
        half = at % 3 == 0
        label = one.label / 2 if half and one.label is not None else one.label
        units.append(replace(one, label=label, judge=(one.judge or 0.0) / (2 if half else 1)))
    return replace(sample, units=tuple(units))


@pytest.mark.parametrize("make", [plain, by_item])
def test_graded_labels_have_means_by_the_jackknife(make: Callable[..., LabelSample]):
    sample = graded(make(ROWS, total=120))
    found = estimate_few_labels(sample)
    for row in found.systems:
        own = [
            one.label for one in sample.units if one.system == row.system and one.label is not None
        ]
        assert row.by("human").value == pytest.approx(fmean(own))
        for name in ("rogan-gladen", "rogan-gladen pooled"):
            assert "these are graded" in row.by(name).reason
        for name in ("human", "hajek", "ppi", "ppi++"):
            assert row.by(name).low < row.by(name).value < row.by(name).high
        alone, tuned = row.by("human"), row.by("ppi++")
        assert tuned.high - tuned.low < alone.high - alone.low
    human = next(one for one in found.differences if one.estimator == "human")
    alpha, beta = (row.by("human").value for row in found.systems)
    assert human.value == pytest.approx(alpha - beta)
    assert human.low < human.value < human.high


def test_few_graded_labels_have_no_interval():
    found = estimate_few_labels(graded(plain(ROWS, total=40)))
    for row in found.systems:
        assert row.n_labels < 30
        assert row.by("ppi++").low is None
        assert row.by("ppi++").reason.startswith("fewer than 30 graded labels")
    difference = next(one for one in found.differences if one.estimator == "ppi++")
    assert difference.value is not None
    assert difference.low is None


def test_the_result_has_a_json_form(stratified: FewLabels):
    text = json.dumps(to_jsonable(stratified))
    assert json.loads(text)["systems"][0]["system"] == "alpha"


def test_a_pair_that_is_not_there_is_refused():
    with pytest.raises(UnknownNameError, match="no system is called 'gamma'; there are: alpha"):
        estimate_few_labels(plain(ROWS, total=40), pairs=[("alpha", "gamma")])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"level": 1.0}, r"`level` must be in \(0, 1\)"),
        ({"population": "all"}, "`population` must be one of"),
    ],
)
def test_settings_that_cannot_be_are_refused(change: dict, message: str):
    with pytest.raises(UsageError, match=message):
        FewLabelSettings(**change)
