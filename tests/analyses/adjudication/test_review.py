"""Conflicts, doubted references and agreement as the pages of review show them."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from adjudication_studies import frozen, judged_study
from finassay.analyses.adjudication.conflicts import (
    conflict_of,
    conflict_queue,
    settle_conflict,
)
from finassay.analyses.adjudication.doubts import doubted_references
from finassay.analyses.adjudication.live import live_agreement
from finassay.errors import ConflictError, UsageError
from finassay.study import Study
from finassay.study.adjudication.labelling import Labelling
from finassay.study.adjudication.ledger import UnitAnswer
from finassay.study.adjudication.letters import letter
from finassay.study.adjudication.queue import Decision
from finassay.study.adjudication.reviewing import Review, accept_correction, decisions, reject_doubt
from finassay.study.labels import LabelStore

N = 20


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    study = judged_study(tmp_path_factory.mktemp("review") / "s", n=N)
    frozen(study, labels=N, design="proportional", by=("disagreement",))
    return study.root


@pytest.fixture
def labelling(template: Path, tmp_path: Path) -> Iterator[Labelling]:
    study = Study.open(shutil.copytree(template, tmp_path / "s"))
    with LabelStore.of(study) as store:
        yield Labelling(study, store)


def say(labelling: Labelling, name: str, labels: dict[str, str], **more: object) -> None:
    labelling.join("first", name)
    value = {"CORRECT": 1.0, "INCORRECT": 0.0, "not sure": None}
    labelling.ledger("first").record(
        [
            UnitAnswer(unit_id=unit, annotator=name, label=label, value=value[label], **more)
            for unit, label in labels.items()
        ]
    )


def units(labelling: Labelling) -> list[str]:
    return list(labelling.draw("first").by_unit)


def two_people(labelling: Labelling, agree: int, differ: int) -> None:
    """Ada and bob answer everything: half of the agreed units each way, then differ."""
    words = ("CORRECT", "INCORRECT")
    chosen = units(labelling)[: agree + differ]
    ada = {unit: words[at % 2] for at, unit in enumerate(chosen)}
    bob = {unit: words[(at + (at >= agree)) % 2] for at, unit in enumerate(chosen)}
    say(labelling, "ada", ada)
    say(labelling, "bob", bob)


@pytest.mark.parametrize(("number", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ")])
def test_people_have_letters(number: int, name: str):
    assert letter(number) == name


def test_letters_are_all_different():
    assert len({letter(at) for at in range(2000)}) == 2000


def test_live_kappa_is_that_of_the_textbook(labelling: Labelling):
    two_people(labelling, agree=16, differ=4)
    ledger = labelling.ledger("first")
    found = live_agreement(labelling.draw("first"), ledger.current(), ledger.assignments())
    # Both say CORRECT to half of the units: 16/20 observed, 1/2 by chance.
    assert found.coefficient == "Cohen's kappa"
    assert found.whole.n_units == N
    assert found.whole.observed == pytest.approx(0.8)
    assert found.whole.value == pytest.approx((0.8 - 0.5) / 0.5)
    assert found.whole.low is not None
    assert found.whole.high is not None
    assert found.whole.low < found.whole.value < found.whole.high
    assert (found.settled, found.conflicts, found.open) == (16, 4, 0)
    assert not found.is_open


def test_strata_of_live_agreement_add_up_to_the_whole(labelling: Labelling):
    two_people(labelling, agree=15, differ=5)
    ledger = labelling.ledger("first")
    found = live_agreement(labelling.draw("first"), ledger.current(), ledger.assignments())
    assert len(found.strata) > 1
    assert sum(row.n_units for row in found.strata) == N
    equal = sum((row.observed or 0.0) * row.n_units for row in found.strata)
    assert equal == pytest.approx(15)


def test_three_people_have_every_pair_under_letters(labelling: Labelling):
    chosen = units(labelling)
    for at, name in enumerate(("ada", "bob", "cyd")):
        said = {unit: "CORRECT" if (i + at) % 3 else "INCORRECT" for i, unit in enumerate(chosen)}
        say(labelling, name, said)
    ledger = labelling.ledger("first")
    found = live_agreement(labelling.draw("first"), ledger.current(), ledger.assignments())
    assert found.coefficient == "Krippendorff's alpha (nominal)"
    assert [row.name for row in found.pairs] == ["A and B", "A and C", "B and C"]
    assert found.whole.observed == pytest.approx(
        np.mean([row.observed for row in found.pairs]), abs=1e-12
    )


def test_no_labels_give_no_agreement_rather_than_zero(labelling: Labelling):
    ledger = labelling.ledger("first")
    found = live_agreement(labelling.draw("first"), ledger.current(), ledger.assignments())
    assert (found.whole.n_units, found.whole.value, found.whole.observed) == (0, None, None)
    assert found.is_open


def test_conflicts_wait_until_all_have_answered(labelling: Labelling):
    say(labelling, "ada", dict.fromkeys(units(labelling), "CORRECT"))
    labelling.join("first", "bob")
    assert conflict_queue(labelling, "first", "eve").waiting == ()
    say(labelling, "bob", dict.fromkeys(units(labelling)[:3], "INCORRECT"))
    assert set(conflict_queue(labelling, "first", "eve").waiting) == set(units(labelling)[:3])


def test_a_letter_does_not_follow_a_person_from_unit_to_unit(labelling: Labelling):
    two_people(labelling, agree=0, differ=N)
    first = {
        tuple((one.letter, one.label) for one in conflict_of(labelling, "first", u, "eve").opinions)
        for u in conflict_queue(labelling, "first", "eve").waiting
    }
    assert first == set(product([("A", "CORRECT")], [("B", "INCORRECT")])) | set(
        product([("A", "INCORRECT")], [("B", "CORRECT")])
    )


def test_a_settled_conflict_cannot_be_settled_by_another(labelling: Labelling):
    two_people(labelling, agree=N - 1, differ=1)
    (unit,) = conflict_queue(labelling, "first", "eve").waiting
    seen = [conflict_of(labelling, "first", unit, name) for name in ("eve", "sam")]
    decided = [
        Decision(unit_id=unit, label="CORRECT", submission=one.submission, seen=one.seen)
        for one in seen
    ]
    assert settle_conflict(labelling, "first", decided[0], "eve").outcome == "new"
    assert settle_conflict(labelling, "first", decided[0], "eve").outcome == "repeated"
    with pytest.raises(UsageError, match="somebody may have settled it"):
        settle_conflict(labelling, "first", decided[1], "sam")
    with pytest.raises(UsageError, match="does not wait for a decision of 'ada'"):
        conflict_of(labelling, "first", unit, "ada")


def flagged(labelling: Labelling, name: str = "ada", correction: str = "5") -> str:
    """Let somebody flag the reference of the first unit, and return its item."""
    unit = units(labelling)[0]
    say(labelling, name, {unit: "INCORRECT"}, reference_wrong=True, correction=correction)
    return labelling.draw("first").by_unit[unit].key.item_id


def test_a_flag_waits_with_its_proposal_and_what_would_be_stale(labelling: Labelling):
    item = flagged(labelling)
    flagged(labelling, "bob", "6")
    (found,) = doubted_references(labelling)
    assert (found.item.item_id, found.state) == (item, "waiting")
    assert sorted(text for text, _ in found.proposals) == ["5", "6"]
    assert {doubt.letter for doubt in found.doubts} == {"A", "B"}
    assert found.ages == ("judge/one", "judge/two")


def test_flags_that_say_the_same_of_one_item_are_one_voice(labelling: Labelling):
    flagged(labelling)
    flagged(labelling, "bob", "6")
    (found,) = doubted_references(labelling)
    of_ada = next(doubt for doubt in found.doubts if doubt.correction == "5")
    later = replace(of_ada, at="2030-01-01T00:00:00+00:00")
    several = replace(found, doubts=(*found.doubts, later))
    assert {doubt.correction: times for doubt, times in several.voices} == {"5": 2, "6": 1}
    assert of_ada in {doubt for doubt, _ in several.voices}


def test_an_accepted_correction_is_an_erratum_with_who_and_why(labelling: Labelling):
    item = flagged(labelling)
    (found,) = doubted_references(labelling)
    review = Review(item_id=item, seen=found.seen, by="eve", reason="page 3", proposed_by="A")
    made = accept_correction(labelling.study, labelling.store, review, "5")
    (after,) = doubted_references(labelling)
    assert (after.state, after.item.reference) == ("corrected", "5")
    assert after.item.erratum is not None
    assert (after.item.erratum.by, after.item.erratum.reason) == ("eve", "page 3")
    assert decisions(labelling.store) == [made]
    assert (made.old_reference, made.reference, made.proposed_by) == (
        found.item.reference,
        "5",
        "A",
    )
    with pytest.raises(ConflictError, match="changed since this page was shown"):
        accept_correction(labelling.study, labelling.store, review, "6")


def test_a_rejected_doubt_waits_again_when_somebody_else_doubts(labelling: Labelling):
    item = flagged(labelling)
    (found,) = doubted_references(labelling)
    review = Review(item_id=item, seen=found.seen, by="eve", reason="it is right")
    reject_doubt(labelling.study, labelling.store, review)
    assert [one.state for one in doubted_references(labelling)] == ["rejected"]
    flagged(labelling, "bob")
    assert [one.state for one in doubted_references(labelling)] == ["waiting"]


def test_a_decision_without_a_reason_is_refused(labelling: Labelling):
    item = flagged(labelling)
    (found,) = doubted_references(labelling)
    review = Review(item_id=item, seen=found.seen, by="eve", reason=" ")
    with pytest.raises(UsageError, match="who makes it and why"):
        reject_doubt(labelling.study, labelling.store, review)
    with pytest.raises(UsageError, match="who makes it and why"):
        accept_correction(labelling.study, labelling.store, review, "5")
    assert decisions(labelling.store) == []
