import json
import math
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from finassay.records import Item
from finassay.runs.importers.logs.report import LogsReport
from finassay.study import Study
from inspect_logs import archive, document, header, repacked, sample
from logs_in_studies import answers, bad_lines, bring, verdicts


class Landed(NamedTuple):
    study: Study
    report: LogsReport


FINISHES = {"stop": "stop", "max_tokens": "truncated", "content_filter": "blocked"}
VALUES = {"C": 1.0, "P": 0.5, "I": 0.0}


@pytest.fixture(scope="session")
def written(inspect_logs: Path) -> Path:
    return next((inspect_logs / "eval").iterdir())


@pytest.fixture(scope="session")
def told(inspect_logs: Path) -> dict:
    """What the tool's own reader says of the log."""
    return json.loads((inspect_logs / "told.json").read_text())


@pytest.fixture(scope="session")
def landed(written: Path, tmp_path_factory: pytest.TempPathFactory) -> Landed:
    """The written log in a study of its own, which no test writes to."""
    made = Study.create(tmp_path_factory.mktemp("landed") / "study")
    return Landed(made, bring(made, written))


def key(one: dict) -> tuple[str, int]:
    identity = f"arithmetic/{one['id']}" if isinstance(one["id"], int) else one["id"]
    return identity, one["epoch"] - 1


def test_every_sample_of_a_written_log_is_a_prediction_with_the_tools_text(
    landed: Landed, told: dict
):
    expected = {key(one): one["output"]["completion"] for one in told["samples"]}
    assert answers(landed.study) == expected
    assert len(expected) == 12


def test_the_end_of_a_reply_is_what_the_tool_logged(landed: Landed, told: dict):
    expected = {}
    for one in told["samples"]:
        choices = one["output"]["choices"]
        word = FINISHES[choices[0]["stop_reason"]] if choices else "error"
        is_silent = word == "stop" and not one["output"]["completion"]
        expected[key(one)] = "empty" if is_silent else word
    assert answers(landed.study, "finish") == expected
    assert set(expected.values()) == {"stop", "truncated", "blocked", "empty", "error"}


def test_reasoning_stands_apart_from_the_text(landed: Landed):
    assert answers(landed.study, "reasoning")["arithmetic/2", 0] == "two and two"
    assert answers(landed.study)["arithmetic/2", 0] == "It is 4"


def test_tokens_of_the_cache_count_as_input(landed: Landed):
    assert answers(landed.study, "tokens_in")["arithmetic/1", 0] == 7 + 3
    assert answers(landed.study, "tokens_out")["arithmetic/1", 0] == 5


@pytest.mark.parametrize("scorer", ["match", "includes", "grader"])
def test_verdicts_are_the_tools_own(landed: Landed, told: dict, scorer: str):
    expected = {
        key(one): VALUES.get(one["scores"][scorer]["value"])
        for one in told["samples"]
        if one["scores"]
    }
    assert verdicts(landed.study, f"inspect/{scorer}") == expected
    assert len(expected) == 10


def test_an_unscored_sample_says_why(landed: Landed):
    reasons = verdicts(landed.study, "inspect/grader", "reason")
    assert reasons["five", 0] == "grader_failed"
    assert verdicts(landed.study, "inspect/grader", "status")["five", 0] == "unparsed"


def test_a_score_of_several_parts_is_a_scorer_for_each(landed: Landed):
    assert set(verdicts(landed.study, "inspect/rubric/style").values()) == {0.25}
    assert set(verdicts(landed.study, "inspect/rubric/facts", "status").values()) == {"unparsed"}


def test_both_conventions_stand_beside_the_score_that_the_tool_printed(landed: Landed, told: dict):
    grader = next(
        one for one in landed.report.conventions if one.scorer == "imported/inspect/grader"
    )
    printed = next(one for one in told["results"]["scores"] if one["name"] == "grader")
    assert (grader.n, grader.scored, grader.silent) == (10, 6, 2)
    assert grader.excluded == pytest.approx((2 * 1.0 + 4 * 0.5) / 6)
    assert grader.wrong == pytest.approx((2 * 1.0 + 4 * 0.5) / 10)
    assert grader.reported == pytest.approx(printed["metrics"]["accuracy"]["value"])
    assert grader.why == (("grader_failed", 4),)


def test_printed_scores_are_reported_rows(landed: Landed):
    rows = landed.study.snapshot().frame("reported")
    own = rows.filter(rows["column"] == "imported/inspect/match:arithmetic")
    assert own["value"].to_list() == [pytest.approx(0.4)]
    assert own["row"].to_list() == ["mockllm/model"]


def test_items_carry_every_accepted_answer(landed: Landed):
    items = {item.item_id: item for item in landed.study.snapshot().items()}
    assert set(items) == {*(f"arithmetic/{n}" for n in (1, 2, 3, 4)), "five", "six"}
    assert items["arithmetic/2"].reference == "4"
    assert items["arithmetic/2"].alternatives == ("four",)
    assert items["five"].benchmark == "arithmetic"
    assert items["five"].question == "This one is silent"


def test_importing_a_log_again_changes_nothing(study: Study, written: Path):
    assert bring(study, written).is_changed
    assert not bring(study, written).is_changed


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, 93])
def test_the_packing_of_an_archive_says_nothing_about_its_content(
    tmp_path: Path, landed: Landed, written: Path, method: int
):
    other = Study.create(tmp_path / "other")
    bring(other, repacked(written, tmp_path / "other.eval", method))

    assert answers(other) == answers(landed.study)
    assert verdicts(other, "inspect/match") == verdicts(landed.study, "inspect/match")


def test_a_log_of_chunked_samples_holds_the_same(
    tmp_path: Path, landed: Landed, inspect_logs: Path
):
    other = Study.create(tmp_path / "other")
    bring(other, inspect_logs / "chunked")

    assert answers(other) == answers(landed.study)
    assert verdicts(other, "inspect/grader") == verdicts(landed.study, "inspect/grader")


def test_the_json_document_of_a_run_holds_the_same(
    tmp_path: Path, landed: Landed, inspect_logs: Path
):
    other = Study.create(tmp_path / "other")
    bring(other, inspect_logs / "json")

    for column in ("text", "reasoning", "finish", "tokens_in", "tokens_out"):
        assert answers(other, column) == answers(landed.study, column)
    assert verdicts(other, "inspect/grader") == verdicts(landed.study, "inspect/grader")


def test_a_document_on_one_line_is_read_like_an_indented_one(
    tmp_path: Path, landed: Landed, inspect_logs: Path
):
    whole = json.loads(next((inspect_logs / "json").iterdir()).read_text())
    (tmp_path / "one.json").write_text(json.dumps(whole))
    other = Study.create(tmp_path / "other")
    report = bring(other, tmp_path / "one.json")

    assert report.sources[0].tool == "inspect"
    assert answers(other) == answers(landed.study)


def test_another_log_of_the_same_answers_is_not_counted_twice(study: Study, inspect_logs: Path):
    report = bring(study, inspect_logs / "eval", inspect_logs / "json")

    assert len(answers(study)) == 12
    assert [one.imported for one in report.systems] == [12, 0]
    assert "not imported again" in report.notes[0]


def test_a_further_run_of_the_same_system_makes_further_trials(tmp_path: Path, study: Study):
    archive(tmp_path / "one.eval", [sample("a"), sample("a", 2)], header())
    other = sample("a", output={"completion": "5"}, scores={"match": {"value": "I"}})
    archive(tmp_path / "two.eval", [other], header(task_id="T2"))
    bring(study, tmp_path)

    assert answers(study) == {("a", 0): "It is 4", ("a", 1): "It is 4", ("a", 2): "5"}
    assert verdicts(study, "inspect/match")["a", 2] == 0.0
    assert not bring(study, tmp_path / "two.eval").is_changed
    assert not bring(study, tmp_path / "one.eval").is_changed


def test_a_run_that_was_taken_up_again_replaces_its_errors(tmp_path: Path, study: Study):
    failed = sample("a", error={"message": "429"}, output={"choices": []}, scores={})
    archive(tmp_path / "1.eval", [failed, sample("b")], header(eval_id="E1"))
    archive(tmp_path / "2.eval", [sample("a"), sample("b")], header(eval_id="E2"))
    report = bring(study, tmp_path)

    assert answers(study, "finish") == {("a", 0): "stop", ("b", 0): "stop"}
    assert report.systems[0].duplicates == 2


def test_two_configurations_of_one_model_are_two_systems(tmp_path: Path, study: Study):
    archive(tmp_path / "1.eval", [sample()], header())
    warm = header(task_id="T2", model_generate_config={"temperature": 1.0, "max_tokens": 9})
    archive(tmp_path / "2.eval", [sample()], warm)
    bring(study, tmp_path)

    systems = {spec.name: spec for spec in study.snapshot().systems()}
    assert set(systems) == {"openai/small", "openai/small (temperature=1.0, max_tokens=9)"}
    assert systems["openai/small (temperature=1.0, max_tokens=9)"].budget == "9"


def test_how_requests_were_sent_does_not_make_another_system(tmp_path: Path, study: Study):
    archive(tmp_path / "1.eval", [sample("a")], header())
    patient = {"temperature": 0.0, "max_retries": 9, "timeout": 60, "max_connections": 4}
    head = header(task_id="T2", task="other", model_generate_config=patient)
    archive(tmp_path / "2.eval", [sample("b")], head)
    bring(study, tmp_path)

    assert [spec.name for spec in study.snapshot().systems()] == ["openai/small"]


def test_items_that_the_study_holds_are_matched_and_stay(tmp_path: Path, study: Study):
    held = Item(item_id="a", benchmark="mine", question="Own words", reference="4", family="f")
    study.add_items([held], benchmark="mine")
    asked = sample("a", input="Answer briefly. Own words")
    bring(study, archive(tmp_path / "1.eval", [asked], header()))

    assert [item.question for item in study.snapshot().items()] == ["Own words"]
    assert set(answers(study)) == {("a", 0)}


def test_an_id_of_another_item_is_qualified_by_the_task(tmp_path: Path, study: Study):
    held = Item(item_id="a", benchmark="mine", question="Another", reference="Delhi")
    study.add_items([held], benchmark="mine")
    bring(study, archive(tmp_path / "1.eval", [sample("a")], header()))

    assert set(answers(study)) == {("sums/a", 0)}


def test_a_bare_index_is_matched_in_the_benchmark_that_was_named(tmp_path: Path, study: Study):
    study.add_items([Item(item_id="0", question="q", reference="4")], benchmark="mine")
    bring(study, archive(tmp_path / "1.eval", [sample(0)], header()), benchmark="mine")

    assert set(answers(study)) == {("0", 0)}


def test_a_crashed_run_without_header_is_read_from_its_journal(tmp_path: Path, study: Study):
    report = bring(study, archive(tmp_path / "crashed.eval", [sample("a"), sample("b")]))

    assert set(answers(study)) == {("a", 0), ("b", 0)}
    assert "the run did not end" in report.sources[0].notes[0]
    assert report.reported == 0


def test_samples_of_releases_before_scores_had_names_are_read(tmp_path: Path, study: Study):
    old = sample("a", transcript={"events": []}, score={"value": "C", "answer": "4"})
    del old["scores"]
    head = {
        **header(),
        "version": 1,
        "results": {"scorer": {"name": "match"}, "metrics": {"accuracy": {"value": 1.0}}},
    }
    report = bring(study, document(tmp_path / "old.json", [old], head))

    assert verdicts(study, "inspect/match") == {("a", 0): 1.0}
    assert report.conventions[0].reported == 1.0


def test_an_old_reason_in_the_metadata_is_the_reason(tmp_path: Path, study: Study):
    score = {"value": math.nan, "metadata": {"unscored_reason": "grade_parse_failure"}}
    bring(study, archive(tmp_path / "1.eval", [sample(scores={"judge": score})], header()))

    assert verdicts(study, "inspect/judge", "reason") == {("a", 0): "grade_parse_failure"}


@pytest.mark.parametrize("value", [None, math.nan, math.inf, -math.inf, "off the menu", [], {}])
def test_a_value_that_is_no_share_is_never_a_score(tmp_path: Path, study: Study, value: object):
    bring(study, archive(tmp_path / "1.eval", [sample(scores={"s": {"value": value}})], header()))

    assert set(answers(study)) == {("a", 0)}
    assert not any(one == 0.0 for one in verdicts(study, "inspect/s").values())


def test_a_score_beyond_one_is_kept_as_a_label(tmp_path: Path, study: Study):
    bring(study, archive(tmp_path / "1.eval", [sample(scores={"s": {"value": 7}})], header()))

    assert verdicts(study, "inspect/s", "label") == {("a", 0): "7"}
    assert verdicts(study, "inspect/s", "status") == {("a", 0): "not_applicable"}


def test_a_header_whose_metric_is_null_is_read(tmp_path: Path, study: Study):
    scores = [{"name": "match", "scorer": "match", "metrics": {"accuracy": {"value": None}}}]
    head = {**header(), "results": {"scores": scores}}
    report = bring(study, archive(tmp_path / "1.eval", [sample()], head))

    assert report.conventions[0].reported is None
    assert report.conventions[0].excluded == 1.0


def test_choices_that_are_missing_do_no_harm(tmp_path: Path, study: Study):
    empty = {"model": "m", "choices": [], "completion": ""}
    bring(study, archive(tmp_path / "1.eval", [sample(output=empty, scores=None)], header()))

    assert answers(study, "finish") == {("a", 0): "empty"}


def test_a_sample_that_ran_into_a_limit_is_truncated(tmp_path: Path, study: Study):
    cut = sample(limit={"type": "token", "limit": 10})
    bring(study, archive(tmp_path / "1.eval", [cut], header()))

    assert answers(study, "finish") == {("a", 0): "truncated"}
    assert list(answers(study, "flags")["a", 0]) == ["limit:token"]


def test_an_epoch_that_stands_twice_is_kept_once_and_the_other_listed(tmp_path: Path, study: Study):
    other = sample("a", output={"completion": "5"})
    report = bring(
        study, document(tmp_path / "1.json", [sample("a"), sample("a"), other, sample("b")])
    )

    assert answers(study) == {("a", 0): "It is 4", ("b", 0): "It is 4"}
    assert "1.json:3: another answer to item 'a' in trial 0" in bad_lines(report)[0]
    assert report.systems[0].duplicates == 1


def test_half_an_archive_is_listed_and_gives_its_whole_samples(
    tmp_path: Path, study: Study, landed: Landed, written: Path
):
    half = tmp_path / "half.eval"
    half.write_bytes(written.read_bytes()[: written.stat().st_size // 2])
    report = bring(study, half)

    assert "half.eval:0: archive: the archive is cut or damaged" in bad_lines(report)[0]
    found = answers(study)
    assert 0 < len(found) < 12
    assert found.items() <= answers(landed.study).items()


def test_an_archive_of_which_nothing_is_left_is_listed(tmp_path: Path, study: Study, written: Path):
    (tmp_path / "1.eval").write_bytes(written.read_bytes()[:60])
    (tmp_path / "2.eval").write_bytes(b"")
    report = bring(study, tmp_path, tool="inspect")

    assert [row.partition(": ")[0] for row in bad_lines(report)] == ["1.eval:0", "2.eval:0"]


def test_half_a_document_gives_its_whole_samples(tmp_path: Path, study: Study):
    whole = document(tmp_path / "1.json", [sample(name) for name in "abcdefgh"]).read_text()
    (tmp_path / "1.json").write_text(whole[: len(whole) * 2 // 3])
    report = bring(study, tmp_path / "1.json")

    assert 3 <= len(answers(study)) <= 6
    assert len(bad_lines(report)) == 1


def test_one_damaged_sample_is_listed_and_the_others_come_in(tmp_path: Path, study: Study):
    path = archive(tmp_path / "1.eval", [sample("a"), sample("b")], header())
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr("samples/c_epoch_1.json", '{"id": "c", "epoch": 1, "inp')
        packed.writestr("samples/d_epoch_1.json", "[1, 2]")
        packed.writestr("samples/e_epoch_1.json", b"\xff\xfe\x00")
        packed.writestr("samples/f_epoch_1.json", json.dumps(sample({"no": "id"}) | {"epoch": 1}))
    report = bring(study, path)

    assert set(answers(study)) == {("a", 0), ("b", 0)}
    assert report.bad == 4


def test_an_entry_that_would_unpack_to_more_than_any_sample_is_not_unpacked(
    tmp_path: Path, study: Study
):
    path = archive(tmp_path / "1.eval", [sample("a")], header())
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        packed.writestr("samples/bomb_epoch_1.json", b" " * (64 << 20))
    report = bring(study, path)

    assert set(answers(study)) == {("a", 0)}
    assert "which no sample has" in bad_lines(report)[0]


def test_a_log_is_known_by_its_content_and_not_by_its_name(
    tmp_path: Path, study: Study, written: Path
):
    (tmp_path / "anything.bin").write_bytes(written.read_bytes())
    report = bring(study, tmp_path / "anything.bin")

    assert [source.tool for source in report.sources] == ["inspect"]


def test_a_secret_of_the_configuration_stays_out_of_the_study(tmp_path: Path, study: Study):
    private = {"api_key": "sk-1", "base_url": "http://inner", "revision": "abc"}
    bring(study, archive(tmp_path / "1.eval", [sample()], header(model_args=private)))

    (spec,) = study.snapshot().systems()
    assert dict(spec.decoding) == {"temperature": "0.0", "model_args.revision": "abc"}
