"""Names of verdicts from outside.  In: what a table or a caller says.  Out: a scorer id.

An id under which a rule could be computed, or a regime combined, is never filed from outside: its
verdicts would be taken for what the rule says.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from finassay.errors import UsageError
from finassay.records import IMPORTED_PREFIX, JUDGE_PREFIX, PERSON_PREFIX, STORED

PREFIXES = (JUDGE_PREFIX, PERSON_PREFIX, IMPORTED_PREFIX)
_UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})


def is_outside(scorer_id: str) -> bool:
    """Return whether verdicts from outside may stand under an id."""
    return scorer_id == STORED or scorer_id.startswith(PREFIXES)


def outside_id(scorer_id: str) -> str:
    """Return an id under which verdicts from outside may be filed, as it was given.

    Raises:
        UsageError: it is not `stored`, `judge/NAME`, `person/NAME` or `imported/NAME`, or its name
            holds brackets or control characters.
    """
    if not is_outside(scorer_id) or scorer_id in PREFIXES:
        name = scorer_id.rpartition("/")[2] or "NAME"
        raise UsageError(
            f"verdicts from outside go under {STORED!r}, 'judge/NAME', 'person/NAME' or "
            f"'imported/NAME', got {scorer_id!r}: a rule's own name is kept for what the rule "
            f"computes; call it 'imported/{name}', or 'judge/{name}' if a model said it"
        )
    bad = [char for char in scorer_id if char in "[]" or unicodedata.category(char) in _UNPRINTABLE]
    if bad:
        raise UsageError(
            f"the name of a scorer from outside must hold no brackets, line ends or control "
            f"characters, got {scorer_id!r}; give it another with `--scorer-column COLUMN=ID`"
        )
    return scorer_id


# A long table names its scorers in every row.
@lru_cache(maxsize=1024)
def id_of(name: str) -> str:
    """Return a scorer id for a table's own name, under which no rule can be computed.

    Raises:
        UsageError: the name holds brackets or control characters.
    """
    return outside_id(name if is_outside(name) else f"{IMPORTED_PREFIX}{name}")
