from pathlib import Path

import pytest

from finassay.study import Study
from import_tables import twelve_items


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A study with twelve items of two families and nothing else."""
    return twelve_items(tmp_path / "study")
