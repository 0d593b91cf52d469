"""Agreement by own answers of judges that are no candidates, against slow loops over replies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.judges.inputs import JudgeInputs
from finassay.analyses.judges.results_compare import Judges
from finassay.marking.asked_answers import AskedAnswers, AskedCounts
from finassay.marking.consensus import Consensus
from finassay.marking.outside import JudgeSpec
from finassay.records import SystemSpec
from judged_samples import Columns, inputs, judged
from reference import judges as slow
from small_boards import board

JUDGE = "judge/outsider/single/none/A"
HUMAN = "judge/outsider/single/human/A"
ANSWERING = SystemSpec(name="outsider, answering", model="lab/outsider-1")
PEOPLE = {"beta": "11001010", "gamma": "01101001"}
SAYS = {"beta": "11001100", "gamma": "01100110"}
VALUE = {"1": 1, "0": 0, "u": None}


def asked(
    answers: str,
    *,
    people: Mapping[str, str] | None = None,
    counts: AskedCounts | None = None,
    spec: SystemSpec = ANSWERING,
) -> AskedAnswers:
    """What the judge answered, one letter an item: right, wrong, silent, unread or nothing."""
    return AskedAnswers(
        systems=(spec,),
        counts={spec.name: counts or AskedCounts(n=len(answers))},
        scorer_id="financial",
        rule=board({spec.name: answers}),
        people={name: board({spec.name: letters}) for name, letters in (people or {}).items()},
    )


def outsider(
    answers: AskedAnswers,
    *,
    judges: Mapping[str, Columns] | None = None,
    people: Mapping[str, Columns] | None = None,
    **more: Columns | None,
) -> JudgeInputs:
    """A judge whose model is known and is none of the judged systems."""
    told = {JUDGE: SAYS} if judges is None else judges
    made = inputs(told, {"person/a": PEOPLE} if people is None else people, **more)  # type: ignore[arg-type]
    specs = {name: JudgeSpec(scorer_id=name, model="lab/outsider-1") for name in told}
    return replace(made, specs=specs, asked=answers)


def pairs(judge: Columns, people: Columns, where: set[int]) -> list[slow.Pair]:
    return [
        (int(people[system][at]), VALUE[said])
        for system, letters in judge.items()
        for at, said in enumerate(letters)
        if at in where and people[system][at] in "01"
    ]


def told(result: Judges, part: str) -> list[str]:
    return [one for one in result.warnings if part in one]


@settings(deadline=None, max_examples=30)
@given(
    answers=st.text(alphabet="1100nu.f", min_size=8, max_size=8),
    says=st.fixed_dictionaries(
        dict.fromkeys(PEOPLE, st.text(alphabet="1100u", min_size=8, max_size=8))
    ),
)
def test_kappas_are_over_questions_that_the_judge_answered_right_and_wrong(
    answers: str, says: Columns
):
    result = judged(outsider(asked(answers), judges={JUDGE: says}))
    groups = {
        "right": {at for at, letter in enumerate(answers) if letter == "1"},
        "wrong": {at for at, letter in enumerate(answers) if letter in "0n"},
    }
    if not groups["right"] | groups["wrong"]:
        assert result.conditional == ()
        assert told(result, "nothing says which questions 'outsider, answering' answered right")
        return
    (found,) = result.conditional
    split = {name: pairs(says, PEOPLE, where) for name, where in groups.items()}
    kappas = {name: slow.kappa(rows, "category") for name, rows in split.items()}
    for name in groups:
        value, expected = getattr(found, name).value, kappas[name]
        assert (value is None) == (expected is None)
        if expected is not None:
            assert value == pytest.approx(float(expected), abs=1e-9)
    assert (found.n_right, found.n_wrong) == (len(split["right"]), len(split["wrong"]))
    assert found.n_unknown == 16 - found.n_right - found.n_wrong
    gap = found.difference.figure.value
    if kappas["right"] is None or kappas["wrong"] is None:
        assert gap is None
    else:
        assert gap == pytest.approx(float(kappas["right"] - kappas["wrong"]), abs=1e-9)


def test_it_is_said_which_answers_are_looked_at_and_who_decided():
    (found,) = judged(outsider(asked("11110000"))).conditional
    assert (found.candidate, found.answers, found.answered_as) == (
        "",
        "asked",
        "outsider, answering",
    )
    assert (found.source, found.source_id) == ("scorer", "financial")


def test_all_arms_of_a_judge_are_split_by_the_same_answers():
    given_inputs = outsider(asked("11110000"), judges={JUDGE: SAYS, HUMAN: PEOPLE})
    none, human = judged(given_inputs).conditional
    assert {none.scorer_id, human.scorer_id} == {JUDGE, HUMAN}
    assert (none.n_right, none.n_wrong) == (human.n_right, human.n_wrong) == (8, 8)
    assert (human.right.value, human.wrong.value) == (1.0, 1.0)


def test_arms_are_compared_by_the_answers_that_the_judge_gave_when_asked():
    result = judged(outsider(asked("11110000"), judges={JUDGE: SAYS, HUMAN: PEOPLE}))
    assert {one.given for one in result.comparisons} == {"", "right", "wrong"}


def test_people_who_labelled_its_answers_decide_before_the_scorer():
    labels = {"person/a": "0000111."}
    (found,) = judged(outsider(asked("11110000", people=labels))).conditional
    assert (found.source, found.source_id) == ("people", "person/consensus")
    assert (found.n_right, found.n_wrong, found.n_unknown) == (6, 8, 2)


def test_a_named_scorer_decides_before_people():
    made = outsider(asked("11110000", people={"person/a": "00001111"}))
    (found,) = judged(replace(made, own_rule_first=True)).conditional
    assert found.source == "scorer"


def test_labels_that_settle_nothing_leave_it_to_the_scorer():
    labels = {"person/a": "11111111", "person/b": "00000000"}
    (found,) = judged(outsider(asked("11110000", people=labels))).conditional
    assert found.source == "scorer"


def test_the_rule_of_consensus_holds_for_labels_on_its_answers():
    labels = {"person/a": "11111111", "person/b": "1111...."}
    made = outsider(asked("11110000", people=labels))
    (found,) = judged(made, consensus=Consensus(least=1)).conditional
    assert (found.n_right, found.n_wrong) == (16, 0)
    (found,) = judged(made).conditional
    assert (found.n_right, found.n_unknown) == (8, 8)


def test_the_row_of_a_candidate_counts_before_what_it_answered_when_asked():
    letters = {"outsider": "00001111", **PEOPLE}
    made = outsider(
        asked("11110000"),
        judges={JUDGE: {"outsider": "11111111", **SAYS}},
        people={"person/a": letters},
    )
    made = replace(made, candidates={"outsider": "outsider"})
    result = judged(made)
    (found,) = result.conditional
    assert (found.candidate, found.answers, found.answered_as) == (
        "outsider",
        "candidate",
        "outsider",
    )
    assert (found.n_right, found.source) == (8, "people")
    assert told(result, "the former shows which questions it could answer")


def test_where_nothing_says_of_the_row_what_it_answered_when_asked_counts():
    made = outsider(
        asked("11110000"),
        judges={JUDGE: {"outsider": "11111111", **SAYS}},
    )
    made = replace(made, candidates={"outsider": "outsider"})
    result = judged(made)
    (found,) = result.conditional
    assert (found.answers, found.n_right, found.n_wrong) == ("asked", 8, 8)
    assert not told(result, "nothing says which questions")


def test_answers_of_another_model_are_not_taken():
    other = SystemSpec(name="outsider, answering", model="lab/outsider-2")
    assert judged(outsider(asked("11110000", spec=other))).conditional == ()


def test_a_judge_of_no_known_model_has_no_answers():
    made = outsider(asked("11110000", spec=SystemSpec(name="outsider, answering")))
    assert judged(replace(made, specs={})).conditional == ()


def test_of_several_ways_of_asking_the_one_with_most_answers_counts():
    few = SystemSpec(name="outsider (brief), answering", model="lab/outsider-1")
    both = AskedAnswers(
        systems=(few, ANSWERING),
        counts={few.name: AskedCounts(n=2), ANSWERING.name: AskedCounts(n=8)},
        scorer_id="financial",
        rule=board({few.name: "11......", ANSWERING.name: "11110000"}),
    )
    (found,) = judged(outsider(both)).conditional
    assert (found.answered_as, found.n_unknown) == (ANSWERING.name, 0)


def test_what_was_left_out_is_said():
    counts = AskedCounts(n=8, stale=2, further=1, redacted=3)
    result = judged(outsider(asked("11110000", counts=counts)))
    assert told(result, "2 answers of 'outsider, answering' left out: no item asks the question")
    assert told(result, "1 further answer of 'outsider, answering'")
    assert told(result, "3 masked answers of 'outsider, answering' left out")


def test_a_scorer_that_cannot_mark_the_answers_is_told():
    silent = replace(asked("11110000"), rule=None, why_not="its verdicts are imported")
    result = judged(outsider(silent))
    assert result.conditional == ()
    assert told(result, "is not measured: its verdicts are imported")
