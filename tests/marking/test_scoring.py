import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from finassay.errors import SpecError, UnknownNameError, UsageError
from finassay.marking import scoring
from finassay.marking.scoring import DEFAULT_SCORERS, ScoreReport, score_study
from finassay.marking.single import mark
from finassay.records import AnswerContract, Item, Prediction, SystemSpec
from finassay.scorers.registry import from_spec, load_scorer, scorer_id_of
from finassay.study import Study
from finassay.study.redact import redact
from finassay.study.rows import predictions_frame
from finassay.study.schemas import VERDICTS
from marking_studies import put_replies

ALPHA, BETA = SystemSpec(name="alpha"), SystemSpec(name="beta")
ITEMS = (
    Item(item_id="n1", family="NUM", task="numerical_reasoning", reference="5%"),
    Item(item_id="n2", family="NUM", task="numerical_reasoning", reference="30 days"),
    Item(item_id="c1", family="CON", task="contradiction_detection", reference="Yes"),
)
REPLIES = {
    "alpha": {"n1": "5%", "n2": "Within 30 days.", "c1": "Yes, they differ."},
    "beta": {"n1": "6%", "n2": "", "c1": "No."},
}
RULES = ("strict/numbers-first", "exact", "number_set")


@pytest.fixture(scope="session")
def unmarked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    study = Study.create(tmp_path_factory.mktemp("unmarked") / "study")
    study.add_items(ITEMS, benchmark="demo")
    for spec in (ALPHA, BETA):
        study.add_system(spec)
        put_replies(study, spec, REPLIES[spec.name])
    return study.root


@pytest.fixture
def study(unmarked: Path, tmp_path: Path) -> Study:
    return Study.open(shutil.copytree(unmarked, tmp_path / "study"))


def verdicts(study: Study, spec: SystemSpec = ALPHA, scorer_id: str = RULES[0]) -> pl.DataFrame:
    return study.snapshot().frame("verdicts", system_id=spec.system_id, scorer_id=scorer_id)


def test_every_prediction_gets_the_verdict_that_mark_gives(study: Study):
    report = score_study(study)
    assert report == ScoreReport(
        scorers=DEFAULT_SCORERS,
        systems=("alpha", "beta"),
        marked=6 * len(DEFAULT_SCORERS),
        up_to_date=0,
        without_item=0,
        redacted=0,
    )
    by_id = {item.item_id: item for item in ITEMS}
    for row in study.snapshot().frame("verdicts").iter_rows(named=True):
        name = "alpha" if row["system_id"] == ALPHA.system_id else "beta"
        item = by_id[row["item_id"]]
        expected = mark(
            row["scorer_id"],
            reference=item.reference,
            reply=REPLIES[name][item.item_id],
            task=item.task,
        )
        found = (row["status"], row["value"], row["label"], row["extracted"], row["reason"])
        assert found == (
            expected.status,
            expected.value,
            expected.label,
            expected.extracted,
            expected.reason,
        )


def test_verdicts_carry_the_digests_of_what_was_marked(study: Study):
    score_study(study, scorers=RULES[:1], systems=["alpha"])
    for row in verdicts(study).iter_rows(named=True):
        item = next(item for item in ITEMS if item.item_id == row["item_id"])
        assert row["item_digest"] == item.item_digest
        text = REPLIES["alpha"][item.item_id]
        assert row["text_digest"] == Prediction(text=text).text_digest


def test_a_second_call_marks_nothing(study: Study):
    score_study(study, scorers=RULES)
    before = study.snapshot()
    report = score_study(study, scorers=RULES)
    assert (report.marked, report.up_to_date) == (0, 18)
    assert study.snapshot().versions == before.versions


def test_a_new_scorer_is_marked_beside_the_old(study: Study):
    score_study(study, scorers=RULES[:1])
    report = score_study(study, scorers=RULES)
    assert (report.marked, report.up_to_date) == (12, 6)


def test_a_scorer_named_twice_is_marked_once(study: Study):
    report = score_study(study, scorers=["exact", load_scorer("exact"), 'exact[normaliser="none"]'])
    assert report.scorers == ("exact",)
    assert report.marked == 6


def test_only_the_named_systems_are_marked(study: Study):
    report = score_study(study, scorers=RULES[:1], systems=[BETA.system_id[:6]])
    assert report.systems == ("beta",)
    assert verdicts(study).height == 0
    assert verdicts(study, BETA).height == 3


def test_a_changed_reply_is_marked_again(study: Study):
    score_study(study, scorers=RULES)
    put_replies(study, ALPHA, REPLIES["alpha"] | {"n1": "6%"})
    report = score_study(study, scorers=RULES)
    assert (report.marked, report.up_to_date) == (9, 9)
    values = dict(verdicts(study).select("item_id", "value").iter_rows())
    assert values == {
        "n1": 0.0,
        "n2": mark(RULES[0], reference="30 days", reply="Within 30 days.").value,
        "c1": 1.0,
    }


@pytest.mark.parametrize(
    "change",
    [
        lambda item: replace(item, reference="6%"),
        lambda item: replace(item, task="contradiction_detection"),
        lambda item: replace(item, contract=AnswerContract(type="percent", decimals=2)),
        lambda item: replace(item, alternatives=("five percent",)),
    ],
)
def test_a_changed_item_is_marked_again(study: Study, change: Callable[[Item], Item]):
    score_study(study, scorers=RULES[:2])
    study.add_items([change(ITEMS[0]), *ITEMS[1:]], benchmark="demo")
    report = score_study(study, scorers=RULES[:2])
    assert (report.marked, report.up_to_date) == (12, 0)
    assert change(ITEMS[0]).item_digest in verdicts(study)["item_digest"]
    assert score_study(study, scorers=RULES[:2]).marked == 0


def test_a_corrected_reference_changes_the_verdict(study: Study):
    score_study(study, scorers=["exact"])
    study.add_items([replace(ITEMS[0], reference="6%"), *ITEMS[1:]], benchmark="demo")
    score_study(study, scorers=["exact"])
    assert verdicts(study, BETA, "exact").filter(item_id="n1")["value"].to_list() == [1.0]


def test_a_prediction_that_was_taken_back_leaves_no_verdict(study: Study):
    score_study(study, scorers=RULES[:1])
    put_replies(study, ALPHA, {"n1": "5%"})
    report = score_study(study, scorers=RULES[:1])
    assert (report.marked, report.up_to_date) == (1, 3)
    assert verdicts(study)["item_id"].to_list() == ["n1"]


def test_a_system_without_any_prediction_left_keeps_no_verdict(study: Study):
    score_study(study, scorers=RULES[:1])
    study.drop("predictions", {"system_id": ALPHA.system_id, "run_id": "run-alpha"})
    score_study(study, scorers=RULES[:1])
    assert verdicts(study).height == 0
    assert verdicts(study, BETA).height == 3


def test_a_run_that_was_stopped_goes_on_where_it_was(study: Study, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scoring, "MOST_TOGETHER", 3)

    def stop_at_second(done: int, total: int, name: str) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match=r"^$"):
        score_study(study, scorers=RULES, progress=stop_at_second)
    assert study.snapshot().frame("verdicts").height == 9
    report = score_study(study, scorers=RULES)
    assert (report.marked, report.up_to_date) == (9, 9)
    assert study.snapshot().frame("verdicts").height == 18


def test_a_stopped_run_ends_in_the_same_table_as_one_in_one_go(study: Study, tmp_path: Path):
    other = Study.open(shutil.copytree(study.root, tmp_path / "other"))
    score_study(study, scorers=RULES[:1], systems=["beta"])
    score_study(study, scorers=RULES[1:], systems=["alpha"])
    score_study(study, scorers=RULES)
    score_study(other, scorers=RULES)
    assert study.snapshot().digest("verdicts") == other.snapshot().digest("verdicts")


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (3, [(0, 2, "alpha"), (1, 2, "beta"), (2, 2, "")]),
        (2, [(0, 4, "alpha"), (1, 4, "alpha"), (2, 4, "beta"), (3, 4, "beta"), (4, 4, "")]),
        (1000, [(0, 1, "alpha"), (1, 1, "")]),
    ],
)
def test_progress_names_what_is_marked_next_and_the_end(
    study: Study,
    monkeypatch: pytest.MonkeyPatch,
    most: int,
    expected: list[tuple[int, int, str]],
):
    monkeypatch.setattr(scoring, "MOST_TOGETHER", most)
    told: list[tuple[int, int, str]] = []
    score_study(study, scorers=RULES[:1], progress=lambda *step: told.append(step))
    assert told == expected


def test_systems_marked_together_have_the_verdicts_of_systems_marked_apart(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    other = Study.open(shutil.copytree(study.root, tmp_path / "other"))
    score_study(study)
    monkeypatch.setattr(scoring, "MOST_TOGETHER", 1)
    score_study(other)
    assert study.snapshot().digest("verdicts") == other.snapshot().digest("verdicts")


def test_redacted_replies_keep_their_verdicts_and_get_no_new_ones(study: Study):
    score_study(study, scorers=RULES[:1])
    before = verdicts(study).drop("reason", "flags", "extracted")
    redact(study, systems=["alpha"])
    report = score_study(study, scorers=RULES[:2])
    assert report.redacted == 3
    assert report.marked == 3
    assert verdicts(study).drop("reason", "flags", "extracted").equals(before)
    assert verdicts(study, scorer_id="exact").height == 0


def test_a_reply_redacted_among_others_keeps_its_verdict(study: Study):
    score_study(study, scorers=RULES[:1])
    redact(study, pattern="Within", tables=["predictions"])
    put = study.snapshot().frame("predictions", system_id=ALPHA.system_id)
    assert "[redacted] 30 days." in put["text"].to_list()
    report = score_study(study, scorers=RULES[:2], systems=["alpha"])
    assert (report.redacted, report.marked) == (1, 2)
    assert verdicts(study).height == 3
    assert verdicts(study, scorer_id="exact")["item_id"].to_list() == ["c1", "n1"]


def test_a_redacted_item_gets_no_verdict_against_its_masked_reference(study: Study):
    redact(study, pattern="30 days", tables=["items"])
    report = score_study(study, scorers=["exact"], systems=["alpha"])
    assert (report.redacted, report.marked) == (1, 2)
    assert verdicts(study, scorer_id="exact")["item_id"].to_list() == ["c1", "n1"]


def test_predictions_without_an_item_are_counted(study: Study):
    study.add_items(ITEMS[1:], benchmark="demo")
    report = score_study(study, scorers=RULES[:1])
    assert (report.without_item, report.marked) == (2, 4)


def test_trials_are_marked_apart(study: Study):
    rows = predictions_frame(
        Prediction(item_id="n1", system_id=ALPHA.system_id, trial=t, text=text, run_id="run-alpha")
        for t, text in enumerate(["5%", "6%", "5%"])
    )
    partition = {"system_id": ALPHA.system_id, "run_id": "run-alpha"}
    study.commit("predictions", rows, partition=partition)
    score_study(study, scorers=["exact"], systems=["alpha"])
    found = verdicts(study, scorer_id="exact")
    assert found.select("trial", "value").rows() == [(0, 1.0), (1, 0.0), (2, 1.0)]


def test_the_scorers_table_holds_what_builds_the_scorer_again(study: Study):
    asked = (*DEFAULT_SCORERS, 'any_of[parts=["exact","token_set[threshold=0.9]"]]')
    score_study(study, scorers=asked, systems=["alpha"])
    rows = study.snapshot().frame("scorers")
    assert rows.height == len(asked)
    for row in rows.iter_rows(named=True):
        rebuilt = from_spec(row["spec"])
        assert scorer_id_of(rebuilt) == row["scorer_id"]
        assert rebuilt.version == row["scorer_version"]
        assert rebuilt in [load_scorer(scorer_id) for scorer_id in asked]


def test_an_unknown_scorer_leaves_the_study_alone(study: Study):
    versions = study.snapshot().versions
    with pytest.raises(UnknownNameError, match="no scorer 'strickt'"):
        score_study(study, scorers=["exact", "strickt"])
    assert study.snapshot().versions == versions


def test_an_unknown_system_leaves_the_study_alone(study: Study):
    versions = study.snapshot().versions
    with pytest.raises(UnknownNameError, match="no system 'gamma' among 2"):
        score_study(study, scorers=["exact"], systems=["gamma"])
    assert study.snapshot().versions == versions


@pytest.mark.parametrize("scorer_id", ["stored", "judge/a", 'any_of[parts=["exact","judge/a"]]'])
def test_an_imported_scorer_is_refused(study: Study, scorer_id: str):
    with pytest.raises(UsageError, match="are imported, not computed; import a table"):
        score_study(study, scorers=[scorer_id])


def test_a_scorer_that_cannot_be_read_is_refused(study: Study):
    with pytest.raises(SpecError, match="opens a bracket"):
        score_study(study, scorers=["exact[normaliser"])


def test_a_study_without_systems_is_marked_with_nothing(tmp_path: Path):
    report = score_study(Study.create(tmp_path / "empty"), scorers=["exact"])
    assert (report.systems, report.marked, report.up_to_date) == ((), 0, 0)


def test_verdicts_fit_the_table(study: Study):
    score_study(study, scorers=RULES)
    frame = study.snapshot().frame("verdicts")
    assert dict(frame.schema) == dict(VERDICTS.columns)
    assert frame["repeat"].to_list() == [0] * 18
