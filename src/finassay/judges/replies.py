"""What judges replied.  In: the study of what judges were asked.  Out: votes by prompt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from finassay.records import Finish
from finassay.study import Snapshot
from finassay.study.nested import is_redacted


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One reply of a judge.

    Attributes:
        trial: in which vote.
        text: what it said, reasoning aside.
        finish: what became of it.
        prediction_id: its id in the study of what judges were asked.
        is_redacted: whether its text was masked since.
    """

    trial: int
    text: str
    finish: Finish
    prediction_id: str
    is_redacted: bool = False


_COLUMNS = ("item_id", "trial", "text", "finish", "prediction_id", "flags")


def replies_of(
    snapshot: Snapshot | None, system_id: str, *, trials: int
) -> Mapping[str, Sequence[Reply]]:
    """Return the replies of a judge by prompt, each prompt's in the order of its votes.

    Args:
        snapshot: the study of what judges were asked; None where there is none yet.
        system_id: the judge's.
        trials: only this many votes of each prompt, the first ones.
    """
    if snapshot is None:
        return {}
    rows = snapshot.frame("predictions", system_id=system_id).select(_COLUMNS)
    found: dict[str, list[Reply]] = defaultdict(list)
    for item_id, trial, text, finish, prediction_id, flags in rows.iter_rows():
        if trial < trials:
            found[item_id].append(
                Reply(
                    trial=trial,
                    text=text,
                    finish=finish,
                    prediction_id=prediction_id,
                    is_redacted=is_redacted(flags),
                )
            )
    return dict(found)
