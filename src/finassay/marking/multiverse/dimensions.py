"""What a rule must decide, and the choices there are.  In: nothing.  Out: frozen declarations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from finassay.errors import SpecError

Task = Literal["qa", "labels"]
Value = str | int | float | bool | tuple[str, ...]
Where = tuple[tuple[str, tuple[str, ...]], ...]
"""(dimension, choices): all of them must be met."""

SCORER, JUDGE, UNSCORED = "scorer", "judge", "unscored"

JUDGE_CHOICES = ("out", "any_of", "all_of", "first_scored")
"""No judge; right if rule or judge says so; if both do; the judge where it has a value."""

UNSCORED_CHOICES = ("wrong", "exclude")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One choice of a dimension.

    Attributes:
        name: name, unique in the dimension.
        value: what the parameter is set to.
        weight: plausibility relative to the other choices, above 0.
    """

    name: str
    value: Value
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """One thing that a rule must decide.

    Attributes:
        name: name, unique in the grid; "scorer", "judge" and "unscored" set these, every other
            name is a parameter of the scorer.
        choices: at least one.
        base: name of the choice that the base rule makes.
        title: what is decided, in words.
        parameter: what it sets, where it is not the name; "scorer" and "judge" keep their names.
        applies: choices of earlier dimensions under which this one is asked; () for always.
    """

    name: str
    choices: tuple[Choice, ...]
    base: str
    title: str = ""
    parameter: str = ""
    applies: Where = ()

    def weight_of(self, choice: str, *, equal: bool) -> float:
        """Return the plausibility of a choice, all of the dimension summing to 1."""
        if equal:
            return 1.0 / len(self.choices)
        total = math.fsum(one.weight for one in self.choices)
        return self.choice(choice).weight / total

    def choice(self, name: str) -> Choice:
        """Return the choice of that name."""
        return next(one for one in self.choices if one.name == name)

    @property
    def target(self) -> str:
        """What it sets: a parameter of the scorer, or "scorer", "judge" or "unscored"."""
        return self.parameter or self.name

    @property
    def is_special(self) -> bool:
        """Whether it sets something other than a parameter of the scorer."""
        return self.target in {SCORER, JUDGE, UNSCORED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """Combinations that are no rule.

    Attributes:
        where: the choices that must not come together.
        why: the reason.
    """

    where: Where
    why: str = ""


def met(where: Where, chosen: Mapping[str, str], *, only: str | None = None) -> bool:
    """Return whether all conditions are met by the choices, or those on one dimension only."""
    return all(
        chosen.get(name) in allowed for name, allowed in where if only is None or name == only
    )


def check_choices(where: str, dimension: Dimension) -> None:
    """Check the choices of a dimension.

    Raises:
        SpecError: there is none, one stands twice, the base is none of them, or a weight is not
            above 0.
    """
    names = [choice.name for choice in dimension.choices]
    if not names:
        raise SpecError(f"{where}: `choices` must list at least one choice, got none")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SpecError(f"{where}: `choices` must be unique, got {twice[0]!r} twice")
    if dimension.base not in names:
        raise SpecError(f"{where}: `base` must be one of {names}, got {dimension.base!r}")
    if dimension.target in {SCORER, JUDGE} and dimension.name != dimension.target:
        raise SpecError(
            f"{where}: a dimension that sets {dimension.target!r} has that name"
            f", got {dimension.name!r}; rename the dimension"
        )
    for choice in dimension.choices:
        if not (math.isfinite(choice.weight) and choice.weight > 0):
            raise SpecError(
                f"{where}: the weight of {choice.name!r} must be above 0, got {choice.weight!r}; "
                f"take the choice out of the grid if it is not plausible at all"
            )
        if dimension.target == UNSCORED:
            check_unscored(where, choice.value)
        if dimension.name == JUDGE and choice.value not in JUDGE_CHOICES:
            raise SpecError(f"{where}: choices must be among {JUDGE_CHOICES}, got {choice.value!r}")


def check_unscored(where: str, value: object) -> None:
    """Check a policy for replies without a value.

    Raises:
        SpecError: it is none that a single accuracy can have.
    """
    if value not in UNSCORED_CHOICES:
        raise SpecError(f"{where}: must be one of {UNSCORED_CHOICES}, got {value!r}")


def check_where(where: str, pairs: Where, earlier: Mapping[str, tuple[str, ...]]) -> None:
    """Check conditions on earlier dimensions, given their choices.

    Raises:
        SpecError: a dimension does not stand before, or has no such choice.
    """
    for name, allowed in pairs:
        if name not in earlier:
            raise SpecError(
                f"{where} must name dimensions that stand before, of "
                f"{', '.join(earlier) or 'none'}; got {name!r}"
            )
        unknown = [choice for choice in allowed if choice not in earlier[name]]
        if unknown or not allowed:
            raise SpecError(
                f"{where}: {name!r} has the choices {list(earlier[name])}, got "
                f"{unknown[0] if unknown else 'none'!r}"
                "; name choices that it has"
            )
