"""Small made-up documents for tests of retrieval."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import numpy as np

from finassay.retrieval import Document, IndexSettings
from finassay.retrieval.embedders import Hashing, Vectors

HASHING = IndexSettings(embedder="hashing")
LEXICAL = IndexSettings(embedder="none")

FEES = Document(
    document_id="fees.txt",
    text=(
        "12. (1) Every broker shall pay a fee of Rs. 500 crore within thirty days.\n"
        "(2) A late fee of 2 per cent a month is due on what is not paid."
    ),
    title="Brokers (Fees) Regulations, 2019",
    regulator="SEBI",
    regulation="Brokers (Fees) Regulations, 2019",
    date=dt.date(2019, 5, 1),
)
DISCLOSURE = Document(
    document_id="disclosure.txt",
    text=(
        "30. (1) A listed entity shall disclose material events.\n"
        "(6) The disclosure shall be made within twenty-four hours, as circular "
        "SEBI/HO/CFD/2024/118 explains."
    ),
    title="Listing Regulations, 2015",
    regulator="SEBI",
    regulation="Listing Regulations, 2015",
    date=dt.date(2015, 9, 2),
    in_force_from=dt.date(2015, 12, 1),
    in_force_until=dt.date(2024, 3, 31),
)
DIVIDENDS = Document(
    document_id="banks/dividends.txt",
    text="A bank may pay a dividend up to 40 per cent of its profit, as regulation 30(1) has it.",
    title="Directions on dividends",
    regulator="RBI",
    date=dt.date(2026, 1, 10),
)
ALL = (FEES, DISCLOSURE, DIVIDENDS)


def many(n: int, *, first: int = 0) -> list[Document]:
    """Return `n` documents of one chunk each, no two alike."""
    return [
        Document(document_id=f"d{number:05}.txt", text=f"{number}. Text of rule number {number}.")
        for number in range(first, first + n)
    ]


class Counting(Hashing):
    """An embedder that remembers every passage it was asked for."""

    def __init__(self) -> None:
        super().__init__(dimensions=16)
        object.__setattr__(self, "asked", [])

    def passages(self, texts: Sequence[str]) -> Vectors:
        asked: list[str] = self.__dict__["asked"]
        asked.extend(texts)
        return super().passages(texts)


class Stopping(Hashing):
    """An embedder that fails after a number of blocks, as a killed process would."""

    def __init__(self, blocks: int) -> None:
        super().__init__(dimensions=16)
        object.__setattr__(self, "left", blocks)

    def passages(self, texts: Sequence[str]) -> Vectors:
        if not self.__dict__["left"]:
            raise KeyboardInterrupt
        self.__dict__["left"] -= 1
        return super().passages(texts)


def unit(*values: float) -> Vectors:
    """Return one vector of length 1, as a row."""
    row = np.array([values], dtype=np.float32)
    unit_row: Vectors = row / np.linalg.norm(row)
    return unit_row
