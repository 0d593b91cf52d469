"""Reading logs of replies: FLARE's own, and plain tables."""

import json
from pathlib import Path

import pytest

from finassay.errors import BadRowsError, InputError, MappingError
from finassay.runs.importers.flare import flare_marks
from finassay.runs.importers.label_logs import LabelColumns, read_label_log
from flare_logs import CALM_GERMAN, CHATGLM, GPT4_FRAUD, GPT4_GERMAN, LLAMA, log_of

FLARE_ROW = {
    "doc_id": 7,
    "prompt_0": "Respond with only 'good' or 'bad'.",
    "logit_0": " Good\n",
    "truth": "bad",
    "acc": "0.0",
    "missing": "0",
    "f1": "('good', 'bad')",
    "mcc": "('good', 'bad')",
}


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_flare_log_gives_reply_label_and_marks_as_they_stand(tmp_path: Path) -> None:
    log = read_label_log(written(tmp_path, "log.json", json.dumps([FLARE_ROW])))
    (row,) = log.rows
    assert log.is_flare
    assert (row.row, row.reply, row.gold) == ("7", " Good\n", "bad")
    assert (row.is_right, row.is_missing, row.logged_label) == (False, False, "good")


def test_a_flare_row_without_a_label_says_missing() -> None:
    marks = flare_marks({"missing": "1", "f1": "('missing', 'no')"})
    assert (marks.is_missing, marks.label) == (True, "missing")


@pytest.mark.parametrize("printed", ["0.5", "(-1, 'no')", "('a'", "__import__('os')", "[1, 2]", ""])
def test_anything_but_a_printed_pair_of_names_is_no_logged_label(printed: str) -> None:
    assert flare_marks({"f1": printed}).label is None


def test_a_plain_table_needs_only_a_reply_and_a_label(tmp_path: Path) -> None:
    log = read_label_log(written(tmp_path, "log.csv", "reply,gold\nNA,no\n,yes\n"))
    assert [(row.row, row.reply, row.gold) for row in log.rows] == [
        ("1", "NA", "no"),
        ("2", "", "yes"),
    ]
    assert not log.is_flare
    assert log.rows[0].is_right is None


@pytest.mark.parametrize("field", ['"[""no"", ""yes""]"', "no|yes"])
def test_choices_stand_in_the_order_of_the_table(tmp_path: Path, field: str) -> None:
    text = f"reply,gold,choices,kind,human\nNo.,no,{field},news,no\n"
    columns = LabelColumns(stratum="kind")
    log = read_label_log(written(tmp_path, "log.csv", text), columns=columns)
    assert log.rows[0].choices == ("no", "yes")
    assert (log.rows[0].stratum, log.rows[0].human) == ("news", "no")
    assert log.choices() == ("no", "yes")


def test_labels_that_a_log_shows_include_extracted_ones_but_not_missing(tmp_path: Path) -> None:
    rows = [FLARE_ROW, {**FLARE_ROW, "f1": "('missing', 'bad')"}]
    log = read_label_log(written(tmp_path, "log.json", json.dumps(rows)))
    assert log.choices() == ("bad", "good")


def test_a_row_without_a_label_is_left_out_and_named(tmp_path: Path) -> None:
    path = written(tmp_path, "log.csv", "reply,gold\nYes,yes\nNo,\n")
    log = read_label_log(path)
    assert (len(log.rows), [str(row.reason) for row in log.bad]) == (
        1,
        ["the row has no accepted label"],
    )
    with pytest.raises(BadRowsError, match="1 rows cannot be used"):
        read_label_log(path, strict=True)


def test_a_log_without_usable_rows_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no row can be used"):
        read_label_log(written(tmp_path, "log.csv", "reply,gold\nNo,\n"))


def test_a_table_without_replies_says_which_columns_there_are(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match=r"`reply`.*'said'"):
        read_label_log(written(tmp_path, "log.csv", "said,gold\nNo,no\n"))


def test_a_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match="`stratum` must be a column of the log, got 'kind'"):
        read_label_log(
            written(tmp_path, "log.csv", "reply,gold\nNo,no\n"),
            columns=LabelColumns(stratum="kind"),
        )


def test_the_digest_changes_with_a_reply_and_not_with_the_name(tmp_path: Path) -> None:
    text = "reply,gold\nNo,no\n"
    first = read_label_log(written(tmp_path, "a.csv", text))
    again = read_label_log(written(tmp_path, "b.csv", text))
    other = read_label_log(written(tmp_path, "c.csv", "reply,gold\nNo.,no\n"))
    assert first.digest == again.digest != other.digest


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "n", "right"),
    [
        (LLAMA, 2000, 579),
        (CHATGLM, 2000, 10),
        (GPT4_FRAUD, 100, 58),
        (GPT4_GERMAN, 200, 109),
        (CALM_GERMAN, 200, 113),
    ],
)
def test_published_logs_are_read_whole(name: str, n: int, right: int) -> None:
    log = log_of(name)
    assert log.is_flare
    assert (len(log.rows), log.bad) == (n, ())
    assert sum(bool(row.is_right) for row in log.rows) == right
