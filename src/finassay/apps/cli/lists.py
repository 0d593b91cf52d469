"""Lists in one option.  In: text.  Out: its parts."""

from __future__ import annotations

import re


def split_ids(text: str) -> list[str]:
    """Return the ids of a list; commas inside the brackets of an id do not separate."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", text) if part.strip()]
