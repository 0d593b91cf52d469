from pathlib import Path

import pytest

from adjudication_studies import (
    JUDGES,
    SYSTEMS,
    add_judge,
    drawn,
    is_right,
    judge_one,
    judge_two,
    judged_study,
)
from filled_sheets import fill, honest, make_draw, make_sheets
from finassay.analyses.adjudication.estimate import NO_JUDGE, estimate_draw
from finassay.analyses.adjudication.from_study import estimate_in_study
from finassay.analyses.adjudication.plan import PlanSettings, plan_draw
from finassay.analyses.adjudication.settling import SettledUnit
from finassay.errors import UnknownNameError, UsageError
from finassay.marking.drawing.population import Population, population_of
from finassay.runs.importers.sheets.importing import import_sheets
from finassay.study import Study
from finassay.study.adjudication.draws import Draw
from finassay.study.adjudication.ledger import UnitAnswer
from finassay.study.adjudication.tasks import CORRECTNESS

N = 60
PLACE = {system.system_id: s for s, system in enumerate(SYSTEMS)}


def truth(draw: Draw) -> dict[str, SettledUnit]:
    """Settled labels as people who never err would give them."""
    found = {}
    for unit in draw.units:
        right = is_right(int(unit.key.item_id[1:]), PLACE[unit.key.system_id])
        answer = UnitAnswer(
            unit_id=unit.unit_id,
            annotator="ada",
            label="CORRECT" if right else "INCORRECT",
            value=float(right),
        )
        found[unit.unit_id] = SettledUnit(
            unit_id=unit.unit_id,
            kind="single",
            label=answer.label,
            value=answer.value,
            answers=(answer,),
        )
    return found


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return judged_study(tmp_path_factory.mktemp("estimate") / "s", n=N)


@pytest.fixture(scope="module")
def population(study: Study) -> Population:
    return population_of(study.snapshot(), CORRECTNESS, scorers=JUDGES)


def planned(population: Population, **fields: object) -> Draw:
    return plan_draw(population, PlanSettings(**{"task": CORRECTNESS, **fields}))[1]


def accuracy(s: int) -> float:
    return sum(is_right(i, s) for i in range(N)) / N


def test_when_everything_is_labelled_the_score_is_the_truth(population: Population):
    draw = planned(population, control=1000)
    found = estimate_draw(draw, truth(draw))
    assert [scores.judge for scores in found.scores] == list(JUDGES)
    for scores in found.scores:
        for one in scores.systems:
            s = [system.name for system in SYSTEMS].index(one.system)
            for name in ("human", "horvitz-thompson", "hajek", "ppi", "ppi++"):
                assert one.by(name).value == pytest.approx(accuracy(s)), name


def test_over_many_draws_the_labels_give_the_truth_though_disputes_are_drawn_whole(
    population: Population,
):
    values: dict[str, list[float]] = {name: [] for name in ("human", "ppi++", "biased")}
    inside = 0
    for seed in range(40):
        draw = planned(population, control=8, seed=seed)
        settled = truth(draw)
        (scores,) = estimate_draw(draw, settled, judges=[JUDGES[0]]).scores
        (alpha,) = [one for one in scores.systems if one.system == "alpha"]
        human = alpha.by("human")
        values["human"].append(human.value)
        values["ppi++"].append(alpha.by("ppi++").value)
        own = [
            settled[unit.unit_id].value
            for unit in draw.units
            if unit.key.system_id == SYSTEMS[0].system_id
        ]
        values["biased"].append(sum(own) / len(own))
        inside += human.low <= accuracy(0) <= human.high
    means = {name: sum(found) / len(found) for name, found in values.items()}
    assert means["human"] == pytest.approx(accuracy(0), abs=0.02)
    assert means["ppi++"] == pytest.approx(accuracy(0), abs=0.02)
    assert inside >= 36


def test_sides_count_only_where_two_judges_differ(population: Population):
    draw = planned(population, control=1000)
    found = estimate_draw(draw, truth(draw))
    differ = [
        (i, s)
        for i in range(N)
        for s in range(2)
        if judge_two(i, s) is not None and judge_one(i, s) != judge_two(i, s)
    ]
    with_one = sum(judge_one(i, s) == float(is_right(i, s)) for i, s in differ)
    for side in found.sides:
        assert side.n == len(differ)
        assert side.left_share == pytest.approx(with_one / len(differ))
        assert side.left_share + side.right_share == pytest.approx(1.0)
    assert {side.people for side in found.sides} == {"ada", "settled"}


def test_verdicts_that_changed_since_the_draw_are_told_and_the_frozen_ones_used(tmp_path: Path):
    study = judged_study(tmp_path / "s", n=20)
    make_draw(study)
    make_sheets(study, tmp_path, "ada")
    fill(tmp_path / "first-ada.csv", honest)
    import_sheets(study, drawn(study), [tmp_path / "first-ada.csv"])
    before = estimate_in_study(study, "first")
    assert not any(one.changed for one in before.changed)
    add_judge(study, JUDGES[0], lambda i, s: 1.0 - (judge_one(i, s) or 0.0), n=20)
    after = estimate_in_study(study, "first")
    assert [one.changed for one in after.changed] == [40, 0]
    assert "judge/one says something else now on 40 of 40 units" in after.warnings[0]
    assert after.scores == before.scores


def test_labels_that_are_missing_are_told(population: Population):
    draw = planned(population)
    settled = truth(draw)
    units = list(draw.by_unit)
    for unit, kind in ((units[0], "open"), (units[1], "conflict"), (units[2], "unsure")):
        settled[unit] = SettledUnit(unit_id=unit, kind=kind, label=None, value=None, answers=())
    found = estimate_draw(draw, settled)
    assert (found.open, found.conflicts, found.unsure) == (1, 1, 1)
    assert found.labelled == len(draw.units) - 3
    assert any("1 conflicts are not settled" in warning for warning in found.warnings)


def test_a_judge_must_have_been_frozen(population: Population):
    draw = planned(population)
    with pytest.raises(UnknownNameError, match="froze no verdicts of 'judge/x'; there are: judge"):
        estimate_draw(draw, truth(draw), judges=["judge/x"])


def test_without_scorers_scores_stand_on_labels_alone(study: Study):
    bare = population_of(study.snapshot(), CORRECTNESS, scorers=())
    draw = planned(bare, design="simple", labels=40)
    (scores,) = estimate_draw(draw, truth(draw)).scores
    assert scores.judge == NO_JUDGE
    assert all(one.by("human").value is not None for one in scores.systems)
    assert all(one.n_unjudged == one.n for one in scores.systems)


def test_before_any_label_there_is_nothing_to_estimate(tmp_path: Path):
    study = judged_study(tmp_path / "s", n=4)
    make_draw(study)
    with pytest.raises(UsageError, match="has no settled label with a value yet"):
        estimate_in_study(study, "first")
