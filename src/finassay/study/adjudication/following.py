"""Answers as verdicts while people label.  In: a label store.  Out: partitions of what is new.

Only what was labelled since the last time is written, so that it costs the same in a large study.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import func, select

from finassay.study.adjudication.draw_files import draw_names, read_draw
from finassay.study.adjudication.filing import file_answers
from finassay.study.adjudication.ledger_tables import ANSWERS
from finassay.study.adjudication.tasks import CORRECTNESS
from finassay.study.labels import LabelStore
from finassay.study.materialise import materialise
from finassay.study.study import Commit, Study

LOOK_BACK = 500
"""Rows before the last one that are looked at again: writers may commit out of order."""


@dataclass(slots=True)
class AnswerFiler:
    """Writes labels and answers to draws as verdicts, each time what is new since the last.

    The first time that is everything.

    Attributes:
        study: the study.
        store: its label store.
    """

    study: Study
    store: LabelStore
    _labels: int = 0
    _answers: int = 0
    # What was filed last of each person on each system: most that was looked back at stands.
    _filed: dict[tuple[str, str], int] = field(default_factory=dict)

    def file(self) -> list[Commit]:
        """Write what is new as verdicts and return what was committed.

        Raises:
            ConflictError: other writers kept committing to the same partition first.
        """
        return [*self._file_labels(), *self._file_answers()]

    def _file_labels(self) -> list[Commit]:
        groups, last = self.store.given_since(max(self._labels - LOOK_BACK, 0))
        if last == self._labels:
            return []
        current, filed = [], {}
        for annotator, system_id in sorted(groups):
            theirs = self.store.current(annotator=annotator, system_id=system_id)
            state = tuple((one.label.item_id, one.label.trial, one.revision) for one in theirs)
            if self._filed.get((annotator, system_id)) != hash(state):
                filed[annotator, system_id] = hash(state)
                current += theirs
        commits = materialise(current, self.study) if current else []
        self._labels = last
        self._filed.update(filed)
        return commits

    def _file_answers(self) -> list[Commit]:
        at = ANSWERS.c
        since = max(self._answers - LOOK_BACK, 0)
        with self.store.reading() as connection:
            last = connection.scalar(select(func.max(at.answer_id))) or 0
            query = select(at.draw_id).where(at.answer_id > since).distinct()
            draws = set(connection.scalars(query))
        commits = []
        done = {CORRECTNESS.name}
        # Correctness is a label of the store, and is written with the labels.
        for name in draw_names(self.study) if last > self._answers and draws else ():
            draw = read_draw(self.study, name)
            if draw.draw_id in draws and draw.task not in done:
                done.add(draw.task)
                commits += file_answers(self.study, draw, self.store)
        self._answers = last
        return commits
