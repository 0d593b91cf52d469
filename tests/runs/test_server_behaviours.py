"""Models asked over real HTTP: what each behaviour of a server becomes in the study."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from finassay.records import Prediction
from finassay.runs.journal import JOURNALS
from finassay.runs.report import RunReport, SystemRun
from finassay.runs.running import run_models
from finassay.study import Study
from finassay.study.rows import predictions_from, runs_from, systems_from
from scripted_runs import (
    ANSWERS,
    KEY,
    LASTING,
    MODEL,
    PASSING,
    point_at,
    request,
    scenario,
    script,
    study_of,
)
from scripted_server import scripted_server

pytest.importorskip("inspect_ai", reason="the extra `run` is not installed")
pytest.importorskip("openai", reason="the client for OpenAI-compatible servers is not installed")

# Inspect leaves streams of its own event loop to the garbage collector, which warns of them.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    """Leave nothing to be collected, and warned of, in the tests of other files."""
    yield
    gc.collect()


@dataclass(frozen=True)
class Whole:
    """One run over all behaviours, shared by the tests that look at a part of it."""

    root: Path
    report: RunReport
    predictions: dict[str, Prediction]
    requests: dict[str, int]

    @property
    def system(self) -> SystemRun:
        return self.report.systems[0]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    asked = request(*PASSING, *ANSWERS, *LASTING)
    study = study_of(tmp_path_factory.mktemp("whole") / "study", asked)
    with pytest.MonkeyPatch.context() as patch, scripted_server(script) as server:
        point_at(server, patch)
        report = run_models(study, asked)
        counts: dict[str, int] = {}
        for one in server.asked:
            counts[scenario(one)] = counts.get(scenario(one), 0) + 1
    found = predictions_from(study.snapshot().frame("predictions"))
    return Whole(study.root, report, {one.item_id: one for one in found}, counts)


@pytest.mark.parametrize("name", PASSING)
def test_what_fails_in_passing_is_asked_once_more_and_answered(whole: Whole, name: str):
    assert whole.predictions[name].text == "45 days"
    assert whole.predictions[name].finish == "stop"
    assert whole.requests[name] == 2


@pytest.mark.parametrize(
    ("name", "text", "finish", "flags"),
    [
        ("plain", "  45 days\n", "stop", ()),
        ("length", "The answer is", "truncated", ()),
        ("only reasoning", "", "truncated", ("only_reasoning", "reasoning_tokens:5")),
        ("in reasoning", "", "empty", ("answer_in_reasoning",)),
        ("empty", "", "empty", ()),
        ("null", "", "empty", ()),
        ("filter", "", "blocked", ()),
        ("other model", "45 days", "stop", ("other_model_served",)),
        ("dated model", "45 days", "stop", ()),
        ("think", "45 days", "stop", ("reasoning_tokens:3",)),
        ("tag in answer", "Use <think>x</think> to open a block", "stop", ()),
        ("no finish", "45 days", "not_logged", ()),
        ("too long", "45 days", "stop", ("over_budget",)),
        ("bad request", "", "error", ("error:http_400",)),
        ("forever down", "", "error", ("error:server",)),
        ("window", "", "error", ("error:prompt_too_long",)),
    ],
)
def test_a_reply_is_kept_whole_with_its_fate(
    whole: Whole, name: str, text: str, finish: str, flags: tuple[str, ...]
):
    found = whole.predictions[name]
    assert (found.text, found.finish, found.flags) == (text, finish, flags)


def test_reasoning_is_kept_wherever_it_stood(whole: Whole):
    held = {name: one.reasoning for name, one in whole.predictions.items() if one.reasoning}
    assert held == {"only reasoning": "let me see", "in reasoning": "30 days", "think": "90 / 2"}


def test_tokens_and_cost_are_the_providers_or_unknown(whole: Whole):
    found = whole.predictions
    assert (found["plain"].tokens_in, found["plain"].tokens_out) == (11, 7)
    assert (found["no usage"].tokens_in, found["no usage"].tokens_out) == (None, None)
    assert (found["cost"].cost_usd, found["plain"].cost_usd) == (0.25, None)
    assert found["plain"].latency_s is not None


def test_what_no_repeat_mends_is_not_repeated(whole: Whole):
    assert whole.requests["bad request"] == whole.requests["window"] == 1
    assert whole.requests["forever down"] == 3


def test_the_report_counts_every_fate(whole: Whole):
    system = whole.system
    assert (system.wanted, system.held) == (28, 0)
    assert (system.answered, system.errors, system.left) == (25, 3, 3)
    expected = {"stop": 18, "truncated": 2, "blocked": 1, "empty": 3, "not_logged": 1}
    assert system.fates == expected
    assert system.error_kinds == {"http_400": 1, "prompt_too_long": 1, "server": 1}
    assert "no such thing" in system.error_messages["http_400"]
    assert system.with_reasoning == 3
    assert (system.cost_usd, system.without_cost) == (0.25, 24)
    assert not whole.report.is_complete


def test_what_must_be_known_is_a_finding(whole: Whole):
    told = "\n".join(whole.report.findings)
    assert "1 of 25 replies were given by another model" in told
    assert "were cut before an answer began" in told
    assert "hold reasoning and no answer" in told
    assert "longer than the budget allows" in told
    assert "though none was asked for" not in told


def test_the_run_is_on_record_apart_from_the_system(whole: Whole):
    snapshot = Study.open(whole.root).snapshot()
    (run,) = runs_from(snapshot.frame("runs"))
    assert run.served_model == "model-1, model-1-2026-01-31, model-2"
    assert run.retries == len(PASSING) + 2
    assert run.started <= run.ended
    assert {"finassay", "inspect-ai", "openai"} <= dict(run.packages).keys()
    assert run.prediction_digest
    (spec,) = systems_from(snapshot.frame("systems"))
    assert (spec.model, spec.provider, spec.kind) == (MODEL, "openai-api", "model")
    assert (spec.budget, spec.prompt_arm) == ("512 tokens", "free")


def test_no_secret_and_no_leftover_is_in_the_study(whole: Whole):
    held = [path for path in whole.root.rglob("*") if path.is_file()]
    assert held
    assert not [path for path in held if KEY.encode() in path.read_bytes()]
    assert list((whole.root / JOURNALS).iterdir()) == []
