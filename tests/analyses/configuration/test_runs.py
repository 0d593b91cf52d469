"""Two runs of one model, prompt arms, and budgets, on manifests and verdicts written by hand."""

from __future__ import annotations

import pytest

from claim_boards import replies
from finassay.analyses.compare_claims import CompareSettings
from finassay.analyses.configuration.caps import caps_of
from finassay.analyses.configuration.runs import (
    Runs,
    arm_pairs,
    budget_curves,
    changed_fields,
    run_pairs,
)
from finassay.errors import UnknownNameError
from finassay.records import FINISHES, Item, RunRecord, SystemSpec
from reference.paired_bootstrap import by_polynomial, singles
from small_boards import board

SHORT = SystemSpec(name="short", model="m", budget="256 tokens", decoding=(("temperature", "0"),))
LONG = SystemSpec(name="long", model="m", budget="1024 tokens", decoding=(("temperature", "0"),))
MARKS = {"short": "11000010", "long": "11011011"}


def runs(
    *systems: SystemSpec, marks: dict[str, str], clusters: tuple[str, ...] = (), **more: object
) -> Runs:
    n = len(next(iter(marks.values())))
    facts = replies({name: [10] * n for name in marks})
    return Runs(
        items=tuple(Item(item_id=f"i{at}", documents=(f"d{at // 2}",)) for at in range(n)),
        systems=systems,
        runs=more.get("runs", ()),
        matrix=board(marks),
        rule="stored",
        settings=CompareSettings(policy="wrong", clusters=clusters),
        replies=more.get("replies", facts),
        caps=caps_of(facts, declared=more.get("caps", {})),
        digests=more.get("digests", {}),
    )


def test_two_runs_of_a_model_are_compared_with_exact_p_and_what_changed():
    (pair,) = run_pairs(runs(SHORT, LONG, marks=MARKS, clusters=("documents",)))
    d = [int(b) - int(a) for a, b in zip(MARKS["short"], MARKS["long"], strict=True)]
    inclusive, exclusive = by_polynomial(singles(d))
    assert (pair.model, pair.left, pair.right, pair.n) == ("m", "short", "long", 8)
    assert pair.difference == pytest.approx(sum(d) / 8)
    assert pair.low < pair.difference < pair.high
    assert (pair.item.p.inclusive, pair.item.p.exclusive) == pytest.approx(
        (float(inclusive), float(exclusive))
    )
    inclusive, _ = by_polynomial([(d[at] + d[at + 1], 2) for at in range(0, 8, 2)])
    assert pair.cluster.p.inclusive == pytest.approx(float(inclusive))
    assert (pair.mcnemar.left_only, pair.mcnemar.right_only) == (0, 3)
    assert [(c.field, c.left, c.right) for c in pair.changed] == [
        ("budget", "256 tokens", "1024 tokens")
    ]


def test_the_interval_and_the_sign_turn_with_the_order_of_the_runs():
    (one,) = run_pairs(runs(SHORT, LONG, marks=MARKS))
    (other,) = run_pairs(runs(LONG, SHORT, marks=MARKS))
    assert other.difference == -one.difference
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low))


def test_runs_of_different_models_are_compared_only_when_declared():
    other = SystemSpec(name="long", model="other")
    given = runs(SHORT, other, marks=MARKS)
    assert run_pairs(given) == ()
    (pair,) = run_pairs(given, [("short", "long")])
    assert {change.field for change in pair.changed} == {"model", "budget", "decoding"}
    with pytest.raises(UnknownNameError, match=r"no system is called 'longer'"):
        run_pairs(given, [("short", "longer")])


def test_manifests_of_the_runs_are_compared_without_times_and_ids():
    manifests = [
        RunRecord(
            run_id=f"r{at}",
            system_id=spec.system_id,
            started=f"2026-01-0{at + 1}",
            served_model=f"m-{at}",
            packages=(("lib", str(at)),),
        )
        for at, spec in enumerate((SHORT, LONG))
    ]
    changed = {c.field: (c.left, c.right) for c in changed_fields(SHORT, LONG, manifests)}
    assert changed == {
        "budget": ("256 tokens", "1024 tokens"),
        "served_model": ("m-0", "m-1"),
        "packages": ("lib=0", "lib=1"),
    }


def test_replies_at_the_cap_and_equal_replies_are_counted_on_shared_items():
    given = runs(
        SHORT,
        LONG,
        marks=MARKS,
        caps={"short": 10},
        digests={"short": {"i0": "a", "i1": "b"}, "long": {"i0": "a", "i1": "c"}},
    )
    (pair,) = run_pairs(given)
    assert (pair.left_at_cap.k, pair.left_at_cap.n) == (8, 8)
    assert pair.right_at_cap.k == 0
    assert pair.n_same == 1


def test_runs_that_share_no_item_are_not_compared():
    assert run_pairs(runs(SHORT, LONG, marks={"short": "11..", "long": "..11"})) == ()


def test_a_budget_curve_is_ordered_by_the_number_of_the_budget():
    facts = replies({"long": [10] * 8, "short": [10] * 8})
    facts.finish[:3, facts.column("short")] = FINISHES.index("truncated")
    (curve,) = budget_curves(runs(LONG, SHORT, marks=MARKS, replies=facts))
    assert (curve.name, curve.is_cut) == ("m", False)
    assert [(p.budget, p.score.k, p.at_cap.k) for p in curve.points] == [
        ("256 tokens", 3, 3),
        ("1024 tokens", 6, 0),
    ]


def test_prompt_arms_are_paired_over_models_where_only_the_prompt_differs():
    specs = [
        SystemSpec(name=f"{model}-{arm}", model=model, prompt_arm=arm)
        for model in ("m", "n")
        for arm in ("plain", "steps")
    ]
    other = SystemSpec(name="n-far", model="n", prompt_arm="steps", budget="9")
    marks = {
        "m-plain": "1100",
        "m-steps": "1110",
        "n-plain": "0000",
        "n-steps": "1000",
        "n-far": "1111",
    }
    (arm,) = arm_pairs(runs(*specs, other, marks=marks))
    assert (arm.left, arm.right, arm.n) == ("plain", "steps", 4)
    assert arm.models == (("m-plain", "m-steps"), ("n-plain", "n-steps"))
    assert (arm.n_positive, arm.n_negative) == (2, 0)
    # Differences by item, mean of two models: 1/2, 0, 1/2, 0.
    assert arm.difference == pytest.approx(0.25)
    inclusive, _ = by_polynomial(singles([1, 0, 1, 0]))
    assert arm.item.p.inclusive == pytest.approx(float(inclusive))
