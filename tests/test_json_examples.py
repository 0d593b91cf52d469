"""The examples of JSON results in the documentation are what the published schemas describe."""

import json
from pathlib import Path

import jsonschema
import pytest

from finassay.reports.schemas import schema_names, schema_object

FOLDER = Path(__file__).parents[1] / "docs" / "reference" / "examples"


def test_every_result_has_an_example():
    assert {path.stem for path in FOLDER.glob("*.json")} == set(schema_names())


@pytest.mark.parametrize("name", schema_names())
def test_the_example_satisfies_the_schema(name: str):
    example = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema_object(name)).validate(example)
    assert example["schema"] == f"finassay/{name}/1"


@pytest.mark.parametrize("name", schema_names())
def test_the_schema_refuses_an_example_with_a_field_too_many_or_too_few(name: str):
    validator = jsonschema.Draft202012Validator(schema_object(name))
    example = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert not validator.is_valid({**example, "surprise": 1})
    for field in example:
        assert not validator.is_valid({k: v for k, v in example.items() if k != field})


def test_the_page_names_every_result():
    page = (FOLDER.parent / "json.md").read_text(encoding="utf-8")
    assert all(f"examples/{name}.json" in page for name in schema_names())
