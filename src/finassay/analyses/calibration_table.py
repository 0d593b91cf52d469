"""Calibration of scorers on a table.  In: labelled replies and families.  Out: a calibration."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.calibration import (
    CalibrationSettings,
    FamilyMarks,
    HeldOut,
    LabelledRows,
    final_choice,
    held_out_marks,
    require_labels,
)
from finassay.analyses.calibration_kinds import disagreements
from finassay.analyses.calibration_rows import Held, resampled, rows_of, strata_of, tests_of
from finassay.analyses.clusters import FEW
from finassay.analyses.results_calibration import Calibration, CalibrationRow
from finassay.errors import UsageError
from finassay.marking.candidates import CandidateMarker
from finassay.marking.grids import Family
from finassay.records import Verdict
from finassay.runs.importers.labelled import LabelledTable
from finassay.scorers.base import Scorer
from finassay.scorers.registry import scorer_id_of, to_spec

Bools = NDArray[np.bool_]
Progress = Callable[[int, int, str], None]

METHOD = (
    "each reply is marked by the variant with the highest kappa on the other folds; all replies "
    "of a group are in one fold; ties go to the variant with the fewest changes; Cohen's kappa "
    "(1960) and F1 of right against the rest, BCa intervals and tests by drawing whole groups, the "
    "same for all rules; p counts resampled differences at least as far from the observed one as "
    "that is from zero; Holm (1979) within each stratum"
)

FIXED_CHOICES = (
    "intervals and tests hold the choices of the folds fixed: they do not show how far another "
    "sample would have led to other choices"
)

UNSCORED = "a verdict without a value counts as not marked right"

MOST_VALUES = 20
"""Values of a column beyond which it cannot be cut by."""

_CONDITION = ("!=", "=")


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationPlan:
    """What is asked of a calibration.

    Attributes:
        positive: labels that count as right, at least one.
        families: scorers with their variants, candidates and peers.
        strata: columns to cut by, or conditions such as "reference-type=text,label!=Refusal".
        settings: folds, seed, resamples and level.
        absent: (peer, why it is not among the families).
        only: conditions, as for strata, that rows must meet; others take no part at all.
        no_text: leave references, readings and reasons out of the result.
    """

    positive: tuple[str, ...]
    families: tuple[Family, ...]
    strata: tuple[str, ...] = ()
    settings: CalibrationSettings = field(default_factory=CalibrationSettings)
    absent: tuple[tuple[str, str], ...] = ()
    only: tuple[str, ...] = ()
    no_text: bool = False


def calibrate(
    table: LabelledTable, plan: CalibrationPlan, *, progress: Progress | None = None
) -> Calibration:
    """Return the scorer that agrees best with people, and how well, beside all others.

    Raises:
        UsageError: a label or stratum that the table does not hold, labels of one kind only, too
            few groups, or no candidate.
    """
    for condition in plan.only:
        table = _narrowed(table, condition)
    rows = labelled_rows(table, plan)
    require_labels(rows, plan.settings)
    ordered = tuple(sorted(plan.families, key=lambda family: family.is_peer))
    marker = CandidateMarker(table.rows)
    marks = tuple(_marked(marker, ordered, progress))
    held_out = held_out_marks(marks, rows, plan.settings)
    held = Held(
        families=marks,
        rows=rows,
        marks=held_out,
        agreements=resampled(held_out, rows, plan.settings),
        level=plan.settings.level,
    )
    found = rows_of(held)
    chosen = final_choice(marks, rows, held_out)
    scorer = _scorer_of(ordered[chosen], found[chosen].spec)
    verdicts = _held_out_verdicts(marker, ordered, held_out)
    is_yes = rows.is_yes.tolist()
    settings = plan.settings
    return Calibration(
        table=table.source,
        digest=table.digest,
        label=table.columns.label,
        positive=plan.positive,
        group=table.columns.group,
        only=plan.only,
        n=len(table.rows),
        n_left_out=len(table.bad),
        n_groups=rows.n_groups,
        labels=tuple(Counter(row.label for row in table.rows).most_common()),
        folds=settings.folds,
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
        unscored=UNSCORED,
        strata=strata_of(rows),
        chosen=marks[chosen].name,
        spec=spec_text(scorer, table, plan, found[held_out.chosen]),
        rows=found,
        absent=plan.absent,
        family_size=len(found) - 1,
        tests=tests_of(held),
        disagreements=disagreements(verdicts, table.rows, is_yes, no_text=plan.no_text),
        warnings=_warnings(rows, found, table),
        method=METHOD,
    )


def _narrowed(table: LabelledTable, condition: str) -> LabelledTable:
    """Return the table with the rows that meet a condition.

    Raises:
        UsageError: it is no condition, or no row meets it.
    """
    if not any(sign in condition for sign in _CONDITION):
        raise UsageError(
            f"`only` takes conditions, as reference-type=text,label!=Refusal, got {condition!r}"
        )
    ((_, mask),) = strata_masks(table, condition)
    kept = tuple(row for row, is_in in zip(table.rows, mask.tolist(), strict=True) if is_in)
    return replace(table, rows=kept)


def labelled_rows(table: LabelledTable, plan: CalibrationPlan) -> LabelledRows:
    """Return what people said, the groups and the strata of a table, as arrays.

    Raises:
        UsageError: no row has one of the positive labels, or a stratum cannot be read.
    """
    labels = [row.label for row in table.rows]
    for name in plan.positive or ("",):
        if name not in labels:
            raise UsageError(
                f"{table.source}: no row has the label {name!r} in column "
                f"{table.columns.label!r}; there are {sorted(set(labels))[:MOST_VALUES]!r}"
            )
    _, groups = np.unique(np.array([row.group for row in table.rows]), return_inverse=True)
    return LabelledRows(
        is_yes=np.array([label in plan.positive for label in labels], dtype=np.bool_),
        groups=groups.astype(np.int64),
        strata=tuple(part for asked in plan.strata for part in strata_masks(table, asked)),
    )


def strata_masks(table: LabelledTable, asked: str) -> list[tuple[str, Bools]]:
    """Return the strata that a column, or a list of conditions, makes.

    A column makes one stratum of each of its values.  Conditions, COLUMN=VALUE or COLUMN!=VALUE
    with commas between, make one of the rows that meet them all.

    Raises:
        UsageError: the column has too many values, or no row meets the conditions.
        MappingError: there is no such column.
    """
    if not any(sign in asked for sign in _CONDITION):
        values = np.array(table.stratum(asked), dtype=object)
        names = sorted(set(values.tolist()))
        if len(names) > MOST_VALUES:
            raise UsageError(
                f"the stratum {asked!r} has {len(names)} values, expected at most {MOST_VALUES}; "
                f"name the ones to look at, as {asked}=VALUE"
            )
        return [(f"{asked}={name}", values == name) for name in names]
    mask = np.ones(len(table.rows), dtype=np.bool_)
    for condition in asked.split(","):
        mask &= _meets(table, condition)
    if not mask.any():
        raise UsageError(f"no row of {table.source} meets the stratum {asked!r}; check its values")
    return [(asked, mask)]


def stratum_columns(asked: str) -> tuple[str, ...]:
    """Return the columns that a stratum reads."""
    if not any(sign in asked for sign in _CONDITION):
        return (asked,)
    return tuple(part.partition("=")[0].removesuffix("!").strip() for part in asked.split(","))


def _meets(table: LabelledTable, condition: str) -> Bools:
    for sign in _CONDITION:
        column, found, value = condition.partition(sign)
        if found:
            values = np.array(table.stratum(column.strip()), dtype=object)
            is_equal = np.asarray(values == value.strip(), dtype=np.bool_)
            return ~is_equal if sign == "!=" else is_equal
    raise UsageError(
        f"a condition of a stratum is COLUMN=VALUE or COLUMN!=VALUE, got {condition!r}"
        "; write it as label=right"
    )


def _marked(
    marker: CandidateMarker, families: Sequence[Family], progress: Progress | None
) -> list[FamilyMarks]:
    total = sum(len(family.scorers) for family in families)
    done, found = 0, []
    for family in families:

        def advance(at: int, _: int, label: str, before: int = done) -> None:
            if progress is not None:
                progress(before + at, total, label)

        is_right, is_scored = marker.right(family.scorers, advance)
        done += len(family.scorers)
        found.append(
            FamilyMarks(
                name=family.name,
                ids=family.ids,
                is_right=is_right,
                is_scored=is_scored,
                is_peer=family.is_peer,
            )
        )
    return found


def _scorer_of(family: Family, scorer_id: str) -> Scorer:
    return family.scorers[family.ids.index(scorer_id)]


def _held_out_verdicts(
    marker: CandidateMarker, families: Sequence[Family], held: HeldOut
) -> list[Verdict]:
    """Return the verdict of the choice on each row, by the variant of the row's fold."""
    picked = [(f, int(held.variants[f, k])) for k, f in enumerate(held.families.tolist())]
    made: Mapping[tuple[int, int], tuple[Verdict, ...]] = {
        (f, v): marker.verdicts(families[f].scorers[v]) for f, v in set(picked)
    }
    return [made[picked[fold]][at] for at, fold in enumerate(held.folds.tolist())]


def spec_text(
    scorer: Scorer, table: LabelledTable, plan: CalibrationPlan, row: CalibrationRow
) -> str:
    """Return the scorer's spec with how it came about, as JSON that `from_spec` reads."""
    made = json.loads(to_spec(scorer))
    kappa = row.scores[0].kappa
    made["calibration"] = {
        "scorer_id": scorer_id_of(scorer),
        "table": table.source,
        "digest": table.digest,
        "n": len(table.rows),
        "positive": list(plan.positive),
        "group": table.columns.group,
        "only": list(plan.only),
        "folds": plan.settings.folds,
        "seed": plan.settings.seed,
        "held_out_kappa": kappa.value,
        "interval": [kappa.low, kappa.high],
    }
    return json.dumps(made, ensure_ascii=False, sort_keys=True)


def _warnings(
    rows: LabelledRows, found: Sequence[CalibrationRow], table: LabelledTable
) -> tuple[str, ...]:
    out = [FIXED_CHOICES]
    few = [s.name for s in strata_of(rows) if s.n_groups < FEW]
    if few:
        out.append(f"fewer than {FEW} groups, so intervals and p are rough: {', '.join(few)}")
    if len(table.bad):
        first = table.bad[0]
        out.append(
            f"{len(table.bad)} rows cannot be used; the first: {first.file}:{first.line}: "
            f"{first.reason}"
        )
    unread = [row.family for row in found if row.role == "candidate" and row.n_variants == 1]
    if unread:
        out.append(f"nothing was chosen for {', '.join(unread)}: it has no variants")
    return tuple(out)
