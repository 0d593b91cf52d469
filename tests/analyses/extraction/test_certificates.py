from __future__ import annotations

import json
from dataclasses import replace

import pytest

from finassay.analyses.extraction.audit import CellAudit, Settings, audit_cell
from finassay.analyses.extraction.cells import LabelCell
from finassay.analyses.extraction.certificates import Certificate
from finassay.analyses.results import to_jsonable
from finassay.errors import UsageError
from finassay.reports.json import schema_of
from label_oracle import CARD, WORD, cell_of, ten

CLEAN = cell_of(("neutral", "Neutral.", "positive"), ("neutral", "neutral", "negative"))
SILENT = cell_of(("?", "!"), ("neutral", "neutral"))
DEAD = cell_of(("positive or negative", "neutral"), ("neutral", "neutral"))


def certificate(cell: LabelCell, **settings: object) -> Certificate | None:
    return audit_cell(cell, Settings(**settings)).certificate


def test_without_ambiguity_score_labels_and_verdict_are_all_certified():
    found = certificate(CLEAN)
    assert found is not None
    assert found.kinds == ("score-invariant", "prediction-invariant", "verdict-invariant")
    assert (found.low, found.high, found.floor, found.verdict) == (2, 2, 2, "ties")
    assert not found.is_vacuous


def test_dead_items_leave_the_score_certified_but_not_the_labels():
    found = certificate(DEAD)
    assert found is not None
    assert found.kinds == ("score-invariant", "verdict-invariant")


def test_an_interval_on_one_side_of_the_floor_certifies_the_verdict_alone():
    replies = ("positive or neutral", "negative", "negative", "negative")
    found = certificate(cell_of(replies, ("positive", "neutral", "neutral", "neutral")))
    assert found is not None
    assert (found.kinds, found.verdict) == (("verdict-invariant",), "below")


def test_nothing_is_certified_where_the_rule_decides():
    found = audit_cell(ten())
    assert found.certificate is None
    assert found.uncertified == (
        "the rule decides: undetermined/straddles within the family select"
    )


def test_a_certificate_without_a_single_label_is_vacuous_and_prints_so():
    found = certificate(SILENT)
    assert found is not None
    assert found.is_vacuous
    assert "vacuous: no reply holds a label" in found.to_lines()[0]
    assert any("vacuous" in warning for warning in audit_cell(SILENT).warnings)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"budget": ""}, "undeclared budget; no certificate"),
        ({"arm": ""}, "undeclared prompt arm; no certificate"),
        ({"arm": "", "budget": ""}, "undeclared prompt arm and budget; no certificate"),
    ],
)
def test_what_was_not_declared_is_never_certified(changes: dict[str, object], reason: str):
    found = audit_cell(replace(CLEAN, **changes))
    assert (found.certificate, found.uncertified) == (None, reason)


def test_a_certificate_cannot_be_made_without_arm_budget_or_kind():
    found = certificate(CLEAN)
    assert found is not None
    for changes in ({"budget": ""}, {"arm": ""}, {"kinds": ()}):
        with pytest.raises(UsageError, match="a certificate needs a declared prompt arm"):
            replace(found, **changes)


def test_a_printed_certificate_names_family_matcher_arm_budget_coverage_and_digest():
    found = certificate(CLEAN, matcher=WORD)
    assert found is not None
    text = "\n".join(found.to_lines())
    for part in (
        "family select",
        "word (norm lower)",
        "prompt arm free",
        "budget 10 tokens",
        "coverage 3/3 (1.0000)",
        f"input {CLEAN.digest[:16]}",
    ):
        assert part in text
    assert found.input_digest == CLEAN.digest


def test_the_family_decides_what_is_invariant():
    assert certificate(CLEAN, family="select_or_abstain") is None
    same = cell_of(("positive or negative",) * 2, ("positive", "negative"))
    assert certificate(same) is None
    by_text = certificate(same, family="text_function")
    assert by_text is not None
    assert by_text.kinds == ("score-invariant", "verdict-invariant")


def test_abstaining_anywhere_leaves_only_silence_to_certify():
    found = certificate(SILENT, family="select_or_abstain")
    assert found is not None
    assert found.kinds == ("score-invariant", "prediction-invariant", "verdict-invariant")


def test_a_finite_family_is_certified_for_its_own_rules():
    found = certificate(ten(), family="finite", rules=("labels/text-order",))
    assert found is not None
    assert found.kinds == ("score-invariant", "prediction-invariant", "verdict-invariant")
    two = audit_cell(ten(), Settings(family="finite", rules=("labels/text-order", "labels/last")))
    assert two.certificate is not None
    assert two.certificate.kinds == ("score-invariant", "verdict-invariant")


def test_other_input_gives_another_digest():
    changed = (
        replace(CLEAN, replies=("neutral", "Neutral!", "positive")),
        replace(CLEAN, golds=("neutral", "neutral", "positive")),
        replace(CLEAN, choices=tuple(reversed(CARD))),
        replace(CLEAN, strata=("a", "a", "b")),
        replace(CLEAN, item_ids=("a", "b", "c")),
    )
    digests = {cell.digest for cell in (CLEAN, *changed)}
    assert len(digests) == 6


def test_the_audit_of_a_cell_has_a_json_form_and_a_schema():
    plain = to_jsonable(audit_cell(ten()))
    assert json.loads(json.dumps(plain)) == plain
    assert schema_of(CellAudit, "finassay/CellAudit/1", "Audit")["type"] == "object"


def test_a_family_that_was_not_asked_for_is_refused():
    with pytest.raises(UsageError, match="holds no reach of the family 'finite'"):
        audit_cell(ten(), Settings(rules=())).reach_of("finite")


def test_filled_and_uncovered_items_are_warned_of():
    found = audit_cell(ten(), Settings(rules=('labels/default-fill[default="neutral"]',)))
    assert "1 of 10 replies hold no label and count as wrong" in found.warnings
    assert any("1 of 10 answers were filled in" in warning for warning in found.warnings)
    assert any("outside the family select on 1 items" in warning for warning in found.warnings)
