from finassay.analyses.overturns import overturn_table, reported_overturns
from finassay.records import Item, ReportedScore
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
