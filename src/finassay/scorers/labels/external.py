"""Labels that somebody else extracted.  In: a file of (item id, label).  Out: those labels."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from finassay.errors import InputError, MappingError, SpecError
from finassay.records import Item, Prediction
from finassay.scorers.base import require_texts
from finassay.scorers.labels.base import Extraction, LabelRule, require_label

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class ExternalLabels(LabelRule):
    """`labels/external`: the label that a list gives for the item, such as a judge's reading.

    An item that the list does not name, or names with an empty label, has no label.

    Attributes:
        labels: (item id, label).
    """

    labels: Pairs

    name: ClassVar[str] = "labels/external"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "labels/external"
    reads_key: ClassVar[bool] = True

    def __post_init__(self) -> None:
        pairs = tuple(tuple(pair) for pair in self.labels)
        for pair in pairs:
            require_texts(self, "labels", pair)
            if len(pair) != 2:
                raise SpecError(f"`labels` must hold pairs (item id, label), got {pair!r}")
        ids = [pair[0] for pair in pairs]
        if len(set(ids)) < len(ids):
            twice = sorted({i for i in ids if ids.count(i) > 1})
            raise SpecError(f"`labels` must name every item once, got twice: {twice!r}")
        object.__setattr__(self, "labels", pairs)

    @classmethod
    def from_csv(
        cls, path: Path, *, item_column: str = "item_id", label_column: str = "label"
    ) -> ExternalLabels:
        """Return the rule of a CSV file (UTF-8, with a header).

        Raises:
            InputError: the file cannot be read.
            MappingError: a column is missing.
        """
        try:
            with path.open(encoding="utf-8-sig", newline="") as lines:
                rows = csv.DictReader(lines)
                columns = tuple(rows.fieldnames or ())
                missing = {item_column, label_column} - set(columns)
                if missing:
                    raise MappingError(
                        f"{path.name}: the columns {sorted(missing)} are missing, got {columns!r}"
                    )
                return cls(labels=tuple((row[item_column], row[label_column]) for row in rows))
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"{path}: cannot be read as UTF-8 text: {error}; name a CSV table in UTF-8"
            ) from error

    def key_of(self, item: Item, prediction: Prediction) -> str:
        """Return the item id."""
        return item.item_id or prediction.item_id

    def extract(self, reply: str, choices: tuple[str, ...], *, key: str = "") -> Extraction:  # noqa: ARG002
        """Return the label listed for the item `key`.

        Raises:
            SpecError: the item has no id, so nothing can be looked up.
            UsageError: the label listed is none of the choices.
        """
        if not key:
            raise SpecError(
                "labels/external looks labels up by item id, and this item has none; import the "
                "labels as verdicts instead, or audit the log they belong to"
            )
        label = _by_item(self.labels).get(key, "")
        if not label.strip():
            return Extraction()
        index = require_label(label, choices, self.name)
        return Extraction(index=index, origin="external", evidence=label)


@lru_cache(maxsize=64)
def _by_item(pairs: Pairs) -> dict[str, str]:
    return dict(pairs)
