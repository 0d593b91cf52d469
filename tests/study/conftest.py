import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from finassay.study import Study
from postgres_server import throw_away_server
from study_samples import small_study


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small study that nobody writes to."""
    return small_study(tmp_path_factory.mktemp("small") / "study").root


@pytest.fixture
def study(small: Path, tmp_path: Path) -> Study:
    """A copy of the small study to write to."""
    return Study.open(shutil.copytree(small, tmp_path / "study"))


@pytest.fixture(scope="session")
def label_server() -> Iterator[str]:
    """URL of an empty database, one for all tests of a process."""
    with throw_away_server() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of a database without any table."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'labels.sqlite'}"
    address: str = request.getfixturevalue("label_server")
    empty_database(address)
    return address


def empty_database(url: str) -> None:
    """Drop every table of a PostgreSQL database."""
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    engine.dispose()
