"""What is sent and what is settled unsent.  In: answers, a protocol.  Out: prompts and verdicts.

Nothing is dropped: every answer comes back with a prompt, or with the verdict that it has without
one and the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from finassay.judges.arms import ArmBook
from finassay.judges.candidates import Candidate, Pair
from finassay.judges.grounds import Lacking
from finassay.judges.prompting import TRUNCATED, DerivedItem, Order, judge_item, judge_pair
from finassay.judges.protocol import Protocol
from finassay.records import Item, Verdict
from finassay.scorers.base import FAILED_FINISHES
from finassay.text.ask_replies import parse_ask_reply
from finassay.text.values import value_of

CLOSED_TYPES = frozenset({"yes_no", "choice", "label"})
"""Answer types whose exact rule no judge replaces."""

CLOSED = "a closed question keeps its exact rule"
NO_REFERENCE = "no reference under the arm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """One answer on its way to a judge.

    Attributes:
        candidate: the answer.
        prompt: what is sent; None where nothing is.
        verdict: the verdict that stands without asking; None where something is sent.
        note: where the references come from, or what was done to them.
    """

    candidate: Candidate
    prompt: DerivedItem | None = None
    verdict: Verdict | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedPair:
    """One pair on its way to a judge.

    Attributes:
        pair: the two answers.
        prompts: what is sent, by order; empty where nothing is.
        verdict: the verdict that stands without asking, of either answer; it has no value.
        note: where the references come from.
    """

    pair: Pair
    prompts: Mapping[Order, DerivedItem]
    verdict: Verdict | None = None
    note: str = ""


def is_open(item: Item) -> bool:
    """Return whether an item asks for words or figures, not for yes or no or one of its options."""
    if item.contract.type is not None:
        return item.contract.type not in CLOSED_TYPES
    if item.choices:
        return False
    return item.reference is None or value_of(item.reference).type != "truth"


def prepare(candidates: Iterable[Candidate], protocol: Protocol, book: ArmBook) -> list[Prepared]:
    """Return what is sent for each answer, and what is settled without asking.

    Args:
        candidates: every answer, not only those that a rule marks wrong.
        protocol: how the judge is asked.
        book: the references of the arm.

    Raises:
        UsageError: the protocol is for pairs.
    """
    return [_prepared(one, protocol, book) for one in candidates]


def prepare_pairs(pairs: Iterable[Pair], protocol: Protocol, book: ArmBook) -> list[PreparedPair]:
    """Return what is sent for each pair, and what is settled without asking.

    Raises:
        UsageError: the protocol is for single answers.
    """
    return [_prepared_pair(one, protocol, book) for one in pairs]


def reasons(prepared: Iterable[Prepared | PreparedPair]) -> Counter[str]:
    """Return how many were settled without asking, by reason."""
    return Counter(one.verdict.reason for one in prepared if one.verdict is not None)


def _prepared(candidate: Candidate, protocol: Protocol, book: ArmBook) -> Prepared:
    settled = _settled(candidate, protocol)
    if settled is not None:
        return Prepared(candidate=candidate, verdict=settled)
    grounds = book.of(candidate)
    if isinstance(grounds, Lacking):
        return Prepared(candidate=candidate, verdict=_without_reference(grounds))
    prompt = judge_item(candidate, grounds, protocol)
    return Prepared(candidate=candidate, prompt=prompt, note=grounds.note)


def _prepared_pair(pair: Pair, protocol: Protocol, book: ArmBook) -> PreparedPair:
    sides = (pair.left, pair.right)
    settled = next((one for one in (_settled(side, protocol) for side in sides) if one), None)
    if settled is not None:
        return PreparedPair(pair=pair, prompts={}, verdict=settled)
    grounds = book.of(*sides)
    if isinstance(grounds, Lacking):
        return PreparedPair(pair=pair, prompts={}, verdict=_without_reference(grounds))
    orders: tuple[Order, ...] = ("left_first", "right_first")
    prompts = {
        order: judge_pair(pair, grounds, protocol, order=order)
        for order in orders[: 2 if protocol.both_orders else 1]
    }
    return PreparedPair(pair=pair, prompts=prompts, note=grounds.note)


def _without_reference(lacking: Lacking) -> Verdict:
    return Verdict(status="not_applicable", reason=f"{NO_REFERENCE}: {lacking.reason}")


def _settled(candidate: Candidate, protocol: Protocol) -> Verdict | None:
    """Return the verdict that stands without asking, None where the judge is asked."""
    item = candidate.item
    if protocol.task == "alignment":
        return _settled_request(candidate)
    if not protocol.all_tasks and not is_open(item):
        return Verdict(status="not_applicable", reason=CLOSED)
    lost = _lost(candidate)
    if lost is not None:
        return lost
    if not candidate.text.strip() and not protocol.send_empty:
        return Verdict(status="no_answer", reason="the reply is empty and was not sent")
    return None


def _lost(candidate: Candidate) -> Verdict | None:
    if candidate.finish not in FAILED_FINISHES:
        return None
    return Verdict(status="failed", reason=f"no reply was obtained ({candidate.finish})")


def _settled_request(candidate: Candidate) -> Verdict | None:
    """Return the verdict on a reply that asks for nothing, as `ask/alignment-words` has it."""
    recorded = (candidate.item.reference or "").strip()
    if recorded != "ask":
        return Verdict(status="not_applicable", reason="the recorded action is not to ask")
    lost = _lost(candidate)
    if lost is not None:
        return lost
    reply = parse_ask_reply(candidate.text)
    if reply.action == "ask" and not reply.fault:
        return None
    flags = (TRUNCATED,) if candidate.is_cut else ()
    reason = reply.reason if reply.action == "ask" else "nothing was asked"
    return Verdict(status="scored", value=0.0, label="0", reason=reason, flags=flags)
