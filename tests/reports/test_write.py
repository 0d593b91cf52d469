"""What a report leaves in its folder is of this audit, or no report's."""

from __future__ import annotations

from pathlib import Path

from finassay.reports.write import write_report
from sample_audits import made_audit


def test_a_table_of_an_earlier_report_is_removed_and_other_files_stay(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    first = next(path for path in write_report(made_audit(), tmp_path) if path.suffix == ".tex")
    stale, own = folder / "of an earlier audit.tex", folder / "mine.tex"
    stale.write_text(first.read_text("utf-8"), "utf-8")
    own.write_text("% my own table\n", "utf-8")
    write_report(made_audit(), tmp_path, formats=("html",))
    assert stale.exists()
    write_report(made_audit(), tmp_path)
    assert not stale.exists()
    assert first.exists()
    assert own.read_text("utf-8") == "% my own table\n"
