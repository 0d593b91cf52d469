"""The eight metrics of asking and going on, term by term from equations 8 to 21 of 2608.25325."""

from collections.abc import Sequence
from fractions import Fraction

State = tuple[str, str, Fraction]
"""Recorded action, action taken, and the alignment of the request."""


def credit(state: State) -> Fraction:
    recorded, taken, aligned = state
    return aligned if recorded == "ask" and taken == "ask" else Fraction(0)


def mean(values: Sequence[Fraction]) -> Fraction | None:
    return sum(values, Fraction(0)) / len(values) if values else None


def metrics(states: Sequence[State]) -> dict[str, Fraction | None]:
    t_ask = [state for state in states if state[0] == "ask"]
    t_proceed = [state for state in states if state[0] == "proceed"]
    entered = [state for state in t_ask if state[1] == "ask"]
    ask_r = mean([Fraction(state[1] == "ask") for state in t_ask])
    proceed_r = mean([Fraction(state[1] == "proceed") for state in t_proceed])
    return {
        "RAA": mean([Fraction(state[0] == state[1]) for state in states]),
        "AskR": ask_r,
        "ProceedR": proceed_r,
        "BAcc": None if ask_r is None or proceed_r is None else (ask_r + proceed_r) / 2,
        "ERA": mean([credit(state) for state in t_ask]),
        "CRA": mean([credit(state) for state in entered]),
        "DEH": mean([Fraction(credit(state) == 1) for state in t_ask]),
        "REH": mean([Fraction(credit(state) >= Fraction(1, 2)) for state in t_ask]),
    }
