"""Judges and people inside an audit, and what the report says of them."""

from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from finassay.analyses.from_study import inputs_from
from finassay.analyses.judges.audited import JudgeEvidence, judge_evidence, with_judges
from finassay.analyses.results import Audit
from finassay.marking.view import view_study
from finassay.reports.html import html
from finassay.reports.json import audit_object, schema
from finassay.reports.latex import latex_tables
from finassay.reports.markdown import markdown
from finassay.reports.outline import outline
from finassay.reports.terminal import terminal
from finassay.reports.workflow import AuditSettings, audit_study
from finassay.study import Study
from judged_samples import JUDGE, VERDICTS, study_at
from sample_audits import made_audit

FEW = AuditSettings(scorers=("exact",), primary="exact")


def evidence_of(study: Study) -> JudgeEvidence:
    snapshot = study.snapshot()
    view = view_study(snapshot)
    return judge_evidence(snapshot, view, inputs_from(view, primary="exact"))


def without(*begins: str) -> dict[str, dict[str, str]]:
    return {name: cells for name, cells in VERDICTS.items() if not name.startswith(begins)}


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    return audit_study(study_at(tmp_path_factory.mktemp("judged") / "study"), FEW)[1]


@pytest.fixture(scope="module")
def no_people(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    study = study_at(tmp_path_factory.mktemp("alone") / "study", without("person/"))
    return audit_study(study, FEW)[1]


def test_the_audit_holds_agreement_and_where_labels_help(audit: Audit):
    assert audit.judges is not None
    assert {one.identity.scorer_id for one in audit.judges.judges} >= {JUDGE, "judge/other"}
    assert audit.judges.consensus is not None
    assert audit.people is None
    assert audit.label_advice is not None
    assert sum(row.suggested for row in audit.label_advice.strata) > 0


def test_a_census_of_labels_gives_scores_that_people_would_give(audit: Audit):
    # every reply to an item was labelled by three people, so the labels are the whole
    assert audit.few_labels is not None
    scores = {row.system: row.by("horvitz-thompson").value for row in audit.few_labels.systems}
    # of beta, people settle all six replies: right on i0 and i3
    assert scores["beta"] == pytest.approx(2 / 6)


def test_people_who_disagree_on_everything_allow_no_scores(tmp_path: Path):
    other = str.maketrans("01u.", "1000")
    said = dict.fromkeys(VERDICTS["person/a"], "101010")
    against = {name: cells.translate(other) for name, cells in said.items()}
    judges = {name: cells for name, cells in VERDICTS.items() if not name.startswith("person/")}
    study = study_at(tmp_path / "study", {**judges, "person/a": said, "person/b": against})
    found = evidence_of(study)
    assert found.scores is None
    titles = [finding.title for finding in with_judges(made_audit(), found).findings]
    assert f"{JUDGE} is not calibrated: people settled no reply that it judged" in titles
    assert "No judge is calibrated: there are no labels of people" not in titles


def test_labels_that_somebody_picked_correct_nothing(tmp_path: Path):
    picked = {
        name: {"beta": cells["beta"]} if name.startswith("person/") else cells
        for name, cells in VERDICTS.items()
    }
    found = evidence_of(study_at(tmp_path / "study", picked))
    assert found.scores is None
    assert found.advice is not None
    made = with_judges(made_audit(), found)
    assert "nothing says how the 6 labelled replies were chosen" in markdown(made)


def test_without_people_the_report_says_not_calibrated_in_every_format(no_people: Audit):
    assert no_people.few_labels is None
    titles = [finding.title for finding in no_people.findings]
    assert "No judge is calibrated: there are no labels of people" in titles
    said = "Not calibrated: the study holds no labels of people"
    assert said in html(no_people)
    assert said in markdown(no_people)
    assert "No judge is calibrated" in terminal(no_people)
    assert "judges" not in outline(no_people).tables
    assert "people labelled nothing" in markdown(no_people)


def test_the_section_stands_before_the_methods_and_its_tables_are_in_latex(audit: Audit):
    rooms = [room.anchor for room in outline(audit).rooms]
    assert rooms[-2:] == ["s-judges", "methods"]
    assert {"judges", "judge-conditional", "corrected-scores", "next-labels"} <= set(
        latex_tables(audit)
    )
    assert 'href="#s-judges"' in html(audit)


def test_the_audit_with_judges_follows_its_schema(audit: Audit, no_people: Audit):
    checker = jsonschema.Draft202012Validator(schema("audit"))
    for one in (audit, no_people):
        checker.validate(audit_object(one))


def test_people_without_a_judge_are_compared_with_the_rule(tmp_path: Path):
    found = evidence_of(study_at(tmp_path / "study", without("judge/")))
    assert found.judges is None
    assert found.people is not None
    assert found.people.raters == ("person/a", "person/b", "person/c", "exact")
    made = with_judges(replace(made_audit(), findings=()), found)
    assert "No judge marked these replies" in html(made)


def test_with_neither_judge_nor_people_there_is_no_section(tmp_path: Path):
    found = evidence_of(study_at(tmp_path / "study", without("judge/", "person/")))
    assert found == JudgeEvidence()
    made = with_judges(made_audit(), found)
    assert all(room.anchor != "s-judges" for room in outline(made).rooms)
