"""What holds for reading a contract: every problem is named with its line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from finassay.benchmarks.operations.contract import KINDS, OperationContract
from finassay.benchmarks.operations.problems import ContractProblem
from finassay.benchmarks.operations.schema import CONTRACT_KEYS, load_contract, read_contract
from finassay.errors import InputError

TEXT = """\
contract: outcome
version: "3"
title: Outcome
layer: review
group: decisions
capability: Decide.
information:
  sources: [record]
  fields: [context, question, choices]
  boundary: Before the decision.
decision: The outcome.
artifact:
  kind: decision_label
  schema: One label.
  labels:
    "accept": ["yes", "approve"]
    "是": ["对"]
  instructions:
    en: Answer accept or refuse.
    zh: 只写一个标签。
scoring:
  scorer: closed
  credit: 1 or 0.
unscored: wrong
provenance: Written here.
"""


def contract(text: str = TEXT) -> OperationContract:
    found, problems = read_contract(text, file="c.yaml")
    assert not problems
    assert found is not None
    return found


def problems(text: str) -> list[ContractProblem]:
    found, said = read_contract(text, file="c.yaml")
    assert found is None
    return list(said)


def line_of(text: str, start: str) -> int:
    lines = enumerate(text.split("\n"), start=1)
    return next(at for at, line in lines if line.lstrip().startswith(start))


def test_a_contract_is_read_whole():
    read = contract()
    assert (read.name, read.version, read.layer, read.group) == (
        *("outcome", "3"),
        *("review", "decisions"),
    )
    assert read.information.sources == ("record",)
    assert read.information.fields == ("context", "question", "choices")
    assert read.artifact.kind == "decision_label"
    assert read.artifact.labels == (("accept", ("yes", "approve")), ("是", ("对",)))
    assert read.artifact.instruction("zh") == "只写一个标签。"
    assert read.artifact.instruction("de") == "Answer accept or refuse."
    assert (read.scoring.scorer, read.unscored) == ("closed", "wrong")


def test_the_digest_changes_with_every_part():
    read = contract()
    others = [
        replace(read, version="4"),
        replace(read, capability="Other."),
        replace(read, information=replace(read.information, boundary="Other.")),
        replace(read, artifact=replace(read.artifact, labels=())),
        replace(read, scoring=replace(read.scoring, credit="Other.")),
    ]
    assert len({one.digest for one in (read, *others)}) == 6
    assert contract().digest == read.digest


@pytest.mark.parametrize("key", CONTRACT_KEYS)
def test_a_missing_key_is_named(key: str):
    kept: list[str] = []
    skipping = False
    for line in TEXT.split("\n"):
        if not line.startswith((" ", '"')):
            skipping = line.startswith(f"{key}:")
        if not skipping:
            kept.append(line)
    (missing,) = problems("\n".join(kept))
    assert (missing.field, missing.expected, missing.got) == (key, "a value", "nothing")


@pytest.mark.parametrize(
    ("old", "new", "field", "expected", "got"),
    [
        ("layer: review", "layer: reviews", "layer", "one of knowledge", "'reviews'"),
        ("contract: outcome", "contract: Out come", "contract", "small letters", "'Out come'"),
        ('version: "3"', 'version: "1.2"', "version", "a whole number", "'1.2'"),
        ('version: "3"', 'version: "00"', "version", "a whole number", "'00'"),
        ("unscored: wrong", "unscored: exclude", "unscored", "one of wrong", "'exclude'"),
        ("title: Outcome", "title:", "title", "text", "nothing"),
        ("title: Outcome", "title: [a]", "title", "text", "a list"),
        ("kind: decision_label", "kind: labels", "artifact.kind", "one of label", "'labels'"),
        ("kind: decision_label", "kind: number", "artifact.labels", "no labels", "some"),
        ("sources: [record]", "sources: []", "information.sources", "a list", "a list without"),
        ("sources: [record]", "sources: record", "information.sources", "a list", "'record'"),
        ("fields: [context, ", "fields: [body, ", "information.fields", "parts of an", "'body'"),
        ("  credit: 1 or 0.", "  credits: 1", "scoring.credits", "one of scorer", "credits"),
        ("decision: The", "decision: {a: 1} #", "decision", "text", "a mapping"),
        ("    en: Answer", "    de: Antworte", "artifact.instructions.de", "one of en", "de"),
        ("artifact:\n", "artifact: 3\nthing:\n", "artifact", "a mapping", "'3'"),
    ],
)
def test_a_wrong_value_is_named_with_its_line(
    old: str, new: str, field: str, expected: str, got: str
):
    text = TEXT.replace(old, new, 1)
    assert text != TEXT
    named = [one for one in problems(text) if one.field == field]
    assert named
    assert expected in named[0].expected
    assert got in named[0].got
    # `labels` is the one key whose fault stands elsewhere: another kind takes none.
    start = '"accept"' if field == "artifact.labels" else new.strip().split("\n")[0]
    assert named[0].line == line_of(text, start)


def test_all_problems_are_told_at_once():
    text = TEXT.replace("layer: review", "layer: x").replace("kind: decision_label", "kind: y")
    with pytest.raises(InputError, match=r"`layer`") as caught:
        raise InputError("\n".join(one.to_line() for one in problems(text)))
    assert len(str(caught.value).split("\n")) == 2


def test_a_key_that_stands_twice_is_named_with_both_lines():
    (twice,) = problems(TEXT.replace("group: decisions", "group: a\ngroup: b"))
    assert (twice.line, twice.field) == (6, "group")
    assert "line 5" in twice.expected


def test_a_near_key_is_suggested():
    told = problems(TEXT.replace("capability:", "capabilty:"))
    assert any("did you mean 'capability'?" in one.advice for one in told)


def test_text_that_is_no_yaml_is_named_with_its_line():
    (broken,) = problems("contract: a\nversion: [1\nlayer: b\n")
    assert broken.line == 3
    assert broken.expected == "YAML that can be read"


@pytest.mark.parametrize("text", ["", "# nothing\n", "- a\n- b\n", "word"])
def test_what_is_no_mapping_is_no_contract(text: str):
    assert problems(text)


def test_a_rubric_is_needed_where_text_is_marked_under_one():
    text = TEXT.replace("decision_label", "rubric_text").replace(
        '  labels:\n    "accept": ["yes", "approve"]\n    "是": ["对"]\n', ""
    )
    (missing,) = problems(text)
    assert (missing.field, missing.line) == ("scoring.rubric", line_of(text, "scorer:"))
    given = text.replace(
        "  credit: 1 or 0.",
        "  credit: 1 or 0.\n  rubric:\n    - {criterion: a, weight: 2, asks: b}",
    )
    assert contract(given).scoring.rubric[0].weight == 2.0


@pytest.mark.parametrize("weight", ["0", "-1", "much", ".inf", "nan"])
def test_a_weight_is_a_number_above_0(weight: str):
    rubric = f"  credit: x\n  rubric:\n    - {{criterion: a, weight: {weight}, asks: b}}"
    (wrong,) = problems(TEXT.replace("  credit: 1 or 0.", rubric))
    assert wrong.field == "scoring.rubric[0].weight"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_declared(kind: str):
    text = TEXT.replace("decision_label", kind)
    if "    - {criterion" not in text:
        text = text.replace(
            "  credit: 1 or 0.",
            "  credit: x\n  rubric:\n    - {criterion: a, weight: 1, asks: b}",
        )
    found, said = read_contract(text, file="c.yaml")
    assert {one.field for one in said} <= {"artifact.labels"}
    assert (found is None) == bool(said)


def test_a_file_is_loaded_or_refused_with_every_problem(tmp_path: Path):
    path = tmp_path / "outcome.yaml"
    path.write_text(TEXT, encoding="utf-8")
    assert load_contract(path).name == "outcome"
    path.write_text(TEXT.replace("layer: review", "layer: x"), encoding="utf-8")
    with pytest.raises(InputError, match=r"outcome\.yaml:4: error: `layer`: expected one of"):
        load_contract(path)
    with pytest.raises(InputError, match="cannot be read"):
        load_contract(tmp_path / "none.yaml")
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="expected a text file in UTF-8"):
        load_contract(path)


def test_a_version_of_thousands_of_digits_is_read_as_any_other():
    found, said = read_contract(TEXT.replace('"3"', "9" * 5000), file="c.yaml")
    assert found is not None
    assert not said
