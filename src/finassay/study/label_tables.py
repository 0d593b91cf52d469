"""Tables of the label store, in SQL.  In: nothing.  Out: labels, people, sessions and the layout.

The tables of draws stand beside them in the same database and layout
(`adjudication.ledger_tables`).
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()

LABELS = Table(
    "labels",
    METADATA,
    Column("label_id", Integer, primary_key=True, autoincrement=True),
    Column("annotator", String(200), nullable=False),
    Column("item_id", String(500), nullable=False),
    Column("system_id", String(64), nullable=False),
    Column("trial", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("label", Text, nullable=False),
    Column("value", Float, nullable=True),
    Column("note", Text, nullable=False),
    Column("at", String(40), nullable=False),
    Column("previous", Integer, nullable=True),
    Column("text_digest", String(64), nullable=True),
    Column("item_digest", String(64), nullable=True),
    UniqueConstraint("annotator", "item_id", "system_id", "trial", "revision"),
)

LAYOUT = Table(
    "store_layout",
    METADATA,
    Column("layout_id", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("store_id", String(32), nullable=False),
    Column("study", Text, nullable=True),
)
"""One row: how the tables are laid out, a random name of the store, and the study it serves."""

PEOPLE = Table(
    "people",
    METADATA,
    Column("person_id", Integer, primary_key=True, autoincrement=True),
    Column("name", String(200), nullable=False),
    Column("roles", String(200), nullable=False),
    Column("token_digest", String(64), nullable=False, unique=True),
    Column("created", String(40), nullable=False),
    Column("revoked", String(40), nullable=True),
)

# A name may come back after it was revoked, and belongs to one person at a time.
Index(
    "people_one_of_a_name",
    PEOPLE.c.name,
    unique=True,
    sqlite_where=PEOPLE.c.revoked.is_(None),
    postgresql_where=PEOPLE.c.revoked.is_(None),
)

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("session_digest", String(64), primary_key=True),
    Column("person_id", Integer, ForeignKey("people.person_id"), nullable=False, index=True),
    Column("created", String(40), nullable=False),
    Column("expires", String(40), nullable=False),
)
