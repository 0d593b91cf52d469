"""Many cells side by side: tallies, changes of side, arms, human readings."""

import pytest

from finassay.analyses.extraction.audit import Settings, audit_cell
from finassay.analyses.extraction.cells import LabelCell
from finassay.analyses.extraction.results_sweep import SweepRow
from finassay.analyses.extraction.rows import human_agreement, sweep_row
from finassay.analyses.extraction.sweep import label_sweep
from finassay.errors import UsageError
from finassay.runs.importers.label_cells import Answers

RULES = Settings(rules=("labels/card-order", "labels/text-order"))
BOTH = "It is yes, not no."


def cell(
    replies: list[str],
    golds: list[str],
    *,
    choices: tuple[str, ...] = ("no", "yes"),
    strata: tuple[str, ...] = (),
    **named: str,
) -> LabelCell:
    return LabelCell(
        replies=tuple(replies), golds=tuple(golds), choices=choices, strata=strata, **named
    )


def row(made: LabelCell, answers: Answers = "free") -> SweepRow:
    return sweep_row(audit_cell(made, RULES), answers=answers)


CLEARS = cell(["no", "yes", "no"], ["no", "yes", "no"], system="clears")
TIES = cell(["no", "no", "no"], ["no", "no", "yes"], system="ties")
BELOW = cell(["yes", "yes", "no"], ["no", "no", "no"], system="below")
OPEN = cell([BOTH, BOTH, "no"], ["yes", "yes", "no"], system="open")
THREE = cell(["a", "b", "c"], ["a", "b", "c"], choices=("a", "b", "c"), system="three")


def test_cells_are_counted_on_their_side_by_interval_and_by_rule() -> None:
    sweep = label_sweep([row(c) for c in (CLEARS, TIES, BELOW, OPEN, THREE)], matcher="m")
    counts = {
        (t.by, t.cells): (t.n, t.clears, t.ties, t.below, t.undetermined) for t in sweep.tallies
    }
    assert counts["interval", "all"] == (5, 2, 1, 1, 1)
    assert counts["interval", "binary"] == (4, 1, 1, 1, 1)
    # On the open cell card order reads "no" (1 of 3, below 2) and text order "yes" (3 of 3).
    assert counts["labels/card-order", "all"] == (5, 2, 1, 2, 0)
    assert counts["labels/text-order", "binary"] == (4, 2, 1, 1, 0)


def test_a_cell_on_which_selecting_rules_part_is_named() -> None:
    sweep = label_sweep([row(CLEARS), row(OPEN)], matcher="m")
    assert sweep.changing == ("open",)


def test_rules_outside_the_family_do_not_make_a_cell_change_side() -> None:
    settings = Settings(rules=("labels/card-order", 'labels/default-fill[default="no"]'))
    made = cell(["?", "?", "yes"], ["no", "no", "yes"])
    found = sweep_row(audit_cell(made, settings))
    assert {r.rule: (r.right, r.outcome, r.is_member, r.filled) for r in found.rules} == {
        "labels/card-order": (1, "below", True, 0),
        'labels/default-fill[default="no"]': (3, "clears", False, 2),
    }
    assert not found.changes_side


def test_declared_strata_raise_the_floor_of_the_row() -> None:
    golds, strata = ["no", "no", "yes", "yes"], ("s", "s", "t", "t")
    plain = row(cell(golds, golds))
    stratified = row(cell(golds, golds, strata=strata))
    assert (plain.floor, plain.is_stratified, plain.outcome) == (2, False, "clears")
    assert (stratified.floor, stratified.is_stratified, stratified.outcome) == (4, True, "ties")


def test_an_exact_answer_arm_stands_beside_the_free_one() -> None:
    free = cell([BOTH, BOTH, "no"], ["yes", "yes", "no"], task="t", system="s", arm="free")
    exact = cell(["no", "no", "no"], ["yes", "yes", "no"], task="t", system="s", arm="label only")
    sweep = label_sweep(
        [row(free), row(exact, "exact"), row(CLEARS)],
        matcher="m",
        item_ids=[free.ids, exact.ids, CLEARS.ids],
    )
    (pair,) = sweep.arms
    assert (pair.free_outcome, pair.exact_outcome) == ("undetermined/straddles", "below")
    assert (pair.free_contested, pair.exact_contested) == (pytest.approx(2 / 3), 0.0)
    assert pair.same_items
    assert pair.survives is None


def test_a_conclusion_that_another_arm_turns_does_not_survive() -> None:
    right = cell(["yes", "no", "no"], ["yes", "no", "no"], task="t", system="s")
    wrong = cell(["no", "yes", "yes"], ["yes", "no", "no"], task="t", system="s")
    (pair,) = label_sweep([row(right), row(wrong, "exact")], matcher="m").arms
    assert pair.survives is False
    (same,) = label_sweep([row(right), row(right, "exact")], matcher="m").arms
    assert same.survives is True


def test_arms_that_answered_other_items_are_not_compared() -> None:
    made = cell(["yes", "no", "no"], ["yes", "no", "no"], task="t", system="s")
    ids = [("1", "2", "3"), ("1", "2", "4")]
    (pair,) = label_sweep([row(made), row(made, "exact")], matcher="m", item_ids=ids).arms
    assert (pair.same_items, pair.survives) == (False, None)


def test_undeclared_arms_and_silent_cells_are_warned_of() -> None:
    silent = cell(["?"], ["no"], system="silent", arm="a", budget="b")
    sweep = label_sweep([row(silent), row(TIES)], matcher="m", warnings=["known"])
    assert sweep.warnings[0] == "known"
    assert any("1 of 2 cells declare no prompt arm" in warning for warning in sweep.warnings)
    assert any("no reply names any label" in w and "silent" in w for w in sweep.warnings)
    assert sweep.rows[0].certificate[-1] == "vacuous"
    assert sweep.rows[1].certificate == ()


def test_a_sweep_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one cell"):
        label_sweep([], matcher="m")


def test_rules_are_compared_with_what_a_person_reads() -> None:
    made = cell([BOTH, "no", "I cannot say.", "perhaps"], ["yes", "no", "no", "yes"])
    card, text = human_agreement(made, ["yes", "no", "", None], RULES)
    # "cannot" holds "no", so both rules read a label where the person reads none.
    assert (card.rule, card.n, card.same, card.filled_against, card.missed) == (
        "labels/card-order",
        3,
        1,
        1,
        0,
    )
    assert (text.same, text.share) == (2, pytest.approx(2 / 3))


def test_without_readings_there_is_no_share() -> None:
    card, _ = human_agreement(TIES, [None, None, None], RULES)
    assert (card.n, card.share) == (0, None)


def test_a_reading_that_is_no_label_is_refused() -> None:
    with pytest.raises(UsageError, match="'maybe' is none of the labels"):
        human_agreement(TIES, ["maybe", None, None], RULES)
    with pytest.raises(UsageError, match="one human reading for each of 3 replies"):
        human_agreement(TIES, ["no"], RULES)
