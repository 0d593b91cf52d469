import pytest

from finassay.analyses.agreement import fence, rule_agreement, rule_distances, sign_test_p
from finassay.analyses.results import RuleDistance
from printed_tables import DISAGREEMENTS
from small_boards import board


def distances(table: dict[str, tuple[int, ...]]) -> list[RuleDistance]:
    scorers = ("numbers-first", "fuzzy-first")
    return [
        RuleDistance(system=system, scorer=scorer, mismatches=counts[at], n=406)
        for at, scorer in enumerate(scorers)
        for system, counts in table.items()
    ]


def test_the_system_that_follows_another_rule_comes_out_unaided():
    found = rule_agreement(distances(DISAGREEMENTS), stored="stored")
    assert found.outliers == ("gemini25_pro",)
    assert found.common_rule == "numbers-first"
    assert found.common_range == (2, 22)
    odd = next(system for system in found.systems if system.is_outlier)
    assert (odd.best, odd.mismatches, odd.common_mismatches) == (("fuzzy-first",), 0, 43)


def test_the_names_of_the_systems_do_not_matter():
    renamed = {f"s{at}": counts for at, counts in enumerate(DISAGREEMENTS.values())}
    found = rule_agreement(distances(renamed), stored="stored")
    assert found.outliers == (f"s{list(DISAGREEMENTS).index('gemini25_pro')}",)


def test_a_system_that_is_barely_closer_to_another_rule_is_no_outlier():
    table = {"a": (2, 30), "b": (3, 30), "c": (6, 5)}
    found = rule_agreement(distances(table), stored="stored")
    assert found.outliers == ()
    assert found.systems[2].best == ("fuzzy-first",)


def test_without_a_majority_no_system_is_called_an_outlier():
    found = rule_agreement(distances({"a": (0, 40), "b": (40, 0)}), stored="stored")
    assert (found.common_rule, found.outliers) == (None, ())
    assert found.warnings == (
        "no rule comes close to the stored verdicts of more than half of the systems",
    )


def test_distances_compare_what_one_side_scored_and_name_witnesses():
    stored = board({"a": "1100n.", "b": "111111"})
    rule = board({"a": "1010nu", "c": "111111"})
    (found,) = rule_distances(stored, {"r": rule})
    # i4 has no value on either side, and of i5 nothing is stored
    assert (found.system, found.mismatches, found.n) == ("a", 2, 4)
    assert found.witnesses == ("i1", "i2")
    assert (found.n_one_sided, found.n_unscored) == (0, 1)


def test_verdicts_do_not_mismatch_themselves():
    stored = board({"a": "1100nnn", "b": "fua1010"})
    for found in rule_distances(stored, {"same": stored}):
        assert (found.mismatches, found.n, found.n_unscored) == (0, 4, 3)
    systems = rule_agreement(rule_distances(stored, {"same": stored}), stored="s").systems
    assert [system.mismatches for system in systems] == [0, 0]


def test_a_value_on_one_side_alone_is_a_mismatch_under_every_name():
    stored, rule = board({"a": "1100n0"}), board({"a": "11n011"})
    (distance,) = found = rule_distances(stored, {"r": rule})
    # i2 is stored alone, i4 is marked alone, i5 differs
    assert (distance.mismatches, distance.n, distance.n_one_sided) == (3, 6, 2)
    assert distance.witnesses == ("i2", "i4", "i5")
    (system,) = rule_agreement(found, stored="stored").systems
    assert system.mismatches == distance.mismatches


def test_a_rule_that_shares_no_scored_item_is_left_aside():
    found = rule_distances(
        board({"a": "11"}), {"none": board({"a": "nn"}), "r": board({"a": "10"})}
    )
    (system,) = rule_agreement(found, stored="stored").systems
    assert (system.best, system.runner_up) == (("r",), None)
    assert rule_agreement(found[:1], stored="stored").systems == ()


def test_no_shared_item_gives_no_rule():
    found = rule_agreement(
        [RuleDistance(system="a", scorer="r", mismatches=0, n=0)], stored="stored"
    )
    assert (found.common_rule, found.common_range, found.systems) == (None, None, ())


@pytest.mark.parametrize(("a", "b", "p"), [(0, 5, 2 / 32), (1, 4, 12 / 32), (3, 3, 1.0), (0, 0, 1)])
def test_the_sign_test_counts_coin_tosses(a: int, b: int, p: float):
    assert sign_test_p(a, b) == pytest.approx(p)


def test_variants_of_one_rule_do_not_hide_the_outlier():
    # each system is a little closer to another variant, so that no variant has a majority
    scorers = [f"variant {at}" for at in range(5)]
    found = []
    for at in range(5):
        for own, scorer in enumerate(scorers):
            wrong = 3 if own == at else 4
            found.append(RuleDistance(system=f"s{at}", scorer=scorer, mismatches=wrong, n=400))
        found.append(RuleDistance(system=f"s{at}", scorer="other", mismatches=60, n=400))
    found += [RuleDistance(system="odd", scorer=scorer, mismatches=45, n=400) for scorer in scorers]
    found.append(RuleDistance(system="odd", scorer="other", mismatches=1, n=400))
    assert rule_agreement(found, stored="stored").outliers == ("odd",)


def test_rules_that_fit_nobody_call_nobody_an_outlier():
    table = {"a": (150, 160), "b": (150, 160), "c": (200, 90)}
    found = rule_agreement(distances(table), stored="stored")
    assert (found.common_rule, found.outliers) == (None, ())


def test_a_rule_that_is_silent_on_most_items_follows_nobody():
    # it misses none of the few items that it marks; it says nothing of the other 320
    rows = [
        RuleDistance(system=f"s{at}", scorer="whole", mismatches=10 + at, n=400) for at in range(6)
    ]
    rows += [
        RuleDistance(system=f"s{at}", scorer="part", mismatches=320, n=400, n_one_sided=320)
        for at in range(6)
    ]
    found = rule_agreement(rows, stored="stored")
    assert (found.common_rule, found.outliers) == ("whole", ())
    assert {system.best for system in found.systems} == {("whole",)}


def test_an_advantage_within_the_noise_of_the_rest_is_no_other_rule():
    # The rest depart from the common rule on 4 to 7 percent anyway.  0 against 20 of 400 is far
    # beyond chance (p = 2 / 2**20), yet no more than the noise of this source.
    rest = {f"s{at}": (16 + 2 * at, 120) for at in range(7)}
    calm = {f"s{at}": (at, 120) for at in range(7)}
    odd = {"odd": (20, 0)}
    assert rule_agreement(distances(rest | odd), stored="stored").outliers == ()
    assert rule_agreement(distances(calm | odd), stored="stored").outliers == ("odd",)


def test_one_noisy_system_does_not_hide_the_outlier():
    noisy = {**{f"s{at}": (at, 90) for at in range(9)}, "noisy": (60, 150), "odd": (43, 0)}
    assert rule_agreement(distances(noisy), stored="stored").outliers == ("odd",)


def test_the_fence_is_the_third_quartile_and_one_and_a_half_interquartile_ranges():
    # quartiles of 1..9 are 3 and 7
    assert fence([float(number) for number in range(1, 10)]) == 7 + 1.5 * 4
    assert fence([0.02]) == 0.02
    assert fence([]) == 0.0
