"""Many rules on one table of labelled replies.  In: rows and scorers.  Out: arrays of verdicts.

Only the question, the reference and the reply reach a rule; neither the label nor what says which
system answered does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.marking.batch import Batch
from finassay.marking.columns import verdicts_of
from finassay.marking.rowwise import Marker
from finassay.records import RIGHT, Verdict
from finassay.runs.importers.labelled import LabelledReply
from finassay.scorers.base import Scorer
from finassay.scorers.registry import scorer_id_of

Bools = NDArray[np.bool_]
Progress = Callable[[int, int, str], None]
"""Called with (scorers done, scorers in all, id of the next)."""


class CandidateMarker:
    """Marks labelled replies under any number of scorers; variants share their measures.

    Args:
        rows: the labelled replies.
    """

    def __init__(self, rows: Iterable[LabelledReply]) -> None:
        self._marker = Marker(
            Batch.from_rows(
                {"reference": row.reference, "reply": row.reply, "question": row.question}
                for row in rows
            )
        )

    def right(
        self, scorers: Sequence[Scorer], progress: Progress | None = None
    ) -> tuple[Bools, Bools]:
        """Return (N, C) whether each scorer marks each reply right, and whether it has a value.

        A verdict without a value, for whatever reason, does not mark the reply right; a graded one
        does from `records.RIGHT` on.
        """
        rows = len(self._marker.batch)
        is_right = np.zeros((rows, len(scorers)), dtype=np.bool_)
        is_scored = np.zeros((rows, len(scorers)), dtype=np.bool_)
        for at, scorer in enumerate(scorers):
            if progress is not None:
                progress(at, len(scorers), scorer_id_of(scorer))
            found = self._marker.mark(scorer).select(
                is_scored=pl.col("status") == "scored",
                is_right=pl.col("value").fill_null(0.0) >= RIGHT,
            )
            is_scored[:, at] = found["is_scored"].to_numpy()
            is_right[:, at] = found["is_right"].to_numpy()
        return is_right, is_scored

    def verdicts(self, scorer: Scorer) -> tuple[Verdict, ...]:
        """Return the verdicts of a scorer on all replies, in order."""
        return tuple(verdicts_of(self._marker.mark(scorer)))
