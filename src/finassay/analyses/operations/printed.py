"""Selection from printed tables.  In: reported scores of several tables.  Out: one result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from finassay.analyses.operations.ask_columns import AskMetrics
from finassay.analyses.operations.layers import (
    PUBLISHED_EVALUATOR,
    PUBLISHED_JUDGED,
    PUBLISHED_LAYERS,
    plain,
    published_layers,
)
from finassay.analyses.operations.results import OperationsResult
from finassay.analyses.operations.selection import Evidence, SelectionSettings, select_operations
from finassay.analyses.operations.sheet import Columns, printed_sheet
from finassay.analyses.operations.shortlists import FEWEST_SYSTEMS
from finassay.analyses.operations.table_findings import table_findings
from finassay.errors import MappingError, UnknownNameError, UsageError
from finassay.records import ReportedScore

KNOWLEDGE_NAMES = ("overall", "knowledge", "domain knowledge", "knowledge macro", "macro", "k")
"""Names under which the column of the knowledge score is looked for, in this order."""

ASK_NAMES: Mapping[str, str] = {
    "bacc": "bacc",
    "era": "era",
    "cra": "cra",
    "askr": "ask_recall",
    "ask recall": "ask_recall",
    "proceedr": "proceed_recall",
    "proceed recall": "proceed_recall",
}
"""Printed names of metrics on ask or proceed."""

OTHER_ASK_NAMES = frozenset({"raa", "deh", "reh"})

FOOTNOTES = "†‡*§"
"""Marks at the end of a printed name that are no part of it."""

MOST_DIGITS = 15
"""Digits of a score on one side of the point; beyond them it is no score."""

Cells = dict[tuple[str, str], Decimal]


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesRequest:
    """What the columns are, where it cannot be told from them.

    Attributes:
        knowledge: column of the knowledge score.
        operations: columns of operations.
        judged: operations whose scores an evaluator system gave.
        evaluators: systems that judged.
        leave_out: systems to leave out of everything.
    """

    knowledge: str | None = None
    operations: tuple[str, ...] = ()
    judged: tuple[str, ...] = ()
    evaluators: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()


def operations_of_tables(
    tables: Mapping[str, Sequence[ReportedScore]],
    request: TablesRequest | None = None,
    settings: SelectionSettings | None = None,
    *,
    source: str = "",
    warnings: Sequence[str] = (),
) -> OperationsResult:
    """Return selection from printed tables, joined on the names of the systems.

    Args:
        tables: name -> the scores of a table, with their printed digits.
        request: what the columns are.
        settings: cut and near pairs.
        source: where the tables come from; their names by default.
        warnings: what a reader must know of the tables.

    Raises:
        MappingError: no column holds a knowledge score, a number is none, or one figure stands in
            two tables.
        UsageError: something named is not there.
    """
    asked = request or TablesRequest()
    cells, where = _joined(tables)
    for name in asked.leave_out:
        if not any(system == name for system, _ in cells):
            raise UnknownNameError(f"no system is called {name!r} in {', '.join(tables)}")
    cells = {key: number for key, number in cells.items() if key[0] not in asked.leave_out}
    if not cells:
        raise UsageError(f"every system of {', '.join(tables)} is left out; leave in two or more")
    names = list(dict.fromkeys(column for _, column in cells))
    knowledge = _knowledge(names, asked)
    ask = _ask_columns(names, (knowledge, *asked.operations))
    columns, notes = _columns(cells, where, knowledge, ask, asked)
    systems = _systems(cells, (columns.knowledge, *columns.operations))
    sheet = printed_sheet(cells, systems, columns)
    groups = [
        name
        for name in names
        if where[name] == where[knowledge] and name not in {knowledge, *columns.operations, *ask}
    ]
    return select_operations(
        sheet,
        Evidence(
            source=source or ", ".join(tables),
            ask=_ask(cells, ask),
            findings=table_findings(cells, systems, columns, groups),
            warnings=(*warnings, *notes),
        ),
        settings,
    )


def _joined(tables: Mapping[str, Sequence[ReportedScore]]) -> tuple[Cells, dict[str, str]]:
    """Return (system, column) -> number, and the table in which each column stands."""
    cells: Cells = {}
    where: dict[str, str] = {}
    for table, scores in tables.items():
        for score in scores:
            if where.setdefault(score.column, table) != table:
                raise MappingError(
                    f"the column {score.column!r} stands in {where[score.column]!r} and in "
                    f"{table!r}; rename one of them, or leave a table out"
                )
            key = system_name(score.row), score.column
            if key in cells:
                raise MappingError(
                    f"{table}: {key[0]!r} has two numbers in {score.column!r}, the second in the "
                    f"row {score.row!r}; marks of footnotes ({FOOTNOTES}) at the end of a name "
                    f"are no part of it: rename one of the rows, or leave it out"
                )
            cells[key] = _number(score, table)
    if not cells:
        raise UsageError("selection needs a table with numbers, got none")
    return cells, where


def _number(score: ReportedScore, table: str) -> Decimal:
    text = score.printed.strip().rstrip("%").strip().replace("−", "-")
    try:
        number = Decimal(text or repr(score.value))
    except InvalidOperation as error:
        raise MappingError(
            f"{table}: {score.row!r} prints {score.printed!r} in {score.column!r}, expected a "
            f"decimal number"
        ) from error
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or exponent < -MOST_DIGITS or number.adjusted() > MOST_DIGITS:
        raise MappingError(
            f"{table}: {score.row!r} prints {score.printed!r} in {score.column!r}, expected a "
            f"score with at most {MOST_DIGITS} digits before and behind the point"
        )
    return number


def system_name(printed: str) -> str:
    """Return the name of a system without the marks of footnotes at its end."""
    return printed.strip().rstrip(FOOTNOTES + " ")


def _knowledge(names: Sequence[str], asked: TablesRequest) -> str:
    if asked.knowledge is not None:
        return asked.knowledge
    for wanted in KNOWLEDGE_NAMES:
        found = [name for name in names if plain(name) == wanted]
        if found:
            return found[0]
    raise MappingError(
        f"no column holds a knowledge score, expected one called "
        f"{', '.join(KNOWLEDGE_NAMES)}, got {', '.join(names)}; name it with --knowledge"
    )


def _ask_columns(names: Sequence[str], taken: Iterable[str]) -> dict[str, str]:
    """Return the columns about ask or proceed with their metric, where both main ones are there."""
    used = set(taken)
    found = {
        name: ASK_NAMES.get(plain(name), "")
        for name in names
        if name not in used and (plain(name) in ASK_NAMES or plain(name) in OTHER_ASK_NAMES)
    }
    return found if {"bacc", "era"} <= set(found.values()) else {}


def _columns(
    cells: Cells,
    where: Mapping[str, str],
    knowledge: str,
    ask: Mapping[str, str],
    asked: TablesRequest,
) -> tuple[Columns, list[str]]:
    rest = [name for name in where if name != knowledge and name not in ask]
    if knowledge in asked.operations:
        raise UsageError(
            f"{knowledge!r} is the knowledge score and cannot be an operation too; name another "
            f"with --knowledge"
        )
    operations = tuple(dict.fromkeys(asked.operations))
    few: list[str] = []
    if not operations:
        few = [name for name in rest if _n_systems(cells, knowledge, name) < FEWEST_SYSTEMS]
        some = [name for name in rest if name not in few]
        apart = [name for name in some if where[name] != where.get(knowledge)]
        operations = in_order(apart or some or rest)
        few = few if some else []
    judged, evaluators, notes = _judged(cells, operations, where, asked)
    columns = Columns(
        knowledge=knowledge,
        operations=operations,
        layers=published_layers(operations),
        judged=judged,
        evaluators=evaluators,
    )
    left = [
        f"{name} is left out: fewer than {FEWEST_SYSTEMS} systems have a score there and in "
        f"{knowledge}"
        for name in few
    ]
    return columns, [*notes, *left]


def _n_systems(cells: Cells, knowledge: str, operation: str) -> int:
    return sum(column == operation and (system, knowledge) in cells for system, column in cells)


def in_order(names: Sequence[str]) -> tuple[str, ...]:
    """Return operations as FinRiskAtlas lists them where it does, the others behind as they are."""
    place = {name: at for at, name in enumerate(PUBLISHED_LAYERS)}
    return tuple(sorted(names, key=lambda name: place.get(plain(name), len(place))))


def _judged(
    cells: Cells, operations: Sequence[str], where: Mapping[str, str], asked: TablesRequest
) -> tuple[tuple[str, ...], tuple[str, ...], list[str]]:
    """Return the judged operations, the systems that judged, and how that was told."""
    wrong = [name for name in asked.judged if name not in operations]
    if wrong:
        raise UsageError(
            f"no operation is called {wrong[0]!r}, which is said to be judged; there are: "
            f"{', '.join(operations)}"
        )
    if asked.judged and not asked.evaluators:
        raise UsageError("judged operations need the system that judged them: name it, too")
    if asked.judged:
        return asked.judged, asked.evaluators, []
    published = tuple(name for name in operations if plain(name) in PUBLISHED_JUDGED)
    if not asked.evaluators:
        is_known = any(system == PUBLISHED_EVALUATOR for system, _ in cells)
        if len(published) < len(PUBLISHED_JUDGED) or not is_known:
            return (), (), []
        note = (
            f"{PUBLISHED_EVALUATOR} is taken for the evaluator of {', '.join(published)}, as "
            f"published for these names"
        )
        return published, (PUBLISHED_EVALUATOR,), [note]
    judged = published or tuple(n for n in operations if "judge" in plain(where.get(n, "")))
    if not judged:
        raise UsageError(
            f"which operations did {', '.join(asked.evaluators)} judge? name them with --judged; "
            f"there are: {', '.join(operations)}"
        )
    return judged, asked.evaluators, []


def _systems(cells: Cells, columns: Sequence[str]) -> tuple[str, ...]:
    used = set(columns)
    return tuple(dict.fromkeys(system for system, column in cells if column in used))


def _ask(cells: Cells, columns: Mapping[str, str]) -> dict[str, AskMetrics]:
    by_metric = {metric: column for column, metric in columns.items() if metric}
    if not by_metric:
        return {}
    found = {}
    for system in dict.fromkeys(system for system, _ in cells):
        row = {metric: cells.get((system, column)) for metric, column in by_metric.items()}
        bacc = row.get("bacc")
        if bacc is not None:
            found[system] = AskMetrics(
                bacc=bacc,
                era=row.get("era"),
                cra=row.get("cra"),
                ask_recall=row.get("ask_recall"),
                proceed_recall=row.get("proceed_recall"),
            )
    return found
