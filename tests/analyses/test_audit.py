import json
from dataclasses import replace

import pytest

from finassay.analyses.audit import AuditInputs, PrintedRanks, build_audit
from finassay.analyses.estimates import Settings
from finassay.analyses.results import Audit, to_jsonable
from finassay.errors import UnknownNameError
from finassay.records import Item, ReportedScore, SystemSpec
from finassay.reports.outline import facts
from printed_tables import TABLE_6
from small_boards import board, items

WRONG = Settings(policy="wrong")
EIGHT = items(["NUM"] * 4 + ["CON"] * 4)


def made(**changes: object) -> Audit:
    plain = AuditInputs(
        study="small",
        items=EIGHT,
        systems=tuple(SystemSpec(name=name) for name in "abc"),
        matrices={"stored": board({"a": "11110000", "b": "11100000", "c": "10000000"})},
        primary="stored",
        settings=WRONG,
    )
    return build_audit(replace(plain, **changes))


def titles(audit: Audit) -> str:
    return " | ".join(finding.title for finding in audit.findings)


def test_what_the_inputs_do_not_allow_is_none_and_not_empty():
    audit = made()
    assert audit.regimes is None
    assert audit.overturns is None
    assert audit.thresholds is None
    assert audit.agreement is None
    assert audit.truncation is None
    assert audit.documents is None
    assert audit.recognition == ()


def test_counts_of_an_audit_are_those_of_its_verdicts():
    audit = made(
        matrices={
            "stored": board({"a": "11110000", "b": "1110000n", "p": "11......"}),
            "other": board({"a": "11111111"}),
        },
        systems=(SystemSpec(name="a"), SystemSpec(name="b"), SystemSpec(name="p", kind="person")),
    )
    assert (audit.n_systems, audit.n_persons, audit.n_items) == (2, 1, 8)
    assert (audit.n_primary_verdicts, audit.n_verdicts, audit.n_unscored) == (18, 26, 1)


def test_verdicts_are_not_called_predictions():
    assert made().n_predictions is None
    assert ("Primary verdicts", "24") in facts(made())
    told = made(n_predictions=96)
    assert told.n_predictions == 96
    assert ("Predictions", "96") in facts(told)


def test_people_whom_another_rule_marked_are_not_counted_under_the_primary_rule():
    audit = made(
        matrices={
            "stored": board({"a": "11110000", "b": "1110000n"}),
            "other": board({"a": "11111111", "b": "11111111", "p": "11nn...."}),
        },
        systems=(SystemSpec(name="a"), SystemSpec(name="b"), SystemSpec(name="p", kind="person")),
    )
    assert [person.rule for person in audit.leaderboard.persons] == ["other"]
    # the two answers that the person left out are unscored under the other rule alone
    assert (audit.n_persons, audit.n_primary_verdicts, audit.n_unscored) == (0, 16, 1)
    assert ("Left unscored", "1 of 16 (6.2%)") in facts(audit)


def test_a_system_that_was_asked_several_times_is_a_high_finding():
    audit = made(trials={"a": 3, "b": 3, "c": 1})
    finding = next(f for f in audit.findings if "trials" in f.title)
    assert (finding.severity, finding.title) == ("high", "Only the first of 3 trials is shown")
    assert "a 3 times and b 3 times" in finding.evidence
    assert finding.advice
    assert "Only the first of up to 5 trials" in titles(made(trials={"a": 3, "b": 5}))
    assert "trials" not in titles(made(trials={"a": 1}))


def test_replies_that_look_like_transport_errors_are_a_finding():
    audit = made(error_replies={"a": ("i2",), "b": ("i1", "i4"), "c": ()})
    finding = next(f for f in audit.findings if "transport" in f.title)
    assert finding.severity == "medium"
    assert finding.title == "Replies of 2 systems look like transport errors"
    assert finding.evidence == "3 replies in all; most in b: 2, for instance on i1"
    assert "transport" not in titles(made(error_replies={"a": ()}))


def test_one_meaning_of_complete_and_scored_in_every_analysis():
    # b never answers: under "wrong" that is a score of 0, under "exclude" it is no score at all
    boards = {"one": board({"a": "11110000", "b": "nnnnnnnn", "c": "10000000"})}
    boards["two"] = boards["one"]
    for policy, kept in (("wrong", {"a", "b", "c"}), ("exclude", {"a", "c"})):
        audit = made(
            matrices={"stored": boards["one"]},
            regimes=boards,
            thresholds={0.7: boards["one"], 0.8: boards["one"]},
            base_threshold=0.8,
            settings=Settings(policy=policy),
        )
        assert {row.system for row in audit.leaderboard.ranked} == kept
        assert set(audit.regimes.systems) == kept
        assert set(audit.coverage.systems) == set(audit.overlap.systems) == kept
        assert {c.system for c in audit.thresholds.cells if c.ranks is not None} == kept
        assert audit.leaderboard.rank_basis == "value"


def test_a_system_whose_verdicts_do_not_count_is_not_said_to_lack_them():
    two = {"a": "11110000", "b": "ffffffff", "c": "1000000."}
    audit = made(matrices={"stored": board(two)}, regimes={"one": board(two), "two": board(two)})
    assert "not ranked, because verdicts are missing: c" in audit.leaderboard.warnings
    assert "not ranked, because none of their verdicts counts: b" in audit.leaderboard.warnings
    assert audit.regimes.warnings[:2] == (
        "not compared, because a regime lacks verdicts on them: c",
        "not compared, because none of their verdicts counts under a regime: b",
    )
    alone = made(matrices={"stored": board({"a": "ffffffff"})})
    assert alone.strip[0].text == (
        "Under stored no system has a verdict on all 8 items of which one counts, so none is "
        "ranked."
    )


def test_warnings_of_every_part_reach_the_audit():
    audit = made(lengths={"a": ()})
    assert "there are no replies to look at for a" in audit.warnings


def test_an_audit_becomes_json():
    plain = to_jsonable(made())
    assert json.loads(json.dumps(plain))["primary"] == "stored"


def test_the_strip_has_two_to_five_sentences_that_end():
    audit = made()
    assert 2 <= len(audit.strip) <= 5
    assert all(claim.text.endswith(".") for claim in audit.strip)


def test_the_first_sentence_names_the_leader_with_its_count():
    assert made().strip[0].text == (
        "Under stored, a leads 3 ranked systems with 50.0% (4 of 8, 95% interval 21.5% to 78.5%)."
    )


def test_pairs_that_hold_under_every_rule_are_counted():
    audit = made(
        matrices={
            "stored": board({"a": "11110000", "b": "11100000", "c": "10000000"}),
            "other": board({"a": "11100000", "b": "11110000", "c": "10000000"}),
        }
    )
    text = next(claim.text for claim in audit.strip if "pairs" in claim.text)
    assert text == (
        "Of the 3 pairs of the 3 systems that all 2 rules mark, 2 stand in the same order under "
        "all of them; the order of the other 1 depends on the rule."
    )


def test_regimes_that_change_the_leader_are_a_high_finding():
    audit = made(
        regimes={
            "one": board({"a": "11110000", "b": "11100000", "c": "10000000"}),
            "two": board({"a": "10000000", "b": "11100000", "c": "11111000"}),
        }
    )
    assert audit.findings[0].severity == "high"
    assert audit.findings[0].link == "regimes"
    assert "1 of 3 systems keep" in audit.findings[0].evidence
    assert any("a moves from rank 1 under one to rank 3 under two" in c.text for c in audit.strip)
    assert len(audit.regime_leaderboards) == 2


def test_a_system_whose_stored_verdicts_follow_another_rule_is_found():
    forty = items(["NUM"] * 40)
    first = dict.fromkeys("abc", "10" * 20)
    second = dict.fromkeys("abc", "01" * 20)
    audit = made(
        items=forty,
        matrices={
            "stored": board({"a": "10" * 20, "b": "10" * 20, "c": "01" * 20}),
            "first": board(first),
            "second": board(second),
        },
        stored="stored",
    )
    assert audit.agreement.outliers == ("c",)
    assert "The stored verdicts of c follow another rule than the rest" in titles(audit)
    assert any(claim.link == "agreement" for claim in audit.strip)


def test_an_empty_reply_marked_right_is_a_finding():
    audit = made(empty_replies={"a": ("i0", "i7")})
    finding = next(f for f in audit.findings if "empty replies" in f.title)
    assert (finding.severity, finding.evidence) == ("high", "a: 1")


def test_an_empty_reply_marked_wrong_is_none():
    assert "empty" not in titles(made(empty_replies={"a": ("i7",)}))


def test_cut_replies_cut_references_gaps_and_failures_are_findings():
    audit = made(
        lengths={"a": (*range(60, 160, 7), *[200] * 20)},
        cut_references={"b": 5, "c": 0},
        matrices={"stored": board({"a": "11110000", "b": "111.....", "c": "1f000000"})},
    )
    found = titles(audit)
    assert "Replies of 1 system look cut at a fixed length" in found
    assert "The logs of 1 system hold cut references" in found
    assert "b is incomplete and not ranked" in found
    assert "Marking failed for c" in found


def test_unscored_verdicts_that_can_change_ranks_are_a_finding():
    audit = made(matrices={"stored": board({"a": "1111nnnn", "b": "11111000", "c": "10000000"})})
    finding = next(f for f in audit.findings if "hold no answer" in f.title)
    assert finding.severity == "medium"
    assert "a: 4 of 8" in finding.evidence
    assert "ranks that they can change: 2 of 3" in finding.evidence


def test_under_bounds_the_leader_is_given_as_a_range():
    audit = made(
        matrices={"stored": board({"a": "1111nnnn", "b": "10000000"})},
        settings=Settings(policy="bounds"),
    )
    assert audit.strip[0].text == (
        "Under stored, a leads 2 ranked systems in the worst case with between 50.0% and "
        "100.0% (4 of 8 without an answer)."
    )


def test_findings_stand_most_severe_first():
    audit = made(
        empty_replies={"a": ("i0",)},
        cut_references={"a": 2},
        lengths={"a": (*range(60, 160, 7), *[200] * 20)},
    )
    order = ["high", "medium", "low", "note"]
    severities = [order.index(finding.severity) for finding in audit.findings]
    assert severities == sorted(severities)
    assert severities[0] == 0


def test_printed_ranks_that_contradict_their_caption_are_a_finding():
    rows = tuple((system, row[2], float(row[3])) for system, row in TABLE_6.items())
    printed = PrintedRanks(source="Table 6", column="judge-only", rows=rows, claimed="competition")
    audit = made(printed_ranks=(printed,))
    finding = next(f for f in audit.findings if f.link == "recognition")
    assert finding.title == "Printed ranks of judge-only are not competition ranks"
    assert "dense reproduces all 12 printed ranks" in finding.evidence


def reported(column: str, k: int, n: int) -> ReportedScore:
    return ReportedScore(
        source="a table", table="t", row="printed", column=column, value=k / n, n=n
    )


def test_a_reported_system_appears_beside_the_board_and_is_not_pooled():
    plain = made()
    audit = made(reported=(reported("stored:NUM", 4, 4), reported("stored:CON", 3, 4)))
    (row,) = audit.leaderboard.reported
    assert (row.system, row.correct, row.n, row.value) == ("printed", 7, 8, 7 / 8)
    assert row.note.startswith("as reported")
    assert audit.leaderboard.rows == plain.leaderboard.rows


def test_a_reported_system_without_all_families_does_not_appear():
    assert made(reported=(reported("stored:NUM", 4, 4),)).leaderboard.reported == ()
    short = (reported("stored:NUM", 3, 3), reported("stored:CON", 3, 4))
    assert made(reported=short).leaderboard.reported == ()


def test_a_regime_takes_each_reported_family_from_the_scorer_that_decides_it():
    audit = made(
        regimes={"mixed": board({"a": "11110000"}), "plain": board({"a": "11110000"})},
        decided_by={"mixed": (("NUM", "judge"), ("CON", "stored"))},
        reported=(
            reported("judge:NUM", 1, 4),
            reported("stored:NUM", 4, 4),
            reported("stored:CON", 3, 4),
        ),
    )
    (row,) = audit.regime_leaderboards[0].reported
    assert (row.column, row.correct) == ("mixed", 4)


def test_a_system_with_verdicts_is_never_shown_as_reported():
    scores = tuple(
        replace(reported(f"stored:{family}", 4, 4), row="a") for family in ("NUM", "CON")
    )
    assert made(reported=scores).leaderboard.reported == ()


def test_a_single_printed_number_over_all_items_is_shown_without_an_interval():
    (row,) = made(reported=(reported("stored", 7, 8),)).leaderboard.reported
    assert (row.value, row.correct, row.low) == (7 / 8, None, None)


@pytest.mark.parametrize("role", ["primary", "stored", "judge"])
def test_a_scorer_without_verdicts_is_refused(role: str):
    with pytest.raises(UnknownNameError, match=f"`{role}` must be a scorer with verdicts"):
        made(**{role: "nowhere"})


def test_a_base_threshold_without_verdicts_is_refused():
    with pytest.raises(UnknownNameError, match="`base_threshold` must be one of"):
        made(base_threshold=0.5)


def test_a_study_where_nothing_is_complete_still_gives_an_audit():
    audit = made(matrices={"stored": board({"a": "1111....", "b": ".1110000"})})
    assert audit.coverage is None
    assert "no system has a verdict on all 8 items" in audit.strip[0].text


def test_thresholds_and_documents_are_analysed_when_they_are_there():
    one = board({"a": "11110000", "b": "11100000"})
    two = board({"a": "11111100", "b": "11111111"})
    audit = made(
        thresholds={0.7: two, 0.8: one},
        base_threshold=0.8,
        items=tuple(Item(item_id=f"i{at}", documents=("d",)) for at in range(8)),
    )
    assert audit.thresholds.systems == ("a", "b")
    assert audit.documents.sizes == (8,)
    assert "Items share source documents" in titles(audit)


def test_below_a_constant_is_said_under_bounds_when_even_the_best_case_is():
    # a constant "no" gets 15 of 20; a reaches 10 at best, b 16
    audit = made(
        items=items(["C"] * 20, references=["No"] * 15 + ["Yes"] * 5),
        matrices={"stored": board({"a": "1" * 5 + "n" * 5 + "0" * 10, "b": "1" * 14 + "nn0000"})},
        settings=Settings(policy="bounds"),
    )
    finding = next(f for f in audit.findings if "below a constant" in f.title)
    assert finding.title == "Systems score below a constant answer on C"
    assert finding.evidence == "C: always 'no' scores 75.0% (15 of 20), below it: a"


def test_an_audit_of_many_cells_draws_fewer_resamples_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
):
    whole = made()
    assert whole.rank_sets is not None
    assert whole.rank_sets.draws == 4_000
    assert "resamples in place of" not in " ".join(whole.warnings)
    monkeypatch.setattr("finassay.analyses.audit_evidence.MOST_WORK", 1.0)
    less = made()
    assert less.rank_sets is not None
    assert less.rank_sets.draws == 400
    assert "rank sets rest on 400 resamples in place of 4,000" in " ".join(less.warnings)
