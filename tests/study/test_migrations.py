from pathlib import Path

import pytest
from deltalake import DeltaTable, write_deltalake

from finassay.errors import NoStudyError, StudyError
from finassay.study import Study
from finassay.study.check import check
from finassay.study.config import read_config
from finassay.study.migrations import MIGRATIONS, Migration, migrate
from finassay.study.schemas import SCHEMA_VERSION


def made_older(study: Study) -> None:
    """Turn a study into one of a made-up version 0, whose runs knew no environment."""
    rows = study.snapshot().frame("runs").drop("environment")
    write_deltalake(study.root / "runs", rows, mode="overwrite", schema_mode="overwrite")
    toml = study.root / "study.toml"
    toml.write_text(toml.read_text().replace("schema_version = 1", "schema_version = 0"))


def add_environment(root: Path) -> None:
    import polars as pl  # noqa: PLC0415

    from finassay.study.schemas import RUNS  # noqa: PLC0415

    rows = pl.scan_delta(DeltaTable(root / "runs")).collect()
    full = rows.with_columns(environment=pl.lit("")).select(list(RUNS.columns))
    write_deltalake(root / "runs", full, mode="overwrite", schema_mode="overwrite")


STEP = Migration(name="runs-know-their-environment", from_version=0, apply=add_environment)


def test_an_older_study_is_refused_until_it_is_migrated(study: Study):
    rows = study.snapshot().frame("runs")
    made_older(study)
    with pytest.raises(StudyError, match="finassay study migrate"):
        Study.open(study.root)
    assert migrate(study.root, migrations=[STEP]) == ("runs-know-their-environment",)
    migrated = Study.open(study.root)
    assert check(migrated).problems == ()
    assert migrated.snapshot().frame("runs").equals(rows)
    assert migrate(study.root, migrations=[STEP]) == ()


def test_steps_follow_each_other_and_a_killed_one_resumes(study: Study):
    done: list[str] = []

    def fail_once(_: Path) -> None:
        done.append("two")
        if done.count("two") == 1:
            raise KeyboardInterrupt

    first = Migration(name="one", from_version=1, apply=lambda _: done.append("one"))
    second = Migration(name="two", from_version=2, apply=fail_once)
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012
        migrate(study.root, migrations=[first, second], to_version=3)
        raise AssertionError
    assert read_config(study.root).schema_version == 2
    assert migrate(study.root, migrations=[first, second], to_version=3) == ("two",)
    assert done == ["one", "two", "two"]


def test_a_newer_study_or_a_missing_step_is_refused(study: Study, tmp_path: Path):
    with pytest.raises(StudyError, match="no step leads on from it to 9"):
        migrate(study.root, to_version=9)
    with pytest.raises(StudyError, match="migrations go one way"):
        migrate(study.root, to_version=0)
    with pytest.raises(NoStudyError, match="there is no study"):
        migrate(tmp_path)


def test_the_known_steps_have_names_of_their_own_and_lead_to_the_present():
    assert len({step.name for step in MIGRATIONS}) == len(MIGRATIONS)
    assert [step.from_version for step in MIGRATIONS] == list(range(1, SCHEMA_VERSION))
