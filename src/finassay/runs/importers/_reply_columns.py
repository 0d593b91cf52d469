"""Predictions on their way in, by column.  In: replies.  Out: frames of the table `predictions`."""

from __future__ import annotations

import polars as pl

from finassay.errors import EncodingError
from finassay.records import content_id
from finassay.study.schemas import PREDICTIONS

_FLAGS = PREDICTIONS.columns["flags"]


class ReplyColumns:
    """Replies of one system and run that wait to be written.

    A record for each reply costs more than reading it did, so none is made.
    """

    def __init__(self, system_id: str, run_id: str) -> None:
        self._system_id = system_id
        self._run_id = run_id
        self.clear()

    def clear(self) -> None:
        """Forget all replies."""
        self._items: list[str] = []
        self._trials: list[int] = []
        self._texts: list[str] = []
        self._digests: list[str] = []
        self._finishes: list[str] = []
        self._flags: list[list[str]] = []

    def __len__(self) -> int:
        return len(self._items)

    def add(self, key: tuple[str, int], text: str, *, digest: str, finish: str) -> None:
        """Keep a reply to an item in a trial."""
        self._items.append(key[0])
        self._trials.append(key[1])
        self._texts.append(text)
        self._digests.append(digest)
        self._finishes.append(finish)

    def flag(self, flags: list[str]) -> None:
        """Say what is known of the log beside the last reply."""
        self._flags += [[] for _ in range(len(self) - 1 - len(self._flags))]
        self._flags.append(flags)

    def frame(self) -> pl.DataFrame:
        """Return the replies as rows of the table, in order.

        Raises:
            EncodingError: a text holds a lone surrogate, which no table can hold.
        """
        size, system_id = len(self), self._system_id
        self._flags += [[] for _ in range(size - len(self._flags))] if self._flags else []
        ids = [
            content_id(item_id, system_id, str(trial))
            for item_id, trial in zip(self._items, self._trials, strict=True)
        ]
        try:
            frame = pl.DataFrame(
                {
                    "item_id": pl.Series(self._items, dtype=pl.String),
                    "trial": pl.Series(self._trials, dtype=pl.Int64),
                    "prediction_id": pl.Series(ids, dtype=pl.String),
                    "text": pl.Series(self._texts, dtype=pl.String),
                    "text_digest": pl.Series(self._digests, dtype=pl.String),
                    "finish": pl.Series(self._finishes, dtype=pl.String),
                    "flags": pl.Series(self._flags, dtype=_FLAGS)
                    if self._flags
                    else pl.Series([[]], dtype=_FLAGS).new_from_index(0, size),
                }
            )
        except UnicodeEncodeError as error:
            raise EncodingError(
                f"a row for predictions holds text that is not Unicode (a lone surrogate): "
                f"{error}; expected text that can be written as UTF-8; decode the source with its "
                f"own encoding"
            ) from error
        same = {"system_id": system_id, "run_id": self._run_id, "reasoning": ""}
        return PREDICTIONS.complete(
            frame.with_columns(pl.lit(value).alias(name) for name, value in same.items())
        )
