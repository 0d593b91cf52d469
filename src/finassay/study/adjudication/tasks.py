"""What people are asked when they label.  In: a word in a cell.  Out: an answer of the task's menu.

A task has a question, a menu with keys, and a kind of unit: a prediction, a pair of predictions or
an item.  "Not sure" is on every menu and carries no value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from finassay.errors import UnknownNameError
from finassay.study.label_records import NOT_SURE

UnitKind = Literal["prediction", "pair", "item"]

CORRECT, INCORRECT = "CORRECT", "INCORRECT"
RIGHT_REFERENCE, WRONG_REFERENCE = "RIGHT", "WRONG"
NO_LABEL = "names no label"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One answer on a menu.

    Attributes:
        key: the one key that stands for it; "" for labels beyond the keys that there are.
        label: the word that is stored.
        value: in [0, 1]; None for "not sure" and for readings that name no label.
        meaning: what it says, for the instructions.
    """

    key: str
    label: str
    value: float | None
    meaning: str


CHOICE_KEYS = "123456789abcdeghijklmopqrstvwxy"
"""Keys of an item's own labels; f, n, u and z have other uses, and later labels have no key."""

UNSURE = Option(key="u", label=NOT_SURE, value=None, meaning="you cannot tell, after trying")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabellingTask:
    """One thing that people are asked.

    Attributes:
        name: in commands, files and scorer ids.
        unit: what is labelled.
        question: what is asked of each unit.
        options: the menu without the labels of the item; "not sure" is its last.
        own_menu: whether the choices of the item come before the options.
        asks_correction: whether the sheet has a column for a corrected reference.
    """

    name: str
    unit: UnitKind
    question: str
    options: tuple[Option, ...]
    own_menu: bool = False
    asks_correction: bool = False

    def menu(self, choices: Sequence[str] = (), reference: str | None = None) -> tuple[Option, ...]:
        """Return the whole menu for one unit.

        Args:
            choices: labels of the item, for tasks with its own menu.
            reference: label that is accepted; a reading has the value 1 where it is this one.
        """
        if not self.own_menu:
            return self.options
        own = tuple(
            Option(
                key=key,
                label=choice,
                value=None if reference is None else float(choice == reference),
                meaning=f"the reply names {choice}",
            )
            for choice, key in zip_longest(choices, CHOICE_KEYS[: len(choices)], fillvalue="")
        )
        return (*own, *self.options)


CORRECTNESS = LabellingTask(
    name="correctness",
    unit="prediction",
    question="Is the answer correct?",
    options=(
        Option(key="c", label=CORRECT, value=1.0, meaning="it answers the question correctly"),
        Option(key="i", label=INCORRECT, value=0.0, meaning="it is wrong, or it does not answer"),
        UNSURE,
    ),
)
PAIRWISE = LabellingTask(
    name="pairwise",
    unit="pair",
    question="Which answer is better?",
    options=(
        Option(key="a", label="A", value=None, meaning="answer A is better"),
        Option(key="b", label="B", value=None, meaning="answer B is better"),
        Option(key="t", label="tie", value=None, meaning="they are equally good, or equally bad"),
        UNSURE,
    ),
)
RUBRIC = LabellingTask(
    name="rubric",
    unit="prediction",
    question="How good is the answer, from 0 to 10?",
    options=(
        *(
            Option(key="0123456789x"[k], label=str(k), value=k / 10, meaning=meaning)
            for k, meaning in enumerate(
                (
                    "nothing of it is right",
                    *("between 0 and 5",) * 4,
                    "half of what was asked is right, or it is right with a serious fault",
                    *("between 5 and 10",) * 4,
                    "complete and right",
                )
            )
        ),
        UNSURE,
    ),
)
REFERENCE = LabellingTask(
    name="reference",
    unit="item",
    question="Is the reference a correct answer to the question?",
    options=(
        Option(key="r", label=RIGHT_REFERENCE, value=1.0, meaning="the reference is correct"),
        Option(key="w", label=WRONG_REFERENCE, value=0.0, meaning="the reference is wrong"),
        UNSURE,
    ),
    asks_correction=True,
)
ALIGNMENT = LabellingTask(
    name="alignment",
    unit="prediction",
    question="Does the reply ask for what the question leaves open?",
    options=(
        Option(key="0", label="0", value=0.0, meaning="it asks for nothing that is missing"),
        Option(key="5", label="0.5", value=0.5, meaning="it asks for a part of what is missing"),
        Option(key="1", label="1", value=1.0, meaning="it asks for all that is missing"),
        UNSURE,
    ),
)
READING = LabellingTask(
    name="reading",
    unit="prediction",
    question="Which label does this reply name?",
    options=(
        Option(key="0", label=NO_LABEL, value=None, meaning="it names none of the labels"),
        UNSURE,
    ),
    own_menu=True,
)

TASKS: Mapping[str, LabellingTask] = {
    task.name: task for task in (CORRECTNESS, PAIRWISE, RUBRIC, REFERENCE, ALIGNMENT, READING)
}


def task_named(name: str) -> LabellingTask:
    """Return a labelling task by name.

    Raises:
        UnknownNameError: there is none of that name.
    """
    if name not in TASKS:
        raise UnknownNameError(
            f"no labelling task is called {name!r}; there are: {', '.join(TASKS)}"
        )
    return TASKS[name]


def read_option(text: str, menu: Sequence[Option]) -> Option | None:
    """Return the option that a cell names, None for an empty cell.

    The label or the key, whatever the case and the spaces around; a number may stand as a
    spreadsheet writes it (1.0, or 0,5 with a comma).

    Raises:
        ValueError: the cell says something that is not on the menu.
    """
    word = " ".join(text.split()).casefold()
    if not word:
        return None
    # Labels go before keys: on a rubric 1 is a label, and a key of another option elsewhere.
    for names in (
        {option.label.casefold(): option for option in menu},
        {option.key: option for option in menu},
    ):
        for form in (word, _plain_number(word)):
            if form in names:
                return names[form]
    allowed = ", ".join(repr(option.label) for option in menu)
    raise ValueError(f"the label must be one of {allowed}, or empty, got {text!r}")


_SIDES: Mapping[str, tuple[str, float]] = {
    "A": ("left", 1.0),
    "B": ("right", 0.0),
    "tie": ("tie", 0.5),
}


def as_stored(task: LabellingTask, option: Option, *, swapped: bool) -> tuple[str, float | None]:
    """Return the label and the value that are stored for an option.

    Of a pair it is the side and not the letter that counts, and which answer stood as A differs
    from person to person.

    Args:
        task: what was asked.
        option: what was chosen.
        swapped: whether answer A is the right one of the pair.
    """
    if task.unit != "pair" or option.label not in _SIDES:
        return option.label, option.value
    side, value = _SIDES[option.label]
    if swapped and side != "tie":
        return ("right", 0.0) if side == "left" else ("left", 1.0)
    return side, value


def as_shown(task: LabellingTask, label: str, *, swapped: bool) -> str:
    """Return the word on the menu of a stored label, the inverse of `as_stored`."""
    if task.unit != "pair" or label not in {"left", "right"}:
        return label
    return "A" if (label == "left") != swapped else "B"


def _plain_number(word: str) -> str:
    try:
        number = float(word.replace(",", "."))
    except ValueError:
        return word
    return f"{number:g}"
