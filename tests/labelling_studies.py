"""A study with a draw of every labelling task, for tests of the pages of labelling."""

from __future__ import annotations

from pathlib import Path

from adjudication_studies import SYSTEMS, add_duels, frozen, judged_study
from finassay.study import Study

TASKS = ("correctness", "pairwise", "rubric", "reference", "alignment", "reading")

N = 8

TELLING = (
    *(system.name for system in SYSTEMS),
    *(system.model for system in SYSTEMS),
    *(system.system_id for system in SYSTEMS),
    *("judge/one", "judge/two", "judge/p", "as planted"),
)
"""What would tell a person who answered, or what a judge said."""


def study_to_label(path: Path, *, n: int = N) -> Study:
    """A study of n items with a draw of every task, under the task's name."""
    study = judged_study(path, n=n, choices=("high", "low"))
    add_duels(study, "judge/p", dict.fromkeys(range(n), ("left", "left")))
    for task in TASKS:
        frozen(study, task, name=task, labels=n)
    return study
