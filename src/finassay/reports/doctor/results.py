"""What an examination found.  In: nothing.  Out: the frozen result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "note", "problem"]

STUDY_AREA = "study"
"""Area of all findings on a study: what is wrong there has the exit code of a study's errors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        area: what part: "package", "extra", "program", "environment", "folder", "machine" or
            "study".
        name: what was looked at, for instance the name of an extra.
        state: "ok", "note" (works, or is not needed for most) or "problem".
        said: what was found; of a secret only whether it is set.
        advice: what to do, or "".
    """

    area: str
    name: str
    state: State
    said: str
    advice: str = ""

    def to_lines(self) -> Iterator[str]:
        """Yield the finding in one line, and what to do in another."""
        yield f"{self.state:<8}{self.area} {self.name}: {self.said}"
        if self.advice:
            yield f"{'':<8}  {self.advice}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What was found on a machine and, where one was given, in a study.

    Attributes:
        version: of Finassay.
        python: version of Python.
        platform: operating system and processor.
        study: path of the study as it was given, or None.
        findings: in the order of looking.
    """

    version: str
    python: str
    platform: str
    study: str | None
    findings: tuple[Finding, ...]

    def in_state(self, state: State) -> tuple[Finding, ...]:
        """Return the findings of one state."""
        return tuple(finding for finding in self.findings if finding.state == state)

    @property
    def is_study_to_blame(self) -> bool:
        """Whether there are problems, and all of them are the study's."""
        problems = self.in_state("problem")
        return bool(problems) and all(finding.area == STUDY_AREA for finding in problems)

    def to_lines(self) -> list[str]:
        """Return the examination in plain lines, the outcome last."""
        problems, notes = len(self.in_state("problem")), len(self.in_state("note"))
        outcome = f"{problems} problem{'' if problems == 1 else 's'}" if problems else "no problem"
        return [
            f"Finassay {self.version}, Python {self.python}, {self.platform}",
            *(line for finding in self.findings for line in finding.to_lines()),
            f"{outcome}, {notes} note{'' if notes == 1 else 's'}",
        ]
