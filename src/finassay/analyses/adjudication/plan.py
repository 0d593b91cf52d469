"""What to draw for labelling.  In: a population and settings.  Out: a plan, and the draw.

All disputes with a control sample of every other stratum is the default: a sample of the disputed
alone says nothing of the answers on which everybody agrees and is wrong.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from scipy import special

from finassay._version import __version__
from finassay.analyses.adjudication.results import DrawPlan, StratumPlan, SystemPlan
from finassay.analyses.kernels.designs import (
    WHOLE,
    Allocation,
    Drawn,
    Stratum,
    allocate,
    draw,
    planned_variance,
    spread_of_share,
    stratum_sizes,
)
from finassay.errors import UsageError
from finassay.marking.drawing.population import Population
from finassay.marking.drawing.units import CERTAIN, TAGS, PopulationUnit
from finassay.records import content_digest
from finassay.study.adjudication.draws import (
    Draw,
    DrawStratum,
    DrawUnit,
    ReferenceProtocol,
    RestUnit,
)
from finassay.study.adjudication.tasks import LabellingTask

Design = Literal["disputes", "simple", "equal", "proportional", "optimal"]
DESIGNS: tuple[Design, ...] = get_args(Design)

CONTROL = 20
"""Labels of each stratum without disputes, unless the number of labels is given."""

AGREED_ERRORS = 0.1
"""Share of agreed verdicts that are assumed wrong, for planning only."""

METHOD = (
    "simple random sampling without replacement inside each stratum; all disputes are certain "
    "under the design `disputes`; optimal is Neyman (1934); expected half widths are those of the "
    "stratified mean (Cochran 1977, 5.6), from labels alone, if a label is right with chance one "
    "half where scorers differ or are silent, and one agreed verdict in ten is wrong; estimates "
    "that use the judge's verdicts are as narrow or narrower"
)

RULES: Mapping[Design, Allocation] = {
    "simple": "proportional",
    "disputes": "proportional",
    "equal": "equal",
    "proportional": "proportional",
    "optimal": "neyman",
}
"""How the labels of each design are shared among its strata."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSettings:
    """How a sample is drawn.

    Attributes:
        task: what people are asked.
        design: how labels are shared among strata.
        by: tags that strata are made of, of `TAGS`.
        labels: units to be labelled; None for all disputes and `control` of each other stratum.
        control: see `labels`.
        seed: another seed is another sample.
        protocol: whether people see the reference.
        level: confidence level of the expected intervals.
        pilot: stratum -> (labels with the value 1, labels) of an earlier draw, for optimal.

    Raises:
        UsageError: an unknown design or tag, or a number out of range.
    """

    task: LabellingTask
    design: Design = "disputes"
    by: tuple[str, ...] = ("disagreement",)
    labels: int | None = None
    control: int = CONTROL
    seed: int = 0
    protocol: ReferenceProtocol = "shown"
    level: float = 0.95
    pilot: Mapping[str, tuple[float, int]] | None = None

    def __post_init__(self) -> None:
        if self.design not in DESIGNS:
            raise UsageError(f"`design` must be one of {', '.join(DESIGNS)}, got {self.design!r}")
        unknown = [tag for tag in self.by if tag not in TAGS]
        if unknown:
            raise UsageError(f"strata can be made of {', '.join(TAGS)}, got {unknown[0]!r}")
        if self.design == "disputes" and "disagreement" not in self.by:
            raise UsageError(
                f"the design 'disputes' needs strata by disagreement, got {self.by!r}; add it, or "
                f"choose another design"
            )
        if self.design != "disputes" and self.labels is None:
            raise UsageError(
                f"the design {self.design!r} needs a number of labels, got none; give it, or use "
                f"the design 'disputes'"
            )
        if self.control < 1 or (self.labels is not None and self.labels < 1):
            raise UsageError(
                f"at least one label must be drawn, got labels {self.labels!r} and control "
                f"{self.control!r}"
            )
        if not 0.0 < self.level < 1.0:
            raise UsageError(f"`level` must be in (0, 1), got {self.level!r}; for 95% pass 0.95")


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawNote:
    """What is noted of a draw beside its content.

    Attributes:
        name: of the draw.
        created: when, ISO 8601.
        created_by: who drew it.
        note: what it is for.
    """

    name: str = ""
    created: str = ""
    created_by: str = ""
    note: str = ""


def parse_design(text: str) -> Design:
    """Return the design of that name.

    Raises:
        UsageError: there is none.
    """
    for design in DESIGNS:
        if text == design:
            return design
    raise UsageError(f"`design` must be one of {', '.join(DESIGNS)}, got {text!r}")


def plan_draw(
    population: Population, settings: PlanSettings, noted: DrawNote | None = None
) -> tuple[DrawPlan, Draw]:
    """Return a plan and the sample that it draws; the same seed draws the same units.

    Args:
        population: what can be drawn.
        settings: how.
        noted: what is noted of the draw.

    Raises:
        UsageError: more labels than units, fewer than the design needs, or no scorer to tell
            disputes.
    """
    fewest = 1 if settings.task.unit == "item" else 2
    twice = {name for name in population.scorers if population.scorers.count(name) > 1}
    if twice:
        raise UsageError(
            f"{min(twice)!r} is named twice, and nothing disputes itself; name it once"
        )
    if settings.design == "disputes" and len(population.scorers) < fewest:
        raise UsageError(
            f"disputes need at least {fewest} scorers, got "
            f"{', '.join(population.scorers) or 'none'}; name more judges or rules (--between), or "
            f"choose another design"
        )
    labels = [_stratum(unit, settings) for unit in population.units]
    sizes = stratum_sizes(labels)
    classes = _classes(population, settings, labels)
    disputed = {name for name, said in classes.items() if said in CERTAIN}
    spreads = {name: _spread(name, classes, settings) for name in sizes}
    strata = _allocated(sizes, disputed, spreads, settings)
    drawn = draw([unit.unit_id for unit in population.units], labels, strata, seed=settings.seed)
    made = _draw(population, settings, labels, (strata, disputed, drawn), noted or DrawNote())
    return _plan(population, settings, made, spreads), made


def _stratum(unit: PopulationUnit, settings: PlanSettings) -> str:
    if settings.design == "simple":
        return WHOLE
    return ", ".join(unit.tags.get(tag) or f"no {tag}" for tag in settings.by)


def _classes(
    population: Population, settings: PlanSettings, labels: Sequence[str]
) -> dict[str, str]:
    """Return the class of disagreement by stratum, where strata are made of it."""
    if settings.design == "simple" or "disagreement" not in settings.by:
        return {}
    tags = (unit.tags["disagreement"] for unit in population.units)
    return dict(zip(labels, tags, strict=True))


def _spread(name: str, classes: Mapping[str, str], settings: PlanSettings) -> float:
    if settings.pilot and name in settings.pilot:
        right, n = settings.pilot[name]
        return spread_of_share(right, n)
    if not classes.get(name, "").startswith("agree"):
        return 0.5
    return math.sqrt(AGREED_ERRORS * (1.0 - AGREED_ERRORS))


def _allocated(
    sizes: Mapping[str, int],
    disputed: set[str],
    spreads: Mapping[str, float],
    settings: PlanSettings,
) -> tuple[Stratum, ...]:
    if settings.design == "simple":
        total = settings.labels or 0
        if total > sizes[WHOLE]:
            raise UsageError(
                f"there are {sizes[WHOLE]} units, got {total!r} labels to spend; ask for fewer"
            )
        return (Stratum(name=WHOLE, size=sizes[WHOLE], take=total),)
    if settings.labels is None:
        return tuple(
            Stratum(
                name=name, size=size, take=size if name in disputed else min(settings.control, size)
            )
            for name, size in sizes.items()
        )
    return allocate(
        sizes,
        total=settings.labels,
        rule=RULES[settings.design],
        spreads=spreads,
        certain=disputed if settings.design == "disputes" else (),
    )


def _draw(
    population: Population,
    settings: PlanSettings,
    labels: Sequence[str],
    sample: tuple[tuple[Stratum, ...], set[str], Drawn],
    noted: DrawNote,
) -> Draw:
    strata, disputed, drawn = sample
    chances = dict(zip(drawn.places, drawn.probabilities, strict=True))
    units, rest = [], []
    for place, (unit, label) in enumerate(zip(population.units, labels, strict=True)):
        if place in chances:
            units.append(_drawn_unit(unit, label, chances[place]))
        else:
            values = tuple(verdict.value for verdict in unit.verdicts)
            rest.append(RestUnit(unit.key, label, values))
    counts = Counter(
        (label, unit.key.system_id) for unit, label in zip(population.units, labels, strict=True)
    )
    units.sort(key=lambda unit: content_digest("queue", str(settings.seed), unit.unit_id))
    return Draw(
        name=noted.name,
        task=settings.task.name,
        design=settings.design,
        seed=settings.seed,
        protocol=settings.protocol,
        scorers=population.scorers,
        systems=population.systems,
        strata=tuple(
            DrawStratum(
                name=one.name,
                size=one.size,
                take=one.take,
                by_system=tuple(
                    sorted(
                        (system, n) for (label, system), n in counts.items() if label == one.name
                    )
                ),
                is_disputed=one.name in disputed,
            )
            for one in strata
        ),
        units=tuple(units),
        rest=tuple(rest),
        created=noted.created,
        created_by=noted.created_by,
        versions=population.versions,
        package_version=__version__,
        note=noted.note,
        strata_by=() if settings.design == "simple" else settings.by,
    )


def _drawn_unit(unit: PopulationUnit, stratum: str, probability: float) -> DrawUnit:
    return DrawUnit(
        unit_id=unit.unit_id,
        key=unit.key,
        stratum=stratum,
        probability=probability,
        digests=unit.digests,
        item_digest=unit.item_digest,
        verdicts=unit.verdicts,
    )


def _plan(
    population: Population, settings: PlanSettings, made: Draw, spreads: Mapping[str, float]
) -> DrawPlan:
    strata = [Stratum(name=one.name, size=one.size, take=one.take) for one in made.strata]
    variance = planned_variance(strata, spreads)
    z = float(special.ndtri(0.5 + settings.level / 2.0))
    disputed = [unit for unit in population.units if unit.tags["disagreement"] in CERTAIN]
    return DrawPlan(
        task=settings.task.name,
        unit=settings.task.unit,
        design=settings.design,
        by=made.strata_by,
        scorers=population.scorers,
        seed=settings.seed,
        protocol=settings.protocol,
        population=made.population,
        labels=len(made.units),
        disputed=len(disputed),
        strata=tuple(
            StratumPlan(
                name=one.name,
                size=one.size,
                take=one.take,
                probability=one.take / one.size,
                is_disputed=one.is_disputed,
                spread=spreads[one.name],
            )
            for one in made.strata
        ),
        systems=_system_plans(made, spreads, z),
        half_width=z * math.sqrt(variance),
        level=settings.level,
        budget=None,
        draw=None,
        draw_id=made.draw_id,
        is_new=False,
        method=METHOD,
        warnings=_warnings(made, settings),
    )


def _system_plans(made: Draw, spreads: Mapping[str, float], z: float) -> tuple[SystemPlan, ...]:
    if any(unit.key.kind != "prediction" for unit in made.units):
        return ()
    taken = Counter((unit.stratum, unit.key.system_id) for unit in made.units)
    plans = []
    for system_id, name in made.systems:
        own = [
            Stratum(name=one.name, size=size, take=taken[one.name, system_id])
            for one in made.strata
            for system, size in one.by_system
            if system == system_id and taken[one.name, system_id]
        ]
        sizes = [n for one in made.strata for system, n in one.by_system if system == system_id]
        is_covered = len(own) == len(sizes) and bool(own)
        width = z * math.sqrt(planned_variance(own, spreads)) if is_covered else None
        plans.append(
            SystemPlan(
                system=name,
                size=sum(sizes),
                take=sum(one.take for one in own),
                half_width=width,
            )
        )
    return tuple(plans)


def _warnings(made: Draw, settings: PlanSettings) -> tuple[str, ...]:
    out = []
    thin = [one.name for one in made.strata if one.take < 2 <= one.size]
    if thin:
        out.append(
            f"one label each in {', '.join(thin)}: nothing will be known of their spread, and no "
            f"interval can be given; draw two or more, or merge strata"
        )
    if settings.design == "disputes" and all(one.is_disputed for one in made.strata):
        out.append("every unit is disputed, so there is no control sample")
    if len(made.strata) > len(made.units) / 2:
        out.append(
            f"{len(made.strata)} strata for {len(made.units)} labels are many; fewer tags in `by` "
            f"give narrower intervals"
        )
    return tuple(out)
