"""What tools write as a score.  In: a value of a log.  Out: scorer ids, verdicts, finishes."""

from __future__ import annotations

import math
import unicodedata
from functools import lru_cache

from finassay.records import IMPORTED_PREFIX, Verdict

NO_SCORE = "the tool gave no score"


@lru_cache(maxsize=4096)
def tool_scorer(tool: str, metric: str, filter_name: str = "") -> str:
    """Return the id under which a tool's verdicts stand: `imported/TOOL/METRIC/FILTER`.

    A tool that has no filters has no third part.  Brackets, which parameters of our own scorers
    use, become round ones; control characters become blanks.
    """
    parts = [tool, metric, *([filter_name] if filter_name else [])]
    named = "/".join(parts).replace("[", "(").replace("]", ")")
    plain = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in named)
    return IMPORTED_PREFIX + plain


def tool_verdict(
    value: object, *, extracted: str | None = None, reason: str = "", unscored: str = ""
) -> Verdict:
    """Return what a tool's score says: a fraction, a truth value or a number in text.

    None and NaN are unscored.  A number outside [0, 1] is no share of anything: it is kept as the
    label of a verdict that is not applicable.

    Args:
        value: the score.
        extracted: the answer that the tool found in the reply.
        reason: what the tool says of the score.
        unscored: why there is no score, where the tool says it.
    """
    if isinstance(value, str):
        value = _number_in(value)
    if value is None or not isinstance(value, bool | int | float):
        shown = NO_SCORE if value is None else f"the score is no number: {value!r:.80}"
        return Verdict(status="unparsed", extracted=extracted, reason=unscored or reason or shown)
    number = _as_float(value)
    if extracted is None and not reason and math.isfinite(number):
        return _plain(number)
    if math.isnan(number):
        why = unscored or reason or f"{NO_SCORE} (NaN)"
        return Verdict(status="unparsed", extracted=extracted, reason=why)
    if not 0.0 <= number <= 1.0:
        return Verdict(
            status="not_applicable",
            label=f"{number:g}",
            extracted=extracted,
            reason=f"the tool's score {number:g} is not in [0, 1]",
        )
    return Verdict(status="scored", value=number, extracted=extracted, reason=reason)


# Scores repeat, and a verdict is frozen: most answers of a log share two of them.
@lru_cache(maxsize=4096)
def _plain(number: float) -> Verdict:
    if 0.0 <= number <= 1.0:
        return Verdict(status="scored", value=number)
    return Verdict(
        status="not_applicable",
        label=f"{number:g}",
        reason=f"the tool's score {number:g} is not in [0, 1]",
    )


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        # A whole number in JSON may have any number of digits.
        return math.inf


def _number_in(text: str) -> object:
    plain = text.strip().lower()
    if plain in ("true", "false"):
        return plain == "true"
    try:
        return float(plain)
    except ValueError:
        return text
