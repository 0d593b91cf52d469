"""Judges over real HTTP: what they are asked, how they vote, and what is filed."""

from __future__ import annotations

import gc
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import polars as pl
import pytest

from finassay.judges import JudgeRequest, JudgingReport, Protocol, judge_study, plan_judging
from finassay.marking.table import newest_versions
from finassay.records import SystemSpec
from finassay.study import Study
from finassay.study.check import check
from finassay.study.nested import judging_study
from judged_studies import (
    ALPHA,
    ITEMS,
    JUDGE,
    RIGHT,
    TRUTH,
    WRONG,
    request,
    says,
    served,
    study_to_judge,
    verdicts,
)
from scripted_judge import ScriptedJudge, areas
from scripted_server import Asked
from study_samples import marks, of_scorer

pytest.importorskip("inspect_ai", reason="the extra `run` is not installed")
pytest.importorskip("openai", reason="the client for OpenAI-compatible servers is not installed")

# Inspect leaves streams of its own event loop to the garbage collector, which warns of them.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

JUDGE_AS_SYSTEM = SystemSpec(name="the judge itself", model="scripted/judge-1", provider="q")
SOME = (*ITEMS[:3], *ITEMS[6:])
ARMS = ("none", "human", "wrong", "random", "verified")


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    """Leave nothing to be collected, and warned of, in the tests of other files."""
    yield
    gc.collect()


@dataclass(frozen=True)
class Judged:
    """A study that was judged once."""

    study: Study
    request: JudgeRequest
    report: JudgingReport
    asked: tuple[Asked, ...]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """Three systems, one of them the judge's own model, under five arms and three votes."""
    study = study_to_judge(tmp_path_factory.mktemp("judged") / "study", items=SOME)
    own = {item.item_id: WRONG[item.item_id] for item in SOME if item.item_id in WRONG}
    says(study, JUDGE_AS_SYSTEM, {**own, "q1": RIGHT["q1"], "q2": ""})
    _mark_right(study, "q2", "q3")
    wanted = request(*(Protocol(arm=arm, votes=3) for arm in ARMS))
    with served(ScriptedJudge(truth=TRUTH, known=0.5, error_rate=0.25)) as server:
        report = judge_study(study, wanted)
        return Judged(study, wanted, report, tuple(server.asked))


def _mark_right(study: Study, *item_ids: str) -> None:
    """Have people mark answers of the first system right."""
    study.add_scorer("person/consensus", "1", name="people", spec="{}", package_version="0")
    rows = marks(study, "person/consensus", ALPHA).filter(pl.col("item_id").is_in(item_ids))
    study.commit("verdicts", rows, partition=of_scorer("person/consensus", ALPHA))


def scorer_id(arm: str) -> str:
    return f"judge/judge-1/single/{arm}/A"


def test_a_verdict_is_the_majority_of_the_votes_in_the_study_inside(judged: Judged):
    inner = judging_study(judged.study)
    assert inner is not None
    rows = inner.snapshot().frame("predictions")
    votes: dict[str, list[str]] = {}
    prompt_of = dict(rows.select("prediction_id", "item_id").iter_rows())
    said_in = dict(rows.select("prediction_id", "text").iter_rows())
    for item_id, text in rows.select("item_id", "text").iter_rows():
        votes.setdefault(item_id, []).append(text.rpartition("[[")[2].removesuffix("]]"))
    splits = Counter()
    for arm in ARMS:
        for row in verdicts(judged.study, scorer_id(arm)).values():
            if row["status"] != "scored":
                continue
            said = votes[prompt_of[row["evidence_id"]]]
            winner, most = Counter(said).most_common(1)[0]
            assert (row["label"], row["value"]) == (winner, float(winner == "CORRECT"))
            assert f"votes:{most}-{3 - most}" in row["flags"]
            assert said_in[row["evidence_id"]].endswith(f"[[{winner}]]")
            splits[most] += 1
    assert splits[2] > 2
    assert splits[3] > 2


def test_every_answer_has_a_verdict_and_closed_questions_keep_their_rule(judged: Judged):
    found = verdicts(judged.study, scorer_id("none"))
    assert len(found) == 5 + 5 + 4
    closed = [row for (_, item_id), row in found.items() if item_id == "y1"]
    assert {(row["status"], row["reason"]) for row in closed} == {
        ("not_applicable", "a closed question keeps its exact rule")
    }
    counts = judged.report.judged[0].counts
    assert counts.not_applicable == {"a closed question keeps its exact rule": 3}
    assert counts.statuses == {"scored": 10, "no_answer": 1}


def test_an_empty_reply_is_settled_unsent(judged: Judged):
    row = verdicts(judged.study, scorer_id("none"))["the judge itself", "q2"]
    assert (row["status"], row["evidence_id"]) == ("no_answer", None)
    assert "was not sent" in str(row["reason"])


def test_an_item_without_a_reference_is_listed_with_the_reason(judged: Judged):
    for arm in ("human", "wrong", "random"):
        row = verdicts(judged.study, scorer_id(arm))["alpha", "r1"]
        if arm != "random":
            assert row["status"] == "not_applicable"
            assert str(row["reason"]).startswith("no reference under the arm: ")
    human = next(one for one in judged.report.judged if one.scorer_id == scorer_id("human"))
    assert human.counts.not_applicable["no reference under the arm: the item has no reference"] == 2


def test_a_judge_among_the_systems_is_told_and_its_verdicts_on_itself_are_flagged(judged: Judged):
    for (system, _), row in verdicts(judged.study, scorer_id("human")).items():
        assert ("self_judged" in row["flags"]) == (system == "the judge itself")
    shown = judged.report.judged[0].judge
    assert (shown.is_candidate, shown.own) == (True, ("the judge itself",))
    assert "judge-1: the judge is among the systems judged: the judge itself" in (
        judged.report.findings
    )


def test_the_scorer_says_how_the_verdicts_came_about(judged: Judged):
    rows = judged.study.snapshot().frame("scorers", scorer_id=scorer_id("human"))
    assert rows.height == 1
    spec = json.loads(rows["spec"][0])
    inner = judging_study(judged.study)
    assert inner is not None
    assert spec["system_id"] in {one.system_id for one in inner.snapshot().systems()}
    told = {name: spec[name] for name in ("model", "task", "arm", "prompt", "votes", "temperature")}
    assert told == {
        "model": JUDGE,
        "task": "single",
        "arm": "human",
        "prompt": "A",
        "votes": 3,
        "temperature": 0.7,
    }
    assert spec["tolerance"] is None
    assert spec["is_candidate"] is True


@pytest.mark.parametrize("arm", ARMS)
def test_a_prompt_shows_the_reference_of_its_arm(judged: Judged, arm: str):
    shown: dict[str, set[str]] = {}
    for prompt in _prompts(judged.study, scorer_id(arm)):
        found = areas(prompt)
        shown.setdefault(found["question"][-1], set()).update(found.get("reference", []))
    for question, references in shown.items():
        truth = TRUTH.get(question)
        match arm:
            case "none":
                assert references == set()
            case "human":
                assert references == {truth}
            case "verified":
                assert references == {f"It takes {truth}."}
            case "wrong":
                assert references
                assert truth not in references
            case "random":
                assert references <= set(TRUTH.values()) - {truth}
    assert len(shown) >= (2 if arm == "verified" else 3)


def _prompts(study: Study, scorer: str) -> list[str]:
    inner = judging_study(study)
    assert inner is not None
    snapshot = inner.snapshot()
    questions = {item.item_id: item.question for item in snapshot.items()}
    asked = dict(snapshot.frame("predictions").select("prediction_id", "item_id").iter_rows())
    rows = verdicts(study, scorer).values()
    return [questions[asked[row["evidence_id"]]] for row in rows if row["evidence_id"]]


def test_no_prompt_names_a_system(judged: Judged):
    for one in judged.asked:
        told = str(one.body["messages"]).casefold()
        assert not re.search(r"alpha|beta|the judge itself|judge-1", told)


def test_votes_are_asked_at_the_temperature_of_the_protocol(judged: Judged):
    assert {one.body["temperature"] for one in judged.asked} == {0.7}
    assert {one.body["max_tokens"] for one in judged.asked} == {1024}
    asked = Counter(one.key for one in judged.asked)
    assert set(asked.values()) == {3}


def test_equal_answers_are_judged_once(judged: Judged):
    human = verdicts(judged.study, scorer_id("human"))
    assert human["alpha", "q1"]["evidence_id"] == human["beta", "q1"]["evidence_id"]


def test_the_same_call_asks_nothing_and_changes_nothing(judged: Judged):
    before = judged.study.snapshot().digests()
    with served(ScriptedJudge(truth={})) as server:
        report = judge_study(judged.study, judged.request)
        assert server.asked == []
    assert report.is_complete
    assert judged.study.snapshot().digests() == before
    assert all(one.again is None for one in report.judged)
    assert check(judged.study).problems == ()


def test_a_plan_of_what_is_held_asks_for_nothing(judged: Judged):
    plan = plan_judging(judged.study, judged.request)
    assert plan.is_dry
    assert [one.to_ask for one in plan.votes.plans] == [0]
    assert plan.judged[0].counts == judged.report.judged[0].counts
    assert plan.judged[0].scorer_version == judged.report.judged[0].scorer_version


def test_other_votes_are_another_version_and_the_newer_one(judged: Judged):
    fewer = replace(judged.request, protocols=(Protocol(arm="human", votes=1, temperature=0),))
    with served(ScriptedJudge(truth=TRUTH)) as server:
        report = judge_study(judged.study, fewer)
        assert {one.body["temperature"] for one in server.asked} == {0}
    scorer = "judge/judge-1 (temperature 0)/single/human/A"
    assert report.judged[0].scorer_id == scorer
    more = replace(judged.request, protocols=(Protocol(arm="human", votes=2),))
    with served(ScriptedJudge(truth=TRUTH)) as server:
        again = judge_study(judged.study, more).judged[0]
        # Two of the three votes that are held decide, and nothing is asked.
        assert server.asked == []
    assert again.scorer_version.startswith("2.")
    rows = judged.study.snapshot().frame("verdicts", scorer_id=scorer_id("human"))
    assert set(newest_versions(rows)["scorer_version"]) == {again.scorer_version}
    assert rows["scorer_version"].n_unique() == 2
