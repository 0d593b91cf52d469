"""A study under a grid: the verdicts are those of the scorers and regimes that file them."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from finassay.errors import MissingVerdictsError, UsageError
from finassay.marking.multiverse import blocks as module
from finassay.marking.multiverse.cube import Multiverse
from finassay.marking.multiverse.dimensions import Choice, Dimension
from finassay.marking.multiverse.grid import Grid
from finassay.marking.multiverse.grid_file import built_in_grid
from finassay.marking.multiverse.study import mark_multiverse, task_of
from finassay.marking.regime_scoring import score_regimes
from finassay.marking.scoring import score_study
from finassay.marking.view import scorer_matrix
from finassay.records import Item, SystemSpec
from finassay.scorers.declared import DeclaredRule
from finassay.study import Study
from marking_studies import put_replies, put_verdicts

ALPHA, BETA = SystemSpec(name="alpha"), SystemSpec(name="beta")
PERSON = SystemSpec(name="someone", kind="person")
JUDGE, BASE = "judge/a", "strict/numbers-first"
ITEMS = (
    Item(item_id="n1", family="NUM", reference="5%", alternatives=("0.05",)),
    Item(item_id="n2", family="NUM", reference="30 days"),
    Item(item_id="n3", family="NUM", reference="two crore"),
    Item(item_id="c1", family="CON", task="con", reference="Yes", choices=("Yes", "No")),
    Item(item_id="l1", family="LAB", reference="good", choices=("good", "bad")),
)
REPLIES = {
    "alpha": {"n1": "5%", "n2": "a month", "n3": "none", "c1": "Yes.", "l1": "Good, not bad"},
    "beta": {"n1": "0.05", "n2": "30 days", "n3": "", "c1": "No", "l1": "bad"},
    "someone": {"n1": "5%"},
}
JUDGED = {
    "alpha": (("n1", "scored", 0.0), ("n2", "scored", 1.0)),
    "beta": (("n1", "scored", 1.0), ("n2", "scored", 0.0), ("n3", "unparsed", None)),
}

QA_GRID = Grid(
    name="small",
    task="qa",
    scorer="rule",
    dimensions=(
        Dimension(
            name="judge",
            choices=(Choice(name="out", value="out"), Choice(name="any_of", value="any_of")),
            base="out",
        ),
        Dimension(
            name="numbers",
            choices=(
                Choice(name="written", value="written"),
                Choice(name="ignore", value="ignore"),
            ),
            base="written",
        ),
    ),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    study = Study.create(tmp_path_factory.mktemp("whole") / "study")
    study.add_items(ITEMS, benchmark="demo")
    for spec in (ALPHA, BETA, PERSON):
        study.add_system(spec)
        put_replies(study, spec, REPLIES[spec.name])
    score_study(study, scorers=[BASE, "rule"])
    return study.root


@pytest.fixture
def study(whole: Path, tmp_path: Path) -> Study:
    return Study.open(shutil.copytree(whole, tmp_path / "study"))


def judged(study: Study) -> Study:
    for spec in (ALPHA, BETA):
        put_verdicts(study, JUDGED[spec.name], spec=spec, scorer_id=JUDGE)
    return study


def cell_matrix(found: Multiverse, **choices: str) -> np.ndarray:
    one = found.where(**choices)
    matrix = one.matrix(0)
    assert one.accuracy.shape[0] == 1
    return np.where(matrix.scored, matrix.values, -1.0)


def filed(study: Study, scorer_id: str) -> np.ndarray:
    matrix = scorer_matrix(study.snapshot(), scorer_id).select(
        rows=lambda row: row[0] != "l1", columns=["alpha", "beta"]
    )
    return np.where(matrix.scored, matrix.values, -1.0)


def test_the_base_rule_gives_what_marking_files(study: Study):
    found = mark_multiverse(study.snapshot(), QA_GRID)
    assert found.systems == ("alpha", "beta")
    assert found.items == ("c1", "n1", "n2", "n3")
    assert (cell_matrix(found, numbers="written") == filed(study, "rule")).all()
    assert found.warnings == (
        "the study holds no verdicts of a judge: the dimension 'judge' was taken out",
    )


def test_rule_or_judge_gives_what_the_regime_files(study: Study):
    judged(study)
    score_regimes(study, names=["judge-augmented"], base="rule", judge=JUDGE)
    found = mark_multiverse(study.snapshot(), QA_GRID)
    expected = filed(study, "regime/judge-augmented")
    assert (cell_matrix(found, judge="any_of", numbers="written") == expected).all()
    assert found.warnings == ()
    assert found.unjudged == ()


def test_a_system_that_the_judge_never_read_is_named(study: Study):
    put_verdicts(study, JUDGED["alpha"], spec=ALPHA, scorer_id=JUDGE)
    found = mark_multiverse(study.snapshot(), QA_GRID)
    assert found.unjudged == ("beta",)
    with_judge = cell_matrix(found, judge="any_of", numbers="written")[:, 1]
    alone = cell_matrix(found, judge="out", numbers="written")[:, 1]
    assert (with_judge == alone).all()


def test_labels_are_marked_on_the_items_that_offer_choices(study: Study):
    found = mark_multiverse(study.snapshot(), built_in_grid("labels"))
    assert found.items == ("c1", "l1")
    assert found.accuracy[found.base].tolist() == [1.0, 0.0]


def test_what_a_study_asks_for_is_labels_where_every_item_has_a_card(study: Study, tmp_path: Path):
    assert task_of(study.snapshot()) == "qa"
    other = Study.create(tmp_path / "labels")
    other.add_items([ITEMS[4]], benchmark="demo")
    assert task_of(other.snapshot()) == "labels"
    with pytest.raises(UsageError, match="asks for an answer without choices"):
        mark_multiverse(other.snapshot(), QA_GRID)
    with pytest.raises(UsageError, match="holds no reply to an item"):
        mark_multiverse(other.snapshot(), built_in_grid("labels"))


def test_small_blocks_give_the_same_verdicts(study: Study, monkeypatch: pytest.MonkeyPatch):
    snapshot = judged(study).snapshot()
    whole = mark_multiverse(snapshot, QA_GRID)
    monkeypatch.setattr(module, "BLOCK", 2)
    told: list[str] = []
    found = mark_multiverse(snapshot, QA_GRID, progress=lambda _d, _n, what: told.append(what))
    assert (found.sheets == whole.sheets).all()
    assert (found.sheet == whole.sheet).all()
    assert list(dict.fromkeys(told)) == ["alpha", "beta", ""]


def test_a_judge_without_verdicts_is_refused(study: Study):
    with pytest.raises(MissingVerdictsError, match="holds no verdicts"):
        mark_multiverse(study.snapshot(), QA_GRID, judge="judge/none")


def test_weights_may_be_left_out(study: Study):
    heavy = (Choice(name="a", value="written", weight=9.0), Choice(name="b", value="ignore"))
    one = Dimension(name="numbers", choices=heavy, base="a")
    asked = Grid(name="g", task="qa", scorer="rule", dimensions=(one,))
    assert mark_multiverse(study.snapshot(), asked).weights.tolist() == [0.9, 0.1]
    plain = mark_multiverse(study.snapshot(), asked, weighted=False)
    assert plain.weights.tolist() == [0.5, 0.5]
    assert plain.cells[0].scorer == DeclaredRule()
