"""Comparisons of systems: pairs, families, persons, bounds, and what they warn of."""

import json
from dataclasses import replace

import jsonschema
import pytest

import small_boards
from finassay.analyses.compare import CompareSettings, compare
from finassay.analyses.compare_claims import pair_warnings
from finassay.analyses.results import Comparisons, to_jsonable
from finassay.analyses.results_compare import AdjustedP, BootstrapTest, PValue
from finassay.errors import UnknownNameError, UsageError
from finassay.records import Item, Unscored
from finassay.reports.schemas import schema_object
from finassay.reports.terminal_compare import comparison_lines
from reference.paired_bootstrap import by_polynomial, singles
from reference.paired_tests import mcnemar_p, sign_flips

COLUMNS = {
    "ada": "111111111110",
    "bob": "111101100110",
    "cy": "000100101000",
}


def documents(labels: str) -> tuple[Item, ...]:
    return tuple(Item(item_id=f"i{at}", documents=(name,)) for at, name in enumerate(labels))


ITEMS = documents("aabbbcccccde")


def compared(
    columns: dict[str, str] = COLUMNS,
    *,
    policy: Unscored = "wrong",
    pairs: list[tuple[str, str]] | None = None,
    persons: tuple[str, ...] = (),
    **settings: object,
) -> Comparisons:
    return compare(
        small_boards.board(columns),
        ITEMS,
        rule="exact",
        settings=replace(CompareSettings(policy=policy), **settings),
        pairs=pairs,
        persons=persons,
    )


def differences(left: str, right: str) -> list[int]:
    return [int(a) - int(b) for a, b in zip(COLUMNS[left], COLUMNS[right], strict=True)]


def test_every_pair_has_the_exact_p_of_its_items_and_clusters():
    found = compared(clusters=("documents",))
    assert [(t.left, t.right) for t in found.pairs] == [
        ("ada", "bob"),
        ("ada", "cy"),
        ("bob", "cy"),
    ]
    for test in found.pairs:
        d = differences(test.left, test.right)
        item = [float(p) for p in by_polynomial(singles(d))]
        assert (test.item.p.inclusive, test.item.p.exclusive) == pytest.approx(item)
        clusters = [
            (
                sum(v for v, item in zip(d, ITEMS, strict=True) if item.documents == (name,)),
                sum(item.documents == (name,) for item in ITEMS),
            )
            for name in "abcde"
        ]
        assert test.cluster is not None
        by_hand = [float(p) for p in by_polynomial(clusters)]
        assert (test.cluster.p.inclusive, test.cluster.p.exclusive) == pytest.approx(by_hand)
        assert (test.item.units, test.cluster.units) == (12, 5)


def test_other_tests_of_a_pair_stand_beside_the_bootstrap():
    test = compared().pairs[0]
    d = differences("ada", "bob")
    assert test.difference == pytest.approx(sum(d) / 12)
    assert test.mcnemar is not None
    assert (test.mcnemar.left_only, test.mcnemar.right_only) == (3, 0)
    assert test.mcnemar.exact == pytest.approx(float(mcnemar_p(3, 0)[0]))
    assert test.sign_flip.inclusive == pytest.approx(float(sign_flips(d)[0]))
    assert test.effect.method == "tango"
    assert test.effect.low < test.difference < test.effect.high
    assert test.cluster is None
    assert (test.effect.cluster_low, test.detectable.cluster) == (None, None)


def test_adjustment_uses_the_declared_family():
    own, wide = compared(), compared(family=66)
    assert (own.family, wide.family) == (3, 66)
    p = own.pairs[1].item.p.inclusive
    assert own.pairs[1].item.adjusted.inclusive == pytest.approx(3 * p)
    assert wide.pairs[1].item.adjusted.inclusive == pytest.approx(66 * p)
    assert [count.name for count in wide.counts] == ["0.05", "0.05/66", "0.05/3"]


def test_a_family_smaller_than_the_tests_made_is_refused():
    with pytest.raises(UsageError, match="at least the 3 tests made, got 2"):
        compared(family=2)


def test_counts_say_how_many_pairs_lie_below_each_threshold():
    found = compared(clusters=("documents",))
    for count in found.counts:
        below = sum(t.item.p.inclusive < count.threshold for t in found.pairs)
        assert (count.item.inclusive, count.pairs) == (below, 3)
        assert count.cluster is not None
    assert found.counts[0].item.inclusive == 2


def test_systems_that_differ_share_no_letter():
    shown = {one.system: one.item for one in compared().letters}
    assert set(shown["ada"]) & set(shown["bob"])
    assert not set(shown["ada"]) & set(shown["cy"])


def test_a_named_pair_is_tested_on_shared_items_even_when_incomplete():
    found = compared({**COLUMNS, "late": "1111........"}, pairs=[("late", "cy")])
    assert [(t.left, t.n) for t in found.pairs] == [("late", 4)]
    assert found.letters == ()


def test_incomplete_systems_are_in_no_pair_and_are_named():
    found = compared({**COLUMNS, "late": "1111........"})
    assert "late" not in found.systems
    assert any("in no pair: late" in note for note in found.warnings)


def test_a_person_is_tested_against_every_system_on_their_own_items():
    found = compared({**COLUMNS, "eve": "1110.1......"}, persons=("eve",), clusters=("documents",))
    person = found.persons[0]
    assert (person.person, person.n, person.clusters, person.family) == ("eve", 5, 3, 3)
    assert [(t.left, t.right, t.n) for t in person.pairs] == [
        ("eve", "ada", 5),
        ("eve", "bob", 5),
        ("eve", "cy", 5),
    ]
    assert "eve" not in found.systems
    d = [1 - 0, 1 - 0, 1 - 0, 0 - 1, 1 - 0]
    assert person.pairs[2].item.p.inclusive == pytest.approx(float(by_polynomial(singles(d))[0]))


SILENT = {"ada": "1111nn111100", "bob": "110000110n00"}


def test_unscored_verdicts_are_excluded_from_the_pairs_they_belong_to():
    test = compared(SILENT, policy="exclude").pairs[0]
    assert (test.n, test.n_unscored, test.worst) == (9, 0, None)


def test_bounds_show_the_worst_and_the_best_case():
    test = compared(SILENT, policy="bounds").pairs[0]
    assert (test.n, test.n_unscored) == (12, 3)
    assert test.worst is not None
    assert test.best is not None
    assert test.difference == pytest.approx((8 - 4) / 12)
    assert test.worst.difference == pytest.approx((8 - 5) / 12)
    assert test.best.difference == pytest.approx((10 - 4) / 12)
    assert test.worst.item.inclusive > test.item.p.inclusive > test.best.item.inclusive


def test_without_silence_bounds_add_nothing():
    test = compared(policy="bounds").pairs[0]
    assert (test.worst, test.best) == (None, None)


def test_graded_verdicts_on_a_lattice_are_exact_and_have_no_mcnemar():
    found = compared({"ada": "11h1h1110111", "bob": "0h1h00h10110"})
    test = found.pairs[0]
    halves = {"1": 2, "h": 1, "0": 0}
    d = [halves[a] - halves[b] for a, b in zip("11h1h1110111", "0h1h00h10110", strict=True)]
    assert test.item.p.method == "exact"
    assert test.item.p.inclusive == pytest.approx(float(by_polynomial(singles(d))[0]))
    assert (test.mcnemar, test.effect.method, test.effect.cohen_h) == (None, "student-t", None)


def test_beyond_the_declared_work_p_is_drawn_with_its_error_and_seed():
    exact = compared(clusters=("documents",)).pairs[2]
    drawn = compared(clusters=("documents",), work=0, draws=40_000, seed=3).pairs[2]
    for test, peer in ((drawn.item, exact.item), (drawn.cluster, exact.cluster)):
        assert test is not None
        assert peer is not None
        assert (test.p.method, test.p.draws) == ("monte carlo", 40_000)
        assert test.p.standard_error is not None
        assert test.p.inclusive == pytest.approx(peer.p.inclusive, abs=4.5 * test.p.standard_error)
    assert exact.item.p.standard_error is None


def made(inclusive: float, exclusive: float, error: float | None = None) -> BootstrapTest:
    mid = (inclusive + exclusive) / 2
    p = PValue(
        inclusive=inclusive,
        exclusive=exclusive,
        mid=mid,
        method="exact" if error is None else "monte carlo",
        standard_error=error,
    )
    adjusted = AdjustedP(inclusive=inclusive, exclusive=exclusive, mid=mid)
    return BootstrapTest(units=50, p=p, adjusted=adjusted)


def test_a_claim_that_ties_decide_is_pointed_out():
    assert (
        "ties at the threshold decide" in pair_warnings(made(0.06, 0.04), None, None, alpha=0.05)[0]
    )
    assert pair_warnings(made(0.04, 0.03), None, None, alpha=0.05) == ()


def test_a_claim_that_the_seed_decides_is_pointed_out():
    close, far = made(0.049, 0.049, error=0.001), made(0.02, 0.02, error=0.001)
    assert "another seed" in pair_warnings(close, None, None, alpha=0.05)[0]
    assert pair_warnings(far, None, None, alpha=0.05) == ()


def test_a_claim_that_clusters_overturn_is_pointed_out():
    said = pair_warnings(made(0.01, 0.01), made(0.2, 0.2), None, alpha=0.05)
    assert said == ("items and clusters disagree: the claim depends on what is drawn",)


def test_few_discordant_items_are_pointed_out():
    assert pair_warnings(made(0.5, 0.4), None, (3, 2), alpha=0.05) == (
        "only 5 items tell the two apart",
    )


def test_an_unknown_system_is_named_with_those_there_are():
    with pytest.raises(UnknownNameError, match=r"no system is called 'dan' .*ada, bob, cy"):
        compared(pairs=[("ada", "dan")])


def test_a_system_is_not_compared_with_itself():
    with pytest.raises(UsageError, match="got 'ada' twice"):
        compared(pairs=[("ada", "ada")])


def test_systems_without_a_shared_item_are_refused():
    columns = {"ada": "111111......", "bob": "......111111"}
    with pytest.raises(UsageError, match="'ada' and 'bob' share no item"):
        compared(columns, pairs=[("ada", "bob")])


@pytest.mark.parametrize(
    ("name", "value"),
    [("policy", "best"), ("adjust", "tukey"), ("alpha", 5), ("level", 95), ("draws", 0)],
)
def test_a_setting_out_of_range_is_refused(name: str, value: object):
    with pytest.raises(UsageError, match=f"`{name}`"):
        replace(CompareSettings(policy="wrong"), **{name: value})


def test_the_result_follows_its_published_schema():
    found = compared({**SILENT, "eve": "1110........"}, policy="bounds", persons=("eve",))
    plain = {**to_jsonable(found), "schema": "finassay/compare/1"}
    jsonschema.Draft202012Validator(schema_object("compare")).validate(
        json.loads(json.dumps(plain))
    )


def test_the_printed_table_shows_pairs_bounds_letters_counts_and_people():
    found = compared(
        {**SILENT, "eve": "1110........"},
        policy="bounds",
        persons=("eve",),
        clusters=("documents",),
    )
    text = "\n".join(comparison_lines(found))
    assert "1 pair under exact, items and 5 clusters by documents; unscored: bounds" in text
    assert "+33.3" in text
    assert "3 unscored: the difference lies in [+25.0, +50.0]" in text
    assert "tie groups" in text
    assert "p < 0.05:" in text
    assert "eve on 4 items in 2 clusters, a family of 2" in text
    assert "5 clusters are few" in text


def test_a_drawn_p_is_printed_with_its_error():
    text = "\n".join(comparison_lines(compared(work=0, draws=1000)))
    assert "±0.0" in text


def test_one_cluster_leaves_nothing_to_test():
    # Drawing the only cluster again gives the same difference, which would read as p = 0.
    items = documents("a" * len(COLUMNS["ada"]))
    with pytest.raises(UsageError, match=r"'ada' and 'bob' share lie in one cluster of documents"):
        compare(
            small_boards.board(COLUMNS),
            items,
            rule="exact",
            settings=CompareSettings(policy="wrong", clusters=("documents",)),
        )
