from finassay.analyses.overturns import overturn_table, reported_overturns
from finassay.records import Item, ReportedScore
from finassay.reports.tables_rules import overturns
from small_boards import board

NAMES = ("rule", "judge/x")
ITEMS = [Item(item_id=f"i{at}", family="A") for at in range(4)]


def counted(column: str, right: int, n: int | None, row: str = "gone") -> ReportedScore:
    value = right / n if n else 0.5
    return ReportedScore(source="f.csv", table="t", row=row, column=column, value=value, n=n)


BOTH = [
    counted("judge/x given rule wrong:A", 3, 4),
    counted("judge/x given rule wrong:B", 1, 6),
    counted("judge/x given rule right:A", 9, 10),
    counted("judge/x given rule right:B", 18, 20),
]


def test_counts_by_family_add_up_to_overturns_and_rejections():
    (found,) = reported_overturns(BOTH, names=NAMES)
    assert (found.system, found.source) == ("gone", "f.csv")
    assert (found.overturned.k, found.overturned.n) == (4, 10)
    # right under the rule and marked right by the judge on 27 of 30: 3 were rejected
    assert (found.rejected.k, found.rejected.n) == (3, 30)


def test_one_direction_alone_or_without_its_n_makes_no_row():
    assert reported_overturns(BOTH[:2], names=NAMES) == ()
    without = [counted(score.column, 1, None) for score in BOTH]
    assert reported_overturns(without, names=NAMES) == ()


def test_columns_of_other_pairs_are_not_taken_for_this_one():
    assert reported_overturns(BOTH, names=("judge/x", "rule")) == ()
    assert reported_overturns(BOTH, names=("rule", "judge/y")) == ()


def test_a_measured_system_is_never_shown_as_reported():
    assert reported_overturns(BOTH, names=NAMES, measured=["gone"]) == ()


def test_reported_rows_stand_beside_the_table_and_not_in_its_sum():
    rule, judge = board({"a": "1100"}), board({"a": "1010"})
    bare = overturn_table(rule, judge, items=ITEMS, names=NAMES)
    found = overturn_table(rule, judge, items=ITEMS, names=NAMES, reported=BOTH)
    assert bare.reported == ()
    assert [row.system for row in found.reported] == ["gone"]
    assert (found.rows, found.pooled) == (bare.rows, bare.pooled)


def test_a_judge_that_failed_is_counted_and_said():
    (found,) = overturn_table(
        board({"a": "1100"}), board({"a": "1fff"}), items=ITEMS, names=NAMES
    ).rows
    assert (found.n_shared, found.n_items) == (1, 1)
    assert (found.n_unscored, found.n_failed, found.n_not_applicable) == (0, 3, 0)


def test_every_item_of_the_rule_is_counted_once():
    rule = board({"a": "110fna0.1"})
    judge = board({"a": "1nauf.f1."})
    listed = [Item(item_id=f"i{at}", family="A") for at in range(9)]
    table = overturn_table(rule, judge, items=listed, names=NAMES)
    (found,) = table.rows
    # scored: i0, and i8 of which the judge was not asked; i7 has no verdict of the rule
    assert found.n_items == 2
    # i1 unanswered by the judge
    assert found.n_unscored == 1
    # i3, i4 and i6 failed on one side, whatever the other says
    assert found.n_failed == 3
    # i2 for the judge, i5 for the rule
    assert found.n_not_applicable == 2
    assert table.warnings == (
        "items left out of the rates, because there is no readable answer: a 1",
        "items left out of the rates, because marking failed: a 3",
        "items left out of the rates, because the rule or the judge does not apply: a 2",
    )


def test_the_table_names_the_level_of_its_intervals():
    rule, judge = board({"a": "1100"}), board({"a": "1010"})
    found = overturn_table(rule, judge, items=ITEMS, names=NAMES, level=0.9)
    assert found.level == 0.9
    assert "90% interval" in {column.header for column in overturns(found, {"a": "a"}).columns}
