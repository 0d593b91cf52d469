import shutil
from pathlib import Path

import pytest

from finassay.study import Study
from study_samples import small_study


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small study that nobody writes to."""
    return small_study(tmp_path_factory.mktemp("small") / "study").root


@pytest.fixture
def study(small: Path, tmp_path: Path) -> Study:
    """A copy of the small study to write to."""
    return Study.open(shutil.copytree(small, tmp_path / "study"))
