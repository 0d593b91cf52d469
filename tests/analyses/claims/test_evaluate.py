"""Claims on boards written out by hand: outcomes, shares, counter-examples, and the algebra."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claim_boards import checked, declared, replies, view
from finassay.analyses.claims.court import Court
from finassay.analyses.claims.declared import Scope
from finassay.analyses.claims.evaluate import evaluate
from finassay.analyses.claims.rules import rules_of
from finassay.analyses.results_claims import ClaimVerdict
from finassay.errors import UnknownNameError, UsageError
from finassay.marking.view import StudyView
from finassay.records import ReportedScore
from reference import ranking
from reference.paired_bootstrap import by_polynomial, singles

STRICT = {"ada": "11110", "bob": "11100", "eve": "10000"}
JUDGE = {"ada": "11000", "bob": "11110", "eve": "11111"}
TWO = view({"stored": STRICT, "judge/x": JUDGE}, regimes={"strict": STRICT, "judge-only": JUDGE})


def one(study: StudyView, body: str, folder: Path, **more: object) -> ClaimVerdict:
    (claim,) = checked(study, f"[[claim]]\n{body}", folder, **more).claims
    return claim


def test_a_claim_that_one_rule_breaks_depends_and_names_that_rule(tmp_path: Path):
    claim = one(TWO, "kind='above'\na='ada'\nb='bob'", tmp_path)
    assert (claim.outcome, claim.n_holds, claim.n_fails, claim.share) == ("depends", 1, 1, 0.5)
    assert claim.base is not None
    assert claim.base.holds is True
    assert claim.base.margin == pytest.approx(0.2)
    (near,) = claim.nearest
    assert (near.rule, near.holds, near.n_as_near) == ("judge/x", False, 1)
    # Four of the ten verdicts on the two systems differ: ada 2 and 3, bob 3; ada keeps 0 and 1.
    assert near.changed == pytest.approx(3 / 10)


def test_rules_that_give_the_same_verdicts_count_once(tmp_path: Path):
    claim = one(TWO, "kind='leads'\nsystem='ada'", tmp_path)
    assert [(c.rule, c.also) for c in claim.checks] == [
        ("stored", ("regime/strict",)),
        ("judge/x", ("regime/judge-only",)),
    ]


def test_a_claim_that_every_rule_keeps_holds_and_has_no_counter_example(tmp_path: Path):
    claim = one(TWO, "kind='accuracy-at-least'\nsystem='ada'\nvalue=0.4", tmp_path)
    assert (claim.outcome, claim.share, claim.nearest) == ("holds", 1.0, ())


def test_a_claim_that_no_rule_decides_is_undecided_and_says_why(tmp_path: Path):
    part = view({"stored": {"ada": "11.", "bob": "101"}})
    claim = one(part, "kind='above'\na='ada'\nb='bob'", tmp_path)
    assert (claim.outcome, claim.share, claim.base.holds) == ("undecided", None, None)
    assert claim.undecided == ("stored holds no verdict on 1 item for ada",)


def test_families_and_caps_cut_the_items_of_a_claim(tmp_path: Path):
    study = view({"stored": {"ada": "1100", "bob": "0011"}}, families="NNRR")
    claim = one(study, "kind='leads'\nsystem='ada'\nfamilies=['N']", tmp_path)
    assert (claim.outcome, claim.n_items) == ("holds", 2)
    facts = replies({"ada": [60, 60, 90, 10], "bob": [5, 5, 5, 5]})
    text = "[caps]\nada=60\n[[claim]]\nkind='trails'\nsystem='ada'\nbelow_cap=true"
    (claim,) = checked(study, text, tmp_path, replies=facts).claims
    assert (claim.outcome, claim.n_items) == ("holds", 1)


def test_items_below_the_caps_need_lengths(tmp_path: Path):
    with pytest.raises(UsageError, match=r"claim 1: `below_cap` asks for the lengths of replies"):
        one(TWO, "kind='leads'\nsystem='ada'\nbelow_cap=true", tmp_path)


@pytest.mark.parametrize(
    ("body", "said"),
    {
        "kind='leads'\nsystem='adda'": r"claim 1: expected a system .*'adda'; did you mean 'ada'\?",
        "kind='leads'\nsystem='ada'\nrules=['stord']": r"expected a rule .*did you mean 'stored'\?",
        "kind='leads'\nsystem='ada'\nfamilies=['Z']": r"expected a family of the study, got 'Z'",
        "kind='leads'\nsystem='ada'\nleave_out=['x']": r"expected a system of the study, got 'x'",
        "kind='moves'\nbetween=['stored','no']\nranks=1\nsystems_moved=1": r"a rule .*got 'no'",
    }.items(),
)
def test_a_name_that_is_not_there_is_told_with_the_nearest(body: str, said: str, tmp_path: Path):
    with pytest.raises(UnknownNameError, match=said):
        one(TWO, body, tmp_path)


def test_a_base_that_is_not_there_is_told(tmp_path: Path):
    with pytest.raises(UnknownNameError, match=r"the base rule: .*got 'sored'; did you mean 'st"):
        one(TWO, "kind='leads'\nsystem='ada'", tmp_path, base="sored")


def test_people_are_not_ranked_but_may_be_compared(tmp_path: Path):
    study = view({"stored": {"ada": "110", "bob": "100", "pia": "111"}}, people=("pia",))
    assert one(study, "kind='leads'\nsystem='ada'", tmp_path).outcome == "holds"
    assert one(study, "kind='above'\na='pia'\nb='ada'", tmp_path).outcome == "holds"


def test_bounds_count_the_unscored_each_way(tmp_path: Path):
    study = view({"stored": {"ada": "110u", "bob": "1010"}}, policy="bounds")
    claim = one(study, "kind='above'\na='ada'\nb='bob'", tmp_path)
    assert [(c.unscored, c.holds) for c in claim.checks] == [("wrong", False), ("exclude", True)]
    assert claim.outcome == "depends"


def test_graded_verdicts_are_means(tmp_path: Path):
    study = view({"stored": {"ada": "1h", "bob": "10"}})
    claim = one(study, "kind='accuracy-is'\nsystem='ada'\nvalue='75.0'", tmp_path)
    assert claim.outcome == "holds"
    assert one(study, "kind='above'\na='ada'\nb='bob'", tmp_path).base.margin == 0.25


def test_a_printed_percent_is_met_to_its_last_digit(tmp_path: Path):
    study = view({"stored": {"ada": "110", "bob": "100"}})
    for value, outcome in {
        "66.7": "holds",
        "67": "holds",
        "66.6": "fails",
        "66.67": "holds",
    }.items():
        body = f"kind='accuracy-is'\nsystem='ada'\nvalue='{value}'"
        assert one(study, body, tmp_path).outcome == outcome


def test_ties_for_the_first_place(tmp_path: Path):
    study = view({"stored": {"ada": "110", "bob": "011", "eve": "100"}})
    said = {
        "kind='leads'\nsystem='ada'": "holds",
        "kind='leads'\nsystem='ada'\noutright=true": "fails",
        "kind='leaders'\ncount=2": "holds",
        "kind='leaders'\ncount=1": "fails",
        "kind='tied'\na='ada'\nb='bob'": "holds",
        "kind='tied'\na='ada'\nb='eve'": "fails",
        "kind='tied'\na='ada'\nb='eve'\nwithin=0.34": "holds",
        "kind='in-top'\nsystem='eve'\nk=2": "fails",
        "kind='has-rank'\nsystem='eve'\nrank=3": "holds",
        "kind='trails'\nsystem='eve'\noutright=true": "holds",
    }
    assert {body: one(study, body, tmp_path).outcome for body in said} == said
    dense = one(study, "kind='in-top'\nsystem='eve'\nk=2", tmp_path, rank_convention="dense")
    assert dense.outcome == "holds"


def test_a_claim_to_significance_is_decided_by_the_exact_paired_bootstrap(tmp_path: Path):
    left, right = "11111101", "10100001"
    study = view({"stored": {"ada": left, "bob": right}})
    p, _ = by_polynomial(singles([int(a) - int(b) for a, b in zip(left, right, strict=True)]))
    for alpha, outcome in ((float(p) * 1.01, "holds"), (float(p) * 0.99, "fails")):
        body = f"kind='significantly-above'\na='ada'\nb='bob'\nalpha={alpha}"
        claim = one(study, body, tmp_path)
        assert claim.outcome == outcome
        assert claim.base.margin == pytest.approx(alpha - float(p))
    turned = "kind='significantly-above'\na='bob'\nb='ada'\nalpha=0.99"
    assert one(study, turned, tmp_path).outcome == "fails"


def test_a_test_over_clusters_draws_the_clusters_that_the_file_names(tmp_path: Path):
    left, right = "11111101", "10100001"
    study = view({"stored": {"ada": left, "bob": right}})
    d = [int(a) - int(b) for a, b in zip(left, right, strict=True)]
    p, _ = by_polynomial([(d[at] + d[at + 1], 2) for at in range(0, 8, 2)])
    body = "kind='indistinguishable'\na='ada'\nb='bob'\nclustered=true"
    (claim,) = checked(study, f"clusters=['documents']\n[[claim]]\n{body}", tmp_path).claims
    assert claim.base.margin == pytest.approx(float(p) - 0.05)


def test_moves_are_counted_under_every_convention(tmp_path: Path):
    body = "kind='moves'\nbetween=['stored','judge/x']\nranks=2\nsystems_moved=2\ncount='exactly'"
    claim = one(TWO, body, tmp_path)
    assert (claim.outcome, len(claim.checks)) == ("holds", 4)
    assert claim.checks[0].found == "2 of 3 systems under competition ranks"


def test_a_correspondence_is_decided_by_both_coefficients(tmp_path: Path):
    body = "kind='no-positive-correspondence'\nbetween=['stored','judge/x']"
    claim = one(TWO, body, tmp_path)
    assert [check.margin for check in claim.checks] == [1.0, 1.0]
    assert claim.outcome == "holds"
    alone = one(TWO, "kind='no-positive-correspondence'\nbetween=['stored']", tmp_path)
    # Against the judge, the regime of the judge and the regime of the rule itself.
    assert (alone.n_holds, alone.n_fails) == (4, 2)
    assert alone.nearest[0].rule == "stored / regime/strict"


def test_no_coefficient_is_no_answer(tmp_path: Path):
    study = view({"stored": {"ada": "10", "bob": "01"}, "other": {"ada": "11", "bob": "10"}})
    body = "kind='no-positive-correspondence'\nbetween=['stored','other']"
    assert one(study, body, tmp_path).outcome == "undecided"


def test_printed_columns_are_rules_when_they_are_named(tmp_path: Path):
    def printed(column: str, *values: float) -> list[ReportedScore]:
        rows = zip(("Ada", "Bob", "Zoe"), values, strict=True)
        return [
            ReportedScore(source="s", table="T", row=row, column=column, value=value)
            for row, value in rows
        ]

    study = view(
        {"stored": STRICT}, reported=(*printed("x", 0.9, 0.8, 0.7), *printed("y", 0.1, 0.2, 0.3))
    )
    body = "kind='no-positive-correspondence'\nbetween=['printed/T/x','printed/T/y']"
    claim = one(study, body, tmp_path)
    assert (claim.outcome, claim.n_items) == ("holds", None)
    named = "[names]\nAda='ada'\nBob='bob'\n[[claim]]\nkind='above'\na='Ada'\nb='Bob'\nrules=[{}]"
    first, second = (
        checked(study, named.format(f"'printed/T/{column}'"), tmp_path).claims[0].outcome
        for column in "xy"
    )
    assert (first, second) == ("holds", "fails")
    tested = named.replace("'above'", "'indistinguishable'").format("'printed/T/x'")
    assert checked(study, tested, tmp_path).claims[0].outcome == "undecided"


BITS = st.text("01", min_size=6, max_size=6)
BOARDS = st.fixed_dictionaries({"ada": BITS, "bob": BITS, "eve": BITS})
CLAIMS = st.sampled_from(
    [
        "kind='above'\na='ada'\nb='bob'",
        "kind='leads'\nsystem='ada'",
        "kind='leads'\nsystem='ada'\noutright=true",
        "kind='trails'\nsystem='bob'",
        "kind='in-top'\nsystem='eve'\nk=2",
        "kind='has-rank'\nsystem='eve'\nrank=2",
        "kind='tied'\na='ada'\nb='eve'",
        "kind='leaders'\ncount=2",
        "kind='indistinguishable'\na='ada'\nb='bob'",
        "kind='accuracy-at-least'\nsystem='ada'\nvalue=0.5",
        "kind='moves'\nbetween=['r0','r1']\nranks=1\nsystems_moved=2",
        "kind='no-positive-correspondence'\nbetween=['r0']",
    ]
)


@given(boards=st.lists(BOARDS, min_size=2, max_size=4), body=CLAIMS)
@settings(deadline=None, max_examples=60)
def test_a_denied_claim_is_the_complement_and_a_share_of_one_is_holding_everywhere(
    boards: list[dict[str, str]], body: str
):
    study = view({f"r{at}": rules for at, rules in enumerate(boards)})
    with tempfile.TemporaryDirectory() as name:
        said, denied = (one(study, text, Path(name)) for text in (body, f"{body}\nnegated=true"))
    assert (said.n_holds, said.n_fails) == (denied.n_fails, denied.n_holds)
    assert said.n_undecided == denied.n_undecided
    if said.share is not None:
        assert said.share + denied.share == pytest.approx(1.0)
        assert (said.share == 1.0) == (said.outcome == "holds") == (said.n_fails == 0)
        assert (said.share == 0.0) == (said.outcome == "fails")
    for check in said.checks:
        if check.holds is not None and check.margin:
            assert (check.margin > 0) == check.holds or "leads" in body
    # Counter-examples are there exactly when the base rule is contradicted.
    if said.base is not None and said.base.holds is not None:
        others = {check.holds for check in said.checks} - {None}
        assert bool(said.nearest) == (len(others) == 2)


@given(rules=BOARDS, k=st.integers(1, 3))
@settings(deadline=None, max_examples=60)
def test_ranks_of_claims_are_those_of_the_definition(rules: dict[str, str], k: int):
    study = view({"stored": rules})
    totals = [Fraction(rules[name].count("1"), 6) for name in ("ada", "bob", "eve")]
    own = ranking.rank(totals, "competition", higher_is_better=True)[0]
    with tempfile.TemporaryDirectory() as name:
        claim = one(study, f"kind='in-top'\nsystem='ada'\nk={k}", Path(name))
    assert (claim.outcome == "holds") == (own <= k)


@given(boards=st.lists(BOARDS, min_size=2, max_size=5))
@settings(deadline=None, max_examples=60)
def test_the_nearest_counter_example_changes_the_fewest_verdicts(boards: list[dict[str, str]]):
    study = view({f"r{at}": rules for at, rules in enumerate(boards)})
    with tempfile.TemporaryDirectory() as name:
        claim = one(study, "kind='leads'\nsystem='ada'", Path(name), base="r0")

    def leads(rules: dict[str, str]) -> bool:
        totals = {system: bits.count("1") for system, bits in rules.items()}
        return totals["ada"] == max(totals.values())

    def apart(rules: dict[str, str]) -> int:
        mine, base = ("".join(b[s] for s in sorted(b)) for b in (rules, boards[0]))
        return sum(a != b for a, b in zip(mine, base, strict=True))

    against = [apart(rules) for rules in boards[1:] if leads(rules) != leads(boards[0])]
    assert bool(claim.nearest) == bool(against)
    if against:
        assert claim.nearest[0].changed == pytest.approx(min(against) / 18)


def test_rules_of_a_grid_all_count_and_the_nearest_changes_the_fewest_choices(tmp_path: Path):
    file = declared("[[claim]]\nkind='above'\na='ada'\nb='bob'", tmp_path)
    base, *rest = rules_of(
        view({"base": STRICT, "same": STRICT, "far": JUDGE, "near": JUDGE}), "wrong", {}
    )
    kinds = {
        "base": (("matcher", "exact"), ("stage", "first")),
        "same": (("matcher", "fuzzy"), ("stage", "first")),
        "far": (("matcher", "fuzzy"), ("stage", "last")),
        "near": (("matcher", "exact"), ("stage", "last")),
    }
    grid = [
        replace(rule, group="grid", choices=kinds[rule.name], weight=weight)
        for rule, weight in zip((base, *rest), (0.4, 0.3, 0.2, 0.1), strict=True)
    ]
    court = Court(
        items=TWO.items,
        systems=("ada", "bob", "eve"),
        known=("ada", "bob", "eve"),
        file=file,
        convention="competition",
        replies=None,
    )
    claim = evaluate(file.claims[0], grid, court, base="elsewhere")
    (tally,) = claim.tallies
    assert (tally.n, tally.n_holds, tally.n_fails, tally.share) == (4, 2, 2, 0.5)
    assert tally.weighted_share == pytest.approx(0.7)
    (near,) = claim.nearest
    assert (near.rule, near.choices) == ("near", (("stage", "first", "last"),))
    assert claim.checks == ()


def test_a_scope_without_rules_takes_all_but_printed_columns():
    assert Scope().rules == ()
