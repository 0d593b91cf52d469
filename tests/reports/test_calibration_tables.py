"""Tables of a calibration."""

import pytest

from finassay.analyses.calibration import CalibrationSettings
from finassay.analyses.calibration_table import CalibrationPlan, calibrate
from finassay.analyses.results_calibration import Calibration
from finassay.marking.grids import family_of
from finassay.marking.single import as_scorer
from finassay.reports.tables_calibration import (
    agreement_table,
    calibration_tables,
    choices_table,
    disagreements_table,
    notes,
)
from labelled_tables import planted, table_of


@pytest.fixture(scope="module")
def found() -> Calibration:
    families = (
        family_of(as_scorer("token_f1"), {"threshold": (0.3, 0.6)}),
        family_of(as_scorer("exact"), {}, is_peer=True),
        family_of(as_scorer("token_set"), {"threshold": (0.6,)}, is_peer=True),
    )
    plan = CalibrationPlan(
        positive=("right",),
        families=families,
        strata=("label=wrong",),
        settings=CalibrationSettings(resamples=200),
        absent=(("math_verify", "install it"), ("rouge", "install it"), ("chrf", "broken")),
    )
    return calibrate(planted(), plan)


def test_the_choice_stands_first_and_peers_by_kappa(found: Calibration):
    table = agreement_table(found, found.strata[0])
    names = [row[0] for row in table.rows]
    assert names[0] == "* token_f1"
    kappas = [float(row[2].replace("−", "-")) for row in table.rows[1:]]
    assert kappas == sorted(kappas, reverse=True)
    assert table.breaks == (1,)
    assert table.caption.startswith("All replies: 240 replies in 40 groups of 'question', people")
    assert table.caption.endswith("p is adjusted for 2 tests")


def test_the_figures_are_those_of_the_result(found: Calibration):
    first = agreement_table(found, found.strata[0]).rows[0]
    score = found.rows[0].scores[0]
    assert first[2] == f"{score.kappa.value:.3f}"
    assert first[3] == f"{score.kappa.low:.3f} to {score.kappa.high:.3f}"
    assert first[4] == f"{score.f1.value:.3f}"
    assert first[6:8] == (f"{score.precision:.3f}", f"{score.recall:.3f}")


def test_a_kappa_without_a_value_is_a_dash_with_its_reason():
    rows = [(f"q{i}", "5", f"{i % 2}", "wrong") for i in range(20)]
    rows += [(f"q{i}", "5", "5", "right") for i in range(20)]
    plan = CalibrationPlan(
        positive=("right",),
        families=(family_of(as_scorer("exact"), {}),),
        strata=("label=wrong",),
        settings=CalibrationSettings(resamples=100),
    )
    calibrated = calibrate(table_of(rows), plan)
    table = agreement_table(calibrated, calibrated.strata[1])
    assert "p" not in [column.header for column in table.columns]
    assert table.rows[0][2].startswith("—")
    assert any("appa is undefined where people" in note for note in table.notes)


def test_choices_show_what_the_fit_flatters(found: Calibration):
    rows = {row[0]: row for row in choices_table(found).rows}
    assert set(rows) == {"token_f1", "token_set"}
    assert rows["token_f1"][4].startswith("token_f1[threshold=0.6] (")
    assert rows["token_f1"][4].endswith(" of 5 folds agree)")


def test_kinds_name_a_few_rows_and_count_the_rest():
    rows = [(f"q{i}", "5", "other", "right") for i in range(30)]
    rows += [(f"q{i}", "5", "none", "wrong") for i in range(30)]
    plan = CalibrationPlan(
        positive=("right",),
        families=(family_of(as_scorer("exact"), {}),),
        settings=CalibrationSettings(resamples=100),
    )
    table = disagreements_table(calibrate(table_of(rows), plan))
    expected = "1, 2, 3, 4, 5, 6, 7, 8 and 22 more"
    said = ("30", "rejected, people say yes", "the texts differ", "right 30", expected)
    assert table.rows == (said,)


def test_absent_peers_are_listed_by_reason(found: Calibration):
    said = notes(found)
    assert "Not in the table: math_verify and rouge (install it)." in said
    assert "Not in the table: chrf (broken)." in said


def test_all_tables_are_made_in_order(found: Calibration):
    assert [table.key for table in calibration_tables(found)] == [
        "calibration-all",
        "calibration-label=wrong",
        "calibration-choices",
        "calibration-disagreements",
    ]
