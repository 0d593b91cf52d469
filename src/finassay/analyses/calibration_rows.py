"""Agreement of calibrated rules with people.  In: marks held out.  Out: rows and tests."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.calibration import (
    Bools,
    CalibrationSettings,
    FamilyMarks,
    HeldOut,
    LabelledRows,
    final_choice,
)
from finassay.analyses.kernels.calibration import (
    Drawn,
    best_of,
    cell_counts,
    centred_p,
    f1_of,
    interval,
    kappa_of,
    resampled_agreement,
)
from finassay.analyses.kernels.families import adjusted
from finassay.analyses.results_calibration import (
    AgreementInterval,
    CalibrationRow,
    CalibrationScore,
    CalibrationStratum,
    CalibrationTest,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreements:
    """Agreement of M families in S strata, with its resamples.

    Attributes:
        cells: (S, M, 4) cells.
        left_out: for each stratum (G', M, 4) cells without one of its groups.
        drawn: for each stratum kappa and F1 in the resamples, from the same draws.
    """

    cells: Floats
    left_out: tuple[Floats, ...]
    drawn: tuple[Drawn, ...]


def resampled(held: HeldOut, rows: LabelledRows, settings: CalibrationSettings) -> Agreements:
    """Return the agreement of every family in every stratum, resampled over groups."""
    cells, left_out, drawn = [], [], []
    for _, mask in rows.all_strata:
        inside = cell_counts(
            held.is_right[mask], rows.is_yes[mask], rows.groups[mask], rows.n_groups
        )
        whole = inside.sum(axis=0)
        there = inside.sum(axis=(1, 2)) > 0
        cells.append(whole)
        left_out.append(whole - inside[there])
        # The same seed gives the same draws of groups in every stratum.
        rng = np.random.default_rng([settings.seed, 1])
        drawn.append(resampled_agreement(inside, draws=settings.resamples, rng=rng))
    return Agreements(cells=np.stack(cells), left_out=tuple(left_out), drawn=tuple(drawn))


def strata_of(rows: LabelledRows) -> tuple[CalibrationStratum, ...]:
    """Return the strata with their sizes."""
    found = []
    for name, mask in rows.all_strata:
        n, yes = int(mask.sum()), int(rows.is_yes[mask].sum())
        found.append(
            CalibrationStratum(
                name=name,
                n=n,
                n_groups=len(np.unique(rows.groups[mask])),
                n_right=yes,
                prevalence=yes / n if n else None,
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """All that rows and tests are made of.

    Attributes:
        families: what was marked, candidates first.
        rows: what people said.
        marks: the marks on rows that chose nothing.
        agreements: their agreement, resampled.
        level: confidence level.
    """

    families: tuple[FamilyMarks, ...]
    rows: LabelledRows
    marks: HeldOut
    agreements: Agreements
    level: float


def rows_of(held: Held) -> tuple[CalibrationRow, ...]:
    """Return one row a family, candidates first."""
    final = final_choice(held.families, held.rows, held.marks)
    candidates = sum(not family.is_peer for family in held.families)
    found, at = [], 0
    for m, role in enumerate(held.marks.roles):
        is_choice = role == "chosen" and candidates > 1
        place = final if is_choice else at
        found.append(_row(m, place, _picked(held, None if is_choice else place), held))
        at += not is_choice
    return tuple(found)


def _picked(held: Held, place: int | None) -> list[str]:
    """Return the id that was chosen without each fold: of a family, or of them all (None)."""
    variants = held.marks.variants
    families = held.marks.families if place is None else [place] * variants.shape[1]
    return [held.families[f].ids[variants[f, k]] for k, f in enumerate(families)]


def _row(m: int, place: int, picked: list[str], held: Held) -> CalibrationRow:
    family, rows = held.families[place], held.rows
    whole = cell_counts(family.is_right, rows.is_yes, np.zeros_like(rows.groups), 1)[0]
    best = best_of(whole)
    kappa, known = kappa_of(whole)
    return CalibrationRow(
        family=held.marks.names[m],
        role=held.marks.roles[m],
        n_variants=len(family.ids),
        spec=family.ids[best],
        fold_specs=tuple(Counter(picked).most_common()),
        default_kappa=float(kappa[0]) if known[0] else None,
        fitted_kappa=float(kappa[best]) if known[best] else None,
        scores=tuple(_score(s, m, named, held) for s, named in enumerate(rows.all_strata)),
    )


def _score(s: int, m: int, stratum: tuple[str, Bools], held: Held) -> CalibrationScore:
    name, mask = stratum
    agreements, level = held.agreements, held.level
    cells, drawn = agreements.cells[s, m], agreements.drawn[s]
    left_out = agreements.left_out[s][:, m]
    both, rule_only, people_only, neither = (int(cell) for cell in cells)
    silent = mask & ~held.marks.is_scored[:, m]
    return CalibrationScore(
        stratum=name,
        both=both,
        rule_only=rule_only,
        people_only=people_only,
        neither=neither,
        n_unscored=int(silent.sum()),
        n_unscored_right=int((silent & held.rows.is_yes).sum()),
        kappa=_interval(
            kappa_of(cells), drawn.kappa[:, m], drawn.kappa_defined[:, m], kappa_of(left_out), level
        ),
        f1=_interval(f1_of(cells), drawn.f1[:, m], drawn.f1_defined[:, m], f1_of(left_out), level),
        precision=both / (both + rule_only) if both + rule_only else None,
        recall=both / (both + people_only) if both + people_only else None,
    )


def _interval(
    point: tuple[Floats, Bools],
    drawn: Floats,
    is_defined: Bools,
    left_out: tuple[Floats, Bools],
    level: float,
) -> AgreementInterval:
    if not point[1]:
        return AgreementInterval(value=None, low=None, high=None, n_undefined=len(drawn))
    value = float(point[0])
    ends = interval(value, drawn[is_defined], left_out[0][left_out[1]], level)
    low, high = ends or (None, None)
    return AgreementInterval(value=value, low=low, high=high, n_undefined=int((~is_defined).sum()))


def tests_of(held: Held) -> tuple[CalibrationTest, ...]:
    """Return the tests of the chosen family against every other one, in every stratum.

    Holm's adjustment is for the tests of one stratum.
    """
    found: list[CalibrationTest] = []
    others = [m for m in range(len(held.marks.names)) if m != held.marks.chosen]
    for s, (name, _) in enumerate(held.rows.all_strata):
        made = [_test(s, m, name, held) for m in others]
        raw = [test.p for test in made if test.p is not None]
        holm = iter(adjusted(np.array(raw), method="holm", family=len(others)).tolist())
        found += [test if test.p is None else replace(test, adjusted=next(holm)) for test in made]
    return tuple(found)


def _test(s: int, m: int, stratum: str, held: Held) -> CalibrationTest:
    """Return the test of the chosen family against another, without adjustment."""
    marks, agreements = held.marks, held.agreements
    pair = [marks.chosen, m]
    kappa, known = kappa_of(agreements.cells[s, pair])
    drawn = agreements.drawn[s]
    is_defined = drawn.kappa_defined[:, pair].all(axis=1)
    test = CalibrationTest(
        stratum=stratum,
        left=marks.names[marks.chosen],
        right=marks.names[m],
        difference=None,
        low=None,
        high=None,
        p=None,
        adjusted=None,
        n_undefined=int((~is_defined).sum()),
    )
    if not known.all():
        return test
    away = drawn.kappa[is_defined, pair[0]] - drawn.kappa[is_defined, pair[1]]
    left_out, left_known = kappa_of(agreements.left_out[s][:, pair])
    kept = left_out[left_known.all(axis=1)]
    point = float(kappa[0] - kappa[1])
    ends = interval(point, away, kept[:, 0] - kept[:, 1], held.level)
    low, high = ends or (None, None)
    return replace(test, difference=point, low=low, high=high, p=centred_p(point, away))
