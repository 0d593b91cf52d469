"""Reading tables into a study: predictions, items, verdicts and printed scores."""

from finassay.records import STORED
from finassay.runs.importers.items import import_items
from finassay.runs.importers.options import IMPORTED_VERSION, ImportOptions
from finassay.runs.importers.predictions import import_predictions
from finassay.runs.importers.report import (
    FetchReport,
    FileReport,
    ImportReport,
    LengthCap,
    Listed,
    SystemReport,
)
from finassay.runs.importers.reported import import_reported
from finassay.runs.importers.verdicts import ORPHANS_TABLE, import_verdicts

__all__ = [
    "IMPORTED_VERSION",
    "ORPHANS_TABLE",
    "STORED",
    "FetchReport",
    "FileReport",
    "ImportOptions",
    "ImportReport",
    "LengthCap",
    "Listed",
    "SystemReport",
    "import_items",
    "import_predictions",
    "import_reported",
    "import_verdicts",
]
