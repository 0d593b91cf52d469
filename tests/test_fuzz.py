"""The fuzz script in short form: nothing raises, time grows with length, faults are seen."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"
TEXTS = 1_000
LONGEST = 16_000


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


@pytest.mark.full
def test_the_time_of_every_reader_grows_with_the_length(fuzz: ModuleType):
    found = [
        one
        for name, reader in fuzz.readers().items()
        for one in fuzz.growths_of(name, reader, limit_s=0.2, to=LONGEST)
    ]
    slow = [one for one in found if one.power > 1.6 or one.seconds > 0.2]
    assert slow == []


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


def test_a_quadratic_reader_is_told_from_a_linear_one(fuzz: ModuleType):
    def quadratic(text: str) -> int:
        return sum(len(text[:end].upper()) for end in range(len(text)))

    def linear(text: str) -> int:
        return sum(ord(character) for character in text * 50)

    steps = [1_000, 2_000, 4_000, 8_000, 16_000]
    powers = {
        reader.__name__: fuzz.growth("x", reader, "digits", limit_s=9, lengths=steps).power
        for reader in (quadratic, linear)
    }
    assert powers["quadratic"] > 1.35, powers
    assert powers["linear"] < 1.3, powers


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
