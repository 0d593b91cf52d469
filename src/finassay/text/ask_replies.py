"""Replies that ask or go on.  In: a reply.  Out: its action and its request, and what was wrong.

Two forms are read: `[CONTINUE] request` and `[STOP]`, and a JSON object with `action` and
`request`.  Thinking blocks and code fences are taken off; full-width brackets, other case and the
Chinese words of the two tokens count as the same form, and a flag says so.  A reply that names no
action, or both, is invalid.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from finassay.text.sentences import sentences

AskAction = Literal["ask", "proceed", "invalid"]
RequestFault = Literal["", "empty", "malformed", "rejected", "multi_item"]
"""Why a request earns nothing: no words; a placeholder; a refusal; more than one item."""

NORMALISED = "form_normalised"
"""Flag: the action was not written exactly as the protocol says."""

TEXT_BEFORE = "text_before_action"
"""Flag: words stand before the token or the object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskReply:
    """What a reply does.

    Attributes:
        action: ask, proceed, or invalid.
        request: the request of an ask, "" for any other action.
        fault: why the request earns nothing, "" where it is usable.
        reason: in words, how the reply was read.
        flags: what was not written exactly as the protocol says.
    """

    action: AskAction
    request: str = ""
    fault: RequestFault = ""
    reason: str
    flags: tuple[str, ...] = ()


_THINKS = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_FENCE = re.compile(r"\A```[\w-]*[ \t]*\n?(.*?)\n?```\Z", re.DOTALL)
_BRACES = re.compile(r"\{[^{}]*\}")
_OPEN, _CLOSE = "[\\[【［〔]", "[\\]】］〕]"
_TOKEN = re.compile(
    rf"\*{{0,2}}`?{_OPEN}\s*(?P<word>continue|stop|继续|停止)\s*{_CLOSE}`?\*{{0,2}}", re.IGNORECASE
)
_ACTION_OF: Mapping[str, AskAction] = {
    "continue": "ask",
    "继续": "ask",
    "stop": "proceed",
    "停止": "proceed",
}
# In an object "continue" and its Chinese word could mean either action, so neither is read.
_JSON_ACTION: Mapping[str, AskAction] = {
    "ask": "ask",
    "提问": "ask",
    "追问": "ask",
    "询问": "ask",
    "proceed": "proceed",
    "推进": "proceed",
}
_JSON_KEYS = {"action": ("action", "动作"), "request": ("request", "请求")}


def parse_ask_reply(text: str) -> AskReply:
    """Return the action and the request of a reply; never raises."""
    bare = _without_thinking(text).strip()
    body = _unfenced(bare)
    fenced = body != bare
    if not body:
        return AskReply(action="invalid", reason="the reply is empty")
    found = _object_in(body)
    if found is not None:
        read = _from_object(found)
    elif (inside := _object_inside(body)) is not None:
        read = _flagged(_from_object(inside), TEXT_BEFORE)
    elif body.startswith("{"):
        return AskReply(action="invalid", reason="the reply begins a JSON object that is broken")
    else:
        read = _from_tokens(body)
    return _flagged(read, NORMALISED) if fenced and read.action != "invalid" else read


def _without_thinking(text: str) -> str:
    """Return a text without thinking blocks; one that is never closed goes to the end."""
    kept: list[str] = []
    at = 0
    while opened := _THINKS.search(text, at):
        kept.append(text[at : opened.start()])
        closed = _THOUGHT.search(text, opened.end())
        if closed is None:
            return "".join(kept)
        at = closed.end()
    return "".join((*kept, text[at:]))


def _unfenced(text: str) -> str:
    found = _FENCE.match(text)
    return found[1].strip() if found else text


def _flagged(reply: AskReply, flag: str) -> AskReply:
    flags = tuple(dict.fromkeys((*reply.flags, flag)))
    return AskReply(
        action=reply.action,
        request=reply.request,
        fault=reply.fault,
        reason=reply.reason,
        flags=flags,
    )


def _object_in(text: str) -> Mapping[str, object] | None:
    """Return the JSON object that a text consists of, or None."""
    if not (text.startswith("{") and text.endswith("}")):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _object_inside(text: str) -> Mapping[str, object] | None:
    """Return the one object with an action that stands among other words, or None."""
    if _TOKEN.search(text):
        return None
    objects = [_object_in(part) for part in _BRACES.findall(text)]
    named = [one for one in objects if one and any(key in one for key in _JSON_KEYS["action"])]
    return named[0] if len(named) == 1 else None


def _from_object(found: Mapping[str, object]) -> AskReply:
    said = [found[key] for key in _JSON_KEYS["action"] if key in found]
    if len(said) != 1 or not isinstance(said[0], str):
        return AskReply(action="invalid", reason="the object names no action, or not in words")
    word = said[0].strip()
    action = _JSON_ACTION.get(word.casefold())
    if action is None:
        return AskReply(action="invalid", reason=f"the object names another action: {word[:40]!r}")
    flags = () if word in {"ask", "proceed"} and "action" in found else (NORMALISED,)
    if action == "proceed":
        return AskReply(action=action, reason="the object says proceed", flags=flags)
    asked = [found[key] for key in _JSON_KEYS["request"] if key in found]
    if len(asked) == 1 and isinstance(asked[0], str):
        return _asking(asked[0], flags)
    if len(asked) == 1 and isinstance(asked[0], list) and len(asked[0]) > 1:
        return AskReply(
            action="ask",
            fault="multi_item",
            reason="asks, with a list of requests",
            flags=flags,
        )
    fault: RequestFault = "empty" if not asked or asked[0] is None else "malformed"
    return AskReply(
        action="ask", fault=fault, reason="asks, without a request in words", flags=flags
    )


def _from_tokens(body: str) -> AskReply:
    found = list(_TOKEN.finditer(body))
    actions = {_ACTION_OF[token["word"].casefold()] for token in found}
    if len(actions) != 1:
        why = "no action is named" if not actions else "both actions are named"
        return AskReply(action="invalid", reason=why)
    exact = all(token[0] in {"[CONTINUE]", "[STOP]"} for token in found)
    flags = (() if exact else (NORMALISED,)) + ((TEXT_BEFORE,) if found[0].start() > 0 else ())
    if actions == {"proceed"}:
        return AskReply(action="proceed", reason="the token says stop", flags=flags)
    if len(found) > 1:
        request = body[found[0].end() :].strip()
        return AskReply(
            action="ask",
            request=request,
            fault="multi_item",
            reason="asks more than once",
            flags=flags,
        )
    return _asking(body[found[0].end() :], flags)


def _asking(request: str, flags: tuple[str, ...]) -> AskReply:
    said = request.strip().strip("*_ ").strip()
    fault = request_fault(said)
    reason = f"asks, but the request is {_FAULT_WORDS[fault]}" if fault else "asks for one item"
    return AskReply(action="ask", request=said, fault=fault, reason=reason, flags=flags)


_FAULT_WORDS: Mapping[RequestFault, str] = {
    "empty": "empty",
    "malformed": "a placeholder",
    "rejected": "a refusal to ask",
    "multi_item": "for more than one item",
}
_PLACEHOLDER = re.compile(
    r"\A[<(\[{（【]?\s*(?:(?:your|the|one)\s+)?(?:single\s+)?"
    r"(?:request|question|text|item|none|null|n/?a|no request|请求|问题|无)\s*"
    r"[>)\]}）】]?[.。…]*\Z",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\A(?:i(?:['’]m| am) (?:sorry|unable)|sorry\b|i (?:cannot|can['’]t|will not|won['’]t)"
    r"|no (?:further|more|additional) (?:evidence|information|request|document)"
    r"|nothing (?:else|more|further)|抱歉|我无法|不需要|无需|无须)",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"(?m)^[^\S\n]*(?:[-*•·]|\(?\d{1,2}[.)、）]|（\d{1,2}）|[①-⑳]|[一二三四五六七八九十]、)\s*\S"
)
_INLINE = re.compile(r"(?:\(|（)(?:\d{1,2}|[a-h]|[ivx]{1,4})(?:\)|）)\s*\w|[①-⑳]", re.IGNORECASE)
_ASKS = re.compile(
    r"\A(?:and |also |then |next |in addition,? |additionally,? |further(?:more)?,? )*"
    r"(?:please|kindly|provide|submit|send|supply|obtain|request|upload|give|attach|confirm"
    r"|could you|can you|what|who|which|why|where|when|how)\b",
    re.IGNORECASE,
)
_ASKS_ZH = re.compile(r"\A(?:并|同时|另外|此外|还)?(?:，)?(?:请|提供|说明|补充|补交|出具)")
_SPLIT_ZH = re.compile(r"[。；？！]")


def request_fault(request: str) -> RequestFault:
    """Return why a request earns nothing, or "" where it is one request in words.

    More than one item is told from form alone: list marks, two question marks, or two sentences
    that each ask.  "Invoice and packing list" in one sentence counts as one.
    """
    if not any(unicodedata.category(char)[0] in "LN" for char in request):
        return "empty"
    if _PLACEHOLDER.match(request):
        return "malformed"
    if _REFUSAL.match(request):
        return "rejected"
    return "multi_item" if _asks_for_several(request) else ""


def _asks_for_several(request: str) -> bool:
    if len(_LISTED.findall(request)) > 1 or len(_INLINE.findall(request)) > 1:
        return True
    if request.count("?") + request.count("？") > 1:
        return True
    english = [part for whole in sentences(request) for part in re.split(r";\s+", whole)]
    chinese = [part.strip() for part in _SPLIT_ZH.split(request)]
    asking = sum(_ASKS.match(part) is not None or part.endswith("?") for part in english)
    asking_zh = sum(_ASKS_ZH.match(part) is not None for part in chinese)
    return asking > 1 or asking_zh > 1
