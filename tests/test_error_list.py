"""Messages of errors, as one list: each says what to do, or what would have been right."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "error_list.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("error_list", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["error_list"] = module
    spec.loader.exec_module(module)
    return module


def test_every_message_says_what_to_do_or_what_was_expected(script: ModuleType):
    messages = script.all_messages()
    assert len(messages) > 900
    assert [f"{one.file}: {one.template}" for one in messages if script.is_poor(one)] == []


@pytest.mark.parametrize(
    ("template", "poor"),
    [
        ("{path}: cannot be read: {error}", True),
        ("no judge", True),
        ("the two do not fit; sorry about that", True),
        ("{path}: cannot be read: {error}; name a file", False),
        ("`level` must be in (0, 1), got {level!r}", False),
        ("{where}: {error}", False),
        ("{_damage(path, 'it is gone')}", False),
    ],
)
def test_a_message_that_leaves_the_reader_alone_would_be_noticed(
    script: ModuleType, template: str, *, poor: bool
):
    assert script.is_poor(script.Message("UsageError", template, "x.py")) is poor


@pytest.mark.parametrize(
    ("source", "template"),
    [
        (
            "f'no {name!r} here; ' f'name {len(a)} of {b.c}'",
            "no {name!r} here; name {len(a)} of {b.c}",
        ),
        ("'a' + f'{b}'", "a{b}"),
        ("why(error)", "{why(error)}"),
    ],
)
def test_templates_keep_what_is_filled_in(script: ModuleType, source: str, template: str):
    assert script.template(ast.parse(source, mode="eval").body) == template


def test_raises_and_makers_of_errors_are_both_found(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    source = (
        "def _gone(p):\n    return InputError(f'{p} is gone; look')\n"
        "def f():\n    raise errors.UsageError('give one')\n"
        "raise ValueError('not ours')\n"
    )
    made = tmp_path / "made.py"
    made.write_text(source)
    monkeypatch.setattr(script, "SOURCE", tmp_path)
    found = list(script.messages_of(made, script.kinds()))
    assert [(one.kind, one.template) for one in found] == [
        ("InputError", "{p} is gone; look"),
        ("UsageError", "give one"),
    ]


def test_code_on_the_page_may_hold_backticks(script: ModuleType):
    assert script.as_code("run `finassay`") == "`` run `finassay` ``"
    assert script.as_code("plain\ntext") == "`plain text`"
