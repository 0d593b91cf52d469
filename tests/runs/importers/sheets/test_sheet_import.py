import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudication_studies import SYSTEMS, add_duels, drawn, is_right, judged_study
from filled_sheets import (
    Row,
    fill,
    honest,
    make_draw,
    make_sheets,
    read_rows,
    rewrite,
)
from finassay.errors import BadRowsError, MappingError, UsageError
from finassay.runs.importers.sheets.importing import SheetsImported, import_sheets
from finassay.study import Study
from finassay.study.adjudication.ledger import AnswerRevision, Ledger
from finassay.study.check import check
from finassay.study.labels import LabelStore


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = judged_study(tmp_path_factory.mktemp("template") / "s", n=12)
    make_draw(made)
    return made.root


@pytest.fixture
def study(template: Path, tmp_path: Path) -> Study:
    return Study.open(shutil.copytree(template, tmp_path / "s"))


@pytest.fixture
def sheet(study: Study, tmp_path: Path) -> Path:
    make_sheets(study, tmp_path, "ada")
    return tmp_path / "first-ada.csv"


def take(study: Study, *paths: Path, name: str = "first", **options: str) -> SheetsImported:
    return import_sheets(study, drawn(study, name), paths, **options)


def history(study: Study, name: str = "first") -> list[AnswerRevision]:
    with LabelStore.of(study) as store:
        return Ledger(store, drawn(study, name).draw_id).history()


def people(study: Study) -> dict[tuple[str, str, str], tuple[str, float | None, str]]:
    """Verdicts of people: (scorer, item, system) -> status, value, reason."""
    rows = study.snapshot().frame("verdicts")
    rows = rows.filter(rows["scorer_id"].str.contains("person/"))
    columns = ("scorer_id", "item_id", "system_id", "status", "value", "reason")
    return {(s, i, y): (st, v, r) for s, i, y, st, v, r in rows.select(columns).iter_rows()}


def test_a_filled_sheet_becomes_verdicts_of_the_person(study: Study, sheet: Path):
    fill(sheet, honest)
    done = take(study, sheet, recorded_by="lead")
    assert (done.new, done.revised, done.unchanged, done.blank) == (24, 0, 0, 0)
    found = people(study)
    for i in range(12):
        for s, system in enumerate(SYSTEMS):
            said = found["person/ada", f"q{i:03d}", system.system_id]
            assert said == ("scored", float(is_right(i, s)), "")
    assert check(study).is_clean


def test_where_every_label_came_from_is_known(study: Study, sheet: Path):
    fill(sheet, honest)
    done = take(study, sheet, recorded_by="lead")
    answers = [one.answer for one in history(study)]
    assert {a.source for a in answers} == {"first-ada.csv"}
    assert {a.source_digest for a in answers} == {done.files[0].digest}
    assert sorted(a.source_row for a in answers) == list(range(2, 26))
    assert {a.recorded_by for a in answers} == {"lead"}


def test_the_same_sheet_again_changes_nothing(study: Study, sheet: Path):
    fill(sheet, honest)
    take(study, sheet)
    digests, before = study.snapshot().digests(), history(study)
    again = take(study, sheet)
    assert (again.new, again.revised, again.unchanged, again.verdicts) == (0, 0, 24, 0)
    assert history(study) == before
    assert study.snapshot().digests() == digests


def test_the_order_of_rows_and_columns_does_not_matter(study: Study, sheet: Path):
    rows = fill(sheet, honest)
    columns = sorted(rows[0])
    rewrite(sheet, sorted(rows, key=lambda row: row["unit"]), columns=columns)
    assert take(study, sheet).new == 24


def test_a_partly_filled_sheet_can_be_imported_and_filled_further(study: Study, sheet: Path):
    rows = fill(sheet, honest)
    rewrite(sheet, [row | ({} if at < 5 else {"label": ""}) for at, row in enumerate(rows)])
    first = take(study, sheet)
    assert (first.new, first.blank) == (5, 19)
    rewrite(sheet, rows)
    second = take(study, sheet)
    assert (second.new, second.unchanged) == (19, 5)


def test_a_changed_label_is_a_revision_and_an_emptied_one_stays(study: Study, sheet: Path):
    rows = fill(sheet, lambda _: {"label": "CORRECT"})
    take(study, sheet)
    rows[0]["label"], rows[1]["label"] = "not sure", ""
    rewrite(sheet, rows)
    done = take(study, sheet)
    assert (done.new, done.revised, done.blank, done.kept) == (0, 1, 1, 1)
    assert "1 labels were emptied" in done.notes[-1]
    changed = [one for one in history(study) if one.answer.unit_id == rows[0]["unit"]]
    assert [(one.revision, one.answer.label) for one in changed] == [
        (0, "CORRECT"),
        (1, "not sure"),
    ]
    statuses = [status for status, _, _ in people(study).values()]
    assert (statuses.count("unparsed"), statuses.count("scored")) == (1, 23)


def bad_label(row: Row) -> None:
    row["label"] = "CORRECTION"


def bad_unit(row: Row) -> None:
    row["unit"] = "u000000000000"


def number_for_unit(row: Row) -> None:
    row["unit"] = "6.48747E+11"


def bad_sheet(row: Row) -> None:
    row["sheet"] = "s000000000000"


def bad_flag(row: Row) -> None:
    row["reference is wrong"] = "perhaps"


def changed_text(row: Row) -> None:
    row["answer"] = "something else"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            bad_label,
            "must be one of 'CORRECT', 'INCORRECT', 'not sure', or empty, got 'CORRECTION'",
        ),
        (bad_unit, "must hold the code of a unit of draw 'first', got 'u000000000000'"),
        (number_for_unit, r"must hold the code of a unit of draw 'first', got '6\.48747E\+11'"),
        (bad_sheet, "must hold the code of a sheet of draw 'first', got 's000000000000'"),
        (bad_flag, "must be 'yes' or empty, got 'perhaps'"),
        (changed_text, "the text in column 'answer' is not that of unit"),
    ],
)
def test_one_bad_row_is_named_and_nothing_is_recorded(
    study: Study, sheet: Path, spoil: Callable[[Row], None], message: str
):
    rows = fill(sheet, honest)
    spoil(rows[4])
    rewrite(sheet, rows)
    before = study.snapshot().digests()
    with pytest.raises(
        BadRowsError, match=rf"1 row cannot be used.*\n  first-ada\.csv:6: .*{message}"
    ):
        take(study, sheet)
    assert history(study) == []
    assert study.snapshot().digests() == before


def test_a_column_sorted_without_the_others_is_found(study: Study, sheet: Path):
    rows = fill(sheet, honest)
    answers = sorted(row["answer"] for row in rows)
    rewrite(sheet, [row | {"answer": text} for row, text in zip(rows, answers, strict=True)])
    with pytest.raises(BadRowsError, match="was one column sorted without the others"):
        take(study, sheet)


def test_every_bad_row_is_counted_and_the_first_are_named(study: Study, sheet: Path):
    fill(sheet, lambda _: {"label": "?"})
    with pytest.raises(BadRowsError, match=r"24 rows cannot be used(?s:.*)and 4 more"):
        take(study, sheet)


def test_a_unit_that_stands_twice_with_two_answers_is_refused(study: Study, sheet: Path):
    rows = fill(sheet, lambda _: {"label": "CORRECT"})
    rewrite(sheet, [*rows, rows[0] | {"label": "INCORRECT"}])
    with pytest.raises(BadRowsError, match=r"stands twice.*'CORRECT' in first-ada\.csv:2 and"):
        take(study, sheet)
    rewrite(sheet, [*rows, rows[0]])
    assert take(study, sheet).new == 24


def test_a_sheet_of_another_draw_is_refused_by_name(study: Study, sheet: Path, tmp_path: Path):
    make_draw(study, "second", seed=1, control=2)
    make_sheets(study, tmp_path, "ada", name="second")
    fill(tmp_path / "second-ada.csv", honest)
    with pytest.raises(BadRowsError, match="of a sheet of draw 'second', expected one of 'first'"):
        take(study, tmp_path / "second-ada.csv")


def test_rows_given_to_somebody_else_are_refused(study: Study, tmp_path: Path):
    make_sheets(study, tmp_path, "eve", "bob", overlap=0.0)
    eve, bob = (fill(tmp_path / f"first-{name}.csv", honest) for name in ("eve", "bob"))
    foreign = [row | {"sheet": eve[0]["sheet"]} for row in bob]
    rewrite(tmp_path / "first-bob.csv", foreign)
    with pytest.raises(BadRowsError, match="was not given to 'eve'"):
        take(study, tmp_path / "first-bob.csv")


@pytest.mark.parametrize("column", ["unit", "label", "sheet"])
def test_a_table_without_the_columns_of_a_sheet_is_refused(study: Study, sheet: Path, column: str):
    rows = fill(sheet, honest)
    rewrite(sheet, rows, columns=[name for name in rows[0] if name != column])
    with pytest.raises(MappingError, match=f"missing is {column}"):
        take(study, sheet)


def test_a_missing_column_to_fill_in_is_refused(study: Study, sheet: Path):
    rows = fill(sheet, honest)
    rewrite(sheet, rows, columns=[name for name in rows[0] if name != "note"])
    with pytest.raises(MappingError, match="to fill in, missing is note"):
        take(study, sheet)


def test_without_texts_labels_are_taken_and_the_risk_is_told(study: Study, sheet: Path):
    rows = fill(sheet, honest)
    kept = ("unit", "label", "reference is wrong", "correct reference", "note", "sheet")
    rewrite(sheet, rows, columns=kept)
    done = take(study, sheet)
    assert done.new == 24
    assert "cannot be checked" in done.notes[0]


def test_no_file_at_all_is_a_mistake(study: Study):
    with pytest.raises(UsageError, match="at least one sheet"):
        take(study)


def test_what_is_written_beside_an_empty_label_is_told_and_not_taken(study: Study, sheet: Path):
    rows = fill(sheet, honest)
    rows[2] |= {"label": "", "note": "hm"}
    rewrite(sheet, rows)
    done = take(study, sheet)
    assert done.new == 23
    assert any("first-ada.csv:4: something is written" in note for note in done.notes)


def test_a_flag_on_the_reference_is_kept_with_its_correction(study: Study, sheet: Path):
    rows = fill(sheet, honest)
    rows[0] |= {"reference is wrong": "Yes", "correct reference": "7 percent"}
    rewrite(sheet, rows)
    assert take(study, sheet).flagged == 1
    flagged = [one.answer for one in history(study) if one.answer.reference_wrong]
    assert [(a.unit_id, a.correction) for a in flagged] == [(rows[0]["unit"], "7 percent")]


def test_sides_of_a_pair_are_put_back_where_they_belong(tmp_path: Path):
    study = judged_study(tmp_path / "s", n=10)
    add_duels(study, "judge/pairs", dict.fromkeys(range(10), ("left", "right")))
    make_draw(study, task="pairwise", design="simple", labels=10, scorers=("judge/pairs",))
    make_sheets(study, tmp_path, "ada")
    path = tmp_path / "first-ada.csv"

    def better(row: Row) -> dict[str, str]:
        right = [honest(row | {"answer": row[f"answer {x}"]})["label"] == "CORRECT" for x in "AB"]
        return {"label": "tie" if right[0] == right[1] else "A" if right[0] else "B"}

    fill(path, better)
    take(study, path)
    rows = study.snapshot().frame("comparisons", scorer_id="person/ada")
    found = dict(zip(rows["item_id"], rows["winner"], strict=True))
    wins = {(True, False): "left", (False, True): "right"}
    assert found == {
        f"q{i:03d}": wins.get((is_right(i, 0), is_right(i, 1)), "tie") for i in range(10)
    }
    assert set(rows["order"]) == {"left_first", "right_first"}
    assert take(study, path).verdicts == 0


def test_a_rubric_is_filed_beside_correctness_and_not_over_it(study: Study, tmp_path: Path):
    make_draw(study, "rubric", task="rubric")
    make_sheets(study, tmp_path, "ada", name="rubric")
    path = tmp_path / "rubric-ada.csv"
    fill(path, lambda row: {"label": "7" if honest(row)["label"] == "CORRECT" else "2"})
    take(study, path, name="rubric")
    found = people(study)
    assert {scorer for scorer, _, _ in found} == {"imported/person/ada/rubric"}
    assert {value for _, value, _ in found.values()} == {0.7, 0.2}
    again = take(study, path, name="rubric")
    assert (again.unchanged, again.verdicts) == (24, 0)


def test_readings_name_a_label_or_none(tmp_path: Path):
    study = judged_study(tmp_path / "s", n=6, choices=("rise", "fall"))
    make_draw(study, task="reading", protocol="hidden")
    make_sheets(study, tmp_path, "ada", formats=("csv", "xlsx"))
    rows = read_rows(tmp_path / "first-ada.csv")
    assert rows[0]["labels"] == "rise\nfall"
    answers = ["rise", "fall", "names no label", "not sure"]
    rows = [row | {"label": answers[at % 4]} for at, row in enumerate(rows)]
    take(study, rewrite(tmp_path / "first-ada.csv", rows))
    found = study.snapshot().frame("verdicts", scorer_id="imported/person/ada/reading")
    by_label = dict(found.group_by("label").agg(n="status").iter_rows())
    assert {label: len(n) for label, n in by_label.items()} == dict.fromkeys(answers, 3)
    silent = found.filter(found["label"] == "names no label")
    assert set(silent["status"]) == {"unparsed"}


@pytest.mark.long
def test_twenty_thousand_rows_are_read_in_seconds(tmp_path: Path):
    n = 10_000
    study = judged_study(tmp_path / "s", n=n)
    make_draw(study, design="simple", labels=2 * n)
    make_sheets(study, tmp_path, "ada")
    path = tmp_path / "first-ada.csv"
    fill(path, honest)
    begin = time.process_time()
    assert take(study, path).new == 2 * n
    assert time.process_time() - begin < 20
