"""The section about judges: every table has a place, and plain words where there are no people."""

from dataclasses import replace

import pytest

from finassay.analyses.judges.results_compare import Judges
from finassay.reports.outline_judges import ANCHOR, judge_tables, judges_room
from finassay.reports.rooms import Room
from judged_samples import Columns, inputs, judged

LETTERS: Columns = {"alpha": "1100" * 4, "beta": "1010" * 4, "gamma": "0110" * 4}
OTHER: Columns = {"alpha": "1110" * 4, "beta": "101u" * 4, "gamma": "0100" * 4}
NAME = "judge/alpha/single"


@pytest.fixture(scope="module")
def whole() -> Judges:
    made = {
        f"{NAME}/human/A/exact": LETTERS,
        f"{NAME}/human/A/1%": OTHER,
        f"{NAME}/none/A": OTHER,
        f"{NAME}/wrong/A": OTHER,
        "judge/beta/single/none/A": LETTERS,
    }
    people = {"person/a": LETTERS, "person/b": LETTERS, "person/c": OTHER}
    given = inputs(made, people, rule=OTHER, tasks="xxyy" * 4)
    silent = {"empty": frozenset({("i0", "beta")})}
    return judged(replace(given, silence=silent), by=("task",))


def placed(room: Room) -> set[str]:
    return {key for part in room.parts for key in (*part.tables, *(key for _, key in part.folded))}


def test_every_table_has_a_place_in_the_section(whole: Judges):
    tables = judge_tables(whole)
    assert placed(judges_room(whole, tables)) == set(tables)
    assert len(tables) == 21


def test_the_section_has_anchors_of_its_own(whole: Judges):
    room = judges_room(whole, judge_tables(whole))
    assert room.anchor == ANCHOR
    anchors = [part.anchor for part in room.parts]
    assert len(set(anchors)) == len(anchors)
    assert all(anchor.startswith(ANCHOR) for anchor in anchors)


def test_tables_that_are_left_out_leave_no_empty_part(whole: Judges):
    tables = judge_tables(whole)
    few = {key: tables[key] for key in ("judges", "judge-counts")}
    room = judges_room(whole, few)
    assert placed(room) == set(few)
    assert [part.anchor for part in room.parts] == [f"{ANCHOR}-main", f"{ANCHOR}-details"]


def test_without_people_the_section_opens_with_not_calibrated():
    result = judged(inputs({"judge/x": LETTERS}, {}))
    room = judges_room(result, judge_tables(result))
    assert room.parts[0].text[0].startswith("Not calibrated: the study holds no labels of people.")


def test_the_opening_tells_each_judge_but_no_control(whole: Judges):
    text = " ".join(judges_room(whole, judge_tables(whole)).parts[0].text)
    assert "beta/single/none/A: " in text
    assert "wrong/A" not in text


def test_unreadable_verdicts_are_shown_under_all_treatments(whole: Judges):
    table = judge_tables(whole)["judge-treatments"]
    assert [row[1] for row in table.rows[:4]] == [
        "a category of its own",
        "as INCORRECT",
        "half CORRECT, half INCORRECT",
        "dropped",
    ]


def test_a_control_is_told_as_one(whole: Judges):
    cells = {row[0]: row[-1] for row in judge_tables(whole)["judges"].rows}
    assert cells["alpha/single/wrong/A"].startswith("control (")
