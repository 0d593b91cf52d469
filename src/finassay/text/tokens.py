"""Tokens of a text for overlap measures.  In: a string.  Out: a list of tokens."""

from __future__ import annotations

import re

# Ideographs, kana and hangul are written without spaces: each character is a token there, as in
# the character-level scores that Chinese reading-comprehension sets report.
_TOKEN = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]"
    "|[^\\s\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
)


def tokens(text: str) -> list[str]:
    """Return the tokens: runs between white space, and single characters of CJK scripts."""
    return _TOKEN.findall(text)
