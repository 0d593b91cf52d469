from __future__ import annotations

from collections.abc import Iterator

import pytest

from reference.tiny_wordnet import write_tiny_wordnet


@pytest.fixture(scope="session", autouse=True)
def small_wordnet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let nltk find a WordNet of a few words, whatever this machine has."""
    nltk = pytest.importorskip("nltk")
    folder = write_tiny_wordnet(tmp_path_factory.mktemp("nltk") / "data")
    before = list(nltk.data.path)
    nltk.data.path[:] = [str(folder)]
    yield
    nltk.data.path[:] = before
