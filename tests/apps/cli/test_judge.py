"""`finassay judge`, and what the other commands make of the verdicts that it files."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli_runs import Ran, run
from finassay.marking.regime_scoring import score_regimes
from finassay.study import Study
from finassay.study.nested import JUDGING
from judged_studies import JUDGE, TRUTH, served, study_to_judge
from scripted_judge import ScriptedJudge
from scripted_server import Reply

pytest.importorskip("inspect_ai", reason="the extra `run` is not installed")
pytest.importorskip("openai", reason="the client for OpenAI-compatible servers is not installed")

# Inspect leaves streams of its own event loop to the garbage collector, which warns of them.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

NAME = "judge-1 (64 tokens; temperature 0)"
HUMAN = f"judge/{NAME}/single/human/A"
EXACT = f"judge/{NAME}/single/human/A/exact"
ONCE = ("--votes", 1, "--temperature", 0, "--budget", 64, "--max-wait", 0.01)


@dataclass(frozen=True)
class Judged:
    """A study that was judged from the command line."""

    path: Path
    ran: Ran
    told: dict


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judged]:
    """Two protocols, with a judge that cannot be read on the second term."""
    folder = tmp_path_factory.mktemp("judge")
    path = folder / "study"
    study_to_judge(path)
    judge = ScriptedJudge(truth=TRUTH, replies={"term 2?": Reply(text="Who can say.")})
    target = folder / "judge.json"
    with served(judge):
        ran = run("judge", path, "--judge", JUDGE, "--tolerance", "exact", *ONCE, "--json", target)
        assert ran.code == 0, ran.err
        again = run("judge", path, "--judge", JUDGE, "--prompt", "A", *ONCE)
        assert again.code == 0, again.err
    run("score", path, "--scorer", "strict/numbers-first")
    yield Judged(path, ran, json.loads(target.read_text()))
    gc.collect()


def test_the_command_tells_what_it_filed_and_why_a_verdict_is_missing(judged: Judged):
    assert judged.told["schema"] == "finassay/judge/1"
    one = judged.told["judged"][0]
    assert one["scorer_id"] == EXACT
    assert one["counts"]["statuses"] == {"scored": 10, "unparsed": 2}
    assert one["protocol"]["tolerance"] == "exact"
    assert "no verdict from the menu" in judged.ran.out
    assert EXACT in judged.ran.out
    rows = Study.open(judged.path).snapshot().frame("verdicts", scorer_id=EXACT)
    assert sorted(rows["status"].unique()) == ["not_applicable", "scored", "unparsed"]


def test_regimes_take_a_judge_by_its_id_and_leave_closed_questions_to_the_rule(judged: Judged):
    score_regimes(Study.open(judged.path), judge=HUMAN)
    snapshot = Study.open(judged.path).snapshot()
    only = snapshot.frame("verdicts", scorer_id="regime/judge-only")
    rule = snapshot.frame("verdicts", scorer_id="strict/numbers-first")
    judge = snapshot.frame("verdicts", scorer_id=HUMAN)
    expected = {"y1": rule, "q1": judge, "q2": judge, "r1": rule}
    for item_id, source in expected.items():
        columns = ("system_id", "status", "value")
        own = only.filter(item_id=item_id).select(columns)
        assert own.equals(source.filter(item_id=item_id).select(columns)), item_id


@pytest.mark.full
def test_an_audit_takes_a_judge_by_its_id(judged: Judged):
    folder = judged.path.parent / "report"
    ran = run("audit", judged.path, "--judge", HUMAN, "--out", folder)
    assert ran.code == 0, ran.err
    assert "judge-augmented" in ran.out
    assert HUMAN in (folder / "report.html").read_text()


def test_judges_are_raters_like_any_other(judged: Judged):
    ran = run("agree", judged.path, "--raters", f"{HUMAN},{EXACT}", "--json", "-")
    assert ran.code == 0, ran.err
    assert HUMAN in ran.out


def test_the_study_inside_is_checked_shown_and_never_exported(judged: Judged):
    assert "no problem found" in run("study", "check", judged.path).out
    shown = run("study", "info", judged.path).out
    assert f"{JUDGING}/predictions" in shown
    folder = judged.path.parent / "exported"
    ran = run("export", judged.path, "--format", "csv", "--out", folder, "--no-text")
    assert ran.code == 0, ran.err
    written = [path for path in folder.rglob("*") if path.is_file()]
    assert written
    assert not [path for path in written if b"Who can say" in path.read_bytes()]
    assert not [path for path in written if b"You mark answers" in path.read_bytes()]


def test_a_plan_is_told_and_nothing_is_asked(judged: Judged):
    with served(ScriptedJudge(truth=TRUTH)) as server:
        ran = run("judge", judged.path, "--judge", JUDGE, "--arm", "self", "--dry-run")
        assert ran.code == 0, ran.err
        assert server.asked == []
    assert "the judges' own answers" in ran.out
    assert "nothing was asked" in ran.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--arm", "theirs"), "`arm` of a judge must be one of"),
        (("--tolerance", "5%"), "`tolerance` of a judge must be one of"),
        (("--votes", 3, "--temperature", 0), "are one vote asked 3 times"),
        (("--arm", "verified", "--dry-run"), "holds no verdicts of it"),
        (("--system", "nobody", "--dry-run"), "there is no system 'nobody'"),
        (("--name", "a[1]", "--dry-run"), "must hold no brackets"),
        (("--name", "two\nlines", "--dry-run"), "must hold no brackets, line ends"),
        (("--task", "pairwise", "--system", "alpha", "--dry-run"), "no item has two in scope"),
        (("--max-cost", 1, "--dry-run"), "needs the price of every model"),
    ],
)
def test_what_cannot_be_carried_out_is_refused_in_words(
    judged: Judged, words: tuple[object, ...], said: str
):
    ran = run("judge", judged.path, "--judge", JUDGE, *map(str, words))
    assert ran.code in (2, 5)
    assert said in ran.err
