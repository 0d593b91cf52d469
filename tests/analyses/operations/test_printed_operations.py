"""Selection from printed tables: what a column is taken for, exact decimals, words."""

from collections.abc import Mapping
from decimal import Decimal

import pytest

from finassay.analyses.operations.printed import TablesRequest, operations_of_tables, system_name
from finassay.analyses.operations.results import OperationsResult
from finassay.analyses.operations.selection import SelectionSettings
from finassay.errors import MappingError, UsageError
from finassay.records import ReportedScore

Rows = Mapping[str, Mapping[str, str]]


def scores(rows: Rows, table: str = "t") -> tuple[ReportedScore, ...]:
    return tuple(
        ReportedScore(source="s", table=table, row=row, column=column, value=0.0, printed=printed)
        for row, cells in rows.items()
        for column, printed in cells.items()
    )


KNOWLEDGE: Rows = {
    "a": {"law": "70.0", "risk": "90.0", "overall": "80.0"},
    "b": {"law": "60.0", "risk": "80.0", "overall": "70.5"},
    "c": {"law": "50.0", "risk": "70.0", "overall": "70.0"},
}
WORK: Rows = {
    "a": {"match": "50.0", "draft": "10.0"},
    "b": {"match": "70.1", "draft": "20.0"},
    "c": {"match": "60.0", "draft": "30.0"},
}


def found(request: TablesRequest | None = None, **settings: Decimal) -> OperationsResult:
    return operations_of_tables(
        {"k": scores(KNOWLEDGE, "k"), "w": scores(WORK, "w")},
        request,
        SelectionSettings(**settings),
    )


def test_columns_beside_the_knowledge_score_are_its_groups_and_no_operations():
    assert [row.operation for row in found().operations] == ["match", "draft"]
    assert found().knowledge == "overall"


def test_regret_is_exact_on_printed_decimals():
    match, draft = found().operations
    assert match.regret == (20.1, 0.0, 0.0)
    assert draft.regret == (20.0, 10.0, 0.0)
    assert found().shortlists.mean_regret == (20.05, 5.0, 0.0)
    assert found().shortlists.recovered == (0, 1, 2)
    assert found().shortlists.all_recovered_at == 3


def test_systems_within_a_distance_of_the_cut_can_be_kept():
    # b stands 0.5 above c: at k = 2 the cut is 70.5, and 70.0 is within 0.5 of it, not within 0.4.
    assert found(within=Decimal("0.5")).operations[1].regret == (20.0, 0.0, 0.0)
    assert found(within=Decimal("0.4")).operations[1].regret == (20.0, 10.0, 0.0)


def test_near_pairs_are_told_on_decimals():
    assert [(p.left, p.right) for p in found(near=Decimal("0.5")).profiles.near_pairs] == [
        ("b", "c")
    ]
    assert found(near=Decimal("0.49")).profiles.n_near == 0
    assert found(near=Decimal("0.49")).profiles.near_median_gap is None


def test_a_recommendation_names_leader_cost_and_that_there_is_no_interval():
    text = found().operations[0].recommendation.text
    assert text == (
        "For match take b (70.10; next is c, 10.10 below); the knowledge leader, a, would cost "
        "20.10 points; no interval can be given, as printed scores have no items."
    )
    assert found().operations[0].recommendation.has_interval is False


def test_leaders_that_tie_are_both_named():
    rows = {"a": {"overall": "9", "x": "5"}, "b": {"overall": "8", "x": "7"}}
    rows["c"] = {"overall": "7", "x": "7"}
    one = operations_of_tables({"t": scores(rows)}).operations[0]
    assert one.leaders == ("b", "c")
    assert one.leader_knowledge_rank == 2
    assert "take b or c (7.00; next is a, 2.00 below)" in one.recommendation.text


def test_an_evaluator_is_left_out_of_what_it_judged_and_of_the_matrix_alone():
    request = TablesRequest(judged=("draft",), evaluators=("c",))
    match, draft = found(request).operations
    assert (match.n_eligible, draft.n_eligible) == (3, 2)
    assert draft.leaders == ("b",)
    assert found(request).agreement.n_systems == 2
    row = next(row for row in found(request).systems if row.system == "c")
    assert row.is_evaluator
    assert row.scores == (60.0, 30.0)
    assert row.eligible == (True, False)


def test_an_evaluator_that_leads_what_it_judged_is_told():
    request = TablesRequest(judged=("draft",), evaluators=("c",))
    titles = [one.title for one in found(request).findings]
    assert "c would lead draft, which it judged" in titles


def test_a_cell_without_a_number_takes_a_system_out_of_that_operation():
    rows = {**WORK, "a": {"match": "50.0"}}
    made = operations_of_tables({"k": scores(KNOWLEDGE, "k"), "w": scores(rows, "w")})
    assert [row.n_eligible for row in made.operations] == [3, 2]
    assert made.agreement.n_systems == 2
    assert any("lack a score in some operation" in note for note in made.warnings)


def test_marks_of_footnotes_are_no_part_of_a_name():
    assert system_name(" Model A † ") == "Model A"
    assert system_name("Model-B*") == "Model-B"


def test_percent_signs_and_true_minus_signs_are_read():
    rows = {"a": {"overall": "80%", "x": "−1.5"}, "b": {"overall": "70%", "x": "2.5%"}}
    assert operations_of_tables({"t": scores(rows)}).operations[0].regret == (4.0, 0.0)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (TablesRequest(judged=("nothing",), evaluators=("a",)), "no operation is called 'nothing'"),
        (TablesRequest(judged=("draft",)), "name it, too"),
        (TablesRequest(evaluators=("a",)), "name them with --judged"),
        (TablesRequest(judged=("draft",), evaluators=("z",)), "no system is called 'z'"),
        (TablesRequest(operations=("sing",)), "no number stands in a column 'sing'"),
        (TablesRequest(knowledge="wit"), "no number stands in a column 'wit'"),
    ],
)
def test_names_that_are_not_there_are_refused(request_: TablesRequest, words: str):
    with pytest.raises(UsageError, match=words):
        found(request_)


def test_a_table_without_a_knowledge_score_is_refused():
    with pytest.raises(MappingError, match="name it with --knowledge"):
        operations_of_tables({"w": scores(WORK)})


def test_one_column_in_two_tables_is_refused():
    with pytest.raises(MappingError, match="'match' stands in 'v' and in 'w'"):
        operations_of_tables({"v": scores(WORK, "v"), "w": scores(WORK, "w")})


def test_an_operation_with_one_system_cannot_be_compared():
    rows = {"a": {"overall": "9", "x": "5"}, "b": {"overall": "8"}}
    with pytest.raises(UsageError, match="'x' has 1 system with"):
        operations_of_tables({"t": scores(rows)})


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"within": Decimal(-1)}, "`within` must be 0 or more"),
        ({"near": Decimal("NaN")}, "`near` must be 0 or more"),
        ({"draws": 10}, "`draws` must be at least 100"),
        ({"level": 95.0}, "for 95% pass 0.95"),
        ({"seed": -1}, "`seed` must be 0 or more"),
    ],
)
def test_settings_out_of_range_are_refused(settings: dict, words: str):
    with pytest.raises(UsageError, match=words):
        SelectionSettings(**settings)


def test_a_constant_column_has_no_correlation_and_no_spectrum():
    rows = {name: {**cells, "match": "5.0"} for name, cells in WORK.items()}
    made = operations_of_tables({"k": scores(KNOWLEDGE, "k"), "w": scores(rows, "w")})
    assert made.operations[0].correlation is None
    assert made.agreement.matrix[0][1] is None
    assert made.agreement.eigenvalues == ()
    assert made.agreement.mean is None
    assert made.agreement.share_below is None


def table(*rows: str) -> tuple[ReportedScore, ...]:
    """Return the scores of a table whose first row names the columns."""
    columns, *lines = [row.split() for row in rows]
    return tuple(
        ReportedScore(source="s", table="t", row=name, column=column, value=0.0, printed=printed)
        for name, *cells in lines
        for column, printed in zip(columns, cells, strict=False)
    )


@pytest.mark.parametrize("printed", ["1E-400", "1e300", "1E999999"])
def test_a_number_that_is_no_score_is_told(printed: str):
    given = table("overall match", f"a 80 {printed}", "b 70 60")
    with pytest.raises(MappingError, match="at most 15 digits before and behind the point"):
        operations_of_tables({"t": given})


def test_rows_that_differ_by_the_mark_of_a_footnote_are_told():
    given = table("overall match", "a 80 50", "a† 70 60", "b 60 40")
    with pytest.raises(MappingError, match=r"'a' has two numbers in 'overall'.*'a†'"):
        operations_of_tables({"t": given})


def test_an_operation_that_no_two_systems_share_with_knowledge_is_left_out_and_told():
    other = scores({"2020": {"date": "7"}, "2021": {"date": "8"}}, "notes")
    given = operations_of_tables({"k": table("overall match", "a 80 50", "b 70 60"), "n": other})
    assert given.warnings == (
        "date is left out: fewer than 2 systems have a score there and in overall",
    )


def test_an_operation_that_is_named_twice_counts_once():
    twice = found(TablesRequest(operations=("match", "match", "draft")))
    assert [row.operation for row in twice.operations] == ["match", "draft"]


def test_the_knowledge_score_is_no_operation():
    with pytest.raises(UsageError, match="'overall' is the knowledge score"):
        found(TablesRequest(operations=("overall", "match")))


def test_leaving_out_everybody_is_told():
    with pytest.raises(UsageError, match="every system of k, w is left out"):
        found(TablesRequest(leave_out=("a", "b", "c")))


def test_of_many_tied_systems_a_recommendation_gives_the_number():
    given = table("overall match", *[f"{name} 80 50" for name in "abcd"])
    text = operations_of_tables({"t": given}).operations[0].recommendation.text
    assert text.startswith("For match take any of 4 systems (50.00); ")
