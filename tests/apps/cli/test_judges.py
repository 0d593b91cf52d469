"""The command `judges` on a small study, and the regime of people."""

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner, Result

from finassay.apps.cli.app import app
from finassay.apps.cli.judges import candidates_of
from finassay.errors import MissingVerdictsError, UnknownNameError, UsageError
from finassay.reports.schemas import schema_object
from finassay.reports.workflow import AuditSettings, audit_study
from judged_samples import JUDGE, VERDICTS, copied, put_all, study_at


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return study_at(tmp_path_factory.mktemp("judges") / "study").root


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["judges", *map(str, arguments), "--draws", "200"])


def test_the_json_is_what_its_schema_says(study: Path, tmp_path: Path):
    target = tmp_path / "judges.json"
    done = run(study, "--by", "system", "--json", target)
    assert (done.exit_code, done.exception) == (0, None)
    found = json.loads(target.read_text("utf-8"))
    jsonschema.validate(found, schema_object("judges"))
    assert found["schema"] == "finassay/judges/1"
    judges = {one["identity"]["scorer_id"]: one for one in found["judges"]}
    assert set(judges) == {JUDGE, "judge/alpha/single/none/A", "judge/other"}
    # beta and gamma, 12 replies; i0 of gamma is not settled (one no, two not sure).
    assert judges[JUDGE]["agreement"]["n"] == 11
    assert judges[JUDGE]["n_self_judged"] == 6


def test_the_tables_name_consensus_candidates_and_silence(study: Path):
    output = run(study).output
    assert "Judges beside people, 95% intervals" in output
    assert "Kappa with people on questions that the judge itself answered right" in output
    assert "Errors of judges on their own answers and on those of others" in output
    assert "Systems by the consensus of people (human-consensus)" in output
    # The reply of gamma to i5 is empty, and both arms of alpha credit it.
    assert "Replies without a whole answer that judges mark CORRECT" in output
    assert "gamma i5" in output


def test_credit_for_silence_is_told_by_judge_and_kind(study: Path, tmp_path: Path):
    target = tmp_path / "judges.json"
    assert run(study, "--json", target).exit_code == 0
    told = {
        (one["scorer_id"], one["kind"]): [tuple(pair) for pair in one["items"]]
        for one in json.loads(target.read_text("utf-8"))["silence"]
    }
    none = "judge/alpha/single/none/A"
    assert told == {
        (JUDGE, "empty"): [("gamma", "i5")],
        (JUDGE, "truncated"): [("beta", "i5")],
        (none, "empty"): [("gamma", "i5")],
        (none, "truncated"): [("beta", "i5")],
        (none, "refused"): [("alpha", "i5")],
    }


def test_judges_people_and_own_answers_can_be_chosen(study: Path, tmp_path: Path):
    target = tmp_path / "judges.json"
    options = ("--judge", JUDGE, "--human", "person/a,person/b", "--own-answers", "financial")
    done = run(study, *options, "--json", target)
    assert done.exit_code == 0
    found = json.loads(target.read_text("utf-8"))
    assert found["consensus"]["people"] == ["person/a", "person/b"]
    assert [one["identity"]["scorer_id"] for one in found["judges"]] == [JUDGE]
    assert {one["source_id"] for one in found["conditional"]} == {"financial"}


def test_a_candidate_can_be_declared(study: Path, tmp_path: Path):
    target = tmp_path / "judges.json"
    options = ("--judge", "judge/other", "--candidate", "other=beta")
    assert run(study, *options, "--json", target).exit_code == 0
    (one,) = json.loads(target.read_text("utf-8"))["judges"]
    assert (one["identity"]["candidate"], one["identity"]["candidate_from"]) == ("beta", "declared")


@pytest.mark.parametrize(
    ("options", "kind", "said"),
    [
        (("--judge", "judge/nobody"), UnknownNameError, "no verdicts of a judge 'judge/nobody'"),
        (("--human", "person/nobody"), UnknownNameError, "of a person 'person/nobody'"),
        (("--judge", "person/a"), UnknownNameError, "no verdicts of a judge 'person/a'"),
        (("--human", ","), UsageError, "--human takes ids of people"),
        (("--least", "9"), UsageError, "`least` must be at most 3, the number of people"),
        (("--own-answers", "nothing"), UnknownNameError, "no verdicts of 'nothing'"),
        (("--candidate", "other"), UsageError, "takes JUDGE=SYSTEM"),
        (("--consensus", "loudest"), UsageError, "--consensus must be one of"),
        (("--unreadable", "ignored"), UsageError, "--unreadable must be one of"),
        (("--level", "95"), UsageError, "for 95% pass 0.95"),
        (("--by", "weather"), UsageError, "no item has it"),
    ],
)
def test_what_cannot_be_used_is_refused(
    study: Path, options: tuple[str, ...], kind: type[Exception], said: str
):
    done = run(study, *options)
    assert isinstance(done.exception, kind)
    assert said in str(done.exception)


def test_of_several_equals_signs_the_one_before_a_system_counts():
    assert candidates_of(["judge/=x==2"], ["=2"]) == {"judge/=x": "=2"}
    assert candidates_of(["a=b=c"], ["b=c"]) == {"a": "b=c"}
    assert candidates_of(["a=b"], []) == {"a": "b"}


def test_people_who_settle_nothing_are_not_called_absent(study: Path):
    done = run(study, "--consensus", "unanimous", "--judge", "judge/other", "--least", "3")
    assert done.exit_code == 0
    assert "has a label of people" not in done.output


def test_a_study_without_judges_is_refused(tmp_path: Path):
    study = study_at(tmp_path / "study", {"exact": VERDICTS["exact"]})
    done = run(study.root)
    assert isinstance(done.exception, MissingVerdictsError)
    assert "holds no verdicts of a judge" in str(done.exception)


def test_without_people_the_command_says_not_calibrated(tmp_path: Path):
    made = {name: one for name, one in VERDICTS.items() if not name.startswith("person/")}
    done = run(study_at(tmp_path / "study", made).root)
    assert done.exit_code == 0
    assert "No judge is calibrated" in done.output


def test_the_consensus_is_written_and_becomes_a_regime(study: Path, tmp_path: Path):
    written = copied(study, tmp_path / "study")
    done = run(written.root, "--write-consensus")
    assert "person/consensus: 18 verdicts on 3 systems, 3 changed" in done.output
    again = run(written.root, "--write-consensus")
    assert "18 verdicts on 3 systems, 0 changed" in again.output
    assert "person/a, person/b and person/c" in again.output
    put_all(written, {"stored": VERDICTS["exact"]})
    _, audit = audit_study(written, AuditSettings(scorers=("exact",)))
    assert audit.regimes is not None
    assert [one.regime for one in audit.regimes.regimes] == [
        "strict",
        "judge-only",
        "judge-augmented",
        "human-consensus",
    ]
    people = audit.regimes.regimes[-1]
    assert dict(people.decided_by) == {"open": "person/consensus"}
    scores = {row.system: (row.estimate.total, row.estimate.n_unscored) for row in people.scores}
    assert scores == {"alpha": (3.0, 0), "beta": (2.0, 0), "gamma": (2.0, 1)}


def test_labels_of_a_part_leave_the_other_regimes_whole(study: Path, tmp_path: Path):
    written = copied(study, tmp_path / "study")
    put_all(written, {"stored": VERDICTS["exact"]})
    put_all(written, {"person/consensus": {"alpha": "11...."}})
    _, audit = audit_study(written, AuditSettings(scorers=("exact",)))
    assert audit.regimes is not None
    assert [one.regime for one in audit.regimes.regimes] == [
        "strict",
        "judge-only",
        "judge-augmented",
    ]
    assert audit.regimes.systems == ("alpha", "beta", "gamma")


def test_a_table_of_annotators_and_labels_is_people(tmp_path: Path):
    judges = {name: one for name, one in VERDICTS.items() if not name.startswith("person/")}
    study = study_at(tmp_path / "study", judges)
    rows = ["item_id,system,annotator,label"]
    for name, labels in (("ann", "correct"), ("bob", "correct"), ("cem", "not sure")):
        rows += [f"i{at},beta,{name},{labels}" for at in range(6)]
    table = tmp_path / "labels.csv"
    table.write_text("\n".join([*rows, ""]), encoding="utf-8")
    done = CliRunner().invoke(app, ["import", str(study.root), str(table)])
    assert (done.exit_code, done.exception) == (0, None)
    target = tmp_path / "judges.json"
    assert run(study.root, "--json", target).exit_code == 0
    found = json.loads(target.read_text("utf-8"))["consensus"]
    assert found["people"] == ["person/ann", "person/bob", "person/cem"]
    assert (found["n_labelled"], found["n_one_dissent"], found["n_correct"]) == (6, 6, 6)
