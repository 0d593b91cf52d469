"""People and copies of their labels, from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import run
from finassay.study import Study
from finassay.study.labels import Label, LabelStore
from finassay.study.people import People
from study_samples import SYSTEM, small_study


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return small_study(tmp_path / "study").root


def test_the_token_stands_alone_on_stdout_and_leads_to_the_person(study: Path):
    ran = run("people", "add", study, "Ann Smith", "--roles", "label, review")
    assert ran.code == 0
    assert "added Ann Smith (label, review); the token, shown this once:" in ran.err
    with LabelStore.of(Study.open(study)) as store:
        person = People(store).with_token(ran.out.strip())
    assert person is not None
    assert (person.name, person.roles) == ("Ann Smith", ("label", "review"))


def test_people_are_listed_with_what_became_of_them(study: Path):
    assert "nobody yet; add somebody with `finassay people add" in run("people", "list", study).err
    token = run("people", "add", study, "ann").out.strip()
    assert run("people", "revoke", study, "ann").code == 0
    again = run("people", "add", study, "ann", "--roles", "submit")
    listed = run("people", "list", study)
    first, second = listed.out.splitlines()
    assert "ann  label  added" in first
    assert "revoked" in first
    assert "ann  submit  added" in second
    assert "revoked" not in second
    assert token not in listed.out
    assert again.out.strip() not in listed.out


def test_names_and_roles_that_cannot_be_are_usage_errors(study: Path):
    run("people", "add", study, "ann")
    for words, told in (
        (("ann",), "a person named 'ann' already"),
        (("a/b",), "must be printable"),
        (("bob", "--roles", "admin"), "some of label, review, submit, got 'admin'"),
    ):
        ran = run("people", "add", study, *words)
        assert (ran.code, ran.out) == (2, "")
        assert told in ran.err
    assert run("people", "revoke", study, "bob").code == 2


def test_a_store_of_another_study_is_refused_until_it_is_taken_over(study: Path, tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'shared.sqlite'}"
    run("people", "add", study, "ann", "--labels-url", url)
    other = small_study(tmp_path / "other").root
    text = (other / "study.toml").read_text().replace('"small"', '"large"')
    (other / "study.toml").write_text(text)
    ran = run("people", "add", other, "bob", "--labels-url", url)
    assert ran.code == 4
    assert "serves the study 'small (made" in ran.err
    assert run("study", "backup-labels", study, tmp_path / "c", "--labels-url", url).code == 0
    assert run("study", "restore-labels", other, tmp_path / "c").code == 0
    assert run("people", "list", other).out.startswith("ann  label")


def test_the_url_of_labels_may_stand_in_the_environment(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("FINASSAY_LABELS_URL", f"sqlite:///{tmp_path / 'elsewhere.sqlite'}")
    assert run("people", "add", study, "ann").code == 0
    assert not (study / "labels.sqlite").exists()
    assert run("people", "list", study).out.startswith("ann")


def test_labels_are_copied_and_come_back(study: Path, tmp_path: Path):
    with LabelStore.of(Study.open(study)) as store:
        key = {"annotator": "ann", "item_id": "00", "system_id": SYSTEM.system_id}
        store.record(Label(**key, label="correct", value=1.0))
        history = store.history()
    copy = tmp_path / "copy.sqlite"
    ran = run("study", "backup-labels", study, copy)
    assert ran.code == 0
    assert ran.out.splitlines()[0].startswith("rows: labels 1, people 0")
    assert run("study", "backup-labels", study, copy).code == 2
    assert run("study", "backup-labels", study, copy, "--overwrite").code == 0
    full = run("study", "restore-labels", study, copy)
    assert full.code == 2
    assert "is not empty (labels: 1)" in full.err
    for path in study.glob("labels.sqlite*"):
        path.unlink()
    assert run("study", "restore-labels", study, copy).code == 0
    with LabelStore.of(Study.open(study)) as store:
        assert store.history() == history


def test_redaction_reaches_a_store_that_is_elsewhere(study: Path, tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"
    with LabelStore(url) as store:
        key = {"annotator": "ann", "item_id": "00", "system_id": SYSTEM.system_id}
        store.record(Label(**key, label="correct", value=1.0, note="Jane Doe said so"))
        People(store).add("Jane Roe")
    ran = run("study", "redact", study, "--pattern", "Jane", "--labels-url", url, "--yes")
    assert ran.code == 0
    with LabelStore(url) as store:
        assert store.history()[0].label.note == "[redacted] Doe said so"
        assert People(store).listed()[0].name == "Jane Roe"
