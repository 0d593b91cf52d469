"""Draws: samples frozen for labelling.  In: units with their chances.  Out: records, and ids.

A draw holds keys, inclusion probabilities, what the judges said when it was made, and digests of
the texts: never the texts.  It is written once and never changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import msgspec

from finassay.records import content_digest, content_id
from finassay.study.adjudication.tasks import UnitKind

ReferenceProtocol = Literal["shown", "hidden"]
"""Whether people see the reference."""

_UNIT_DIGITS = 12


class UnitKey(NamedTuple):
    """What is labelled: an item, a prediction of it, or a pair (left and right) of them."""

    item_id: str
    system_id: str = ""
    trial: int = 0
    other_system_id: str = ""
    other_trial: int = 0

    @property
    def kind(self) -> UnitKind:
        """What kind of unit this is."""
        if self.other_system_id:
            return "pair"
        return "prediction" if self.system_id else "item"

    @property
    def prediction_ids(self) -> tuple[str, ...]:
        """Ids of the predictions: none of an item, two of a pair."""
        parts = ((self.system_id, self.trial), (self.other_system_id, self.other_trial))
        return tuple(
            content_id(self.item_id, system, str(trial)) for system, trial in parts if system
        )


def json_text(value: object) -> str:
    """Return records as JSON text, the same for the same content."""
    return msgspec.json.encode(value).decode()


def unit_id_of(key: UnitKey) -> str:
    """Return the code of a unit on sheets: a letter and 12 digits, which no spreadsheet converts.

    Judges, systems and items cannot be read off it.
    """
    hashed = content_digest("unit", key.item_id, key.system_id, str(key.trial), *_second(key))
    # Digits only, after a letter: "1E5" or "MAR1" would come back as another value.
    return f"u{int(hashed[:16], 16) % 10**_UNIT_DIGITS:0{_UNIT_DIGITS}d}"


def _second(key: UnitKey) -> tuple[str, ...]:
    return (key.other_system_id, str(key.other_trial)) if key.other_system_id else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenVerdict:
    """What one judge or rule said of a unit when the draw was made.

    Attributes:
        scorer_id: who.
        scorer_version: its version then.
        status: of the verdict; "absent" where there was none.
        value: in [0, 1] where scored; for a pair 1 says left, 0 right and 0.5 a tie.
        label: the scorer's word.
    """

    scorer_id: str
    scorer_version: str = ""
    status: str = "absent"
    value: float | None = None
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawUnit:
    """One unit that was drawn.

    Attributes:
        unit_id: its code on sheets.
        key: what it is.
        stratum: where it was drawn from.
        probability: chance that it was drawn, in (0, 1].
        digests: of the texts that are labelled (none for an item, two for a pair).
        item_digest: of the item.
        verdicts: of the named judges and rules, frozen.
    """

    unit_id: str
    key: UnitKey
    stratum: str
    probability: float
    digests: tuple[str, ...]
    item_digest: str
    verdicts: tuple[FrozenVerdict, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawStratum:
    """One stratum of the population.

    Attributes:
        name: what its units have in common.
        size: units in the population.
        take: units drawn.
        by_system: (system id, units in the population): what the stratum holds of each system;
            for pairs the left system, for items ("", size).
        is_disputed: whether the named scorers disagree on its units.
    """

    name: str
    size: int
    take: int
    by_system: tuple[tuple[str, int], ...] = ()
    is_disputed: bool = False


class RestUnit(NamedTuple):
    """A unit of the population that was not drawn, with what the named scorers said of it.

    Attributes:
        key: what it is.
        stratum: its stratum.
        values: one entry a scorer of the draw, None where it gave no value.
    """

    key: UnitKey
    stratum: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, kw_only=True)
class Draw:
    """A sample for labelling, with how it was drawn.

    Attributes:
        name: display name, unique in the study.
        task: name of the labelling task.
        design: how labels were shared: disputes, simple, equal, proportional or optimal.
        seed: of the sample and of every order.
        protocol: whether the reference is shown.
        scorers: judges and rules whose disagreement made the strata.
        systems: (system id, display name) of the population.
        strata: every stratum of the population.
        units: those drawn, in the order of the queue.
        rest: those not drawn: estimates need what the judge said of them, too.
        created: when, ISO 8601 in UTC.
        created_by: who.
        versions: (table, version) of the study that it was drawn from.
        package_version: of Finassay.
        note: what else is to be known, for instance what the sample is for.
        strata_by: what the strata are made of, for instance ("disagreement", "task").
    """

    name: str
    task: str
    design: str
    seed: int
    protocol: ReferenceProtocol
    scorers: tuple[str, ...]
    systems: tuple[tuple[str, str], ...]
    strata: tuple[DrawStratum, ...]
    units: tuple[DrawUnit, ...]
    rest: tuple[RestUnit, ...] = ()
    created: str = ""
    created_by: str = ""
    versions: tuple[tuple[str, int], ...] = ()
    package_version: str = ""
    note: str = ""
    strata_by: tuple[str, ...] = ()

    @cached_property
    def draw_id(self) -> str:
        """Return the content id of the draw: task, design, seed, strata and units."""
        told = (self.name, self.task, self.design, self.seed, self.protocol)
        return content_id(json_text([told, self.strata, self.units, self.rest]))

    @cached_property
    def by_unit(self) -> dict[str, DrawUnit]:
        """Drawn units by code."""
        return {unit.unit_id: unit for unit in self.units}

    @property
    def population(self) -> int:
        """Units in the population."""
        return sum(stratum.size for stratum in self.strata)
