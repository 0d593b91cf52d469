"""Calibration of scorers on labelled replies."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from finassay.analyses.calibration import (
    CalibrationSettings,
    FamilyMarks,
    LabelledRows,
    held_out_marks,
)
from finassay.analyses.calibration_kinds import cause_of, outcome_of
from finassay.analyses.calibration_table import CalibrationPlan, calibrate, strata_masks
from finassay.analyses.results_calibration import Calibration, CalibrationRow
from finassay.errors import MappingError, UsageError
from finassay.marking.grids import Family, family_of
from finassay.marking.peers import peer_families
from finassay.marking.single import as_scorer
from finassay.records import Verdict
from finassay.runs.importers.labelled import LabelledColumns, LabelledTable, read_labelled
from finassay.scorers.registry import from_spec, scorer_id_of
from labelled_tables import planted, table_of
from real_data import data_root
from reference import calibration as textbook

pytestmark = pytest.mark.full

QUICK = CalibrationSettings(folds=4, resamples=200)
THRESHOLDS = (0.2, 0.4, 0.6, 0.8)


def family(scorer_id: str, *, is_peer: bool = False, **options: tuple[float, ...]) -> Family:
    return family_of(as_scorer(scorer_id), options or {}, is_peer=is_peer)


def run(
    table: LabelledTable,
    families: Sequence[Family],
    how: CalibrationSettings = QUICK,
    **more: object,
) -> Calibration:
    plan = CalibrationPlan(positive=("right",), families=tuple(families), settings=how, **more)
    return calibrate(table, plan)


def row_of(found: Calibration, name: str) -> CalibrationRow:
    return next(row for row in found.rows if row.family == name)


def test_the_planted_threshold_is_found_in_every_fold():
    found = run(planted(), [family("token_f1", threshold=THRESHOLDS)])
    row = found.rows[0]
    assert row.role == "chosen"
    assert row.spec == "token_f1[threshold=0.6]"
    assert row.fold_specs == (("token_f1[threshold=0.6]", 4),)
    # Noise of 5% on labels that are right half the time leaves a kappa of about 0.9.
    assert row.scores[0].kappa.value == pytest.approx(0.9, abs=0.06)
    assert row.fitted_kappa == pytest.approx(row.scores[0].kappa.value)


def test_without_noise_the_planted_threshold_agrees_wholly():
    found = run(planted(noise=0.0), [family("token_f1", threshold=THRESHOLDS)])
    kappa = found.rows[0].scores[0].kappa
    assert (kappa.value, kappa.low, kappa.high) == (1.0, 1.0, 1.0)
    assert found.disagreements == ()


def test_kappa_and_f1_are_those_of_the_marks_on_rows_that_chose_nothing():
    table = planted(noise=0.2)
    found = run(table, [family("token_f1", threshold=(0.6,))])
    score = found.rows[0].scores[0]
    people = [row.label == "right" for row in table.rows]
    # The graded scorer counts from 0.5 on, as its variant does from 0.6 on: shares are in tenths.
    rule = [len(set(row.reply.split()) & set(row.reference.split())) >= 6 for row in table.rows]
    assert found.rows[0].fold_specs == (("token_f1[threshold=0.6]", 4),)
    assert score.kappa.value == pytest.approx(float(textbook.kappa(rule, people)))
    assert score.f1.value == pytest.approx(float(textbook.f1(rule, people)))
    both = sum(a and b for a, b in zip(rule, people, strict=True))
    assert score.precision == pytest.approx(both / sum(rule))
    assert score.recall == pytest.approx(both / sum(people))


def test_a_difference_is_tested_on_the_same_resamples_and_adjusted_by_holm():
    peers = [family(name, is_peer=True) for name in ("includes", "exact", "token_f1")]
    found = run(planted(), [family("token_f1[threshold=0.6]"), *peers])
    tests = {test.right: test for test in found.tests}
    assert set(tests) == {"includes", "exact", "token_f1"}
    assert found.family_size == 3
    mine = found.rows[0].scores[0].kappa.value
    for name, test in tests.items():
        other = row_of(found, name).scores[0].kappa.value
        assert test.difference == pytest.approx(mine - other)
        assert test.low <= test.difference <= test.high
        assert test.adjusted >= test.p
    # 200 resamples: the smallest p is 1/201, three times that after Holm.
    assert tests["exact"].p == pytest.approx(1 / 201)
    assert tests["exact"].adjusted == pytest.approx(3 / 201)


def test_a_rule_against_itself_differs_by_nothing():
    peer = replace(family("token_f1[threshold=0.6]", is_peer=True), name="the same again")
    found = run(planted(), [family("token_f1[threshold=0.6]"), peer])
    test = found.tests[0]
    assert (test.difference, test.low, test.high, test.p) == (0.0, 0.0, 0.0, 1.0)


def test_several_candidates_are_chosen_among_by_inner_folds():
    families = [family("includes"), family("token_f1", threshold=THRESHOLDS)]
    found = run(planted(), families)
    assert [row.role for row in found.rows] == ["candidate", "candidate", "chosen"]
    assert found.chosen == "token_f1"
    assert found.rows[2].scores[0].kappa == found.rows[1].scores[0].kappa
    assert {test.left for test in found.tests} == {"best of 2, by inner folds"}


def test_ties_go_to_the_scorer_as_it_was_asked_for():
    found = run(planted(), [family("token_f1[threshold=0.55]", threshold=(0.52, 0.58, 0.6))])
    assert found.rows[0].spec == "token_f1[threshold=0.55]"


def test_a_verdict_without_a_value_counts_as_not_right_and_is_counted():
    rows = [(f"q{i}", "5", "no figure at all", "right" if i % 2 else "wrong") for i in range(16)]
    rows += [(f"q{i}", "5", "it is 5", "right") for i in range(16)]
    found = run(table_of(rows), [family("number_set")])
    score = found.rows[0].scores[0]
    assert (score.n_unscored, score.n_unscored_right) == (16, 8)
    assert (score.both, score.people_only, score.neither) == (16, 8, 8)
    kinds = [(k.outcome, k.n, k.because) for k in found.disagreements]
    assert kinds == [("no value", 8, "unparsed: no number in the reply")]


def test_the_spec_builds_the_scorer_that_was_chosen():
    found = run(planted(), [family("token_f1", threshold=THRESHOLDS)])
    assert scorer_id_of(from_spec(found.spec)) == "token_f1[threshold=0.6]"
    made = json.loads(found.spec)["calibration"]
    assert made["held_out_kappa"] == found.rows[0].scores[0].kappa.value
    assert made["digest"] == planted().digest


def test_the_same_seed_gives_the_same_calibration_and_another_one_other_folds():
    families = [family("token_f1", threshold=THRESHOLDS)]
    one = run(planted(noise=0.3), families)
    assert run(planted(noise=0.3), families) == one
    other = run(planted(noise=0.3), families, replace(QUICK, seed=7))
    assert other.rows[0].scores[0].kappa.low != one.rows[0].scores[0].kappa.low


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 30),
    arrays.arrays(np.bool_, (48, 4)),
    arrays.arrays(np.bool_, 48),
    st.integers(0, 3),
)
def test_labels_of_a_fold_do_not_reach_what_is_chosen_for_it(
    seed: int, right: np.ndarray, yes: np.ndarray, which: int
):
    yes[0], yes[-1] = True, False
    groups = np.repeat(np.arange(16), 3)
    how = CalibrationSettings(folds=4, seed=seed)
    families = [
        FamilyMarks(name="a", ids=("a", "b"), is_right=right[:, :2], is_scored=right[:, :2]),
        FamilyMarks(name="c", ids=("c", "d"), is_right=right[:, 2:], is_scored=right[:, 2:]),
    ]
    before = held_out_marks(families, LabelledRows(is_yes=yes, groups=groups), how)
    for group in range(16):
        assert len(set(before.folds[groups == group].tolist())) == 1
    fold = which
    flipped = np.where(before.folds == fold, ~yes, yes)
    if flipped.all() or not flipped.any():
        return
    after = held_out_marks(families, LabelledRows(is_yes=flipped, groups=groups), how)
    assert np.array_equal(before.folds, after.folds)
    assert np.array_equal(before.variants[:, fold], after.variants[:, fold])
    assert before.families[fold] == after.families[fold]


def test_memorised_groups_do_not_help_a_rule_that_guesses():
    # Labels are coin tosses, one a group; of 300 random rules the best looks good on all rows.
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(40), 10)
    yes = (rng.random(40) < 0.5)[groups]
    right = (rng.random((40, 300)) < 0.5)[groups]
    marks = FamilyMarks(
        name="coins", ids=tuple(map(str, range(300))), is_right=right, is_scored=right
    )
    rows = LabelledRows(is_yes=yes, groups=groups)
    held = held_out_marks([marks], rows, CalibrationSettings(folds=10))
    fitted = max(textbook.kappa(right[:, c].tolist(), yes.tolist()) for c in range(300))
    honest = textbook.kappa(held.is_right[:, 0].tolist(), yes.tolist())
    assert fitted > Fraction(35, 100)
    assert abs(honest) < Fraction(3, 10)


def test_few_groups_are_refused_with_what_to_do():
    with pytest.raises(UsageError, match=r"4 folds need at least 8 groups.*fewer folds"):
        run(planted(groups=7), [family("includes")])


def test_few_groups_can_calibrate_one_scorer_but_not_choose_among_several():
    two = replace(QUICK, folds=2)
    one = [family("token_f1", threshold=THRESHOLDS)]
    assert run(planted(groups=4), one, two).rows[0].scores[0].kappa.value is not None
    with pytest.raises(UsageError, match="at least 4 groups outside each of the 2 folds, got"):
        run(planted(groups=4), [*one, family("includes")], two)


def test_labels_of_one_kind_are_refused():
    rows = [(f"q{i}", "a", "a", "right") for i in range(20)]
    with pytest.raises(UsageError, match="call 20 of 20 replies right"):
        run(table_of(rows), [family("includes")])


def test_a_label_that_no_row_has_is_named_with_those_there_are():
    plan = CalibrationPlan(positive=("Correct",), families=(family("includes"),), settings=QUICK)
    with pytest.raises(UsageError, match=r"'Correct' in column 'label'.*\['right', 'wrong'\]"):
        calibrate(planted(), plan)


def test_no_candidate_is_refused():
    with pytest.raises(UsageError, match="at least one scorer to calibrate"):
        run(planted(), [family("includes", is_peer=True)])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"folds": 1}, "`folds` must be at least 2"),
        ({"resamples": 10}, "`resamples` must be at least 100"),
        ({"seed": -1}, "`seed` must not be negative"),
        ({"level": 95}, "for 95% pass 0.95"),
    ],
)
def test_settings_out_of_range_are_refused(changes: dict[str, float], said: str):
    with pytest.raises(UsageError, match=said):
        CalibrationSettings(**changes)


def mixed() -> LabelledTable:
    rows = []
    for i in range(16):
        rows.append((f"q{i}", "5", "5" if i % 2 else "six", "right" if i % 2 else "refusal"))
        rows.append((f"q{i}", "five", "five" if i % 3 else "7", "right" if i % 3 else "wrong"))
    return table_of(rows)


def test_strata_are_values_of_a_column_or_rows_that_meet_conditions():
    table = mixed()
    by_type = dict(strata_masks(table, "reference-type"))
    assert {name: int(mask.sum()) for name, mask in by_type.items()} == {
        "reference-type=number": 16,
        "reference-type=text": 16,
    }
    ((name, mask),) = strata_masks(table, "reference-type=number,label!=refusal")
    assert name == "reference-type=number,label!=refusal"
    assert int(mask.sum()) == 8


def test_a_stratum_that_is_not_there_is_named():
    with pytest.raises(MappingError, match="no stratum 'country'"):
        strata_masks(mixed(), "country")
    with pytest.raises(UsageError, match=r"no row of t\.jsonl meets"):
        strata_masks(mixed(), "label=maybe")
    many = table_of([(f"q{i}", "a", "a", "right") for i in range(30)])
    with pytest.raises(UsageError, match="30 values, expected at most 20"):
        strata_masks(many, "question")


def test_only_rows_that_meet_the_conditions_choose_and_count():
    table = mixed()
    found = run(table, [family("exact")], only=("reference-type=text", "label!=refusal"))
    assert (found.n, found.only) == (16, ("reference-type=text", "label!=refusal"))
    kept = replace(table, rows=tuple(row for row in table.rows if not row.is_number))
    assert found.rows == run(kept, [family("exact")]).rows
    with pytest.raises(UsageError, match="`only` takes conditions"):
        run(table, [family("exact")], only=("label",))


def test_kappa_in_a_stratum_of_one_opinion_has_no_value_and_no_test():
    found = run(
        mixed(), [family("exact"), family("includes", is_peer=True)], strata=("label=right",)
    )
    stratum = found.strata[1]
    assert (stratum.name, stratum.prevalence) == ("label=right", 1.0)
    scores = [row.scores[1] for row in found.rows]
    assert all(score.kappa.value is None or score.kappa.value == 0.0 for score in scores)
    test = next(test for test in found.tests if test.stratum == "label=right")
    assert (test.difference, test.p, test.adjusted) == (None, None, None)


def test_few_groups_in_a_stratum_are_warned_of():
    found = run(mixed(), [family("exact")])
    assert any("fewer than 30 groups" in text for text in found.warnings)


def test_kinds_leave_numbers_and_quotations_out():
    verdict = Verdict(status="scored", value=0.0, reason="'8.7 billion' is not 9.1% of \"it\"")
    assert cause_of(verdict) == "… is not # of …"
    flagged = replace(verdict, flags=("missing-unit", "hedged"))
    assert cause_of(flagged) == "flag hedged, missing-unit"
    silent = Verdict(status="no_answer", reason="the reply is empty")
    assert cause_of(silent) == "no answer: the reply is empty"


@pytest.mark.parametrize(
    ("verdict", "says_yes", "outcome"),
    [
        (Verdict(status="scored", value=1.0), False, "accepted"),
        (Verdict(status="scored", value=0.5), True, None),
        (Verdict(status="scored", value=0.4), True, "rejected"),
        (Verdict(status="unparsed", reason="x"), True, "no value"),
        (Verdict(status="unparsed", reason="x"), False, None),
    ],
)
def test_outcomes(verdict: Verdict, says_yes: bool, outcome: str | None):  # noqa: FBT001
    assert outcome_of(verdict, says_yes=says_yes) == outcome


def test_disagreements_name_the_records_and_leave_texts_out_when_asked():
    found = run(mixed(), [family("exact")])
    assert found.disagreements == ()
    rows = [(f"q{i}", "5", f"about {i}", "right" if i % 2 else "wrong") for i in range(16)]
    shown = run(table_of(rows), [family("exact")]).disagreements
    assert [(kind.outcome, kind.n, kind.rows[:2]) for kind in shown] == [("rejected", 8, (2, 4))]
    assert shown[0].examples[0].reference == "5"
    bare = run(table_of(rows), [family("exact")], no_text=True).disagreements
    assert {(e.reference, e.extracted, e.reason) for e in bare[0].examples} == {(None, None, "")}


ANSWERS = LabelledColumns(
    reference="gold_answer",
    reply="model_answer",
    label="label",
    group="question",
    question="question",
)
STRATA = ("reference-type=number", "reference-type=text,label!=Refusal")


def published(families: Sequence[Family]) -> Calibration:
    path = data_root() / "financebench" / "answers_with_human_labels.jsonl"
    plan = CalibrationPlan(
        positive=("Correct Answer",),
        families=tuple(families),
        strata=STRATA,
        settings=CalibrationSettings(folds=5, resamples=1000),
    )
    return calibrate(read_labelled(path, ANSWERS), plan)


@pytest.mark.data
def test_published_kappas_on_the_labelled_answers():
    found = published([family("strict/numbers-first"), family("includes", is_peer=True)])
    # Replies, questions and kappas as they were counted apart from this code, to two digits.
    assert [(s.n, s.n_groups) for s in found.strata] == [(1040, 65), (352, 22), (497, 43)]
    strict = [score.kappa.value for score in found.rows[0].scores]
    assert strict == pytest.approx([0.36, 0.09, 0.36], abs=0.006)
    assert row_of(found, "includes").scores[1].kappa.value == pytest.approx(0.31, abs=0.006)


@pytest.mark.data
def test_the_financial_rule_agrees_with_people_on_replies_that_chose_nothing():
    quick = (
        *("strict/numbers-first", "strict/as-stated", "includes", "number_set", "token_set"),
        *("token_f1", "partial", "peer/any-number", "peer/last-numbers", "peer/answered"),
        'peer/answered[phrases="any"]',
    )
    peers, absent = peer_families(quick)
    assert not absent
    coverage = family("financial", coverage=(0.2, 0.24, 0.28, 0.36, 0.4, 0.48))
    found = published([coverage, *peers])
    everything, numbers, prose = (score.kappa for score in found.rows[0].scores)
    # What the rule is held to, on all replies, beside numbers, and in prose.
    assert everything.value >= 0.75
    assert numbers.value >= 0.95
    assert prose.value >= 0.55
    for test in found.tests:
        if test.stratum != STRATA[0]:
            assert test.low > 0.0, test
            assert test.adjusted < 0.05, test
