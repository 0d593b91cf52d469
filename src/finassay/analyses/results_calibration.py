"""Results of a calibration.  In: nothing.  Out: frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["candidate", "chosen", "peer"]
Outcome = Literal["accepted", "rejected", "no value"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationStratum:
    """Some of the rows.

    Attributes:
        name: "all", or the condition, such as "reference-type=number".
        n: rows.
        n_groups: groups that they stand in.
        n_right: rows that people call right.
        prevalence: n_right / n; None without rows.
    """

    name: str
    n: int
    n_groups: int
    n_right: int
    prevalence: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementInterval:
    """A statistic with its interval.

    Attributes:
        value: its value; None where it is undefined.
        low: low end; None where it cannot be made.
        high: high end.
        n_undefined: resamples in which it has no value.
    """

    value: float | None
    low: float | None
    high: float | None
    n_undefined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationScore:
    """Agreement of one rule with people in one stratum, on rows that chose nothing.

    Attributes:
        stratum: name of the stratum.
        both: rows that both call right.
        rule_only: rows that only the rule marks right.
        people_only: rows that only people call right, unscored ones included.
        neither: rows that neither calls right, unscored ones included.
        n_unscored: rows without a value; they count as not marked right.
        n_unscored_right: of these, rows that people call right.
        kappa: Cohen's kappa.
        f1: F1 of "right".
        precision: share that people call right among those the rule does; None without any.
        recall: share that the rule marks right among those people do; None without any.
    """

    stratum: str
    both: int
    rule_only: int
    people_only: int
    neither: int
    n_unscored: int
    n_unscored_right: int
    kappa: AgreementInterval
    f1: AgreementInterval
    precision: float | None
    recall: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationRow:
    """One family of rules: a scorer with its variants.

    Attributes:
        family: the scorer as it was asked for.
        role: "candidate", "chosen" (the best family picked by inner folds) or "peer".
        n_variants: variants that were chosen from.
        spec: id of the variant that all rows choose.
        fold_specs: (id, outer folds that chose it), most frequent first.
        default_kappa: kappa of the scorer as it was asked for, over all rows; None if undefined.
        fitted_kappa: kappa of `spec` over all rows, which chose it: too favourable by what the
            choice gains from these rows.
        scores: one entry a stratum, on rows that chose nothing.
    """

    family: str
    role: Role
    n_variants: int
    spec: str
    fold_specs: tuple[tuple[str, int], ...]
    default_kappa: float | None
    fitted_kappa: float | None
    scores: tuple[CalibrationScore, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationTest:
    """A paired test of two families: is the difference of their kappas zero?

    Attributes:
        stratum: name of the stratum.
        left: family that was chosen.
        right: other family.
        difference: kappa of the left less that of the right; None if either is undefined.
        low: low end of its interval.
        high: high end.
        p: two-sided, by resampling groups.
        adjusted: p after Holm's adjustment for the tests of the stratum.
        n_undefined: resamples in which a kappa has no value.
    """

    stratum: str
    left: str
    right: str
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    adjusted: float | None
    n_undefined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DisagreementExample:
    """A reply on which the chosen rule and people disagree.

    Attributes:
        row: line or number of the record in the table.
        label: what people said.
        reference: the accepted answer; None with texts left out, or where there is none.
        extracted: what the rule took from the reply; None likewise.
        reason: why the rule marked as it did; "" with texts left out.
    """

    row: int
    label: str
    reference: str | None
    extracted: str | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DisagreementKind:
    """Replies on which the chosen rule and people disagree for one kind of reason.

    Attributes:
        outcome: "accepted" (people say no), "rejected" or "no value" (people say yes).
        because: the flags of the verdict, or its reason without numbers and quotations.
        n: how many replies.
        labels: (what people said, how many), most frequent first.
        rows: lines or numbers of the records.
        examples: the first of them.
    """

    outcome: Outcome
    because: str
    n: int
    labels: tuple[tuple[str, int], ...]
    rows: tuple[int, ...]
    examples: tuple[DisagreementExample, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A scorer chosen by its agreement with people, with what stands beside it.

    Attributes:
        table: name of the file.
        digest: SHA-256 over its references, replies, labels, groups and questions.
        label: column of people's labels.
        positive: labels that count as right.
        group: column whose rows are not independent.
        only: conditions that rows had to meet.
        n: rows that were used.
        n_left_out: rows that could not be.
        n_groups: groups.
        labels: (label, rows).
        folds: outer folds, and inner folds where a family is chosen too.
        seed: seed of folds and resamples.
        resamples: resamples of the groups.
        level: confidence level.
        unscored: what is done with verdicts without a value.
        strata: all rows first.
        chosen: family that was chosen over all rows.
        spec: the chosen scorer as JSON, as `--scorer @FILE` reads it.
        rows: candidates first, then peers.
        absent: (peer, why it is not in the table).
        family_size: tests that p is adjusted for in each stratum.
        tests: the chosen family against each other one, by stratum.
        disagreements: kinds of disagreement of the chosen family, on rows that chose nothing.
        warnings: what a reader must know.
        method: how the figures are made.
    """

    table: str
    digest: str
    label: str
    positive: tuple[str, ...]
    group: str
    only: tuple[str, ...]
    n: int
    n_left_out: int
    n_groups: int
    labels: tuple[tuple[str, int], ...]
    folds: int
    seed: int
    resamples: int
    level: float
    unscored: str
    strata: tuple[CalibrationStratum, ...]
    chosen: str
    spec: str
    rows: tuple[CalibrationRow, ...]
    absent: tuple[tuple[str, str], ...]
    family_size: int
    tests: tuple[CalibrationTest, ...]
    disagreements: tuple[DisagreementKind, ...]
    warnings: tuple[str, ...]
    method: str
