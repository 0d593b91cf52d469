"""What is wrong with a contract or an item.  In: a place and a finding.  Out: one line to read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from finassay.errors import InputError

Severity = Literal["error", "warning"]

LONGEST = 80
"""Characters of a value that a message quotes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractProblem:
    """One thing that is wrong with a contract or with one of its items.

    Attributes:
        file: name of the file.
        line: line in it, from 1.
        field: what is wrong, as `artifact.kind`.
        expected: what should stand there.
        got: what stands there.
        advice: what to do.
        severity: "error" where the contract or item must not be used, "warning" where someone
            has to look.
        item_id: the item, "" where the problem is the contract's.
    """

    file: str
    line: int
    field: str
    expected: str
    got: str
    advice: str
    severity: Severity = "error"
    item_id: str = ""

    def to_line(self) -> str:
        """Return the problem as one line: where, what, expected, got, what to do."""
        item = f" ({self.item_id})" if self.item_id else ""
        return (
            f"{self.file}:{self.line}: {self.severity}: `{self.field}`{item}: expected "
            f"{self.expected}, got {self.got}; {self.advice}"
        )


def quoted(value: object) -> str:
    """Return a value as it stands in a message, cut when it is long."""
    shown = repr(value)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}..."


def refuse(problems: Iterable[ContractProblem]) -> None:
    """Raise one error that lists every problem, if there is any error among them.

    Raises:
        InputError: there is.
    """
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise InputError("\n".join(problem.to_line() for problem in errors))
