"""How much of a financial-LLM leaderboard is the model, and how much is the scoring rule?

Names are loaded when they are first used, so that `import finassay` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from finassay._version import __version__

if TYPE_CHECKING:
    from finassay.errors import FinassayError
    from finassay.marking.many import mark_many
    from finassay.marking.scoring import score_study
    from finassay.marking.single import mark
    from finassay.records import AnswerContract, Item, Prediction, SystemSpec, Verdict
    from finassay.scorers.registry import load_scorer
    from finassay.study.study import Study

_HOMES = {
    "AnswerContract": "finassay.records",
    "FinassayError": "finassay.errors",
    "Item": "finassay.records",
    "Prediction": "finassay.records",
    "Study": "finassay.study.study",
    "SystemSpec": "finassay.records",
    "Verdict": "finassay.records",
    "load_scorer": "finassay.scorers.registry",
    "mark": "finassay.marking.single",
    "mark_many": "finassay.marking.many",
    "score_study": "finassay.marking.scoring",
}

__all__ = [
    "AnswerContract",
    "FinassayError",
    "Item",
    "Prediction",
    "Study",
    "SystemSpec",
    "Verdict",
    "__version__",
    "load_scorer",
    "mark",
    "mark_many",
    "score_study",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'finassay' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
