"""What an audit of provenance reads.  In: nothing.  Out: one frozen record without frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned
from finassay.analyses.provenance.results import Check, ProvenanceFinding
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.reply_matrix import ReplyMatrix
from finassay.records import (
    IMPORTED_PREFIX,
    JUDGE_PREFIX,
    PERSON_PREFIX,
    STORED,
    Item,
    ReportedScore,
    SystemKind,
)
from finassay.runs.importers.label_logs import LabelLog


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenanceInputs:
    """Everything an audit of provenance reads, as records and arrays.

    Attributes:
        study: name of the study.
        items: every item; rows of all matrices stand in this order.
        matrices: scorer id -> items x systems verdicts that the study holds.
        candidates: rule -> items x systems verdicts, made for this audit.
        replies: lengths and keys of replies; None where the study holds none.
        kinds: kind of each system by display name (model when not named).
        reported: scores that exist only as printed.
        printed_names: label of a printed row -> display name of the system it is about.
        stored: scorer id of verdicts that came with the predictions.
        judge: scorer id of the judge; None without.
        logs: label logs of the study's systems, or files named beside it.
        versions: (table, pinned version).
    """

    study: str
    items: tuple[Item, ...]
    matrices: Mapping[str, VerdictMatrix]
    candidates: Mapping[str, VerdictMatrix]
    replies: ReplyMatrix | None
    kinds: Mapping[str, SystemKind] = field(default_factory=dict)
    reported: tuple[ReportedScore, ...] = ()
    printed_names: Mapping[str, str] = field(default_factory=dict)
    stored: str = STORED
    judge: str | None = None
    logs: tuple[LabelLog, ...] = ()
    versions: tuple[tuple[str, int], ...] = ()

    @property
    def item_ids(self) -> tuple[str, ...]:
        """Return the ids of the items, in the order of all rows."""
        return tuple(item.item_id for item in self.items)

    def is_person(self, system: str) -> bool:
        """Whether a system is a person."""
        return self.kinds.get(system) == "person"

    @property
    def from_outside(self) -> dict[str, VerdictMatrix]:
        """Return the verdicts that no rule of ours made: of sources, judges and people."""
        return {name: matrix for name, matrix in self.matrices.items() if is_from_outside(name)}

    def right_by_any(self, systems: Sequence[str], rules: Sequence[str] = ()) -> NDArray[np.bool_]:
        """Return (R, C) whether any candidate rule marks the replies of these systems right.

        Args:
            systems: display names, the columns.
            rules: candidates to ask; all of them where none of these is a candidate.
        """
        found = np.zeros((len(self.items), len(systems)), dtype=np.bool_)
        asked = [rule for rule in rules if rule in self.candidates] or list(self.candidates)
        for rule in asked:
            table = aligned(self.candidates[rule], self.items)
            for j, name in enumerate(systems):
                if name in table.columns:
                    found[:, j] |= table.right[:, table.columns.index(name)]
        return found


def is_from_outside(scorer: str) -> bool:
    """Whether a scorer's verdicts were imported: of a source, a judge or a person."""
    return scorer == STORED or scorer.startswith((JUDGE_PREFIX, PERSON_PREFIX, IMPORTED_PREFIX))


@dataclass(slots=True)
class Section:
    """What one check says: itself, and what it found."""

    check: Check
    findings: list[ProvenanceFinding] = field(default_factory=list)


Sections = Iterator[Section]
