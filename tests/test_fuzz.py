"""The fuzz script in short form: nothing raises, and faults are seen."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.full

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"
TEXTS = 1_000


@pytest.fixture(scope="module")
def fuzz() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPTS))
        yield importlib.import_module("fuzz_scorers")


def test_no_reader_or_scorer_raises_on_random_and_damaged_texts(fuzz: ModuleType):
    state = fuzz.State(seed=5)
    fuzz.fuzz(state, TEXTS, lambda _: None, with_heavy=False)
    assert state.failures == []
    assert state.texts == TEXTS
    assert min(state.calls[name] for name in fuzz.readers()) == TEXTS


@pytest.mark.long
def test_two_processes_try_the_same_texts_as_one(fuzz: ModuleType, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fuzz, "BLOCK", 30)
    alone, together = fuzz.State(seed=5), fuzz.State(seed=5)
    stands: list[int] = []
    fuzz.fuzz(alone, 75, lambda _: None, with_heavy=False)
    fuzz.fuzz(together, 75, lambda one: stands.append(one.texts), with_heavy=False, workers=2)
    assert together == alone
    assert stands == [30, 60, 75]


def test_a_reader_that_raises_is_reported_with_its_text(fuzz: ModuleType):
    state = fuzz.State(seed=5)
    fuzz.guarded(state, "broken", "a\ud800", lambda: int("a"))
    assert [(f["what"], f["text"]) for f in state.failures] == [("broken", r"'a\ud800'")]
    assert state.failures[0]["error"].startswith("ValueError: ")


def test_a_span_outside_the_text_is_reported(fuzz: ModuleType):
    class Reading:
        start, end = 0, 4

    assert fuzz.check_reading(lambda _: (Reading(),), "abc") == "a span outside the text"
    assert fuzz.check_reading(lambda _: (Reading(),), "abcd") is None


class Clock:
    """A clock that stands until a reader says what it cost."""

    now = 0.0

    def process_time(self) -> float:
        return self.now


def test_a_quadratic_reader_is_told_from_a_linear_one(
    fuzz: ModuleType, monkeypatch: pytest.MonkeyPatch
):
    clock = Clock()
    monkeypatch.setattr("growth_of_time.time", clock)

    def power_of(exponent: int) -> float:
        def reader(text: str) -> None:
            clock.now += 1e-5 * len(text) ** exponent

        steps = [1_000, 2_000, 4_000, 8_000, 16_000]
        return fuzz.growth("x", reader, "digits", limit_s=1e9, lengths=steps).power

    assert power_of(2) == pytest.approx(2)
    assert power_of(1) == pytest.approx(1)


def test_shapes_have_the_length_that_was_asked_for(fuzz: ModuleType):
    assert {len(make(997)) for make in fuzz.SHAPES.values()} == {997}


def test_the_same_seed_gives_the_same_texts(fuzz: ModuleType):
    def texts(seed: int) -> list[str]:
        rng = random.Random(seed)
        return [fuzz.random_text(rng) for _ in range(50)]

    assert texts(3) == texts(3) != texts(4)


def test_an_interrupted_run_goes_on_where_it_stopped(fuzz: ModuleType, tmp_path: Path):
    path = tmp_path / "state.json"
    state = fuzz.State(seed=5)
    fuzz.fuzz(state, 20, lambda _: None)
    fuzz.save_state(path, state)
    assert fuzz.load_state(path, 5) == state
    assert fuzz.load_state(path, 6).texts == 0
    fuzz.fuzz(state, 50, lambda _: None, with_heavy=False)
    assert state.texts == 50
    assert {state.calls[name] for name in fuzz.readers()} == {50}
