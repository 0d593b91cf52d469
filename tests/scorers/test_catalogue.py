from importlib.metadata import EntryPoint

import pytest

from finassay.scorers import registry
from finassay.scorers.catalogue import scorer_catalogue


def test_every_installed_scorer_is_described_in_one_sentence():
    found = scorer_catalogue()
    names = {entry.name for entry in found.scorers}
    assert names >= {"exact", "includes", "token_f1", "strict/as-stated", "any_of"}
    for entry in found.scorers:
        assert entry.problem == ""
        assert entry.version
        assert entry.summary.endswith(".")


def test_only_reproductions_of_published_rules_are_called_published():
    found = {entry.name for entry in scorer_catalogue().scorers if entry.published}
    labels = {name for name in found if name.startswith("labels/")}
    assert "labels/card-order" in labels
    assert found - labels == {"strict/as-stated", "strict/fuzzy-first", "strict/numbers-first"}


def test_a_scorer_that_cannot_be_loaded_is_listed_with_the_reason(monkeypatch: pytest.MonkeyPatch):
    broken = EntryPoint(name="broken", value="no.such.module:X", group="finassay.scorers")
    # The reader itself is replaced, not what it reads: it remembers, and later tests would see it.
    monkeypatch.setattr(registry, "_entry_points", lambda: {"broken": broken})
    (entry,) = scorer_catalogue().scorers
    assert entry.name == "broken"
    assert "no.such.module" in entry.problem
    assert entry.to_lines() == [f"broken: {entry.problem}"]
