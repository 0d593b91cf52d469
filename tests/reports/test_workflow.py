from pathlib import Path

import pytest

from finassay.errors import UnknownNameError, UsageError
from finassay.marking.scoring import DEFAULT_SCORERS
from finassay.reports.workflow import AuditSettings, audit_study, demo_study, write_audit
from finassay.study import Study
from study_samples import small_study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return small_study(tmp_path / "s")


def test_an_audit_marks_with_every_scorer_asked_for(study: Study):
    settings = AuditSettings(scorers=("includes", "token_f1"), primary="includes")
    marked, audit = audit_study(study, settings)
    assert marked.marking.scorers == ("includes", "token_f1")
    assert set(audit.scorers) == {"exact", "includes", "token_f1"}
    assert (audit.n_items, audit.n_systems) == (3, 2)


def test_settings_reach_the_audit(study: Study):
    settings = AuditSettings(
        scorers=("includes",),
        primary="includes",
        policy="wrong",
        rank_convention="dense",
        commands=("finassay audit s",),
    )
    _, audit = audit_study(study, settings)
    assert (audit.primary, audit.policy, audit.rank_convention) == ("includes", "wrong", "dense")
    assert audit.commands == ("finassay audit s",)


def test_a_second_audit_marks_nothing_and_is_the_same(study: Study):
    settings = AuditSettings(scorers=("includes",))
    _, first = audit_study(study, settings)
    marked, second = audit_study(study, settings)
    assert (marked.marking.marked, marked.marking.up_to_date) == (0, 6)
    assert first == second


def test_an_audit_says_what_the_marking_left_out(study: Study):
    kept = [item for item in study.snapshot().items() if item.item_id != "01"]
    benchmarks = {item.benchmark for item in study.snapshot().items()}
    assert len(benchmarks) == 1
    study.add_items(kept, benchmark=benchmarks.pop())
    marked, _ = audit_study(study, AuditSettings(scorers=("includes",)))
    assert (marked.marking.without_item, marked.marking.redacted) == (2, 0)
    assert marked.regimes.scorers == ()


def test_progress_counts_the_parts_that_are_marked(study: Study):
    seen: list[tuple[int, int, str]] = []
    settings = AuditSettings(scorers=("includes",))
    audit_study(study, settings, progress=lambda *step: seen.append(step))
    assert seen == [(0, 1, "alpha"), (1, 1, "")]


def test_an_unknown_scorer_is_refused_before_anything_is_marked(study: Study):
    before = dict(study.snapshot().versions)
    with pytest.raises(UnknownNameError, match="did you mean includes"):
        audit_study(study, AuditSettings(scorers=("exact", "inclodes")))
    assert dict(study.snapshot().versions) == before


def test_systems_are_described_in_the_audit(study: Study):
    _, audit = audit_study(study, AuditSettings(scorers=("includes",)))
    assert [(s.name, s.kind, s.description) for s in audit.systems] == [
        ("alpha", "model", "alpha-7b"),
        ("beta", "model", "beta-70b"),
    ]


def test_a_report_is_written_whole_or_not_at_all(study: Study, tmp_path: Path):
    _, audit = audit_study(study, AuditSettings(scorers=("includes",)))
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="got the file"):
        write_audit(audit, tmp_path / "file")
    written = write_audit(audit, tmp_path / "r")
    assert {path.name for path in written} >= {"report.html", "report.md", "report.json"}
    assert all(path.is_file() for path in written)


def test_the_default_scorers_hold_every_published_rule_and_two_thresholds():
    assert {"strict/numbers-first", "strict/fuzzy-first", "strict/as-stated"} < set(DEFAULT_SCORERS)
    assert sum("[threshold=" in name for name in DEFAULT_SCORERS) == 2


def test_the_demonstration_takes_one_bundled_benchmark_or_all(tmp_path: Path):
    one = demo_study(tmp_path / "one", names=["finassay-reglabels"]).snapshot()
    assert one.frame("items").height == 72
    assert one.frame("predictions").height == 720
