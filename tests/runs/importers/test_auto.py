from pathlib import Path

import pytest

from finassay.errors import InputError, MappingError
from finassay.runs.importers.auto import Request, import_tables
from finassay.study import Study
from import_tables import answers, stored, table, texts


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    items = [{"id": f"q{n}", "question": f"Q{n}?", "answer": str(n)} for n in range(12)]
    table(tmp_path / "z_items.csv", items)
    table(tmp_path / "m.csv", answers(correct="1"))
    judged = [{"item_id": f"q{n}", "system": "m", "judge": "0"} for n in range(12)]
    table(tmp_path / "a_judged.csv", judged)
    printed = [{"model": "p", "strict": "63.40"}, {"model": "q", "strict": "7.00"}]
    table(tmp_path / "b_printed.csv", printed)
    return tmp_path


def test_kinds_are_read_off_the_columns_and_taken_in_the_order_they_need(raw: Path):
    study = Study.create(raw / "s")
    # verdicts come first by name, and need the predictions, which need the items
    names = ("a_judged.csv", "b_printed.csv", "m.csv", "z_items.csv")
    request = Request(paths=tuple(raw / name for name in names), scorers={"judge": "judge/x"})
    report = import_tables(study, request)
    assert len(report.reports) == 4
    assert texts(study, "m")["q3"] == "answer to q3"
    assert stored(study, "m", "judge/x") == {f"q{n}": 0.0 for n in range(12)}
    assert stored(study, "m") == {f"q{n}": 1.0 for n in range(12)}
    reported = study.snapshot().frame("reported")
    assert reported.select("source", "table", "row", "value").rows() == [
        ("b_printed.csv", "b_printed", "p", 0.634),
        ("b_printed.csv", "b_printed", "q", 0.07),
    ]


def test_a_file_of_items_named_as_such_is_read_first(raw: Path):
    study = Study.create(raw / "s")
    request = Request(paths=(raw / "m.csv",), items=raw / "z_items.csv", benchmark="bench")
    import_tables(study, request)
    assert set(study.snapshot().frame("items")["benchmark"]) == {"bench"}
    assert len(texts(study, "m")) == 12


def test_a_pattern_stands_for_its_files(raw: Path):
    study = Study.create(raw / "s")
    report = import_tables(study, Request(paths=(f"{raw}/[mz]*.csv",)))
    assert len(report.reports) == 2


def test_columns_that_fit_no_table_are_an_error_that_names_them(raw: Path):
    odd = table(raw / "odd.csv", [{"colour": "red", "size": "3 m"}])
    with pytest.raises(MappingError, match=r"odd\.csv|colour"):
        import_tables(Study.create(raw / "s"), Request(paths=(odd,)))


def test_a_missing_file_is_an_error_before_anything_is_committed(raw: Path):
    study = Study.create(raw / "s")
    with pytest.raises(InputError, match="no such file"):
        import_tables(study, Request(paths=(raw / "z_items.csv", raw / "nosuch.csv")))
    assert study.snapshot().frame("items").is_empty()


def test_bytes_are_counted_up_to_the_size_of_each_file(raw: Path):
    seen: list[tuple[int, int | None]] = []
    request = Request(paths=(raw / "z_items.csv",))
    import_tables(
        Study.create(raw / "s"), request, progress=lambda done, total: seen.append((done, total))
    )
    assert seen[-1] == ((raw / "z_items.csv").stat().st_size,) * 2
