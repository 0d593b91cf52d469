"""The errors that Finassay raises on purpose.

Every message says what went wrong, where, what was expected, what was found and what to do.
The branches below the base have an exit code each, which the command line returns.

::

    FinassayError (1)
    ├── UsageError (2)            an argument or option that cannot be used
    │   ├── UnknownNameError      no scorer, regime, system or table of that name
    │   ├── SpecError             a scorer spec that cannot be read, or a parameter out of range
    │   ├── NotAssignedError      a unit to label that is not, or not any more, this person's
    │   └── MissingExtraError     what was asked for needs a package or data that are not installed
    ├── InputError (3)            a file from outside that cannot be read
    │   ├── EncodingError         bytes that are not text in the declared encoding
    │   ├── MappingError          columns that cannot be told apart or are missing
    │   └── BadRowsError          rows that cannot be used, under --strict
    ├── StudyError (4)            the study on disk
    │   ├── NoStudyError          there is no study at this path
    │   ├── SchemaError           a table that does not have the columns it must have
    │   ├── KeyClashError         two rows for one key
    │   └── ConflictError         another writer kept winning
    │       └── AnsweredMeanwhileError  the same person answered otherwise in another window
    ├── MarkingError (5)          verdicts that cannot be made or combined
    │   ├── CellClashError        two verdicts for one cell of a matrix
    │   └── MissingVerdictsError  an analysis needs verdicts that the study does not hold
    ├── FetchError (6)            a benchmark that could not be fetched, or whose digest differs
    ├── RunError (7)              models that could not be run to the end
    ├── RetrievalError (8)        an index of documents that cannot be searched or changed
    │   ├── NoIndexError          there is no index at this path
    │   ├── StaleIndexError       it was built with other settings, models or versions
    │   ├── DamagedIndexError     a file of it is missing or not as it was written
    │   └── BusyIndexError        another process is building it
    └── DiskError (9)             the system refuses to read or write: full, read-only, no rights
"""

from __future__ import annotations

from typing import ClassVar


class FinassayError(Exception):
    """Base of every error that Finassay raises on purpose."""

    exit_code: ClassVar[int] = 1


class UsageError(FinassayError, ValueError):
    """An argument or option cannot be used as it was given."""

    exit_code: ClassVar[int] = 2


class UnknownNameError(UsageError):
    """There is no scorer, regime, system or table of that name."""


class SpecError(UsageError):
    """A scorer spec cannot be read, or one of its parameters is out of range."""


class NotAssignedError(UsageError):
    """A unit to label is not among those given to this person, or not any more."""


class MissingExtraError(UsageError):
    """What was asked for needs a package or data not installed; the message says which extra."""


class InputError(FinassayError):
    """A file from outside cannot be read."""

    exit_code: ClassVar[int] = 3


class EncodingError(InputError):
    """Bytes of a file are not text in the declared encoding."""


class MappingError(InputError):
    """The columns of a table cannot be told apart, or one that is needed is missing."""


class BadRowsError(InputError):
    """Rows of a table cannot be used, and the caller asked for that to be an error."""


class StudyError(FinassayError):
    """Something is wrong with the study on disk."""

    exit_code: ClassVar[int] = 4


class NoStudyError(StudyError):
    """There is no study at this path."""


class SchemaError(StudyError):
    """A table does not have the columns or types that it must have."""


class KeyClashError(StudyError):
    """Two rows stand under one key."""


class ConflictError(StudyError):
    """Another process kept committing first; the write was not made."""


class AnsweredMeanwhileError(ConflictError):
    """A person answered a unit otherwise since the page was shown; nothing was recorded."""


class MarkingError(FinassayError):
    """Verdicts cannot be made or combined."""

    exit_code: ClassVar[int] = 5


class CellClashError(MarkingError):
    """Two verdicts fall into one cell of a matrix."""


class MissingVerdictsError(MarkingError):
    """An analysis needs verdicts that the study does not hold."""


class FetchError(FinassayError):
    """A benchmark could not be fetched, or what came has another digest than it should."""

    exit_code: ClassVar[int] = 6


class RunError(FinassayError):
    """Models could not be run to the end: answers are missing that were asked for."""

    exit_code: ClassVar[int] = 7


class RetrievalError(FinassayError):
    """An index of documents cannot be searched or changed."""

    exit_code: ClassVar[int] = 8


class NoIndexError(RetrievalError):
    """There is no index at this path."""


class StaleIndexError(RetrievalError):
    """An index was built with other settings, another model or another version."""


class DamagedIndexError(RetrievalError):
    """A file of an index is missing or is not as it was written."""


class BusyIndexError(RetrievalError):
    """Another process is building the index; nothing was changed."""


class DiskError(FinassayError):
    """The system refuses to read or write: a full or read-only disk, no rights, too many files."""

    exit_code: ClassVar[int] = 9
