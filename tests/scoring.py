"""Helpers of the scorer tests: one reference and one reply in, a verdict out."""

from __future__ import annotations

from finassay.records import Finish, Item, Prediction, Verdict
from finassay.scorers.base import Scorer
from finassay.scorers.registry import load_scorer


def mark(
    scorer: Scorer | str,
    reference: str | None,
    reply: str,
    *,
    task: str = "",
    finish: Finish = "not_logged",
    alternatives: tuple[str, ...] = (),
) -> Verdict:
    """Return the verdict of a scorer, or of a scorer id, on one reply."""
    rule = load_scorer(scorer) if isinstance(scorer, str) else scorer
    return rule.score(
        item=Item(item_id="item", task=task, reference=reference, alternatives=alternatives),
        prediction=Prediction(item_id="item", system_id="system", text=reply, finish=finish),
    )
