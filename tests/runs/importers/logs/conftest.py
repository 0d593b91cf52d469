import os
import subprocess
import sys
from pathlib import Path

import pytest

from finassay.study import Study
from logs_in_studies import new_study

TESTS = Path(__file__).parents[3]


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A study with nothing in it."""
    return new_study(tmp_path)


@pytest.fixture(scope="session")
def inspect_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of logs that Inspect wrote with its mock model."""
    return _written(tmp_path_factory, "write_inspect_logs.py", "inspect_ai")


@pytest.fixture(scope="session")
def lm_eval_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of logs that lm-evaluation-harness wrote with its dummy model."""
    return _written(tmp_path_factory, "write_lm_eval_logs.py", "lm_eval")


def _written(factory: pytest.TempPathFactory, program: str, package: str) -> Path:
    pytest.importorskip(package, reason=f"{package} is not installed: it can write no log")
    folder = factory.mktemp(package)
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", TESTS / program, folder],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HOME": str(folder)},
    )
    assert ran.returncode == 0, ran.stderr
    return folder
