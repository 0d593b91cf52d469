"""What tokens cost.  In: a price table.  Out: US dollars, or nothing where no price is known.

A price table is TOML: a table for each model with the US dollars for a million tokens in and out::

    ["openai/some-model"]
    input = 0.25
    output = 2.00

Prices are never guessed: a model that the table lacks has no cost.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from finassay.errors import InputError

PER = 1_000_000
"""Tokens that a price is for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars for a million tokens in and out."""

    input: float
    output: float

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Return the cost of a request in US dollars."""
        return (tokens_in * self.input + tokens_out * self.output) / PER


def read_prices(path: str | Path) -> dict[str, Price]:
    """Return the prices in a table, by model.

    Raises:
        InputError: the file cannot be read, or an entry is not two numbers of at least 0.
    """
    try:
        read: Mapping[str, object] = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(
            f"{str(path)!r}: the price table cannot be read: {error}; expected TOML with a table "
            f"for each model"
        ) from error
    return {model: _price(entry, f"{path}: [{model!r}]") for model, entry in read.items()}


def _price(entry: object, where: str) -> Price:
    if not isinstance(entry, dict) or set(entry) != {"input", "output"}:
        raise InputError(
            f"{where} must hold exactly `input` and `output`, in US dollars for a million tokens; "
            f"got {entry!r}"
        )
    for name, value in entry.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
            raise InputError(f"{where}: `{name}` must be a number of at least 0, got {value!r}")
    return Price(input=float(entry["input"]), output=float(entry["output"]))
