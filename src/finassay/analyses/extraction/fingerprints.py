"""Scores that a constant predictor would get.  In: label counts, printed scores.  Out: matches.

With p the share of the accepted label that is always predicted, over k accepted labels: accuracy
is p, weighted F1 is 2p²/(1+p), macro F1 is 2p/((1+p)k), and Matthews correlation is 0 (its
denominator vanishes; scikit-learn and the FLARE harness print 0).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Literal, get_args

from finassay.errors import UsageError

Metric = Literal["accuracy", "weighted_f1", "macro_f1", "mcc"]
METRICS: tuple[Metric, ...] = get_args(Metric)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantScores:
    """What always predicting one label scores.

    Attributes:
        label: the label; None for predicting none at all.
        accuracy: share of items whose accepted label it is.
        weighted_f1: F1 averaged over the accepted labels by their counts.
        macro_f1: plain mean of F1 over the accepted labels.
        mcc: Matthews correlation, 0 for every constant.
    """

    label: str | None
    accuracy: float
    weighted_f1: float
    macro_f1: float
    mcc: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantFingerprint:
    """Whether printed scores are those of a constant predictor.

    Attributes:
        printed: (metric, score as printed).
        n: items.
        constants: every constant predictor, most frequent label first, the silent one last.
        matches: labels whose constant scores round to every printed score; "" for the silent one.
        is_telling: whether a printed score other than the Matthews correlation was compared: every
            constant has a correlation of 0.
    """

    printed: tuple[tuple[Metric, str], ...]
    n: int
    constants: tuple[ConstantScores, ...]
    matches: tuple[str, ...]
    is_telling: bool

    @property
    def is_constant(self) -> bool:
        """Whether the printed scores are those of a constant predictor."""
        return self.is_telling and bool(self.matches)


def constant_scores(gold_counts: Mapping[str, int]) -> tuple[ConstantScores, ...]:
    """Return what every constant predictor scores, most frequent label first, the silent one last.

    Raises:
        UsageError: a count is negative, or there are no items.
    """
    exact = _exact(gold_counts)
    return tuple(
        ConstantScores(label=label or None, **{name: float(value) for name, value in found.items()})
        for label, found in exact.items()
    )


def constant_fingerprint(
    gold_counts: Mapping[str, int], printed: Mapping[Metric, str]
) -> ConstantFingerprint:
    """Return the constant predictors whose scores round to the printed ones.

    Args:
        gold_counts: accepted label -> number of items.
        printed: metric -> the score as printed, a fraction such as "0.52" or percent such as
            "52.4%"; the digits printed decide how closely it must agree.

    Raises:
        UsageError: an unknown metric, a score that is no number, or no score at all.
    """
    if not printed or set(printed) - set(METRICS):
        raise UsageError(
            f"`printed` must give one or more of {METRICS}, got {sorted(printed)!r}; pass the "
            f"score as printed, for instance weighted_f1='0.52'"
        )
    exact = _exact(gold_counts)
    bands = {metric: _band(metric, text) for metric, text in printed.items()}
    matches = tuple(
        label
        for label, scores in exact.items()
        if all(low <= scores[metric] <= high for metric, (low, high) in bands.items())
    )
    return ConstantFingerprint(
        printed=tuple(printed.items()),
        n=sum(gold_counts.values()),
        constants=constant_scores(gold_counts),
        matches=matches,
        is_telling=bool(set(printed) - {"mcc"}),
    )


def _exact(gold_counts: Mapping[str, int]) -> dict[str, dict[Metric, Fraction]]:
    """Return label -> metric -> score, with "" for a predictor that never names a label."""
    n = sum(gold_counts.values())
    if n < 1 or min(gold_counts.values()) < 0 or "" in gold_counts:
        raise UsageError(
            f"`gold_counts` must give one item or more by label, none negative and no label "
            f"empty, got {dict(gold_counts)!r}"
        )
    held = {label: count for label, count in gold_counts.items() if count}
    found: dict[str, dict[Metric, Fraction]] = {}
    for label in sorted(gold_counts, key=lambda name: -gold_counts[name]):
        share = Fraction(gold_counts[label], n)
        f1 = 2 * share / (1 + share)
        found[label] = {
            "accuracy": share,
            "weighted_f1": share * f1,
            "macro_f1": f1 / len(held),
            "mcc": Fraction(0),
        }
    found[""] = dict.fromkeys(METRICS, Fraction(0))
    return found


def _band(metric: str, text: str) -> tuple[Fraction, Fraction]:
    """Return the least and greatest score that is printed so."""
    bare = text.strip()
    scale = 100 if bare.endswith("%") else 1
    try:
        number = Decimal(bare.removesuffix("%").strip())
    except InvalidOperation:
        number = Decimal("NaN")
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int):
        raise UsageError(f"`{metric}` must be a printed number such as '0.52', got {text!r}")
    half = Fraction(10) ** exponent / 2
    middle = Fraction(number)
    return (middle - half) / scale, (middle + half) / scale
