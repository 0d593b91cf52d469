"""A grid of rules, declared.  In: dimensions with choices.  Out: one scorer for each combination.

A dimension sets one parameter of a scorer, or one of three things around it: which scorer it is,
whether a judge has a say, and what is done with replies that get no value.  A dimension may apply
only under certain choices of earlier ones; where it does not apply, it is not asked, and no two
cells differ in it.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, cast, get_args

from finassay.errors import SpecError, UsageError
from finassay.marking.multiverse.dimensions import (
    JUDGE,
    SCORER,
    UNSCORED,
    Dimension,
    Forbidden,
    Task,
    Value,
    Where,
    check_choices,
    check_unscored,
    check_where,
    met,
)
from finassay.records import Unscored
from finassay.scorers.base import Scorer
from finassay.scorers.composites import AllOf, AnyOf, FirstScored, Imported
from finassay.scorers.registry import load_scorer


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One rule of a grid.

    Attributes:
        choices: (dimension, choice) of the dimensions that apply, in the order of the grid.
        scorer: the rule itself; with a judge, a composite whose last part is the judge.
        unscored: what is done with replies that it gives no value.
        weight: plausibility among all cells.
    """

    choices: tuple[tuple[str, str], ...]
    scorer: Scorer
    unscored: Unscored
    weight: float


@dataclass(frozen=True, kw_only=True)
class Grid:
    """All combinations of declared choices.

    Attributes:
        name: name of the grid.
        task: "qa" for answers in words and numbers, "labels" for labels among choices.
        scorer: id of the scorer whose parameters are set, unless a dimension "scorer" says it.
        dimensions: in the order in which they are asked.
        forbidden: combinations that are no rule.
        unscored: what is done with replies without a value, unless a dimension says it.

    Raises:
        SpecError: the declaration contradicts itself, or a parameter does not exist.
    """

    name: str
    task: Task
    scorer: str
    dimensions: tuple[Dimension, ...]
    forbidden: tuple[Forbidden, ...] = ()
    unscored: Unscored = "wrong"
    _scorers: dict[str, Scorer] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.task not in get_args(Task):
            raise SpecError(f"`task` of a grid must be one of {get_args(Task)}, got {self.task!r}")
        if not self.dimensions:
            raise SpecError("a grid must have at least one dimension, got none")
        check_unscored("`unscored` of the grid", self.unscored)
        earlier: dict[str, tuple[str, ...]] = {}
        for at, dimension in enumerate(self.dimensions):
            where = f"dimension {at + 1} ({dimension.name!r})"
            if dimension.name in earlier:
                raise SpecError(
                    f"{where}: there is another one of that name; names are unique: rename one"
                )
            check_choices(where, dimension)
            check_where(f"{where}: `applies`", dimension.applies, earlier)
            earlier[dimension.name] = tuple(one.name for one in dimension.choices)
        for at, one in enumerate(self.forbidden):
            if not one.where:
                raise SpecError(f"forbidden {at + 1}: `where` must name at least one choice")
            check_where(f"forbidden {at + 1}: `where`", one.where, earlier)
        for dimension in self.dimensions:
            if not dimension.is_special:
                self._check_parameter(dimension)

    def _check_parameter(self, dimension: Dimension) -> None:
        """Check that the scorers which a dimension applies to take its values."""
        where = f"dimension {self.dimensions.index(dimension) + 1} ({dimension.name!r})"
        name = dimension.target
        for scorer in self._scorers_of(dimension):
            known = _parameters(scorer)
            if name not in known:
                near = difflib.get_close_matches(name, known, n=2)
                hint = f"; did you mean {' or '.join(near)}?" if near else ""
                raise SpecError(
                    f"{where}: the scorer {scorer.name!r} has no parameter {name!r}{hint}; it "
                    f"takes {', '.join(known) or 'none'}.  Where only some scorers take it, say so "
                    f"with `applies`"
                )
            for choice in dimension.choices:
                try:
                    replace(cast("Any", scorer), **{name: choice.value})
                except UsageError as error:
                    raise SpecError(f"{where}: choice {choice.name!r}: {error}") from error

    def _scorers_of(self, dimension: Dimension) -> Iterator[Scorer]:
        asked = next((one for one in self.dimensions if one.name == SCORER), None)
        if asked is None:
            yield self._loaded(self.scorer)
            return
        chosen = self._under(dimension, {choice.name for choice in asked.choices})
        for choice in asked.choices:
            if choice.name in chosen:
                yield self._loaded(str(choice.value))

    def _under(self, dimension: Dimension, chosen: set[str]) -> set[str]:
        """Return the choices of "scorer" under which a dimension, or what it hangs on, is asked."""
        for name, allowed in dimension.applies:
            if name == SCORER:
                chosen = chosen & set(allowed)
            else:
                other = next(one for one in self.dimensions if one.name == name)
                chosen = self._under(other, chosen)
        return chosen

    def _loaded(self, scorer_id: str) -> Scorer:
        if scorer_id not in self._scorers:
            self._scorers[scorer_id] = load_scorer(scorer_id)
        return self._scorers[scorer_id]

    def _built(self, scorer_id: str, parameters: Mapping[str, Value]) -> Scorer:
        key = f"{scorer_id} {sorted(parameters.items())!r}"
        if key not in self._scorers:
            # What may be replaced was checked when the grid was made.
            scorer = cast("Any", self._loaded(scorer_id))
            self._scorers[key] = replace(scorer, **parameters) if parameters else scorer
        return self._scorers[key]

    @property
    def has_judge(self) -> bool:
        """Whether a dimension asks for a judge's say."""
        return any(dimension.name == JUDGE for dimension in self.dimensions)

    @property
    def is_weighted(self) -> bool:
        """Whether the choices of some dimension differ in plausibility."""
        return any(len({c.weight for c in one.choices}) > 1 for one in self.dimensions)

    @cached_property
    def n_combinations(self) -> int:
        """Combinations of the choices that apply, forbidden ones included."""
        return sum(1 for _ in self._combinations(0, {}))

    def without(self, name: str) -> Grid:
        """Return the grid in which a dimension always makes its base choice, and is not asked.

        Raises:
            SpecError: nothing would be left, or the scorer is asked for.
        """
        if name == SCORER:
            raise SpecError("the dimension 'scorer' cannot be left out; list a single choice")
        dropped = next(one for one in self.dimensions if one.name == name)
        base, kept = {name: dropped.base}, []
        never: set[str] = set()
        for one in self.dimensions:
            if one.name == name:
                continue
            # What hangs on a dimension that is never asked is never asked either.
            if not met(one.applies, base, only=name) or never & {n for n, _ in one.applies}:
                never.add(one.name)
                continue
            kept.append(replace(one, applies=_beside(one.applies, name)))
        forbidden = [
            replace(one, where=_beside(one.where, name))
            for one in self.forbidden
            if met(one.where, base, only=name) and not never & {n for n, _ in one.where}
        ]
        return Grid(
            name=self.name,
            task=self.task,
            scorer=self.scorer,
            dimensions=tuple(kept),
            forbidden=tuple(one for one in forbidden if one.where),
            unscored=self.unscored,
        )

    def with_base(self, choices: Mapping[str, str]) -> Grid:
        """Return the grid whose base rule makes these choices.

        Raises:
            SpecError: there is no such dimension, or it has no such choice.
        """
        known = {one.name: one for one in self.dimensions}
        for name, choice in choices.items():
            if name not in known:
                raise SpecError(
                    f"the grid {self.name!r} has no dimension {name!r}; it has {', '.join(known)}"
                )
            listed = [one.name for one in known[name].choices]
            if choice not in listed:
                raise SpecError(
                    f"the dimension {name!r} has the choices {', '.join(listed)}, got {choice!r}"
                )
        return replace(
            self,
            dimensions=tuple(
                replace(one, base=choices.get(one.name, one.base)) for one in self.dimensions
            ),
        )

    def with_unscored(self, unscored: Unscored) -> Grid:
        """Return the grid in which every rule treats replies without a value the same way.

        Raises:
            SpecError: the policy is none of "wrong" and "exclude".
        """
        check_unscored("`unscored` of the grid", unscored)
        left = self
        for one in self.dimensions:
            left = left.without(one.name) if one.target == UNSCORED else left
        return replace(left, unscored=unscored)

    def cells(self, *, judge: str | None = None, weighted: bool = True) -> tuple[Cell, ...]:
        """Return the rules of the grid, in the order of its dimensions.

        Args:
            judge: scorer id of the judge; needed where a dimension asks for one.
            weighted: False takes all choices of a dimension for equally plausible.

        Raises:
            UsageError: a dimension asks for a judge and there is none, or no combination is left.
        """
        if self.has_judge and judge is None:
            raise UsageError(
                f"the grid {self.name!r} asks whether a judge has a say, and there is no judge; "
                f"name one, or take the dimension 'judge' out (`grid.without('judge')`)"
            )
        found = [
            (chosen, self._weight(chosen, equal=not weighted))
            for chosen in self._combinations(0, {})
            if not any(met(one.where, chosen) for one in self.forbidden)
        ]
        if not found:
            raise UsageError(
                f"the grid {self.name!r} forbids every combination; take out one of its tables "
                "[[forbidden]]"
            )
        total = math.fsum(weight for _, weight in found)
        return tuple(self._cell(chosen, weight / total, judge) for chosen, weight in found)

    def base_choices(self) -> dict[str, str]:
        """Return the choices of the base rule, of the dimensions that apply to it."""
        chosen: dict[str, str] = {}
        for dimension in self.dimensions:
            if met(dimension.applies, chosen):
                chosen[dimension.name] = dimension.base
        return chosen

    def n_changes(self, choices: Mapping[str, str]) -> int:
        """Return how many choices of a rule differ from the base choices of their dimensions."""
        base = {dimension.name: dimension.base for dimension in self.dimensions}
        return sum(base[name] != choice for name, choice in choices.items())

    def _combinations(self, at: int, chosen: dict[str, str]) -> Iterator[dict[str, str]]:
        if at == len(self.dimensions):
            yield dict(chosen)
            return
        dimension = self.dimensions[at]
        if not met(dimension.applies, chosen):
            yield from self._combinations(at + 1, chosen)
            return
        for choice in dimension.choices:
            yield from self._combinations(at + 1, {**chosen, dimension.name: choice.name})

    def _asking(self, target: str) -> Iterator[Dimension]:
        return (one for one in self.dimensions if one.target == target)

    def _weight(self, chosen: Mapping[str, str], *, equal: bool) -> float:
        return math.prod(
            one.weight_of(chosen[one.name], equal=equal)
            for one in self.dimensions
            if one.name in chosen
        )

    def _cell(self, chosen: Mapping[str, str], weight: float, judge: str | None) -> Cell:
        values = {
            one.name: one.choice(chosen[one.name]).value
            for one in self.dimensions
            if one.name in chosen
        }
        parameters = {
            one.target: values[one.name]
            for one in self.dimensions
            if one.name in values and not one.is_special
        }
        policies = [values[one.name] for one in self._asking(UNSCORED) if one.name in values]
        unscored = policies[-1] if policies else self.unscored
        scorer = self._built(str(values.get(SCORER, self.scorer)), parameters)
        return Cell(
            choices=tuple(chosen.items()),
            scorer=_with_judge(scorer, str(values.get(JUDGE, "out")), judge),
            unscored=cast("Unscored", unscored),
            weight=weight,
        )


def _beside(where: Where, name: str) -> Where:
    """Return the conditions on all dimensions but one."""
    return tuple(pair for pair in where if pair[0] != name)


def _parameters(scorer: object) -> list[str]:
    return [f.name for f in fields(scorer)] if is_dataclass(scorer) else []


def _with_judge(scorer: Scorer, how: str, judge: str | None) -> Scorer:
    if how == "out" or judge is None:
        return scorer
    said = Imported(name=judge)
    if how == "first_scored":
        return FirstScored(parts=(said, scorer))
    return (AnyOf if how == "any_of" else AllOf)(parts=(scorer, said))
