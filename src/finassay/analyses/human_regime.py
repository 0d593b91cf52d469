"""The regime of people among others.  In: regimes.  Out: those that can be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from finassay.marking.matrix import ABSENT, STATUS_CODES, VerdictMatrix
from finassay.marking.regimes import HUMAN_REGIME


def comparable_regimes(
    regimes: Mapping[str, VerdictMatrix], systems: Sequence[str]
) -> Mapping[str, VerdictMatrix]:
    """Return the regimes, without that of people where they labelled a part of the replies only.

    Labels are often a sample: the regime of people would then leave nearly all systems out of every
    comparison.  `finassay judges` shows it by itself.

    Args:
        regimes: name -> items x systems verdicts.
        systems: those that are to be compared.
    """
    people = regimes.get(HUMAN_REGIME)
    others = {name: matrix for name, matrix in regimes.items() if name != HUMAN_REGIME}
    if people is None:
        return regimes
    gap = (people.status == STATUS_CODES["failed"]) | (people.status == ABSENT)
    whole = {name for name, has in zip(people.columns, gap.any(axis=0), strict=True) if not has}
    compared = {name for matrix in others.values() for name in matrix.columns} & set(systems)
    return regimes if compared <= whole else others
