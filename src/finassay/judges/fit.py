"""Whether a prompt fits.  In: messages, a budget, a window.  Out: tokens at most, or an error.

Tokens are bounded from above without the judge's tokeniser: see `tokens_at_most`.  A prompt is
never cut to fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from finassay.errors import UsageError
from finassay.judges.prompting import DerivedItem
from finassay.runs.prompts import Turn

OVERHEAD = 16
"""Tokens that a chat template may add to a message: role, marks, line ends."""

_WORD = re.compile(r"[A-Za-z](?=[a-z]{0,18}[aeiouy])[a-z]{1,19}(?![A-Za-z])")
_GLUED = re.compile(r" (?=[A-Za-z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How a prompt fills a context window.

    Attributes:
        item_id: of the derived item.
        tokens: of the prompt, at most.
        output_budget: tokens kept for the judge's reply.
        context_window: tokens that the judge can hold.
    """

    item_id: str
    tokens: int
    output_budget: int
    context_window: int

    @property
    def spare(self) -> int:
        """Tokens left at least; below 0 the prompt may not fit."""
        return self.context_window - self.tokens - self.output_budget


def tokens_at_most(text: str) -> int:
    """Return more tokens than common tokenisers make of a text.

    One for every two letters of a word in small letters, with or without a capital; one for every
    letter of anything else (capitals, codes, words without a vowel), for every digit, mark and
    space, but that the space before a letter goes with it; and one for every UTF-8 byte of any
    other sign, which is what tokenisers fall back to.  Never more than the bytes of the text.  The
    vocabularies of GPT-2 and Qwen 2.5 make 0.4 times as many of regulations, 0.94 of random hex
    digits and at most 1.02 of words of random letters, the least kind of text we found.
    """
    saved = sum(len(word) // 2 for word in _WORD.findall(text))
    return len(text.encode("utf-8", "surrogatepass")) - saved - len(_GLUED.findall(text))


def prompt_tokens(turns: Iterable[Turn]) -> int:
    """Return more tokens than a prompt has, chat template included."""
    return sum(tokens_at_most(turn.text) + OVERHEAD for turn in turns)


def check_fit(prompt: DerivedItem, output_budget: int, context_window: int) -> Fit:
    """Return how a prompt fills the window of a judge.

    Args:
        prompt: what is sent.
        output_budget: tokens kept for the reply, reasoning included.
        context_window: tokens that the judge can hold.

    Raises:
        UsageError: prompt and reply may not fit; names the item, the tokens and the window.
    """
    fit = Fit(
        item_id=prompt.item.item_id,
        tokens=prompt_tokens(prompt.turns),
        output_budget=output_budget,
        context_window=context_window,
    )
    if fit.spare < 0:
        raise UsageError(
            f"the prompt of derived item {fit.item_id!r} may not fit: up to {fit.tokens} tokens "
            f"and {output_budget} for the reply, {fit.tokens + output_budget} together, and the "
            f"judge's window holds {context_window}; choose a judge with a larger window, a "
            f"smaller budget, or leave the passages out. Nothing is ever cut"
        )
    return fit


def check_fits(
    prompts: Iterable[DerivedItem], output_budget: int, context_window: int
) -> tuple[Fit, ...]:
    """Return how each prompt fills the window of a judge, for the record.

    Raises:
        UsageError: one of them may not fit.
    """
    return tuple(check_fit(prompt, output_budget, context_window) for prompt in prompts)
