from pathlib import Path

import pytest

from adjudication_studies import JUDGES, SYSTEMS, judge_one, judge_two, judged_study
from finassay.analyses.adjudication.plan import DESIGNS, PlanSettings, parse_design, plan_draw
from finassay.errors import UsageError
from finassay.marking.drawing.population import Population, population_of
from finassay.study.adjudication.tasks import CORRECTNESS

N = 60


@pytest.fixture(scope="module")
def population(tmp_path_factory: pytest.TempPathFactory) -> Population:
    study = judged_study(tmp_path_factory.mktemp("plan") / "s", n=N)
    return population_of(study.snapshot(), CORRECTNESS, scorers=JUDGES)


def settings(**fields: object) -> PlanSettings:
    return PlanSettings(**{"task": CORRECTNESS, **fields})


def disputed() -> set[tuple[str, str]]:
    """The disputes, from what was planted."""
    return {
        (f"q{i:03d}", system.system_id)
        for i in range(N)
        for s, system in enumerate(SYSTEMS)
        if judge_two(i, s) is not None and judge_one(i, s) != judge_two(i, s)
    }


def test_all_disputes_are_drawn_and_a_control_sample_of_every_other_stratum(
    population: Population,
):
    plan, draw = plan_draw(population, settings(control=7))
    drawn = {(unit.key.item_id, unit.key.system_id): unit for unit in draw.units}
    assert disputed() <= set(drawn)
    assert all(drawn[key].probability == 1.0 for key in disputed())
    takes = {one.name: (one.size, one.take, one.is_disputed) for one in plan.strata}
    assert takes["disputed"] == (len(disputed()), len(disputed()), True)
    assert {take for size, take, is_disputed in takes.values() if not is_disputed} == {7}
    assert plan.disputed == len(disputed())


@pytest.mark.parametrize("design", DESIGNS)
def test_inclusion_probabilities_are_take_over_size_and_weights_sum_to_the_population(
    population: Population, design: str
):
    plan, draw = plan_draw(population, settings(design=design, labels=70))
    assert len(draw.units) == plan.labels == 70
    sizes = {one.name: one.take / one.size for one in draw.strata}
    assert all(unit.probability == sizes[unit.stratum] for unit in draw.units)
    assert sum(1 / unit.probability for unit in draw.units) == pytest.approx(2 * N)
    assert len(draw.units) + len(draw.rest) == draw.population == 2 * N


def test_every_unit_of_the_population_is_frozen_with_its_verdicts(population: Population):
    _, draw = plan_draw(population, settings())
    place = {system.system_id: s for s, system in enumerate(SYSTEMS)}
    found = {unit.key: tuple(v.value for v in unit.verdicts) for unit in draw.units}
    found |= {one.key: one.values for one in draw.rest}
    assert len(found) == 2 * N
    for key, values in found.items():
        i, s = int(key.item_id[1:]), place[key.system_id]
        assert values == (judge_one(i, s), judge_two(i, s))


def test_the_same_seed_is_the_same_draw_and_more_labels_keep_what_was_drawn(
    population: Population,
):
    first = plan_draw(population, settings(design="simple", labels=20))[1]
    assert plan_draw(population, settings(design="simple", labels=20))[1].draw_id == first.draw_id
    other = plan_draw(population, settings(design="simple", labels=20, seed=1))[1]
    assert set(other.by_unit) != set(first.by_unit)
    more = plan_draw(population, settings(design="simple", labels=30))[1]
    assert set(first.by_unit) < set(more.by_unit)


def test_strata_can_be_crossed_and_hold_every_system(population: Population):
    plan, draw = plan_draw(population, settings(by=("disagreement", "family", "truncation")))
    assert "disputed, closed, whole" in {one.name for one in plan.strata}
    for stratum in draw.strata:
        assert sum(n for _, n in stratum.by_system) == stratum.size
    assert sum(one.size for one in plan.systems) == 2 * N


def test_the_expected_half_width_is_that_of_cochran(population: Population):
    plan, draw = plan_draw(population, settings(design="simple", labels=30))
    variance = (1 - 30 / (2 * N)) * 0.25 / 30
    assert plan.half_width == pytest.approx(1.959964 * variance**0.5, rel=1e-6)
    assert {stratum.name for stratum in draw.strata} == {"all"}


def test_a_pilot_sends_labels_where_the_spread_is(population: Population):
    pilot = {"agree: right": (50.0, 50), "agree: wrong": (10.0, 20)}
    by_guess = settings(design="optimal", labels=60)
    by_pilot = settings(design="optimal", labels=60, pilot=pilot)
    takes = [
        {one.name: one.take for one in plan_draw(population, how)[0].strata}
        for how in (by_guess, by_pilot)
    ]
    assert takes[1]["agree: right"] < takes[0]["agree: right"]
    assert takes[1]["agree: wrong"] > takes[0]["agree: wrong"]


def test_one_label_in_a_stratum_is_told(population: Population):
    plan, _ = plan_draw(population, settings(control=1))
    assert any("one label each in agree: right" in warning for warning in plan.warnings)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"design": "random"}, "`design` must be one of disputes, simple"),
        ({"by": ("colour",)}, "strata can be made of disagreement.*got 'colour'"),
        ({"by": ("task",)}, "needs strata by disagreement"),
        ({"design": "simple"}, "needs a number of labels, got none"),
        ({"control": 0}, "at least one label must be drawn"),
        ({"labels": 0}, "at least one label must be drawn"),
        ({"level": 95}, "for 95% pass 0.95"),
    ],
)
def test_settings_that_cannot_be_met_are_refused(fields: dict[str, object], message: str):
    with pytest.raises(UsageError, match=message):
        settings(**fields)


def test_more_labels_than_units_or_fewer_than_disputes_are_refused(population: Population):
    with pytest.raises(UsageError, match="there are 120 units"):
        plan_draw(population, settings(design="simple", labels=121))
    with pytest.raises(UsageError, match="5 labels are too few"):
        plan_draw(population, settings(labels=5))


def test_disputes_need_two_who_can_differ(tmp_path: Path):
    study = judged_study(tmp_path / "s", n=3)
    one = population_of(study.snapshot(), CORRECTNESS, scorers=JUDGES[:1])
    with pytest.raises(UsageError, match="at least 2 scorers, got"):
        plan_draw(one, settings())


def test_designs_are_read_by_name():
    assert parse_design("optimal") == "optimal"
    with pytest.raises(UsageError, match="must be one of"):
        parse_design("best")
