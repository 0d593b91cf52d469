"""Logs of replies that should name a label.  In: a table or a FLARE log.  Out: one frozen log.

A FLARE log has the shape told in `flare`; everything else is a plain table with a reply, an
accepted label, and optionally the labels offered, a stratum, the logged mark and the label that a
person read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from finassay.errors import BadRowsError, InputError, MappingError
from finassay.runs.importers.flare import MISSING_LABEL, flare_marks, is_flare
from finassay.runs.importers.sources import BadRow, Row, Value, bad, read_records
from finassay.runs.importers.values import as_text, as_texts, read_verdict

_NAMES: Mapping[str, tuple[str, ...]] = {
    "reply": ("reply", "logit_0", "prediction", "response", "completion", "output", "text"),
    "gold": ("gold", "truth", "reference", "answer", "label", "target", "ref_answer"),
    "choices": ("choices", "labels", "options"),
    "row": ("doc_id", "item_id", "id", "index"),
    "right": ("acc", "correct"),
    "human": ("human", "human_label", "person"),
}
"""Names that columns usually have, by what they hold; the first that is there is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedReply:
    """One row of a log; parts that the log does not have are None or empty.

    Attributes:
        row: the log's name for the row, else its number from 1.
        reply: what the model wrote, whole.
        gold: the accepted label.
        choices: the labels offered for this row in the order of the source.
        stratum: declared subgroup.
        is_right: whether the log calls the row right.
        is_missing: whether the log says that no label was found.
        logged_label: the label that the log says was extracted; `MISSING_LABEL` for none.
        human: the label that a person reads in the reply; "" where they read none.
    """

    row: str
    reply: str
    gold: str
    choices: tuple[str, ...] = ()
    stratum: str = ""
    is_right: bool | None = None
    is_missing: bool | None = None
    logged_label: str | None = None
    human: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelLog:
    """A log of replies.

    Attributes:
        source: name of the file.
        rows: in the order of the file.
        bad: rows that cannot be used, with reasons.
        is_flare: whether it has the shape of a FLARE `write_out` log.
    """

    source: str
    rows: tuple[LoggedReply, ...]
    bad: tuple[BadRow, ...] = ()
    is_flare: bool = False

    @property
    def digest(self) -> str:
        """Return the SHA-256 (16 digits) over row names, replies, labels and strata, in order."""
        hashed = hashlib.sha256()
        for row in self.rows:
            parts = [row.row, row.reply, row.gold, list(row.choices), row.stratum]
            hashed.update(json.dumps(parts, ensure_ascii=True).encode() + b"\n")
        return hashed.hexdigest()[:16]

    def choices(self) -> tuple[str, ...]:
        """Return the labels that the log itself shows, sorted: their card order is not in it.

        They are the labels offered where rows hold them, and else all accepted and extracted
        labels.  A label that nothing in the log ever names cannot be seen.
        """
        offered = {choice for row in self.rows for choice in row.choices}
        if offered:
            listed = {row.choices for row in self.rows}
            return listed.pop() if len(listed) == 1 else tuple(sorted(offered))
        seen = {row.gold for row in self.rows}
        seen |= {row.logged_label for row in self.rows if row.logged_label is not None}
        return tuple(sorted(seen - {MISSING_LABEL}))


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelColumns:
    """Which column of a log is what; None is found by its name, "" is left out."""

    reply: str | None = None
    gold: str | None = None
    choices: str | None = None
    stratum: str = ""
    row: str | None = None
    right: str | None = None
    human: str | None = None


def read_label_log(
    path: str | Path,
    *,
    columns: LabelColumns | None = None,
    encoding: str = "utf-8",
    strict: bool = False,
) -> LabelLog:
    """Return the log in a FLARE `write_out` JSON file or a CSV, TSV, JSONL, JSON or Parquet table.

    Replies and labels come through exactly as they stand.

    Args:
        path: the file.
        columns: which column is what; by default FLARE's names and usual ones are looked for.
        encoding: a Python codec name.
        strict: a row that cannot be used is an error.

    Raises:
        InputError: the file cannot be read, or holds no row that can be used.
        MappingError: no column can be found for the reply or for the accepted label.
        BadRowsError: under `strict`, a row without a reply or an accepted label.
    """
    where = Path(path)
    asked = columns or LabelColumns()
    rows: list[LoggedReply] = []
    unusable: list[BadRow] = []
    shaped = False
    for batch in read_records(where, encoding=encoding):
        unusable.extend(batch.bad)
        if not batch.rows:
            continue
        found = _columns(batch.columns, asked, where)
        shaped = is_flare(batch.columns)
        for row in batch.rows:
            try:
                rows.append(_reply(row, found, number=len(rows) + 1))
            except ValueError as error:
                unusable.append(bad(row, str(error)))
    _check(where, rows, unusable, strict=strict)
    return LabelLog(source=where.name, rows=tuple(rows), bad=tuple(unusable), is_flare=shaped)


def _check(
    path: Path, rows: Sequence[LoggedReply], unusable: Sequence[BadRow], *, strict: bool
) -> None:
    first = unusable[0] if unusable else "none"
    if unusable and strict:
        raise BadRowsError(
            f"{path}: {len(unusable)} rows cannot be used, the first: {first}; mend the file, or "
            f"leave `strict` out to pass over them"
        )
    if not rows:
        raise InputError(
            f"{path}: no row can be used, the first: {first}; expected a reply and an accepted "
            f"label in each"
        )


def _columns(there: Sequence[str], asked: LabelColumns, path: Path) -> dict[str, str]:
    """Return part -> column for every part that a column plays."""
    found = {}
    for field in fields(LabelColumns):
        name = getattr(asked, field.name)
        if name and name not in there:
            raise MappingError(
                f"{path}: `{field.name}` must be a column of the log, got {name!r}; there are "
                f"{list(there)!r}"
            )
        usual = _NAMES.get(field.name, ())
        column = next((usable for usable in usual if usable in there), "") if name is None else name
        if column:
            found[field.name] = column
    for part in ("reply", "gold"):
        if part not in found:
            raise MappingError(
                f"{path}: no column could be found for `{part}`; expected one of "
                f"{list(_NAMES[part])!r}, got {list(there)!r}; name it, for instance with "
                f"`--{part}-column`"
            )
    return found


def _reply(row: Row, found: Mapping[str, str], *, number: int) -> LoggedReply:
    """Return the row as a logged reply.

    Raises:
        ValueError: the row has no reply or no accepted label.
    """
    values = row.values
    reply, gold = values.get(found["reply"]), values.get(found["gold"])
    if reply is None:
        raise ValueError("the row has no reply")
    if gold is None or not as_text(gold).strip():
        raise ValueError("the row has no accepted label")
    marks = flare_marks(values)
    return LoggedReply(
        row=_field(values, found, "row") or str(number),
        reply=as_text(reply),
        gold=as_text(gold),
        choices=_choices(values.get(found.get("choices", ""))),
        stratum=_field(values, found, "stratum"),
        is_right=_right(values.get(found.get("right", ""))),
        is_missing=marks.is_missing,
        logged_label=marks.label,
        human=_field(values, found, "human") if "human" in found else None,
    )


def _field(values: Mapping[str, Value], found: Mapping[str, str], part: str) -> str:
    return as_text(values.get(found.get(part, "")))


def _right(value: Value) -> bool | None:
    """Return a logged mark of 1 or 0; None where there is none or it is neither."""
    verdict = read_verdict(value)
    if verdict is None or verdict.value not in (0.0, 1.0):
        return None
    return verdict.value == 1.0


def _choices(value: Value) -> tuple[str, ...]:
    """Return the labels of a field: a list, a JSON list in text, or names between bars."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            listed = json.loads(value)
        except json.JSONDecodeError as error:
            raise ValueError(f"the choices are no JSON list: {value!r}") from error
        return tuple(str(choice) for choice in listed)
    if isinstance(value, str):
        return tuple(choice.strip() for choice in value.split("|") if choice.strip())
    return as_texts(value)
