"""Judges side by side: who they are, where they differ, and what a reader is told."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from finassay.analyses.judges.beside import judge_augmented, judge_only
from finassay.analyses.judges.identity import identities, is_pairwise
from finassay.analyses.judges.inputs import JudgePlan
from finassay.analyses.judges.results import Figure, Standing
from finassay.analyses.judges.results_compare import Judges, SilenceKind
from finassay.analyses.judges.standing import standing_of
from finassay.errors import UnknownNameError, UsageError
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.outside import JudgeSpec
from finassay.records import STATUSES, SystemSpec
from judged_samples import Columns, inputs, judged
from small_boards import LETTERS, board

ALPHA = "judge/alpha/single/human/A"

SYSTEMS = (
    SystemSpec(name="gpt small", model="openai/gpt-4o-2024-08-06", model_family=""),
    SystemSpec(name="gpt big", model="gpt-4.1"),
    SystemSpec(name="llama", model="meta/llama-3.3-70b"),
    SystemSpec(name="annotator", kind="person"),
)


def known(scorer_id: str, spec: JudgeSpec | None = None, declared: Mapping[str, str] | None = None):
    return identities(
        [scorer_id],
        systems=SYSTEMS,
        specs={} if spec is None else {scorer_id: spec},
        declared=declared or {},
    )[0]


def test_a_judge_is_the_candidate_with_its_model_dates_and_providers_aside():
    spec = JudgeSpec(scorer_id=ALPHA, model="azure/gpt-4o", votes=5)
    found = known(ALPHA, spec)
    assert (found.candidate, found.candidate_from, found.votes) == ("gpt small", "spec", 5)
    assert found.relatives == ("gpt big",)


def test_a_judge_without_a_record_is_known_by_its_name():
    found = known("judge/llama/single/none/B")
    assert (found.candidate, found.candidate_from) == ("llama", "name")
    assert (found.task, found.arm, found.prompt, found.tolerance) == ("single", "none", "B", "")


def test_a_declared_candidate_wins():
    found = known("judge/phi", declared={"phi": "llama"})
    assert (found.candidate, found.candidate_from, found.own) == ("llama", "declared", ("llama",))


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({"phi": "nobody"}, "which the study does not hold"),
        ({"psi": "llama"}, "no judge is called"),
    ],
)
def test_a_declaration_about_nobody_is_refused(declared: dict[str, str], said: str):
    with pytest.raises(UnknownNameError, match=said):
        known("judge/phi", declared=declared)


def test_a_jury_is_no_candidate_but_has_relatives():
    scorer_id = "judge/jury-three/single/human/A"
    spec = JudgeSpec(scorer_id=scorer_id, model_family="gpt, llama")
    found = known(scorer_id, spec)
    assert (found.candidate, found.relatives) == (None, ("gpt big", "gpt small", "llama"))


def test_pairwise_judges_are_told_by_their_id():
    assert is_pairwise("judge/x/pairwise/none/A")
    assert not is_pairwise("judge/pairwise")


def agreement_with(kappa: Figure, n: int = 50):
    columns = {"beta": "10" * 4, "gamma": "01" * 4}
    found = judged(inputs({"judge/x": columns}, {"person/a": columns})).judges[0].agreement
    assert found is not None
    return replace(found, n=n, treated=(replace(found.treated[0], kappa=kappa),))


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.5, 0.7, "passes"),
        (0.4, 0.7, "passes"),
        (0.2, 0.6, "open"),
        (0.1, 0.39, "fails"),
        (0.0, 0.9, "fails"),
        (-0.2, 0.1, "fails"),
        (None, None, "undetermined"),
    ],
)
def test_standing_follows_the_interval_of_kappa(
    low: float | None, high: float | None, expected: Standing
):
    found, reason = standing_of(agreement_with(Figure(value=0.3, low=low, high=high)), 0.4)
    assert found == expected
    assert "over 50 replies" in reason


def test_without_labels_a_judge_is_not_calibrated_and_the_findings_say_so():
    result = judged(inputs({ALPHA: {"beta": "1010", "gamma": "1100"}}, {}))
    assert result.judges[0].standing == "not_calibrated"
    (finding,) = [one for one in result.findings if one.kind == "not_calibrated"]
    assert (finding.severity, "no labels of people" in finding.text) == ("high", True)


def test_a_judge_that_says_the_same_of_everything_fails_calibration():
    people: Columns = {"beta": "10" * 20, "gamma": "01" * 20}
    result = judged(inputs({ALPHA: {"beta": "1" * 40, "gamma": "1" * 40}}, {"person/a": people}))
    assert result.judges[0].standing == "fails"
    assert any(one.text.startswith(f"{ALPHA} fails calibration") for one in result.findings)


def test_a_judge_that_errs_on_nothing_passes_with_a_low_end_below_one():
    people: Columns = {"beta": "10" * 20, "gamma": "01" * 20}
    one = judged(inputs({ALPHA: people}, {"person/a": people})).judges[0]
    assert one.standing == "passes"
    assert one.agreement is not None
    kappa = one.agreement.primary.kappa
    # 40 of 40 questions: the Clopper-Pearson low end is 0.025^(1/40), chance 1/2.
    assert kappa.low == pytest.approx((0.025 ** (1 / 40) - 0.5) / 0.5)
    assert kappa.high == 1.0
    f1 = one.agreement.primary.f1_correct
    # Half of the replies are CORRECT, and half of the errors fall on either side.
    error = 1 - 0.025 ** (1 / 40)
    assert f1.low == pytest.approx((1 - error) / (1 - error + error))


def test_perfect_agreement_on_a_few_questions_does_not_pass():
    people: Columns = {"beta": "10110", "gamma": "01001"}
    few = judged(inputs({ALPHA: people}, {"person/a": people})).judges[0]
    assert few.standing == "undetermined"
    # Ten of ten questions: the low end of agreement is 0.69, that of kappa 0.38.
    ten = {name: letters * 2 for name, letters in people.items()}
    assert judged(inputs({ALPHA: ten}, {"person/a": ten})).judges[0].standing == "open"


def test_controls_are_no_failures():
    people: Columns = {"beta": "10" * 20, "gamma": "01" * 20}
    wrong = "judge/alpha/single/wrong/A"
    result = judged(inputs({wrong: {"beta": "0" * 40, "gamma": "0" * 40}}, {"person/a": people}))
    assert not [one for one in result.findings if one.kind == "fails_calibration"]
    assert result.regimes == ()


def test_unreadable_verdicts_are_a_finding():
    result = judged(inputs({"judge/x": {"beta": "11u0" * 5}}, {}))
    (finding,) = [one for one in result.findings if one.kind == "unreadable"]
    assert "5 of 20 verdicts" in finding.text
    assert "10 of 15 (66.7%) CORRECT without them, 10 of 20 (50.0%)" in finding.text


LEFT: Columns = {"beta": "1100", "gamma": "0011"}
RIGHT: Columns = {"beta": "1010", "gamma": "0u10"}


def pair_of(result: Judges):
    (found,) = result.pairs
    return found


def test_two_judges_are_compared_where_both_scored():
    people = {"person/a": {"beta": "1100", "gamma": "0.0u"}}
    found = pair_of(judged(inputs({"judge/l": LEFT, "judge/r": RIGHT}, people, tasks="xxyy")))
    assert (found.n, found.agreement.k, found.n_disputed) == (7, 4, 3)
    told = [(one.item_id, one.system, one.left_says, one.people) for one in found.disputes]
    assert told == [
        ("i1", "beta", "CORRECT", "CORRECT"),
        ("i2", "beta", "INCORRECT", "INCORRECT"),
        ("i3", "gamma", "CORRECT", ""),
    ]


def test_people_side_with_a_judge_by_task():
    people = {
        "person/a": {"beta": "1100", "gamma": "0.00"},
        "person/b": {"beta": "1110", "gamma": "0.00"},
    }
    found = pair_of(judged(inputs({"judge/l": LEFT, "judge/r": RIGHT}, people, tasks="xxyy")))
    sides = {
        (one.stratum, one.adjudicator): (one.left.k, one.left.n, one.n_undecided)
        for one in found.sides
    }
    # i1 beta: both people right as the left judge; i2 beta: split; i3 gamma: both wrong.
    assert sides == {
        ("", "person/consensus"): (1, 2, 1),
        ("", "person/a"): (2, 3, 0),
        ("", "person/b"): (1, 3, 0),
        ("x", "person/consensus"): (1, 1, 0),
        ("x", "person/a"): (1, 1, 0),
        ("x", "person/b"): (1, 1, 0),
        ("y", "person/consensus"): (0, 1, 1),
        ("y", "person/a"): (1, 2, 0),
        ("y", "person/b"): (0, 2, 0),
    }


def test_judges_that_were_asked_otherwise_are_no_pair():
    made = {"judge/a/single/human/A": LEFT, "judge/b/single/none/A": LEFT}
    assert judged(inputs(made, {})).pairs == ()
    assert len(judged(inputs({**made, "judge/c": RIGHT}, {})).pairs) == 2


def test_people_are_compared_without_not_sure():
    people = {"person/a": {"beta": "110u."}, "person/b": {"beta": "10011"}}
    result = judged(inputs({"judge/x": {"beta": "11111"}}, people))
    (found,) = result.people_pairs
    assert (found.n, found.n_not_sure, found.agreement.k) == (3, 1, 2)
    # Margins 2/3 and 1/3 yes: chance (2 + 2) / 9, kappa (6 - 4) / (9 - 4).
    assert found.kappa == pytest.approx(0.4)
    assert result.people is not None
    assert result.people.overall.n_complete == 3


def silent(kind: SilenceKind, *replies: tuple[str, str]):
    return {kind: frozenset(replies)}


def test_credit_for_silence_is_listed():
    given = inputs({"judge/x": {"beta": "110", "gamma": "0n1"}}, {"person/a": {"beta": "100"}})
    told = silent("empty", ("i0", "beta"), ("i1", "beta"), ("i0", "gamma"), ("i1", "gamma"))
    result = judged(replace(given, silence=told))
    (found,) = result.silence
    assert (found.kind, found.marked.k, found.marked.n) == ("empty", 2, 3)
    assert (found.by_system, found.n_people_correct) == ((("beta", 2),), 1)
    assert found.items == (("beta", "i0"), ("beta", "i1"))
    assert any(one.kind == "credits_silence" for one in result.findings)


def test_silence_without_credit_is_no_row():
    given = inputs({"judge/x": {"beta": "010"}}, {})
    assert judged(replace(given, silence=silent("refused", ("i0", "beta")))).silence == ()


EXACT, LOOSE = "judge/j/single/human/A/exact", "judge/j/single/human/A/1%"


def test_orders_that_depend_on_the_rounding_clause_are_told():
    made = {
        EXACT: {"a": "1111", "b": "1110", "c": "1000"},
        LOOSE: {"a": "1110", "b": "1111", "c": "1001"},
    }
    rule: Columns = {"a": "1000", "b": "1100", "c": "1110"}
    result = judged(inputs(made, {}, rule=rule))
    (found,) = result.tolerances
    assert (found.judge, found.rule) == ("judge/j/single/human/A", "exact")
    changes = [(one.better, one.worse, one.under, one.reversed_under) for one in found.changed]
    assert changes == [("a", "b", (EXACT,), (LOOSE,))]
    spearman = {
        pair.right: pair.spearman for pair in found.comparison.correlations if pair.left == "exact"
    }
    # Ranks by the rule c b a; exactly the reverse under the exact clause.
    assert spearman == {EXACT: pytest.approx(-1.0), LOOSE: pytest.approx(-0.5)}
    assert any(one.kind == "tolerance_effect" for one in result.findings)


def test_overturns_leave_a_judges_own_answers_out():
    rule: Columns = {"alpha": "0000", "beta": "0011", "gamma": "1100"}
    judge: Columns = {"alpha": "1111", "beta": "1010", "gamma": "1u00"}
    (table,) = judged(inputs({ALPHA: judge}, {}, rule=rule)).overturns
    assert [row.system for row in table.rows] == ["beta", "gamma"]
    assert (table.pooled.overturned.k, table.pooled.overturned.n) == (1, 4)
    assert (table.pooled.rejected.k, table.pooled.rejected.n) == (1, 3)


def test_regimes_put_the_judge_and_people_beside_the_rule():
    rule: Columns = {"alpha": "0000", "beta": "0011", "gamma": "1110", "delta": "1000"}
    judge: Columns = {"alpha": "1111", "beta": "1111", "gamma": "1u00", "delta": "0000"}
    people = {"person/a": {"beta": "1110", "gamma": "1100", "delta": "0000"}}
    (found,) = judged(inputs({ALPHA: judge}, people, rule=rule)).regimes
    assert found.candidate == "alpha"
    assert found.comparison is not None
    assert found.comparison.systems == ("beta", "delta", "gamma")
    assert [one.regime for one in found.comparison.regimes] == [
        "exact",
        "judge-only",
        "judge-augmented",
    ]
    assert found.with_people is not None
    scores = {
        one.regime: {row.system: row.score for row in one.scores}
        for one in found.with_people.regimes
    }
    assert scores["human-consensus"] == {"beta": 0.75, "gamma": 0.5, "delta": 0.0}


@pytest.mark.parametrize(
    ("rule", "judge", "only", "either"),
    [
        ("1", "0", "0", "1"),
        ("0", "1", "1", "1"),
        ("0", ".", "0", "0"),
        ("1", ".", "1", "1"),
        ("0", "u", "u", "u"),
        ("1", "u", "u", "1"),
        ("u", "0", "0", "u"),
        ("f", "1", "1", "1"),
    ],
)
def test_a_judge_decides_where_it_was_asked(rule: str, judge: str, only: str, either: str):
    left = board({"a": rule + "1"})
    right = board({"a": judge + "1"}).select() if judge != "." else _absent()
    assert _cell(judge_only(left, right)) == LETTERS[only]
    assert _cell(judge_augmented(left, right)) == LETTERS[either]


def _absent() -> VerdictMatrix:
    whole = board({"a": "11"})
    status = whole.status.copy()
    status[0, 0] = -1
    values = whole.values.copy()
    values[0, 0] = 0.0
    return replace(whole, status=status, values=values)


def _cell(matrix: VerdictMatrix) -> tuple[str, float | None]:
    status = STATUSES[matrix.status[0, 0]]
    return status, float(matrix.values[0, 0]) if status == "scored" else None


def test_the_human_leaderboard_is_over_settled_replies_beside_the_rule():
    rule: Columns = {"beta": "0011", "gamma": "1110"}
    people = {"person/a": {"beta": "11u0", "gamma": "1..."}}
    found = judged(inputs({"judge/x": rule}, people, rule=rule)).human
    assert found is not None
    rows = [
        (row.system, row.people.total, row.people.n, row.people.n_unscored) for row in found.rows
    ]
    assert rows == [("gamma", 1.0, 1, 0), ("beta", 2.0, 3, 1)]
    assert found.rows[1].rule is not None
    assert (found.rows[1].rule.total, found.rows[1].rule.n) == (1.0, 3)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"policy": "never"}, "`policy` must be one of"),
        ({"policy": "wrong", "level": 95.0}, "for 95% pass 0.95"),
        ({"policy": "wrong", "primary": "ignored"}, "`primary` must be one of"),
        ({"policy": "wrong", "bound": 1.5}, "`bound` must be a kappa"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(changes: dict[str, object], said: str):
    with pytest.raises(UsageError, match=said):
        JudgePlan(**changes)  # type: ignore[arg-type]
