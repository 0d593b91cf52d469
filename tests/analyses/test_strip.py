"""The sentences at the head of a report: only what was measured, nothing that says nothing."""

from finassay.analyses.audit import AuditInputs, build_audit
from finassay.analyses.estimates import Settings
from finassay.marking.matrix import VerdictMatrix
from finassay.records import SystemSpec
from finassay.reports.tables import tables
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
    assert any("2 of 4 items (50.0%) separate no pair" in text for text in said)
    assert any("Of 8 verdicts of strict, 1 hold no answer" in text for text in said)


def test_the_system_that_the_rule_moves_most_is_named_with_both_ends():
    loose = board({"a": "1111", "b": "0111"})
    assert "The same answers of a score 50.0% under strict and 100.0% under loose." in sentences(
        strict=STRICT, loose=loose
    )


def test_rules_that_agree_move_nobody():
    same = sentences(strict=STRICT, loose=STRICT)
    assert not any(text.startswith("The same answers") for text in same)


def test_a_study_of_people_says_so():
    inputs = AuditInputs(
        study="small",
        items=FOUR,
        systems=(SystemSpec(name="reader", kind="person"),),
        matrices={"strict": board({"reader": "1101"})},
        primary="strict",
        settings=Settings(policy="wrong"),
    )
    first = build_audit(inputs).strip[0].text
    assert first == "Under strict there are verdicts on people only, so no system is ranked."


def test_one_rule_moves_nobody():
    assert not any(text.startswith("The same answers") for text in sentences(strict=STRICT))


def test_a_sentence_and_the_table_write_one_share_alike():
    # 55 of 72 is 76.39 percent
    inputs = AuditInputs(
        study="small",
        items=items(["F"] * 72),
        systems=(SystemSpec(name="a"), SystemSpec(name="b")),
        matrices={"strict": board({"a": "1" * 55 + "0" * 17, "b": "0" * 72})},
        primary="strict",
        settings=Settings(policy="wrong"),
    )
    audit = build_audit(inputs)
    assert "with 76.4% (55 of 72" in audit.strip[0].text
    assert tables(audit)["leaderboard"].rows[0][2] == "76.4"
