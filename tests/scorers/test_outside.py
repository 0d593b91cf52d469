from __future__ import annotations

import sys

import pytest

from finassay.errors import MissingExtraError, SpecError
from finassay.scorers import outside
from finassay.scorers.outside import InspectMatch, MathVerify
from scoring import mark


@pytest.mark.parametrize(
    ("reference", "reply", "value"),
    [
        ("30", "The answer is 30.", 1.0),
        ("1/2", "So we get $\\frac{1}{2}$", 1.0),
        ("30", "The answer is 31", 0.0),
        # What the package does, as its users report: a percent sign may be a factor or nothing.
        ("0.5", "50%", 1.0),
        ("50", "50%", 1.0),
    ],
)
def test_math_verify_compares_as_the_package_does(reference: str, reply: str, value: float):
    assert mark("math_verify", reference, reply).value == value


def test_math_verify_never_calls_two_unreadable_texts_equal():
    assert mark("math_verify", "30", "thirty").status == "unparsed"
    assert mark("math_verify", "thirty", "thirty").status == "not_applicable"


@pytest.mark.parametrize(
    "reply",
    ["$9^{9^{9^9}}$", "9**9**9", "$2^{99999999}$", "100000!", "$\\binom{9}{4}$", "1" * 20_001],
)
def test_math_verify_reads_nothing_that_may_take_for_ever(reply: str):
    found = mark("math_verify", "30", reply)
    assert (found.status, found.value) == ("failed", None)
    assert "too long, or holds a power" in found.reason


@pytest.mark.parametrize("reply", ["$x^2 + y^2 = 30$, so 30", "**30**", "grows by 1.05^{10}: 30"])
def test_math_verify_reads_powers_that_are_no_danger(reply: str):
    assert mark("math_verify", "30", reply).value == 1.0


def test_math_verify_rounds_to_the_decimals_asked_for():
    assert mark("math_verify", "0.3333", "0.33331").value == 0.0
    assert mark(MathVerify(float_rounding=3), "0.3333", "0.33331").value == 1.0


@pytest.mark.parametrize(
    ("scorer_id", "reference", "reply", "value"),
    [
        ("peer/inspect-match[numeric=true]", "42", "It is 42!", 1.0),
        ("peer/inspect-match[numeric=true]", "5", "It is 25", 0.0),
        ("peer/inspect-match[numeric=true]", "60", "It is 60%", 0.0),
        ("peer/inspect-match[numeric=true]", "42", "42 of 43", 0.0),
        ('peer/inspect-match[location="any",numeric=true]', "42", "42 of 43", 1.0),
        ('peer/inspect-match[location="begin",numeric=true]', "42", "42 of 43", 1.0),
        ('peer/inspect-match[location="exact",numeric=true]', "42", "42.0", 1.0),
        ("peer/inspect-match", "5", "It is 25", 1.0),
        ("peer/inspect-match[ignore_case=false]", "Fee", "the fee", 0.0),
        ("peer/inspect-includes", "fee", "The FEES", 1.0),
        ("peer/inspect-includes[ignore_case=false]", "fee", "The FEES", 0.0),
    ],
)
def test_inspect_scorers_mark_as_inspect_does(
    scorer_id: str, reference: str, reply: str, value: float
):
    assert mark(scorer_id, reference, reply).value == value


@pytest.mark.parametrize(
    ("scorer_id", "module", "extra"),
    [
        ("math_verify", "math_verify", "math"),
        ("peer/inspect-includes", "inspect_ai.scorer", "run"),
    ],
)
def test_a_missing_package_names_the_extra(
    scorer_id: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, module, None)
    outside._math_verify.cache_clear()
    outside._inspect_includes.cache_clear()
    with pytest.raises(MissingExtraError, match=rf"{scorer_id!r} needs the package.*\[{extra}\]"):
        mark(scorer_id, "30", "30")


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("location", "middle", "`location` of InspectMatch must be one of"),
        ("numeric", 1, "`numeric` of InspectMatch must be true or false"),
    ],
)
def test_parameters_out_of_range_are_refused(field: str, value: object, message: str):
    with pytest.raises(SpecError, match=message):
        InspectMatch(**{field: value})
