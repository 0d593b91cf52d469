"""What an audit is made from.  In: nothing.  Out: one frozen record without frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from finassay.analyses.estimates import Settings
from finassay.analyses.extraction.study_cells import StudyCells
from finassay.analyses.results_scores import RankConvention
from finassay.errors import UnknownNameError
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item, ReportedScore, SystemKind, SystemSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRanks:
    """A printed column of ranks, to see which convention gives it.

    Attributes:
        source: where it was printed.
        column: its name.
        rows: (row label, printed value, printed rank).
        claimed: the convention that the source says it uses.
    """

    source: str
    column: str
    rows: tuple[tuple[str, str, float], ...]
    claimed: RankConvention | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditInputs:
    """Everything an audit reads, as records and matrices.

    Attributes:
        study: name of the study.
        items: every item.
        systems: every system with verdicts (its kind decides where it is shown).
        matrices: scorer id -> items x systems verdicts.
        primary: scorer id of the primary rule, a key of `matrices`.
        settings: policy for the unscored, level and interval.
        rank_convention: the convention shown first.
        versions: (table, pinned version).
        digests: (table, canonical digest).
        packages: (package, version).
        commands: commands that regenerate the audit.
        regimes: regime name -> items x systems verdicts.
        decided_by: regime name -> (family, scorer id that decides it).
        thresholds: threshold -> items x systems verdicts.
        base_threshold: the threshold that the others are compared with, a key of `thresholds`.
        lengths: system -> length of each of its replies in characters.
        cut_references: system -> rows whose logged reference is a cut copy of the item's.
        empty_replies: system -> items whose reply is empty.
        error_replies: system -> items whose reply looks like a transport error.
        trials: system -> trials per item, where there are several.
        n_predictions: predictions of the study; None where nobody counted them.
        reported: scores that exist only as printed.
        printed_ranks: printed columns of ranks.
        stored: scorer id of verdicts that came with the predictions; None without.
        judge: scorer id of the judge; None without.
        label_cells: replies to items that offer choices; None without.

    Raises:
        UnknownNameError: the primary rule, stored rule, judge or base threshold is not there.
    """

    study: str
    items: tuple[Item, ...]
    systems: tuple[SystemSpec, ...]
    matrices: Mapping[str, VerdictMatrix]
    primary: str
    settings: Settings
    rank_convention: RankConvention = "competition"
    versions: tuple[tuple[str, int], ...] = ()
    digests: tuple[tuple[str, str], ...] = ()
    packages: tuple[tuple[str, str], ...] = ()
    commands: tuple[str, ...] = ()
    regimes: Mapping[str, VerdictMatrix] = field(default_factory=dict)
    decided_by: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    thresholds: Mapping[float, VerdictMatrix] = field(default_factory=dict)
    base_threshold: float | None = None
    lengths: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    cut_references: Mapping[str, int] = field(default_factory=dict)
    empty_replies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    error_replies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    trials: Mapping[str, int] = field(default_factory=dict)
    n_predictions: int | None = None
    reported: tuple[ReportedScore, ...] = ()
    printed_ranks: tuple[PrintedRanks, ...] = ()
    stored: str | None = None
    judge: str | None = None
    label_cells: StudyCells | None = None

    def __post_init__(self) -> None:
        for role in ("primary", "stored", "judge"):
            name = getattr(self, role)
            if name is not None and name not in self.matrices:
                raise UnknownNameError(
                    f"`{role}` must be a scorer with verdicts, one of {sorted(self.matrices)}, "
                    f"got {name!r}; mark the study with it first"
                )
        if self.base_threshold is not None and self.base_threshold not in self.thresholds:
            raise UnknownNameError(
                f"`base_threshold` must be one of {sorted(self.thresholds)}, "
                f"got {self.base_threshold!r}"
            )

    @property
    def kinds(self) -> dict[str, SystemKind]:
        """Return the kind of each system by display name."""
        return {system.name: system.kind for system in self.systems}
