"""Where the real data lie."""

import os
from pathlib import Path

import pytest


def data_root() -> Path:
    """Return the folder that FINASSAY_DATA names; without one the calling test is skipped."""
    root = os.environ.get("FINASSAY_DATA")
    if not root:
        pytest.skip("FINASSAY_DATA does not name the folder with the real data")
    return Path(root)
