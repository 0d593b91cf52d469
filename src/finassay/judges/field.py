"""What a study holds to judge.  In: a snapshot.  Out: systems, items and answers, none masked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from finassay.judges.candidates import Candidate, candidates_of
from finassay.records import Item, Prediction, SystemSpec
from finassay.study import Snapshot
from finassay.study.nested import is_redacted
from finassay.study.rows import items_from, predictions_from


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What there is to judge.

    Attributes:
        items: every item of which no text was masked, by id, in the order of benchmarks and ids.
        systems: the systems judged, by display name.
        everyone: every system of the study.
        candidates: what is judged of each system, by its id; in the order of items and trials.
        predictions: every answer of every system to one of the items.
        redacted: answers of each system judged that are left alone, because they or their items
            were masked.
    """

    items: Mapping[str, Item]
    systems: tuple[SystemSpec, ...]
    everyone: tuple[SystemSpec, ...]
    candidates: Mapping[str, tuple[Candidate, ...]]
    predictions: tuple[Prediction, ...]
    redacted: Mapping[str, int]

    @property
    def names(self) -> Mapping[str, str]:
        """Display name of every system by its id."""
        return {spec.system_id: spec.name for spec in self.everyone}


def field_of(snapshot: Snapshot, names: Sequence[str] | None = None) -> Field:
    """Return what a study holds to judge.

    Args:
        snapshot: the study, pinned.
        names: display names or ids of the systems; None for all.

    Raises:
        UnknownNameError: there is no such system.
    """
    everyone = tuple(snapshot.systems())
    wanted = None if names is None else {snapshot.resolve_system(name) for name in names}
    systems = tuple(one for one in everyone if wanted is None or one.system_id in wanted)
    items, dark = _items(snapshot)
    seen, masked = _predictions(snapshot, items, dark)
    own: dict[str, list[Candidate]] = {spec.system_id: [] for spec in systems}
    for candidate in candidates_of(items.values(), seen):
        if candidate.prediction.system_id in own:
            own[candidate.prediction.system_id].append(candidate)
    return Field(
        items=items,
        systems=systems,
        everyone=everyone,
        candidates={system_id: tuple(listed) for system_id, listed in own.items()},
        predictions=tuple(seen),
        redacted={spec.system_id: masked[spec.system_id] for spec in systems},
    )


def _items(snapshot: Snapshot) -> tuple[dict[str, Item], set[str]]:
    """Return the items, and the ids of those of which a text was masked."""
    frame = snapshot.frame("items")
    masks = [is_redacted(flags) for flags in frame["flags"].to_list()]
    listed = list(zip(items_from(frame), masks, strict=True))
    shown = {item.item_id: item for item, is_masked in listed if not is_masked}
    return shown, {item.item_id for item, is_masked in listed if is_masked}


def _predictions(
    snapshot: Snapshot, items: Mapping[str, Item], dark: set[str]
) -> tuple[list[Prediction], Counter[str]]:
    """Return the answers to these items in their order, and how many of each system are masked."""
    frame = snapshot.frame("predictions")
    seen: list[Prediction] = []
    masked: Counter[str] = Counter()
    for one, flags in zip(predictions_from(frame), frame["flags"].to_list(), strict=True):
        if is_redacted(flags) or one.item_id in dark:
            masked[one.system_id] += 1
        elif one.item_id in items:
            seen.append(one)
    places = {item_id: place for place, item_id in enumerate(items)}
    seen.sort(key=lambda one: (places[one.item_id], one.trial))
    return seen, masked
