"""People's labels of published answers: conclusions tighten when rules that contradict them go."""

import json
from pathlib import Path
from typing import TypedDict

import numpy as np
import pytest

from finassay.analyses.multiverse.analysis import MultiverseSettings, analyse_multiverse
from finassay.analyses.multiverse.floor import PeopleLabels
from finassay.analyses.results_multiverse import MultiverseResult
from finassay.marking.batch import Batch
from finassay.marking.multiverse.coder import Coder
from finassay.marking.multiverse.cube import Multiverse, collapsed
from finassay.marking.multiverse.grid_file import built_in_grid
from finassay.records import Item
from real_data import data_root

pytestmark = [pytest.mark.data, pytest.mark.full]

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "multiverse.md"


class Answer(TypedDict):
    """One answer of one model configuration, labelled by an expert."""

    question: str
    gold_answer: str | float
    model_answer: str
    model_name: str
    eval_mode: str
    label: str


def answers() -> list[Answer]:
    path = data_root() / "financebench" / "answers_with_human_labels.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def found() -> MultiverseResult:
    rows = answers()
    questions = sorted({row["question"] for row in rows})
    systems = sorted({f"{row['model_name']}/{row['eval_mode']}" for row in rows})
    grid = built_in_grid("qa").without("judge")
    cells = grid.cells()
    scorers = list(dict.fromkeys(cell.scorer for cell in cells))
    coder = Coder(
        Batch.from_rows(
            {
                "reference": str(row["gold_answer"]),
                "reply": row["model_answer"],
                "question": row["question"],
            }
            for row in rows
        )
    )
    item = np.array([questions.index(row["question"]) for row in rows])
    system = np.array([systems.index(f"{row['model_name']}/{row['eval_mode']}") for row in rows])
    codes = np.zeros((len(scorers), len(questions), len(systems)), dtype=np.uint8)
    for at, scorer in enumerate(scorers):
        codes[at, item, system] = coder.codes(scorer)
    labels = np.full(codes.shape[1:], -1, dtype=np.int8)
    labels[item, system] = [row["label"] == "Correct Answer" for row in rows]
    sheets, where = collapsed(codes)
    place = {scorer: at for at, scorer in enumerate(scorers)}
    made = Multiverse(
        grid=grid,
        cells=cells,
        items=tuple(questions),
        systems=tuple(systems),
        sheets=sheets,
        sheet=where[[place[cell.scorer] for cell in cells]],
        present=labels >= 0,
    )
    return analyse_multiverse(
        made,
        items=[Item(item_id=question) for question in questions],
        settings=MultiverseSettings(draws=200, floor=0.6),
        people=PeopleLabels(
            name="experts", items=tuple(questions), systems=tuple(systems), labels=labels
        ),
    )


def test_every_configuration_answered_every_question(found: MultiverseResult):
    assert (len(found.systems), found.n_items, found.left_out) == (16, 65, ())
    assert found.floor is not None
    assert found.floor.n_labels == 1040


def test_the_published_strict_rule_has_the_kappa_that_was_counted_apart_from_this_code(
    found: MultiverseResult,
):
    assert found.floor is not None
    assert found.floor.kappas[found.base] == pytest.approx(0.36, abs=0.006)


def test_few_rules_agree_with_people_and_these_agree_with_each_other(found: MultiverseResult):
    floor = found.floor
    assert floor is not None
    assert floor.after is not None
    assert 0 < floor.n_kept < found.n_rules / 10
    assert floor.after.n_held > 3 * floor.before.n_held
    assert floor.before.mean_rank_range > 2 * floor.after.mean_rank_range


def test_the_page_says_what_is_found(found: MultiverseResult):
    floor = found.floor
    assert floor is not None
    assert floor.after is not None
    said = " ".join(PAGE.read_text("utf-8").split())
    kept = [
        rule.rule_id
        for rule, kappa in zip(found.rules, floor.kappas, strict=True)
        if kappa is not None and kappa >= floor.floor
    ]
    typed = sum(rule.startswith("financial") for rule in kept)
    before, after = floor.before, floor.after
    for words in (
        f"{floor.n_kept} of the {found.n_rules:,} rules reach a kappa of {floor.floor:g}",
        f"{before.n_held} of 120 pairs of configurations keep their order",
        f"moves over {before.mean_rank_range:.1f} ranks on average",
        f"under the {floor.n_kept} rules {after.n_held} pairs do",
        f"it moves over {after.mean_rank_range:.1f}",
        f"({typed} of the {floor.n_kept} are policies of `financial`",
    ):
        assert words in said
