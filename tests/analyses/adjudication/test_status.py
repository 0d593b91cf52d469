from pathlib import Path

import pytest
from sklearn.metrics import cohen_kappa_score

from adjudication_studies import drawn, judged_study
from filled_sheets import Row, fill, honest, make_draw, make_sheets, read_rows, rewrite
from finassay.analyses.adjudication.from_study import all_statuses, status_in_study
from finassay.errors import UsageError
from finassay.runs.importers.sheets.importing import import_sheets
from finassay.study import Study
from finassay.study.adjudication.filing import correct_reference
from finassay.study.rows import items_from


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = judged_study(tmp_path / "s", n=20)
    make_draw(made)
    return made


def take(study: Study, *paths: Path, name: str = "first") -> None:
    import_sheets(study, drawn(study, name), paths)


def careless(every: int) -> object:
    """Label honestly, but wrongly on cases that `every` divides."""

    def says(row: Row) -> dict[str, str]:
        label = honest(row)["label"]
        case = int(row["question"].split()[-1].rstrip("?"))
        other = {"CORRECT": "INCORRECT", "INCORRECT": "CORRECT"}
        return {"label": other[label] if case % every == 0 else label}

    return says


def test_nothing_is_known_before_anybody_labels(study: Study):
    found = status_in_study(study, "first")
    assert (found.units, found.open, found.conflicts) == (40, 40, 0)
    assert found.annotators == found.agreement == found.pairs == ()


def test_progress_counts_what_was_given_answered_and_not_sure(study: Study, tmp_path: Path):
    make_sheets(study, tmp_path, "ada", "bob", overlap=0.5)
    rows = read_rows(tmp_path / "first-ada.csv")
    labels = ["CORRECT"] * 10 + ["not sure"] * 5 + [""] * (len(rows) - 15)
    path = tmp_path / "first-ada.csv"
    take(study, rewrite(path, [r | {"label": w} for r, w in zip(rows, labels, strict=True)]))
    ada, bob = status_in_study(study, "first").annotators
    assert (ada.assigned, ada.answered, ada.waiting, ada.unsure) == (30, 15, 15, 5)
    assert (bob.assigned, bob.answered, bob.waiting, bob.last) == (30, 0, 30, None)


def test_kappa_is_that_of_scikit_learn(study: Study, tmp_path: Path):
    make_sheets(study, tmp_path, "ada", "bob")
    ada = fill(tmp_path / "first-ada.csv", honest)
    bob = fill(tmp_path / "first-bob.csv", careless(4))
    take(study, tmp_path / "first-ada.csv", tmp_path / "first-bob.csv")
    labels = [{row["unit"]: row["label"] for row in rows} for rows in (ada, bob)]
    units = sorted(labels[0])
    expected = cohen_kappa_score([labels[0][u] for u in units], [labels[1][u] for u in units])
    found = status_in_study(study, "first")
    assert found.agreement[0].name == "Cohen's kappa"
    assert found.agreement[0].value == pytest.approx(expected)
    assert found.pairs[0].kappa == pytest.approx(expected)
    assert found.conflicts == 10
    assert {one.unit_id for one in found.conflict_units} == {
        unit for unit in units if labels[0][unit] != labels[1][unit]
    }


def test_a_third_person_settles_conflicts_blindly(study: Study, tmp_path: Path):
    make_sheets(study, tmp_path, "ada", "bob")
    fill(tmp_path / "first-ada.csv", honest)
    fill(tmp_path / "first-bob.csv", careless(4))
    take(study, tmp_path / "first-ada.csv", tmp_path / "first-bob.csv")
    done = make_sheets(study, tmp_path, "cat", "ada", conflicts=True)
    assert {one.annotator: one.rows for one in done.sheets} == {"cat": 10, "ada": 0}
    assert "10 conflicts are not on the sheet of ada" in done.warnings[0]
    fill(tmp_path / "first-cat-conflicts.csv", honest)
    take(study, tmp_path / "first-cat-conflicts.csv")
    found = status_in_study(study, "first")
    assert (found.resolved, found.conflicts, found.unanimous) == (10, 0, 30)
    scorers = set(study.snapshot().frame("verdicts")["scorer_id"])
    assert {"person/ada", "person/bob", "person/cat"} <= scorers


def test_doubted_references_are_listed_and_corrected_with_an_erratum(study: Study, tmp_path: Path):
    make_sheets(study, tmp_path, "ada", "bob")
    for name in ("ada", "bob"):

        def says(row: Row, name: str = name) -> dict[str, str]:
            if row["question"].endswith("case 3?"):
                extra = {"reference is wrong": "yes", "correct reference": "33 percent"}
                return honest(row) | (extra if name == "ada" else {"reference is wrong": "yes"})
            return honest(row)

        fill(tmp_path / f"first-{name}.csv", says)
    take(study, tmp_path / "first-ada.csv", tmp_path / "first-bob.csv")
    (doubted,) = status_in_study(study, "first").references
    assert (doubted.item_id, doubted.reference) == ("q003", "3 percent")
    assert doubted.flagged_by == ("ada", "bob")
    assert doubted.corrections == (("ada", "33 percent"),)
    assert not doubted.is_corrected
    correct_reference(study, "q003", "33 percent", by="lead", reason="two people say so")
    (item,) = items_from(study.snapshot().frame("items", item_id="q003"))
    assert item.reference == "33 percent"
    assert item.erratum is not None
    assert (item.erratum.old_reference, item.erratum.by) == ("3 percent", "lead")
    again = status_in_study(study, "first")
    assert again.references[0].is_corrected
    assert again.stale == 2
    with pytest.raises(UsageError, match="has the reference '33 percent' already"):
        correct_reference(study, "q003", "33 percent", by="lead", reason="again")


def test_reference_review_lists_who_calls_it_wrong_and_who_clears_it(study: Study, tmp_path: Path):
    make_draw(study, "refs", task="reference", scorers=("judge/one",))
    make_sheets(study, tmp_path, "ada", "bob", name="refs")
    for name, label in (("ada", "WRONG"), ("bob", "RIGHT")):
        fill(
            tmp_path / f"refs-{name}.csv",
            lambda row, label=label: {
                "label": label if row["question"].endswith("case 5?") else "RIGHT"
            },
        )
    take(study, tmp_path / "refs-ada.csv", tmp_path / "refs-bob.csv", name="refs")
    (doubted,) = status_in_study(study, "refs").references
    assert (doubted.item_id, doubted.flagged_by, doubted.cleared_by) == ("q005", ("ada",), ("bob",))


def test_all_draws_of_a_study_are_shown(study: Study):
    make_draw(study, "second", seed=2)
    assert [one.draw for one in all_statuses(study).draws] == ["first", "second"]
