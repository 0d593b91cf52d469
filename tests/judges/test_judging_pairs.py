"""Judges that compare, and juries."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from finassay.judges import Protocol, judge_study
from finassay.records import SystemSpec
from finassay.study import Study
from finassay.study.check import check
from judged_studies import (
    BETA,
    TRUTH,
    request,
    says,
    served,
    study_to_judge,
    verdicts,
)
from scripted_judge import ScriptedJudge
from scripted_server import Asked, Reply

pytest.importorskip("inspect_ai", reason="the extra `run` is not installed")
pytest.importorskip("openai", reason="the client for OpenAI-compatible servers is not installed")

# Inspect leaves streams of its own event loop to the garbage collector, which warns of them.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

PAIRS = Protocol(task="pairwise", arm="human", votes=1)
SCORER = "judge/judge-1/pairwise/human/A"


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    """Leave nothing to be collected, and warned of, in the tests of other files."""
    yield
    gc.collect()


def winners(study: Study, scorer: str = SCORER) -> dict[tuple[str, str], str]:
    """The winner's name by item and order."""
    snapshot = study.snapshot()
    names = {spec.system_id: spec.name for spec in snapshot.systems()}
    found = {}
    for row in snapshot.frame("comparisons", scorer_id=scorer).iter_rows(named=True):
        if row["status"] == "scored":
            side = row["winner"]
            winner = "tie" if side == "tie" else names[row[f"{side}_system_id"]]
            found[row["item_id"], row["order"]] = winner
    return found


def test_each_pair_is_shown_in_both_orders_and_winners_are_told_by_side(tmp_path: Path):
    study = study_to_judge(tmp_path / "study")
    with served(ScriptedJudge(truth=TRUTH)):
        report = judge_study(study, request(PAIRS))
    orders = ("left_first", "right_first")
    expected = {
        (f"q{n}", order): "tie" if n % 2 else "alpha" for n in range(1, 7) for order in orders
    }
    assert winners(study) == expected
    assert report.judged[0].counts.labels == {"left": 6, "tie": 6}
    assert report.judged[0].counts.not_applicable == {
        "a closed question keeps its exact rule": 2,
        "no reference under the arm: the item has no reference": 2,
    }
    assert study.snapshot().frame("verdicts").height == 0
    assert check(study).problems == ()
    with served(ScriptedJudge(truth={})) as server:
        again = judge_study(study, request(PAIRS))
        assert server.asked == []
    assert again.judged[0].again is None


def test_a_judge_that_takes_the_first_answer_is_for_another_one_in_the_other_order(
    tmp_path: Path,
):
    study = study_to_judge(tmp_path / "study")
    with served(ScriptedJudge(truth=TRUTH, first_bias=1.0)):
        judge_study(study, request(PAIRS))
    found = winners(study)
    assert {winner for (_, order), winner in found.items() if order == "left_first"} == {"alpha"}
    assert {winner for (_, order), winner in found.items() if order == "right_first"} == {"beta"}


def test_one_order_is_half_the_requests(tmp_path: Path):
    study = study_to_judge(tmp_path / "study")
    with served(ScriptedJudge(truth=TRUTH)) as server:
        judge_study(study, request(replace(PAIRS, both_orders=False)))
        # Odd terms have the same two answers in both orders.
        assert len(server.asked) == 6
    assert {order for _, order in winners(study)} == {"left_first"}


def test_a_changed_answer_is_compared_again_and_the_flip_is_told(tmp_path: Path):
    study = study_to_judge(tmp_path / "study")
    with served(ScriptedJudge(truth=TRUTH)) as server:
        judge_study(study, request(PAIRS))
        texts = _texts(study, BETA)
        says(study, BETA, {**texts, "q2": f"It takes {TRUTH['How long is term 2?']} in all."})
        before = len(server.asked)
        again = judge_study(study, request(PAIRS)).judged[0].again
        assert len(server.asked) - before == 2
    assert again is not None
    assert (again.table, again.changed, again.flips) == ("comparisons", 2, {"left -> tie": 2})
    held = study.snapshot({"comparisons": again.version}).frame("comparisons", item_id="q2")
    assert held["winner"].to_list() == ["left", "left"]


def _texts(study: Study, spec: SystemSpec) -> dict[str, str]:
    rows = study.snapshot().frame("predictions", system_id=spec.system_id)
    return dict(rows.select("item_id", "text").iter_rows())


JURORS = tuple(f"openai-api/scripted/{name}" for name in ("fair", "harsh", "odd-1"))


def jurors(asked: Asked) -> Reply:
    """One that is fair, one that finds all wrong, one that cannot be read on even terms."""
    if asked.model == "harsh":
        return Reply(text="Verdict: [[INCORRECT]]")
    if asked.model == "odd-1" and any(f"term {n}?" in asked.prompt for n in (2, 4, 6)):
        return Reply(text="Who can say.")
    return ScriptedJudge(truth=TRUTH)(asked)


def test_a_jury_is_the_majority_of_its_judges_and_none_of_them_judges_itself(tmp_path: Path):
    study = study_to_judge(tmp_path / "study")
    own = SystemSpec(name="odd", model="x/odd-1", provider="x")
    says(study, own, {"q1": "It takes 5 days, says odd."})
    wanted = request(judges=JURORS, jury="three")
    with served(jurors):
        report = judge_study(study, wanted)
    found = verdicts(study, "judge/jury-three/single/human/A")
    # Fair and odd find odd terms of both right, harsh does not.
    assert [found["beta", f"q{n}"]["label"] for n in (1, 3, 5)] == ["CORRECT"] * 3
    # On even terms one judge is not read: alpha's are one to one, beta's two to nothing.
    assert (found["alpha", "q2"]["status"], found["alpha", "q2"]["reason"]) == (
        "unparsed",
        "votes are tied 1 to 1",
    )
    assert found["beta", "q2"]["label"] == "INCORRECT"
    assert "jury:2-0-1" in found["beta", "q2"]["flags"]
    # On its own answer odd has no vote.
    assert "jurors_left_out:1" in found["odd", "q1"]["flags"]
    assert found["odd", "q1"]["reason"] == "votes are tied 1 to 1"
    jury = report.judged[-1]
    assert jury.scorer_id == "judge/jury-three/single/human/A"
    assert jury.judge.model == "fair, harsh, odd-1"
    assert report.judged[2].judge.own == ("odd",)
    assert check(study).problems == ()
