"""Verification of a study.  In: a study.  Out: every problem found, worst first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from finassay.errors import SchemaError, StudyError
from finassay.records import content_id
from finassay.study.adjudication.draw_files import draw_names, read_draw
from finassay.study.check_references import dangling, stale
from finassay.study.label_file import RESTORE_LABELS, damaged_label_file
from finassay.study.nested import JUDGING, judging_study, verdicts_without_evidence
from finassay.study.problems import EXAMPLES, SEVERITIES, Problem, problem_of
from finassay.study.rows import items_from
from finassay.study.schemas import REDACTED, TABLES
from finassay.study.snapshot import Snapshot, block_filters
from finassay.study.study import LABELS_NAME, Study
from finassay.study.validate import check_rows, conform, duplicated_keys

_ITEM_BATCH = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What a check found.

    Attributes:
        problems: errors first, then warnings, then notes.
        versions: the table versions that were checked.
        rows: rows by table.
    """

    problems: tuple[Problem, ...]
    versions: dict[str, int]
    rows: dict[str, int]

    @property
    def is_clean(self) -> bool:
        """Whether there is no error; warnings and notes do not count."""
        return not any(problem.severity == "error" for problem in self.problems)

    def to_lines(self) -> list[str]:
        """Return the problems in plain lines, or one line that says there are none."""
        checked = f"{sum(self.rows.values()):,} rows in {len(self.rows)} tables"
        if not self.problems:
            return [f"no problem found in {checked}"]
        listed = (f"{problem.severity}: {problem.message}" for problem in self.problems)
        return [f"{checked}:", *listed]


def check(study: Study) -> CheckReport:
    """Return all problems of a study: schemas, rules, keys, digests, references, stale verdicts.

    The study of what its judges were asked is checked with it; its tables are called judging/NAME.
    """
    snapshot = study.snapshot()
    report = _check(study, snapshot)
    inner = judging_study(study)
    below = None
    problems = list(report.problems)
    versions, rows = report.versions, report.rows
    if inner is not None:
        below = inner.snapshot()
        found = _check(inner, below)
        problems += [_within(problem) for problem in found.problems]
        versions |= {_within_name(name): version for name, version in found.versions.items()}
        rows |= {_within_name(name): count for name, count in found.rows.items()}
    if report.is_clean and not any(problem.severity == "error" for problem in problems):
        problems += _without_evidence(snapshot, below)
    return CheckReport(problems=_sorted(problems), versions=versions, rows=rows)


def check_files(study: Study) -> tuple[Problem, ...]:
    """Return the tables of which a file is missing or cannot be read: the quick part of `check`.

    Rows are not looked at.  The study of what judges were asked is looked at with it.
    """
    inner = judging_study(study)
    below = () if inner is None else map(_within, _file_problems(inner.snapshot()))
    return (*_file_problems(study.snapshot()), *below)


def _within(problem: Problem) -> Problem:
    table, message = _within_name(problem.table), _within_name(problem.message)
    return replace(problem, table=table, message=message)


def _within_name(name: str) -> str:
    return f"{JUDGING}/{name}"


def _sorted(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda problem: SEVERITIES.index(problem.severity)))


def _without_evidence(snapshot: Snapshot, inner: Snapshot | None) -> Iterator[Problem]:
    for table, count in verdicts_without_evidence(snapshot, inner):
        yield Problem(
            severity="warning",
            code="verdict_without_evidence",
            table=table,
            n=count,
            message=f"{table}: {count} rows of judges rest on replies that the study in "
            f"{JUDGING!r} does not hold; restore that folder, or judge again",
        )


def _check(study: Study, snapshot: Snapshot) -> CheckReport:
    problems = list(_file_problems(snapshot))
    broken = {problem.table for problem in problems}
    problems.extend(_schema_problems(snapshot, [name for name in TABLES if name not in broken]))
    broken |= {problem.table for problem in problems if problem.code == "schema"}
    if not broken:
        for look in _LOOKS:
            problems.extend(look(snapshot))
        problems.extend(_draw_problems(study, snapshot))
    problems.extend(_label_problems(study))
    return CheckReport(
        problems=_sorted(problems),
        versions=dict(snapshot.versions),
        rows={name: _count(snapshot, name) for name in TABLES if name not in broken},
    )


def _label_problems(study: Study) -> Iterator[Problem]:
    damage = damaged_label_file(study.root / LABELS_NAME)
    if damage is not None:
        said = f"labels: {LABELS_NAME} is damaged: {damage}; {RESTORE_LABELS}"
        yield Problem(severity="error", code="labels_unreadable", table="labels", n=1, message=said)


def _count(snapshot: Snapshot, name: str) -> int:
    return int(snapshot.scan(name).select(pl.len()).collect().item())


def _file_problems(snapshot: Snapshot) -> Iterator[Problem]:
    """Yield the tables of which a file is missing or is not what it should be."""
    for name in TABLES:
        cause = snapshot.damage(name)
        if cause is None:
            try:
                snapshot.raw(name).select(pl.first()).collect()
            except (OSError, pl.exceptions.PolarsError) as error:
                cause = str(error).partition("\n")[0]
        if cause is not None:
            said = f"{name}: a file cannot be read: {cause}; restore the study from a copy"
            yield Problem(severity="error", code="unreadable", table=name, n=1, message=said)


def _schema_problems(snapshot: Snapshot, names: Sequence[str]) -> Iterator[Problem]:
    for name in names:
        schema = TABLES[name]
        try:
            conform(schema, snapshot.raw(name))
        except SchemaError as error:
            yield Problem(severity="error", code="schema", table=name, n=0, message=str(error))
            continue
        rows = snapshot.scan(name)
        try:
            check_rows(schema, rows)
        except SchemaError as error:
            yield Problem(severity="error", code="rule", table=name, n=1, message=str(error))
        blocks = block_filters(snapshot, name)
        twice = pl.concat([duplicated_keys(schema, rows.filter(block)) for block in blocks])
        yield from problem_of("error", "duplicate_key", name, twice, "keys stand on several rows")


def _is_redacted() -> pl.Expr:
    return pl.col("flags").list.contains(REDACTED).fill_null(value=False)


def _second_ids(snapshot: Snapshot) -> Iterator[Problem]:
    ids = snapshot.scan("items").group_by("item_id").agg(pl.col("benchmark").sort())
    several = ids.filter(pl.col("benchmark").list.len() > 1).sort("item_id").collect()
    what = "item ids stand in several benchmarks; qualify the ids and add the items again"
    yield from problem_of("error", "item_id_not_unique", "items", several, what)
    names = snapshot.scan("systems").group_by("name").agg(pl.col("system_id").sort())
    shared = names.filter(pl.col("system_id").list.len() > 1).sort("name").collect()
    what = "display names belong to several systems; rename all but one"
    yield from problem_of("error", "name_not_unique", "systems", shared, what)


def _prediction_digests(snapshot: Snapshot) -> Iterator[Problem]:
    columns = ("item_id", "system_id", "trial", "prediction_id", "text", "text_digest")
    rows = snapshot.scan("predictions").select(*columns, _is_redacted().alias("redacted"))
    wrong_id: list[tuple[str, str, int]] = []
    wrong_text: list[tuple[str, str, int]] = []
    for batch in rows.collect_batches():
        for item, system, trial, prediction_id, text, digest, redacted in batch.iter_rows():
            if content_id(item, system, str(trial)) != prediction_id:
                wrong_id.append((item, system, trial))
            if not redacted and content_id(text) != digest:
                wrong_text.append((item, system, trial))
    for code, keys in (("prediction_id", wrong_id), ("text_digest", wrong_text)):
        what = f"rows whose {code} does not follow from their content; import them again"
        yield from problem_of("error", f"wrong_{code}", "predictions", _keys(keys), what)


def _keys(keys: Sequence[tuple[str, str, int]]) -> pl.DataFrame:
    schema = {"item_id": pl.String, "system_id": pl.String, "trial": pl.Int64}
    return pl.DataFrame(sorted(keys), schema=schema, orient="row")


def _item_digests(snapshot: Snapshot) -> Iterator[Problem]:
    rows = snapshot.scan("items").filter(~_is_redacted())
    wrong: list[str] = []
    for batch in rows.collect_batches(chunk_size=_ITEM_BATCH):
        made = [item.item_digest for item in items_from(batch)]
        differs = batch.select("item_id", stored="item_digest").with_columns(made=pl.Series(made))
        wrong += differs.filter(pl.col("stored") != pl.col("made"))["item_id"].to_list()
    what = "items whose item_digest does not follow from their content; add them again"
    found = pl.DataFrame({"item_id": sorted(wrong)}, schema={"item_id": pl.String})
    yield from problem_of("error", "wrong_item_digest", "items", found, what)


def _redactions(snapshot: Snapshot) -> Iterator[Problem]:
    for name in ("items", "predictions", "verdicts", "comparisons"):
        rows = snapshot.scan(name).filter(_is_redacted()).select(list(TABLES[name].key))
        what = "rows were redacted: their digests are those of the text before"
        yield from problem_of("note", "redacted", name, rows.sort(TABLES[name].key).collect(), what)


def _draw_problems(study: Study, snapshot: Snapshot) -> Iterator[Problem]:
    """Yield the samples for labelling that were damaged, or are of answers that are gone."""
    if not draw_names(study):
        return
    known = set(snapshot.scan("predictions").select("prediction_id").collect()["prediction_id"])
    items = set(snapshot.scan("items").select("item_id").collect()["item_id"])
    for name in draw_names(study):
        try:
            draw = read_draw(study, name)
        except StudyError as error:
            said = str(error)
            yield Problem(severity="error", code="draw", table="adjudication", n=1, message=said)
            continue
        gone = [
            unit.unit_id
            for unit in draw.units
            if unit.key.item_id not in items or not known.issuperset(unit.key.prediction_ids)
        ]
        if gone:
            said = (
                f"draw {name!r}: {len(gone)} units have no answer or item in the study any more, "
                f"e.g. {', '.join(gone[:EXAMPLES])}; their labels stay"
            )
            yield Problem(
                severity="warning",
                code="draw_gone",
                table="adjudication",
                n=len(gone),
                message=said,
            )


_LOOKS: tuple[Callable[[Snapshot], Iterator[Problem]], ...] = (
    _second_ids,
    _prediction_digests,
    _item_digests,
    dangling,
    stale,
    _redactions,
)
