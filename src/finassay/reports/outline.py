"""The order in which a report is read.  In: an audit.  Out: rooms with parts, for any format."""

from __future__ import annotations

from dataclasses import dataclass

from finassay.analyses.results import Audit, Section
from finassay.reports import numbers as num
from finassay.reports import outline_evidence, outline_multiverse, outline_people
from finassay.reports.rooms import Part, Room
from finassay.reports.tables import Table, tables

SECTION_NAMES: dict[Section, str] = {
    "leaderboard": "Leaderboard",
    "regimes": "Ranks across regimes",
    "multiverse": "Under every rule tried",
    "effects": "What moves the score",
    "overturns": "Where the judge turns the verdict",
    "thresholds": "Where the threshold stands",
    "agreement": "Which rule produced the stored verdicts",
    "coverage": "What carries the evidence",
    "overlap": "Wrong on the same items",
    "concordance": "Do systems find the same things hard?",
    "documents": "Source documents",
    "truncation": "Replies cut at one length",
    "recognition": "Printed ranks",
    "categories": "Kinds of error",
    "extraction": "Extraction freedom",
    "findings": "Findings",
    "significance": "Significance",
    "rank-sets": "Ranks that the items leave open",
    "discrimination": "Difficulty and discrimination",
    "judges": outline_people.HEADING,
}

BEHIND = "The numbers behind the figure"

DEFINITION = (
    "A scoring rule, here, is how an answer is marked right or wrong; it has nothing to do with "
    "the scoring of probability forecasts. A regime chooses one rule for each family of items."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A sentence and the part that holds its evidence."""

    text: str
    anchor: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything a format needs.

    Attributes:
        title: name of the report.
        facts: (what, how many) of the verdict strip.
        strip: sentences of the verdict strip.
        rooms: in reading order.
        tables: every table by key; those that no part names are left to other formats.
        commands: that regenerate the report.
        warnings: of the whole audit.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    strip: tuple[Link, ...]
    rooms: tuple[Room, ...]
    tables: dict[str, Table]
    commands: tuple[str, ...]
    warnings: tuple[str, ...]


def anchor(section: Section) -> str:
    """Return the id of the part that a claim or a finding points to."""
    return f"s-{section}"


def outline(audit: Audit, *, no_text: bool = False) -> Report:
    """Return the report in reading order."""
    made = tables(audit, no_text=no_text)
    rooms = (
        _leaderboard(audit, made),
        _regimes(audit, made),
        *_extraction(audit),
        _findings(audit, made),
        outline_evidence.significance(audit, made),
        _items(audit, made),
        *outline_people.people_rooms(audit, made),
        _methods(audit, made, no_text=no_text),
    )
    return Report(
        title=f"Audit of {num.shortened(audit.study)}",
        facts=facts(audit),
        strip=tuple(
            Link(
                text=num.clean(claim.text),
                anchor=anchor(claim.link),
                label=SECTION_NAMES[claim.link],
            )
            for claim in audit.strip
        ),
        rooms=rooms,
        tables=made,
        commands=tuple(num.clean(command) for command in audit.commands),
        warnings=tuple(num.clean(warning) for warning in audit.warnings),
    )


def facts(audit: Audit) -> tuple[tuple[str, str], ...]:
    """Return what was counted, for the verdict strip."""
    shown = len(audit.leaderboard.persons)
    people = [("People", num.count(shown))] if shown else []
    cells = audit.n_primary_verdicts
    unscored = num.count(audit.n_unscored)
    if cells and audit.n_unscored:
        rate = num.percent(audit.n_unscored / cells, cells)
        unscored = f"{unscored} of {num.count(cells)} ({rate}%)"
    read = ("Primary verdicts", num.count(cells))
    if audit.n_predictions is not None:
        read = ("Predictions", num.count(audit.n_predictions))
    grid = (
        [] if audit.multiverse is None else [("Rules tried", num.count(audit.multiverse.n_rules))]
    )
    return (
        ("Systems", num.count(audit.n_systems)),
        *people,
        ("Items", num.count(audit.n_items)),
        ("Rules", num.count(len(audit.scorers))),
        *grid,
        read,
        ("Left unscored", unscored),
    )


def _part(
    section: Section,
    keys: tuple[str, ...],
    made: dict[str, Table],
    *,
    why: str = "",
    level: int = 3,
) -> Part:
    """Return the part of a section, with the reason in place of tables that do not exist."""
    known = tuple(key for key in keys if key in made)
    return Part(
        anchor=anchor(section),
        heading=SECTION_NAMES[section],
        level=level,
        text=() if known else (num.sentence(f"not measured: {why}"),),
        tables=known,
    )


def _leaderboard(audit: Audit, made: dict[str, Table]) -> Room:
    people = tuple(key for key in made if key.startswith("person-"))
    rule = (
        f"Primary rule: {num.clean(audit.primary)}. Systems are ranked only when they have a "
        "verdict for every item."
    )
    parts = [
        Part(
            anchor="leaderboard-main",
            text=(rule,),
            figures=("fig-leaderboard",),
            tables=("leaderboard",),
        )
    ]
    more = {
        "Every rule": ("every-rule",),
        "By family and difficulty": ("families", "difficulties"),
        "People, and every system on the same items": people,
        "As reported": ("reported",),
    }
    folded = {"By family and difficulty": ("Label families against a constant", "balanced")}
    for heading, keys in more.items():
        known = tuple(key for key in keys if key in made)
        below = folded.get(heading)
        if known:
            parts.append(
                Part(
                    anchor=f"leaderboard-{known[0]}",
                    heading=heading,
                    tables=known,
                    folded=(below,) if below is not None and below[1] in made else (),
                )
            )
    return Room(
        anchor=anchor("leaderboard"), heading=SECTION_NAMES["leaderboard"], parts=tuple(parts)
    )


def _regimes(audit: Audit, made: dict[str, Table]) -> Room:
    opening = Part(anchor="regimes-main", text=("Not measured: fewer than two regimes.",))
    if audit.regimes is not None:
        opening = Part(
            anchor="regimes-main",
            text=("The predictions are the same in every column; only the marking differs.",),
            figures=("fig-ranks", "fig-regimes"),
            tables=tuple(
                key for key in ("regimes", "regime-spread", "correlations") if key in made
            ),
            folded=(("How many systems move, by convention for ties", "moves"),),
        )
    thresholds = ("thresholds", "threshold-changes", "threshold-correlations")
    printed = (_part("recognition", ("recognition",), made),) if "recognition" in made else ()
    rules = audit.multiverse
    parts = (
        opening,
        *printed,
        *(() if rules is None else outline_multiverse.rules_parts(rules, made)),
        Part(anchor=anchor("effects"), heading=SECTION_NAMES["effects"]),
        *(() if rules is None else outline_multiverse.movers_parts(rules, made)),
        _part("overturns", ("overturns",), made, level=4, why="no judge"),
        _part("thresholds", thresholds, made, level=4, why="fewer than two thresholds"),
    )
    return Room(anchor=anchor("regimes"), heading=SECTION_NAMES["regimes"], parts=parts)


def _extraction(audit: Audit) -> tuple[Room, ...]:
    """Return the room about how labels are read, where items offer choices."""
    if audit.extraction is None:
        return ()
    text = (
        "On items with choices a rule reads a label out of the reply. The replies are fixed; what "
        "varies here is only that rule."
    )
    part = Part(
        anchor="extraction-main",
        text=(text,),
        figures=("fig-extraction",),
        tables=("extraction-tally",),
        folded=((BEHIND, "extraction"),),
    )
    return (Room(anchor=anchor("extraction"), heading=SECTION_NAMES["extraction"], parts=(part,)),)


def _findings(audit: Audit, made: dict[str, Table]) -> Room:
    agreement = _part(
        "agreement", ("agreement",), made, why="no stored verdicts, or no rule to compare with"
    )
    if audit.agreement is not None:
        agreement = Part(
            anchor=agreement.anchor,
            heading=agreement.heading,
            figures=("fig-agreement",),
            folded=((BEHIND, "agreement"),),
            lists=tuple(
                (f"First items on which {num.shortened(name)} leaves the common rule", found)
                for name in audit.agreement.outliers
                if (found := _witnesses(audit, name))
            ),
        )
    text = () if audit.findings else ("Nothing was found that needs a warning.",)
    return Room(
        anchor=anchor("findings"),
        heading=SECTION_NAMES["findings"],
        parts=(
            Part(anchor="findings-main", text=text, tables=("findings",)),
            agreement,
            _part("truncation", ("truncation",), made, why="no reply lengths"),
        ),
    )


def _witnesses(audit: Audit, system: str) -> tuple[str, ...]:
    """Return items on which the stored verdicts of an outlier leave the common rule."""
    if audit.agreement is None:
        return ()
    return tuple(
        num.clean(item)
        for distance in audit.agreement.distances
        if distance.system == system and distance.scorer == audit.agreement.common_rule
        for item in distance.witnesses
    )


def _items(audit: Audit, made: dict[str, Table]) -> Room:
    few = "fewer than two complete systems"
    opening = _part("coverage", ("bands", "strata"), made, why=few)
    if audit.coverage is not None:
        silent = tuple(num.clean(item) for item in audit.coverage.zero_information)
        opening = Part(
            anchor=opening.anchor,
            heading=opening.heading,
            figures=("fig-coverage",),
            tables=opening.tables,
            folded=((BEHIND, "by-k"),),
            lists=(("Items that separate no pair of systems", silent),) if silent else (),
        )
    return Room(
        anchor="items",
        heading="Items",
        parts=(
            opening,
            *outline_evidence.items(audit, made),
            _part("overlap", ("overlap",), made, why=few),
            _part("concordance", ("concordance",), made, why=few),
            _part("documents", ("documents", "clusters"), made, why="no item names a document"),
            _part("categories", ("categories",), made, why="no family has a category"),
        ),
    )


def _methods(audit: Audit, made: dict[str, Table], *, no_text: bool) -> Room:
    keys = tuple(
        key for key in ("settings", "systems", "inputs", "packages", "names") if key in made
    )
    left_out = "Texts of sources were left out when this report was written."
    warnings = tuple(num.sentence(warning) for warning in audit.warnings)
    return Room(
        anchor="methods",
        heading="Methods",
        parts=(
            Part(
                anchor="methods-main",
                text=(DEFINITION, left_out) if no_text else (DEFINITION,),
                tables=keys,
                lists=(("Warnings of all analyses", warnings),) if warnings else (),
            ),
        ),
    )
