"""Runs over real HTTP: what is asked, what is asked again, and where a run ends."""

from __future__ import annotations

import errno
import gc
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from finassay.errors import ConflictError, UsageError
from finassay.runs.journal import JOURNALS, Receipt, open_journal
from finassay.runs.plan import Scope
from finassay.runs.prices import Price
from finassay.runs.requests import Asking, Decoding, Effort
from finassay.runs.running import RunRequest, plan_run, run_models
from finassay.study.rows import predictions_from
from scripted_runs import (
    KEY,
    MODEL,
    QUICK,
    items,
    point_at,
    request,
    scenario,
    script,
    study_of,
)
from scripted_server import Asked, Reply, ScriptedServer, scripted_server

pytest.importorskip("inspect_ai", reason="the extra `run` is not installed")
pytest.importorskip("openai", reason="the client for OpenAI-compatible servers is not installed")

# Inspect leaves streams of its own event loop to the garbage collector, which warns of them.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


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


def test_a_server_that_knows_the_budget_by_its_newer_name_is_asked_by_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    asked = request("a", "b", "c", effort=Effort(connections=1, retries=0))
    study = study_of(tmp_path / "study", asked)

    def newer(one: Asked) -> Reply:
        if "max_tokens" in one.body:
            return Reply(
                status=400, error="'max_tokens' is not known", error_code="unsupported_parameter"
            )
        return Reply(text="45 days")

    with scripted_server(newer) as server:
        point_at(server, monkeypatch)
        report = run_models(study, asked)
        sizes = [one.body.get("max_completion_tokens") for one in server.asked]
    assert sizes == [None, 512, 512, 512]
    assert report.is_complete
    assert (report.systems[0].requests, report.systems[0].retries) == (4, 1)


def test_a_full_disk_ends_a_run_before_more_is_asked(tmp_path: Path, server: ScriptedServer):
    asked = request(*"abcdefgh", effort=Effort(connections=1, retries=0))
    study = study_of(tmp_path / "study", asked)
    full = OSError(errno.ENOSPC, "No space left on device")
    with patch("finassay.runs.journal.Journal.add", side_effect=full):
        report = run_models(study, asked)
    assert len(server.asked) == 1
    assert report.systems[0].stopped == "the journal cannot be written: No space left on device"
    assert report.systems[0].left == 8


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


def test_an_interrupt_ends_the_whole_run_and_keeps_what_had_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    effort = Effort(connections=1, land_every=2, retries=0)
    asked = request(*"abcdefgh", effort=effort)
    study = study_of(tmp_path / "study", asked)

    def interrupts(one: Asked) -> Reply:
        if one.number == 4:
            os.kill(os.getpid(), signal.SIGINT)
        return Reply(text="45 days", wait_s=0.3 if one.number == 4 else 0.0)

    with scripted_server(interrupts) as server:
        point_at(server, monkeypatch)
        with pytest.raises(KeyboardInterrupt):
            run_models(study, asked)
        assert len(server.asked) == 5
        report = run_models(study, asked)
    assert (report.systems[0].held, report.systems[0].answered) == (4, 4)


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
    assert study.snapshot().systems() == []


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
