"""Numbers in sentences.  In: numbers.  Out: text that keeps denominators."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.analyses.results_scores import Estimate


def percent(share: float, n: int) -> str:
    """Return a share as a percentage with the digits that n observations support.

    One decimal from 100 observations on, none below.
    """
    return f"{100 * share:.1f}%" if n >= 100 else f"{100 * share:.0f}%"


def count_text(total: float) -> str:
    """Return a sum of verdicts: whole when it is whole, otherwise with one decimal."""
    return f"{total:.0f}" if total == round(total) else f"{total:.1f}"


def score_text(given: Estimate) -> str:
    """Return an estimate with its count and interval; bounds as a range of two cases."""
    if given.value is None:
        if given.best is None or given.worst is None:
            return "no usable verdict"
        return (
            f"between {percent(given.worst, given.n)} and {percent(given.best, given.n)} "
            f"({given.n_unscored} of {given.n} without an answer)"
        )
    share = f"{percent(given.value, given.n)} ({count_text(given.total)} of {given.n}"
    if given.low is None or given.high is None:
        return f"{share})"
    ends = f"{percent(given.low, given.n)} to {percent(given.high, given.n)}"
    return f"{share}, {100 * given.level:g}% interval {ends})"


def names_text(names: Sequence[str], limit: int = 4) -> str:
    """Return names as a list in words, at most `limit` of them and then how many more."""
    if len(names) > limit:
        return f"{', '.join(names[:limit])} and {len(names) - limit} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def plural(n: int, noun: str) -> str:
    """Return "1 item" or "3 items"."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
