"""What judging again changed.  In: verdicts before and after.  Out: flips in both directions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from finassay.records import RIGHT, Verdict

KeyT = TypeVar("KeyT", bound=Hashable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes(Generic[KeyT]):
    """Verdicts before and after, by what became of them; keys in the order of the new verdicts.

    Attributes:
        to_right: wrong before, right now.
        to_wrong: right before, wrong now.
        gained: without a value before, with one now.
        lost: with a value before, without one now.
        regraded: another value on the same side of right and wrong.
        same: the same value, or none both times.
        new: not judged before.
        gone: judged before, not any more.
    """

    to_right: tuple[KeyT, ...] = ()
    to_wrong: tuple[KeyT, ...] = ()
    gained: tuple[KeyT, ...] = ()
    lost: tuple[KeyT, ...] = ()
    regraded: tuple[KeyT, ...] = ()
    same: tuple[KeyT, ...] = ()
    new: tuple[KeyT, ...] = ()
    gone: tuple[KeyT, ...] = ()

    @property
    def n_flips(self) -> int:
        """Verdicts that changed sides, in both directions together."""
        return len(self.to_right) + len(self.to_wrong)

    @property
    def n_common(self) -> int:
        """Answers that were judged both times."""
        kept = (self.to_right, self.to_wrong, self.gained, self.lost, self.regraded, self.same)
        return sum(map(len, kept))


def changes(before: Mapping[KeyT, Verdict], after: Mapping[KeyT, Verdict]) -> Changes[KeyT]:
    """Return what became of each verdict.

    Args:
        before: verdicts by whatever names the answer.
        after: the new ones.
    """
    found: dict[str, list[KeyT]] = {}
    for key, now in after.items():
        was = before.get(key)
        found.setdefault("new" if was is None else _kind(was, now), []).append(key)
    gone = tuple(key for key in before if key not in after)
    return Changes(**{kind: tuple(keys) for kind, keys in found.items()}, gone=gone)


def _kind(was: Verdict, now: Verdict) -> str:
    if was.value is None or now.value is None:
        return _kind_without_value(was, now)
    if (was.value >= RIGHT) != (now.value >= RIGHT):
        return "to_right" if now.value >= RIGHT else "to_wrong"
    return "same" if was.value == now.value else "regraded"


def _kind_without_value(was: Verdict, now: Verdict) -> str:
    if was.value is None and now.value is None:
        return "same"
    return "gained" if was.value is None else "lost"


def to_judge_again(before: Mapping[KeyT, str], after: Mapping[KeyT, str]) -> tuple[KeyT, ...]:
    """Return the keys whose derived item is another one than before, or that are new.

    Args:
        before: what names the answer, and the id of its derived item.
        after: the same now.
    """
    return tuple(key for key, item_id in after.items() if before.get(key) != item_id)
