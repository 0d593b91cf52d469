"""What a multiverse says in sentences, on rules whose outcome is known."""

from __future__ import annotations

from finassay.analyses.multiverse.audited import with_multiverse
from finassay.analyses.multiverse.sentences import flip_text, multiverse_sentences
from finassay.analyses.results_multiverse import Change, Flip
from multiverse_results import analysed
from sample_audits import bare_audit

# Rules in grid order: (whole, token_set), (whole, includes), (final, token_set), (final, includes).
SWAP = [[18, 10, 2], [12, 14, 2], [16, 8, 4], [16, 10, 6]]


def said(*args: object, **more: object) -> dict[str, str]:
    return dict(multiverse_sentences(analysed(*args, **more)))


def test_the_order_that_holds_is_told_before_what_the_rule_decides():
    text = said(SWAP, 2, 2)["order"]
    assert text == (
        "Under all 4 rules tried, A stays above C and B stays above C; the order of the other 1 "
        "pair is decided by the rule."
    )


def test_an_order_that_always_holds_leaves_nothing_to_the_rule():
    text = said([[18, 10, 2]] * 4, 2, 2)["order"]
    assert text == "Under all 4 rules tried, A stays above B and C and B stays above C."


def test_no_order_that_holds_is_said_so():
    text = said([[18, 2, 10], [2, 18, 10], [10, 12, 2], [10, 2, 18]], 2, 2)["order"]
    assert text.startswith(
        "Under all 4 rules tried no pair of the 3 systems keeps its order: which one stands above "
        "is decided by the rule for each of the 3 pairs"
    )


def test_leaders_are_counted_over_rules():
    assert said(SWAP, 2, 2)["leaders"] == (
        "2 of the 3 systems lead under some rule, most often A (75.0% of the rules) and B (25.0% "
        "of the rules)."
    )
    assert said([[18, 10, 2]] * 4, 2, 2)["leaders"] == (
        "A leads, alone or jointly, under every rule."
    )


def test_the_choice_that_moves_accuracy_most_is_named_by_what_it_decides():
    # Only the second dimension does anything: 4 of 20 items between its choices, for all alike.
    text = said([[10, 8, 6], [14, 12, 10]] * 2, 2, 2)["effects"]
    assert text == (
        "What moves accuracy most is matcher: 100.0% of the variance between rules, 20.0 points "
        "between its choices."
    )
    assert "effects" not in said([[10, 8, 6]] * 4, 2, 2)


def test_the_nearest_flip_says_what_is_changed():
    assert said(SWAP, 2, 2)["flips"] == (
        "One changed choice (matcher: token_set to includes) is enough to put B above A, who leads "
        "under the base rule."
    )
    assert "flips" not in said([[18, 10, 2]] * 4, 2, 2)


def test_choices_that_come_and_go_are_told():
    flip = Flip(
        kind="pair",
        above="A",
        below="B",
        n_changes=2,
        rules=(1,),
        n_rules=1,
        changes=(
            Change(dimension="threshold", base="0.72", other=None),
            Change(dimension="percent", base=None, other="fraction"),
        ),
        base_difference=0.1,
        difference=-0.1,
    )
    assert flip_text(flip) == "threshold: no longer 0.72, percent: fraction"


def test_a_floor_says_how_the_order_tightens():
    counts = [[10, 10, 10], [10, 9, 8], [2, 18, 10], [20, 1, 5]]
    text = said(counts, 2, 2, floor=0.7)["floor"]
    assert text.startswith("2 of 4 rules agree with person/ann at kappa 0.7 or more; under these ")
    assert text.endswith("pairs keep their order, under all rules 0.")
    none = said([[0, 0, 0]] * 4, 2, 2, floor=0.9)["floor"]
    assert none.endswith("so none is left to say anything.")


def test_the_strip_of_an_audit_tells_order_and_effect_after_the_leader():
    audit = bare_audit()
    found = with_multiverse(audit, analysed(SWAP, 2, 2))
    assert found.strip[0] == audit.strip[0]
    assert [claim.link for claim in found.strip[1:3]] == ["multiverse", "effects"]
    assert len(found.strip) <= 5
    assert found.multiverse is not None
