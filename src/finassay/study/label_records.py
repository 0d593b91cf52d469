"""What people say of predictions.  In: nothing.  Out: labels and their revisions as records."""

from __future__ import annotations

import json
from dataclasses import dataclass

from finassay.errors import UsageError

NOT_SURE = "not sure"
"""Label of a revision without a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What a person says of one prediction.

    Attributes:
        annotator: who says it; becomes the scorer `person/ANNOTATOR`.
        item_id: with system_id and trial, the prediction.
        system_id: see item_id.
        trial: see item_id.
        label: the person's word for it; "not sure" when there is no value.
        value: in [0, 1], or None for "not sure".
        note: free text.
        text_digest: digest of the text that the person saw, so that a stale label shows.
        item_digest: digest of the item that the person saw.

    Raises:
        UsageError: the annotator is empty, the value is outside [0, 1], or the label is missing.
    """

    annotator: str
    item_id: str
    system_id: str
    trial: int = 0
    label: str = ""
    value: float | None = None
    note: str = ""
    text_digest: str | None = None
    item_digest: str | None = None

    def __post_init__(self) -> None:
        if not self.annotator:
            raise UsageError("a label must say who gave it, got annotator ''; name the annotator")
        if self.value is None and self.label not in ("", NOT_SURE):
            raise UsageError(
                f"label {self.label!r} of {self.annotator!r} on item {self.item_id!r} has no "
                f"value; expected a value in [0, 1], or the label {NOT_SURE!r}"
            )
        if self.value is not None and not 0.0 <= self.value <= 1.0:
            raise UsageError(
                f"a label's `value` must be in [0, 1], got {self.value!r} by {self.annotator!r} "
                f"on item {self.item_id!r}; scale it"
            )
        if self.value is not None and not self.label:
            raise UsageError(
                f"a label with a value needs a word for it, got label '' with value "
                f"{self.value!r} by {self.annotator!r} on item {self.item_id!r}; name it"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A label as it was stored.

    Attributes:
        label: what was said.
        revision: 0 for the first that this person gave this prediction, then 1, 2, ...
        at: when, ISO 8601 in UTC.
        previous: the revision before, None for the first.
    """

    label: Label
    revision: int
    at: str
    previous: int | None


def person_scorer(annotator: str) -> str:
    """Return the scorer id under which a person's labels are filed as verdicts."""
    return f"person/{annotator}"


def person_spec(annotator: str) -> str:
    """Return the scorer spec of a person, as JSON."""
    return json.dumps({"scorer": "person", "annotator": annotator}, ensure_ascii=False)
