"""What a provider sent, read.  In: a raw reply.  Out: answer, reasoning, fate and flags.

Reasoning that a server leaves in the content is set apart from the answer when it stands at the
beginning of the message, in the forms that open models write (``<think>`` blocks, a lone
``</think>`` whose opening tag was in the template, Harmony channels).  Nothing is thrown away:
answer and reasoning together hold all words that came.  A tag further on belongs to the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from finassay.records import Finish

ANSWER_IN_REASONING = "answer_in_reasoning"
"""Flag of a reply that ended by itself with reasoning and no answer: the answer may be in it."""

ONLY_REASONING = "only_reasoning"
"""Flag of a reply that was cut before an answer began."""

REASONING_UNASKED = "reasoning_unasked"
"""Flag of a reply with reasoning in a run that asked for none."""

OTHER_MODEL = "other_model_served"
"""Flag of a reply that another model gave than the one asked for."""

OVER_BUDGET = "over_budget"
"""Flag of a reply with more tokens than the budget allows."""

NOT_UNICODE = "lone_surrogates"
"""Flag of a reply with halves of characters, which no table can hold: each became U+FFFD."""

REASONING_TOKENS = "reasoning_tokens:"
"""Beginning of the flag that says how many of the reply's tokens were reasoning."""

ERROR = "error:"
"""Beginning of the flag that says what kind of error it was that no reply came through."""

_OPENS = re.compile(r"\s*<think(?:ing)?\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"<(/?)think(?:ing)?\b[^>]*>", re.IGNORECASE)
_LONE_END = re.compile(r"^[ \t]*</think(?:ing)?>[ \t]*(?:\n|\Z)", re.IGNORECASE | re.MULTILINE)
_CHANNEL = re.compile(r"(?:<\|start\|>assistant)?<\|channel\|>(\w+)[^<]*<\|message\|>", re.ASCII)
_MARK = re.compile(r"<\|(?:start|end|return|call)\|>")

_SURROGATE = re.compile("[\ud800-\udfff]")

_STOPS: dict[str, Finish] = {
    **dict.fromkeys(("stop", "eos", "end_turn", "stop_sequence", "completed", "1"), "stop"),
    **dict.fromkeys(
        ("length", "max_tokens", "model_length", "max_output_tokens", "2"), "truncated"
    ),
    **dict.fromkeys(
        ("content_filter", "safety", "recitation", "blocklist", "prohibited_content", "spii"),
        "blocked",
    ),
    **dict.fromkeys(("block_reason", "3", "4"), "blocked"),
    "refusal": "refused",
    "tool_calls": "stop",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RawReply:
    """A reply as the provider sent it.

    Attributes:
        content: text of the message, None for a null.
        reasoning: what stands in a field of its own.
        stop: the provider's word for why it ended ("" where it gave none); the numbers that some
            interfaces use for it count as words.
        refusal: the provider's own statement that the model declines.
        served_model: the model that the provider says answered.
        tokens_in: tokens of the prompt, all of them, where told.
        tokens_out: tokens of the reply, reasoning included, where told.
        reasoning_tokens: how many of these were reasoning, where told.
        cost_usd: what the provider says that it cost.
    """

    content: str | None = ""
    reasoning: str = ""
    stop: str = ""
    refusal: str = ""
    served_model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    reasoning_tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a reply is held against.

    Attributes:
        model: the model asked for.
        budget: most tokens of a reply, None for no limit of ours.
        without_reasoning: whether the run asked for a reply without reasoning.
    """

    model: str = ""
    budget: int | None = None
    without_reasoning: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadReply:
    """A reply as it is kept: `text` is the answer, whole, and `reasoning` what led to it."""

    text: str
    reasoning: str
    finish: Finish
    flags: tuple[str, ...] = ()


def split_reasoning(content: str) -> tuple[str, str]:
    """Return (answer, reasoning) of the content of a message.

    Example:
        >>> split_reasoning("<think>45 or 54?</think> 45 days")
        ('45 days', '45 or 54?')
        >>> split_reasoning("The tag <think> opens a block")
        ('The tag <think> opens a block', '')
    """
    if _CHANNEL.match(content.lstrip()) is not None:
        return _split_channels(content)
    opening = _OPENS.match(content)
    if opening is not None:
        return _split_block(content, opening.end())
    ending = _LONE_END.search(content)
    if ending is not None and _TAG.search(content[: ending.start()]) is None:
        return content[ending.end() :].strip(), content[: ending.start()].strip()
    return content, ""


def _split_block(content: str, start: int) -> tuple[str, str]:
    depth = 1
    for tag in _TAG.finditer(content, start):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return content[tag.end() :].strip(), content[start : tag.start()].strip()
    return "", content[start:].strip()


def _split_channels(content: str) -> tuple[str, str]:
    heads = list(_CHANNEL.finditer(content))
    ends = [head.start() for head in heads[1:]] + [len(content)]
    said: dict[bool, list[str]] = {True: [], False: []}
    for head, end in zip(heads, ends, strict=True):
        said[head[1] == "final"].append(_MARK.sub("", content[head.end() : end]).strip())
    return "\n".join(said[True]), "\n".join(said[False])


def read_reply(raw: RawReply, expected: Expected) -> ReadReply:
    """Return a provider's reply as it is kept: answer, reasoning, fate, flags.

    A reply that reached its token limit is `truncated`, also where nothing but reasoning came; one
    that ended by itself without an answer is `empty`, and its reasoning is kept and never taken
    for an answer.  A word for the end that is not known counts as not logged.
    """
    answer, inline = split_reasoning(_as_unicode(raw.content or ""))
    own = _as_unicode(raw.reasoning).strip()
    reasoning = "\n".join(part for part in (own, inline) if part)
    finish = _finish(raw, answer)
    if finish == "refused" and not answer.strip():
        answer = _as_unicode(raw.refusal)
    return ReadReply(
        text=answer,
        reasoning=reasoning,
        finish=finish,
        flags=tuple(_flags(raw, expected, finish, answer, reasoning)),
    )


def _as_unicode(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


def _finish(raw: RawReply, answer: str) -> Finish:
    known = _STOPS.get(raw.stop.strip().lower(), "not_logged")
    if raw.refusal and known in ("stop", "blocked", "not_logged"):
        return "refused"
    if not answer.strip() and known in ("stop", "not_logged"):
        return "empty"
    return known


def _flags(
    raw: RawReply, expected: Expected, finish: Finish, answer: str, reasoning: str
) -> list[str]:
    flags = []
    if reasoning and not answer.strip() and finish in ("truncated", "empty"):
        flags.append(ONLY_REASONING if finish == "truncated" else ANSWER_IN_REASONING)
    if expected.without_reasoning and (reasoning or raw.reasoning_tokens):
        flags.append(REASONING_UNASKED)
    if not is_same_model(asked=expected.model, served=raw.served_model):
        flags.append(OTHER_MODEL)
    if expected.budget is not None and (raw.tokens_out or 0) > expected.budget:
        flags.append(OVER_BUDGET)
    if any(_SURROGATE.search(text) for text in (raw.content or "", raw.reasoning, raw.refusal)):
        flags.append(NOT_UNICODE)
    if raw.reasoning_tokens:
        flags.append(f"{REASONING_TOKENS}{raw.reasoning_tokens}")
    return flags


def is_same_model(*, asked: str, served: str) -> bool:
    """Return whether the served model's name is that of the one asked for.

    A provider may name the dated version or the tag that an alias stands for ("m" served by
    "m-2026-01-31" or "m:latest"), or leave the organisation out.  Where either is not known there
    is nothing to tell apart.
    """
    if not asked or not served:
        return True
    wanted, got = asked.lower(), served.lower()
    names = {wanted, *(wanted.split("/", at)[at] for at in range(1, wanted.count("/") + 1))}
    if got in names or got in wanted.split("/"):
        return True
    tail = got.rsplit("/", 1)[-1]
    return any(_is_version(name.rsplit("/", 1)[-1], tail) for name in names)


def _is_version(name: str, served: str) -> bool:
    rest = served.removeprefix(name)
    if rest == served and name:
        return False
    return rest == "" or re.fullmatch(r"(?:[-@]v?\d[\d.-]*|:\S+|-latest)", rest) is not None
