"""Tables become items, verdicts and reported scores, and the report says all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from finassay.analyses.overturns import overturn_table
from finassay.errors import InputError, KeyClashError
from finassay.marking.scoring import score_study
from finassay.marking.view import view_study
from finassay.records import Item
from finassay.runs.importers.mapping import ColumnMap
from finassay.runs.importers.tables import (
    ImportOptions,
    import_items,
    import_predictions,
    import_reported,
    import_verdicts,
)
from finassay.study import Study
from finassay.study.check import check
from import_tables import answers, stored, table


def test_items_come_with_all_that_the_mapping_names(tmp_path: Path) -> None:
    made = Study.create(tmp_path / "study")
    record = {
        "id": 7,
        "question": "What?",
        "answer": ["5%", "five per cent"],
        "context_a": "A",
        "context_b": "B",
        "task": "t",
        "source": "SEBI",
        "choices": ["Yes", "No"],
    }
    path = tmp_path / "items.json"
    path.write_text(json.dumps([record, record]))
    options = ImportOptions(mapping=ColumnMap(strata=("source",)))
    report = import_items(made, path, benchmark="b", options=options)
    (item,) = made.snapshot().items()
    assert item == Item(
        item_id="7",
        benchmark="b",
        family="t",
        task="t",
        question="What?",
        reference="5%",
        alternatives=("five per cent",),
        contexts=("A", "B"),
        choices=("Yes", "No"),
        strata=(("source", "SEBI"),),
    )
    assert report.notes == ("same items collapsed: 1",)


def test_an_item_twice_with_two_references_is_a_bad_row(tmp_path: Path) -> None:
    made = Study.create(tmp_path / "study")
    rows = [{"id": "1", "question": "Q", "answer": text} for text in ("a", "b")]
    report = import_items(made, table(tmp_path / "i.csv", rows), benchmark="b")
    assert (report.items, report.files[0].bad_rows[0].line) == (1, 3)
    assert made.snapshot().items()[0].reference == "a"


def test_wide_verdicts_stand_on_their_predictions(study: Study, tmp_path: Path) -> None:
    import_predictions(study, table(tmp_path / "m.csv", answers()))
    rows = [
        {"item_id": f"q{n}", "system": "m", "judge": str(n % 2), "other": ""} for n in range(12)
    ]
    path = table(tmp_path / "v.csv", rows)
    report = import_verdicts(study, path, scorers={"judge": "judge/x", "other": "imported/o"})
    assert stored(study, "m", "judge/x") == {f"q{n}": float(n % 2) for n in range(12)}
    assert [(s.scorer, s.verdicts, s.blank_verdicts) for s in report.systems] == [
        ("judge/x", 12, 0),
        ("imported/o", 0, 12),
    ]
    assert check(study).problems == ()
    assert not import_verdicts(study, path, scorers={"judge": "judge/x"}).is_changed


def test_long_verdicts_are_filed_by_their_scorer(study: Study, tmp_path: Path) -> None:
    import_predictions(study, table(tmp_path / "m.csv", answers()))
    rows = [
        {"item_id": "q0", "system": "m", "scorer": name, "value": value}
        for name, value in (("a", "1"), ("b", "0.5"))
    ]
    import_verdicts(study, table(tmp_path / "v.csv", rows), scorers={"a": "judge/a"})
    assert stored(study, "m", "judge/a") == {"q0": 1.0}
    assert stored(study, "m", "imported/b") == {"q0": 0.5}


def test_a_column_called_as_a_rule_is_not_taken_for_what_the_rule_computes(
    study: Study, tmp_path: Path
) -> None:
    import_predictions(study, table(tmp_path / "m.csv", answers()))
    rows = [
        {"item_id": f"q{n}", "system": "m", "exact": "1", "judge/x": "1", "stored": "1"}
        for n in range(12)
    ]
    import_verdicts(study, table(tmp_path / "v.csv", rows))
    held = {f"q{n}": 1.0 for n in range(12)}
    for name in ("imported/exact", "judge/x", "stored"):
        assert stored(study, "m", name) == held
    assert score_study(study, scorers=["exact"]).marked == 12
    assert set(stored(study, "m", "exact").values()) == {0.0}


def test_verdicts_on_unknown_items_are_listed(study: Study, tmp_path: Path) -> None:
    import_predictions(study, table(tmp_path / "m.csv", answers(["q0"])))
    rows = [{"item_id": name, "system": "m", "judge": "1"} for name in ("q0", "q1", "zz")]
    report = import_verdicts(study, table(tmp_path / "v.csv", rows))
    assert report.systems[0].extra.shown == ("q1", "zz")
    assert stored(study, "m", "imported/judge") == {"q0": 1.0}


def test_verdicts_without_predictions_become_reported_counts(study: Study, tmp_path: Path) -> None:
    rows = [
        {"item_id": f"q{n}", "system": "gone", "judge": str(int(n in (0, 1, 6)))} for n in range(12)
    ]
    report = import_verdicts(study, table(tmp_path / "v.csv", rows), scorers={"judge": "judge/x"})
    frame = study.snapshot().frame("reported")
    assert frame.select("source", "table", "row", "column", "value", "printed", "n").rows() == [
        ("v.csv", "verdicts without predictions", "gone", "judge/x:NUM", 2 / 6, "2/6", 6),
        ("v.csv", "verdicts without predictions", "gone", "judge/x:REG", 1 / 6, "1/6", 6),
    ]
    assert study.snapshot().frame("verdicts").is_empty()
    assert any("no predictions of it, so 12 verdicts" in note for note in report.notes)


def test_reported_overturns_cut_graded_verdicts_where_measured_ones_are_cut(
    study: Study, tmp_path: Path
) -> None:
    # (rule, judge): overturned, left wrong, kept, rejected, and on the cut itself both are right
    pairs = [("0.3", "0.9"), ("0", "0.4"), ("0.7", "1"), ("1", "0.2"), ("0.5", "0.5")]
    rows = [
        {"item_id": f"q{n}", "rule": rule, "judge": judge} for n, (rule, judge) in enumerate(pairs)
    ]
    scorers = {"judge": "judge/x", "rule": "imported/rule"}
    path = table(tmp_path / "v.csv", [{**row, "system": "gone"} for row in rows])
    import_verdicts(study, path, scorers=scorers)
    import_predictions(study, table(tmp_path / "here.csv", answers([r["item_id"] for r in rows])))
    path = table(tmp_path / "w.csv", [{**row, "system": "here"} for row in rows])
    import_verdicts(study, path, scorers=scorers)
    view = view_study(study.snapshot())
    rule, judge = view.matrices["imported/rule"], view.matrices["judge/x"]
    found = overturn_table(
        rule, judge, items=view.items, names=("imported/rule", "judge/x"), reported=view.reported
    )
    assert [row.system for row in found.rows] == ["here"]
    measured, reported = found.rows[0], found.reported[0]
    assert (reported.system, reported.overturned) == ("gone", measured.overturned)
    assert reported.rejected == measured.rejected
    assert (measured.overturned.k, measured.overturned.n) == (1, 2)
    assert (measured.rejected.k, measured.rejected.n) == (1, 3)


def test_a_shorter_verdict_table_does_not_drop_verdicts_unasked(
    study: Study, tmp_path: Path
) -> None:
    import_predictions(study, table(tmp_path / "m.csv", answers(correct="1")))
    rows = [{"item_id": "q0", "system": "m", "strict": "0"}]
    path = table(tmp_path / "v.csv", rows)
    with pytest.raises(KeyClashError, match=r"11 verdicts of 'stored' on 'm'.*'q1'.*--replace"):
        import_verdicts(study, path, scorers={"strict": "stored"})
    assert len(stored(study, "m")) == 12
    options = ImportOptions(replace=True)
    import_verdicts(study, path, scorers={"strict": "stored"}, options=options)
    assert stored(study, "m") == {"q0": 0.0}


def test_reported_percents_are_kept_as_fractions_with_their_digits(
    study: Study, tmp_path: Path
) -> None:
    rows = [
        {"model": "a", "trade": "63.40", "law": "-"},
        {"model": "b", "trade": "7.00", "law": "1"},
    ]
    path = table(tmp_path / "r.csv", rows)
    report = import_reported(study, path, source="paper", table="8")
    frame = study.snapshot().frame("reported", source="paper")
    assert frame.select("table", "row", "column", "value", "printed", "unit").rows() == [
        ("8", "a", "trade", 0.634, "63.40", "fraction"),
        ("8", "b", "law", 0.01, "1", "fraction"),
        ("8", "b", "trade", 0.07, "7.00", "fraction"),
    ]
    assert report.notes == ("numbers of table '8' read as percent",)


def test_other_tables_of_a_source_stay(study: Study, tmp_path: Path) -> None:
    path = table(tmp_path / "r.csv", [{"model": "a", "x": "0.5"}])
    import_reported(study, path, source="paper", table="1")
    import_reported(study, path, source="paper", table="2")
    frame = study.snapshot().frame("reported")
    assert frame.select("table", "value").rows() == [("1", 0.5), ("2", 0.5)]
    assert not import_reported(study, path, source="paper", table="1").is_changed


def test_numbers_beyond_percents_need_their_unit(study: Study, tmp_path: Path) -> None:
    path = table(tmp_path / "r.csv", [{"model": "a", "elo": "1204"}])
    with pytest.raises(InputError, match=r"greatest number is 1204.*--unit"):
        import_reported(study, path, source="s", table="t")
    import_reported(study, path, source="s", table="t", unit="elo")
    assert study.snapshot().frame("reported").select("value", "unit").rows() == [(1204.0, "elo")]
