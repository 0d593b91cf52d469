"""What `agree` does with pairwise judgments: of a file, and of a study beside people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from finassay.apps.cli import show
from finassay.apps.cli.lists import split_ids
from finassay.apps.cli.options import scorer_id
from finassay.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from finassay.analyses.kernels.judge_tables import Treatment
    from finassay.analyses.pairwise.people_inputs import PairPlan
    from finassay.analyses.pairwise.results import DecisionRule
    from finassay.analyses.rank_sets import Resampling


_USED: dict[str, set[str]] = {
    "--raters": {"--by", "--cluster", "--given"},
    "--pairwise": set(),
    "--pairwise-against": {
        *("--by", "--cluster", "--judge", "--baseline", "--candidate", "--with-own")
    },
}


def refuse_idle(way: str, given: Mapping[str, object]) -> None:
    """Check that every option that was given does something.

    Args:
        way: the option that says what is compared.
        given: values of the options that not every way uses.

    Raises:
        UsageError: one of them does nothing.
    """
    idle = [name for name, value in given.items() if value and name not in _USED[way]]
    if idle:
        raise UsageError(
            f"with {way} the option {idle[0]} does nothing, got {given[idle[0]]!r}; leave it out"
        )


def agree_in_file(path: Path, *, encoding: str, level: float, json: str | None) -> None:
    """Show what a file of pairwise judgments says of its judges.

    Raises:
        InputError: the file cannot be read.
    """
    if path.is_dir():
        raise InputError(
            f"{path}: expected a file of pairwise judgments, got a directory; name one"
        )
    from finassay.analyses.pairwise.report import pairwise_report
    from finassay.reports.plain import joined_lines
    from finassay.reports.tables_pairwise import tables
    from finassay.runs.pairwise import read_pairs

    found = pairwise_report(read_pairs(path, encoding=encoding), file=path.name, level=level)
    show.result("agree-pairwise", found, json, joined_lines(tables(found)))


def agree_beside_people(
    study: Path,
    against: str,
    *,
    judges: Sequence[str],
    baselines: Sequence[str],
    candidates: Sequence[str],
    plan: PairPlan,
    json: str | None,
) -> None:
    """Show how far pairwise judges and baselines of a study side with people.

    Raises:
        MissingVerdictsError: there is nothing to compare.
    """
    from finassay.analyses.pairwise.people import pairwise_people
    from finassay.analyses.pairwise.people_inputs import pair_inputs
    from finassay.apps.cli.judges import candidates_of
    from finassay.marking.view import view_study
    from finassay.reports.plain import joined_lines
    from finassay.reports.tables_pairwise_people import tables
    from finassay.study import Study

    snapshot = Study.open(study).snapshot()
    view = view_study(snapshot)
    inputs = pair_inputs(
        snapshot,
        view,
        against=[scorer_id(name) for name in split_ids(against)],
        judges=[scorer_id(name) for name in judges],
        baselines=[scorer_id(name) for name in baselines],
        candidates=candidates_of(candidates, [one.name for one in view.systems]),
    )
    found = pairwise_people(inputs, plan)
    show.result("agree-pairwise-people", found, json, joined_lines(tables(found)))


def pair_plan(
    *,
    rule: str,
    undecided: str,
    resampling: Resampling,
    level: float,
    by: Sequence[str],
    with_own: bool,
) -> PairPlan:
    """Return the plan that options ask for.

    Raises:
        UsageError: a rule or treatment that does not exist.
    """
    from finassay.analyses.pairwise.people_inputs import PairPlan

    return PairPlan(
        rule=_rule(rule),
        primary=_treatment(undecided),
        resampling=resampling,
        level=level,
        by=tuple(by),
        with_own=with_own,
    )


def _rule(text: str) -> DecisionRule:
    from finassay.analyses.pairwise.people_inputs import RULES

    for known in RULES:
        if text in {known, known.partition(" ")[0]}:
            return known
    raise UsageError(f"--decision must be both or sum, got {text!r}")


def _treatment(text: str) -> Treatment:
    from finassay.analyses.kernels.judge_tables import TREATMENTS

    for known in TREATMENTS:
        if text == known:
            return known
    raise UsageError(f"--undecided must be one of {', '.join(TREATMENTS)}, got {text!r}")
