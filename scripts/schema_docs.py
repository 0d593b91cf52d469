"""Write docs/reference/study-tables.md from the schemas; with --check, only compare."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from finassay.study.schemas import SCHEMA_VERSION, TABLES, TableSchema

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "study-tables.md"
HEAD = f"""\
# The tables of a study, column by column

Version {SCHEMA_VERSION} of the schema. *Key* columns together name one row; a *partition* is
the unit of commit; *not digested* columns stay out of the canonical digest; *text* columns hold
words of people or models, and can be masked. [The format of a study](study-format.md) says what the
tables are for.
"""


def roles(table: TableSchema, column: str) -> str:
    """Return what a column is to its table, in words."""
    held = {
        "key": table.key,
        "partition": table.partition,
        "never null": table.required,
        "text": table.text_columns,
        "not digested": table.volatile,
    }
    return ", ".join(role for role, columns in held.items() if column in columns)


def section(table: TableSchema) -> str:
    """Return the section of one table."""
    lines = [f"\n## {table.name}\n", "| column | type | role |", "|---|---|---|"]
    lines += [
        f"| `{name}` | {kind} | {roles(table, name)} |" for name, kind in table.columns.items()
    ]
    if table.constraints:
        lines += ["", "Each row holds to:", ""]
        lines += [f"- `{rule.column}`: {rule.expected}" for rule in table.constraints]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the page, or compare it, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if the page is out of date")
    page = HEAD + "".join(map(section, TABLES.values()))
    if not parser.parse_args().check:
        PAGE.write_text(page, encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page:
        return 0
    print(f"{PAGE.name} is not what the schemas say; run `make pages`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
