"""Answer contracts and errata: read, checked, kept, shown."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli_runs import run
from finassay.errors import BadRowsError
from finassay.records import ANSWER_TYPES, SCALE_WORDS, AnswerContract, Erratum, Item
from finassay.runs.importers.contracts import MOST_DECIMALS, contract_of
from finassay.runs.importers.items import import_items
from finassay.runs.importers.options import ImportOptions
from finassay.scorers.expectations import expectation
from finassay.study import Study

FULL = AnswerContract(
    type="percent", unit="basis_points", scale="million", decimals=2, comparator="respect",
    percent="flag",
)  # fmt: skip
ERRATUM = Erratum(old_reference="12%", by="R. Iyer", reason="the table says 12.5%")


def imported(folder: Path, rows: list[dict[str, object]], **options: object) -> list[Item]:
    path = folder / "items.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", "utf-8")
    study = Study.open_or_create(folder / "study")
    import_items(study, path, benchmark="b", options=ImportOptions(**options))
    return study.snapshot().items()


def test_a_contract_may_stand_in_columns_or_in_one_object(tmp_path: Path):
    columns = {f"contract_{name}": str(getattr(FULL, name)) for name in FULL.__slots__}
    whole = {name: getattr(FULL, name) for name in FULL.__slots__}
    rows = [
        {"id": "a", "question": "?", "reference": "1", "contract_id": "c1", **columns},
        {"id": "b", "question": "?", "reference": "1", "contract": whole},
        {"id": "c", "question": "?", "reference": "1", "contract": whole, "contract_decimals": "3"},
        {"id": "d", "question": "?", "reference": "1"},
    ]
    found = {item.item_id: item for item in imported(tmp_path, rows)}
    assert found["a"].contract == found["b"].contract == FULL
    assert found["a"].contract_id == "c1"
    assert found["c"].contract.decimals == 3
    assert found["d"].contract == AnswerContract()


def test_the_financial_rule_knows_every_type_and_scale_that_a_contract_may_name():
    for word in SCALE_WORDS:
        item = Item(item_id="", contract=AnswerContract(scale=word))
        assert expectation(item).scale is not None, word
    for kind in ANSWER_TYPES:
        item = Item(item_id="", contract=AnswerContract(type=kind))
        assert expectation(item).wanted == kind


@settings(deadline=None)
@given(
    st.builds(
        AnswerContract,
        type=st.sampled_from([None, *ANSWER_TYPES]),
        unit=st.sampled_from([None, "USD", "working_day", "件"]),
        scale=st.sampled_from([None, *SCALE_WORDS]),
        decimals=st.none() | st.integers(0, MOST_DECIMALS),
        comparator=st.sampled_from([None, "ignore", "respect"]),
        percent=st.sampled_from([None, "allow", "forbid", "flag"]),
    )
)
def test_every_contract_comes_back_from_its_texts(contract: AnswerContract):
    texts = {name: str(getattr(contract, name) or "") for name in contract.__slots__}
    texts["decimals"] = "" if contract.decimals is None else str(contract.decimals)
    assert contract_of(texts) == contract


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("type", "span", "type must be one of text, number, .*, got 'span'"),
        ("scale", "dozen", "scale must be one of thousand, .*, got 'dozen'"),
        ("decimals", "two", "decimals must be a whole number from 0 to 12, got 'two'"),
        ("decimals", "-1", "decimals must be a whole number from 0 to 12, got '-1'"),
        ("decimals", "13", "decimals must be a whole number from 0 to 12, got '13'"),
        ("comparator", "maybe", "comparator must be ignore or respect, got 'maybe'"),
        ("percent", "yes", "percent must be allow, forbid or flag, got 'yes'"),
    ],
)
def test_a_field_that_cannot_be_used_is_a_bad_row_with_its_number(
    tmp_path: Path, field: str, value: str, said: str
):
    rows = [
        {"id": "a", "question": "?", "reference": "1", f"contract_{field}": ""},
        {"id": "b", "question": "?", "reference": "1", f"contract_{field}": value},
    ]
    assert [item.item_id for item in imported(tmp_path, rows)] == ["a"]
    with pytest.raises(BadRowsError, match=rf"items\.jsonl:2: the contract's {said}"):
        imported(tmp_path, rows, strict=True)


@pytest.mark.parametrize(
    ("contract", "said"),
    [
        ("{not JSON", "the contract must be a JSON object"),
        ({"typ": "number"}, "the contract has no field 'typ'; it takes type, unit"),
        ({"decimals": 1.5}, "the contract's 'decimals' must be text or a whole number, got 1.5"),
        ({"unit": ["USD"]}, "the contract's 'unit' must be text or a whole number"),
    ],
)
def test_an_object_that_cannot_be_used_is_a_bad_row(tmp_path: Path, contract: object, said: str):
    rows = [
        {"id": "a", "question": "?", "reference": "1", "contract": {}},
        {"id": "b", "question": "?", "reference": "1", "contract": contract},
    ]
    with pytest.raises(BadRowsError, match=said):
        imported(tmp_path, rows, strict=True)


def test_a_column_with_the_text_of_an_agreement_is_no_answer_contract(tmp_path: Path):
    rows = [{"id": "a", "question": "?", "reference": "1", "contract": "The parties agree that"}]
    assert imported(tmp_path, rows)[0].contract == AnswerContract()


def test_an_erratum_keeps_what_the_reference_was_who_changed_it_and_why(tmp_path: Path):
    said = {name: getattr(ERRATUM, name) for name in ERRATUM.__slots__}
    rows = [
        {"id": "a", "question": "?", "reference": "12.5%", "erratum": said},
        {
            "id": "b",
            "question": "?",
            "reference": "12.5%",
            **{f"erratum_{name}": value for name, value in said.items()},
        },
        {"id": "c", "question": "?", "reference": "12.5%", "erratum": None},
    ]
    found = {item.item_id: item.erratum for item in imported(tmp_path, rows)}
    assert found == {"a": ERRATUM, "b": ERRATUM, "c": None}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"by": ""}, "its 'by' is empty"),
        ({"reason": " "}, "its 'reason' is empty"),
        ({"old_reference": ""}, "its 'old_reference' is empty"),
        ({"old_reference": "12.5%"}, "old reference is the reference itself, got '12.5%'"),
        ({"when": "2024"}, "the erratum has no field 'when'"),
    ],
)
def test_an_erratum_without_provenance_is_a_bad_row(
    tmp_path: Path, changes: dict[str, str], said: str
):
    said_of = {name: getattr(ERRATUM, name) for name in ERRATUM.__slots__}
    row = {"id": "a", "question": "?", "reference": "12.5%", "erratum": {**said_of, **changes}}
    with pytest.raises(BadRowsError, match=said):
        imported(tmp_path, [row], strict=True)


def test_items_taken_out_of_a_study_come_back_with_contract_and_erratum(tmp_path: Path):
    item = Item(
        item_id="a", benchmark="b", question="?", reference="12.5%", alternatives=("12.50%",),
        contract_id="c1", contract=FULL, erratum=ERRATUM,
    )  # fmt: skip
    study = Study.create(tmp_path / "one")
    study.add_items([item], benchmark="b")
    frame = study.snapshot().frame("items")
    for name, write in (("t.parquet", frame.write_parquet), ("t.jsonl", frame.write_ndjson)):
        write(tmp_path / name)
        other = Study.create(tmp_path / name.replace(".", "-"))
        import_items(other, tmp_path / name, benchmark="b")
        (back,) = other.snapshot().items()
        assert back == item


def test_explain_shows_the_contract_and_the_erratum(tmp_path: Path):
    study = Study.create(tmp_path / "study")
    contract = AnswerContract(type="percent", decimals=2)
    item = Item(
        item_id="a", benchmark="b", question="?", reference="12.5%", contract=contract,
        erratum=ERRATUM,
    )  # fmt: skip
    study.add_items([item], benchmark="b")
    replies = tmp_path / "alpha.csv"
    replies.write_text("id,prediction\na,12.5%\n", "utf-8")
    assert run("import", tmp_path / "study", replies).code == 0
    words = ("explain", tmp_path / "study", "--item", "a", "--system", "alpha")
    shown = run(*words).out
    assert "contract:  type percent, decimals 2" in shown
    assert "erratum:   was 12%; R. Iyer: the table says 12.5%" in shown
    hidden = run(*words, "--no-text", "--json", "-").json
    assert hidden["erratum"]["by"] == "R. Iyer"
    assert "12%" not in json.dumps(hidden)
    assert hidden["contract"] == [["type", "percent"], ["decimals", "2"]]


def test_a_contract_of_one_reply_is_checked(tmp_path: Path):
    words = ("mark", "exact", "--reference", "5", "--reply", "5")
    assert run(*words, "--contract", "type=percent", "--contract", "decimals=2").code == 0
    for given_word, said in (
        ("type=span", "--contract: the contract's type must be one of"),
        ("decimals", "--contract takes FIELD=VALUE"),
    ):
        ran = run(*words, "--contract", given_word)
        assert (ran.code, said in ran.err) == (2, True)
