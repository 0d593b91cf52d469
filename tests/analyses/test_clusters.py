"""Items that share a document, a family, or anything declared, hang together."""

import pytest

from finassay.analyses.clusters import clusters_of
from finassay.errors import UnknownNameError
from finassay.records import Item


def item(number: int, *documents: str, family: str = "", source: str = "") -> Item:
    strata = (("source", source),) if source else ()
    return Item(item_id=f"i{number}", documents=documents, family=family, strata=strata)


def test_items_joined_through_a_third_are_one_cluster():
    items = [item(0, "a"), item(1, "b"), item(2, "c"), item(3, "a", "c")]
    found = clusters_of(items, ["documents"])
    assert found.sizes == (3, 1)
    assert found.labels.tolist() == [0, 1, 0, 0]


def test_several_columns_join_what_shares_any_of_them():
    items = [item(0, "a", family="X"), item(1, "b", family="X"), item(2, "b"), item(3, "c")]
    assert clusters_of(items, ["documents"]).sizes == (2, 1, 1)
    assert clusters_of(items, ["documents", "family"]).sizes == (3, 1)


def test_a_value_of_one_column_is_not_that_of_another():
    items = [item(0, "X"), item(1, family="X")]
    assert clusters_of(items, ["documents", "family"]).sizes == (1, 1)


def test_a_stratum_makes_clusters():
    items = [item(0, source="RBI"), item(1, source="SEBI"), item(2, source="RBI")]
    assert clusters_of(items, ["source"]).labels.tolist() == [0, 1, 0]


def test_items_without_a_value_stand_alone_and_are_counted():
    found = clusters_of([item(0), item(1), item(2, "a"), item(3, "a")], ["documents"])
    assert found.sizes == (2, 1, 1)
    assert found.n_alone == 2
    assert any("2 items name none of documents" in note for note in found.warnings)


def test_few_clusters_are_pointed_out():
    few = clusters_of([item(n, str(n % 3)) for n in range(40)], ["documents"])
    many = clusters_of([item(n, str(n)) for n in range(40)], ["documents"])
    assert "3 clusters are few" in few.warnings[0]
    assert many.warnings == ()


def test_an_unknown_column_is_named_with_those_there_are():
    with pytest.raises(UnknownNameError, match=r"no column 'document' .*documents.*source"):
        clusters_of([item(0, "a", source="RBI")], ["document"])
