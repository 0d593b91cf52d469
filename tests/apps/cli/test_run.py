"""`finassay run`: what it refuses, shows, asks and returns."""

from __future__ import annotations

import gc
import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import jsonschema
import pytest

from cli_runs import Ran, run
from finassay.apps.cli.run import model_args
from finassay.errors import UsageError
from finassay.reports.schemas import schema_object
from finassay.study import Study
from scripted_server import Asked, Reply, ScriptedServer, scripted_server

pytest.importorskip("inspect_ai", reason="the extra `run` is not installed")
pytest.importorskip("openai", reason="the client for OpenAI-compatible servers is not installed")

# Inspect leaves streams of its own event loop to the garbage collector, which warns of them.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

MODEL = "openai-api/scripted/m"


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    """Leave nothing to be collected, and warned of, in the tests of other files."""
    yield
    gc.collect()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    def script(asked: Asked) -> Reply:
        return Reply(status=400) if "Schedule 13D" in asked.prompt else Reply(text="45 days")

    with scripted_server(script) as one:
        monkeypatch.setenv("SCRIPTED_BASE_URL", one.url)
        monkeypatch.setenv("SCRIPTED_API_KEY", "none")
        yield one


def asking(study: Path, *words: str | Path) -> Ran:
    return run("run", "finassay-regqa", "--study", study, "--model", MODEL, *words)


def test_a_run_fills_a_study_and_writes_what_the_schema_says(
    tmp_path: Path, server: ScriptedServer
):
    study, target = tmp_path / "study", tmp_path / "run.json"
    prices = tmp_path / "prices.toml"
    prices.write_text(f'["{MODEL}"]\ninput = 1.0\noutput = 2.0\n', encoding="utf-8")
    done = asking(study, "--pilot", "1", "--price", prices, "--retries", "0", "--json", target)
    assert done.code == 0, done.err
    document = json.loads(target.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema_object("run")).validate(document)
    (system,) = document["systems"]
    assert (system["wanted"], system["answered"], system["left"]) == (12, 12, 0)
    assert system["cost_usd"] == pytest.approx(12 * (10 * 1.0 + 5 * 2.0) / 1e6)
    (projection,) = document["projections"]
    assert (projection["answers"], projection["requests"]) == (12, 72)
    assert projection["usd"] == pytest.approx(72 * 20 / 1e6)
    assert "12 wanted, 0 held, 12 answered" in done.out
    assert len(server.asked) == 12
    again = asking(study, "--pilot", "1")
    assert (again.code, len(server.asked)) == (0, 12)
    assert Study.open(study).snapshot().frame("predictions").height == 12


def test_answers_that_are_missing_give_the_exit_code_of_their_own(
    tmp_path: Path, server: ScriptedServer
):
    done = asking(tmp_path / "study", "--max-requests", "2")
    assert done.code == 7
    assert "stopped early: the limit of 2 requests is reached" in done.out
    assert done.err.endswith("70 answers are still wanted; run the same command again to go on\n")
    assert len(server.asked) == 2


def test_a_dry_run_makes_no_study_and_asks_nothing(tmp_path: Path, server: ScriptedServer):
    done = asking(tmp_path / "study", "--dry-run", "--arm", "exact-answer", "--shots", "1")
    assert done.code == 0
    assert f"{MODEL} [exact-answer, 1-shot]: 72 wanted, 0 held, 72 to ask" in done.out
    assert "no price is known for it" in done.out
    assert done.out.count("--- prompt ") == 2
    assert "[assistant]" in done.out
    assert not (tmp_path / "study").exists()
    assert server.asked == []


def test_a_dry_run_needs_neither_inspect_nor_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("SCRIPTED_API_KEY", raising=False)
    with patch.dict(sys.modules, {"inspect_ai": None}):
        assert asking(tmp_path / "study", "--dry-run").code == 0


def test_without_inspect_the_message_names_the_extra(tmp_path: Path):
    found = importlib.util.find_spec

    def all_but_inspect(name: str) -> object:
        return None if name == "inspect_ai" else found(name)

    with patch("finassay.runs.extra.util.find_spec", all_but_inspect):
        done = asking(tmp_path / "study")
    assert not (tmp_path / "study").exists()
    assert done.code == 2
    assert "pip install 'finassay[run]'" in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--thinking", "never"), "--thinking must be one of as-is, effort-none, no-think"),
        (("--arm", "best"), "there is no prompt arm 'best'"),
        (("--reasoning-effort", "x"), "--reasoning-effort must be one of none, minimal"),
        (("-M", "tier"), "a model argument is KEY=VALUE, as service_tier=flex; got 'tier'"),
        (("-M", "api_key=1"), "looks like a secret"),
        (("--shots-from", "finassay-regqa"), "--shots is 0; ask for some"),
        (("--max-cost", "1"), "a limit on cost needs the price of every model"),
        (("--limit", "1", "--pilot", "1"), "got both `limit` and `pilot`"),
        (("--model", "gpt"), "a model is named PROVIDER/MODEL"),
        (("--model", "a/b", "--name", "x"), "cannot stand for 2 models"),
    ],
)
def test_options_that_cannot_be_used_are_refused_before_anything_is_asked(
    tmp_path: Path, server: ScriptedServer, words: tuple[str, ...], said: str
):
    done = asking(tmp_path / "study", *words)
    assert done.code == 2
    assert said in done.err
    assert server.asked == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("finassay-regqa", "--model", "nosuch/m"), "the model 'nosuch/m' cannot be used"),
        (("nosuch", "--model", MODEL), "no benchmark or file 'nosuch'"),
        (("finassay-regqa", "--model", MODEL, "-M", "nosuch=1"), "cannot be used"),
        (("finassay-regqa", "--model", MODEL, "--max-cost", "1"), "price"),
    ],
)
def test_a_run_that_cannot_begin_leaves_no_study(
    tmp_path: Path, server: ScriptedServer, words: tuple[str, ...], message: str
):
    study = tmp_path / "folder" / "study"
    done = run("run", *words, "--study", study)
    assert done.code == 2
    assert message in done.err
    assert list(tmp_path.iterdir()) == []
    assert server.asked == []


def test_a_run_that_cannot_begin_leaves_a_study_that_was_there_as_it_was(
    tmp_path: Path, server: ScriptedServer
):
    study = Study.create(tmp_path / "study")
    before = study.snapshot().versions
    assert run("run", "finassay-regqa", "--study", study.root, "--model", "nosuch/m").code == 2
    after = study.snapshot()
    assert {**after.versions, "items": 0} == {**before, "items": 0}
    assert after.frame("systems").height == 0


def test_a_benchmark_that_does_not_exist_is_refused(tmp_path: Path):
    done = run("run", "nothing", "--study", tmp_path / "study", "--model", MODEL)
    assert done.code == 2
    assert "no benchmark or file 'nothing'" in done.err


def test_arguments_for_the_provider_are_numbers_truths_or_texts():
    told = ["a=1", "b=-2.5", "c=true", "d=False", "e=1e5", "f=x=y", "g="]
    expected = {"a": 1, "b": -2.5, "c": True, "d": False, "e": "1e5", "f": "x=y", "g": ""}
    assert model_args(told) == expected
    with pytest.raises(UsageError, match="KEY=VALUE"):
        model_args(["=1"])
