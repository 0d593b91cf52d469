"""Logs brought into a new study, and what the study holds of them."""

from __future__ import annotations

from pathlib import Path

from finassay.runs.importers.logs.importing import find_logs, import_logs
from finassay.runs.importers.logs.landing import LandingOptions
from finassay.runs.importers.logs.report import LogsReport
from finassay.study import Study

Key = tuple[str, int]


def bring(study: Study, *paths: Path, tool: str | None = None, **options: object) -> LogsReport:
    found = find_logs(paths, tool=tool)
    chosen = LandingOptions(**options)  # type: ignore[arg-type]
    return import_logs(study, found.sources, options=chosen)


def new_study(folder: Path) -> Study:
    return Study.create(folder / "study")


def answers(study: Study, column: str = "text") -> dict[Key, object]:
    frame = study.snapshot().frame("predictions")
    return dict(zip(zip(frame["item_id"], frame["trial"], strict=True), frame[column], strict=True))


def verdicts(study: Study, scorer: str, column: str = "value") -> dict[Key, object]:
    frame = study.snapshot().frame("verdicts", scorer_id=f"imported/{scorer}")
    return dict(zip(zip(frame["item_id"], frame["trial"], strict=True), frame[column], strict=True))


def bad_lines(report: LogsReport) -> list[str]:
    return [str(row) for source in report.sources for row in source.bad_rows]
