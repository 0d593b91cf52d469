"""Models asked over real HTTP: what each behaviour of a server becomes in the study."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from finassay.errors import ConflictError, UsageError
from finassay.records import Item, Prediction
from finassay.runs.journal import JOURNALS, Receipt, open_journal
from finassay.runs.plan import Scope
from finassay.runs.prices import Price
from finassay.runs.report import RunReport, SystemRun
from finassay.runs.requests import Asking, Decoding, Effort
from finassay.runs.running import RunRequest, plan_run, run_models
from finassay.study import Study
from finassay.study.rows import predictions_from, runs_from, systems_from
from scripted_server import Asked, Reply, ScriptedServer, scripted_server

pytest.importorskip("inspect_ai", reason="the extra `run` is not installed")
pytest.importorskip("openai", reason="the client for OpenAI-compatible servers is not installed")

# Inspect leaves streams of its own event loop to the garbage collector, which warns of them.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

MODEL = "openai-api/scripted/model-1"
KEY = "sk-this-must-never-be-written-down"

PASSING = {
    "rate limited, with a time": Reply(status=429, headers={"Retry-After": "0"}),
    "rate limited": Reply(status=429),
    "server error": Reply(status=500),
    "overloaded": Reply(status=503),
    "reset": Reply(reset=True),
    "cut on the way": Reply(cut_at=60),
    "broken JSON": Reply(cut_at=60, is_short=True),
    "no choices": Reply(
        raw=b'{"id": "1", "object": "chat.completion", "model": "m", "choices": []}'
    ),
    "no model": Reply(raw=b'{"id": "1", "object": "chat.completion", "choices": []}'),
    "not an object": Reply(raw=b'"hello"'),
}
ANSWERS = {
    "plain": Reply(text="  45 days\n", tokens=(11, 7)),
    "length": Reply(text="The answer is", finish="length"),
    "only reasoning": Reply(text="", reasoning="let me see", finish="length", reasoning_tokens=5),
    "in reasoning": Reply(text="", reasoning="30 days", reasoning_field="reasoning"),
    "empty": Reply(text=""),
    "null": Reply(text=None),
    "filter": Reply(text="", finish="content_filter"),
    "other model": Reply(text="45 days", model="model-2"),
    "dated model": Reply(text="45 days", model="model-1-2026-01-31"),
    "think": Reply(text="<think>90 / 2</think>\n\n45 days", reasoning_tokens=3),
    "tag in answer": Reply(text="Use <think>x</think> to open a block"),
    "cost": Reply(text="45 days", cost=0.25),
    "no usage": Reply(text="45 days", tokens=None),
    "no finish": Reply(text="45 days", finish=None),
    "too long": Reply(text="45 days", tokens=(10, 900)),
}
LASTING = {
    "bad request": Reply(status=400, error="no such thing"),
    "forever down": Reply(status=500),
    "window": Reply(status=400, error="too long", error_code="context_length_exceeded"),
}


def scenario(asked: Asked) -> str:
    return asked.prompt.partition("Question: ")[2].partition("\n")[0]


def script(asked: Asked) -> Reply:
    name = scenario(asked)
    if name in PASSING and asked.attempt == 0:
        return PASSING[name]
    return ANSWERS.get(name) or LASTING.get(name) or Reply(text="45 days")


def items(*names: str) -> tuple[Item, ...]:
    return tuple(
        Item(item_id=name, benchmark="b", question=name, reference="45 days") for name in names
    )


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    """Leave nothing to be collected, and warned of, in the tests of other files."""
    yield
    gc.collect()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    with scripted_server(script) as one:
        point_at(one, monkeypatch)
        yield one


def point_at(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
    monkeypatch.setenv("SCRIPTED_API_KEY", KEY)


QUICK = Effort(retries=2, longest_wait_s=0.01)


def request(*names: str, effort: Effort = QUICK, asking: Asking | None = None) -> RunRequest:
    return RunRequest(
        items=items(*names), models=(MODEL,), asking=asking or Asking(), effort=effort
    )


def study_of(path: Path, asked: RunRequest) -> Study:
    study = Study.create(path)
    study.add_items(asked.items, benchmark="b")
    return study


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


def test_a_second_run_asks_only_what_ended_in_an_error(tmp_path: Path, server: ScriptedServer):
    asked = request("plain", "filter", "bad request")
    study = study_of(tmp_path / "study", asked)
    run_models(study, asked)
    before = study.snapshot().digest("predictions")
    seen = len(server.asked)
    report = run_models(study, asked)
    assert [scenario(one) for one in server.asked[seen:]] == ["bad request"]
    assert study.snapshot().digest("predictions") == before
    assert (report.systems[0].held, report.systems[0].left) == (2, 1)


def test_an_error_gives_way_to_the_answer_that_comes_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    asked = request("plain", "late", effort=Effort(retries=0, longest_wait_s=0.01))
    study = study_of(tmp_path / "study", asked)

    def later(one: Asked) -> Reply:
        is_late = scenario(one) == "late" and one.attempt == 0
        return Reply(status=500) if is_late else Reply(text="45 days")

    with scripted_server(later) as server:
        point_at(server, monkeypatch)
        first, second = run_models(study, asked), run_models(study, asked)
    assert (first.systems[0].errors, second.systems[0].errors) == (1, 0)
    assert second.is_complete
    found = predictions_from(study.snapshot().frame("predictions"))
    assert {one.item_id: one.finish for one in found} == {"plain": "stop", "late": "stop"}


def test_replies_left_by_a_killed_process_land_first_and_are_not_asked(
    tmp_path: Path, server: ScriptedServer
):
    asked = request("plain", "other")
    study = study_of(tmp_path / "study", asked)
    (spec,) = asked.systems()
    with open_journal(study.root, spec.system_id) as journal:
        journal.add(Receipt(item_id="plain", trial=0, text="kept", finish="stop", at="2026"))
    with (study.root / JOURNALS / f"{spec.system_id}.jsonl").open("ab") as torn:
        torn.write(b'{"item_id": "other", "tri')
    report = run_models(study, asked)
    assert [scenario(one) for one in server.asked] == ["other"]
    found = {
        one.item_id: one.text for one in predictions_from(study.snapshot().frame("predictions"))
    }
    assert found == {"plain": "kept", "other": "45 days"}
    assert report.systems[0].recovered == 1


def test_two_processes_do_not_ask_the_same_at_the_same_time(tmp_path: Path, server: ScriptedServer):
    asked = request("plain")
    study = study_of(tmp_path / "study", asked)
    (spec,) = asked.systems()
    with (
        open_journal(study.root, spec.system_id),
        pytest.raises(ConflictError, match="another process is asking this system"),
    ):
        run_models(study, asked)
    assert server.asked == []


def test_streams_are_read_whole_and_slow_ones_are_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    asked = request("slow", "cut", "reasons", asking=Asking(model_args={"stream": True}))
    study = study_of(tmp_path / "study", asked)

    def streams(one: Asked) -> Reply:
        if scenario(one) == "cut" and one.attempt == 0:
            return Reply(text="one two three", cut_at=2)
        if scenario(one) == "reasons":
            return Reply(text="45 days", reasoning="90 / 2", finish="length")
        return Reply(text="one two three", chunk_wait_s=0.05)

    with scripted_server(streams) as server:
        point_at(server, monkeypatch)
        run_models(study, asked)
        assert all(one.body["stream"] for one in server.asked)
    found = {one.item_id: one for one in predictions_from(study.snapshot().frame("predictions"))}
    assert found["slow"].text == "one two three"
    assert (found["slow"].latency_s or 0) >= 0.15
    assert (found["reasons"].text, found["reasons"].reasoning) == ("45 days", "90 / 2")
    assert found["reasons"].finish == "truncated"
    assert found["cut"].text in {"one two three", "one"}


def test_a_request_without_an_answer_in_time_is_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    asked = request("plain", effort=Effort(retries=1, timeout_s=1, longest_wait_s=0.01))
    study = study_of(tmp_path / "study", asked)

    def hangs(one: Asked) -> Reply:
        return Reply(text="45 days", wait_s=1.5 if one.attempt == 0 else 0.0)

    with scripted_server(hangs) as server:
        point_at(server, monkeypatch)
        report = run_models(study, asked)
        assert len(server.asked) == 2
    assert report.systems[0].retries == 1


def test_decoding_reaches_the_server_and_nothing_else_does(tmp_path: Path, server: ScriptedServer):
    decoding = Decoding(budget=77, temperature=0.0, seed=5, stop=("\n\n",), effort="low")
    asked = request("plain", asking=Asking(decoding=decoding))
    run_models(study_of(tmp_path / "study", asked), asked)
    body = dict(server.asked[0].body)
    assert body.pop("messages")
    expected = {
        "model": "model-1",
        "max_tokens": 77,
        "temperature": 0.0,
        "seed": 5,
        "stop": ["\n\n"],
        "reasoning_effort": "low",
    }
    assert {name: body[name] for name in expected} == expected
    assert set(body) <= {*expected, "stream"}


def test_reasoning_in_a_run_that_asked_for_none_is_flagged_and_reported(
    tmp_path: Path, server: ScriptedServer
):
    asked = request("think", "plain", asking=Asking(thinking="effort-none"))
    study = study_of(tmp_path / "study", asked)
    report = run_models(study, asked)
    assert server.asked[0].body["reasoning_effort"] == "none"
    flags = {
        one.item_id: one.flags for one in predictions_from(study.snapshot().frame("predictions"))
    }
    assert flags == {"think": ("reasoning_unasked", "reasoning_tokens:3"), "plain": ()}
    assert "1 of 2 replies hold reasoning though none was asked for" in report.findings[0]


def test_trials_are_asked_one_by_one_and_kept_apart(tmp_path: Path, server: ScriptedServer):
    asked = RunRequest(
        items=items("plain", "cost"), models=(MODEL,), scope=Scope(trials=3), effort=QUICK
    )
    study = study_of(tmp_path / "study", asked)
    run_models(study, asked)
    found = predictions_from(study.snapshot().frame("predictions"))
    assert {(one.item_id, one.trial) for one in found} == {
        (name, trial) for name in ("plain", "cost") for trial in range(3)
    }
    assert len(server.asked) == 6


def test_a_limit_on_requests_is_never_passed(tmp_path: Path, server: ScriptedServer):
    effort = Effort(retries=2, longest_wait_s=0.01, max_requests=3, connections=2)
    asked = request("a", "b", "c", "d", "e", effort=effort)
    report = run_models(study_of(tmp_path / "study", asked), asked)
    assert len(server.asked) == 3
    assert (report.systems[0].answered, report.systems[0].left) == (3, 2)
    assert report.systems[0].errors == 0
    assert report.systems[0].stopped == "the limit of 3 requests is reached"


def test_a_limit_on_cost_is_never_passed(tmp_path: Path, server: ScriptedServer):
    price = Price(input=0.0, output=1_000_000.0)
    effort = Effort(
        max_cost_usd=21.0, prices={MODEL: price}, connections=4, retries=0, longest_wait_s=0.01
    )
    asking = Asking(decoding=Decoding(budget=8))
    asked = request(*"abcdefghij", effort=effort, asking=asking)
    report = run_models(study_of(tmp_path / "study", asked), asked)
    # Every reply has 5 tokens, so 5 USD; the next may take 8, and 15 + 8 are beyond 21.
    assert report.systems[0].cost_usd == 15.0
    assert len(server.asked) == 3
    assert "21 USD is reached" in report.systems[0].stopped


def test_a_provider_that_always_fails_is_not_asked_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    asked = request(*map(str, range(40)), effort=Effort(connections=1, retries=0))
    study = study_of(tmp_path / "study", asked)
    with scripted_server(lambda _: Reply(status=401)) as server:
        point_at(server, monkeypatch)
        report = run_models(study, asked)
        assert len(server.asked) < 12
    assert report.systems[0].stopped == "the provider fails again and again"
    assert report.systems[0].error_kinds.keys() == {"authentication"}


def test_a_model_without_a_key_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("SCRIPTED_API_KEY", raising=False)
    asked = request("plain")
    study = study_of(tmp_path / "study", asked)
    with pytest.raises(UsageError, match=r"cannot be used: .*SCRIPTED_API_KEY"):
        run_models(study, asked)


def test_a_provider_that_does_not_exist_is_refused(tmp_path: Path):
    asked = RunRequest(items=items("plain"), models=("nobody/model",))
    study = study_of(tmp_path / "study", asked)
    with pytest.raises(UsageError, match=r"'nobody/model' cannot be used: .*not recognized"):
        run_models(study, asked)


def test_inspects_own_log_is_kept_where_it_is_asked_for(tmp_path: Path, server: ScriptedServer):
    effort = Effort(retries=0, longest_wait_s=0.01, log_dir=str(tmp_path / "logs"))
    asked = request("plain", effort=effort)
    run_models(study_of(tmp_path / "study", asked), asked)
    from inspect_ai.log import list_eval_logs, read_eval_log  # noqa: PLC0415 - an extra

    (listed,) = list_eval_logs(str(tmp_path / "logs"))
    log = read_eval_log(listed)
    assert [sample.id for sample in log.samples or []] == ["plain"]
    assert log.eval.task == "b"
    assert KEY not in json.dumps(log.model_dump(mode="json"))


def test_a_plan_asks_nothing_and_shows_two_prompts(tmp_path: Path, server: ScriptedServer):
    asked = request("plain", "b", "c", effort=Effort(prices={MODEL: Price(input=1.0, output=10.0)}))
    report = plan_run(study_of(tmp_path / "study", asked), asked)
    (plan,) = report.plans
    assert (plan.wanted, plan.held, plan.to_ask) == (3, 0, 3)
    assert plan.most_tokens_out == 3 * 512
    assert plan.most_usd == pytest.approx((plan.tokens_in + 10 * 3 * 512) / 1e6)
    assert len(report.examples) == 2
    assert "Question: plain" in report.examples[0]
    assert report.is_dry
    assert server.asked == []
