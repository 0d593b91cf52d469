"""The bundled benchmark of ask-or-proceed states.  In: nothing.  Out: states, items, readings.

How it was made and checked, and its limits, stand in `data/ask/README.md`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from finassay.benchmarks.ask.prompts import Protocol, item_of
from finassay.benchmarks.ask.reading import Placed, jsonl_records, states_from
from finassay.benchmarks.ask.retention import Retained, retain
from finassay.benchmarks.reading import data_text
from finassay.errors import InputError
from finassay.records import Item

ASK_BENCHMARK = "finassay-ask"
"""Name of the bundled benchmark."""

FILES = tuple(
    f"ask/{name}.jsonl"
    for name in ("merchant_onboarding", "aml_alert", "credit_review", "trade_finance")
)
READING_FILE = "ask/second_reading.csv"

ReadingOutcome = Literal["agree", "dispute"]
READING_OUTCOMES: tuple[ReadingOutcome, ...] = get_args(ReadingOutcome)
NeedsAnswer = Literal["yes", "partly", "no"]
"""How far something holds of the needs of a state."""

NEEDS_ANSWERS: tuple[NeedsAnswer, ...] = get_args(NeedsAnswer)
_READING_COLUMNS = ("state_id", "action_right", "needs_open", "needs_supported", "outcome", "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class StateReading:
    """What a second reader said of one state.

    Attributes:
        state_id: the state.
        action_right: whether the recorded action follows from what is visible.
        needs_open: whether the needs are unresolved in what is visible; None for proceed states.
        needs_supported: whether later observations answer the needs; None for proceed states.
        outcome: "dispute" when the action, the needs or the case as a whole is disputed.
        note: what was disputed, and what was done.
    """

    state_id: str
    action_right: bool
    needs_open: NeedsAnswer | None
    needs_supported: NeedsAnswer | None
    outcome: ReadingOutcome
    note: str


@cache
def bundled_states() -> Retained:
    """Return the states of the bundled benchmark after the retention rules.

    Raises:
        InputError: a file of the package cannot be read.
    """
    return retain(states_from(_records()))


def load_ask_benchmark(protocol: Protocol = "tokens") -> tuple[Item, ...]:
    """Return the bundled states as items.

    Args:
        protocol: how replies are to name their action.

    Raises:
        InputError: a file of the package cannot be read.
    """
    return tuple(
        item_of(state, benchmark=ASK_BENCHMARK, protocol=protocol)
        for state in bundled_states().states
    )


def second_readings() -> tuple[StateReading, ...]:
    """Return what the second reader said of each bundled state, in the order of the file.

    Raises:
        InputError: the file of the package cannot be read.
    """
    return tuple(read_readings(data_text(READING_FILE), file=READING_FILE))


def read_readings(text: str, *, file: str) -> Iterator[StateReading]:
    """Yield the readings of a CSV text.

    Raises:
        InputError: the columns are not the expected ones, a cell is none of its words, or a state
            stands twice.
    """
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    if tuple(reader.fieldnames or ()) != _READING_COLUMNS:
        raise InputError(
            f"{file}: expected the columns {list(_READING_COLUMNS)}, got {reader.fieldnames!r}"
        )
    seen: set[str] = set()
    for row in reader:
        where = f"{file}:{reader.line_num}"
        if row["state_id"] in seen:
            raise InputError(
                f"{where}: the state {row['state_id']!r} stands twice; keep one row for each state"
            )
        seen.add(row["state_id"])
        yield StateReading(
            state_id=row["state_id"],
            action_right=_yes_or_no(row["action_right"], where),
            needs_open=_of_needs(row["needs_open"], "needs_open", where),
            needs_supported=_of_needs(row["needs_supported"], "needs_supported", where),
            outcome=_outcome(row["outcome"], where),
            note=row["note"],
        )


def _yes_or_no(text: str, where: str) -> bool:
    if text not in ("yes", "no"):
        raise InputError(f"{where}: `action_right` must be yes or no, got {text!r}")
    return text == "yes"


def _of_needs(text: str, column: str, where: str) -> NeedsAnswer | None:
    if not text:
        return None
    for answer in NEEDS_ANSWERS:
        if text == answer:
            return answer
    raise InputError(f"{where}: `{column}` must be one of {NEEDS_ANSWERS} or empty, got {text!r}")


def _outcome(text: str, where: str) -> ReadingOutcome:
    for outcome in READING_OUTCOMES:
        if text == outcome:
            return outcome
    raise InputError(f"{where}: `outcome` must be one of {READING_OUTCOMES}, got {text!r}")


def _records() -> Iterator[Placed]:
    for file in FILES:
        yield from jsonl_records(data_text(file), file)
