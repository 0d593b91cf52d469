"""The installed scorers, described.  In: entry points.  Out: a list for people and programs."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields, is_dataclass

from finassay.errors import UnknownNameError
from finassay.scorers.registry import scorer_class, scorer_names

IMPORTED = (
    ("stored", "the verdicts that a source wrote beside its predictions"),
    ("judge/NAME", "the verdicts of a judge"),
    ("person/NAME", "the labels of a person"),
    ("imported/NAME", "a column of a verdict table that was given no other name"),
)
"""Names of verdicts that come from outside, and what they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerEntry:
    """One installed scorer.

    Attributes:
        name: name by which it is asked for.
        version: version; it changes whenever a verdict could change.
        summary: what it does, in one sentence.
        parameters: (name, default as text).
        published: whether it reproduces a published rule with that rule's own treatment of silence.
        problem: why it cannot be loaded, or "".
    """

    name: str
    version: str
    summary: str
    parameters: tuple[tuple[str, str], ...]
    published: bool
    problem: str = ""

    def to_lines(self) -> list[str]:
        """Return the entry in plain lines."""
        if self.problem:
            return [f"{self.name}: {self.problem}"]
        listed = ", ".join(f"{name}={default}" for name, default in self.parameters)
        return [f"{self.name} (version {self.version})", f"  {self.summary}", f"  {listed}"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerCatalogue:
    """All installed scorers, and the names of verdicts that are imported.

    Attributes:
        scorers: by name.
        imported: (name, what its verdicts are).
    """

    scorers: tuple[ScorerEntry, ...]
    imported: tuple[tuple[str, str], ...]

    def to_lines(self) -> list[str]:
        """Return the catalogue in plain lines."""
        return [
            *(line for entry in self.scorers for line in entry.to_lines()),
            "",
            "imported, never computed:",
            *(f"  {name}: {what}" for name, what in self.imported),
        ]


def scorer_catalogue() -> ScorerCatalogue:
    """Return the installed scorers; one that cannot be loaded is listed with the reason."""
    return ScorerCatalogue(
        scorers=tuple(_entry(name) for name in scorer_names()), imported=IMPORTED
    )


def _entry(name: str) -> ScorerEntry:
    try:
        found = scorer_class(name)
    except UnknownNameError as error:
        return ScorerEntry(
            name=name, version="", summary="", parameters=(), published=False, problem=str(error)
        )
    return ScorerEntry(
        name=name,
        version=str(getattr(found, "version", "")),
        summary=(found.__doc__ or "").partition("\n")[0].partition("`: ")[2],
        parameters=_parameters(found),
        published=bool(getattr(found, "published", False)),
    )


def _parameters(found: object) -> tuple[tuple[str, str], ...]:
    if not is_dataclass(found):
        return ()
    return tuple(
        (f.name, "(required)" if f.default is MISSING else repr(f.default)) for f in fields(found)
    )
