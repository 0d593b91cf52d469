"""Reading keeps every character, and says what it cannot read."""

from __future__ import annotations

import csv
import gc
import gzip
import io
import json
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finassay.errors import EncodingError, InputError, MappingError, UsageError
from finassay.runs.importers.sources import BadRow, Row, Value, read_records

# Everything that UTF-8 can hold: all planes, NUL, every line separator of Unicode.
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
AWKWARD = st.sampled_from(
    [
        *("NA", "N/A", "null", "None", "nan", "No", "yes", "true", "007", "1e5", " x ", "1,00,000"),
        *("a\u2028b", "a\u2029b", "a\x85b", "a\x0bb", "a\x0cb", "a\x1cb", "a\rb", "a\r\nb", "a\nb"),
        *('"', '""', "a\x00b", "\ufeffa", "₹ 5 crore", "−5%", "१२३", "😀"),
    ]
)
CELLS = TEXTS | AWKWARD
RELAXED = settings(
    deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def rows_of(path: Path, **options: str) -> list[Row]:
    return [row for batch in read_records(path, **options) for row in batch.rows]  # type: ignore[arg-type]


def bad_of(path: Path, **options: str) -> list[BadRow]:
    return [row for batch in read_records(path, **options) for row in batch.bad]  # type: ignore[arg-type]


def values_of(path: Path, **options: str) -> list[dict[str, Value]]:
    return [row.values for row in rows_of(path, **options)]


def written(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def as_csv(table: Sequence[Sequence[str]], delimiter: str, line_end: str) -> str:
    handle = io.StringIO(newline="")
    # QUOTE_MINIMAL of Python 3.11 leaves a lone carriage return bare, so everything is quoted.
    writer = csv.writer(handle, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL)
    writer.writerows(table)
    return handle.getvalue()


@given(
    table=st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=8),
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]),
)
@RELAXED
def test_csv_that_the_standard_library_wrote_comes_back_character_by_character(
    tmp_path: Path, table: list[list[str]], delimiter: str, line_end: str, encoding: str
) -> None:
    text = as_csv([["id", "text", "more"], *table], delimiter, line_end)
    path = written(tmp_path / "t.csv", text.encode(encoding))
    assert [list(values.values()) for values in values_of(path)] == table


@given(
    records=st.lists(
        st.dictionaries(CELLS, CELLS | st.none(), min_size=1, max_size=4), min_size=1, max_size=4
    )
)
@RELAXED
def test_json_lines_come_back_character_by_character(
    tmp_path: Path, records: list[dict[str, str | None]]
) -> None:
    for ascii_only in (True, False):
        text = "\n".join(json.dumps(record, ensure_ascii=ascii_only) for record in records)
        assert values_of(written(tmp_path / "t.jsonl", text)) == records


@given(records=st.lists(st.dictionaries(CELLS, CELLS, min_size=1), min_size=1))
@RELAXED
def test_every_shape_of_json_gives_the_same_records(
    tmp_path: Path, records: list[dict[str, str]]
) -> None:
    array = written(tmp_path / "a.json", json.dumps(records, indent=2))
    inside = {"version": 1, "meta": {"a": "b"}, "data": records, "n": 3}
    wrapped = written(tmp_path / "w.json", json.dumps(inside))
    keyed = {f"q{number}": record for number, record in enumerate(records)}
    mapped = written(tmp_path / "m.json", json.dumps(keyed))
    assert values_of(array) == records
    assert values_of(wrapped) == records
    expected = [{"_key": f"q{number}"} | record for number, record in enumerate(records)]
    assert values_of(mapped) == expected


@pytest.mark.parametrize("text", ["NA", "No", "null", "007", "1e5", "true", " x ", "1.10", ""])
def test_csv_fields_are_never_converted(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "t.csv", f"id,a\n1,{text}\n")
    assert values_of(path) == [{"id": "1", "a": text}]


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        ("1", "1"),
        ("1.0", "1.0"),
        ("1e5", "1e5"),
        ("0.10", "0.10"),
        ("-0", "-0"),
        ("12345678901234567890.123456789", "12345678901234567890.123456789"),
        ("9" * 5000, "9" * 5000),
        ("NaN", "NaN"),
        ("-Infinity", "-Infinity"),
        ("true", "true"),
        ("false", "false"),
        ("null", None),
        ('"null"', "null"),
        ('["a", "b"]', ["a", "b"]),
        ("[1.50, true]", ["1.50", "true"]),
        ('{"b": 1.50, "a": [null, NaN]}', '{"b": 1.50, "a": [null, NaN]}'),
    ],
)
def test_json_numbers_keep_their_digits(tmp_path: Path, literal: str, text: Value) -> None:
    line = f'{{"a": {literal}}}'
    assert values_of(written(tmp_path / "t.jsonl", line)) == [{"a": text}]
    assert values_of(written(tmp_path / "t.json", f"[{line}]")) == [{"a": text}]


def test_a_json_array_longer_than_the_window_is_read_whole(tmp_path: Path) -> None:
    records = [{"id": str(number), "text": "x" * (number % 3000)} for number in range(2000)]
    records[700]["text"] = "y" * 2_000_000
    assert values_of(written(tmp_path / "t.json", json.dumps(records))) == records


def peak_memory(path: Path) -> int:
    # What only a first pass does (taking the probes of coverage out, say) holds on to frames.
    for _ in read_records(path):
        pass
    # Where tests before left much in memory, cycles would wait long for their collection.
    gc.collect()
    gc.freeze()
    gc.collect()
    tracemalloc.start()
    try:
        for _ in read_records(path):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.unfreeze()


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.json"])
def test_three_times_the_file_takes_no_more_memory(tmp_path: Path, name: str) -> None:
    head, row, between, tail = {
        "t.csv": ("id,text\n", f"1,{'x' * 4000}", "\n", "\n"),
        "t.jsonl": ("", json.dumps({"id": "1", "text": "x" * 4000}), "\n", "\n"),
        "t.json": ("[", json.dumps({"id": "1", "text": "x" * 4000}), ",", "]"),
    }[name]
    small = peak_memory(written(tmp_path / name, head + between.join([row] * 4_000) + tail))
    large = peak_memory(written(tmp_path / name, head + between.join([row] * 12_000) + tail))
    assert large < 1.2 * small


def test_quoted_line_ends_belong_to_the_field_and_lines_are_counted(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", 'id,a\n1,"x\r\ny\nz"\n2,w\n')
    assert [(row.line, row.values["a"]) for row in rows_of(path)] == [(2, "x\r\ny\nz"), (5, "w")]


def test_a_ragged_row_is_bad_and_says_where_and_why(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "id,a\n1,x\n2\n3,y,z\n4,w\n")
    assert [row.values["id"] for row in rows_of(path)] == ["1", "4"]
    assert [(bad.file, bad.line, bad.reason, bad.snippet) for bad in bad_of(path)] == [
        ("t.csv", 3, "expected 2 fields, got 1", "2"),
        ("t.csv", 4, "expected 2 fields, got 3", "3,y,z"),
    ]


def test_an_unterminated_quote_names_the_line_where_it_began(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", 'id,a\n1,x\n2,"never closed\n3,y\n4,z\n')
    assert [row.values["id"] for row in rows_of(path)] == ["1"]
    (bad,) = bad_of(path)
    assert bad.line == 3
    assert "begins in line 3 is never closed, so lines 3 to 5" in bad.reason


def test_text_behind_a_closing_quote_is_a_bad_row_and_the_next_row_is_read(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", 'id,a\n1,"x"y\n2,z\n')
    assert [row.values["id"] for row in rows_of(path)] == ["2"]
    assert [bad.line for bad in bad_of(path)] == [2]


def test_a_quote_in_the_header_that_is_never_closed_is_an_error(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", 'id,"a\n1,x\n')
    with pytest.raises(InputError, match="line 1: a quotation mark in the header is never closed"):
        list(read_records(path))


def test_a_field_longer_than_the_standard_limit_is_read(tmp_path: Path) -> None:
    long = "x" * 200_000
    assert values_of(written(tmp_path / "t.csv", f"id,a\n1,{long}\n")) == [{"id": "1", "a": long}]


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "id,a,a\n1,x,y\n")
    with pytest.raises(MappingError, match=r"got \['a'\] more than once"):
        list(read_records(path))


@pytest.mark.parametrize("name", ["t.csv", "t.json", "t.jsonl"])
def test_an_empty_file_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=f"{name}.*(no header|no rows)"):
        list(read_records(written(tmp_path / name, "")))


@pytest.mark.parametrize(
    ("name", "data"), [("t.csv", "id,a\n"), ("t.json", "[]"), ("t.json", "{}")]
)
def test_a_file_without_rows_is_an_error(tmp_path: Path, name: str, data: str) -> None:
    with pytest.raises(InputError, match="there are no rows"):
        list(read_records(written(tmp_path / name, data)))


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        list(read_records(tmp_path / "none.csv"))


def test_wrong_encoding_names_the_byte_and_the_way_out(tmp_path: Path) -> None:
    head = "id,a\n" + f"1,{'ok' * 500}\n" * 3_000
    data = head.encode() + "2,5 \u20ac\n".encode("cp1252")
    path = written(tmp_path / "t.csv", data)
    offset = len(head) + len("2,5 ")
    with pytest.raises(EncodingError, match=rf"byte {offset} \(80\).*--encoding cp1252"):
        list(read_records(path))
    assert values_of(path, encoding="cp1252")[-1] == {"id": "2", "a": "5 €"}


def test_text_cut_inside_a_character_is_an_encoding_error(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "id,a\n1,₹".encode()[:-1])
    with pytest.raises(EncodingError, match=r"byte 7 \(e2 82\)"):
        list(read_records(path))


def test_utf_16_without_a_mark_is_recognised(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "id,a\n1,x\n".encode("utf-16-le"))
    with pytest.raises(EncodingError, match="--encoding utf-16-le"):
        list(read_records(path))
    assert values_of(path, encoding="utf-16-le") == [{"id": "1", "a": "x"}]


def test_an_unknown_encoding_is_a_usage_error(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "id\n1\n")
    with pytest.raises(UsageError, match="got 'utf-9'"):
        list(read_records(path, encoding="utf-9"))


def test_a_header_that_two_delimiters_split_alike_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "a,b;c\n1,2;3\n")
    with pytest.raises(InputError, match="--delimiter"):
        list(read_records(path))
    assert next(read_records(path, delimiter=";")).columns == ("a,b", "c")


def test_the_delimiter_is_read_from_the_header_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "id;a\n1;x,y,z,w\n")
    (batch,) = read_records(path)
    assert batch.reading.delimiter == ";"
    assert batch.rows[0].values == {"id": "1", "a": "x,y,z,w"}


def test_blank_lines_are_passed_over_and_counted(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "\n\nid,a\n\n1,x\n\n")
    assert [(row.line, row.values) for row in rows_of(path)] == [(5, {"id": "1", "a": "x"})]


def test_a_bad_json_line_does_not_stop_the_rest(tmp_path: Path) -> None:
    lines = [
        '{"id": "1"}',
        '{"id": ',
        "[1]",
        '{"a": 1, "a": 2}',
        r'{"id": "\ud800"}',
        '{"id": "2"}',
    ]
    path = written(tmp_path / "t.jsonl", "\r\n".join(lines))
    assert [row.values["id"] for row in rows_of(path)] == ["1", "2"]
    reasons = [(bad.line, bad.reason) for bad in bad_of(path)]
    assert [line for line, _ in reasons] == [2, 3, 4, 5]
    for (_, reason), part in zip(
        reasons, ["not JSON", "expected an object", "'a' stands twice", "surrogate"], strict=True
    ):
        assert part in reason


def test_a_pair_of_surrogate_escapes_is_one_character(tmp_path: Path) -> None:
    assert values_of(written(tmp_path / "t.jsonl", r'{"a": "\ud83d\ude00"}')) == [{"a": "😀"}]


def test_a_json_file_cut_short_is_an_error_that_says_where(tmp_path: Path) -> None:
    path = written(tmp_path / "t.json", '[{"id": "1"}, {"id": ')
    with pytest.raises(InputError, match=r"t\.json: character 2\d: not JSON"):
        list(read_records(path))


def test_json_lines_under_the_wrong_name_are_told_apart(tmp_path: Path) -> None:
    path = written(tmp_path / "t.json", '{"id": "1"}\n{"id": "2"}\n')
    with pytest.raises(InputError, match="--format jsonl"):
        list(read_records(path))
    assert len(rows_of(path, format="jsonl")) == 2


def test_two_places_with_records_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "t.json", '{"a": [{"id": "1"}], "b": [{"id": "2"}]}')
    with pytest.raises(InputError, match="'b' is a second place with records, after 'a'"):
        list(read_records(path))


def test_json_nested_too_deeply_is_bad_and_not_a_crash(tmp_path: Path) -> None:
    deep = '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}"
    path = written(tmp_path / "t.jsonl", f'{deep}\n{{"a": "x"}}\n')
    assert values_of(path) == [{"a": "x"}]
    assert "nested too deeply" in bad_of(path)[0].reason


def test_a_gzipped_file_is_read_as_what_its_name_says(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv.gz", gzip.compress(b"id,a\n1,x\n"))
    assert values_of(path) == [{"id": "1", "a": "x"}]


def test_damaged_compression_is_an_input_error(tmp_path: Path) -> None:
    whole = gzip.compress(b"id,a\n" + b"1,x\n" * 100)
    for data in (whole[:-12], b"id,a\n1,x\n"):
        with pytest.raises(InputError, match="gzip compression is damaged"):
            list(read_records(written(tmp_path / "t.csv.gz", data)))


def test_an_unknown_ending_asks_for_the_format(tmp_path: Path) -> None:
    path = written(tmp_path / "t.dat", "id,a\n1,x\n")
    with pytest.raises(UsageError, match="--format"):
        read_records(path)
    assert values_of(path, format="csv") == [{"id": "1", "a": "x"}]


def test_parquet_cells_become_text(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "id": ["007", None],
            "n": [1, 2],
            "x": [0.5, float("nan")],
            "yes": [True, None],
            "many": [["a", "b"], []],
        }
    )
    frame.write_parquet(tmp_path / "t.parquet")
    assert values_of(tmp_path / "t.parquet") == [
        {"id": "007", "n": "1", "x": "0.5", "yes": "true", "many": ["a", "b"]},
        {"id": None, "n": "2", "x": "NaN", "yes": None, "many": []},
    ]


def test_a_file_that_only_claims_to_be_parquet_is_an_input_error(tmp_path: Path) -> None:
    path = written(tmp_path / "t.parquet", "id,a\n1,x\n")
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        list(read_records(path))


def test_progress_ends_at_the_size_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "id,a\n" + "1,x\n" * 30_000)
    seen: list[tuple[int, int | None]] = []
    for _ in read_records(path, progress=lambda done, total: seen.append((done, total))):
        pass
    size = path.stat().st_size
    assert seen[-1] == (size, size)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert len(seen) > 2
