"""Inspect's output as a raw reply.  In: a model output and the call behind it.  Out: a raw reply.

Where the provider's own message is at hand it is read instead of Inspect's rendering of it, which
takes reasoning tags out wherever they stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from finassay.runs.replies import RawReply

if TYPE_CHECKING:
    from inspect_ai.model import ChatCompletionChoice, ModelCall, ModelOutput

_INLINE = "think"
"""Where Inspect says that reasoning came from, if it took it out of the text."""


class BrokenReplyError(Exception):
    """What came is no reply; asking again may help."""


class PromptTooLongError(Exception):
    """The provider says that the prompt does not fit into the model's window."""


def raw_reply(output: ModelOutput, call: ModelCall | None) -> RawReply:
    """Return a reply as the provider sent it.

    Raises:
        BrokenReplyError: there is no message in it.
        PromptTooLongError: the provider refused the length of the prompt.
    """
    if not output.choices:
        raise BrokenReplyError("the reply holds no message")
    choice = output.choices[0]
    is_refused_request = call is not None and bool(call.error)
    if is_refused_request and choice.stop_reason == "model_length":
        raise PromptTooLongError("the prompt does not fit into the model's window")
    sent = _sent_choice(call)
    content, reasoning = _texts(choice, None if is_refused_request else sent)
    usage = output.usage
    tokens_in = None
    if usage is not None:
        cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
        tokens_in = usage.input_tokens + cached
    return RawReply(
        # The text of a refused request is the provider's error message, not the model's.
        content="" if is_refused_request else content,
        reasoning=reasoning,
        stop=_stop(choice, sent),
        refusal=_refusal(choice),
        served_model=output.model,
        tokens_in=tokens_in,
        tokens_out=None if usage is None else usage.output_tokens,
        reasoning_tokens=None if usage is None else usage.reasoning_tokens,
        cost_usd=_cost(call),
    )


def _sent_choice(call: ModelCall | None) -> Mapping[str, object]:
    """Return the first choice of a chat completion as it was sent, {} for other interfaces."""
    response = call.response if call is not None else None
    choices = response.get("choices") if isinstance(response, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else {}


def _texts(
    choice: ChatCompletionChoice, sent: Mapping[str, object] | None
) -> tuple[str | None, str]:
    message = choice.message
    parts = message.content if isinstance(message.content, list) else []
    reasoning = [part for part in parts if part.type == "reasoning"]
    own = sent.get("message") if sent else None
    content = own.get("content") if isinstance(own, dict) else None
    if isinstance(content, str):
        reasoning = [part for part in reasoning if part.internal != _INLINE]
    else:
        content = message.text
    told = [part.summary or "" if part.redacted else part.reasoning for part in reasoning]
    return content, "\n".join(filter(None, told))


def _stop(choice: ChatCompletionChoice, sent: Mapping[str, object]) -> str:
    word = sent.get("finish_reason")
    if isinstance(word, str):
        return word
    return "" if choice.stop_reason == "unknown" else choice.stop_reason


def _refusal(choice: ChatCompletionChoice) -> str:
    details = choice.stop_details
    if details is None or details.type != "refusal":
        return ""
    return details.explanation or "the model declines"


def _cost(call: ModelCall | None) -> float | None:
    """Return what the provider says that the request cost, as some gateways do."""
    response = call.response if call is not None else None
    usage = response.get("usage") if isinstance(response, dict) else None
    cost = usage.get("cost") if isinstance(usage, dict) else None
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        return None
    return float(cost)
