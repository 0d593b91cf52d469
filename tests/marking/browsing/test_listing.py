"""Lists of items against loops over plain records."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browsing_studies import HOSTILE, JUDGE, ODD_ID, browsing_study, spec, stored
from finassay.errors import UnknownNameError, UsageError
from finassay.marking.browsing.index import ItemIndex, build_index, kind_of
from finassay.marking.browsing.listing import (
    draw_item,
    list_items,
    list_these,
    matching,
    place_of,
    tally,
)
from finassay.marking.browsing.records import ItemOrder, ItemQuery, Outcome
from finassay.study import Study
from finassay.study.snapshot import Snapshot

WORDS: tuple[Outcome, ...] = ("absent", "unscored", "wrong", "right")
SCORERS = ("judge/j", "person/p", "regime/strict", "rule_a", "rule_b")
ORDERS: tuple[ItemOrder, ...] = ("id", "k", "disagreement", "flips", "family", "difficulty")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return browsing_study(tmp_path_factory.mktemp("browsing") / "study")


@pytest.fixture(scope="module")
def snapshot(study: Study) -> Snapshot:
    return study.snapshot()


@pytest.fixture(scope="module")
def index(snapshot: Snapshot) -> ItemIndex:
    return build_index(snapshot)


@st.composite
def indexes(draw: st.DrawFn) -> ItemIndex:
    n_items, n_systems = draw(st.integers(0, 6)), draw(st.integers(0, 4))
    size = len(SCORERS) * n_items * n_systems
    flat = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    codes = np.array(flat, dtype=np.uint8).reshape(len(SCORERS), n_items, n_systems)
    column = st.lists(st.sampled_from(["", "x", "y"]), min_size=n_items, max_size=n_items)
    labels = st.lists(
        st.sampled_from(["", "easy", "hard", "other", "Medium"]), min_size=n_items, max_size=n_items
    )
    return ItemIndex(
        items=tuple(f"i{n}" for n in range(n_items)),
        benchmarks=tuple(draw(column)),
        families=tuple(draw(column)),
        tasks=tuple(draw(column)),
        difficulties=tuple(draw(labels)),
        systems=tuple(f"s{n}" for n in range(n_systems)),
        system_ids=tuple(f"id{n}" for n in range(n_systems)),
        scorers=SCORERS,
        codes=codes,
        replied=np.ones((n_items, n_systems), dtype=bool),
        trial=0,
        trials=(0,),
    )


def said(index: ItemIndex, scorer: str, item: int, system: int) -> Outcome:
    return WORDS[int(index.codes[SCORERS.index(scorer), item, system])]


def counts(index: ItemIndex, item: int, rule: str) -> tuple[int, int, int, int, int, int]:
    """k, n, without a value, flips, differing pairs and pairs, by loops."""
    systems = range(len(index.systems))
    own = [said(index, rule, item, j) for j in systems]
    flips = differing = pairs = 0
    for j in systems:
        given_ = [said(index, one, item, j) for one in ("judge/j", "rule_a", "rule_b")]
        told = [word for word in given_ if word in {"right", "wrong"}]
        several = [(a, b) for a, b in combinations(told, 2)]
        pairs += len(several)
        differing += sum(a != b for a, b in several)
        flips += len(set(told)) == 2
    k = own.count("right")
    return k, k + own.count("wrong"), own.count("unscored"), flips, differing, pairs


def slow(index: ItemIndex, query: ItemQuery) -> list[str]:
    """What is asked for, item by item and one comparison at a time."""
    rule = query.rule or "judge/j"
    kept = []
    for i, item_id in enumerate(index.items):
        k, n, _, flips, differing, pairs = counts(index, i, rule)
        systems = range(len(index.systems))
        ok = query.family in ("", index.families[i]) and query.task in ("", index.tasks[i])
        ok = ok and query.benchmark in ("", index.benchmarks[i])
        ok = ok and query.difficulty in ("", index.difficulties[i])
        ok = ok and (query.k_least is None or k >= query.k_least)
        ok = ok and (query.k_most is None or k <= query.k_most)
        if query.outcome is not None:
            at = index.systems.index(query.system)
            ok = ok and said(index, rule, i, at) == query.outcome
        if query.against:
            two = [{said(index, rule, i, j), said(index, query.against, i, j)} for j in systems]
            ok = ok and {"right", "wrong"} in two
        if query.is_disputed:
            ok = ok and flips > 0
        if ok:
            kept.append((item_id, key_of(index, query.order, i, (k, n, flips, differing, pairs))))
    with_key = [pair for pair in kept if pair[1] is not None]
    without = [item_id for item_id, key in kept if key is None]
    if query.order == "id":
        ids = [item_id for item_id, _ in kept]
        return ids[::-1] if query.is_reversed else ids
    found: list[str] = []
    for key in sorted({key for _, key in with_key}, reverse=query.is_reversed):
        found += [item_id for item_id, own in with_key if own == key]
    return found + without


def key_of(index: ItemIndex, order: ItemOrder, i: int, told: tuple[int, ...]) -> object:
    k, n, flips, differing, pairs = told
    if order == "k":
        return k / n if n else None
    if order == "flips":
        return -flips
    if order == "disagreement":
        return -differing / pairs if pairs else None
    if order == "family":
        return index.families[i] or None
    place = {"easy": 0, "medium": 1, "hard": 2}
    label = index.difficulties[i]
    return (place.get(label.casefold(), 3), label) if label else None


@st.composite
def queries(draw: st.DrawFn, systems: Sequence[str]) -> ItemQuery:
    name = st.sampled_from(["", "", "x", "y"])
    k = st.none() | st.integers(0, 4)
    low, high = draw(k), draw(k)
    if low is not None and high is not None and low > high:
        low, high = high, low
    has_system = bool(systems) and draw(st.booleans())
    return ItemQuery(
        benchmark=draw(name),
        family=draw(name),
        task=draw(name),
        difficulty=draw(st.sampled_from(["", "", "easy", "Medium"])),
        rule=draw(st.sampled_from(["", *SCORERS])),
        k_least=low,
        k_most=high,
        system=draw(st.sampled_from(list(systems))) if has_system else "",
        outcome=draw(st.sampled_from([None, *WORDS])) if has_system else None,
        against=draw(st.sampled_from(["", "", *SCORERS])),
        is_disputed=draw(st.booleans()),
        order=draw(st.sampled_from(ORDERS)),
        is_reversed=draw(st.booleans()),
    )


@given(data=st.data())
@settings(deadline=None, max_examples=150)
def test_filters_and_orders_are_those_of_a_loop(data: st.DataObject, snapshot: Snapshot) -> None:
    index = data.draw(indexes())
    query = data.draw(queries(index.systems))
    assert list(matching(snapshot, index, query)) == slow(index, query)


@given(index=indexes(), rule=st.sampled_from(SCORERS))
@settings(deadline=None, max_examples=60)
def test_tallies_are_those_of_a_loop(index: ItemIndex, rule: str) -> None:
    found = tally(index, rule)
    columns = (found.k, found.n, found.n_unscored, found.flips, found.differing, found.pairs)
    for i in range(len(index.items)):
        assert tuple(int(column[i]) for column in columns) == counts(index, i, rule)


def test_an_index_says_what_the_stored_verdicts_say(study: Study, index: ItemIndex) -> None:
    names = {spec(name).system_id: name for name in index.systems}
    expected = {}
    for row in stored(study, "verdicts"):
        value = row["value"]
        word = "unscored" if value is None else "right" if float(str(value)) >= 0.5 else "wrong"
        expected[row["scorer_id"], row["item_id"], names[str(row["system_id"])]] = word
    found = {
        (scorer, item_id, system): WORDS[int(index.codes[r, i, j])]
        for r, scorer in enumerate(index.scorers)
        for i, item_id in enumerate(index.items)
        for j, system in enumerate(index.systems)
        if index.codes[r, i, j]
    }
    assert found == expected
    assert set(index.scorers) >= {"financial", JUDGE, "person/asha"}


def test_replies_that_are_not_there_are_known(index: ItemIndex) -> None:
    at = index.items.index("q2"), index.systems.index("gamma")
    assert not index.replied[at]
    assert index.replied.sum() == 9


def test_scorers_are_told_apart_by_what_stands_behind_them() -> None:
    names = ("regime/strict", "judge/x/y", "person/a", "imported/person/a/rubric", "token_f1")
    assert [kind_of(name) for name in names] == ["regime", "judge", "person", "person", "rule"]


@pytest.mark.parametrize(
    ("words", "where", "expected"),
    [
        ("TRUSTEE", "items", ["q1"]),
        ("passage two", "items", ["q2"]),
        ("crore", "items", ["q2"]),
        (ODD_ID, "items", [ODD_ID]),
        ("says rule", "replies", ["q1"]),
        ("(", "items", [ODD_ID]),
        ("[", "items", []),
        (".*", "items", []),
        ("evil", "replies", [ODD_ID]),
    ],
)
def test_words_are_looked_for_as_they_stand(
    words: str, where: str, expected: list[str], snapshot: Snapshot, index: ItemIndex
) -> None:
    query = ItemQuery(text=words, where=where)  # type: ignore[arg-type]
    assert list(matching(snapshot, index, query)) == expected


def test_a_page_holds_its_own_items_with_their_texts(snapshot: Snapshot, index: ItemIndex) -> None:
    pages = [list_items(snapshot, index, ItemQuery(), start=at, size=3) for at in (0, 3, 6)]
    assert [row.item_id for page in pages for row in page.rows] == list(index.items)
    assert {page.total for page in pages} == {4}
    odd = next(row for page in pages for row in page.rows if row.item_id == ODD_ID)
    assert odd.question == f"What of {HOSTILE}?"
    assert odd.reference == "5 days"


def test_a_page_without_text_keeps_the_counts(snapshot: Snapshot, index: ItemIndex) -> None:
    whole = list_items(snapshot, index, ItemQuery())
    bare = whole.without_text()
    assert [row.k for row in bare.rows] == [row.k for row in whole.rows]
    assert all(row.reference is None and "days" not in row.question for row in bare.rows)


def test_named_items_stand_in_the_order_given(snapshot: Snapshot, index: ItemIndex) -> None:
    found = list_these(snapshot, index, ["q4", "nobody's", "q1"])
    assert [row.item_id for row in found.rows] == ["q4", "q1"]


def test_a_page_of_too_many_items_is_refused(snapshot: Snapshot, index: ItemIndex) -> None:
    with pytest.raises(UsageError, match="from 1 to 200"):
        list_items(snapshot, index, ItemQuery(), size=201)


def test_an_unknown_rule_or_system_is_named(snapshot: Snapshot, index: ItemIndex) -> None:
    with pytest.raises(UnknownNameError, match="no verdicts of 'zz'"):
        matching(snapshot, index, ItemQuery(rule="zz"))
    with pytest.raises(UnknownNameError, match="no system 'zz'"):
        matching(snapshot, index, ItemQuery(system="zz", outcome="right"))


def test_parts_of_a_query_must_go_together() -> None:
    with pytest.raises(UsageError, match="needs a system"):
        ItemQuery(outcome="right")
    with pytest.raises(UsageError, match="holds no item"):
        ItemQuery(k_least=3, k_most=2)


def test_neighbours_are_those_of_the_list() -> None:
    place = place_of(["c", "a", "b"], "a")
    assert (place.number, place.previous, place.following) == (2, "c", "b")
    assert place_of(["c"], "x").number is None
    assert place_of([], "x").total == 0


def test_the_same_seed_draws_the_same_item(snapshot: Snapshot, index: ItemIndex) -> None:
    drawn = {draw_item(snapshot, index, ItemQuery(), seed=seed) for seed in range(30)}
    assert drawn == set(index.items)
    one = [draw_item(snapshot, index, ItemQuery(task="tmp"), seed=5) for _ in range(3)]
    assert len(set(one)) == 1
    with pytest.raises(UnknownNameError, match="none of 4 items"):
        draw_item(snapshot, index, ItemQuery(task="zz"))


def test_a_study_without_verdicts_is_listed_too(tmp_path: Path) -> None:
    empty = Study.create(tmp_path / "empty")
    index = build_index(empty.snapshot())
    found = list_items(empty.snapshot(), index, ItemQuery(order="disagreement"))
    assert (found.rows, found.total, found.rule) == ((), 0, None)
