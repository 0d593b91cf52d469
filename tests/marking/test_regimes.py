import json
import shutil
from pathlib import Path

import pytest

from finassay.errors import CellClashError, MissingVerdictsError, UnknownNameError
from finassay.marking.regime_scoring import ABSENT_REASON, score_regimes
from finassay.marking.regimes import (
    REGIME_NAMES,
    available,
    choose_base,
    choose_judge,
    regime,
)
from finassay.marking.scoring import score_study
from finassay.records import Item, Prediction, Status, SystemSpec
from finassay.scorers.composites import AnyOf, FirstScored, Imported
from finassay.study import Study
from marking_studies import Cells, Said, put_replies, put_verdicts, regime_cells

ALPHA, BETA = SystemSpec(name="alpha"), SystemSpec(name="beta")
JUDGE, BASE = "judge/a", "strict/numbers-first"
ITEMS = (
    Item(item_id="n1", family="NUM", reference="5%"),
    Item(item_id="n2", family="NUM", reference="30 days"),
    Item(item_id="n3", family="NUM", reference="two crore"),
    Item(item_id="c1", family="CON", task="contradiction_detection", reference="Yes"),
    Item(item_id="c2", family="CON", task="contradiction_detection", reference="No"),
)
REPLIES = {"n1": "5%", "n2": "a month", "n3": "none is set", "c1": "Yes.", "c2": "Yes."}
"""Strict: right, wrong, wrong, right, wrong."""


@pytest.fixture(scope="session")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two systems with the same replies, marked by the strict rule; nobody judged yet."""
    study = Study.create(tmp_path_factory.mktemp("marked") / "study")
    study.add_items(ITEMS, benchmark="demo")
    for spec in (ALPHA, BETA):
        study.add_system(spec)
        put_replies(study, spec, REPLIES)
    score_study(study, scorers=[BASE])
    return study.root


@pytest.fixture
def study(marked: Path, tmp_path: Path) -> Study:
    return Study.open(shutil.copytree(marked, tmp_path / "study"))


JUDGED: Said = (("n1", "scored", 0.0), ("n2", "scored", 1.0), ("n3", "scored", 0.0))


def found(study: Study, name: str, spec: SystemSpec = ALPHA) -> Cells:
    return regime_cells(study, name, spec)


def judged(
    study: Study,
    said: Said,
    scorer_id: str = JUDGE,
    *,
    repeats: int = 1,
    text_digest: str | None = None,
) -> None:
    put_verdicts(
        study, said, spec=ALPHA, scorer_id=scorer_id, repeats=repeats, text_digest=text_digest
    )


def labels(study: Study, name: str) -> dict[str, str]:
    frame = study.snapshot().frame(
        "verdicts", system_id=ALPHA.system_id, scorer_id=f"regime/{name}"
    )
    return dict(frame.select("item_id", "label").iter_rows())


def right(*item_ids: str) -> dict[str, tuple[str, float]]:
    return {item.item_id: ("scored", float(item.item_id in item_ids)) for item in ITEMS}


def test_the_three_regimes_combine_the_strict_rule_and_the_judge(study: Study):
    judged(study, JUDGED)
    report = score_regimes(study)
    assert report.scorers == ("regime/strict", "regime/judge-only", "regime/judge-augmented")
    assert found(study, "strict") == right("n1", "c1")
    assert found(study, "judge-only") == right("n2", "c1")
    assert found(study, "judge-augmented") == right("n1", "n2", "c1")


def test_families_without_a_judge_keep_the_base_and_the_label_says_so(study: Study):
    judged(study, JUDGED)
    score_regimes(study)
    assert labels(study, "judge-only") == {
        "n1": JUDGE,
        "n2": JUDGE,
        "n3": JUDGE,
        "c1": BASE,
        "c2": BASE,
    }
    assert labels(study, "judge-augmented") == {
        "n1": BASE,
        "n2": JUDGE,
        "n3": BASE,
        "c1": BASE,
        "c2": BASE,
    }


def test_the_reason_names_the_scorer_that_decided_and_why(study: Study):
    judged(study, JUDGED)
    score_regimes(study)
    frame = study.snapshot().frame("verdicts", scorer_id="regime/judge-augmented")
    reasons = dict(frame.select("item_id", "reason").iter_rows())
    assert reasons["n2"] == f"{JUDGE}: as read"
    assert reasons["c2"] == f"{BASE}: yes/no differs"


def test_systems_that_were_never_judged_are_left_out(study: Study):
    judged(study, JUDGED)
    score_regimes(study)
    assert found(study, "strict", BETA) == right("n1", "c1")
    assert found(study, "judge-only", BETA) == {}
    assert found(study, "judge-augmented", BETA) == {}


def test_an_item_that_the_judge_was_never_asked_about_is_not_wrong(study: Study):
    judged(study, JUDGED[:1])
    score_regimes(study)
    assert found(study, "judge-only") == right("c1") | {
        "n1": ("scored", 0.0),
        "n2": ("failed", None),
        "n3": ("failed", None),
    }
    augmented = found(study, "judge-augmented")
    assert augmented["n1"] == ("scored", 1.0)
    assert augmented["n2"] == augmented["n3"] == ("failed", None)
    frame = study.snapshot().frame("verdicts", scorer_id="regime/judge-only", item_id="n2")
    assert frame["reason"].to_list() == [f"{JUDGE}: {ABSENT_REASON} of {JUDGE}"]


def test_a_right_strict_verdict_settles_what_the_judge_was_not_asked(study: Study):
    judged(study, JUDGED[1:])
    score_regimes(study, names=["judge-augmented"])
    assert found(study, "judge-augmented")["n1"] == ("scored", 1.0)


@pytest.mark.parametrize("status", ["failed", "unparsed", "no_answer"])
def test_a_judge_that_could_not_be_read_leaves_the_verdict_open(study: Study, status: Status):
    judged(study, [("n1", status, None), ("n2", status, None), ("n3", "scored", 1.0)])
    score_regimes(study)
    assert found(study, "judge-only")["n1"] == (status, None)
    assert found(study, "judge-augmented")["n1"] == ("scored", 1.0)
    assert found(study, "judge-augmented")["n2"] == (status, None)
    assert found(study, "judge-augmented")["n3"] == ("scored", 1.0)


def test_a_verdict_on_an_earlier_reply_is_not_used(study: Study):
    judged(study, JUDGED, text_digest=Prediction(text="what it said before").text_digest)
    score_regimes(study, names=["judge-only"])
    assert found(study, "judge-only")["n2"] == ("failed", None)


def test_a_strict_verdict_on_an_earlier_reference_is_not_used(study: Study):
    judged(study, JUDGED)
    study.add_items(
        [Item(item_id="n1", family="NUM", reference="6%"), *ITEMS[1:]], benchmark="demo"
    )
    score_regimes(study, names=["strict"])
    assert found(study, "strict")["n1"] == ("failed", None)
    score_study(study, scorers=[BASE])
    score_regimes(study, names=["strict"])
    assert found(study, "strict")["n1"] == ("scored", 0.0)


def test_several_verdicts_of_a_part_on_one_reply_are_not_averaged(study: Study):
    judged(study, JUDGED, repeats=2)
    with pytest.raises(CellClashError, match=r"several verdicts on item 'n1'.*repeat"):
        score_regimes(study)


def test_a_second_call_writes_nothing(study: Study):
    judged(study, JUDGED)
    first = score_regimes(study)
    versions = study.snapshot().versions
    second = score_regimes(study)
    assert (first.marked, first.up_to_date) == (20, 0)
    assert (second.marked, second.up_to_date) == (0, 20)
    assert study.snapshot().versions == versions


def test_a_later_judgement_is_taken_up(study: Study):
    judged(study, JUDGED)
    score_regimes(study)
    judged(study, [("n1", "scored", 1.0), ("n2", "scored", 0.0), ("n3", "scored", 1.0)])
    score_regimes(study)
    assert found(study, "judge-only") == right("n1", "n3", "c1")


def test_predictions_taken_back_leave_no_regime_verdict(study: Study):
    judged(study, JUDGED)
    score_regimes(study)
    put_replies(study, ALPHA, {"n1": "5%"})
    score_study(study, scorers=[BASE])
    score_regimes(study)
    assert set(found(study, "strict")) == {"n1"}


def test_stored_verdicts_are_the_base_where_there_are_any(study: Study):
    judged(study, [(item.item_id, "scored", 1.0) for item in ITEMS], scorer_id="stored")
    judged(study, JUDGED)
    score_regimes(study)
    assert found(study, "strict") == right("n1", "n2", "n3", "c1", "c2")
    assert found(study, "judge-only") == right("n2", "c1", "c2")
    assert found(study, "strict", BETA) == {}


def test_base_and_judge_may_be_named(study: Study):
    judged(study, [(item.item_id, "scored", 1.0) for item in ITEMS], scorer_id="stored")
    judged(study, JUDGED)
    judged(study, [("c2", "scored", 1.0)], scorer_id="judge/b")
    score_regimes(study, names=["judge-augmented"], base=BASE, judge="judge/b")
    assert found(study, "judge-augmented")["c2"] == ("scored", 1.0)
    assert found(study, "judge-augmented")["n2"] == ("scored", 0.0)


def test_without_a_judge_only_the_strict_regime_is_marked(study: Study):
    report = score_regimes(study)
    assert report.scorers == ("regime/strict",)
    assert report.marked == 10


def test_a_regime_that_needs_a_judge_says_so(study: Study):
    with pytest.raises(MissingVerdictsError, match="'judge-only' needs verdicts of a judge"):
        score_regimes(study, names=["judge-only"])


def test_an_unknown_regime_is_an_error(study: Study):
    with pytest.raises(UnknownNameError, match="no regime 'lenient'; expected one of strict"):
        score_regimes(study, names=["lenient"])


def test_a_study_without_verdicts_has_no_regimes(tmp_path: Path):
    assert score_regimes(Study.create(tmp_path / "empty")).scorers == ()


def test_the_scorers_table_says_how_a_regime_was_made(study: Study):
    judged(study, JUDGED)
    score_regimes(study)
    [row] = study.snapshot().frame("scorers", scorer_id="regime/judge-augmented").to_dicts()
    spec = json.loads(row["spec"])
    assert spec["base"] == BASE
    assert spec["judged_families"] == ["NUM"]
    parts = (Imported(name=BASE), Imported(name=JUDGE))
    assert regime("judge-augmented", base=BASE, judge=JUDGE).composite == AnyOf(parts=parts)


def test_the_first_judge_by_name_is_chosen():
    assert choose_judge(["exact", "judge/b", "judge/a", "person/c"]) == "judge/a"
    assert choose_judge(["exact", "regime/judge-only"]) is None


def test_stored_wins_over_the_strict_rule_as_base():
    assert choose_base([BASE, "stored"]) == "stored"
    assert choose_base(["exact", BASE]) == BASE
    with pytest.raises(MissingVerdictsError, match="need verdicts of stored or strict"):
        choose_base(["exact"])


@pytest.mark.parametrize(
    ("held", "names"),
    [
        (["exact"], ()),
        (["exact", JUDGE], ()),
        (["stored"], ("strict",)),
        ([BASE, JUDGE], REGIME_NAMES),
    ],
)
def test_regimes_are_available_where_their_parts_are(held: list[str], names: tuple[str, ...]):
    assert available(held) == names


def test_the_parts_of_a_regime_are_named_once():
    strict = regime("strict", base="stored", judge=None)
    assert strict.composite == FirstScored(parts=(Imported(name="stored"),))
    assert strict.parts == ("stored",)
    assert regime("judge-only", base="stored", judge=JUDGE).parts == (JUDGE, "stored")
