"""What holds for folders of contracts, the template, the inventory and the second reading."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from finassay.benchmarks.operations import KINDS, LAYERS, bundled_shelf, layers, open_shelf
from finassay.benchmarks.operations.inventory import inventory_of
from finassay.benchmarks.operations.second_reading import (
    AGREEMENTS,
    COLUMNS,
    read_second_reading,
    second_reading_operations,
)
from finassay.benchmarks.operations.shelf import field_values
from finassay.benchmarks.operations.template import write_template
from finassay.errors import InputError, UsageError
from operation_samples import ITEM, contract_text, write_shelf

# Table 7 of arXiv:2608.25325v1 lists these eleven fixed-evidence operations in these two layers.
PROCESSING = {
    *("case-classification", "information-extraction", "institution-matching"),
    *("person-matching", "quantitative-reasoning"),
}
REVIEW = {
    *("risk-classification", "provision-selection", "legal-outcome", "judgment-generation"),
    *("disputed-issues", "decision-view"),
}


def test_all_eleven_operations_and_some_knowledge_ship():
    by_layer = {layer: {n for n, one in layers().items() if one == layer} for layer in LAYERS}
    assert by_layer["processing"] == PROCESSING
    assert by_layer["review"] == REVIEW
    assert len(by_layer["knowledge"]) >= 5
    assert all(name.startswith("knowledge-") for name in by_layer["knowledge"])


def test_knowledge_covers_the_five_groups():
    shelf = bundled_shelf()
    groups = {one.group for one in shelf.contracts.values() if one.layer == "knowledge"}
    assert groups == {
        "risk and compliance",
        "trade and international business",
        "fintech and security",
        "commerce and payments",
        "finance and law",
    }


@pytest.mark.parametrize("name", sorted(PROCESSING | REVIEW))
def test_every_operation_has_ten_items_in_english_and_some_in_chinese(name: str):
    languages = Counter(entry.item.language for entry in bundled_shelf().of(name))
    assert languages["en"] >= 10
    assert languages["zh"] >= 3


def test_every_item_names_its_source_and_says_how_its_reference_follows():
    entries = bundled_shelf().entries
    assert all(entry.source and entry.rationale for entry in entries)
    assert len({entry.item.item_id for entry in entries}) == len(entries) >= 106
    difficult = Counter(entry.item.difficulty for entry in entries)
    assert min(difficult.values()) >= 30


def test_every_kind_but_the_action_of_an_inquiry_is_in_use():
    used = {one.artifact.kind for one in bundled_shelf().contracts.values()}
    assert used == set(KINDS) - {"ask_or_proceed"}


def test_labels_are_spread_so_that_one_constant_answer_is_not_half_right():
    for name in sorted(PROCESSING | REVIEW):
        answers = Counter(entry.item.reference for entry in bundled_shelf().of(name))
        assert answers.most_common(1)[0][1] <= 6, name


def test_a_folder_is_opened_whole_and_names_are_unique(tmp_path: Path):
    write_shelf(tmp_path)
    shelf = open_shelf(tmp_path)
    assert list(shelf.contracts) == ["outcome"]
    assert [entry.item.item_id for entry in shelf.of("outcome")] == ["i1"]
    assert layers(shelf) == {"outcome": "review"}
    (tmp_path / "other.yaml").write_text(contract_text(), encoding="utf-8")
    with pytest.raises(InputError, match="'outcome' stands in another file"):
        open_shelf(tmp_path)


def test_the_digest_of_a_shelf_follows_its_contracts(tmp_path: Path):
    path = write_shelf(tmp_path)
    before = open_shelf(path).digest
    path.write_text(contract_text().replace("capability: c", "capability: d"), encoding="utf-8")
    assert open_shelf(path).digest != before


def test_a_contract_without_items_is_a_contract(tmp_path: Path):
    path = tmp_path / "outcome.yaml"
    path.write_text(contract_text(), encoding="utf-8")
    assert open_shelf(path).entries == ()


def test_a_bad_item_is_refused_with_its_line(tmp_path: Path):
    path = write_shelf(tmp_path, contract_text(), ITEM, {**ITEM, "item_id": "i2", "source": ""})
    with pytest.raises(InputError, match=r"outcome\.jsonl:2: error: `source` \(i2\)"):
        open_shelf(path)


def test_a_place_without_contracts_is_refused(tmp_path: Path):
    for place in (tmp_path, tmp_path / "none.yaml"):
        with pytest.raises(InputError, match="found none; write one with `finassay contract new"):
            open_shelf(place)


def test_fields_of_a_reference_are_read_in_order():
    assert field_values('{"b": "1", "a": 2}') == (("b", "1"), ("a", "2"))
    assert field_values("[1]") == field_values("x") == ()


def test_the_template_is_a_contract_with_an_item(tmp_path: Path):
    written = write_template("credit-limit", tmp_path)
    assert [path.name for path in written] == ["credit-limit.yaml", "credit-limit.jsonl"]
    shelf = open_shelf(written[0])
    assert shelf.contracts["credit-limit"].title == "Credit limit"
    assert len(shelf.entries) == 1
    assert "#" in written[0].read_text(encoding="utf-8")
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in written}


def test_the_template_never_overwrites(tmp_path: Path):
    write_template("a", tmp_path)
    with pytest.raises(UsageError, match="is there already"):
        write_template("a", tmp_path)
    with pytest.raises(UsageError, match="small letters and digits"):
        write_template("A b", tmp_path)
    with pytest.raises(UsageError, match="expected a folder"):
        write_template("b", tmp_path / "none")


def test_the_inventory_counts_by_layer_and_group():
    found = inventory_of(bundled_shelf())
    assert found.items == sum(one.items for one in found.families) == len(bundled_shelf().entries)
    assert [LAYERS.index(one.layer) for one in found.families] == sorted(
        LAYERS.index(one.layer) for one in found.families
    )
    text = "\n".join(found.to_lines())
    assert "evidence-grounded processing: 5 families" in text
    assert "applied review: 6 families" in text
    assert found.digest[:12] in text


def test_the_second_reading_speaks_of_bundled_items():
    known = {entry.item.item_id for entry in bundled_shelf().entries}
    read = {one.item_id for one in second_reading_operations()}
    assert read == known


def test_every_doubt_of_the_second_reading_is_mended_and_the_rest_agrees():
    items = {entry.item.item_id: entry.item for entry in bundled_shelf().entries}
    for one in second_reading_operations():
        is_mended = "mended: " in one.note
        if one.agrees in {"ambiguous", "disagree"}:
            assert is_mended, one.item_id
        elif one.agrees == "agree" and not is_mended:
            assert one.answer == items[one.item_id].reference, one.item_id


def test_the_readme_counts_the_second_reading_by_family():
    readme = (files("finassay.benchmarks") / "data" / "README.md").read_text("utf-8")
    text = readme.partition("operations/second_reading_operations.csv")[2]
    stated = re.findall(r"^\| ([a-z, ]+) \|((?: \d+ \|){6})$", text, re.MULTILINE)
    counts: dict[str, list[int]] = {}
    layers = {entry.item.item_id: dict(entry.item.strata) for entry in bundled_shelf().entries}
    families = {entry.item.item_id: entry.item.family for entry in bundled_shelf().entries}
    for one in second_reading_operations():
        is_knowledge = layers[one.item_id]["layer"] == "knowledge"
        name = "knowledge" if is_knowledge else families[one.item_id].replace("-", " ")
        for row in (counts.setdefault(name, [0] * 6), counts.setdefault("all", [0] * 6)):
            row[0] += 1
            row[1 + AGREEMENTS.index(one.agrees)] += 1
            row[5] += "mended: " in one.note
    assert {name: [int(n) for n in re.findall(r"\d+", row)] for name, row in stated} == counts


HEADER = ",".join(COLUMNS)


def test_a_second_reading_is_read_or_refused():
    (one,) = read_second_reading([HEADER, "CC-EN-01,loan dispute,agree,"], file="f")
    assert (one.item_id, one.answer, one.agrees, one.note) == (
        *("CC-EN-01", "loan dispute"),
        *("agree", ""),
    )
    with pytest.raises(InputError, match="f:1: expected the columns item_id"):
        read_second_reading(["a,b"], file="f")
    with pytest.raises(InputError, match="f:2: `agrees` must be one of agree"):
        read_second_reading([HEADER, "i,x,yes,"], file="f")
    with pytest.raises(InputError, match="f:3: 'i' stands in the table already"):
        read_second_reading([HEADER, "i,x,agree,", "i,x,agree,"], file="f")
