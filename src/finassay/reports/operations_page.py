"""Operations as a page of their own.  In: a result and a directory.  Out: HTML and Markdown."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from finassay.analyses.operations.results import OperationsResult
from finassay.analyses.operations.results_ask import AskComparison
from finassay.reports import figures_ask_ranks, figures_operations
from finassay.reports import numbers as num
from finassay.reports.drawings import Figure
from finassay.reports.html import page
from finassay.reports.markdown import pages
from finassay.reports.outline import Link, Report
from finassay.reports.rooms import Part, Room
from finassay.reports.table import Table
from finassay.reports.tables_operations import operation_tables
from finassay.reports.terminal_operations import ask_sentences, head, sentences
from finassay.reports.write import write_texts

REGRET = (
    "Regret of a shortlist of k: highest score minus the highest score of the systems with a "
    "knowledge rank of at most k; ties at the cut are kept."
)
BEHIND = "The numbers behind the figure"


def operations_report(found: OperationsResult, commands: Sequence[str] = ()) -> Report:
    """Return the report about operations in reading order."""
    made = operation_tables(found)
    asked = [] if found.ask is None else ask_sentences(found.ask)
    said = [text for text in sentences(found) if text not in asked]
    places = [("shortlists", "Shortlists"), ("agreement", "Agreement"), ("agreement", "Agreement")]
    links = [
        Link(text=num.clean(text), anchor=anchor, label=label)
        for text, (anchor, label) in zip(said, places, strict=False)
    ]
    links += [Link(text=num.clean(t), anchor="ask", label="Ask or proceed") for t in asked]
    return Report(
        title=f"Operations: {num.shortened(found.source)}",
        facts=_facts(found),
        strip=tuple(links),
        rooms=_rooms(found, made),
        tables=made,
        commands=tuple(num.clean(command) for command in commands),
        warnings=tuple(num.clean(warning) for warning in found.warnings),
    )


def _facts(found: OperationsResult) -> tuple[tuple[str, str], ...]:
    items = [row.n_items for row in found.operations if row.n_items is not None]
    counted = [("Items of operations", num.count(sum(items)))] if items else []
    rules = [("Rules", num.count(len(found.rules)))] if found.rules else []
    return (
        ("Systems", num.count(len(found.systems))),
        ("Operations", num.count(found.n_operations)),
        *counted,
        *rules,
        ("Different leaders", num.count(found.shortlists.n_distinct_leaders)),
    )


def _rooms(found: OperationsResult, made: dict[str, Table]) -> tuple[Room, ...]:
    rooms = [_recommendations(found), _shortlists(made), _agreement(made)]
    if found.ask is not None:
        rooms.append(_ask(made))
    if "operation-rules" in made:
        part = Part(
            anchor="rules-main",
            tables=("operation-rules",),
            folded=_known(made, ("By operation", "operation-rule-costs")),
        )
        rooms.append(Room(anchor="rules", heading="Under every scoring rule", parts=(part,)))
    if found.findings:
        rooms.append(_findings(found))
    warnings = tuple(num.sentence(warning) for warning in found.warnings)
    methods = Part(
        anchor="methods-main",
        text=(num.sentence(head(found)), *_methods(found)),
        folded=_known(made, ("All scores", "operation-scores")),
        lists=(("Warnings", warnings),) if warnings else (),
    )
    return (*rooms, Room(anchor="methods", heading="Methods", parts=(methods,)))


def _known(made: dict[str, Table], *wanted: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in wanted if pair[1] in made)


def _recommendations(found: OperationsResult) -> Room:
    part = Part(
        anchor="take-main",
        text=tuple(row.recommendation.text for row in found.operations),
        tables=("operation-leaders",),
    )
    return Room(anchor="take", heading="Which system to take", parts=(part,))


def _shortlists(made: dict[str, Table]) -> Room:
    part = Part(
        anchor="shortlists-main",
        figures=("fig-regret",),
        tables=("shortlists",),
        folded=_known(made, (BEHIND, "regret")),
    )
    return Room(anchor="shortlists", heading="What a shortlist by knowledge forgoes", parts=(part,))


def _agreement(made: dict[str, Table]) -> Room:
    part = Part(
        anchor="agreement-main",
        figures=("fig-correlations",),
        folded=_known(
            made,
            (BEHIND, "operation-matrix"),
            ("Eigenvalues", "spectrum"),
            ("Percentile profiles", "profiles"),
            ("Near in knowledge, apart in profile", "near-pairs"),
        ),
    )
    return Room(anchor="agreement", heading="How far operations rank alike", parts=(part,))


def _ask(made: dict[str, Table]) -> Room:
    part = Part(
        anchor="ask-main",
        figures=("fig-recalls", "fig-displacement"),
        tables=("ask-association",),
        folded=_known(made, (BEHIND, "ask-standings")),
    )
    return Room(anchor="ask", heading="Ask or proceed", parts=(part,))


def _findings(found: OperationsResult) -> Room:
    said = tuple(
        f"{num.clean(one.title)}. {num.sentence(one.evidence)} {num.sentence(one.advice)}"
        for one in found.findings
    )
    part = Part(anchor="findings-main", text=said)
    return Room(anchor="findings", heading="About the printed numbers", parts=(part,))


def _methods(found: OperationsResult) -> tuple[str, ...]:
    text = [REGRET]
    if found.draws:
        text.append(
            f"Intervals are {100 * found.level:g}% percentiles of {num.count(found.draws)} "
            f"resamples of {found.resampled} (seed {found.seed}), drawn for knowledge families and "
            f"operations alike; systems that cannot be told from the best are those whose "
            f"simultaneous rank confidence set holds rank 1."
        )
    return tuple(text)


def operation_figures(found: OperationsResult) -> dict[str, Figure]:
    """Return every figure by key."""
    made = [_regret(found), _correlations(found)]
    if found.ask is not None:
        names = num.short_names(row.system for row in found.ask.rows)
        made += [_recalls(found.ask, names), _displacement(found.ask, names)]
    return {figure.key: figure for figure in made if figure is not None}


def _regret(found: OperationsResult) -> Figure:
    worst = max(found.operations, key=lambda row: row.regret[0])
    last = max(found.operations, key=lambda row: row.recovered_at)
    bands = " Grey: interval over resamples of the items." if found.draws else ""
    return Figure(
        key="fig-regret",
        title="Points forgone by a shortlist of the systems that know most",
        summary=(
            f"Taking the knowledge leader costs most in {worst.operation.replace('_', ' ')} "
            f"({num.fixed(worst.regret[0], 2)} points); the leader of "
            f"{last.operation.replace('_', ' ')} is found last, at {last.recovered_at} systems."
        ),
        reading=f"Steps: regret by the size of the shortlist. Dot: first without regret.{bands}",
        canvas=figures_operations.regret_curves(found),
        tables=("regret",),
    )


def _correlations(found: OperationsResult) -> Figure | None:
    given = found.agreement
    if given.mean is None or given.lowest is None or given.highest is None:
        return None
    low, high = given.lowest, given.highest
    return Figure(
        key="fig-correlations",
        title="Spearman correlation of operations, and of knowledge with each",
        summary=(
            f"Mean {num.fixed(given.mean, 2)} over {num.plural(given.n_pairs, 'pair')}; from "
            f"{num.fixed(low.rho or 0.0, 2)} ({low.left.replace('_', ' ')}, "
            f"{low.right.replace('_', ' ')}) to {num.fixed(high.rho or 0.0, 2)} "
            f"({high.left.replace('_', ' ')}, {high.right.replace('_', ' ')})."
        ),
        reading="Blue: systems stand in a similar order. Orange: in the opposite one. The first "
        "row is the knowledge score, over the systems of each operation.",
        canvas=figures_operations.correlation_map(found),
        tables=("operation-matrix",),
    )


def _recalls(ask: AskComparison, names: dict[str, str]) -> Figure | None:
    if ask.median_recall_gap is None:
        return None
    return Figure(
        key="fig-recalls",
        title="Recall of ask and of proceed states",
        summary=(
            f"{num.share(ask.n_ask_above, ask.n_systems)} systems recall more ask than proceed "
            f"states; median gap {num.fixed(ask.median_recall_gap, 2)} points."
        ),
        reading="Filled: recall of states in which the record asks. Hollow: of those in which it "
        "proceeds.",
        canvas=figures_ask_ranks.recalls(ask, names),
        tables=("ask-standings",),
    )


def _displacement(ask: AskComparison, names: dict[str, str]) -> Figure | None:
    if len(ask.rows) < 2:
        return None
    far = [
        f"{names[row.system]} {row.bacc_rank} to {row.era_rank}"
        for row in figures_ask_ranks.displaced(ask)[:3]
    ]
    said = f"Farthest: {'; '.join(far)}." if far else "No system moves far."
    return Figure(
        key="fig-displacement",
        title="Rank by action agreement and by request alignment",
        summary=said,
        reading=f"Blue: at least {figures_ask_ranks.NOTABLE} places better by alignment. Orange, "
        "dashed: as much worse.",
        canvas=figures_ask_ranks.displacement(ask, names),
        tables=("ask-standings",),
    )


def write_operations(
    found: OperationsResult, directory: str | os.PathLike[str], commands: Sequence[str] = ()
) -> tuple[Path, ...]:
    """Return the paths of the files written: operations.html and operations.md.

    Everything is rendered before the first file is written, and each file is written aside and
    renamed.

    Args:
        found: the result.
        directory: made when it does not exist.
        commands: that regenerate the page.

    Raises:
        UsageError: `directory` is a file.
    """
    report = operations_report(found, commands)
    drawn = operation_figures(found)
    texts = {"operations.html": page(report, drawn), "operations.md": pages(report, drawn)}
    return write_texts(texts, directory)
