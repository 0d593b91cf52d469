"""Verdicts as small numbers.  In: verdicts.  Out: one byte each, and composites over them.

The order of the codes is that in which a scorer prefers one accepted reference to another, so the
best over several references is the largest code.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.records import RIGHT as LEAST_RIGHT
from finassay.records import Status, Verdict
from finassay.scorers.composites import AllOf, AnyOf, Composite, FirstScored

Codes = NDArray[np.uint8]

OUT, FAILED, SILENT, WRONG, RIGHT = range(5)
"""Not applicable (or absent); failed; no answer or unparsed; scored below 0.5; scored from 0.5."""

STATUS_CODE: dict[Status, int] = {
    "not_applicable": OUT,
    "failed": FAILED,
    "no_answer": SILENT,
    "unparsed": SILENT,
}


def code_of(verdict: Verdict) -> int:
    """Return the code of a verdict."""
    if verdict.value is None:
        return STATUS_CODE[verdict.status]
    return RIGHT if verdict.value >= LEAST_RIGHT else WRONG


def combined(composite: Composite, parts: Sequence[Codes]) -> Codes | None:
    """Return the codes of a composite of (N,) part codes; None for a kind that is not known here.

    `Composite.combine` of `scorers.composites`, where values are 0 and 1: parts that are not
    applicable take no part, and the first part without a value stands for all of them.
    """
    if type(composite) is FirstScored:
        return _first_scored(parts)
    if type(composite) not in {AnyOf, AllOf}:
        return None
    settles = RIGHT if type(composite) is AnyOf else WRONG
    stacked = np.stack(parts)
    is_settled = (stacked == settles).any(axis=0)
    is_scored = (stacked >= WRONG).any(axis=0)
    unknown = _unknown(parts)
    other = np.uint8(WRONG + RIGHT - settles)
    left = np.where(unknown > OUT, unknown, np.where(is_scored, other, np.uint8(OUT)))
    return np.where(is_settled, np.uint8(settles), left).astype(np.uint8)


def _first_scored(parts: Sequence[Codes]) -> Codes:
    """Return the code of the first part with a value, else of the first that applies."""
    found = np.zeros_like(parts[0])
    for least in (FAILED, WRONG):
        for codes in reversed(parts):
            found = np.where(codes >= least, codes, found)
    return found.astype(np.uint8)


def _unknown(parts: Sequence[Codes]) -> Codes:
    """Return the code of the first part without a value, `OUT` where all have one."""
    found = np.zeros_like(parts[0])
    for codes in reversed(parts):
        found = np.where((codes == FAILED) | (codes == SILENT), codes, found)
    return found.astype(np.uint8)


def best_of(codes: Codes, starts: NDArray[np.intp]) -> Codes:
    """Return the largest code of each run of (P,) codes that begins at (N,) `starts`."""
    return codes if len(starts) == len(codes) else np.maximum.reduceat(codes, starts)
