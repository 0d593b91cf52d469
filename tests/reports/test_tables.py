import pytest

import sample_audits
from finassay.analyses.results import Audit
from finassay.reports.table import Column, Gaps, Table
from finassay.reports.tables import tables


@pytest.fixture(scope="module")
def twelve() -> Audit:
    return sample_audits.made_audit()


def test_a_row_of_another_width_is_refused():
    with pytest.raises(ValueError, match="has 2 columns, got a row of 1 cells"):
        Table(key="t", caption="", columns=(Column("a"), Column("b")), rows=(("1",),))


def test_one_reason_has_one_marker():
    gaps = Gaps()
    assert [gaps.dash("why"), gaps.dash("other"), gaps.dash("why")] == ["—¹", "—²", "—¹"]
    assert gaps.notes("more", "") == ("¹ Why.", "² Other.", "More.")


def test_leaderboard_shows_rate_count_and_interval():
    table = tables(sample_audits.bare_audit())["leaderboard"]
    assert table.rows[0] == ("Alpha", "1", "75.0", "3/4", "30.1–95.4", "75.0", "0", "0")


def test_a_system_without_verdicts_has_dashes_with_reasons_not_zero():
    table = tables(sample_audits.bare_audit())["leaderboard"]
    name, rank, rate, of, interval, *_ = table.rows[2]
    assert name == "Gamma"
    assert rank == "—¹" or rank.startswith("—")
    assert {rate, of, interval} == {rate}
    assert rate.startswith("—")
    assert any("no verdict in the denominator" in note.lower() for note in table.notes)
    assert table.breaks == (2,)


def test_what_was_not_measured_makes_no_table():
    made = tables(sample_audits.bare_audit())
    assert set(made) == {"leaderboard", "findings", "settings", "inputs", "packages"}


def test_every_part_of_a_whole_audit_makes_a_table(twelve: Audit):
    wanted = {
        "leaderboard",
        "families",
        "difficulties",
        "balanced",
        "reported",
        "every-rule",
        "regimes",
        "regime-spread",
        "correlations",
        "moves",
        "overturns",
        "thresholds",
        "threshold-changes",
        "agreement",
        "recognition",
        "bands",
        "by-k",
        "strata",
        "overlap",
        "concordance",
        "documents",
        "clusters",
        "truncation",
        "categories",
        "findings",
        "settings",
    }
    assert wanted <= set(tables(twelve))


def test_no_cell_holds_nan_or_none(twelve: Audit):
    cells = {c for t in tables(twelve).values() for row in t.rows for c in row}
    assert not {c for c in cells if c.strip().lower() in {"nan", "none", "inf", ""}} - {"none"}
    assert "nan" not in cells


def test_shifts_in_the_regime_table_follow_its_ranks(twelve: Audit):
    for row in tables(twelve)["regimes"].rows:
        first, last, shift = row[2], row[6], row[7]
        assert int(last) - int(first) == int(shift.replace("−", "-"))


def test_bands_cover_every_item_once(twelve: Audit):
    rows = tables(twelve)["bands"].rows
    assert sum(int(row[2]) for row in rows) == 80


def test_reported_rows_are_named_as_reported_and_unranked():
    audit = sample_audits.made_audit(4)
    table = tables(audit)["leaderboard"]
    row = next(row for row in table.rows if row[0].startswith("Printed only"))
    assert row[1].startswith("—")
    assert row[-1].startswith("—")
    assert any("as reported" in note for note in table.notes)


def test_texts_of_sources_can_be_left_out():
    audit = sample_audits.made_audit(4)
    assert "as printed in the paper" in str(tables(audit)["reported"].rows)
    assert "as printed in the paper" not in str(tables(audit, no_text=True)["reported"].rows)


def test_bounds_are_shown_as_worst_to_best_case():
    rows = tables(sample_audits.made_audit(12, policy="bounds"))["leaderboard"].rows
    assert any("–" in row[3] for row in rows)


@pytest.mark.data
def test_published_counts_and_the_outlier_come_out_in_the_tables():
    made = tables(sample_audits.published_audit())
    leaders = made["leaderboard"].rows
    # Table 4 of the paper: 364/406, Wilson [86.3, 92.3]; the human row 48/60, [68.2, 88.2].
    assert leaders[0][2:5] == ("89.7", "364/406", "86.3–92.3")
    assert leaders[-1][2:5] == ("80.0", "48/60", "68.2–88.2")
    floor = next(row for row in made["families"].rows if row[0] == "Majority floor")
    assert "85.5 (53/62)" in floor
    outliers = [row[0] for row in made["agreement"].rows if row[-1] == "differs"]
    assert outliers == ["gemini25_pro"]
