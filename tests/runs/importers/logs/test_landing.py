import json
import warnings
import zipfile
from pathlib import Path

import jsonschema
import pytest

from cli_runs import run
from finassay.errors import BadRowsError
from finassay.reports.schemas import schema_object
from finassay.runs.importers.logs.importing import find_logs, import_logs
from finassay.study import Study
from finassay.study.redact import redact
from inspect_logs import archive, document, header, sample
from logs_in_studies import answers, bring, verdicts


def test_a_strict_import_refuses_a_bad_sample_and_commits_nothing(tmp_path: Path, study: Study):
    path = document(tmp_path / "1.json", [sample("a"), sample(None)])

    with pytest.raises(BadRowsError, match="an id must be a text or a whole number, got None"):
        bring(study, path, strict=True)
    assert answers(study) == {}


def test_a_name_takes_the_place_of_the_logs(tmp_path: Path, study: Study):
    bring(study, document(tmp_path / "1.json", [sample("a")]), name="Ours", kind="baseline")

    (spec,) = study.snapshot().systems()
    assert (spec.name, spec.kind, spec.model) == ("Ours", "baseline", "openai/small")


def test_what_was_redacted_stays_so(tmp_path: Path, study: Study):
    path = document(tmp_path / "1.json", [sample("a")])
    bring(study, path)
    redact(study, pattern="It is 4")
    bring(study, path)

    assert "It is 4" not in answers(study)["a", 0]
    bring(study, path, replace_redacted=True)
    assert answers(study)["a", 0] == "It is 4"


def test_changed_answers_of_a_run_take_the_place_of_the_old(tmp_path: Path, study: Study):
    bring(study, document(tmp_path / "1.json", [sample("a"), sample("b")]))
    other = sample("a", output={"completion": "5"}, scores={"match": {"value": "I"}})
    report = bring(study, document(tmp_path / "1.json", [other]))

    assert report.is_changed
    assert answers(study) == {("a", 0): "5"}
    assert verdicts(study, "inspect/match") == {("a", 0): 0.0}


def test_an_earlier_run_that_comes_later_leaves_the_trials_of_the_held_one(
    tmp_path: Path, study: Study
):
    later = header(task_id="T2", created="2027-01-01T00:00:00+00:00")
    other = sample("a", output={"completion": "5"})
    archive(tmp_path / "2.eval", [other], later)
    bring(study, tmp_path)
    archive(tmp_path / "1.eval", [sample("a")], header())
    bring(study, tmp_path)

    assert answers(study) == {("a", 0): "5", ("a", 1): "It is 4"}


def test_the_words_of_a_judge_are_the_reason_of_its_verdict(tmp_path: Path, study: Study):
    scores = {
        "judge": {"value": "C", "answer": "4", "explanation": "Four is meant. GRADE: C"},
        "match": {"value": "C", "answer": "4", "explanation": "It is 4"},
    }
    bring(study, document(tmp_path / "1.json", [sample("a", scores=scores)]))

    assert verdicts(study, "inspect/judge", "reason") == {("a", 0): "Four is meant. GRADE: C"}
    assert verdicts(study, "inspect/match", "reason") == {("a", 0): ""}


def test_verdicts_of_another_run_of_the_system_stay(tmp_path: Path, study: Study):
    bring(study, archive(tmp_path / "1.eval", [sample("a")], header()))
    bring(study, archive(tmp_path / "2.eval", [sample("b")], header(task_id="T2", task="more")))

    assert verdicts(study, "inspect/match") == {("a", 0): 1.0, ("b", 0): 1.0}


def test_another_verdict_on_the_same_answer_is_listed(tmp_path: Path, study: Study):
    scores = {"match": {"value": "I"}}
    report = bring(study, document(tmp_path / "1.json", [sample("a"), sample("a", scores=scores)]))

    assert verdicts(study, "inspect/match") == {("a", 0): 1.0}
    assert "another verdict of 'imported/inspect/match' on item 'a'" in str(
        report.sources[0].bad_rows[0]
    )


def test_the_last_entry_of_a_name_counts_as_in_any_archive(tmp_path: Path, study: Study):
    path = archive(tmp_path / "1.eval", [sample("a")], header())
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(path, "a") as packed:
        later = sample("a", output={"completion": "5"})
        packed.writestr("samples/a_epoch_1.json", json.dumps(later))
    bring(study, path)

    assert answers(study) == {("a", 0): "5"}


def test_progress_never_goes_back_and_ends_at_the_end(tmp_path: Path, study: Study):
    for n in range(3):
        archive(tmp_path / f"{n}.eval", [sample(f"s{n}")], header(task_id=f"T{n}"))
    seen: list[tuple[int, int | None]] = []
    sources = find_logs([tmp_path]).sources
    import_logs(study, sources, progress=lambda done, total: seen.append((done, total)))

    done = [one for one, _ in seen]
    total = sum(path.stat().st_size for path in tmp_path.glob("*.eval"))
    assert done == sorted(done)
    assert seen[-1] == (total, total)


def test_the_command_prints_what_it_took_a_file_for_and_its_result_as_json(tmp_path: Path):
    logs = tmp_path / "logs"
    logs.mkdir()
    archive(logs / "run.eval", [sample("a")], header())
    (logs / "notes.md").write_text("notes")
    ran = run("import", tmp_path / "study", logs, "--json", "-")

    assert ran.code == 0, ran.err
    assert "run.eval: inspect log, 1 sample" in ran.err
    assert "notes.md: passed over, no known log, and no table" in ran.err
    jsonschema.Draft202012Validator(schema_object("import")).validate(ran.json)
    assert ran.json["logs"]["conventions"][0]["scorer"] == "imported/inspect/match"


def test_the_command_says_which_readers_there_are(tmp_path: Path):
    ran = run("import", tmp_path / "study", tmp_path, "--log-format", "nobody")

    assert ran.code == 2
    assert "inspect, lm-eval" in ran.err
