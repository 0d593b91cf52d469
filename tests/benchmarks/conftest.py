"""What the tests of the benchmarks room share: no proxies, and waits that only count."""

import pytest

from finassay.benchmarks import download


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that would have been waited, in order."""
    waited: list[float] = []
    monkeypatch.setattr(download, "sleep", waited.append)
    return waited
