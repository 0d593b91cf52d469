"""Secrets out of messages.  In: what a provider says of an error.  Out: the same without keys."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

MASK = "[secret]"

_NAMES = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$", re.IGNORECASE)
_SHAPES = re.compile(r"\b(?:(?:sk|pk|rk)[-_]|Bearer )[\w.*-]{6,}")
_LEAST = 6


def without_secrets(text: str, environment: Mapping[str, str] | None = None) -> str:
    """Return a text with every secret masked that the environment holds or that looks like one.

    Args:
        text: for instance an error message, which may repeat the key that was refused.
        environment: variables whose name says that they hold a secret are masked by value; the
            process's own by default.
    """
    known = os.environ if environment is None else environment
    secrets = [value for name, value in known.items() if _NAMES.search(name)]
    for value in sorted(secrets, key=len, reverse=True):
        if len(value) >= _LEAST:
            text = text.replace(value, MASK)
    return _SHAPES.sub(MASK, text)
