"""Systems of one file are committed together, and the study is the one of commits apart."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from finassay.errors import KeyClashError, UsageError
from finassay.records import SystemSpec
from finassay.runs.importers.tables import import_predictions
from finassay.study import Commit, Study
from finassay.study.check import check
from finassay.study.redact import redact
from import_tables import stored, table, texts, twelve_items

SYSTEMS = tuple(f"system {letter}" for letter in "abcdef")
GROUP = "finassay.runs.importers._table_commits.GROUP_ROWS"


def six_systems(path: Path, *, items: range = range(6), **other: str) -> Path:
    """Six systems in turns, row by row; `other` gives a system another last word."""
    rows = [
        {
            "id": f"q{n}",
            "system": name,
            "prediction": f"{name} says {n} {other.get(name[-1], '')}".strip(),
            "correct": str(n % 2),
        }
        for n in items
        for name in SYSTEMS
    ]
    return table(path, rows)


def versions(study: Study) -> dict[str, int]:
    tables = ("systems", "runs", "predictions", "verdicts")
    return {name: study.snapshot().versions[name] for name in tables}


@pytest.fixture(params=[1, 13, 100_000], ids=["one by one", "two at once", "all at once"])
def group_rows(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Rows that are committed together."""
    monkeypatch.setattr(GROUP, request.param)
    return int(request.param)


def told(study: Study) -> dict[str, str]:
    return dict(study.snapshot().digests())


def test_new_systems_of_a_file_are_one_commit_of_each_table(study: Study, tmp_path: Path) -> None:
    report = import_predictions(study, six_systems(tmp_path / "all.csv"))
    assert versions(study) == {"systems": 1, "runs": 1, "predictions": 1, "verdicts": 1}
    assert {one.table: one.rows for one in report.commits} == {
        "runs": 1,
        "predictions": 6,
        "verdicts": 6,
    }
    assert len(report.commits) == 3 * len(SYSTEMS)
    assert "committed: predictions 6, runs 6, verdicts 6" in "\n".join(report.to_lines())


@pytest.mark.parametrize(("most", "commits"), [(5, 6), (6, 6), (12, 3), (18, 2), (35, 2), (36, 1)])
def test_a_group_holds_no_more_rows_than_it_may(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, commits: int
) -> None:
    monkeypatch.setattr(GROUP, most)
    import_predictions(study, six_systems(tmp_path / "all.csv"))
    assert versions(study)["predictions"] == commits


def test_the_study_is_the_same_however_many_are_committed_at_once(
    study: Study, tmp_path: Path, group_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_predictions(study, six_systems(tmp_path / "all.csv"))
    monkeypatch.setattr(GROUP, 7)
    other = twelve_items(tmp_path / "other")
    import_predictions(other, tmp_path / "all.csv")
    assert told(study) == told(other)
    assert check(study).problems == ()
    assert texts(study, "system c")["q3"] == "system c says 3"
    assert stored(study, "system c") == {f"q{n}": float(n % 2) for n in range(6)}


def test_what_changes_nothing_writes_nothing_and_neighbours_stay_as_they_are(
    study: Study, tmp_path: Path, group_rows: int
) -> None:
    path = six_systems(tmp_path / "all.csv")
    import_predictions(study, path)
    before, runs = versions(study), study.snapshot().frame("runs")
    assert not import_predictions(study, path).is_changed
    assert versions(study) == before
    report = import_predictions(study, six_systems(path, d="now"))
    changed = [one.table for one in report.commits if one.changed]
    assert changed == ["runs", "predictions", "verdicts"]
    after = study.snapshot()
    own = after.resolve_system("system d")
    others = pl.col("system_id").ne(own)
    assert after.frame("runs").filter(others).equals(runs.filter(others))
    assert texts(study, "system d")["q0"] == "system d says 0 now"


def test_verdicts_on_other_sources_and_redacted_rows_stay_in_a_group(
    tmp_path: Path, group_rows: int
) -> None:
    """A second source of the same systems, then redactions, then a third and the first again."""
    study = twelve_items(tmp_path / "grouped")
    first = six_systems(tmp_path / "first.csv")
    second = six_systems(tmp_path / "second.csv", items=range(6, 9))
    import_predictions(study, first)
    import_predictions(study, second)
    assert stored(study, "system b") == {f"q{n}": float(n % 2) for n in range(9)}
    redact(study, pattern="says [17]$")
    import_predictions(study, six_systems(tmp_path / "third.csv", items=range(9, 12)))
    report = import_predictions(study, six_systems(first, a="new", e="new"))
    assert [one.redacted for one in report.systems] == [1] * 6
    held = texts(study, "system e")
    assert held["q0"] == "system e says 0 new"
    assert held["q1"] != "system e says 1 new"
    assert held["q8"] == "system e says 8"
    assert stored(study, "system e") == {f"q{n}": float(n % 2) for n in range(12)}
    assert {one.code for one in check(study).problems} == {"redacted"}


def test_a_stop_between_runs_and_predictions_is_made_good(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group_rows: int
) -> None:
    path = six_systems(tmp_path / "all.csv")
    plain = Study.commit

    def commit(self: Study, name: str, *args: object, **how: object) -> Commit:
        if name == "predictions":
            raise KeyboardInterrupt
        return plain(self, name, *args, **how)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(Study, "commit", commit)
        with pytest.raises(KeyboardInterrupt):
            import_predictions(study, path)
    import_predictions(study, path)
    other = twelve_items(tmp_path / "other")
    import_predictions(other, path)
    assert told(study) == told(other)


def test_a_key_that_another_source_holds_refuses_the_file_before_anything_is_written(
    study: Study, tmp_path: Path
) -> None:
    import_predictions(study, six_systems(tmp_path / "first.csv"))
    before = versions(study)
    rows = [
        {"id": f"q{n}", "system": name, "prediction": "other"}
        for name, n in [("new one", 1), ("system e", 4), ("system f", 11)]
    ]
    with pytest.raises(KeyClashError, match=r"1 predictions of 'system e' .* item 'q4', trial 0"):
        import_predictions(study, table(tmp_path / "second.csv", rows))
    assert versions(study) == before


def test_two_new_systems_of_one_name_are_refused_at_once(study: Study) -> None:
    twins = [SystemSpec(name="twin", model=model) for model in ("m1", "m2")]
    with pytest.raises(UsageError, match="display name 'twin' belongs to another system"):
        study.add_systems(twins)
    assert study.snapshot().frame("systems").is_empty()


@pytest.mark.parametrize("names", [["", "b"], ["a", ""]])
def test_no_system_of_several_may_lack_a_name(study: Study, names: list[str]) -> None:
    with pytest.raises(UsageError, match="must have a display name"):
        study.add_systems([SystemSpec(name=name) for name in names])
