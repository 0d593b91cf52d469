"""Coverage of key points: a baseline.  In: a reference that lists points.  Out: a share in [0, 1].

Words and figures are counted; whether what is said is right is for a judge or a person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from finassay.records import COVERAGE_BASELINE, Item, Prediction, Verdict
from finassay.scorers.base import Rule, require_share
from finassay.text.answer_parts import bare_lines, plain_form

_LATIN = re.compile(r"[^\W\d_]{2,}")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
_STOP = frozenset(
    str.split(
        "the of and to is are was were be been it its that this with for from by on in at as an or "
        "not no whether may can cannot must has have had does do did which who what their his her"
    )
)
LEAST_WORDS = 3
"""A shorter text is no analysis; two Chinese characters count as one word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPointsMeasure:
    """Shares of the words of each key point that the reply holds.

    Attributes:
        shares: for each point of the reference, the share of its words that the reply holds; 0
            where a figure of it is missing.
        words: words of the reply.
    """

    shares: tuple[float, ...]
    words: int


@dataclass(frozen=True, kw_only=True)
class KeyPoints(Rule[KeyPointsMeasure]):
    """`key_points`: share of the reference's key points that a text mentions: a baseline.

    A point is mentioned when enough of its words and all of its figures occur.  It says nothing of
    whether the text is right; verdicts carry the flag `coverage_baseline`.

    Attributes:
        least: share of a point's words that must occur, in [0, 1].
    """

    least: float = 0.6

    name: ClassVar[str] = "key_points"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "key_points"
    decision_fields: ClassVar[frozenset[str]] = frozenset({"least"})

    def __post_init__(self) -> None:
        require_share(self, "least", self.least)

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> KeyPointsMeasure:  # noqa: ARG002
        """Return how much of each key point the reply mentions."""
        said = _units(prediction.text)
        shares = (_share(_units(point), said) for point in bare_lines(reference))
        return KeyPointsMeasure(
            shares=tuple(share for share in shares if share is not None),
            words=_length(prediction.text),
        )

    def decide(self, measured: KeyPointsMeasure) -> Verdict:
        """Return the share of points that are mentioned."""
        if not measured.shares:
            return Verdict(status="not_applicable", reason="the reference lists no key points")
        if measured.words < LEAST_WORDS:
            return Verdict(status="unparsed", reason="the reply is no text that could be read")
        held = sum(share >= self.least and share > 0 for share in measured.shares)
        return Verdict(
            status="scored",
            value=held / len(measured.shares),
            flags=(COVERAGE_BASELINE,),
            reason=f"{held} of {len(measured.shares)} key points are mentioned (words and figures "
            f"only)",
        )


@dataclass(frozen=True, slots=True)
class _Units:
    """Words, pairs of Chinese characters and figures of a text."""

    words: frozenset[str]
    figures: frozenset[str]


def _units(text: str) -> _Units:
    plain = plain_form(text)
    words = {_stem(word) for word in _LATIN.findall(_HAN.sub(" ", plain)) if word not in _STOP}
    for run in _HAN.findall(plain):
        words |= {run[at : at + 2] for at in range(max(1, len(run) - 1))}
    figures = {one.replace(",", "").rstrip(".") for one in _FIGURE.findall(plain)}
    return _Units(frozenset(words), frozenset(figures))


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _share(point: _Units, said: _Units) -> float | None:
    if not point.words and not point.figures:
        return None
    if not point.figures <= said.figures:
        return 0.0
    return len(point.words & said.words) / len(point.words) if point.words else 1.0


def _length(text: str) -> int:
    plain = plain_form(text)
    han = sum(map(len, _HAN.findall(plain)))
    return len(_LATIN.findall(_HAN.sub(" ", plain))) + han // 2
