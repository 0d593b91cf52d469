from pathlib import Path

import pytest

from finassay.study import Study
from lighteval_logs import DATE, MODEL, TASK, new_row, old_row, run
from logs_in_studies import answers, bad_lines, bring, verdicts

ITEM = f"{TASK}/0"


def test_three_structs_are_read(tmp_path: Path, study: Study):
    report = bring(study, run(tmp_path / "logs", [new_row(0), new_row(1)]))

    assert answers(study) == {(f"{TASK}/{n}", 0): "It is 4" for n in (0, 1)}
    assert answers(study, "reasoning")[ITEM, 0] == "two and two"
    assert answers(study, "tool_extracted")[ITEM, 0] == "4"
    assert answers(study, "tokens_in")[ITEM, 0] == 3
    assert answers(study, "tokens_out")[ITEM, 0] == 2
    assert answers(study, "finish")[ITEM, 0] == "not_logged"
    assert verdicts(study, "lighteval/extractive_match") == {
        (f"{TASK}/{n}", 0): 1.0 for n in (0, 1)
    }
    assert len(report.sources) == 1


def test_flat_columns_are_read(tmp_path: Path, study: Study):
    bring(study, run(tmp_path / "logs", [old_row(0), old_row(1)], is_new=False))

    assert answers(study) == {(f"{TASK}/{n}", 0): "It is 4" for n in (0, 1)}
    assert answers(study, "tokens_in")[ITEM, 0] == 3
    assert answers(study, "tokens_out")[ITEM, 0] == 2
    assert verdicts(study, "lighteval/qem")[ITEM, 0] == 1.0
    items = {item.item_id: item for item in study.snapshot().items()}
    assert (items[ITEM].question, items[ITEM].reference) == ("What is 0?", "4")


@pytest.mark.parametrize("is_new", [True, False])
def test_the_model_and_its_settings_are_those_of_the_results(
    tmp_path: Path, study: Study, *, is_new: bool
):
    rows = [new_row(0) if is_new else old_row(0)]
    bring(study, run(tmp_path / "logs", rows, is_new=is_new))

    (spec,) = study.snapshot().systems()
    assert (spec.name, spec.budget, dict(spec.decoding)) == (MODEL, "256", {"temperature": "0.0"})


def test_printed_scores_stand_beside_both_conventions(tmp_path: Path, study: Study):
    unscored = new_row(1, metric={"extractive_match": None})
    report = bring(study, run(tmp_path / "logs", [new_row(0), unscored]))

    (score,) = (one for one in report.conventions if "extractive" in one.scorer)
    assert (score.n, score.scored, score.excluded, score.wrong) == (2, 1, 1.0, 0.5)
    assert score.reported == 0.5


def test_a_column_of_no_type_gives_no_score(tmp_path: Path, study: Study):
    bring(study, run(tmp_path / "logs", [new_row(0)]))

    assert verdicts(study, "lighteval/never_set", "status") == {(ITEM, 0): "unparsed"}


def test_every_sample_of_a_generation_is_a_trial(tmp_path: Path, study: Study):
    several = new_row(0, model_response={"text": ["4", "5"], "output_tokens": [[1], [1, 2]]})
    bring(study, run(tmp_path / "logs", [several]))

    assert answers(study) == {(ITEM, 0): "4", (ITEM, 1): "5"}
    assert answers(study, "tokens_out") == {(ITEM, 0): 1, (ITEM, 1): 2}
    assert set(verdicts(study, "lighteval/extractive_match")) == {(ITEM, 0)}


def test_the_option_of_the_greatest_log_probability_is_the_answer(tmp_path: Path, study: Study):
    row = new_row(
        0,
        doc={"choices": [" A", " B", " C"], "gold_index": [2]},
        model_response={"text": [], "logprobs": [-3.0, -0.5, -1.0], "output_tokens": []},
    )
    bring(study, run(tmp_path / "logs", [row]))

    assert answers(study) == {(ITEM, 0): "B"}
    assert list(answers(study, "flags")[ITEM, 0]) == ["from_logprobs"]
    (item,) = study.snapshot().items()
    assert (item.reference, item.choices) == ("C", ("A", "B", "C"))


def test_logits_of_the_older_layout_name_an_option_too(tmp_path: Path, study: Study):
    row = old_row(
        0,
        predictions=[],
        gold=[],
        choices=["A", "B"],
        gold_index=[0],
        pred_logits=[-0.1, -2.0],
    )
    bring(study, run(tmp_path / "logs", [row], is_new=False))

    assert answers(study) == {(ITEM, 0): "A"}


def test_several_accepted_answers_are_no_choices(tmp_path: Path, study: Study):
    row = new_row(0, doc={"choices": ["Paris", "paris"], "gold_index": [0, 1]})
    bring(study, run(tmp_path / "logs", [row]))

    (item,) = study.snapshot().items()
    assert (item.reference, item.alternatives, item.choices) == ("Paris", ("paris",), ())


def test_a_prompt_that_was_cut_is_flagged(tmp_path: Path, study: Study):
    row = new_row(0, model_response={"truncated_tokens_count": 12})
    bring(study, run(tmp_path / "logs", [row]))

    assert list(answers(study, "flags")[ITEM, 0]) == ["prompt_cut"]


def test_details_without_results_are_read(tmp_path: Path, study: Study):
    bring(study, run(tmp_path / "logs", [new_row(0)], with_results=False))

    assert answers(study) == {(ITEM, 0): "It is 4"}
    assert [spec.name for spec in study.snapshot().systems()] == ["small"]


def test_importing_again_changes_nothing(tmp_path: Path, study: Study):
    folder = run(tmp_path / "logs", [new_row(0)])

    assert bring(study, folder).is_changed
    assert not bring(study, folder).is_changed


def test_half_a_parquet_file_is_listed(tmp_path: Path, study: Study):
    folder = run(tmp_path / "logs", [new_row(n) for n in range(50)])
    path = next(folder.rglob("*.parquet"))
    path.write_bytes(path.read_bytes()[:2000])
    report = bring(study, path, tool="lighteval")

    assert bad_lines(report)[0].startswith(f"details_{TASK}_{DATE}.parquet:0:")
