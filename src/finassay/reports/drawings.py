"""A finished figure.  In: a canvas and words.  Out: the record that every format takes."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.reports.canvas import Canvas, render


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A finished figure.

    Attributes:
        key: name for anchors, for instance "fig-ranks".
        title: what it shows, in one clause.
        summary: the text alternative: what a reader would see, with numbers.
        reading: how to read the marks.
        canvas: the drawing, not yet rendered.
        tables: keys of the tables with the numbers behind it.
    """

    key: str
    title: str
    summary: str
    reading: str
    canvas: Canvas
    tables: tuple[str, ...]

    @property
    def svg(self) -> str:
        """Return one SVG element, without scripts, fonts or links."""
        return render(self.canvas, key=self.key, title=self.title, summary=self.summary)
