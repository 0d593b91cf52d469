"""Scores from few labels.  In: a drawn, labelled sample and a judge.  Out: corrected scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finassay.analyses.label_sample import LabelSample
from finassay.analyses.results_few_labels import FewLabels, Population
from finassay.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class FewLabelSettings:
    """How scores are estimated from few labels.

    Attributes:
        level: confidence level in (0, 1).
        population: of what the scores are meant.
        accept_convenience: show numbers for labels that were not drawn by a known design, without
            intervals and marked as such, instead of refusing.

    Raises:
        UsageError: a level outside (0, 1).
    """

    level: float = 0.95
    population: Population = "these items"
    accept_convenience: bool = False

    def __post_init__(self) -> None:
        if not 0.0 < self.level < 1.0:
            raise UsageError(f"`level` must be in (0, 1), got {self.level!r}; for 95% pass 0.95")


def estimate_few_labels(
    sample: LabelSample,
    settings: FewLabelSettings | None = None,
    *,
    pairs: Sequence[tuple[str, str]] | None = None,
) -> FewLabels:
    """Return the score of every system by every estimator, and the differences of pairs.

    Args:
        sample: all answers, with the labels of those that were drawn.
        settings: level and population.
        pairs: (left, right) systems whose difference is wanted; all pairs if None.

    Raises:
        UsageError: the labels were not drawn by a known design and that was not accepted, or
            there is no label at all.
        UnknownNameError: a pair names a system that is not there.
    """
    raise NotImplementedError
