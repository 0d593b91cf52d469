"""Tables of the ledger, in SQL.  In: nothing.  Out: what draws need, beside labels and people.

Rows are added and never changed.  An assignment alone can go: when a person leaves a draw, what
they had not answered goes to others, and `WITHDRAWALS` keeps what was theirs.
"""

from __future__ import annotations

from sqlalchemy import Column, Float, Integer, String, Table, Text, UniqueConstraint

from finassay.study.label_tables import METADATA

ANSWERS = Table(
    "draw_answers",
    METADATA,
    Column("answer_id", Integer, primary_key=True, autoincrement=True),
    Column("draw_id", String(32), nullable=False),
    Column("unit_id", String(32), nullable=False),
    Column("annotator", String(200), nullable=False),
    Column("role", String(20), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("label", Text, nullable=False),
    Column("value", Float, nullable=True),
    Column("note", Text, nullable=False),
    Column("reference_wrong", Integer, nullable=False),
    Column("correction", Text, nullable=False),
    Column("swapped", Integer, nullable=False),
    Column("source", Text, nullable=False),
    Column("source_digest", String(64), nullable=False),
    Column("source_row", Integer, nullable=True),
    Column("recorded_by", String(200), nullable=False),
    Column("at", String(40), nullable=False),
    Column("previous", Integer, nullable=True),
    UniqueConstraint("draw_id", "unit_id", "annotator", "role", "revision"),
)

ASSIGNMENTS = Table(
    "draw_assignments",
    METADATA,
    Column("assignment_id", Integer, primary_key=True, autoincrement=True),
    Column("draw_id", String(32), nullable=False),
    Column("annotator", String(200), nullable=False),
    Column("role", String(20), nullable=False),
    Column("unit_id", String(32), nullable=False),
    Column("position", Integer, nullable=False),
    UniqueConstraint("draw_id", "annotator", "role", "unit_id"),
)

SUBMISSIONS = Table(
    "draw_submissions",
    METADATA,
    Column("submission", String(64), primary_key=True),
    Column("draw_id", String(32), nullable=False),
    Column("unit_id", String(32), nullable=False),
    Column("annotator", String(200), nullable=False),
    Column("role", String(20), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("at", String(40), nullable=False),
)
"""One row a submitted form, so that the same form sent again is known."""

OPENINGS = Table(
    "draw_openings",
    METADATA,
    Column("opening_id", Integer, primary_key=True, autoincrement=True),
    Column("draw_id", String(32), nullable=False),
    Column("people", Integer, nullable=False),
    Column("overlap", Float, nullable=False),
    Column("by", String(200), nullable=False),
    Column("at", String(40), nullable=False),
)
"""For how many people a draw was opened, and what share all of them label; the last row counts."""

SEATS = Table(
    "draw_seats",
    METADATA,
    Column("seat_id", Integer, primary_key=True, autoincrement=True),
    Column("draw_id", String(32), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("annotator", String(200), nullable=False),
    Column("at", String(40), nullable=False),
    UniqueConstraint("draw_id", "seat"),
    UniqueConstraint("draw_id", "annotator"),
)
"""In which order people joined a draw by themselves: the seat decides their share."""

WITHDRAWALS = Table(
    "draw_withdrawals",
    METADATA,
    Column("withdrawal_id", Integer, primary_key=True, autoincrement=True),
    Column("draw_id", String(32), nullable=False),
    Column("annotator", String(200), nullable=False),
    Column("role", String(20), nullable=False),
    Column("unit_id", String(32), nullable=False),
    Column("position", Integer, nullable=False),
    Column("given_to", String(200), nullable=True),
    Column("by", String(200), nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", String(40), nullable=False),
)
"""Units that a person had not answered when they left, and who has them now."""

DECISIONS = Table(
    "reference_decisions",
    METADATA,
    Column("decision_id", Integer, primary_key=True, autoincrement=True),
    Column("item_id", String(500), nullable=False),
    Column("item_digest", String(64), nullable=False),
    Column("decision", String(20), nullable=False),
    Column("old_reference", Text, nullable=False),
    Column("reference", Text, nullable=False),
    Column("proposed_by", Text, nullable=False),
    Column("by", String(200), nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", String(40), nullable=False),
)
"""What was decided of references that people call wrong."""

LEDGER_TABLES = (
    ANSWERS, ASSIGNMENTS, SUBMISSIONS, OPENINGS, SEATS, WITHDRAWALS, DECISIONS,
)  # fmt: skip
