"""IndiaFinBench as its public repository lays it out.  In: the directory.  Out: a whole study.

Items, the systems' predictions with the source's own verdicts, two annotators as systems, and the
verdicts of a judge.  See Rajveer-code/IndiaFinBench (CC BY 4.0).
"""

from __future__ import annotations

from pathlib import Path

from finassay.errors import InputError
from finassay.records import STORED, Item, SystemKind
from finassay.runs.importers._rows import Progress, Row
from finassay.runs.importers.items import import_items
from finassay.runs.importers.mapping import ColumnMap
from finassay.runs.importers.options import ImportOptions
from finassay.runs.importers.predictions import import_predictions
from finassay.runs.importers.report import FetchReport, ImportReport
from finassay.runs.importers.values import as_text
from finassay.runs.importers.verdicts import import_verdicts
from finassay.study import Study

BENCHMARK = "indiafinbench"
JUDGE = "judge/phi4-mini"
AGREEMENT = "imported/agreement-report"
"""The agreement report on the second annotator: another marking than the pipeline's."""

FAMILIES: dict[str, str] = {
    "regulatory_interpretation": "REG",
    "numerical_reasoning": "NUM",
    "contradiction_detection": "CON",
    "temporal_reasoning": "TMP",
}

_ANNOTATORS: tuple[tuple[str, str, SystemKind], ...] = (
    ("second_annotator_60.csv", "second_annotator", "person"),
    ("model_annotator_150.csv", "model_annotator", "model"),
)
_AGREEMENT_FILE = "iaa_kappa_report_60.csv"
_JUDGE_FILE = "judge_verdicts.csv"


def import_indiafinbench(
    study: Study, directory: str | Path, *, progress: Progress | None = None
) -> FetchReport:
    """Return what came of building the study of IndiaFinBench from its directory.

    The judge's table repeats the source's own verdicts (column `strict`); they are taken from it
    only for systems without a prediction file, and then only as reported counts.

    Raises:
        InputError: items or predictions are missing from the directory, or cannot be read.
        BadRowsError: a row of any file cannot be used.
    """
    root = Path(directory)
    items, predictions = require_layout(root)
    strict = ImportOptions(strict=True)
    made = import_items(
        study, items, benchmark=BENCHMARK, options=strict, build=_item, progress=progress
    )
    imports = [made, import_predictions(study, predictions, options=strict, progress=progress)]
    for name, system, kind in _ANNOTATORS:
        if (root / name).is_file():
            options = ImportOptions(strict=True, name=system, kind=kind)
            imports.append(
                import_predictions(study, root / name, options=options, progress=progress)
            )
    imports.extend(_verdicts(study, root, progress))
    return FetchReport(
        benchmark=BENCHMARK, directory=str(root), items=made.items, imports=tuple(imports)
    )


def require_layout(root: Path) -> tuple[Path, list[Path]]:
    """Return the file of items and those of predictions.

    Raises:
        InputError: items or predictions are missing from the directory.
    """
    items = root / "items.json"
    predictions = sorted((root / "predictions").glob("*.csv"))
    if not (items.is_file() and predictions):
        raise InputError(
            f"{root}: expected items.json and predictions/*.csv, as the public repository of "
            f"IndiaFinBench lays them out; check the directory"
        )
    return items, predictions


def _verdicts(study: Study, root: Path, progress: Progress | None) -> list[ImportReport]:
    imports: list[ImportReport] = []
    if (root / _AGREEMENT_FILE).is_file():
        options = ImportOptions(strict=True, name=_ANNOTATORS[0][1])
        imports.append(
            import_verdicts(
                study,
                root / _AGREEMENT_FILE,
                scorers={"agree": AGREEMENT},
                options=options,
                progress=progress,
            )
        )
    judged = root / _JUDGE_FILE
    if judged.is_file():
        strict = ImportOptions(strict=True)
        imports.append(
            import_verdicts(
                study,
                judged,
                scorers={"strict": STORED, "judge": JUDGE},
                only_reported=frozenset({STORED}),
                options=strict,
                progress=progress,
            )
        )
    return imports


def _item(row: Row, mapping: ColumnMap) -> Item:
    """Return an item; contradiction items are answered Yes or No from two passages."""

    def text(column: str) -> str:
        return as_text(row.values.get(column))

    task = text("task_type")
    if task not in FAMILIES:
        raise ValueError(f"the task must be one of {sorted(FAMILIES)}, got {task!r}")
    family = FAMILIES[task]
    pair = ("_a", "_b")
    names = ("source", "regulation", "regulation_a", "regulation_b", "answer_type")
    return Item(
        item_id=text(mapping.item_id or "id"),
        family=family,
        task=task,
        difficulty=text("difficulty"),
        question=text("question"),
        context=text("context"),
        contexts=tuple(text(f"context{end}") for end in pair if text(f"context{end}")),
        reference=text("answer") if text("answer").strip() else None,
        choices=("Yes", "No") if family == "CON" else (),
        documents=tuple(text(f"document{end}") for end in ("", *pair) if text(f"document{end}")),
        strata=tuple((name, text(name)) for name in names if text(name)),
    )
