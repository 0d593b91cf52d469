"""Budgets of labels, and where the next ones help."""

import math
from dataclasses import replace

import pytest

from finassay.analyses.few_labels import estimate_few_labels
from finassay.analyses.kernels.finite_shares import effective_interval
from finassay.analyses.label_budget import BudgetSettings, label_budget, next_labels
from finassay.analyses.label_frame import Frame
from finassay.analyses.label_plan import GUESS, LabelPlan, right_chances
from finassay.analyses.label_power import Aim, expected_difference
from finassay.analyses.label_sample import FrameUnit, LabelSample
from finassay.errors import UnknownNameError, UsageError
from label_samples import answers, by_dispute, by_item, plain
from reference import few_labels as textbook

ROWS = answers()


def unlabelled(items: int = 400, rates: tuple[float, float] = (0.6, 0.5)) -> LabelSample:
    """Return answers without a label, the judge marking so many of each system right."""
    units = [
        FrameUnit(
            item_id=f"q{at}",
            system=system,
            stratum="all",
            judge=float(at < round(rate * items)),
        )
        for system, rate in zip("ab", rates, strict=True)
        for at in range(items)
    ]
    return LabelSample(judge="judge/x", units=tuple(units))


def test_without_a_judge_the_expected_interval_is_that_of_two_shares():
    # Two plain shares of 100 labels each: exact ends, added by squares (Zou and Donner 2008).
    sample = unlabelled()
    frame = Frame.of(sample)
    chances = right_chances(frame, 0.0)
    expected = expected_difference(frame, (0, 1), chances, ("all",), blind=True)
    found = expected.interval([200], level=0.95)
    shrink = math.sqrt(1 - 100 / 400)
    low = effective_interval(0.6, 100.0, 0.95)[0], effective_interval(0.5, 100.0, 0.95)[1]
    assert found.value == pytest.approx(0.1)
    below = shrink * math.hypot(0.6 - low[0], low[1] - 0.5)
    assert found.value - found.low == pytest.approx(below)
    variance = (0.24 + 0.25) * (1 / 100 - 1 / 400)
    assert found.variance == pytest.approx(variance)


def test_power_is_near_that_of_the_normal_textbook_where_labels_are_many():
    sample = unlabelled(items=100_000, rates=(0.52, 0.5))
    frame = Frame.of(sample)
    chances = right_chances(frame, 0.0)
    expected = expected_difference(frame, (0, 1), chances, ("all",), blind=True)
    power, _ = expected.power([16_000], 0.02, level=0.95)
    error = math.sqrt((0.52 * 0.48 + 0.25) * (1 / 8000 - 1 / 100_000))
    assert power == pytest.approx(textbook.power(0.02, error, 0.05), abs=0.02)


def test_the_number_needed_is_the_smallest_with_the_power():
    sample = by_dispute(ROWS, total=160)
    budget = label_budget(sample, "alpha", "beta")
    frame = Frame.of(sample)
    chances = right_chances(frame, None)
    plan = LabelPlan.of(frame, (0, 1), chances)
    aim = Aim(
        plan=plan,
        expected=expected_difference(frame, (0, 1), chances, plan.names, blind=False),
        difference=budget.difference,
    )
    assert aim.point(budget.needed).power >= 0.8 > aim.point(budget.needed - 1).power
    assert budget.needed < budget.needed_without_judge <= budget.most == 480


def test_the_difference_is_that_of_the_labels_where_there_are_enough():
    sample = by_dispute(ROWS, total=160)
    found = next(one for one in estimate_few_labels(sample).differences if one.estimator == "ppi++")
    assert label_budget(sample, "alpha", "beta").difference == pytest.approx(found.value)
    bare = unlabelled()
    assert label_budget(bare, "a", "b").difference == pytest.approx(0.1)


def test_a_better_judge_and_a_larger_difference_need_fewer_labels():
    sample = unlabelled()

    def needed(correlation: float, difference: float) -> int:
        settings = BudgetSettings(correlation=correlation, difference=difference)
        return label_budget(sample, "a", "b", settings).needed

    assert needed(0.9, 0.15) < needed(0.6, 0.15) < needed(0.1, 0.15)
    assert needed(0.6, 0.3) < needed(0.6, 0.15)
    assert needed(0.6, -0.15) == pytest.approx(needed(0.6, 0.15), rel=0.2)


def test_power_grows_with_the_labels():
    budget = label_budget(by_dispute(ROWS, total=160), "alpha", "beta")
    powers = [point.power for point in budget.curve]
    assert powers == sorted(powers)
    widths = [point.half_width for point in budget.curve]
    assert widths == sorted(widths, reverse=True)
    assert [point.labels for point in budget.curve] == sorted(p.labels for p in budget.curve)


def test_items_take_two_labels_each():
    budget = label_budget(by_item(ROWS, total=60), "alpha", "beta")
    assert budget.unit == "item"
    assert budget.needed % 2 == 0
    assert all(point.labels % 2 == 0 for point in budget.curve)
    assert budget.most == 480


def test_a_guess_stands_in_for_a_pilot_and_is_told():
    sample = unlabelled()
    budget = label_budget(sample, "a", "b")
    assert any(f"a correlation of {GUESS:g} is assumed" in note for note in budget.warnings)
    frame = Frame.of(sample)
    for correlation in (0.3, GUESS):
        chances = right_chances(frame, correlation)
        for system, rate in ((0, 0.6), (1, 0.5)):
            own = chances[frame.systems == system]
            verdicts = frame.judged[frame.systems == system]
            assert own.mean() == pytest.approx(rate)
            shared = ((own - rate) * (verdicts - rate)).mean()
            assert shared / (rate * (1 - rate)) == pytest.approx(correlation)


def test_chances_follow_the_labels_of_a_stratum_and_lean_on_the_others():
    sample = by_dispute(ROWS, total=160)
    frame = Frame.of(sample)
    chances = right_chances(frame, None)
    name = sample.strata[0].name
    rows = (frame.strata == frame.names.index(name)) & frame.says_right
    own = rows & frame.is_labelled
    alike = frame.says_right & frame.is_labelled
    overall = (frame.labels[alike].sum() + 1) / (alike.sum() + 2)
    expected = (frame.labels[own].sum() + 2 * overall) / (own.sum() + 2)
    assert chances[rows] == pytest.approx(expected)


def test_strata_that_are_labelled_whole_count_before_the_others():
    sample = by_dispute(ROWS, total=160)
    certain = tuple(one.name for one in sample.strata if "disputed" in one.name)
    whole = sum(one.size for one in sample.strata if one.name in certain)
    budget = label_budget(
        sample, "alpha", "beta", BudgetSettings(certain=certain, counts=(20, whole + 10))
    )
    assert budget.curve[0].power == 0.0
    assert budget.curve[1].power > 0.0


def test_the_next_labels_go_where_they_take_most_off_the_variance():
    sample = by_dispute(ROWS, total=80)
    advice = next_labels(sample, labels=40)
    assert sum(row.suggested for row in advice.strata) == 40
    assert sum(row.share for row in advice.strata) == pytest.approx(1.0)
    assert advice.error_after < advice.error_before
    most = max(advice.strata, key=lambda row: row.gain)
    assert most.suggested == max(row.suggested for row in advice.strata)
    # Giving one label of the batch to another stratum is never better.
    frame = Frame.of(sample)
    plan = LabelPlan.of(frame, (0, 1), right_chances(frame, None), divide=2)
    best = list(plan.greedy(40))
    for one in range(len(best)):
        for other in range(len(best)):
            if one != other and best[one] > plan.labelled[one] and best[other] < plan.sizes[other]:
                moved = [*best]
                moved[one] -= 1
                moved[other] += 1
                assert plan.variance(moved) >= plan.variance(best) - 1e-15


def test_labels_for_one_difference_go_to_its_two_systems():
    shares = {"a": 0.8, "b": 0.6, "c": 0.5}
    sample = by_dispute(answers(shares=shares), total=120)
    advice = next_labels(sample, labels=30, pair=("a", "b"))
    assert advice.target == "a less b"
    assert all(not row.stratum.startswith("c") for row in advice.strata)


def test_what_cannot_be_planned_is_refused():
    sample = unlabelled(rates=(0.5, 0.5))
    with pytest.raises(UsageError, match="show no difference"):
        label_budget(sample, "a", "b")
    with pytest.raises(UnknownNameError, match="no system is called 'z'"):
        label_budget(sample, "a", "z")
    with pytest.raises(UsageError, match="`labels` must be 1 or more and `pair` two systems"):
        next_labels(plain(ROWS, total=20), labels=0)
    with pytest.raises(UsageError, match="`pair` two systems or none"):
        next_labels(plain(ROWS, total=20), labels=5, pair=("alpha",))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"alpha": 0.0}, "`alpha` and `power` must be in"),
        ({"power": 1.0}, "`alpha` and `power` must be in"),
        ({"correlation": 1.0}, "`correlation` must be in"),
        ({"difference": 0.0}, "`difference` must be in"),
    ],
)
def test_settings_that_cannot_be_are_refused(change: dict, message: str):
    with pytest.raises(UsageError, match=message):
        BudgetSettings(**change)


def test_graded_labels_are_told():
    sample = by_dispute(ROWS, total=160)
    units = tuple(one if one.label is None else replace(one, label=0.5) for one in sample.units)
    settings = BudgetSettings(difference=0.2)
    notes = label_budget(replace(sample, units=units), "alpha", "beta", settings).warnings
    assert any("graded labels count by their value" in note for note in notes)
