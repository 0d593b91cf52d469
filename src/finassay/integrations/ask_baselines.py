"""Baselines that ask or go on without a model.  In: states as items.  Out: replies.

They read the visible context only; the control alone reads the hidden needs, and shows what the
alignment gives to a request in the need's own words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from finassay.integrations.baselines import Baseline
from finassay.records import Item
from finassay.text.content_words import content_stems

_GENERIC = "Please send any further supporting document for this case."
_GENERIC_ZH = "请补充与本案有关的其他材料。"

_MISSING = re.compile(
    r"\b(?:no word|nothing on file|not on file|no lease|unknown|does not say|says nothing|missing|"
    r"without a|unexplained|only\b|why\b|another|differs?|above the|negative|is an offer)"
    r"|不一致|不同|未作|未见|无说明|没有解释|过期|仅|不明|是否齐全|不在现场",
    re.IGNORECASE,
)
_RULES = re.compile(r"[（(](?:\d{1,2}|[一二三四五六七八九])[)）]\s*([^;；。.]+)")
_RECEIVED = re.compile(
    r"(?:Received|Presented|On file|Data on file|收到|交单|现有资料|检查资料)[^:：]*[:：]",
    re.IGNORECASE,
)
_HELD = 0.34
"""Share of the words of a requirement that the record must hold for it to count as met."""


def _is_chinese(item: Item) -> bool:
    return item.language == "zh"


def _ask(request: str) -> str:
    return f"[CONTINUE] {request}"


def _always_ask(item: Item, _: Sequence[Item]) -> str:
    return _ask(_GENERIC_ZH if _is_chinese(item) else _GENERIC)


def _always_proceed(_: Item, __: Sequence[Item]) -> str:
    return "[STOP]"


def open_step(item: Item) -> str:
    """Return the last paragraph of a context, which says what the open step has to settle."""
    return item.context.strip().rpartition("\n\n")[2].partition(":")[2].strip() or item.context


def _keyword(item: Item, _: Sequence[Item]) -> str:
    step = item.context.strip().rpartition("\n\n")[2]
    if _MISSING.search(step) is None:
        return "[STOP]"
    said = re.sub(r"^(?:Open step:|当前步骤：)\s*", "", step)
    if _is_chinese(item):
        return _ask(f"请就以下事项提供证据：{said}")
    return _ask(f"Please send evidence that settles this: {said.replace('?', '.')}")


def first_requirement_missing(context: str) -> str | None:
    """Return the first numbered requirement whose words the received record hardly holds, or None.

    Requirements stand after "(1)", "(2)"; the record is what follows "Received" and the history.
    """
    found = _RECEIVED.search(context)
    rules, record = (
        (context, "")
        if found is None
        else (
            context[: found.start()],
            context[found.end() :].rpartition("\n\n")[0],
        )
    )
    held = set(content_stems(record))
    for rule in _RULES.findall(rules):
        wanted = set(content_stems(rule))
        if wanted and len(wanted & held) / len(wanted) < _HELD:
            return str(rule).strip()
    return None


def _checklist(item: Item, _: Sequence[Item]) -> str:
    missing = first_requirement_missing(item.context)
    if missing is None:
        return "[STOP]"
    return _ask(f"请提供：{missing}" if _is_chinese(item) else f"Please provide: {missing}")


def _checklist_json(item: Item, _: Sequence[Item]) -> str:
    missing = first_requirement_missing(item.context)
    if missing is None:
        return json.dumps({"action": "proceed"})
    return json.dumps({"action": "ask", "request": missing}, ensure_ascii=False)


def _control(item: Item, _: Sequence[Item]) -> str:
    return _ask(item.alternatives[0]) if item.alternatives else "[STOP]"


ASK_BASELINES: tuple[Baseline, ...] = (
    Baseline(
        name="ask-always",
        description="asks at every state, for anything",
        answer=_always_ask,
    ),
    Baseline(
        name="ask-never",
        description="goes on at every state",
        answer=_always_proceed,
    ),
    Baseline(
        name="ask-keyword",
        description="asks about the open step where it holds a word for something missing",
        answer=_keyword,
    ),
    Baseline(
        name="ask-checklist",
        description="asks for the first numbered requirement that the record hardly mentions",
        answer=_checklist,
    ),
    Baseline(
        name="ask-checklist-json",
        description="the same as a JSON object, the requirement alone as the request",
        answer=_checklist_json,
    ),
    Baseline(
        name="ask-control-need",
        description="the recorded action, asking for the hidden need: right by construction",
        answer=_control,
        reads_key=True,
    ),
)
"""Systems of the bundled ask-or-proceed benchmark, run with `run_baselines`."""
