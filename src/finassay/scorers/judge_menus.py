"""Menus of verdicts that a judge may be asked to choose from.  In: nothing.  Out: menus.

A menu is declared before replies are read: which labels there are, what each is worth, and how it
may be spelled.  What stands on no menu is no verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from finassay.errors import SpecError, UnknownNameError

_VERDICT_KEYS = frozenset(
    str.split(
        "verdict finalverdict grade finalgrade judgment judgement finaljudgment finaljudgement "
        "decision finaldecision ruling label correctness outcome"
    )
)
_TRUTH_KEYS = frozenset(
    str.split("correct iscorrect match matches ismatch pass passed ispass equivalent isequivalent")
)
_WINNER_KEYS = frozenset(str.split("winner preference preferred choice better betteranswer"))
_SCORE_KEYS = frozenset(str.split("score rating finalscore finalrating overallscore overallrating"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One verdict of a menu.

    Attributes:
        label: its name.
        value: what it is worth, in [0, 1]; None for one that declines to say, which is unparsed.
        words: spellings that count wherever a verdict may stand, the plain line included.
        slot_words: spellings that count in a declared place only (after "Verdict:", in brackets, in
            JSON): single letters, and words that prose is full of.
    """

    label: str
    value: float | None
    words: tuple[str, ...] = ()
    slot_words: tuple[str, ...] = ()


class Scale(NamedTuple):
    """Bounds of a rating, both on the scale."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Menu:
    """The verdicts that a judge may choose from, declared before its replies are read.

    Attributes:
        name: name, for messages and ids.
        options: the verdicts; empty for a rating on a scale.
        scale: bounds of a rating; its value is the share of the way from low to high.
        steps: the only ratings that are on the menu; None for every number on the scale.
        letters: single capital letters are verdicts, so "a" as an article must be told apart.
        prose: whether a plain sentence ("The answer is incorrect.") may be read.
        opposite: (label, what its negation means), for menus of two.
        keys: names under which JSON replies give this verdict, in lower case without marks.
        truth: (label of true, label of false) where JSON replies may say true, false, 1 or 0.

    Raises:
        SpecError: there is nothing to choose from, or a label or value that cannot be used.
    """

    name: str
    options: tuple[Option, ...] = ()
    scale: Scale | None = None
    steps: tuple[float, ...] | None = None
    letters: bool = False
    prose: bool = False
    opposite: tuple[tuple[str, str], ...] = ()
    keys: frozenset[str] = _VERDICT_KEYS
    truth: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        if bool(self.options) == (self.scale is not None):
            raise SpecError(
                f"the menu {self.name!r} must have either options or a scale, got "
                f"{len(self.options)} options and scale {self.scale!r}"
            )
        if self.scale is not None and not self.scale.low < self.scale.high:
            raise SpecError(
                f"the scale of the menu {self.name!r} must rise, got {self.scale.low!r} to "
                f"{self.scale.high!r}"
            )
        for option in self.options:
            if not option.label or not (option.value is None or 0.0 <= option.value <= 1.0):
                raise SpecError(
                    f"an option of the menu {self.name!r} needs a label and a value in [0, 1] or "
                    f"None, got {option!r}"
                )

    def option(self, label: str) -> Option:
        """Return the option of a label.

        Raises:
            UnknownNameError: there is none.
        """
        for option in self.options:
            if option.label == label:
                return option
        raise UnknownNameError(
            f"no verdict {label!r} on the menu {self}; choose a label of the menu"
        )

    def negated(self, label: str) -> str | None:
        """Return the label that "not" before a label means, or None where it means none."""
        return dict(self.opposite).get(label)

    def __str__(self) -> str:
        """Return the menu as it stands in a message."""
        if self.steps is not None:
            return ", ".join(f"{step:g}" for step in self.steps)
        if self.scale is not None:
            return f"{self.scale.low:g} to {self.scale.high:g}"
        return ", ".join(option.label for option in self.options)


_RIGHT_WORDS = ("right", "true", "yes", "pass", "passed", "success", "match")
_WRONG_WORDS = ("wrong", "false", "no", "fail", "failed", "failure", "mismatch")

CORRECTNESS = Menu(
    name="correctness",
    options=(
        Option(label="CORRECT", value=1.0, words=("correct",), slot_words=("c", *_RIGHT_WORDS)),
        Option(label="INCORRECT", value=0.0, words=("incorrect",), slot_words=("i", *_WRONG_WORDS)),
    ),
    prose=True,
    opposite=(("CORRECT", "INCORRECT"),),
    keys=_VERDICT_KEYS | _TRUTH_KEYS,
    truth=("CORRECT", "INCORRECT"),
)
"""CORRECT or INCORRECT; the letters C and I after "GRADE:" or "VERDICT:"."""

PARTIAL_CREDIT = Menu(
    name="partial",
    options=(
        CORRECTNESS.options[0],
        Option(label="PARTIAL", value=0.5, slot_words=("p", "partial", "partially correct")),
        CORRECTNESS.options[1],
    ),
    keys=_VERDICT_KEYS,
)
"""CORRECT, PARTIAL or INCORRECT; "not correct" may mean either of the last two, so is unparsed."""

PAIRWISE = Menu(
    name="pairwise",
    options=(
        Option(label="A", value=1.0, slot_words=("a",)),
        Option(label="tie", value=0.5, words=("tie",), slot_words=("c", "tied", "draw", "equal")),
        Option(label="B", value=0.0, slot_words=("b",)),
    ),
    letters=True,
    keys=_VERDICT_KEYS | _WINNER_KEYS,
)
"""A, B or tie; the value is the share of the win that goes to A.  `[[C]]` means a tie."""

JUDGEBENCH = Menu(
    name="judgebench",
    options=(
        Option(label="A>>B", value=1.0, words=("a>>b", "b<<a")),
        Option(label="A>B", value=0.75, words=("a>b", "b<a")),
        Option(label="A=B", value=0.5, words=("a=b", "b=a")),
        Option(label="B>A", value=0.25, words=("b>a", "a<b")),
        Option(label="B>>A", value=0.0, words=("b>>a", "a<<b")),
    ),
    keys=_VERDICT_KEYS | _WINNER_KEYS,
)
"""Five grades from A>>B to B>>A, as Arena-Hard and JudgeBench ask for them."""


def rating_menu(low: float, high: float, *, steps: Iterable[float] | None = None) -> Menu:
    """Return the menu of a rating; a number off the scale is unparsed, never clipped.

    Args:
        low: the lowest rating, worth 0.
        high: the highest rating, worth 1.
        steps: the only ratings that are allowed; None for every number on the scale.
    """
    listed = None if steps is None else tuple(steps)
    name = f"rating {low:g} to {high:g}" if listed is None else f"rating of {len(listed)} steps"
    return Menu(name=name, scale=Scale(low, high), steps=listed, keys=_VERDICT_KEYS | _SCORE_KEYS)


RATING_0_10 = rating_menu(0, 10)
"""A number from 0 to 10."""

RATING_0_1 = rating_menu(0, 1)
"""A number from 0 to 1."""

ALIGNMENT = rating_menu(0, 1, steps=(0.0, 0.5, 1.0))
"""0, 0.5 or 1, and no other number."""

BINARY = rating_menu(0, 1, steps=(0.0, 1.0))
"""0 or 1, and no other number."""

MENUS: Mapping[str, Menu] = MappingProxyType(
    {
        "correctness": CORRECTNESS,
        "partial": PARTIAL_CREDIT,
        "pairwise": PAIRWISE,
        "judgebench": JUDGEBENCH,
        "rating_0_10": RATING_0_10,
        "rating_0_1": RATING_0_1,
        "alignment": ALIGNMENT,
        "binary": BINARY,
    }
)
"""Menus by name."""


def menu_of(labels: Mapping[str, float | None], *, name: str = "own") -> Menu:
    """Return a menu of own labels with their values; each label is spelled as it stands.

    Example:
        >>> read = menu_of({"PASS": 1.0, "FAIL": 0.0, "UNSURE": None})
        >>> str(read)
        'PASS, FAIL, UNSURE'
    """
    options = tuple(
        Option(label=label, value=value, words=(label.casefold(),))
        if len(label) > 1
        else Option(label=label, value=value, slot_words=(label.casefold(),))
        for label, value in labels.items()
    )
    return Menu(name=name, options=options, letters=any(len(label) == 1 for label in labels))


_LETTER_MENU = re.compile(r"(?<![\w-])([A-Z])\s?[=:]\s?([A-Z][A-Z_]{2,30})(?![\w-])")


def letter_menu(declared: str) -> Menu | None:
    """Return the menu that a text declares as "A=CORRECT B=INCORRECT C=NOT_ATTEMPTED", or None.

    CORRECT is worth 1 and INCORRECT 0; another label has no value, and is read as unparsed with
    that label.
    """
    found = dict(_LETTER_MENU.findall(declared))
    if not {"CORRECT", "INCORRECT"} <= set(found.values()):
        return None
    worth = {"CORRECT": 1.0, "INCORRECT": 0.0}
    options = tuple(
        Option(
            label=label,
            value=worth.get(label),
            words=(label.casefold(),)
            if "_" not in label
            else (label.replace("_", " ").casefold(),),
            slot_words=(letter.casefold(), label.casefold()),
        )
        for letter, label in found.items()
    )
    return Menu(
        name="letters",
        options=options,
        letters=True,
        prose=True,
        opposite=CORRECTNESS.opposite,
    )


def menu_named(name: str) -> Menu:
    """Return the menu of a name.

    Raises:
        SpecError: there is none.
    """
    if name not in MENUS:
        raise SpecError(f"no menu {name!r}; choose from {', '.join(MENUS)}")
    return MENUS[name]
