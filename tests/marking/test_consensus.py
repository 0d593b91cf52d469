from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import MissingVerdictsError, UsageError
from finassay.marking import consensus as rules
from finassay.marking.consensus import (
    CONSENSUS,
    CONSENSUS_RULES,
    Consensus,
    ConsensusRule,
    consensus_verdict,
    settle,
)
from finassay.marking.outside import outside_verdicts, people_of, write_consensus
from finassay.records import Prediction
from finassay.study import Study
from judged_samples import ITEMS, SPECS, VERDICTS, copied, study_at
from marking_studies import put_verdicts
from reference import judges as slow

CODES = {"yes": rules.CORRECT, "no": rules.INCORRECT, "unsure": rules.NOT_SURE}


def settled(labels: Sequence[str], consensus: Consensus) -> str | None:
    codes = np.array([[CODES[one] for one in labels]], dtype=np.int8)
    found = int(settle(codes, consensus).label[0])
    return {rules.CORRECT: "yes", rules.INCORRECT: "no", rules.NO_LABEL: None}[found]


@settings(deadline=None)
@given(
    labels=st.lists(st.sampled_from(list(CODES)), min_size=1, max_size=7),
    rule=st.sampled_from(CONSENSUS_RULES),
    least=st.integers(1, 4),
)
def test_labels_settle_what_the_rule_says(labels: list[str], rule: ConsensusRule, least: int):
    assert settled(labels, Consensus(rule=rule, least=least)) == slow.consensus(labels, rule, least)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("yes", "yes", "no"), "yes"),
        (("no", "no", "unsure"), "no"),
        (("yes", "no", "unsure"), None),
        (("unsure", "unsure", "yes"), None),
        (("yes", "unsure"), None),
        (("yes",), "yes"),
    ],
)
def test_two_of_three_that_are_sure_settle_a_reply(labels: tuple[str, ...], expected: str | None):
    assert settled(labels, Consensus()) == expected


def test_dissent_counts_labels_that_differ_from_the_settled_one():
    labels = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 2], [0, 0, -1]], dtype=np.int8)
    found = settle(labels, Consensus())
    assert found.dissent.tolist() == [0, 1, 0, 0]
    assert found.label.tolist() == [1, 1, rules.NO_LABEL, 0]


def test_a_reply_with_one_label_among_several_people_has_too_few():
    labels = np.array([[1, -1, -1], [-1, -1, -1]], dtype=np.int8)
    found = settle(labels, Consensus())
    assert found.too_few.tolist() == [True, False]


def test_agreement_on_not_sure_is_told():
    labels = np.array([[2, 2, 1], [2, 1, 0]], dtype=np.int8)
    assert settle(labels, Consensus()).agree_not_sure.tolist() == [True, False]


def test_an_unsettled_verdict_says_how_the_labels_fell():
    found = consensus_verdict((1, 1, 1), Consensus(), people=3)
    assert (found.status, found.reason) == (
        "unparsed",
        "no consensus: 1 CORRECT, 1 INCORRECT, 1 not sure",
    )


def test_an_unknown_rule_is_refused():
    with pytest.raises(UsageError, match="`rule` must be one of"):
        Consensus(rule="loudest")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="1 or more labels"):
        Consensus(least=0)


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return study_at(tmp_path_factory.mktemp("consensus") / "study").root


@pytest.fixture
def study(held: Path, tmp_path: Path) -> Study:
    return copied(held, tmp_path / "study")


def filed(study: Study) -> dict[tuple[str, str], tuple[str, float | None, str | None]]:
    names = {spec.system_id: name for name, spec in SPECS.items()}
    rows = study.snapshot().frame("verdicts", scorer_id=CONSENSUS)
    return {
        (names[row["system_id"]], row["item_id"]): (row["status"], row["value"], row["label"])
        for row in rows.iter_rows(named=True)
    }


def test_the_consensus_is_filed_as_verdicts_of_its_own(study: Study):
    write_consensus(study, Consensus())
    found = filed(study)
    assert len(found) == 18
    assert found["alpha", "i0"] == ("scored", 1.0, "CORRECT")
    assert found["alpha", "i2"] == ("scored", 0.0, "INCORRECT")
    # One no and two "not sure".
    assert found["gamma", "i0"] == ("unparsed", None, None)


def test_filing_the_consensus_twice_changes_nothing(study: Study):
    write_consensus(study, Consensus())
    assert not any(commit.changed for commit in write_consensus(study, Consensus()))


def test_the_consensus_of_people_does_not_count_itself(study: Study):
    write_consensus(study, Consensus())
    held = study.snapshot().frame("verdicts")["scorer_id"].unique().to_list()
    assert people_of(held) == ("person/a", "person/b", "person/c")


def test_a_study_without_labels_has_no_consensus(tmp_path: Path):
    silent = study_at(tmp_path / "silent", {"exact": VERDICTS["exact"]})
    with pytest.raises(MissingVerdictsError, match="needs labels of people"):
        write_consensus(silent, Consensus())


def test_labels_of_a_reply_that_has_changed_since_are_stale(tmp_path: Path):
    study = study_at(tmp_path / "study", {})
    spec = SPECS["beta"]
    digest = Prediction(text="beta says i0").text_digest
    put_verdicts(
        study,
        [("i0", "scored", 1.0), ("i1", "scored", 1.0)],
        spec=spec,
        scorer_id="person/a",
        text_digest=digest,
    )
    found = outside_verdicts(study.snapshot(), ITEMS)
    # Only i0 has the text that both labels say they stand on.
    assert dict(found.stale) == {"person/a": 1}
    matrix = found.matrices["person/a"]
    assert matrix.scored[:, 0].tolist() == [True, False, False, False, False, False]


def test_the_record_of_a_judge_is_read_for_its_model(study: Study):
    study.add_scorer(
        "judge/other",
        "1",
        name="judge/other",
        spec='{"model": "lab/other-7b", "family": "latin", "votes": 5, "is_candidate": false}',
        package_version="1",
    )
    spec = outside_verdicts(study.snapshot(), ITEMS).specs["judge/other"]
    assert (spec.model, spec.model_family, spec.votes, spec.is_candidate) == (
        "lab/other-7b",
        "latin",
        5,
        False,
    )


@pytest.mark.parametrize("spec", ["", "no JSON", "[1]", '{"model": 7, "votes": true}'])
def test_a_record_that_says_nothing_is_no_error(study: Study, spec: str):
    study.add_scorer("judge/other", "1", name="judge/other", spec=spec, package_version="1")
    found = outside_verdicts(study.snapshot(), ITEMS).specs["judge/other"]
    assert (found.model, found.votes) == ("", None)
