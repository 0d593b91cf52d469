"""Predictions that somebody hands in: there as a whole or not at all, marked, and once only."""

import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from finassay.errors import UnknownNameError, UsageError
from finassay.marking.scoring import score_study
from finassay.marking.submissions import ledger as kept
from finassay.marking.submissions.carrying_out import carry_out, study_rules
from finassay.marking.submissions.ledger import Ledger
from finassay.marking.submissions.queue import SubmissionQueue
from finassay.marking.submissions.receiving import Upload, confirm, receive, withdraw
from finassay.marking.submissions.records import Submission, SubmissionRequest
from finassay.runs.importers.predictions import import_predictions
from finassay.study import Study
from import_tables import LONG, table, texts, twelve_items


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = twelve_items(tmp_path / "study")
    path = table(tmp_path / "first.csv", replies("no"))
    import_predictions(made, path)
    score_study(made, scorers=("includes", 'exact[normaliser="words"]'))
    return made


def replies(text: str = "", ids: Sequence[int] = range(12)) -> list[dict[str, str]]:
    return [{"id": f"q{n}", "prediction": text or f"{LONG}{n}", "correct": "0"} for n in ids]


def handed_in(
    study: Study,
    rows: list[dict[str, str]],
    *,
    person: str = "ann",
    file: str = "a.csv",
    **said: str,
) -> Submission:
    ledger = Ledger(study.root)
    submission_id = ledger.new_id()
    path = table(ledger.spool(submission_id, ".csv"), rows)
    upload = Upload(submission_id=submission_id, path=path, file=file, person=person)
    request = SubmissionRequest(**{"system": "alpha", **said})
    return receive(study, ledger, upload, request)


def through(study: Study, submission: Submission) -> Submission:
    ledger = Ledger(study.root)
    confirm(study, ledger, submission.submission_id, person=submission.person)
    return carry_out(study, ledger, submission.submission_id)


def values(study: Study, system: str, scorer: str) -> list[float | None]:
    snapshot = study.snapshot()
    ids = {"system_id": snapshot.resolve_system(system), "scorer_id": scorer}
    return snapshot.frame("verdicts", **ids).sort("item_id")["value"].to_list()


def test_nothing_is_in_the_tables_before_its_sender_confirms(study: Study) -> None:
    before = study.snapshot().versions
    found = handed_in(study, replies())
    assert (found.state, found.check.is_clean) == ("checked", True)
    assert study.snapshot().versions == before


def test_a_confirmed_file_is_filed_and_marked_as_the_import_and_the_rules_would(
    study: Study, tmp_path: Path
) -> None:
    found = through(study, handed_in(study, replies(ids=range(10))))
    twin = twelve_items(tmp_path / "twin")
    plain = [{k: v for k, v in row.items() if k != "correct"} for row in replies(ids=range(10))]
    import_predictions(twin, table(tmp_path / "alpha.csv", plain))
    score_study(twin, scorers=study_rules(study.snapshot()))
    assert found.state == "done"
    assert texts(study, "alpha") == texts(twin, "alpha")
    for scorer in ("includes", 'exact[normaliser="words"]'):
        assert values(study, "alpha", scorer) == values(twin, "alpha", scorer) == [1.0] * 10
    assert not Ledger(study.root).files(found.submission_id)


def test_marks_that_a_sender_gives_are_not_read(study: Study) -> None:
    through(study, handed_in(study, [{**row, "correct": "1"} for row in replies("wrong")]))
    system_id = study.snapshot().resolve_system("alpha")
    held = study.snapshot().frame("verdicts", system_id=system_id)
    assert "stored" not in held["scorer_id"].to_list()
    assert values(study, "alpha", "includes") == [0.0] * 12


def test_it_is_kept_who_sent_which_file_and_when(study: Study) -> None:
    found = through(study, handed_in(study, replies(), person="ann"))
    run = study.snapshot().frame("runs", system_id=found.system_id).row(0, named=True)
    assert run["environment"] == f"imported from a.csv (sha256 {found.digest}), submitted by ann"
    assert run["started"] == found.received


def test_the_same_file_again_is_the_same_submission(study: Study) -> None:
    first = through(study, handed_in(study, replies()))
    versions = study.snapshot().versions
    again = handed_in(study, replies())
    assert again == first
    assert through(study, again) == first
    assert study.snapshot().versions == versions


@pytest.mark.parametrize("name", ["first", "FIRST", " first ", "ｆｉｒｓｔ", "fir st"])
def test_a_name_that_another_system_has_or_seems_to_have_is_refused(
    study: Study, name: str
) -> None:
    found = handed_in(study, replies(), system=name)
    assert found.state == "refused"
    assert "the study has a system 'first' already" in found.problem


@pytest.mark.parametrize(
    ("name", "said"),
    [("", "has no name"), ("=1+1", "a spreadsheet computes"), ("a\u202eb", "invisible characters")],
)
def test_a_name_that_cannot_be_shown_as_it_is_is_refused(
    study: Study, name: str, said: str
) -> None:
    found = handed_in(study, replies(), system=name)
    assert found.state == "refused"
    assert said in found.problem


def test_a_refused_file_cannot_be_confirmed_and_is_not_kept(study: Study) -> None:
    found = handed_in(study, [*replies(), {"id": "zz", "prediction": "x", "correct": ""}])
    assert [error.line for error in found.check.errors] == [14]
    assert not Ledger(study.root).files(found.submission_id)
    with pytest.raises(UsageError, match="cannot be confirmed: it is refused"):
        confirm(study, Ledger(study.root), found.submission_id, person="ann")


def test_a_submission_is_its_senders_alone(study: Study) -> None:
    found = handed_in(study, replies(), person="ann")
    with pytest.raises(UnknownNameError, match="no submission"):
        confirm(study, Ledger(study.root), found.submission_id, person="bob")
    with pytest.raises(UnknownNameError, match="no submission"):
        withdraw(Ledger(study.root), found.submission_id, person="bob")


def test_of_two_files_for_one_name_the_first_to_be_confirmed_has_it(study: Study) -> None:
    one, two = handed_in(study, replies()), handed_in(study, replies("other"), person="bob")
    ledger = Ledger(study.root)
    confirm(study, ledger, one.submission_id, person="ann")
    with pytest.raises(UsageError, match="on its way already"):
        confirm(study, ledger, two.submission_id, person="bob")


def test_no_path_comes_from_an_id(study: Study) -> None:
    handed_in(study, replies())
    for name in ("../study", "", "*", "x" * 32, "../" + "0" * 29):
        with pytest.raises(UnknownNameError, match="no submission"):
            Ledger(study.root).get(name)


def test_a_name_of_a_file_is_shown_without_its_folder_or_tricks(study: Study) -> None:
    found = handed_in(study, replies(), file="../../etc/\u202eanswers\x00 1.csv")
    assert found.file == "answers 1.csv"


def test_two_submissions_at_once_are_carried_out_one_after_the_other(study: Study) -> None:
    queue = SubmissionQueue(study)
    sent = [handed_in(study, replies(f"yes {n}"), system=f"s{n}") for n in range(3)]
    for one in sent:
        confirm(study, queue.ledger, one.submission_id, person="ann")
        queue.put(one.submission_id)
    until = time.monotonic() + 30
    while any(queue.ledger.get(one.submission_id).is_on_its_way for one in sent):
        assert time.monotonic() < until
        time.sleep(0.02)
    queue.close()
    done = [queue.ledger.get(one.submission_id) for one in sent]
    assert [one.state for one in done] == ["done"] * 3
    assert [len(texts(study, f"s{n}")) for n in range(3)] == [12] * 3


def test_items_that_went_away_meanwhile_are_an_error_and_nothing_is_filed(study: Study) -> None:
    found = handed_in(study, replies())
    ledger = Ledger(study.root)
    confirm(study, ledger, found.submission_id, person="ann")
    kept_items = [item for item in study.snapshot().items() if item.item_id != "q3"]
    study.add_items(kept_items, benchmark="b")
    done = carry_out(study, ledger, found.submission_id)
    assert done.state == "failed"
    assert "the study has changed since the file was checked" in done.problem
    assert "alpha" not in {spec.name for spec in study.snapshot().systems()}


_KILLED = """
import sys, os, signal
from finassay.study import Study
from finassay.marking.submissions.ledger import Ledger
from finassay.marking.submissions.carrying_out import carry_out
root, submission_id, at = sys.argv[1], sys.argv[2], int(sys.argv[3])
before, n = Study.commit, 0
def commit(self, *a, **k):
    global n
    n += 1
    if n > at:
        os.kill(os.getpid(), signal.SIGKILL)
    return before(self, *a, **k)
Study.commit = commit
study = Study.open(root)
carry_out(study, Ledger(study.root), submission_id)
"""


@pytest.mark.parametrize(
    "at",
    [1, 3, 4, *(pytest.param(at, marks=pytest.mark.full) for at in (0, 2))],
)
def test_a_submission_killed_at_any_commit_is_whole_after_the_next_start(
    study: Study, at: int
) -> None:
    found = handed_in(study, replies())
    ledger = Ledger(study.root)
    confirm(study, ledger, found.submission_id, person="ann")
    command = [sys.executable, "-c", _KILLED, str(study.root), found.submission_id, str(at)]
    assert subprocess.run(command, check=False).returncode == -9
    opened = Study.open(study.root)
    names = {spec.name for spec in opened.snapshot().systems()}
    held = len(texts(opened, "alpha")) if "alpha" in names else 0
    assert held in (0, 12)
    queue = SubmissionQueue(opened)
    queue.start()
    until = time.monotonic() + 30
    while ledger.get(found.submission_id).is_on_its_way:
        assert time.monotonic() < until
        time.sleep(0.02)
    queue.close()
    assert ledger.get(found.submission_id).state == "done"
    assert len(texts(opened, "alpha")) == 12
    assert values(opened, "alpha", "includes") == [1.0] * 12


def test_old_files_that_nobody_confirmed_are_forgotten(study: Study) -> None:
    ledger = Ledger(study.root)
    old = handed_in(study, replies("old"), system="old")
    ledger.write(replace(old, received="2020-01-01T00:00:00+00:00"))
    handed_in(study, replies("new"), system="new")
    assert [one.request.system for one in ledger.all()] == ["new"]
    assert not ledger.files(old.submission_id)


def test_one_person_lets_only_so_many_files_wait(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST_WAITING", 2)
    for n in range(4):
        handed_in(study, replies(f"{n}", ids=[0]), system=f"s{n}")
    assert len(Ledger(study.root).all()) <= 2
