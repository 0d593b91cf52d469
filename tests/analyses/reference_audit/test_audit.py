"""The audit as a whole: sources, turns, what is suspected, and a study."""

import json
from pathlib import Path

import jsonschema
import pytest

from cli_runs import run
from finassay.analyses.reference_audit.audit import audit_references, audit_text
from finassay.analyses.reference_audit.inputs import (
    ReferenceItem,
    ReferenceTurn,
    read_references,
)
from finassay.analyses.reference_audit.results import KINDS, ReferenceAudit
from finassay.analyses.reference_audit.study import audit_study_references
from finassay.analyses.results import to_jsonable
from finassay.errors import BadRowsError, MappingError, UsageError
from finassay.records import Erratum, Item, Prediction, SystemSpec
from finassay.reports.schemas import schema_object
from finassay.reports.tables_references import tables
from finassay.study import Study
from finassay.study.rows import predictions_frame


def item(*turns: tuple[str, dict[str, str]], item_id: str = "i1") -> ReferenceItem:
    return ReferenceItem(
        item_id=item_id,
        turns=tuple(ReferenceTurn(question=q, references=tuple(r.items())) for q, r in turns),
    )


PRICE = "What does it cost?"


def suspected(found: ReferenceAudit, source: str) -> list[tuple[str, str]]:
    return [(f.kind, f.severity) for f in found.findings if f.source == source]


def test_without_a_trusted_source_a_disagreement_is_held_against_both():
    found = audit_references([item((PRICE, {"a": "$20", "b": "$21"}))])
    assert suspected(found, "a") == suspected(found, "b") == [("disagreement", "medium")]
    assert [one.n_suspected for one in found.sources] == [1, 1]
    (pair,) = found.pairs
    assert (pair.n, pair.n_same, pair.n_different, pair.n_unclear) == (1, 0, 1, 0)


def test_a_trusted_source_decides_alone():
    turn = (PRICE, {"a": "$20", "b": "$21", "c": "$20"})
    found = audit_references([item(turn)], trusted="c")
    assert suspected(found, "a") == [("disagreement", "low")]
    assert suspected(found, "b") == [("disagreement", "medium")] * 2
    assert suspected(found, "c") == []


def test_a_third_source_speaks_for_the_one_it_agrees_with():
    found = audit_references([item((PRICE, {"a": "$20", "b": "$21", "c": "$20"}))])
    assert [s for _, s in suspected(found, "a")] == ["low"]
    assert [s for _, s in suspected(found, "b")] == ["medium", "medium"]


def test_what_a_faulty_reference_says_against_another_weighs_little():
    found = audit_references([item((PRICE, {"a": "5 * 4 = 21", "b": "$20"}))])
    assert suspected(found, "a") == [("arithmetic", "high"), ("disagreement", "medium")]
    assert suspected(found, "b") == [("disagreement", "low")]


def test_an_empty_reference_is_a_finding_and_is_compared_with_nothing():
    found = audit_references([item((PRICE, {"a": " ", "b": "$20"}))])
    assert suspected(found, "a") == [("empty", "high")]
    assert found.pairs == ()
    assert [(one.source, one.n_empty) for one in found.sources] == [("a", 1), ("b", 0)]


def test_a_conclusion_and_a_later_turn_must_keep_the_value():
    (one,) = audit_text("Total cost = 4 * 5 = 20. Therefore, the total cost is 25.").findings
    assert (one.kind, one.severity, one.stated, one.found) == ("conclusion", "medium", "25", "20")
    turns = (
        ("What is the net profit?", {"a": "Net profit = 8 - 3 = 5"}),
        ("And the margin?", {"a": "Net profit = 6, so the margin is 60%"}),
    )
    found = audit_references([item(*turns)])
    assert [(f.kind, f.turn, f.severity) for f in found.findings] == [("turns", 2, "low")]


def test_nothing_gives_nothing():
    found = audit_references([])
    assert (found.n_items, found.sources, found.findings) == (0, (), ())
    assert found.warnings == ("there are no references",)


def test_every_kind_says_what_it_means_and_the_json_follows_its_schema():
    found = audit_references([item((PRICE, {"a": "5 * 4 = 21", "b": ""}))])
    plain = to_jsonable(found)
    jsonschema.validate(
        {"schema": "finassay/references-audit/1", **plain}, schema_object("references-audit")
    )
    assert {kind for kind, _ in found.kinds} <= set(KINDS)
    assert [table.key for table in tables(found)] == [
        "reference-sources",
        "reference-kinds",
        "reference-findings",
    ]


LINES = [
    {
        "question_id": 1,
        "turns": ["3 + 4?", "And 5 + 6?"],
        "gold": ["7", "11"],
        "model_answer": ["8", "11"],
    },
]


def test_lists_are_turns_and_columns_are_sources(tmp_path: Path):
    path = tmp_path / "references.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), "utf-8")
    (one,) = read_references(path)
    assert one.item_id == "1"
    assert [turn.question for turn in one.turns] == ["3 + 4?", "And 5 + 6?"]
    assert one.turns[0].references == (("gold", "7"), ("model_answer", "8"))


def test_rows_are_turns_where_a_column_numbers_them(tmp_path: Path):
    path = tmp_path / "references.csv"
    path.write_text("id,turn,question,ref\na,1,q1,x\na,2,q2,\nb,1,q3,z\n", "utf-8")
    found = read_references(path, sources=("ref",))
    assert [(one.item_id, len(one.turns)) for one in found] == [("a", 2), ("b", 1)]
    assert found[0].turns[1].references == (("ref", ""),)


def test_a_table_without_references_is_refused(tmp_path: Path):
    path = tmp_path / "table.csv"
    path.write_text("id,text\n1,x\n", "utf-8")
    with pytest.raises(MappingError, match="no column of references among"):
        read_references(path)
    with pytest.raises(MappingError, match="no column 'gold'"):
        read_references(path, sources=("gold",))
    with pytest.raises(UsageError, match="--trusted must be a source"):
        read_references(path, sources=("text",), trusted="gold")


def test_the_command_prints_tables_and_json(tmp_path: Path):
    path = tmp_path / "references.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), "utf-8")
    ran = run("references", "audit", path, "--trusted", "gold", "--json", "-")
    assert ran.code == 0
    assert ran.json["schema"] == "finassay/references-audit/1"
    (one,) = [f for f in ran.json["findings"] if f["kind"] == "disagreement"]
    assert (one["source"], one["against"], one["turn"]) == ("model_answer", "gold", 1)
    assert "References by source" in ran.err


STUDY_ITEMS = (
    Item(item_id="i1", question=PRICE, reference="$20", alternatives=("$20.00", "$25")),
    Item(item_id="i2", question="How many days is it?", reference="5 days"),
    Item(
        item_id="i3",
        question=PRICE,
        reference="$30",
        erratum=Erratum(old_reference="$3", by="a reader", reason="a digit was lost"),
    ),
    Item(item_id="i4", question="What is 6 * 7?", reference="6 * 7 = 43"),
)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = Study.create(tmp_path / "study", name="references")
    made.add_items(STUDY_ITEMS, benchmark="made")
    for number in range(5):
        spec = SystemSpec(name=f"s{number}")
        made.add_system(spec)
        replies = ["$20", "7 days" if number < 4 else "5 days", "It costs $30.", "42"]
        rows = predictions_frame(
            Prediction(item_id=one.item_id, system_id=spec.system_id, text=text, run_id="r")
            for one, text in zip(STUDY_ITEMS, replies, strict=True)
        )
        partition = {"system_id": spec.system_id, "run_id": "r"}
        made.commit("predictions", rows, partition=partition)
    return made


def test_a_study_is_audited_against_alternatives_errata_and_what_systems_agree_on(study: Study):
    found = audit_study_references(study.snapshot())
    assert [(f.item_id, f.kind, f.severity, f.against) for f in found.findings] == [
        ("i1", "alternative", "low", "alternative 2"),
        ("i2", "consensus", "low", "systems"),
        ("i3", "erratum", "note", "the old reference"),
        ("i4", "arithmetic", "high", ""),
        ("i4", "consensus", "medium", "systems"),
    ]
    (source,) = found.sources
    assert (source.n, source.n_suspected) == (4, 1)
    assert "a digit was lost" in found.findings[2].reason


def test_a_study_goes_through_the_same_command(study: Study):
    ran = run("references", "audit", study.root, "--json", "-")
    assert (ran.code, ran.json["n_items"]) == (0, 4)


@pytest.mark.parametrize("line", ["[1, 2]", "{bad", '{"answer": ' + "[" * 9000])
def test_a_row_that_cannot_be_read_is_told_and_nothing_is_audited(tmp_path: Path, line: str):
    table = tmp_path / "t.jsonl"
    table.write_text(f'{{"id": "1", "answer": "2 + 2 = 4"}}\r\n\r\n{line}\n', encoding="utf-8-sig")
    with pytest.raises(BadRowsError, match=r"(?s)1 row cannot be used.*t\.jsonl:3.*take them out"):
        read_references(table)


def test_a_source_that_is_named_twice_counts_once_and_an_encoding_can_be_declared(tmp_path: Path):
    table = tmp_path / "t.csv"
    table.write_text("id,answer\n1,£5\n", encoding="cp1252")
    (item,) = read_references(table, sources=["answer", "answer"], encoding="cp1252")
    assert item.turns[0].references == (("answer", "£5"),)


@pytest.mark.parametrize("option", ["--source=answer", "--trusted=answer", "--encoding=cp1252"])
def test_an_option_of_tables_is_refused_with_a_study(tmp_path: Path, option: str):
    Study.create(tmp_path / "study", name="references")
    ran = run("references", "audit", tmp_path / "study", option)
    assert ran.code == 2
    assert "leave them out" in ran.err
