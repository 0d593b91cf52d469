"""Selection from verdicts: scores, layers, who is left out, intervals, rules side by side."""

from dataclasses import replace

import numpy as np
import pytest

from claim_boards import view
from finassay.analyses.operations.draws import ItemStack, resampled_groups
from finassay.analyses.operations.from_study import (
    StudyRequest,
    always_behind,
    operations_of_study,
)
from finassay.analyses.operations.layers import groups_of, published_layers
from finassay.analyses.operations.results import OperationsResult
from finassay.analyses.operations.selection import SelectionSettings
from finassay.errors import UnknownNameError, UsageError
from finassay.marking.view import StudyView
from finassay.records import Item, SystemSpec

FAMILIES = "KKLLXXXXYY"
RULES = {
    "stored": {
        "a": "1111" + "1000" + "11",
        "b": "1011" + "1110" + "00",
        "c": "1000" + "1111" + "10",
    },
    "lenient": {
        "a": "1111" + "1111" + "11",
        "b": "1111" + "1111" + "11",
        "c": "1000" + "1111" + "10",
    },
}
ASKED = StudyRequest(knowledge=("K", "L"))
QUICK = SelectionSettings(draws=200)


def study(**more: object) -> StudyView:
    return replace(view(RULES, families=FAMILIES), **more)


def found(request: StudyRequest = ASKED, **more: object) -> OperationsResult:
    return operations_of_study(study(**more), request, QUICK)


def test_scores_are_points_and_knowledge_is_the_mean_over_families():
    rows = {row.system: row for row in found().systems}
    # K: 2/2, L: 2/2; K: 1/2, L: 2/2; K: 1/2, L: 0/2.
    assert [rows[name].knowledge for name in "abc"] == [100.0, 75.0, 25.0]
    assert rows["b"].scores == (75.0, 0.0)
    assert found().knowledge == "mean of 2 knowledge families"


def test_regret_and_leaders_of_a_study():
    x, y = found().operations
    assert (x.leaders, x.regret, x.recovered_at) == (("c",), (75.0, 25.0, 0.0), 3)
    assert (y.leaders, y.regret, y.recovered_at) == (("a",), (0.0, 0.0, 0.0), 1)
    assert (x.n_items, y.n_items) == (4, 2)


def test_every_rule_has_its_own_row():
    rules = {one.rule: one for one in found().rules}
    assert set(rules) == {"stored", "lenient"}
    assert rules["lenient"].knowledge_leaders == ("a", "b")
    assert rules["lenient"].mean_regret == 0.0
    assert rules["stored"].mean_regret == 37.5


def test_another_rule_can_be_the_main_one():
    assert found(replace(ASKED, rule="lenient")).operations[0].best == 100.0
    with pytest.raises(UnknownNameError, match="no verdicts of 'harsh' in this study"):
        found(replace(ASKED, rule="harsh"))


def test_a_recommendation_says_what_the_items_allow():
    text = found().operations[0].recommendation.text
    assert text.startswith("For X take ")
    assert "95% interval" in text
    assert found().operations[0].recommendation.has_interval


def test_people_are_left_out():
    specs = tuple(SystemSpec(name=n, kind="person" if n == "a" else "model") for n in "abc")
    assert {row.system for row in found(systems=specs).systems} == {"b", "c"}


def test_a_judge_that_is_a_system_is_left_out_of_what_it_judged():
    made = replace(study(), matrices={"judge/c": study().matrices["stored"]})
    result = operations_of_study(made, ASKED, QUICK)
    assert result.evaluators == ("c",)
    assert [row.n_eligible for row in result.operations] == [2, 2]
    assert all(row.is_judged for row in result.operations)


def test_under_a_regime_only_judged_families_leave_the_judge_out():
    deciders = {"mixed": (("X", "judge/c"), ("Y", "stored"))}
    made = study(regimes={"mixed": study().matrices["stored"]}, decided_by=deciders)
    result = operations_of_study(made, replace(ASKED, rule="regime/mixed"), QUICK)
    assert [row.n_eligible for row in result.operations] == [2, 3]
    assert [row.is_judged for row in result.operations] == [True, False]
    assert result.agreement.n_systems == 2


def test_a_system_without_a_verdict_on_some_item_is_not_compared_there():
    gappy = {"stored": {**RULES["stored"], "c": "1000" + "111." + "10"}}
    made = replace(view(gappy, families=FAMILIES))
    result = operations_of_study(made, ASKED, QUICK)
    assert [row.n_eligible for row in result.operations] == [2, 3]
    row = next(row for row in result.systems if row.system == "c")
    assert row.scores == (None, 50.0)


def test_replies_without_a_value_are_wrong_or_left_out_as_asked():
    silent = {"stored": {**RULES["stored"], "c": "1000" + "11nn" + "10"}}
    made = view(silent, families=FAMILIES, policy="bounds")
    worst = operations_of_study(made, ASKED, QUICK)
    assert worst.policy == "wrong"
    assert any("worst case" in note for note in worst.warnings)
    assert worst.operations[0].best == 75.0
    left_out = operations_of_study(made, replace(ASKED, policy="exclude"), QUICK)
    assert left_out.operations[0].best == 100.0


def test_a_study_without_knowledge_families_is_refused_with_what_to_do():
    with pytest.raises(UsageError, match="name families that are knowledge with --knowledge"):
        found(StudyRequest())
    with pytest.raises(UsageError, match="no family or contract is called 'Z'"):
        found(StudyRequest(knowledge=("Z",)))


def test_layers_come_from_contracts_then_strata_then_names():
    items = [
        Item(item_id="1", family="f", contract_id="aml"),
        Item(item_id="2", family="law", strata=(("layer", "knowledge"),)),
        Item(item_id="3", family="Person-Matching"),
        Item(item_id="4", family="odd"),
        Item(item_id="5"),
    ]
    found = groups_of(items, layers={"aml": "knowledge"})
    assert found.knowledge == ("aml", "law")
    assert found.layers == {"Person-Matching": "processing", "odd": ""}
    assert found.of_item == ("aml", "law", "Person-Matching", "odd", "")
    narrow = groups_of(items, layers={"aml": "knowledge"}, operations=["odd"])
    assert narrow.of_item == ("aml", "law", "", "odd", "")


def test_a_layer_that_does_not_exist_is_refused():
    with pytest.raises(UsageError, match="a layer must be one of"):
        groups_of([Item(item_id="1", family="f")], layers={"f": "wisdom"})


def test_published_names_are_known_however_they_are_spelled():
    assert published_layers(["Risk_Classification", "legal-judgment generation", "x"]) == {
        "Risk_Classification": "review",
        "legal-judgment generation": "review",
    }


def stack(groups: list[int], clusters: list[int]) -> ItemStack:
    values = np.arange(len(groups))[:, None] % 2 * np.ones((1, 2))
    return ItemStack(
        values=values,
        counted=np.ones(values.shape, dtype=np.bool_),
        groups=np.array(groups),
        n_groups=max(groups) + 1,
        clusters=np.array(clusters),
        name="clusters",
    )


def test_clusters_that_touch_the_same_families_are_one_stratum():
    made = stack([0, 0, 0, 1, 1, 2], [0, 1, 2, 2, 3, 4])
    assert [sorted(part.tolist()) for part in made.strata()] == [[4], [3], [0, 1], [2]]


def test_no_family_is_ever_without_items():
    made = stack([0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 3, 4])
    for _, known in resampled_groups(made, draws=300, rng=np.random.default_rng(1)):
        assert known.all()


def test_resampled_means_spread_as_the_items_do():
    made = stack([0] * 40 + [1] * 10, list(range(50)))
    means = np.concatenate(
        [m for m, _ in resampled_groups(made, draws=4000, rng=np.random.default_rng(2))]
    )
    # The standard deviation of the mean of 40 draws from {0, 100}, half of each.
    assert means[:, 0, 0].std() == pytest.approx(50 / np.sqrt(40), rel=0.05)
    assert means[:, 0, 0].mean() == pytest.approx(50, abs=0.5)


def test_items_of_one_document_are_drawn_together():
    made = stack([0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 3])
    values = made.values.copy()
    values[:4, 0] = [1, 1, 0, 0]
    made = replace(made, values=values)
    seen = {
        float(row[0, 0])
        for means, _ in resampled_groups(made, draws=200, rng=np.random.default_rng(3))
        for row in means
    }
    assert seen == {0.0, 50.0, 100.0}


def test_intervals_shrink_to_the_scores_where_items_leave_nothing_open():
    same = {"stored": {"a": "11" * 5, "b": "00" * 5}}
    made = view(same, families=FAMILIES)
    result = operations_of_study(made, ASKED, QUICK)
    for row in result.operations:
        assert row.uncertainty is not None
        assert (row.uncertainty.regret[0].low, row.uncertainty.regret[0].high) == (0.0, 0.0)
        assert row.uncertainty.leads == (("a", 1.0),)
        assert row.uncertainty.recovered == 1.0


def test_the_same_seed_gives_the_same_result_and_another_does_not():
    again = operations_of_study(study(), ASKED, QUICK)
    assert again == found()
    other = operations_of_study(study(), ASKED, SelectionSettings(draws=200, seed=1))
    assert other.operations[0].uncertainty != found().operations[0].uncertainty


def test_leads_of_an_operation_sum_to_one():
    for row in found().operations:
        assert row.uncertainty is not None
        assert sum(share for _, share in row.uncertainty.leads) == pytest.approx(1.0)


def test_resamples_without_a_score_are_counted_and_left_out():
    silent = {"stored": {**RULES["stored"], "c": "1000" + "11nn" + "n0"}}
    made = view(silent, families=FAMILIES)
    asked = replace(ASKED, policy="exclude", clusters=("item_id",))
    result = operations_of_study(made, asked, QUICK)
    # Y of c rests on one item of two: a quarter of the resamples draws the silent one twice.
    assert 0.12 < result.n_undefined / 200 < 0.4
    assert any("resamples gave some system no score" in note for note in result.warnings)


def test_systems_can_be_left_out_by_name():
    assert {row.system for row in found(replace(ASKED, leave_out=("a",))).systems} == {"b", "c"}
    with pytest.raises(UnknownNameError, match="no system is called 'z'"):
        found(replace(ASKED, leave_out=("z",)))
    with pytest.raises(UnknownNameError, match="no system is called 'z'"):
        found(replace(ASKED, evaluators=("z",)))


def test_verdicts_of_contracts_are_the_primary_rule():
    made = replace(study(), matrices={**study().matrices, "contract": study().matrices["lenient"]})
    assert operations_of_study(made, ASKED, QUICK).rule == "contract"


def test_operations_that_are_scored_by_coverage_alone_are_named():
    made = {**study().matrices, "contract": study().matrices["lenient"]}
    marked = study(matrices=made, baselines={"contract": ("i4", "i5"), "stored": ("i8",)})
    (said,) = [
        note
        for note in operations_of_study(marked, ASKED, QUICK).warnings
        if "baseline of coverage" in note
    ]
    assert said.startswith("under contract the scores of X are a baseline of coverage")
    assert "verdicts of a judge or of people replace them" in said
    other = operations_of_study(marked, replace(ASKED, rule="lenient"), QUICK)
    assert not [note for note in other.warnings if "coverage" in note]


def test_operations_stand_by_layer():
    layers = {"K": "knowledge", "L": "knowledge", "X": "review", "Y": "processing"}
    result = found(StudyRequest(layers=layers))
    assert [(row.operation, row.layer) for row in result.operations] == [
        ("Y", "processing"),
        ("X", "review"),
    ]


@pytest.mark.parametrize(("n", "is_sure"), [(14, True), (8, True), (6, False), (2, False)])
def test_a_difference_without_spread_is_settled_by_the_sign_test(n: int, is_sure: bool):  # noqa: FBT001
    # 2 / 2^8 x 4 pairs = 0.03; 2 / 2^6 x 4 pairs = 0.125.
    values = np.column_stack([np.ones(n), np.zeros(n), np.ones(n)])
    lost = always_behind(values, np.arange(n), level=0.95, systems=5)
    assert lost.tolist() == [False, is_sure, False]


def test_a_system_that_fails_every_item_is_not_recommended():
    clear = {
        "stored": {"a": "1111" + "1" * 12, "b": "0000" + "0" * 12, "c": "1010" + "1" * 11 + "0"}
    }
    made = view(clear, families="KKKK" + "X" * 12)
    asked = StudyRequest(knowledge=("K",), clusters=("item_id",))
    row = operations_of_study(made, asked, QUICK).operations[0]
    assert row.uncertainty is not None
    assert row.uncertainty.tied == ("a", "c")


def test_items_that_are_drawn_together_are_told_in_the_recommendation():
    # claim_boards puts two neighbouring items into one document.
    assert "4 items in 2 clusters" in found().operations[0].recommendation.text
    alone = found(replace(ASKED, clusters=("item_id",))).operations[0].recommendation.text
    assert "4 items cannot tell" in alone
