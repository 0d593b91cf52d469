"""Tables of scores from few labels."""

from dataclasses import replace

import pytest

from finassay.analyses.few_labels import FewLabelSettings, estimate_few_labels
from finassay.analyses.label_budget import label_budget, next_labels
from finassay.analyses.results_few_labels import FewLabels
from finassay.reports.tables_few_labels import (
    advice_table,
    budget_table,
    differences_table,
    errors_table,
    few_label_tables,
    scores_table,
    worth_table,
)
from label_samples import answers, by_dispute, plain

SAMPLE = by_dispute(answers(), total=160)


@pytest.fixture(scope="module")
def found() -> FewLabels:
    return estimate_few_labels(SAMPLE)


def test_scores_show_value_and_interval_of_every_estimator(found: FewLabels):
    table = scores_table(found)
    one = found.systems[0].by("ppi++")
    assert table.rows[0][:2] == ("alpha", "80/240")
    low, high = f"{100 * one.low:.1f}", f"{100 * one.high:.1f}"
    assert table.rows[0][-1] == f"{100 * one.value:.1f} ({low}–{high})"
    assert table.rows[0][2] == f"{100 * found.systems[0].by('judge').value:.1f}"
    assert "of these items" in table.caption
    assert any("judge/planted" in note for note in table.notes)


def test_what_labels_are_worth_stands_beside_their_number(found: FewLabels):
    row = worth_table(found).rows[0]
    assert row[:2] == ("alpha", "80")
    assert row[-1] == f"{found.systems[0].by('ppi++').effective_size:.0f}"


def test_differences_show_both_intervals(found: FewLabels):
    table = differences_table(found)
    row = next(row for row in table.rows if row[2] == "PPI++")
    one = next(one for one in found.differences if one.estimator == "ppi++")
    assert row[3] == f"+{100 * one.value:.1f}"
    assert row[4] == f"+{100 * one.low:.1f} to +{100 * one.high:.1f}"
    judge = next(row for row in table.rows if row[2] == "Judge as it is")
    assert judge[4].startswith("—")
    assert table.notes[0] == "¹ The verdicts are all there."


def test_the_errors_of_the_judge_are_over_all_by_system_and_by_stratum(found: FewLabels):
    table = errors_table(found)
    assert [row[0] for row in table.rows] == ["all answers", *["system"] * 2, *["stratum"] * 4]
    assert table.breaks == (1, 3)
    rate = found.errors.sensitivity
    assert table.rows[0][2].startswith(f"{100 * rate.rate:.1f} (")
    assert table.rows[0][2].endswith(f", {rate.n})")


def test_a_convenience_sample_has_no_table_of_worth():
    sample = replace(plain(answers(), total=60), strata=())
    tables = few_label_tables(
        estimate_few_labels(sample, FewLabelSettings(accept_convenience=True))
    )
    assert [table.key for table in tables] == ["few-labels", "judge-errors"]
    assert any("convenience sample" in note for note in tables[0].notes)
    assert tables[0].rows[0][3].endswith("¹")


def test_every_table_of_a_designed_sample_is_there(found: FewLabels):
    keys = [table.key for table in few_label_tables(found)]
    assert keys == ["few-labels", "few-labels-worth", "few-labels-differences", "judge-errors"]


def test_a_known_score_has_no_worth():
    tables = few_label_tables(estimate_few_labels(plain(answers(items=20), total=40)))
    assert tables[1].rows[0][2].startswith("—")
    assert "the score is known" in tables[1].notes[0]


def test_a_budget_names_the_labels_needed():
    budget = label_budget(SAMPLE, "alpha", "beta")
    table = budget_table(budget)
    assert len(table.rows) == len(budget.curve)
    assert table.notes[0].startswith(f"{budget.needed} labels find it with a chance of 80.0%")
    assert str(budget.needed) in [row[0] for row in table.rows]


def test_advice_lists_the_strata_that_gain_first():
    advice = next_labels(SAMPLE, labels=30)
    table = advice_table(advice)
    assert [int(row[-1]) for row in table.rows] == [one.suggested for one in advice.strata]
    assert table.rows[0][0] == advice.strata[0].stratum
