"""Options that messages advise exist, and do what the messages say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
import typer

import finassay
from cli_runs import run
from finassay.apps.cli import tables
from finassay.apps.cli.app import app
from finassay.runs.importers.mapping import KINDS
from finassay.runs.importers.sources import DELIMITERS, Format
from finassay.study import Study
from import_tables import answers, table, texts

SOURCE = Path(finassay.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")
# One command in a message, with the options that follow it up to the closing mark.
QUOTED = re.compile(r"finassay ((?:(?:study|adjudicate|rag|references) )?[a-z]+)\b([^`\n]*)")


def options_of(command: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield (words that call a command, option) for the whole tree."""
    for name, child in getattr(command, "commands", {}).items():
        yield from options_of(child, f"{path} {name}".strip())
    for parameter in getattr(command, "params", ()):
        yield from ((path, option) for option in (*parameter.opts, *parameter.secondary_opts))


KNOWN = {*options_of(typer.main.get_command(app)), ("", "--help")}
ANYWHERE = {option for _, option in KNOWN}
COLOURS = {"--ink", "--muted", "--quiet", "--rule", "--paper", "--blue", "--orange"}

OF_OTHERS = {
    "integrations/local_model.py": {"--host", "--port"},
    "marking/engines/ray_cluster.py": {"--head"},
    "reports/doctor/packages.py": {"--upgrade"},
    "reports/charts/chart.py": COLOURS,
}
"""Options of programs that a module starts, and properties of style sheets."""


def strings_in(path: Path) -> Iterator[str]:
    """Yield the strings of a module, those in pieces as one."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                part.value if isinstance(part, ast.Constant) else "X" for part in node.values
            )


MODULES = [path.relative_to(SOURCE).as_posix() for path in sorted(SOURCE.rglob("*.py"))]


def test_the_search_sees_options_and_modules():
    assert ("import", "--items-from-predictions") in KNOWN
    assert ("study redact", "--pattern") in KNOWN
    advised = {
        option
        for text in strings_in(SOURCE / "runs/importers/sources.py")
        for option in OPTION.findall(text)
    }
    assert "--format" in advised


@pytest.mark.parametrize("module", MODULES)
def test_every_option_that_a_string_names_exists(module: str):
    for text in strings_in(SOURCE / module):
        assert set(OPTION.findall(text)) <= ANYWHERE | OF_OTHERS.get(module, set())
        for command, rest in QUOTED.findall(text):
            if OPTION.search(rest):
                assert {(command, option) for option in OPTION.findall(rest)} <= KNOWN


@pytest.mark.parametrize("module", [m for m in MODULES if m.startswith("runs/importers/")])
def test_a_reader_advises_without_a_command_only_what_audit_takes_too(module: str):
    for text in strings_in(SOURCE / module):
        for option in OPTION.findall(QUOTED.sub("", text)):
            assert {("import", option), ("audit", option)} <= KNOWN, text


def test_the_choices_named_in_the_help_are_those_there_are():
    assert tables.TABLE_KINDS == KINDS
    assert get_args(Format) == tables.FORMATS
    assert set(tables.MARKS.values()) == set(DELIMITERS)


def test_an_ambiguous_delimiter_is_settled_by_the_option_that_the_message_names(
    study: Path, raw: Path
):
    source = raw / "odd.csv"
    source.write_text("id;prediction,x\nq1;a,b\n", encoding="utf-8")
    refused = run("import", study, source)
    assert (refused.code, "finassay import --delimiter" in refused.err) == (3, True)
    assert (
        run(
            "import", study, source, "--delimiter", "semicolon", "--map", "prediction=prediction,x"
        ).code
        == 0
    )
    assert texts(Study.open(study), "odd") == {"q1": "a,b"}


def test_a_file_of_no_known_ending_is_read_as_the_format_says(study: Path, raw: Path):
    source = raw / "replies.log"
    source.write_text('{"id": "q1", "prediction": "a"}\n', encoding="utf-8")
    refused = run("import", study, source)
    assert (refused.code, "finassay import --format" in refused.err) == (2, True)
    assert run("import", study, source, "--format", "jsonl").code == 0
    assert texts(Study.open(study), "replies") == {"q1": "a"}
    unknown = run("import", study, source, "--format", "xml")
    assert (unknown.code, "got 'xml'" in unknown.err) == (2, True)


def test_columns_are_named_one_by_one_and_over_a_file(study: Path, raw: Path):
    source = table(raw / "m.csv", [{"id": "q1", "output": "a", "response": "b", "run": "s"}])
    refused = run("import", study, source)
    assert (refused.code, "--map prediction=output" in refused.err) == (3, True)
    mapping = raw / "map.toml"
    mapping.write_text('prediction = "output"\n', encoding="utf-8")
    words = ("import", study, source, "--map", mapping, "--map", "prediction=response")
    assert run(*words, "--map", "system=run").code == 0
    assert texts(Study.open(study), "s") == {"q1": "b"}
    two = run("import", study, source, "--map", "prediction=output", "--map", "prediction=run")
    assert (two.code, "must be one column" in two.err) == (3, True)
    part = run("import", study, source, "--map", "predicted=output")
    assert (part.code, "no part 'predicted'" in part.err) == (3, True)


def test_a_later_import_of_a_source_replaces_what_came_from_it(study: Path, raw: Path):
    first = table(raw / "first.csv", answers(["q1", "q2"]))
    second = table(raw / "second.csv", answers(["q2", "q3"]))
    assert run("import", study, first, "--system", "m", "--source", "log").code == 0
    clash = run("import", study, second, "--system", "m")
    assert (clash.code, "finassay import --source" in clash.err) == (4, True)
    assert run("import", study, second, "--system", "m", "--source", "log").code == 0
    assert set(texts(Study.open(study), "m")) == {"q2", "q3"}


def test_several_files_are_not_one_source(study: Path, raw: Path):
    first = table(raw / "first.csv", answers(["q1"]))
    second = table(raw / "second.csv", answers(["q2"]))
    before = dict(Study.open(study).snapshot().versions)
    more = "--items", table(raw / "more.csv", [{"id": "new", "question": "?"}])
    ran = run("import", study, first, second, "--system", "m", "--source", "log", *more)
    assert (ran.code, "2 files for source 'log'" in ran.err) == (2, True)
    assert dict(Study.open(study).snapshot().versions) == before


def test_counts_of_systems_without_predictions_go_under_the_source(study: Path, raw: Path):
    rows = [{"item_id": "q1", "system": "gone", "judge": "1"}]
    judged = table(raw / "gone.csv", rows)
    assert run("import", study, judged, "--source", "log").code == 0
    assert Study.open(study).snapshot().frame("reported")["source"].unique().to_list() == ["log"]


def test_the_unit_of_printed_scores_is_said_by_the_option(study: Path, raw: Path):
    source = table(raw / "printed.csv", [{"model": "a", "elo": "1204"}])
    refused = run("import", study, source)
    assert (refused.code, "finassay import --unit" in refused.err) == (3, True)
    assert run("import", study, source, "--unit", "elo").code == 0
    found = Study.open(study).snapshot().frame("reported")
    assert found.select("value", "unit").rows() == [(1204.0, "elo")]


def test_words_for_the_finish_that_are_not_known_are_shown(study: Path, raw: Path):
    rows = [{**row, "finish_reason": "tool_calls"} for row in answers(["q1", "q2"])]
    rows += [{**row, "finish_reason": "stop"} for row in answers(["q3"])]
    ran = run("import", study, table(raw / "m.csv", rows))
    assert "words for the finish that are not known: 'tool_calls' 2\n" in ran.out
    assert "finish: not_logged 2, stop 1\n" in ran.out


def test_an_audit_says_what_its_marking_left_out(study: Path, raw: Path):
    rows = [{"id": f"q{n}", "question": "?", "answer": f"{n} days"} for n in range(10)]
    fewer = table(raw / "fewer.csv", rows)
    assert run("import", study, "--items", fewer, "--benchmark", "items").code == 0
    said = "4 predictions belong to items that the study does not hold\n"
    ran = run("audit", study, "--out", raw / "report")
    assert ran.code == 0, ran.err
    assert said in ran.out
    assert said in run("score", study).out
    assert run("study", "redact", study, "--pattern", "It takes", "--yes").code == 0
    again = run("audit", study, "--out", raw / "report")
    assert "10 predictions were redacted and get no new verdict\n" in again.out
