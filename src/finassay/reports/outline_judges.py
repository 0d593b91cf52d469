"""The room about judges.  In: results about judges.  Out: tables by key, and a room with parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from finassay.analyses.judges.results_compare import Judges
from finassay.analyses.judges.standing import told_figure
from finassay.analyses.wording import plural
from finassay.reports import numbers as num
from finassay.reports import tables_judge_pairs as beside
from finassay.reports import tables_judges as made
from finassay.reports.rooms import Part, Room
from finassay.reports.table import Gaps, Table, lefts, rights
from finassay.reports.tables_evidence import agreement, prevalence

ANCHOR = "s-judges"


TOLERANCES = "judge-tolerance"
"""Beginning of the keys of tables about rounding clauses, one or two a judge."""

_Part = tuple[str, str, tuple[str, ...], tuple[tuple[str, str], ...]]
"""Anchor, heading, keys of tables in the open, and of those folded away."""

_PARTS: tuple[_Part, ...] = (
    ("main", "", ("judge-findings", "judges"), ()),
    (
        "answers",
        "When the judge could not answer itself",
        ("judge-conditional", "judge-self-preference"),
        (),
    ),
    (
        "variants",
        "Other references, wordings and rounding clauses",
        (TOLERANCES, "judge-wrong-references"),
        (("Each two variants on common replies", "judge-comparisons"),),
    ),
    (
        "rankings",
        "What judges do to the ranking",
        ("judge-overturns", "judge-regimes", "human-leaderboard"),
        (),
    ),
    ("silence", "Credit for silence", ("judge-silence",), ()),
    (
        "people",
        "People",
        ("judge-consensus", "people-pairs"),
        (
            ("Agreement of all people", "people"),
            ("How often each person gives each label", "people-prevalence"),
        ),
    ),
    (
        "disputes",
        "Where judges differ",
        ("judge-pairs",),
        (("Whom people side with", "judge-sides"),),
    ),
    (
        "details",
        "Unreadable verdicts and strata",
        ("judge-counts",),
        (
            ("Agreement by how unreadable verdicts are counted", "judge-treatments"),
            ("Agreement by stratum", "judge-strata"),
        ),
    ),
)


def judge_tables(result: Judges) -> dict[str, Table]:
    """Return every table that a result about judges gives, by key, in reading order."""
    found = [
        made.findings(result),
        made.standings(result),
        made.conditional(result),
        made.self_preference(result),
        beside.comparisons(result),
        *(
            table
            for at, one in enumerate(result.tolerances)
            for table in beside.tolerances(one, at)
        ),
        beside.wrong_references(result),
        made.treatments(result),
        made.counts(result),
        made.strata(result),
        made.consensus(result),
        beside.people_pairs(result),
        None if result.people is None else replace(agreement(result.people), key="people"),
        None
        if result.people is None
        else replace(prevalence(result.people), key="people-prevalence"),
        beside.pairs(result),
        beside.sides(result),
        beside.overturns(result),
        beside.regimes(result),
        beside.human_leaderboard(result),
        silence(result),
    ]
    return {table.key: table for table in found if table is not None}


def silence(result: Judges) -> Table:
    """Return the credit for replies that hold no whole answer."""
    gaps = Gaps()
    return Table(
        key="judge-silence",
        caption="Replies without a whole answer that judges mark CORRECT",
        columns=(
            *lefts("Judge", "Replies"),
            *rights("Marked CORRECT, %", "CORRECT by people"),
            *lefts("Systems", "First of them"),
        ),
        rows=tuple(
            (
                made.judge_name(one.scorer_id),
                one.kind,
                made.counted(one.marked, gaps),
                num.count(one.n_people_correct),
                num.listed((f"{num.shortened(name)} {k}" for name, k in one.by_system), 4),
                num.listed(
                    (f"{num.shortened(name)} {num.clean(item)}" for name, item in one.items), 4
                ),
            )
            for one in result.silence
        ),
        notes=gaps.notes("" if result.silence else "No judge gives such credit."),
    )


def opening(result: Judges) -> tuple[str, ...]:
    """Return the paragraphs that a reader needs before the tables."""
    if result.consensus is None:
        names = num.listed(
            dict.fromkeys(made.judge_name(one.identity.scorer_id) for one in result.judges)
        )
        text = (
            f"Not calibrated: the study holds no labels of people. {names} may agree or disagree "
            "with the rule, but nothing here says whether a judge is right."
        )
        return (text,)
    told = [
        f"{made.judge_name(one.identity.scorer_id)}: {made.STANDINGS[one.standing]}"
        + ("" if one.agreement is None else f", kappa {told_figure(one.agreement.primary.kappa)}")
        for one in result.judges
        if not one.identity.is_control
    ]
    return (
        f"People settled {plural(result.consensus.n_settled, 'reply', 'replies')} of "
        f"{num.count(result.consensus.n_labelled)} labelled. " + "; ".join(told) + ".",
        num.sentence(result.calibration.text),
    )


def judges_room(result: Judges, tables: Mapping[str, Table]) -> Room:
    """Return the section about judges and people.

    Args:
        result: the reliability of judges.
        tables: what `judge_tables` gives; a part whose tables are not there is left out.
    """
    made_parts = [
        Part(
            anchor=f"{ANCHOR}-{name}",
            heading=heading,
            text=opening(result) if name == "main" else (),
            tables=_held(keys, tables),
            folded=tuple(pair for pair in folded if pair[1] in tables),
        )
        for name, heading, keys, folded in _PARTS
    ]
    return Room(
        anchor=ANCHOR,
        heading="Judges and people",
        parts=tuple(part for part in made_parts if part.text or part.tables or part.folded),
    )


def _held(keys: tuple[str, ...], tables: Mapping[str, Table]) -> tuple[str, ...]:
    """Return the keys of tables that are there; that of rounding clauses stands for all of them."""
    shifts = tuple(key for key in tables if key.startswith(TOLERANCES))
    return tuple(
        found
        for key in keys
        for found in (shifts if key == TOLERANCES else (key,))
        if found in tables
    )
