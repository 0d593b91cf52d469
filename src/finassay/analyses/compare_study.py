"""From a study to its comparisons.  In: a view of a study.  Out: tests of pairs and of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from finassay.analyses.alignment import aligned
from finassay.analyses.compare import CompareSettings, compare
from finassay.analyses.results_compare import Comparisons
from finassay.errors import UnknownNameError
from finassay.marking.matrix import ABSENT, VerdictMatrix
from finassay.marking.regimes import REGIME_PREFIX
from finassay.marking.view import StudyView

PERSON_RULE = "strict/numbers-first"
"""Rule that marks people's answers where the rule compared holds no verdict on them."""


def compare_study(
    view: StudyView,
    *,
    rule: str,
    settings: CompareSettings,
    pairs: Sequence[tuple[str, str]] | None = None,
    person_rule: str | None = None,
) -> Comparisons:
    """Return tests of the systems of a study under one rule, and of its people on their items.

    People enter with the verdicts of `person_rule` where it is given; else with those of the rule
    itself, and where that did not mark them (stored verdicts of a release seldom cover its
    annotators) with those of the strict rule.  A warning says so.

    Args:
        view: the study.
        rule: a scorer id, or regime/NAME.
        settings: policy, clusters, family and the rest.
        pairs: (left, right) systems; every pair by default.
        person_rule: scorer id whose verdicts people enter with.

    Raises:
        UnknownNameError: the study holds no verdicts of the rule, or no such system.
    """
    rules = {**view.matrices, **{f"{REGIME_PREFIX}{k}": m for k, m in view.regimes.items()}}
    if rule not in rules:
        raise UnknownNameError(
            f"the study holds no verdicts of {rule!r}; there are: {', '.join(sorted(rules))}"
        )
    matrix = aligned(rules[rule], view.items)
    people = [spec.name for spec in view.systems if spec.kind == "person"]
    if person_rule is not None and person_rule not in rules:
        raise UnknownNameError(
            f"the study holds no verdicts of {person_rule!r} to mark people with; run "
            f"`finassay score STUDY --scorer {person_rule}` first"
        )
    lender = person_rule or PERSON_RULE
    lacking = [name for name in people if person_rule or not _has_verdicts(matrix, name)]
    matrix, lent = _with_columns(matrix, view, rules, lacking, lender)
    present = [name for name in people if _has_verdicts(matrix, name)]
    found = compare(
        matrix,
        view.items,
        rule=rule,
        settings=settings,
        pairs=pairs,
        persons=present if pairs is None else (),
    )
    notes = [f"answers of {', '.join(lent)} are marked by {lender}"] if lent else []
    return replace(found, warnings=(*found.warnings, *notes))


def _has_verdicts(matrix: VerdictMatrix, name: str) -> bool:
    if name not in matrix.columns:
        return False
    return bool((matrix.status[:, matrix.columns.index(name)] != ABSENT).any())


def _with_columns(
    matrix: VerdictMatrix,
    view: StudyView,
    rules: Mapping[str, VerdictMatrix],
    names: Sequence[str],
    rule: str,
) -> tuple[VerdictMatrix, list[str]]:
    """Return the matrix with the named columns taken from another rule, and their names."""
    lent = [name for name in names if rule in rules and _has_verdicts(rules[rule], name)]
    if not lent:
        return matrix, []
    other = aligned(rules[rule].select(columns=lent), view.items)
    own = [name for name in matrix.columns if name not in lent]
    kept = matrix.select(columns=own)
    return (
        VerdictMatrix(
            values=np.hstack([kept.values, other.values]),
            status=np.hstack([kept.status, other.status]),
            row_names=matrix.row_names,
            rows=matrix.rows,
            column_name=matrix.column_name,
            columns=(*kept.columns, *other.columns),
        ),
        lent,
    )
