"""Lengths at which texts were cut."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from finassay.analyses.kernels.piles import ALPHA, Pile, piles


def spread(counts: dict[int, int]) -> np.ndarray:
    return np.array([length for length, n in counts.items() for _ in range(n)], dtype=np.int64)


def opened(lengths: np.ndarray, at: int, *, share: float = 1.0) -> np.ndarray:
    """Return that a share of the texts at one length end in mid-sentence, and no others."""
    where = np.flatnonzero(lengths == at)
    found = np.zeros(len(lengths), dtype=bool)
    found[where[: round(share * len(where))]] = True
    return found


def test_texts_cut_at_one_length_are_a_pile():
    lengths = spread({**dict.fromkeys(range(60, 200, 3), 1), 200: 30})
    (found,) = piles(lengths, opened(lengths, 200))
    below = sum(length >= 180 for length in range(60, 200, 3))
    assert found[:4] == (200, 30, 0, (below + 1) / 20)
    assert found.p == pytest.approx(stats.poisson.sf(29, (below + 1) / 20))


def test_texts_that_end_their_sentences_are_no_pile():
    lengths = spread({**dict.fromkeys(range(60, 200, 3), 1), 200: 30})
    assert piles(lengths, opened(lengths, 200, share=0.4)) == ()


def test_short_answers_of_one_length_are_no_pile():
    lengths = spread({3: 40, 12: 9})
    assert piles(lengths, np.ones(len(lengths), dtype=bool)) == ()


def test_a_second_cap_below_longer_texts_is_found_when_nearly_all_are_open():
    counts = {**dict.fromkeys(range(60, 400, 4), 1), 150: 25, 400: 25}
    lengths = spread(counts)
    is_open = opened(lengths, 150) | opened(lengths, 400)
    assert [found.length for found in piles(lengths, is_open)] == [400, 150]
    half = opened(lengths, 150, share=0.6) | opened(lengths, 400)
    assert [found.length for found in piles(lengths, half)] == [400]


def test_no_texts_have_no_pile():
    assert piles(np.empty(0, dtype=np.int64), np.empty(0, dtype=bool)) == ()


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(1, 500), min_size=1, max_size=300), st.randoms(use_true_random=False))
def test_every_pile_is_what_the_slow_count_says(drawn: list[int], random: Random):
    lengths = np.array(drawn, dtype=np.int64)
    is_open = np.array([random.random() < 0.7 for _ in drawn])
    level = ALPHA / len(set(drawn))
    slow = []
    for length in sorted(set(drawn), reverse=True):
        here = drawn.count(length)
        expected = (sum(length - 20 <= other < length for other in drawn) + 1) / 20
        p = stats.poisson.sf(here - 1, expected)
        longer = sum(other > length for other in drawn)
        said = sum(o for o, other in zip(is_open, drawn, strict=True) if other == length)
        least = 0.8 if longer > 0.05 * len(drawn) else 0.5
        if length >= 50 and here >= 5 and p < level and said >= least * here:
            slow.append(Pile(length, here, longer, expected, pytest.approx(p), said))
    assert list(piles(lengths, is_open)) == slow
