from dataclasses import replace
from pathlib import Path

import pytest

from adjudication_studies import JUDGES, SYSTEMS, add_duels, judge_one, judge_two, judged_study
from finassay.errors import MissingVerdictsError, UnknownNameError, UsageError
from finassay.marking.drawing.population import population_of
from finassay.marking.drawing.units import (
    AGREE_RIGHT,
    AGREE_WRONG,
    DISPUTED,
    PART,
    SILENT,
    SUSPECT,
    disagreement,
)
from finassay.records import SystemSpec
from finassay.study import Study
from finassay.study.adjudication.tasks import CORRECTNESS, PAIRWISE, READING, REFERENCE

N = 30


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    made = judged_study(tmp_path_factory.mktemp("population") / "s", n=N)
    pairs = {0: ("left", "left"), 1: ("left", "right"), 2: ("tie", "tie"), 3: ("right", "right")}
    add_duels(made, "judge/p", pairs)
    return made


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((1.0, 1.0), AGREE_RIGHT),
        ((0.5, 0.9), AGREE_RIGHT),
        ((0.0, 0.4), AGREE_WRONG),
        ((1.0, 0.0), DISPUTED),
        ((1.0, None, 0.0), DISPUTED),
        ((1.0, None), PART),
        ((None, None), SILENT),
        ((), SILENT),
    ],
)
def test_what_scorers_make_of_a_unit_together(values: tuple[float | None, ...], said: str):
    assert disagreement(values) == said


def test_every_prediction_is_there_once_with_its_verdicts(study: Study):
    found = population_of(study.snapshot(), CORRECTNESS, scorers=JUDGES)
    assert len(found.units) == len({unit.unit_id for unit in found.units}) == 2 * N
    place = {system.system_id: s for s, system in enumerate(SYSTEMS)}
    for unit in found.units:
        i, s = int(unit.key.item_id[1:]), place[unit.key.system_id]
        assert [v.value for v in unit.verdicts] == [judge_one(i, s), judge_two(i, s)]
        assert [v.scorer_id for v in unit.verdicts] == list(JUDGES)
        assert unit.tags["truncation"] == ("cut" if i % 13 == 5 else "whole")
        assert unit.tags["family"] == ("open" if i % 2 else "closed")
        assert unit.tags["system"] == SYSTEMS[s].name


def test_lengths_come_in_three_classes(study: Study):
    found = population_of(study.snapshot(), CORRECTNESS, scorers=JUDGES)
    assert len(found.lengths) == 2
    assert {unit.tags["length"] for unit in found.units} <= {"short", "middle", "long"}


def test_systems_can_be_named_and_baselines_are_left_out(study: Study, tmp_path: Path):
    only = population_of(study.snapshot(), CORRECTNESS, scorers=JUDGES, systems=["beta"])
    assert {unit.tags["system"] for unit in only.units} == {"beta"}
    made = judged_study(tmp_path / "s", n=2)
    made.add_system(replace(SystemSpec(name="constant"), kind="baseline"))
    names = [name for _, name in population_of(made.snapshot(), CORRECTNESS, scorers=()).systems]
    assert names == ["alpha", "beta"]
    with pytest.raises(UnknownNameError, match="there is no system 'gamma'"):
        population_of(made.snapshot(), CORRECTNESS, scorers=(), systems=["gamma"])


def test_a_scorer_without_verdicts_is_told_with_those_that_have_some(study: Study):
    with pytest.raises(
        MissingVerdictsError, match="no verdicts of 'judge/x'; there are: judge/one"
    ):
        population_of(study.snapshot(), CORRECTNESS, scorers=["judge/x"])


def test_pairs_stand_by_name_and_orders_that_differ_are_a_tie(study: Study):
    found = population_of(study.snapshot(), PAIRWISE, scorers=["judge/p"])
    assert len(found.units) == N
    assert {unit.tags["system"] for unit in found.units} == {"alpha vs beta"}
    values = {int(u.key.item_id[1:]): u.verdicts[0].value for u in found.units}
    assert [values[i] for i in range(5)] == [1.0, 0.5, 0.5, 0.0, None]
    assert all(len(unit.digests) == 2 for unit in found.units)


def test_a_pair_is_known_whichever_side_the_judge_saw_it_from(tmp_path: Path):
    made = judged_study(tmp_path / "s", n=1)
    add_duels(made, "judge/p", {0: ("left", "left")})
    rows = made.snapshot().frame("comparisons")
    sides = {
        f"{a}_{c}": f"{b}_{c}"
        for a, b in (("left", "right"), ("right", "left"))
        for c in ("system_id", "trial", "text_digest")
    }
    partition = {"scorer_id": "judge/p", "scorer_version": "1"}
    made.commit("comparisons", rows.rename(sides).select(rows.columns), partition=partition)
    found = population_of(made.snapshot(), PAIRWISE, scorers=["judge/p"])
    assert found.units[0].verdicts[0].value == 0.0


def test_items_that_no_system_answers_rightly_are_suspect(tmp_path: Path):
    made = judged_study(tmp_path / "s", n=6, judges={"judge/one": lambda i, s: float(i > s)})
    found = population_of(made.snapshot(), REFERENCE, scorers=["judge/one"])
    said = {unit.key.item_id: unit.tags["disagreement"] for unit in found.units}
    assert said["q000"] == SUSPECT
    assert said["q001"] == "some systems are right"
    assert said["q002"] == "every system is right"
    assert [unit.verdicts[0].value for unit in found.units][:3] == [0.0, 0.5, 1.0]


def test_readings_are_asked_of_items_with_labels_only(study: Study):
    with pytest.raises(UsageError, match="nothing that the task 'reading' can be asked of"):
        population_of(study.snapshot(), READING, scorers=())
