"""Scorers on long texts that their readers like least."""

from __future__ import annotations

import pytest

from finassay.scorers.composites import Composite
from scorer_claims import CLAIMS

pytestmark = pytest.mark.full

MEGABYTE = 1_000_000
HOSTILE = {
    "one long number": "1" * MEGABYTE,
    "stops and commas": "1.2,00," * (MEGABYTE // 7),
    "white space": " \t" * (MEGABYTE // 2),
    "cues": "answer " * (MEGABYTE // 7),
    "prefixes of the answer": "yes 3" * (MEGABYTE // 5),
    "marks that combine": "\u0915\u093e\u0301" * (MEGABYTE // 3),
}


# Composites take as long as their parts, and label rules are tried on long texts by themselves.
ALONE = [
    scorer_id
    for scorer_id, claims in CLAIMS.items()
    if not claims.is_slow
    and not claims.scorer.name.startswith("labels/")
    and not isinstance(claims.scorer, Composite)
    and scorer_id == claims.scorer.name
]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("scorer_id", ALONE)
def test_a_megabyte_is_marked(scorer_id: str, text: str):
    claims = CLAIMS[scorer_id]
    assert claims.mark(claims.right[0], text).status
