"""Run folders of HELM: what is read into which column."""

import json
from pathlib import Path

import pytest

import harness_logs
from finassay.runs.importers.logs._lm_eval_fields import FROM_LOGPROBS
from finassay.runs.importers.logs.candidates import Candidate
from finassay.runs.importers.logs.helm import part_of
from finassay.study import Study
from logs_in_studies import answers, bad_lines, bring, new_study, verdicts

TASK = "rates:subject=repo"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("helm")
    study = new_study(folder)
    bring(study, harness_logs.helm().write(folder / "log"))
    return study


def _perturbed(study: Study) -> str:
    (found,) = [item_id for item_id, _ in answers(study) if "~" in item_id]
    return found


def test_the_reply_and_its_fate_are_kept_whole(filled: Study):
    assert answers(filled)[f"{TASK}/id1", 0] == " 6.50%"
    finishes = answers(filled, "finish")
    assert finishes[f"{TASK}/id1", 0] == "stop"
    assert finishes[f"{TASK}/id2", 0] == "truncated"
    assert finishes[f"{TASK}/id3", 0] == "error"
    assert finishes[_perturbed(filled), 0] == "stop", "endoftext is an end of its own accord"


def test_entries_of_one_instance_are_merged(filled: Study):
    assert verdicts(filled, "helm/exact_match")[f"{TASK}/id1", 0] == 1.0
    assert answers(filled, "tokens_in")[f"{TASK}/id1", 0] == 12
    assert answers(filled, "tokens_out")[f"{TASK}/id1", 0] == 4
    assert answers(filled, "tokens_out")[f"{TASK}/id2", 0] == 3, "without a statistic, the tokens"


def test_a_perturbed_instance_is_an_item_of_its_own(study: Study, tmp_path: Path):
    report = bring(study, harness_logs.helm().write(tmp_path / "log"))
    twin = _perturbed(study)
    assert verdicts(study, "helm/exact_match")[twin, 0] == 0.0
    items = {item.item_id: item for item in study.snapshot().items()}
    assert items[twin].question == "What is teh repo rate?"
    assert items[twin].benchmark != items[f"{TASK}/id1"].benchmark
    scores = {(one.task, one.scorer): one for one in report.conventions}
    own = scores[TASK, "imported/helm/exact_match"]
    assert (own.n, own.excluded, own.reported) == (3, pytest.approx(1 / 3), pytest.approx(1 / 3))


def test_statistics_that_are_no_shares_are_no_verdicts(study: Study, tmp_path: Path):
    report = bring(study, harness_logs.helm().write(tmp_path / "log"))
    scorers = set(study.snapshot().frame("verdicts")["scorer_id"])
    assert scorers == {"imported/helm/exact_match", "imported/helm/quasi_exact_match"}
    assert any("'ratio' has 1 value outside" in note for note in report.sources[0].notes)


def test_the_configuration_is_the_system(filled: Study):
    (spec,) = filled.snapshot().systems()
    assert (spec.model, spec.budget, spec.stop) == ("acme/bank-1", "50", ("\n",))
    assert ("temperature", "0.0") in spec.decoding
    assert spec.prompt_arm == "generation, 2 shots"


def test_the_options_come_from_the_references(filled: Study):
    item = next(one for one in filled.snapshot().items() if one.item_id == f"{TASK}/id1")
    assert (item.reference, item.choices) == ("6.50%", ("6.50%", "9%"))


def test_the_compact_files_give_the_letter_and_the_option(study: Study, tmp_path: Path):
    bring(study, harness_logs.helm_compact().write(tmp_path / "log"))
    assert answers(study)[f"{TASK}/id1", 0] == " B"
    assert answers(study, "tool_extracted")[f"{TASK}/id1", 0] == "6.50%"
    assert answers(study, "reasoning")[f"{TASK}/id1", 0] == "B says 6.50%"
    assert answers(study, "finish")[f"{TASK}/id2", 0] == "truncated"


def test_of_one_request_for_each_option_the_chosen_one_is_the_answer(study: Study, tmp_path: Path):
    bring(study, harness_logs.helm_separate().write(tmp_path / "log"))
    frame = study.snapshot().frame("predictions")
    assert frame["text"].to_list() == ["9%"]
    assert frame["flags"].to_list() == [[FROM_LOGPROBS]]


def test_without_the_chosen_option_no_answer_is_guessed(study: Study, tmp_path: Path):
    log = harness_logs.helm_separate().copy()
    (name,) = [one for one in log.documents if one.endswith("per_instance_stats.json")]
    report = bring(study, log.write(tmp_path / "log"), tool=None)
    (tmp_path / "log" / name).unlink()
    again = bring(Study.create(tmp_path / "other"), tmp_path / "log")
    assert report.bad == 0
    assert len(bad_lines(again)) == 2
    assert all("predicted_index" in line for line in bad_lines(again))


def test_other_arrays_with_a_name_and_a_count_are_no_statistics(tmp_path: Path):
    path = tmp_path / "shop.json"
    path.write_text(json.dumps([{"name": "bread", "count": 2}]), encoding="utf-8")
    assert part_of(Candidate(path)) is None
