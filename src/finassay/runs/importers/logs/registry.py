"""The readers of logs by name.  In: nothing.  Out: readers, in the order in which they look.

The first reader that recognises a file has it, so shapes that say more stand before those that say
less.
"""

from __future__ import annotations

from finassay.errors import UnknownNameError
from finassay.runs.importers.logs.base import LogReader
from finassay.runs.importers.logs.inspect_log import InspectReader
from finassay.runs.importers.logs.lighteval import LightevalReader
from finassay.runs.importers.logs.lm_eval import LmEvalReader
from finassay.runs.importers.logs.others import OTHER_READERS

READERS: tuple[LogReader, ...] = (
    InspectReader(),
    LmEvalReader(),
    LightevalReader(),
    *OTHER_READERS,
)


def reader_named(name: str) -> LogReader:
    """Return the reader of a tool's logs.

    Raises:
        UnknownNameError: there is none of that name.
    """
    for reader in READERS:
        if reader.name == name:
            return reader
    names = ", ".join(reader.name for reader in READERS)
    raise UnknownNameError(f"no reader of logs is called {name!r}; expected one of {names}")
