from collections import Counter

import pytest

from finassay.errors import UsageError
from finassay.study.adjudication.dealing import deal
from finassay.study.adjudication.draws import Draw, DrawStratum, DrawUnit, UnitKey, unit_id_of


def draw_of(n: int, seed: int = 0) -> Draw:
    keys = [UnitKey(f"q{i}", "s") for i in range(n)]
    units = tuple(
        DrawUnit(
            unit_id=unit_id_of(key),
            key=key,
            stratum="all",
            probability=1.0,
            digests=("d",),
            item_digest="i",
        )
        for key in keys
    )
    return Draw(
        name="d",
        task="correctness",
        design="simple",
        seed=seed,
        protocol="shown",
        scorers=(),
        systems=(("s", "alpha"),),
        strata=(DrawStratum(name="all", size=n, take=n),),
        units=units,
    )


@pytest.mark.parametrize("people", [("a",), ("a", "b"), ("a", "b", "c")])
@pytest.mark.parametrize("overlap", [0.0, 0.25, 1.0])
def test_every_unit_is_given_and_the_overlap_to_everybody(people: tuple[str, ...], overlap: float):
    hands = deal(draw_of(100), people, overlap=overlap)
    counts = Counter(unit for units in hands.values() for unit in units)
    assert set(counts) == set(draw_of(100).by_unit)
    shared = sum(n == len(people) for n in counts.values())
    assert shared == (100 if len(people) == 1 else round(100 * overlap))
    sizes = [len(units) for units in hands.values()]
    assert max(sizes) - min(sizes) <= 1


def test_the_same_seed_deals_the_same_hands_and_another_seed_others():
    first = deal(draw_of(50), ("a", "b"), overlap=0.2)
    assert deal(draw_of(50), ("a", "b"), overlap=0.2) == first
    assert deal(draw_of(50, seed=1), ("a", "b"), overlap=0.2) != first


def test_each_person_has_an_order_of_their_own():
    hands = deal(draw_of(50), ("a", "b"))
    assert set(hands["a"]) == set(hands["b"])
    assert hands["a"] != hands["b"]


def test_who_joins_later_gets_the_overlap_and_what_nobody_has():
    draw = draw_of(40)
    first = deal(draw, ("a", "b"), overlap=0.25)
    held = {(name, "label"): units for name, units in first.items()}
    later = deal(draw, ("c",), overlap=0.25, assigned=held)
    assert len(later["c"]) == 10
    assert set(later["c"]) <= set(first["a"]) & set(first["b"])


@pytest.mark.parametrize("names", [(), ("a", "a"), ("",), (" a",), ("a/b",), ("a\n",)])
def test_names_that_cannot_be_told_apart_are_refused(names: tuple[str, ...]):
    with pytest.raises(UsageError, match="annotator"):
        deal(draw_of(3), names)


@pytest.mark.parametrize("overlap", [-0.1, 1.1, 50])
def test_an_overlap_is_a_share(overlap: float):
    with pytest.raises(UsageError, match=r"for a half pass 0\.5"):
        deal(draw_of(3), ("a",), overlap=overlap)
