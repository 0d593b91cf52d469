"""What a model is asked about a state.  In: what is visible.  Out: a question, and an item.

Nothing here takes the hidden part of a state for a question: a prompt is made from the protocol,
the language and the visible context alone.
"""

from __future__ import annotations

from typing import Literal, get_args

from finassay.benchmarks.ask.states import ASK, CHINESE, StateRecord
from finassay.errors import UsageError
from finassay.records import Item, pairs

Protocol = Literal["tokens", "json"]
"""How a reply names its action: [CONTINUE] and [STOP], or a JSON object."""

PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)

TASK = "ask_or_proceed"
"""Family, task and contract of every state."""

TRAJECTORY = "trajectory"
DOMAIN = "domain"

_LEAD = (
    "You review the case below; its record ends where you stand now. Settle the open step with one "
    "of two actions. Go on if the record holds what the open step needs. Ask if something that it "
    "needs is missing, contradictory or unexplained: then make one request for one item of "
    "evidence, the one that would settle most. "
)
_LEAD_ZH = (
    "请审查以下案件，记录到此为止。请用两种动作之一处理当前步骤：如果现有记录已满足当前步骤的需要，就继续推进；"
    "如果所需的证据缺失、矛盾或未获解释，就提出一个请求，只索取最能解决问题的一项证据。"
)
_FORMS: dict[Protocol, str] = {
    "tokens": (
        "To ask, reply with [CONTINUE] and then your one request. To go on, reply with [STOP] and "
        "nothing else."
    ),
    "json": (
        'Reply with one JSON object and nothing else: {"action": "ask", "request": "..."} or '
        '{"action": "proceed"}.'
    ),
}
_FORMS_ZH: dict[Protocol, str] = {
    "tokens": "需要证据时，先写 [CONTINUE]，再写一个请求；可以推进时，只写 [STOP]。",
    "json": ('只回复一个 JSON 对象：{"action": "ask", "request": "……"} 或 {"action": "proceed"}。'),
}


def ask_question(protocol: Protocol = "tokens", language: str = "en") -> str:
    """Return the instruction that stands before a visible context.

    Raises:
        UsageError: there is no such protocol.
    """
    if protocol not in PROTOCOLS:
        raise UsageError(f"`protocol` must be one of {PROTOCOLS}, got {protocol!r}")
    if language == CHINESE:
        return _LEAD_ZH + _FORMS_ZH[protocol]
    return _LEAD + _FORMS[protocol]


def ask_prompt(context: str, protocol: Protocol = "tokens", language: str = "en") -> str:
    """Return a whole prompt: the instruction, then the visible context.

    Raises:
        UsageError: there is no such protocol.
    """
    return f"{ask_question(protocol, language)}\n\n{context}"


def item_of(state: StateRecord, *, benchmark: str, protocol: Protocol = "tokens") -> Item:
    """Return a state as an item of a study.

    Question and context hold what is visible.  The accepted answer is the recorded action; the
    needs stand in `alternatives`, which scorers read and prompts do not.

    Args:
        state: a state that the retention rules kept.
        benchmark: benchmark of the item.
        protocol: how a reply is to name its action.
    """
    return Item(
        item_id=state.state_id,
        benchmark=benchmark,
        family=TASK,
        task=TASK,
        contract_id=TASK,
        language=state.language,
        question=ask_question(protocol, state.language),
        context=state.context,
        reference=state.action,
        alternatives=tuple(n.text for n in state.needs) if state.action == ASK else (),
        documents=(state.trajectory_id,),
        strata=pairs({TRAJECTORY: state.trajectory_id, DOMAIN: state.domain}),
    )
