"""What words in a table mean.  In: a field.  Out: a verdict, a finish, a trial or a number."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from finassay.records import FINISHES, Finish, Verdict
from finassay.runs.importers._rows import Value
from finassay.study.label_records import NOT_SURE

_RIGHT = frozenset({"true", "yes", "y", "right", "correct", "correct answer", "pass", "passed"})
_WRONG = frozenset({"false", "no", "n", "wrong", "incorrect", "incorrect answer", "fail", "failed"})
_SILENT = frozenset({"refusal", "refused", "not attempted", "not_attempted", "no answer"})
_UNSURE = frozenset({"not sure", "not_sure", "unsure", "uncertain"})

_FINISH_WORDS: dict[str, Finish] = {
    **{word: word for word in FINISHES},
    "end_turn": "stop",
    "eos": "stop",
    "stop_sequence": "stop",
    "completed": "stop",
    "length": "truncated",
    "max_tokens": "truncated",
    "model_length": "truncated",
    "max_output_tokens": "truncated",
    "refusal": "refused",
    "content_filter": "blocked",
    "safety": "blocked",
    "recitation": "blocked",
    "failed": "error",
}
_ABSENT = frozenset({"", "-", "–", "—", "n/a", "na", "none", "null"})


def as_text(value: Value) -> str:
    """Return a field as one string: a null as "", a list as its parts on lines of their own."""
    if value is None:
        return ""
    return value if isinstance(value, str) else "\n".join(value)


def as_texts(value: Value) -> tuple[str, ...]:
    """Return a field as strings: a text as one of them, nothing where it is empty."""
    if isinstance(value, list):
        return tuple(value)
    return (value,) if value else ()


def read_verdict(value: Value) -> Verdict | None:
    """Return the verdict that a source wrote down, or None where it wrote none.

    Words for right and wrong and fractions in [0, 1] are scored; words for a refusal are
    `no_answer` with the word as label; "not sure" is `unparsed` with this label.

    Raises:
        ValueError: the field says something else.
    """
    return _verdict_of(as_text(value).strip())


# The same few words stand in every row of a file, and verdicts cannot be changed.
@lru_cache(maxsize=1024)
def _verdict_of(text: str) -> Verdict | None:
    word = text.lower()
    if not word:
        return None
    if word in _SILENT:
        return Verdict(status="no_answer", label=text, reason=f"the source says {text!r}")
    if word in _UNSURE:
        return Verdict(status="unparsed", label=NOT_SURE, reason=f"the source says {text!r}")
    if word in _RIGHT or word in _WRONG:
        return Verdict(status="scored", value=float(word in _RIGHT), label=text)
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    if not (number.is_finite() and 0 <= number <= 1):
        raise ValueError(
            f"a verdict must be 1/0, true/false, yes/no, right/wrong, correct/incorrect, a word "
            f"for a refusal, not sure or a fraction in [0, 1], got {text!r}"
        )
    return Verdict(status="scored", value=float(number), label=text)


def is_verdict(value: Value) -> bool:
    """Return whether a field can be read as a verdict (an empty one can)."""
    try:
        read_verdict(value)
    except ValueError:
        return False
    return True


def read_finish(*, text: str, word: str, error_text: re.Pattern[str] | None) -> Finish:
    """Return what became of a reply: from its text if that is an error, else from the log's word.

    A word that is not known counts as not logged (see `is_finish_word`); a reply of white space
    only is empty unless the log says that it was cut, refused, blocked or an error.
    """
    if error_text is not None and error_text.search(text):
        return "error"
    known = _FINISH_WORDS.get(word.strip().lower(), "not_logged")
    if not text.strip() and known in ("stop", "not_logged"):
        return "empty"
    return known


def is_finish_word(word: str) -> bool:
    """Return whether a log's word for the end of a reply is known; no word at all is."""
    plain = word.strip().lower()
    return not plain or plain in _FINISH_WORDS


def read_trial(value: Value) -> int:
    """Return the number of a trial, 0 where the field is empty.

    Raises:
        ValueError: the field is not a whole number of at least 0.
    """
    text = as_text(value).strip()
    if not text:
        return 0
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ValueError(f"a trial must be a whole number of at least 0, got {text!r}")
    return int(text)


def read_number(value: Value) -> tuple[Decimal, bool] | None:
    """Return a printed number and whether a percent sign follows it; None for an empty cell.

    Raises:
        ValueError: the cell holds something else than a finite number.
    """
    text = as_text(value).strip()
    if text.lower() in _ABSENT:
        return None
    bare = text.removesuffix("%").strip().replace("\N{MINUS SIGN}", "-")
    try:
        number = Decimal(bare)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise ValueError(f"a reported score must be a number, got {text!r}")
    return number, text.endswith("%")


def is_number(value: Value) -> bool:
    """Return whether a cell can be read as a number (an empty one can)."""
    try:
        read_number(value)
    except ValueError:
        return False
    return True
