"""Masking what people wrote.  In: a label store.  Out: notes and corrections that are gone.

The one exception from never changing a row, and it is for redaction alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlalchemy import Table, select, update
from sqlalchemy.engine import Connection

from finassay.study.adjudication.ledger_tables import ANSWERS, DECISIONS, WITHDRAWALS
from finassay.study.labels import LabelStore


def mask_answers(
    store: LabelStore, mask: Callable[[str], str], units: Iterable[str] | None = None
) -> int:
    """Mask notes and corrections for good, in all draws, and return how many rows changed.

    Args:
        store: where the answers are.
        mask: makes the masked text of a text.
        units: only answers on these units; by default all, with what was written about references
            and about people who left.
    """
    scope = None if units is None else set(units)
    with store.writing() as connection:
        changed = {ANSWERS.name: _mask(connection, ANSWERS, ("note", "correction"), mask, scope)}
        if scope is None:
            texts = ("old_reference", "reference", "reason")
            changed[DECISIONS.name] = _mask(connection, DECISIONS, texts, mask, None)
            changed[WITHDRAWALS.name] = _mask(connection, WITHDRAWALS, ("reason",), mask, None)
    if store.url.get_backend_name() != "sqlite":
        # SQLite is rewritten as a whole when the label store masks its own notes.
        automatic = store.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        with automatic as connection:
            for name in (name for name, n in changed.items() if n):
                connection.exec_driver_sql(f"VACUUM FULL {name}")
    return sum(changed.values())


def _mask(
    connection: Connection,
    table: Table,
    columns: tuple[str, ...],
    mask: Callable[[str], str],
    scope: set[str] | None,
) -> int:
    (key,) = table.primary_key.columns
    # Units may be more than a database takes as parameters: they are compared here.
    unit = key if scope is None else table.c.unit_id
    query = select(key, unit.label("unit"), *[table.c[name] for name in columns])
    changed = 0
    for row_id, unit_id, *texts in connection.execute(query).all():
        masked = [mask(text) if text else text for text in texts]
        if masked != texts and (scope is None or unit_id in scope):
            values = dict(zip(columns, masked, strict=True))
            connection.execute(update(table).where(key == row_id).values(values))
            changed += 1
    return changed
