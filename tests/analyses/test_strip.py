"""The sentences at the head of a report: only what was measured, nothing that says nothing."""

from finassay.analyses.audit import AuditInputs, build_audit
from finassay.analyses.estimates import Settings
from finassay.marking.matrix import VerdictMatrix
from finassay.records import SystemSpec
from small_boards import board, items

FOUR = items(["F"] * 4)


def sentences(**rules: VerdictMatrix) -> list[str]:
    inputs = AuditInputs(
        study="small",
        items=FOUR,
        systems=(SystemSpec(name="a"), SystemSpec(name="b")),
        matrices=rules,
        primary="strict",
        settings=Settings(policy="wrong"),
    )
    return [claim.text for claim in build_audit(inputs).strip]


STRICT = board({"a": "1100", "b": "0011"})


def test_a_count_of_zero_is_not_a_sentence():
    said = " ".join(sentences(strict=STRICT))
    assert "hold no answer" not in said
    assert "separate no pair" not in said


def test_silence_and_items_that_separate_nobody_are_said():
    said = sentences(strict=board({"a": "11n0", "b": "0110"}))
    assert any("2 of 4 items (50%) separate no pair" in text for text in said)
    assert any("Of 8 verdicts of strict, 1 hold no answer" in text for text in said)


def test_the_system_that_the_rule_moves_most_is_named_with_both_ends():
    loose = board({"a": "1111", "b": "0111"})
    assert "The same answers of a score 50% under strict and 100% under loose." in sentences(
        strict=STRICT, loose=loose
    )


def test_one_rule_moves_nobody():
    assert not any(text.startswith("The same answers") for text in sentences(strict=STRICT))
