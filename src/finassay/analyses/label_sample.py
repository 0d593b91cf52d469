"""Labels that people gave to a drawn sample.  In: the frame with labels.  Out: checked arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from finassay.analyses.kernels.designs import Stratum, stratum_sizes
from finassay.analyses.results_few_labels import LabelUnit
from finassay.errors import UsageError

LabelState = Literal["not drawn", "waiting", "not sure", "labelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameUnit:
    """One answer that could have been drawn for labelling.

    Attributes:
        item_id: item.
        system: display name of the system.
        stratum: stratum of the design; "" where there is none.
        judge: the judge's verdict in [0, 1], frozen when the sample was drawn; None where it gave
            none.
        state: whether it was drawn, and what came of it.
        label: what people say, in [0, 1]; present exactly when `state` is "labelled".

    Raises:
        UsageError: a label is missing, or present where it must not be, or outside [0, 1].
    """

    item_id: str
    system: str
    stratum: str = ""
    judge: float | None = None
    state: LabelState = "not drawn"
    label: float | None = None

    def __post_init__(self) -> None:
        if (self.state == "labelled") != (self.label is not None):
            raise UsageError(
                f"{self.system!r} on item {self.item_id!r}: a label must be present exactly when "
                f"the state is 'labelled', got state {self.state!r} with label {self.label!r}"
            )
        for name in ("judge", "label"):
            value = getattr(self, name)
            if value is not None and not 0.0 <= value <= 1.0:
                raise UsageError(
                    f"{self.system!r} on item {self.item_id!r}: `{name}` must be in [0, 1], got "
                    f"{value!r}"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSample:
    """All answers of all systems, with the labels of those that were drawn.

    Attributes:
        judge: scorer id of the judge whose verdicts the units carry.
        units: every answer, drawn or not, each (item, system) once.
        strata: the design: how many units were drawn from each stratum; empty when the labels were
            not drawn by a known design (a convenience sample).
        unit: what a unit of the design is: an answer, or an item with all its answers.
        clusters: item id -> cluster, for items that hang together; empty for none.

    Raises:
        UsageError: an answer comes twice, or the units do not fit the design.
    """

    judge: str
    units: tuple[FrameUnit, ...]
    strata: tuple[Stratum, ...] = ()
    unit: LabelUnit = "prediction"
    clusters: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        keys = {(one.item_id, one.system) for one in self.units}
        if len(keys) != len(self.units) or not keys:
            raise UsageError(
                f"a sample needs answers, each (item, system) once, got {len(self.units)} units "
                f"of {len(keys)} answers"
            )
        if self.strata:
            self._check_design()

    @property
    def is_convenience(self) -> bool:
        """Whether nothing is known of how the labels were drawn."""
        return not self.strata

    @property
    def systems(self) -> tuple[str, ...]:
        """Display names, in order of appearance."""
        return tuple(dict.fromkeys(one.system for one in self.units))

    def _check_design(self) -> None:
        key = "item_id" if self.unit == "item" else None
        stratum_of: dict[object, str] = {}
        drawn_of: dict[object, bool] = {}
        for at, one in enumerate(self.units):
            name = getattr(one, key) if key else at
            is_drawn = one.state != "not drawn"
            if stratum_of.setdefault(name, one.stratum) != one.stratum:
                raise UsageError(
                    f"item {name!r} stands in two strata, though items were drawn"
                    "; give each item one stratum"
                )
            if drawn_of.setdefault(name, is_drawn) != is_drawn:
                raise UsageError(
                    f"item {name!r} was drawn for some systems and not for others; where items "
                    f"are drawn, all their answers are (mark those without a label as waiting)"
                )
        sizes = stratum_sizes(stratum_of.values())
        takes = dict.fromkeys(sizes, 0)
        for name, is_drawn in drawn_of.items():
            takes[stratum_of[name]] += is_drawn
        found = {name: (sizes[name], takes[name]) for name in sizes}
        planned = {one.name: (one.size, one.take) for one in self.strata}
        if found != planned:
            wrong = next(k for k in {**found, **planned} if found.get(k) != planned.get(k))
            raise UsageError(
                f"the units do not fit the design: stratum {wrong!r} was planned with (size, "
                f"drawn) {planned.get(wrong)}, the units give {found.get(wrong)}"
            )
