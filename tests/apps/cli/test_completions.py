"""What shells complete, asked for as bash and zsh ask."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer import Context

from cli_runs import run
from finassay.apps.cli import completions
from finassay.apps.cli.completions import (
    complete_schema,
    complete_scorer,
    complete_study,
    complete_system,
)
from finassay.records import SystemSpec
from finassay.reports.schemas import schema_names
from finassay.scorers.registry import scorer_names
from study_samples import small_study

HEAVY = ("polars", "numpy", "scipy", "sqlalchemy", "jinja2", "finassay.reports", "finassay.marking")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("shelf")
    study = small_study(root / "studies" / "small")
    study.add_system(SystemSpec(name="all in one: 2", model="x"))
    (root / "summer").mkdir()
    (root / "studies" / "empty").mkdir()
    return root


def ask(
    folder: Path, line: str, shell: str = "bash", instruction: str = "complete"
) -> tuple[list[str], str]:
    """Return what the shell is told for a line, and stderr with what was imported and is heavy."""
    words = line.split(" ")
    asked = {
        "_FINASSAY_COMPLETE": f"{instruction}_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    if shell != "bash":
        asked = {"_FINASSAY_COMPLETE": f"{instruction}_{shell}", "_TYPER_COMPLETE_ARGS": line}
    program = (
        "import sys; sys.argv = ['finassay']; from finassay.apps.cli import main\n"
        "try:\n    main()\nfinally:\n"
        f"    sys.stderr.write(' '.join({{*{HEAVY!r}}} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, **asked},
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )
    return done.stdout.split("\n")[:-1], done.stderr


def test_bash_completes_commands_and_their_options(folder: Path):
    assert ask(folder, "finassay sco") == (["score", "scorers"], "")
    assert "--scorer" in ask(folder, "finassay score studies/small --")[0]


def test_bash_completes_systems_of_the_study_without_a_heavy_import(folder: Path):
    line = "finassay score studies/small --system a"
    assert ask(folder, line) == (["all\\ in\\ one:\\ 2", "alpha"], "")


def test_zsh_completes_systems_in_quotes(folder: Path):
    told, _ = ask(folder, "finassay score studies/small --system al", "zsh")
    assert "\n".join(told) == '_arguments \'*: :(("all in one\\\\: 2"\n"alpha"))\''


def test_zsh_completes_scorers_without_a_heavy_import(folder: Path):
    told, said = ask(folder, "finassay mark strict/", "zsh")
    names = [name for name in scorer_names() if name.startswith("strict/")]
    assert re.findall(r'"([^"]+)"', "\n".join(told)) == names
    assert said == ""


class _Line:
    """A line with a study, or without."""

    def __init__(self, study: Path | None) -> None:
        self.params = {"study": study}


def scorers_of(study: Path | None, start: str) -> list[str]:
    context: Context = _Line(study)  # type: ignore[assignment]
    return complete_scorer(context, start)


def test_scorers_are_those_that_the_registry_knows():
    assert set(scorers_of(None, "")) == set(scorer_names())


def test_scorers_of_the_study_stand_beside_those_installed(folder: Path):
    study = folder / "studies" / "small"
    ran = run("score", study, "--scorer", "token_sort[threshold=0.7]")
    assert ran.code == 0, ran.err
    assert scorers_of(study, "token_so") == ["token_sort", "token_sort[threshold=0.7]"]


def test_studies_are_found_below_what_was_typed(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(folder)
    assert complete_study("s") == complete_study("") == ["studies/small"]
    assert complete_study("studies/") == complete_study("studies/sm") == ["studies/small"]
    assert complete_study("nowhere/") == complete_study("su") == []
    assert complete_study(f"{folder}/stu") == [f"{folder}/studies/small"]


def test_schemas_are_those_that_are_published():
    assert complete_schema("") == sorted(schema_names())
    assert complete_schema("study-c") == ["study-check", "study-clean"]


def test_an_open_quote_does_not_break_the_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMP_WORDS", "finassay score 'a b")
    assert completions._typed() == ["score", "'a", "b"]


def test_a_damaged_study_completes_nothing_and_says_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    root = small_study(tmp_path / "study").root
    for path in (root / "scorers" / "_delta_log").glob("*.json"):
        path.write_text("{")
    (root / "systems").rename(root / "gone")
    context: Context = _Line(root)  # type: ignore[assignment]
    assert complete_system(context, "") == []
    assert set(complete_scorer(context, "")) == set(scorer_names())
    assert tuple(capsys.readouterr()) == ("", "")


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_the_script_for_the_shell_asks_for_completions(folder: Path, shell: str):
    told, _ = ask(folder, "", shell, instruction="source")
    assert f"_FINASSAY_COMPLETE=complete_{shell}" in "\n".join(told)
