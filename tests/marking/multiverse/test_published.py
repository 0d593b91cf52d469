"""The grids that ship, on published replies: how many rules differ, and that each is its scorer."""

import random

import numpy as np
import pytest

import flare_logs
import published_logs as logs
from finassay.marking.batch import Batch
from finassay.marking.multiverse.coder import Coder
from finassay.marking.multiverse.codes import SILENT, WRONG, code_of
from finassay.marking.multiverse.cube import Multiverse, collapsed
from finassay.marking.multiverse.grid_file import built_in_grid
from finassay.records import Item, Prediction
from finassay.scorers.base import Scorer
from finassay.scorers.registry import load_scorer

pytestmark = [pytest.mark.data, pytest.mark.full]

Pairs = list[tuple[Item, Prediction]]


def replies() -> Pairs:
    """The replies of the twelve complete files, system by system."""
    items = {item.item_id: item for item in logs.items()}
    return [
        (items[row["id"]], Prediction(text=row["prediction"]))
        for system in logs.TWELVE
        for row in logs.rows(logs.folder() / "predictions" / f"{system}.csv")
    ]


def batch_of(pairs: Pairs) -> Batch:
    return Batch.from_rows(
        {
            "reference": item.reference,
            "reply": prediction.text,
            "task": item.task,
            "choices": list(item.choices),
            "question": item.question,
        }
        for item, prediction in pairs
    )


def one_by_one(scorer: Scorer, pairs: Pairs) -> list[int]:
    return [code_of(scorer.score(item=item, prediction=one)) for item, one in pairs]


@pytest.fixture(scope="module")
def published() -> tuple[Multiverse, Pairs]:
    """Every rule for answers, without a judge, on 12 x 406 replies."""
    pairs = replies()
    grid = built_in_grid("qa").without("judge")
    cells = grid.cells()
    scorers = list(dict.fromkeys(cell.scorer for cell in cells))
    coder = Coder(batch_of(pairs))
    codes = np.stack([coder.codes(scorer) for scorer in scorers])
    sheets, where = collapsed(codes.reshape(len(scorers), 12, 406).transpose(0, 2, 1))
    place = {scorer: at for at, scorer in enumerate(scorers)}
    found = Multiverse(
        grid=grid,
        cells=cells,
        items=tuple(item.item_id for item, _ in pairs[:406]),
        systems=logs.TWELVE,
        sheets=sheets,
        sheet=where[[place[cell.scorer] for cell in cells]],
        present=np.ones((406, 12), dtype=bool),
    )
    return found, pairs


def test_a_thousand_rules_give_more_than_three_hundred_verdict_vectors(
    published: tuple[Multiverse, Pairs],
):
    found, _ = published
    assert len(found.cells) >= 1000
    assert found.n_distinct >= 300


def test_at_least_eight_dimensions_move_accuracy(published: tuple[Multiverse, Pairs]):
    found, _ = published
    moved = set()
    for at, one in enumerate(found.grid.dimensions):
        children = {d.name for d in found.grid.dimensions if one.name in dict(d.applies)}
        away = {one.name, *children}
        seen: dict[tuple[tuple[str, str], ...], np.ndarray] = {}
        for row, cell in enumerate(found.cells):
            if one.name in dict(cell.choices):
                rest = tuple(pair for pair in cell.choices if pair[0] not in away)
                first = seen.setdefault(rest, found.accuracy[row])
                if not np.array_equal(first, found.accuracy[row]):
                    moved.add(found.grid.dimensions[at].name)
    assert len(moved) >= 8
    assert moved == {one.name for one in found.grid.dimensions}


def test_the_base_rule_gives_the_verdicts_of_the_published_rule(
    published: tuple[Multiverse, Pairs],
):
    found, pairs = published
    expected = one_by_one(load_scorer("strict/numbers-first"), pairs)
    codes = found.sheets[found.sheet[found.base]].T.ravel()
    assert codes.tolist() == expected


def test_rules_of_the_grid_are_their_scorers_reply_by_reply(published: tuple[Multiverse, Pairs]):
    found, pairs = published
    typed = [at for at, cell in enumerate(found.cells) if cell.scorer.name == "financial"]
    for at in [typed[-1], *random.Random(3).sample(range(len(found.cells)), 5)]:
        codes = found.sheets[found.sheet[at]].T.ravel()
        assert codes.tolist() == one_by_one(found.cells[at].scorer, pairs), found.cells[at]


def test_label_rules_give_more_than_a_hundred_and_fifty_verdict_vectors():
    names = (flare_logs.LLAMA, flare_logs.CHATGLM, flare_logs.GPT4_FRAUD, flare_logs.GPT4_GERMAN)
    read = [(log, row) for log in map(flare_logs.log_of, names) for row in log.rows]
    pairs = [
        (
            Item(item_id="", reference=row.gold, choices=row.choices or log.choices()),
            Prediction(text=row.reply),
        )
        for log, row in read
    ]
    scorers = list(dict.fromkeys(cell.scorer for cell in built_in_grid("labels").cells()))
    coder = Coder(batch_of(pairs))
    codes = np.stack([coder.codes(scorer) for scorer in scorers])
    counted = np.where(codes == SILENT, np.uint8(WRONG), codes)
    excluded = np.where(codes == SILENT, np.uint8(0), codes)
    assert len(collapsed(np.concatenate([counted, excluded]))[0]) >= 150
    for at in random.Random(5).sample(range(len(scorers)), 2):
        assert codes[at].tolist() == one_by_one(scorers[at], pairs), scorers[at]
