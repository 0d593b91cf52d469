"""Scorers that pay for length, and those that do not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from finassay.marking.matrix import VerdictMatrix
from provenance_samples import inputs, only, questions, trace, verdicts

N, SYSTEMS = 50, ("terse", "plain", "wordy", "endless")
ITEMS = questions([f"unobtainable {at}" for at in range(N)])
WORDS = ("ledger", "notice", "quarter", "deposit", "auditor", "margin", "filing", "tenor")


def texts(seed: int = 0) -> dict[str, list[str]]:
    """Return wrong replies; later systems write more."""
    rng = np.random.default_rng(seed)
    return {
        name: [
            " ".join(rng.choice(WORDS, size=int(rng.integers(3, 8)) * 2**at)) + "."
            for _ in range(N)
        ]
        for at, name in enumerate(SYSTEMS)
    }


def judged(
    replies: dict[str, list[str]], chance: Callable[[int], float], seed: int = 1
) -> VerdictMatrix:
    rng = np.random.default_rng(seed)
    return verdicts(
        ITEMS,
        {
            name: [float(rng.random() < chance(len(text))) for text in own]
            for name, own in replies.items()
        },
    )


def test_a_judge_that_credits_long_wrong_replies_is_found():
    replies = texts()
    judge = judged(replies, lambda length: min(0.9, max(0.0, 0.2 * np.log2(length / 40))))
    found = trace(inputs(ITEMS, replies, more={"judge/j": judge}))
    finding = only(found, "length_favour")
    assert finding.severity == "medium"
    assert finding.systems[0] == "endless"
    (favour,) = (row for row in found.length if row.scorer == "judge/j")
    assert favour.n == N * len(SYSTEMS)
    assert favour.n_credited == int(judge.right.sum())
    assert favour.slope == pytest.approx(0.2, abs=0.05)
    assert favour.median_credited > favour.median_other
    credited = [item for item in finding.witnesses if judge.right[int(item[1:])].any()]
    assert credited == list(finding.witnesses)


def test_counting_these_replies_as_wrong_shows_in_the_ranks():
    replies = texts()
    judge = judged(replies, lambda length: min(0.9, max(0.0, 0.2 * np.log2(length / 40))))
    effect = only(trace(inputs(ITEMS, replies, more={"judge/j": judge})), "length_favour").effect
    assert effect is not None
    assert effect.leaders_before == ("endless",)
    assert {move.right_after for move in effect.moves} == {0}


def test_a_judge_that_credits_without_regard_to_length_is_not_found():
    replies = texts()
    judge = judged(replies, lambda _: 0.3)
    found = trace(inputs(ITEMS, replies, more={"judge/j": judge}))
    assert found.of("length_favour") == ()
    (favour,) = (row for row in found.length if row.scorer == "judge/j")
    assert favour.low < 0 < favour.high


def test_a_judge_that_prefers_short_replies_is_not_found():
    replies = texts()
    judge = judged(replies, lambda length: 0.8 if length < 60 else 0.1)
    assert trace(inputs(ITEMS, replies, more={"judge/j": judge})).of("length_favour") == ()


def test_long_replies_in_which_a_rule_finds_the_answer_are_left_aside():
    replies = texts()
    replies["endless"] = [
        f"{text} So it is unobtainable {at}." for at, text in enumerate(replies["endless"])
    ]
    right = {name: [float(name == "endless")] * N for name in SYSTEMS}
    judge = verdicts(ITEMS, right)
    found = trace(inputs(ITEMS, replies, more={"judge/j": judge}))
    assert found.of("length_favour") == ()
    (favour,) = (row for row in found.length if row.scorer == "judge/j")
    assert (favour.n, favour.n_credited) == (3 * N, 0)


def test_stored_verdicts_that_favour_length_are_severe():
    replies = texts()
    stored = judged(replies, lambda length: min(0.9, max(0.0, 0.2 * np.log2(length / 40))))
    found = trace(inputs(ITEMS, replies, stored=stored))
    assert only(found, "length_favour").severity == "high"
