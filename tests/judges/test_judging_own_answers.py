"""A judge that is no candidate is asked itself, and its agreement is split by what it answered."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from finassay.analyses.judges.from_study import judge_inputs
from finassay.analyses.judges.inputs import JudgePlan
from finassay.analyses.judges.reliability import judge_reliability
from finassay.analyses.judges.results import ConditionalAgreement
from finassay.analyses.judges.results_compare import Judges
from finassay.analyses.rank_sets import Resampling
from finassay.judges import Protocol, judge_study
from finassay.marking.view import view_study
from finassay.study import Study
from judged_studies import ALPHA, BETA, ITEMS, request, served, study_to_judge
from reference import judges as slow
from scripted_judge import ScriptedJudge
from study_samples import marks, of_scorer

pytest.importorskip("inspect_ai", reason="the extra `run` is not installed")
pytest.importorskip("openai", reason="the client for OpenAI-compatible servers is not installed")

# Inspect leaves streams of its own event loop to the garbage collector, which warns of them.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

OPEN = ITEMS[:6]
KNOWS = {"q1", "q2", "q3", "q4"}
PERSON = "person/ann"
TRUTH = {item.question: item.reference for item in OPEN if item.reference}


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    """Leave nothing to be collected, and warned of, in the tests of other files."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A judge without a reference knows four of six answers; people labelled every reply."""
    made = study_to_judge(tmp_path_factory.mktemp("own") / "study", items=OPEN)
    _label(made)
    wrong = {item.question: "999 days" for item in OPEN if item.item_id not in KNOWS}
    wanted = request(Protocol(arm="self", votes=1), Protocol(arm="human", votes=1))
    with served(ScriptedJudge(truth=TRUTH, answers=wrong)):
        judge_study(made, wanted)
    return made


def _label(study: Study) -> None:
    study.add_scorer(PERSON, "1", name="ann", spec="{}", package_version="0")
    for spec, wrong in ((ALPHA, set()), (BETA, {"q2", "q4", "q6"})):
        rows = marks(study, PERSON, spec).with_columns(
            value=(~pl.col("item_id").is_in(sorted(wrong))).cast(pl.Float64),
            status=pl.lit("scored"),
        )
        study.commit("verdicts", rows, partition=of_scorer(PERSON, spec))


def found_in(study: Study) -> Judges:
    snapshot = study.snapshot()
    given = judge_inputs(snapshot, view_study(snapshot))
    return judge_reliability(given, JudgePlan(policy="exclude", resampling=Resampling(draws=100)))


def of_arm(found: Judges, arm: str) -> ConditionalAgreement:
    return next(one for one in found.conditional if f"/{arm}/" in one.scorer_id)


def test_a_judge_with_its_own_answers_as_reference_agrees_where_it_answered_right(study: Study):
    found = of_arm(found_in(study), "self")
    # On q5 it rejects two right answers; on q6 it rejects the right one, and takes the wrong one.
    wrong: list[slow.Pair] = [(1, 0), (1, 0), (1, 0), (0, 1)]
    expected = slow.kappa(wrong, "category")
    assert expected is not None
    assert (found.n_right, found.n_wrong, found.n_unknown) == (8, 4, 0)
    assert (found.n_items_right, found.n_items_wrong) == (4, 2)
    assert found.right.value == 1.0
    assert found.wrong.value == pytest.approx(float(expected))
    assert found.difference.figure.value == pytest.approx(1.0 - float(expected))
    assert (found.candidate, found.answers) == ("", "asked")
    assert (found.answered_as, found.source_id) == ("judge-1, answering", "financial")


def test_a_judge_that_is_shown_good_references_agrees_on_both(study: Study):
    found = of_arm(found_in(study), "human")
    assert (found.right.value, found.wrong.value) == (1.0, 1.0)
    assert (found.n_right, found.n_wrong) == (8, 4)


def test_a_reworded_question_has_no_answer_any_more(study: Study):
    before = list(study.snapshot().items())
    reworded = [
        replace(item, question="And the first term?") if item.item_id == "q1" else item
        for item in before
    ]
    study.add_items(reworded, benchmark="terms")
    try:
        found = found_in(study)
    finally:
        study.add_items(before, benchmark="terms")
    stale = [one for one in found.warnings if "no item asks the question in these words" in one]
    assert len(stale) == 1
    assert stale[0].startswith("1 answer of 'judge-1, answering' left out")
    assert of_arm(found, "self").n_items_right == 3


def test_nothing_of_it_is_stored(study: Study, tmp_path: Path):
    before = study.snapshot().versions
    found_in(study)
    assert study.snapshot().versions == before
