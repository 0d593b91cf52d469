"""What judges replied.  In: the study of what judges were asked.  Out: replies by prompt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from finassay.records import Prediction
from finassay.study import Snapshot
from finassay.study.nested import is_redacted
from finassay.study.rows import predictions_from


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One reply of a judge.

    Attributes:
        prediction: the reply, as the study of what judges were asked holds it.
        is_redacted: whether its text was masked since.
    """

    prediction: Prediction
    is_redacted: bool = False


def replies_of(
    snapshot: Snapshot | None, system_id: str, *, trials: int
) -> Mapping[str, Sequence[Reply]]:
    """Return the replies of a judge by prompt, each prompt's in the order of its votes.

    Args:
        snapshot: the study of what judges were asked; None where there is none yet.
        system_id: the judge's.
        trials: only this many votes of each prompt, the first ones.
    """
    found: dict[str, list[Reply]] = defaultdict(list)
    if snapshot is None:
        return found
    frame = snapshot.frame("predictions", system_id=system_id)
    for one, flags in zip(predictions_from(frame), frame["flags"].to_list(), strict=True):
        if one.trial < trials:
            found[one.item_id].append(Reply(prediction=one, is_redacted=is_redacted(flags)))
    return found
