"""The scorer that reads a judge's reply.  In: an item and the reply.  Out: what the judge says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import require_one_of
from finassay.scorers.judge_verdicts import (
    MENUS,
    READER_VERSION,
    Menu,
    Reading,
    letter_menu,
    menu_named,
    read_verdict,
)


@dataclass(frozen=True, kw_only=True)
class JudgeVerdict:
    """`judge/verdict`: what a judge's reply says, read from the menu it was given.

    The prediction is the judge's reply; the item's reference plays no part.  Where the item's
    context declares letters ("A=CORRECT B=INCORRECT"), these are the menu.

    Attributes:
        menu: the verdicts that the judge was asked to choose from: "correctness" (CORRECT or
            INCORRECT), "partial", "pairwise", "judgebench", "rating_0_10", "rating_0_1",
            "alignment" (0, 0.5, 1) or "binary" (0, 1).
    """

    menu: str = "correctness"

    name: ClassVar[str] = "judge/verdict"
    version: ClassVar[str] = READER_VERSION
    published: ClassVar[bool] = False

    def __post_init__(self) -> None:
        require_one_of(self, "menu", self.menu, MENUS)

    def score(self, *, item: Item, prediction: Prediction) -> Verdict:
        """Return the judge's verdict; a reply that cannot be read with certainty is unparsed."""
        reading = self.read(item=item, prediction=prediction)
        return verdict_of(reading, prediction.text)

    def read(self, *, item: Item, prediction: Prediction) -> Reading:
        """Return the reading with its place in the reply."""
        menu: Menu = letter_menu(item.context) or menu_named(self.menu)
        return read_verdict(prediction.text, menu=menu, finish=prediction.finish)

    def trace(self, *, item: Item, prediction: Prediction) -> tuple[tuple[str, str], ...]:
        """Return the menu, and where in the reply the verdict stands."""
        menu = letter_menu(item.context) or menu_named(self.menu)
        reading = self.read(item=item, prediction=prediction)
        where = "none" if reading.span is None else f"{reading.span[0]} to {reading.span[1]}"
        return ("menu", str(menu)), ("place", reading.place or "none"), ("span", where)


def verdict_of(reading: Reading, reply: str) -> Verdict:
    """Return a reading as a verdict; `extracted` is the text that says it."""
    span = reading.span
    return Verdict(
        status=reading.status,
        value=reading.value,
        label=reading.label,
        extracted=None if span is None else reply[span[0] : span[1]],
        reason=reading.reason or f"the judge says {reading.label}",
    )
