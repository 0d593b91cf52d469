"""Whether prompts fit, and what is said where one does not."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import UsageError
from finassay.judges.fit import OVERHEAD, check_fit, check_fits, prompt_tokens, tokens_at_most
from finassay.judges.grounds import Grounds
from finassay.judges.prompting import judge_item
from finassay.judges.protocol import Protocol
from judge_samples import candidate

PROMPT = judge_item(candidate(), Grounds(references=("15 days",)), Protocol())


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("fee", 2),
        ("The fee", 4),
        ("SEBI", 4),
        ("xqzv", 4),
        ("12,000", 6),
        (" 5%", 3),
        ("₹", 3),
        ("基金", 6),
        ("a\n\nb", 4),
    ],
)
def test_tokens_are_counted_as_the_rule_says(text: str, tokens: int):
    assert tokens_at_most(text) == tokens


@settings(deadline=None)
@given(left=st.text(max_size=40), right=st.text(max_size=40))
def test_the_bound_never_exceeds_the_bytes_and_grows_with_the_text(left: str, right: str):
    assert tokens_at_most(left) <= len(left.encode("utf-8", "surrogatepass"))
    assert tokens_at_most(left + "\n" + right) == tokens_at_most(left) + 1 + tokens_at_most(right)


def test_a_prompt_that_fits_exactly_fits():
    tokens = prompt_tokens(PROMPT.turns)
    assert tokens == sum(tokens_at_most(turn.text) for turn in PROMPT.turns) + 2 * OVERHEAD
    fit = check_fit(PROMPT, 100, tokens + 100)
    assert (fit.tokens, fit.spare, fit.item_id) == (tokens, 0, PROMPT.item.item_id)


def test_one_token_too_many_is_an_error_that_names_item_tokens_and_window():
    tokens = prompt_tokens(PROMPT.turns)
    told = (
        f"derived item '{PROMPT.item.item_id}' may not fit: up to {tokens} tokens and 100 for the "
        f"reply, {tokens + 100} together, and the judge's window holds {tokens + 99}"
    )
    with pytest.raises(UsageError, match=re.escape(told)):
        check_fit(PROMPT, 100, tokens + 99)


def test_nothing_of_a_long_answer_is_cut():
    long = judge_item(candidate("word " * 5000), Grounds(), Protocol(arm="none"))
    with pytest.raises(UsageError, match="Nothing is ever cut"):
        check_fits([PROMPT, long], 512, 8192)
    assert long.item.question.count("word") == 5000


def test_every_prompt_leaves_a_record():
    assert [fit.item_id for fit in check_fits([PROMPT, PROMPT], 512, 8192)] == [
        PROMPT.item.item_id,
        PROMPT.item.item_id,
    ]


@pytest.mark.parametrize("unit", ["bcd", "a", "A ", " ", "基"])
def test_time_grows_with_the_length_of_a_text(unit: str):
    def spent(size: int) -> float:
        text = unit * size
        start = time.process_time()
        tokens_at_most(text)
        return time.process_time() - start

    short = max(min(spent(30_000) for _ in range(3)), 1e-3)
    assert spent(120_000) < 12 * short
