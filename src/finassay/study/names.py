"""Names of systems, fast.  In: the path of a study.  Out: names, without loading a frame library.

Shells ask for them while somebody types.
"""

from __future__ import annotations

from pathlib import Path


def system_names(path: Path) -> tuple[str, ...]:
    """Return the display names of the systems of a study, sorted; none where it cannot be read."""
    from arro3.core import Table  # noqa: PLC0415 - only when asked
    from deltalake import DeltaTable, QueryBuilder  # noqa: PLC0415 - only when asked
    from deltalake.exceptions import DeltaError  # noqa: PLC0415 - only when asked

    try:
        table = DeltaTable(path / "systems")
        found = QueryBuilder().register("systems", table).execute("SELECT name FROM systems")
        rows = Table.from_arrow(found).column("name").to_pylist()
    except (DeltaError, OSError, ValueError):
        return ()
    return tuple(sorted(str(name) for name in rows))
