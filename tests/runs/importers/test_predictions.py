"""Prediction files become predictions and stored verdicts, and the report says all."""

from __future__ import annotations

from pathlib import Path

import pytest

from finassay.errors import BadRowsError, InputError, KeyClashError, MappingError, UsageError
from finassay.runs.importers.mapping import ColumnMap
from finassay.runs.importers.tables import ImportOptions, import_items, import_predictions
from finassay.study import Study
from finassay.study.check import check
from import_tables import LONG, answers, stored, table, texts


def test_a_file_is_one_system_named_by_its_stem(study: Study, tmp_path: Path) -> None:
    path = table(tmp_path / "mistral.csv", answers(correct="1"))
    report = import_predictions(study, path)
    assert texts(study, "mistral") == {f"q{n}": f"answer to q{n}" for n in range(12)}
    assert stored(study, "mistral") == {f"q{n}": 1.0 for n in range(12)}
    assert report.system("mistral").imported == 12
    assert check(study).problems == ()


def test_texts_come_in_exactly(study: Study, tmp_path: Path) -> None:
    awkward = {
        "q0": "NA",
        "q1": " x ",
        "q2": "a\u2028b\r\nc",
        "q3": "007",
        "q4": "null",
        "q5": "No",
    }
    rows = [{"id": key, "prediction": text} for key, text in awkward.items()]
    import_predictions(study, table(tmp_path / "m.csv", rows))
    assert texts(study, "m") == awkward


def test_a_second_import_of_the_same_file_changes_nothing(study: Study, tmp_path: Path) -> None:
    path = table(tmp_path / "m.csv", answers(correct="1"))
    assert import_predictions(study, path).is_changed
    before = study.snapshot()
    again = import_predictions(study, path)
    assert not again.is_changed
    assert "nothing new: no commit was made" in again.to_lines()
    assert study.snapshot().versions == before.versions


def test_an_edited_file_takes_the_place_of_its_earlier_state(study: Study, tmp_path: Path) -> None:
    rows = answers(correct="1")
    import_predictions(study, table(tmp_path / "m.csv", rows))
    before = study.snapshot().versions["predictions"]
    edited = [{**rows[0], "prediction": "corrected", "correct": "0"}, *rows[1:-1]]
    import_predictions(study, table(tmp_path / "m.csv", edited))
    assert texts(study, "m")["q0"] == "corrected"
    assert len(texts(study, "m")) == 11
    assert stored(study, "m")["q0"] == 0.0
    assert len(stored(study, "m")) == 11
    old = study.snapshot({"predictions": before}).frame("predictions")
    assert old.height == 12
    assert check(study).problems == ()


def test_the_same_system_from_another_file_is_a_clash_with_advice(
    study: Study, tmp_path: Path
) -> None:
    import_predictions(study, table(tmp_path / "m.csv", answers()))
    other = table(tmp_path / "copy.csv", answers())
    with pytest.raises(KeyClashError, match=r"item 'q0'.*imported from m\.csv.*--source.*--system"):
        import_predictions(study, other, options=ImportOptions(name="m"))
    replaced = import_predictions(study, other, options=ImportOptions(name="m", source="m.csv"))
    assert replaced.system("m").imported == 12


def test_two_files_may_share_a_system_between_them(study: Study, tmp_path: Path) -> None:
    first = table(tmp_path / "a.csv", answers(["q0", "q1"], system="m", correct="1"))
    second = table(tmp_path / "b.csv", answers(["q2", "q3"], system="m", correct="0"))
    import_predictions(study, [first, second])
    assert stored(study, "m") == {"q0": 1.0, "q1": 1.0, "q2": 0.0, "q3": 0.0}
    edited = table(tmp_path / "a.csv", answers(["q0"], system="m", correct="0"))
    import_predictions(study, edited)
    assert stored(study, "m") == {"q0": 0.0, "q2": 0.0, "q3": 0.0}
    assert check(study).problems == ()


def test_a_system_column_makes_a_partition_for_each_system(study: Study, tmp_path: Path) -> None:
    rows = [*answers(["q0"], model="x", mode="open"), *answers(["q0"], model="x", mode="closed")]
    given = ColumnMap(system=("model", "mode"))
    import_predictions(study, table(tmp_path / "t.csv", rows), options=ImportOptions(mapping=given))
    assert [spec.name for spec in study.snapshot().systems()] == ["x / closed", "x / open"]


def test_a_person_answers_as_a_system_of_that_kind(study: Study, tmp_path: Path) -> None:
    options = ImportOptions(kind="person", name="annotator")
    import_predictions(study, table(tmp_path / "t.csv", answers()), options=options)
    assert [(s.name, s.kind) for s in study.snapshot().systems()] == [("annotator", "person")]


def test_same_rows_collapse_and_other_rows_are_bad(study: Study, tmp_path: Path) -> None:
    rows = [*answers(["q0", "q0", "q1"]), {"id": "q1", "prediction": "something else"}]
    report = import_predictions(study, table(tmp_path / "m.csv", rows))
    assert report.system("m").duplicates == 1
    assert texts(study, "m") == {"q0": "answer to q0", "q1": "answer to q1"}
    (bad,) = report.files[0].bad_rows
    assert (bad.line, "says something else" in bad.reason) == (5, True)


def test_a_trial_column_tells_repeats_apart(study: Study, tmp_path: Path) -> None:
    rows = [
        {"id": "q0", "prediction": "one", "trial": "0"},
        {"id": "q0", "prediction": "two", "trial": "1"},
    ]
    report = import_predictions(study, table(tmp_path / "m.csv", rows))
    frame = study.snapshot().frame("predictions")
    assert (report.bad, frame["trial"].to_list()) == (0, [0, 1])


def test_missing_and_extra_items_are_counted_and_listed(study: Study, tmp_path: Path) -> None:
    rows = answers([*(f"q{n}" for n in range(10)), "zz"])
    report = import_predictions(study, table(tmp_path / "m.csv", rows)).system("m")
    assert (report.missing.count, report.missing.shown) == (2, ("q10", "q11"))
    assert (report.extra.count, report.extra.shown) == (1, ("zz",))
    assert report.rows_read == 11
    assert "zz" not in texts(study, "m")


def test_cut_references_and_questions_are_counted_by_length(study: Study, tmp_path: Path) -> None:
    rows = [
        {
            **row,
            "reference": f"{LONG}{n}"[:50] if n < 8 else f"{LONG}{n}",
            "question": f"What is asked in question {n} of this benchmark?"[:20],
        }
        for n, row in enumerate(answers())
    ]
    rows[11]["reference"] = "another reference"
    report = import_predictions(study, table(tmp_path / "m.csv", rows)).system("m")
    assert (report.cut_references, report.other_references) == (((50, 8),), 1)
    assert (report.cut_questions, report.other_questions) == (((20, 12),), 0)
    items = {item.item_id: item.reference for item in study.snapshot().items()}
    assert items["q0"] == f"{LONG}0"
    flags = dict(study.snapshot().frame("predictions").select("item_id", "flags").iter_rows())
    assert flags["q0"] == ["reference_cut", "reference_cut_at:50", "question_cut_at:20"]
    assert flags["q11"] == ["question_cut_at:20"]


def test_predictions_that_pile_up_at_one_length_look_cut(study: Study, tmp_path: Path) -> None:
    rows = [
        {"id": f"q{n}", "prediction": f"{n} {LONG}"[:40] if n < 5 else "short"} for n in range(12)
    ]
    report = import_predictions(study, table(tmp_path / "m.csv", rows)).system("m")
    assert report.cap is not None
    assert (report.cap.length, report.cap.rows, report.cap.n) == (40, 5, 12)
    said = "  predictions may be cut: 5 of 12 are exactly 40 characters long, the longest"
    assert said in report.to_lines()


@pytest.mark.parametrize("count", [4, 12])
def test_few_or_equal_texts_at_one_length_do_not_look_cut(
    study: Study, tmp_path: Path, count: int
) -> None:
    rows = [
        {"id": f"q{n}", "prediction": (f"{n} {LONG}" if count == 4 else LONG)[:40]}
        if n < count
        else {"id": f"q{n}", "prediction": "short"}
        for n in range(12)
    ]
    assert import_predictions(study, table(tmp_path / "m.csv", rows)).system("m").cap is None


def test_what_became_of_replies_is_counted(study: Study, tmp_path: Path) -> None:
    rows = [
        {"id": "q0", "prediction": "", "finish_reason": "stop"},
        {"id": "q1", "prediction": "FAIL: 429", "finish_reason": ""},
        {"id": "q2", "prediction": "cut of", "finish_reason": "length"},
    ]
    options = ImportOptions(error_text="^FAIL")
    report = import_predictions(study, table(tmp_path / "m.csv", rows), options=options)
    assert report.system("m").finishes == (("empty", 1), ("error", 1), ("truncated", 1))


def test_words_for_the_finish_that_are_not_known_are_counted(study: Study, tmp_path: Path) -> None:
    words = ["tool_calls", " tool_calls", "Stop", "", "aborted", "tool_calls"]
    rows = [
        {"id": f"q{n}", "prediction": "a", "finish_reason": word} for n, word in enumerate(words)
    ]
    report = import_predictions(study, table(tmp_path / "m.csv", rows)).system("m")
    assert report.unknown_finishes == (("tool_calls", 3), ("aborted", 1))
    assert report.finishes == (("not_logged", 5), ("stop", 1))
    line = "  words for the finish that are not known: 'tool_calls' 3, 'aborted' 1"
    assert line in report.to_lines()


def test_a_verdict_that_cannot_be_read_makes_the_row_bad(study: Study, tmp_path: Path) -> None:
    rows = [*answers(["q0", "q1", "q2"], correct="1"), *answers(["q3"], correct="")]
    rows[1]["correct"] = "perhaps"
    options = ImportOptions(mapping=ColumnMap(correct="correct"))
    report = import_predictions(study, table(tmp_path / "m.csv", rows), options=options)
    assert [bad.line for bad in report.files[0].bad_rows] == [3]
    assert set(stored(study, "m")) == {"q0", "q2"}
    assert set(texts(study, "m")) == {"q0", "q2", "q3"}
    assert report.system("m").blank_verdicts == 1


def test_strict_refuses_a_file_with_a_bad_row_whole(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text("id,prediction\nq0,fine\nq1\n")
    with pytest.raises(BadRowsError, match=r"m\.csv:3: expected 2 fields, got 1"):
        import_predictions(study, path, options=ImportOptions(strict=True))
    assert study.snapshot().frame("predictions").is_empty()


def test_many_bad_rows_are_counted_and_the_first_twenty_listed(
    study: Study, tmp_path: Path
) -> None:
    path = tmp_path / "m.csv"
    path.write_text("id,prediction\nq0,fine\n" + "x\n" * 50)
    file = import_predictions(study, path).files[0]
    assert (file.bad, len(file.bad_rows), file.rows_read) == (50, 20, 51)


def test_without_items_there_is_nothing_to_refer_to(tmp_path: Path) -> None:
    empty = Study.create(tmp_path / "study")
    path = table(tmp_path / "m.csv", answers())
    with pytest.raises(MappingError, match="--items-from-predictions"):
        import_predictions(empty, path)


def test_items_can_be_made_from_whole_questions_and_references(tmp_path: Path) -> None:
    empty = Study.create(tmp_path / "study")
    rows = [{**row, "question": f"Q {row['id']}?", "reference": "Yes"} for row in answers()]
    options = ImportOptions(items_from_predictions="made")
    path = table(tmp_path / "m.csv", rows)
    report = import_predictions(empty, path, options=options)
    item = empty.snapshot().items()[0]
    assert (item.benchmark, item.question, item.reference) == ("made", "Q q0?", "Yes")
    assert item.language == "en"
    assert (report.items, report.system("m").imported) == (12, 12)
    assert not import_predictions(empty, path, options=options).is_changed


def test_items_made_from_predictions_are_those_an_items_file_would_make(tmp_path: Path) -> None:
    described = {
        "question": "Which?",
        "reference": "a",
        "task_type": "NUM",
        "difficulty": "hard",
        "options": "a",
    }
    rows = [{**row, **described} for row in answers(["q0", "q1"])]
    mapping = ColumnMap(choices="options")
    derived, direct = Study.create(tmp_path / "derived"), Study.create(tmp_path / "direct")
    options = ImportOptions(items_from_predictions="b", mapping=mapping)
    import_predictions(derived, table(tmp_path / "m.csv", rows), options=options)
    items = table(tmp_path / "items.csv", [{"id": row["id"], **described} for row in rows])
    import_items(direct, items, benchmark="b", options=ImportOptions(mapping=mapping))
    assert derived.snapshot().items() == direct.snapshot().items()
    assert {item.family for item in derived.snapshot().items()} == {"NUM"}


def test_items_are_not_made_from_texts_that_look_cut(tmp_path: Path) -> None:
    empty = Study.create(tmp_path / "study")
    rows = [{**row, "question": f"{n} {LONG}"[:60]} for n, row in enumerate(answers())]
    options = ImportOptions(items_from_predictions="made")
    with pytest.raises(InputError, match=r"questions look cut.*60 characters"):
        import_predictions(empty, table(tmp_path / "m.csv", rows), options=options)


def test_files_that_disagree_on_an_item_make_none(tmp_path: Path) -> None:
    empty = Study.create(tmp_path / "study")
    first = table(tmp_path / "a.csv", answers(["q0"], question="One?"))
    second = table(tmp_path / "b.csv", answers(["q0"], question="Another?"))
    options = ImportOptions(items_from_predictions="made")
    with pytest.raises(InputError, match=r"b\.csv:2: item 'q0'.*'One\?' and 'Another\?'"):
        import_predictions(empty, [first, second], options=options)


def test_a_pattern_names_files_and_one_that_fits_none_is_an_error(
    study: Study, tmp_path: Path
) -> None:
    table(tmp_path / "a.csv", answers(["q0"]))
    table(tmp_path / "b.csv", answers(["q0"]))
    report = import_predictions(study, tmp_path / "?.csv")
    assert [file.file for file in report.files] == ["a.csv", "b.csv"]
    with pytest.raises(InputError, match="no file fits the pattern"):
        import_predictions(study, tmp_path / "*.tsv")


def test_two_files_of_one_name_in_one_import_are_refused(study: Study, tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        table(tmp_path / folder / "m.csv", answers(["q0"]))
    with pytest.raises(UsageError, match="have the same name"):
        import_predictions(study, tmp_path / "*" / "m.csv")


def test_many_systems_in_one_file_are_set_aside_in_bounded_memory(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = "finassay.runs.importers.predictions.MAX_PENDING_CHARACTERS"
    monkeypatch.setattr(limit, 1000)
    monkeypatch.setattr("finassay.runs.importers.sources._BATCH_ROWS", 4)
    monkeypatch.setattr("finassay.runs.importers.sources._LOOK_EVERY", 2)
    rows = [
        row for n in range(12) for s in "abc" for row in answers([f"q{n}"], system=s, correct="1")
    ]
    import_predictions(study, table(tmp_path / "m.csv", rows))
    for system in "abc":
        assert texts(study, system) == {f"q{n}": f"answer to q{n}" for n in range(12)}
        assert len(stored(study, system)) == 12


def test_progress_runs_over_all_files(study: Study, tmp_path: Path) -> None:
    paths = [table(tmp_path / f"{name}.csv", answers(["q0"])) for name in "ab"]
    seen: list[tuple[int, int | None]] = []
    import_predictions(study, paths, progress=lambda done, total: seen.append((done, total)))
    size = sum(path.stat().st_size for path in paths)
    assert seen[-1] == (size, size)


def test_an_option_that_cannot_be_used_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"regular expression, got '\('"):
        ImportOptions(error_text="(")
    with pytest.raises(UsageError, match="`name` must not be empty"):
        ImportOptions(name="")
