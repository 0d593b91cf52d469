import gzip
import json
import math
from pathlib import Path
from typing import NamedTuple

import pytest

from finassay.runs.importers.logs.report import LogsReport
from finassay.study import Study
from lm_eval_logs import DATE, choice, line, results, run
from logs_in_studies import answers, bad_lines, bring, verdicts

DOCS = 4


class Landed(NamedTuple):
    study: Study
    report: LogsReport
    lines: dict[str, list[dict]]
    printed: dict[str, dict]


@pytest.fixture(scope="session")
def landed(lm_eval_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Landed:
    """The written logs in a study of their own, with the lines and results as JSON."""
    made = Study.create(tmp_path_factory.mktemp("landed") / "study")
    out = lm_eval_logs / "out"
    lines = {
        task: [
            json.loads(one)
            for path in out.rglob(f"samples_{task}_*.jsonl")
            for one in path.read_text(encoding="utf-8").rstrip("\n").split("\n")
        ]
        for task in ("toy_gen", "toy_mc")
    }
    told = json.loads(next(out.rglob("results_*.json")).read_text(encoding="utf-8"))
    return Landed(made, bring(made, out), lines, told["results"])


def test_lines_for_each_filter_are_one_answer(landed: Landed):
    own = [key for key in answers(landed.study) if key[0].startswith("toy_gen/")]

    assert len(landed.lines["toy_gen"]) == DOCS * 2
    assert sorted(own) == [(f"toy_gen/{n}", trial) for n in range(DOCS) for trial in (0, 1)]


def test_every_repeat_of_a_generation_is_a_trial(landed: Landed):
    found = answers(landed.study)
    for one in landed.lines["toy_gen"]:
        for trial, text in enumerate(one["resps"][0]):
            assert found[f"toy_gen/{one['doc_id']}", trial] == text


@pytest.mark.parametrize("name", ["strict-match", "flexible-extract"])
def test_each_filter_is_a_scorer_with_the_tools_verdicts(landed: Landed, name: str):
    own = [one for one in landed.lines["toy_gen"] if one["filter"] == name]
    found = verdicts(landed.study, f"lm-eval/exact_match/{name}")

    assert len(own) == len(found) == DOCS
    for one in own:
        failed = one["filtered_resps"] == ["[invalid]"]
        assert found[f"toy_gen/{one['doc_id']}", 0] == (None if failed else one["exact_match"])


def test_an_answer_that_no_filter_found_is_unparsed_and_no_text_of_the_model(landed: Landed):
    strict = verdicts(landed.study, "lm-eval/exact_match/strict-match", "status")

    assert set(strict.values()) == {"unparsed"}
    assert "[invalid]" not in answers(landed.study).values()
    assert "[invalid]" not in answers(landed.study, "tool_extracted").values()
    assert set(verdicts(landed.study, "lm-eval/exact_match/flexible-extract", "extracted")) == {
        (f"toy_gen/{n}", 0) for n in range(DOCS)
    }


def test_the_option_of_the_greatest_log_likelihood_is_the_answer(landed: Landed):
    found = answers(landed.study)
    for one in landed.lines["toy_mc"]:
        values = [float(resp[0][0]) for resp in one["resps"]]
        best = values.index(max(values))
        assert found[f"toy_mc/{one['doc_id']}", 0] == ["A one", "B two"][best]


def test_the_target_of_a_choice_is_the_text_of_the_option(landed: Landed):
    items = {item.item_id: item for item in landed.study.snapshot().items()}

    for n in range(DOCS):
        assert items[f"toy_mc/{n}"].reference == ["A one", "B two"][n % 2]
        assert items[f"toy_mc/{n}"].choices == ("A one", "B two")
        assert items[f"toy_gen/{n}"].reference == str(2 * n)


def test_a_line_separator_within_a_text_does_not_end_a_line(landed: Landed):
    items = {item.item_id: item for item in landed.study.snapshot().items()}

    assert items["toy_gen/0"].question == "What is 0+0?\u2028Say it"
    assert landed.report.bad == 0


def test_accuracy_is_what_the_tool_printed(landed: Landed):
    (score,) = (
        one for one in landed.report.conventions if one.scorer == "imported/lm-eval/acc/none"
    )

    assert score.reported == landed.printed["toy_mc"]["acc,none"]
    assert score.excluded == pytest.approx(score.reported)


def test_a_metric_of_the_whole_task_is_reported_and_no_verdict(landed: Landed):
    assert set(verdicts(landed.study, "lm-eval/f1/none", "status").values()) == {"not_applicable"}
    rows = landed.study.snapshot().frame("reported")
    own = rows.filter(rows["column"] == "imported/lm-eval/f1/none f1:toy_mc")
    assert own["value"].to_list() == [landed.printed["toy_mc"]["f1,none"]]


def test_importing_again_changes_nothing(landed: Landed, lm_eval_logs: Path):
    assert landed.report.is_changed
    assert not bring(landed.study, lm_eval_logs / "out").is_changed


def test_the_finish_is_not_logged(landed: Landed):
    assert set(answers(landed.study, "finish").values()) == {"not_logged"}


def test_a_filter_without_a_name_is_told_by_the_order_of_the_lines(tmp_path: Path, study: Study):
    lines = [line(0, None), line(1, None), line(0, None, exact_match=0.0), line(1, None)]
    bring(study, run(tmp_path / "logs", lines))

    assert verdicts(study, "lm-eval/exact_match/strict-match") == {
        ("sums/0", 0): 1.0,
        ("sums/1", 0): 1.0,
    }
    assert verdicts(study, "lm-eval/exact_match/flexible-extract") == {
        ("sums/0", 0): 0.0,
        ("sums/1", 0): 1.0,
    }


def test_an_array_of_samples_with_lists_of_arguments_is_read(tmp_path: Path, study: Study):
    old = [
        {
            name: value
            for name, value in line(n, None, arguments=[[f"Q{n}", {"until": []}]]).items()
            if not name.endswith("_hash")
        }
        for n in (0, 1)
    ]
    options = [["Q2", " one"], ["Q2", " two"]]
    old.append(
        {
            **old[0],
            "doc_id": 2,
            "arguments": options,
            "target": "0",
            "resps": [[["-2.0", "False"]], [["-1.0", "True"]]],
        }
    )
    (tmp_path / "pretrained__org__small_sums.jsonl").write_text(json.dumps(old, indent=2))
    told = results()
    del told["date"]
    (tmp_path / "results.json").write_text(json.dumps(told))
    report = bring(study, tmp_path)

    assert answers(study) == {
        ("sums/0", 0): "It is 4",
        ("sums/1", 0): "It is 4",
        ("sums/2", 0): "two",
    }
    assert report.sources[0].files == ("results.json", "pretrained__org__small_sums.jsonl")
    assert [spec.name for spec in study.snapshot().systems()] == ["org/small"]


def test_scores_for_each_repeat_are_verdicts_of_the_trials(tmp_path: Path, study: Study):
    lines = [line(0, "exact", resps=[["4", "5"]], scores_per_repeat={"exact_match": [1.0, 0.0]})]
    bring(study, run(tmp_path / "logs", lines))

    assert verdicts(study, "lm-eval/exact_match/exact") == {("sums/0", 0): 1.0, ("sums/0", 1): 0.0}


@pytest.mark.parametrize("resps", [["text"], [["text"]], "text"])
def test_a_fork_that_nests_one_level_less_keeps_the_whole_text(
    tmp_path: Path, study: Study, resps: object
):
    bring(study, run(tmp_path / "logs", [line(0, resps=resps, filtered_resps="text")]))

    assert answers(study) == {("sums/0", 0): "text"}


def test_all_repeats_are_kept_where_the_filter_took_one(tmp_path: Path, study: Study):
    bring(study, run(tmp_path / "logs", [line(0, resps=[["a", "b", "c"]], filtered_resps=["a"])]))

    assert answers(study) == {("sums/0", 0): "a", ("sums/0", 1): "b", ("sums/0", 2): "c"}
    assert set(verdicts(study, "lm-eval/exact_match/strict-match")) == {("sums/0", 0)}


def test_a_target_that_is_a_list_in_text_is_several_accepted_answers(tmp_path: Path, study: Study):
    bring(study, run(tmp_path / "logs", [line(0, target="['Paris', 'paris']")]))

    (item,) = study.snapshot().items()
    assert (item.reference, item.alternatives) == ("Paris", ("paris",))


def test_log_probabilities_are_numbers_in_text(tmp_path: Path, study: Study):
    bring(study, run(tmp_path / "logs", [choice(0)]))

    assert answers(study) == {("sums/0", 0): "two"}
    assert list(answers(study, "flags")["sums/0", 0]) == ["from_logprobs"]
    assert next(iter(study.snapshot().items())).question == "Which is 0?"


def test_samples_without_results_are_read(tmp_path: Path, study: Study):
    report = bring(study, run(tmp_path / "org__small", [line(0)], {}))

    assert answers(study) == {("sums/0", 0): "It is 4"}
    assert [spec.name for spec in study.snapshot().systems()] == ["org__small"]
    assert report.conventions[0].reported is None


def test_results_without_samples_are_reported_rows(tmp_path: Path, study: Study):
    (tmp_path / "results.json").write_text(json.dumps(results()))
    report = bring(study, tmp_path / "results.json")

    assert report.reported == 3
    rows = study.snapshot().frame("reported")
    assert set(rows["row"]) == {"org/small"}


def test_two_runs_in_one_folder_are_two_sources(tmp_path: Path, study: Study):
    run(tmp_path, [line(0)])
    other = DATE.replace("2026", "2027")
    (tmp_path / f"samples_more_{other}.jsonl").write_text(json.dumps(line(0)) + "\n")
    told = results("more", date=1800000000.0)
    (tmp_path / f"results_{other}.json").write_text(json.dumps(told))
    report = bring(study, tmp_path)

    assert sorted(source.tasks for source in report.sources) == [("more",), ("sums",)]
    assert set(answers(study)) == {("sums/0", 0), ("more/0", 0)}


def test_bad_lines_are_listed_with_their_numbers(tmp_path: Path, study: Study):
    folder = run(tmp_path / "logs", [line(0), line(1)])
    path = folder / f"samples_sums_{DATE}.jsonl"
    good = path.read_bytes()
    damaged = (
        b'{"doc_id": 2, "doc": {"quest\n' + b"\xff\xfe{}\n" + b"[]\n" + b'{"doc_id": null}\n\n'
    )
    path.write_bytes(good + damaged + json.dumps(line(3)).encode())
    report = bring(study, folder)

    assert set(answers(study)) == {("sums/0", 0), ("sums/1", 0), ("sums/3", 0)}
    assert [row.partition(": ")[0] for row in bad_lines(report)] == [
        f"{path.name}:{n}" for n in (3, 4, 5, 6)
    ]


def test_a_score_that_is_not_a_number_is_unscored(tmp_path: Path, study: Study):
    report = bring(study, run(tmp_path / "logs", [line(0, exact_match=math.nan), line(1)]))

    assert verdicts(study, "lm-eval/exact_match/strict-match")["sums/0", 0] is None
    score = report.conventions[0]
    assert (score.n, score.scored, score.excluded, score.wrong) == (2, 1, 1.0, 0.5)


def test_results_that_are_cut_are_listed_and_the_samples_come_in(tmp_path: Path, study: Study):
    folder = run(tmp_path / "logs", [line(0)])
    path = folder / f"results_{DATE}.json"
    path.write_text(path.read_text()[:-200])
    report = bring(study, folder)

    assert set(answers(study)) == {("sums/0", 0)}
    assert bad_lines(report)[0].startswith(f"{path.name}:0: the results:")


def test_packed_lines_are_read(tmp_path: Path, study: Study):
    folder = run(tmp_path / "logs", [line(0)])
    path = folder / f"samples_sums_{DATE}.jsonl"
    with gzip.open(f"{path}.gz", "wb") as packed:
        packed.write(b"\xef\xbb\xbf" + path.read_bytes())
    path.unlink()
    bring(study, folder)

    assert set(answers(study)) == {("sums/0", 0)}


def test_an_id_of_our_own_in_the_document_is_the_items_id(tmp_path: Path, study: Study):
    own = {"item_id": "ifb-007", "question": "What is 0?"}
    lines = [line(0, doc=own), line(0, "flexible-extract", doc=own)]
    bring(study, run(tmp_path / "logs", lines))

    assert answers(study) == {("ifb-007", 0): "It is 4"}
    assert set(verdicts(study, "lm-eval/exact_match/flexible-extract")) == {("ifb-007", 0)}


def test_a_run_whose_arguments_name_no_model_is_named_by_its_kind(tmp_path: Path, study: Study):
    told = results(config={"model": "dummy", "model_args": ""}, model_name="i82qcls7")
    bring(study, run(tmp_path / "i82qcls7", [line(0)], told))

    assert [spec.name for spec in study.snapshot().systems()] == ["dummy"]
