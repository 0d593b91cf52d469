"""What holds for tables made from the rows of other files."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.benchmarks.derived import derive
from finassay.benchmarks.manifests import DerivedTable, Form, Location, Part, Pin
from finassay.errors import FetchError

COMMIT = "a" * 40


def table(form: Form, columns: dict[str, str], *labels: str, label: str | None = None):
    return DerivedTable(
        pin=Pin(target="t", sha256="b" * 64, size=1),
        form=form,
        columns=tuple(columns.items()),
        parts=tuple(
            Part(location=Location(path=f"p{i}", commit=COMMIT), about=1, label=name)
            for i, name in enumerate(labels or ("",))
        ),
        label=label,
    )


def test_rows_of_all_parts_are_labelled_renamed_and_sorted():
    two = table("csv", {"item_id": "id", "judge": "verdict"}, "beta", "alpha", label="system")
    made = derive(two, [b"id,verdict,why\n2,1,x\n1,0,y\n", b'why,id,verdict\r\n"a\r\nb",2,0\r\n'])
    assert made == b"item_id,judge,system\n1,0,beta\n2,0,alpha\n2,1,beta\n"


def test_a_byte_order_mark_is_not_part_of_the_first_column():
    assert derive(table("csv", {"id": "id"}), [b"\xef\xbb\xbfid\n1\n"]) == b"id\n1\n"


def test_a_repeated_row_is_kept():
    assert derive(table("csv", {"id": "id"}), [b"id,x\n1,a\n1,b\n"]) == b"id\n1\n1\n"


def test_a_missing_column_is_named_with_those_that_came():
    with pytest.raises(FetchError, match=r"p0: .*missing \['verdict'\], got \['id'\].*--from DIR"):
        derive(table("csv", {"judge": "verdict"}), [b"id\n1\n"])


def test_an_empty_part_is_an_error_and_no_empty_table():
    with pytest.raises(FetchError, match=r"missing \['id'\]"):
        derive(table("csv", {"id": "id"}), [b""])


def test_text_that_is_no_csv_is_named_with_its_place():
    with pytest.raises(FetchError, match=r"p0: not CSV after line 1"):
        derive(table("csv", {"id": "id"}), [b'id\n"1"x\n'])


def test_bytes_that_are_no_text_are_named():
    with pytest.raises(FetchError, match=r"p0: expected UTF-8 text"):
        derive(table("csv", {"id": "id"}), [b"id\n\xff\n"])


def test_objects_keep_their_order_and_the_chosen_keys_that_they_have():
    source = [{"b": "₹", "x": 1, "a": "1"}, {"a": "0"}]
    made = derive(
        table("json", {"a": "a", "b": "b"}), [json.dumps(source, indent=7).encode("ascii")]
    )
    text = '[\n  {\n    "a": "1",\n    "b": "₹"\n  },\n  {\n    "a": "0"\n  }\n]'
    assert made.decode("utf-8") == text


@pytest.mark.parametrize("content", [b"{}", b"[1]", b"[", b""])
def test_json_that_is_no_list_of_objects_is_named(content: bytes):
    with pytest.raises(FetchError, match=r"p0: expected a JSON list of objects"):
        derive(table("json", {"a": "a"}), [content])


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), max_size=5)


@settings(deadline=None)
@given(rows=st.lists(st.tuples(CELLS, CELLS), max_size=6), data=st.data())
def test_the_order_and_line_ends_of_the_source_do_not_matter(
    rows: list[tuple[str, str]], data: st.DataObject
):
    def written(listed: list[tuple[str, str]], end: str) -> bytes:
        stream = io.StringIO(newline="")
        writer = csv.writer(stream, lineterminator=end, quoting=csv.QUOTE_ALL)
        writer.writerows([("id", "v"), *listed])
        return stream.getvalue().encode("utf-8")

    shuffled = data.draw(st.permutations(rows))
    chosen = table("csv", {"id": "id", "v": "v"})
    made = derive(chosen, [written(rows, "\n")])
    assert made == derive(chosen, [written(shuffled, "\r\n")])
    read = list(csv.reader(io.StringIO(made.decode("utf-8"), newline="")))
    assert [tuple(row) for row in read] == [("id", "v"), *sorted(rows)]
