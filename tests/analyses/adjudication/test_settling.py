from collections import Counter
from itertools import product

import pytest

from finassay.analyses.adjudication.settling import SettledUnit, settle_units
from finassay.marking.consensus import Consensus, consensus_verdict
from finassay.study.adjudication.ledger import AnswerRevision, Role, UnitAnswer

VALUES = {"CORRECT": 1.0, "INCORRECT": 0.0, "not sure": None}


def settled(labels: list[str], *, asked: int = 0, resolutions: tuple[str, ...] = ()) -> SettledUnit:
    said = [(f"p{k}", "label", label) for k, label in enumerate(labels)]
    said += [(f"r{k}", "resolution", label) for k, label in enumerate(resolutions)]
    current = [
        AnswerRevision(
            answer=UnitAnswer(
                unit_id="u", annotator=who, role=role, label=label, value=VALUES[label]
            ),
            revision=0,
            at=f"2026-01-01T00:00:{at:02d}",
            previous=None,
        )
        for at, (who, role, label) in enumerate(said)
    ]
    given: dict[tuple[str, Role], tuple[str, ...]] = {
        (f"p{k}", "label"): ("u",) for k in range(asked or len(labels))
    }
    return settle_units(["u"], current, given)["u"]


@pytest.mark.parametrize(
    ("labels", "asked", "kind", "label"),
    [
        (["CORRECT"], 1, "single", "CORRECT"),
        (["CORRECT"], 2, "open", None),
        ([], 2, "open", None),
        (["CORRECT", "CORRECT"], 2, "unanimous", "CORRECT"),
        (["CORRECT", "CORRECT"], 3, "unanimous", "CORRECT"),
        (["CORRECT", "INCORRECT"], 2, "conflict", None),
        (["CORRECT", "INCORRECT"], 3, "open", None),
        (["CORRECT", "INCORRECT", "CORRECT"], 3, "majority", "CORRECT"),
        (["CORRECT", "INCORRECT", "not sure"], 3, "conflict", None),
        (["CORRECT", "not sure"], 2, "conflict", None),
        (["not sure", "not sure", "CORRECT"], 3, "unsure", None),
        (["not sure"], 1, "unsure", None),
        (["CORRECT", "CORRECT", "not sure"], 3, "majority", "CORRECT"),
    ],
)
def test_what_labels_come_to(labels: list[str], asked: int, kind: str, label: str | None):
    found = settled(labels, asked=asked)
    assert (found.kind, found.label) == (kind, label)
    assert found.value == (None if label is None else VALUES[label])


@pytest.mark.parametrize("labels", list(product(VALUES, repeat=3)))
def test_three_people_settle_what_two_of_them_say(labels: tuple[str, ...]):
    (word, votes), *_ = Counter(labels).most_common(1)
    expected = word if votes >= 2 and word != "not sure" else None
    assert settled(list(labels)).label == expected


@pytest.mark.parametrize("people", [1, 2, 3, 4])
def test_labels_that_all_gave_settle_what_the_consensus_settles(people: int):
    for labels in product(VALUES, repeat=people):
        counts = [labels.count(label) for label in ("INCORRECT", "CORRECT", "not sure")]
        verdict = consensus_verdict(counts, Consensus(rule="majority"), people=people)
        assert settled(list(labels)).label == verdict.label, labels


def test_a_resolution_wins_and_the_last_one_does():
    found = settled(["CORRECT", "INCORRECT"], resolutions=("INCORRECT",))
    assert (found.kind, found.label) == ("resolved", "INCORRECT")
    assert settled(["CORRECT"], resolutions=("INCORRECT", "CORRECT")).label == "CORRECT"
    assert len(found.answers) == 3


def test_a_resolver_may_be_not_sure():
    found = settled(["CORRECT", "INCORRECT"], resolutions=("not sure",))
    assert (found.kind, found.label, found.value) == ("unsure", None, None)
