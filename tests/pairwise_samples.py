"""Small sets of pairwise comparisons, written out by hand or filed in a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import polars as pl

from finassay.analyses.pairwise.people_inputs import PairInputs, PairPlan
from finassay.analyses.rank_sets import Resampling
from finassay.marking.duels import StoredComparison
from finassay.records import SystemSpec
from finassay.study import Study
from finassay.study.schemas import COMPARISONS
from judged_samples import ITEMS, SPECS, Columns
from small_boards import board, items

WINNERS = {"l": "left", "r": "right", "t": "tie"}
"""A decision in one letter; "u" could not be read, "f" was not obtained."""

STATUS = {"u": "unparsed", "f": "failed"}

Decisions = Mapping[tuple[str, str, str], str]
"""(item, left, right) -> the decisions of both orders in two letters; "." was not asked."""


def comparisons(said: Decisions) -> tuple[StoredComparison, ...]:
    """Return the comparisons of one judge."""
    return tuple(
        StoredComparison(
            item_id=item,
            left=left,
            right=right,
            order=order,
            winner=WINNERS.get(letter),
            status=STATUS.get(letter, "scored"),  # type: ignore[arg-type]
        )
        for (item, left, right), letters in said.items()
        for order, letter in zip(("left_first", "right_first"), letters, strict=True)
        if letter != "."
    )


def inputs(
    labels: Mapping[str, Columns],
    judges: Mapping[str, Decisions],
    *,
    baselines: Mapping[str, Columns] | None = None,
    models: Mapping[str, str] | None = None,
) -> PairInputs:
    """Return inputs from letters; a system's model is its name unless told."""
    names = sorted({name for columns in labels.values() for name in columns})
    length = len(next(iter(next(iter(labels.values())).values())))
    return PairInputs(
        study="by hand",
        items=items(["all"] * length),
        systems=tuple(
            SystemSpec(name=name, model=(models or {}).get(name, name)) for name in names
        ),
        labels={name: board(columns) for name, columns in labels.items()},
        judges={name: comparisons(said) for name, said in judges.items()},
        baselines={name: board(columns) for name, columns in (baselines or {}).items()},
    )


def plan(**changes: object) -> PairPlan:
    """Return a plan with few resamples."""
    return PairPlan(**{"resampling": Resampling(draws=200), **changes})  # type: ignore[arg-type]


def file_comparisons(
    study: Study, scorer_id: str, said: Iterable[tuple[int, str, str, str, str]]
) -> None:
    """File (item number, left, right, order, letter) of one judge, on the present replies."""
    known = study.snapshot()
    texts = {
        (row["item_id"], row["system_id"]): row["text_digest"]
        for row in known.frame("predictions").iter_rows(named=True)
    }
    asked = {
        row["item_id"]: row["item_digest"] for row in known.frame("items").iter_rows(named=True)
    }
    rows = []
    for at, left, right, order, letter in said:
        item_id = ITEMS[at].item_id
        left_id, right_id = SPECS[left].system_id, SPECS[right].system_id
        rows.append(
            {
                "item_id": item_id,
                "left_system_id": left_id,
                "left_trial": 0,
                "right_system_id": right_id,
                "right_trial": 0,
                "scorer_id": scorer_id,
                "scorer_version": "1",
                "order": order,
                "repeat": 0,
                "winner": WINNERS.get(letter),
                "status": STATUS.get(letter, "scored"),
                "reason": "as read",
                "left_text_digest": texts[item_id, left_id],
                "right_text_digest": texts[item_id, right_id],
                "item_digest": asked[item_id],
            }
        )
    frame = COMPARISONS.complete(pl.DataFrame(rows, schema_overrides=dict(COMPARISONS.columns)))
    partition = {"scorer_id": scorer_id, "scorer_version": "1"}
    study.commit("comparisons", frame, partition=partition)
