"""Scorers of ask-or-proceed replies.  In: a state as an item, and a reply.  Out: a verdict.

`ask/action` marks the action against the recorded one.  `ask/alignment-words` is a declared
baseline for how well a request meets a hidden need: it compares words, and no reader stands behind
it.  Verdicts of a judge or of people on the same scale (0, 0.5, 1) are imported under their own
scorer ids.  Zhong et al. (2026), arXiv 2608.25325, appendix C.4 and C.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from finassay.errors import SpecError
from finassay.records import Finish, Item, Prediction, Verdict
from finassay.scorers.base import (
    MeasureT,
    Rule,
    gate,
    require_one_of,
    require_share,
    right_or_wrong,
)
from finassay.text.ask_replies import AskReply, parse_ask_reply
from finassay.text.content_words import content_stems

INVALID = "invalid_action"
"""Flag: the reply names no action, or both."""

FORMS = ("normalised", "exact")

_ASK = "ask"
_REFERENCES = ("ask", "proceed")


@dataclass(frozen=True, kw_only=True)
class StateRule(Rule[MeasureT]):
    """A rule of ask-or-proceed states: silence is marked, as an invalid action."""

    def stopped(self, *, item: Item, prediction: Prediction) -> Verdict | None:
        """Return a verdict where there is no reply at all, or no recorded action."""
        return gate(item=item, prediction=prediction, published=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRead:
    """What a reply does, beside the recorded action."""

    recorded: str
    reply: AskReply


@dataclass(frozen=True, kw_only=True)
class AskAction(StateRule[ActionRead]):
    """`ask/action`: whether a reply takes the recorded action; an invalid one is wrong.

    The label is the action, ask, proceed or invalid; what was extracted is the request.  An ask
    whose request is empty, a placeholder, refused or for several items is still an ask.

    Attributes:
        form: "normalised" reads full-width brackets, another case, code fences, Chinese words of
            the tokens and words before the action as the same form, and flags it; under "exact"
            such a reply is invalid.
    """

    form: Literal["normalised", "exact"] = "normalised"

    name: ClassVar[str] = "ask/action"
    version: ClassVar[str] = "1"
    decision_fields: ClassVar[frozenset[str]] = frozenset({"form"})
    measure_name: ClassVar[str] = "ask action"

    def __post_init__(self) -> None:
        require_one_of(self, "form", self.form, FORMS)

    def measure_all(self, *, item: Item, prediction: Prediction) -> tuple[ActionRead, ...]:
        """Return one measure; the alternatives of a state are its needs, not its action."""
        return (self.measure(reference=item.reference or "", item=item, prediction=prediction),)

    def measure(
        self,
        *,
        reference: str,
        item: Item,  # noqa: ARG002 - every rule is given the item
        prediction: Prediction,
    ) -> ActionRead:
        """Return the recorded action and what the reply does."""
        return ActionRead(recorded=reference, reply=parse_ask_reply(prediction.text))

    def trace(self, *, item: Item, prediction: Prediction) -> tuple[tuple[str, str], ...]:
        """Return how the reply was read, for people to read."""
        (measured,) = self.measure_all(item=item, prediction=prediction)
        return (("recorded action", measured.recorded), *_steps(measured.reply))

    def decide(self, measured: ActionRead) -> Verdict:
        """Return 1 where the actions agree, else 0."""
        if measured.recorded not in _REFERENCES:
            return _not_a_state(measured.recorded)
        reply = measured.reply
        if self.form == "exact" and reply.flags:
            reply = AskReply(action="invalid", reason=f"the form is not exact ({reply.flags[0]})")
        verdict = right_or_wrong(
            is_right=reply.action == measured.recorded,
            reason=f"{reply.reason}; the record says {measured.recorded}",
            extracted=reply.request or None,
        )
        faults = (INVALID,) if reply.action == "invalid" else ()
        if reply.fault:
            faults = (f"request_{reply.fault}",)
        return Verdict(
            status=verdict.status,
            value=verdict.value,
            label=reply.action,
            extracted=verdict.extracted,
            flags=(*reply.flags, *faults),
            reason=verdict.reason,
        )


def _steps(reply: AskReply) -> tuple[tuple[str, str], ...]:
    return ("action", reply.action), ("request", reply.request or "none"), ("read as", reply.reason)


def _not_a_state(reference: str) -> Verdict:
    return Verdict(
        status="not_applicable",
        reason=f"the item is no ask-or-proceed state: its reference is {reference[:40]!r}",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRead:
    """How much of a need a request shares.

    Attributes:
        recorded: the recorded action.
        reply: what the reply does.
        need: the need compared with, "" where the item lists none.
        shared: content words of the need that the request holds too.
        n_need: content words of the need.
    """

    recorded: str
    reply: AskReply
    need: str
    shared: tuple[str, ...]
    n_need: int


@dataclass(frozen=True, kw_only=True)
class AlignmentWords(StateRule[RequestRead]):
    """`ask/alignment-words`: content words of a hidden need that the request holds; a baseline.

    1 from the share `direct` on, 0.5 from `partial` on, else 0; the best over the needs.  No ask
    on an ask state is 0; proceed states are not applicable.  A request in other words than the
    need is missed, one that names the need's words without asking for it is credited: it stands
    for no reader.

    Attributes:
        direct: share of a need's content words from which a request is direct.
        partial: share from which it is partial.
    """

    direct: float = 0.5
    partial: float = 0.25

    name: ClassVar[str] = "ask/alignment-words"
    version: ClassVar[str] = "1"
    decision_fields: ClassVar[frozenset[str]] = frozenset({"direct", "partial"})
    measure_name: ClassVar[str] = "ask alignment words"

    def __post_init__(self) -> None:
        require_share(self, "direct", self.direct)
        require_share(self, "partial", self.partial)
        if not 0.0 < self.partial <= self.direct:
            raise SpecError(
                f"`partial` of {type(self).__name__} must be above 0 and at most `direct`, got "
                f"{self.partial!r} and {self.direct!r}"
            )

    def measure_all(self, *, item: Item, prediction: Prediction) -> tuple[RequestRead, ...]:
        """Return one measure for each need; z is the best over the needs (equation 13)."""
        needs = item.alternatives or ("",)
        return tuple(
            self.measure(reference=need, item=item, prediction=prediction) for need in needs
        )

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> RequestRead:
        """Return the content words that a need and the request share."""
        reply = parse_ask_reply(prediction.text)
        wanted = dict.fromkeys(content_stems(reference))
        said = set(content_stems(reply.request))
        return RequestRead(
            recorded=(item.reference or "").strip(),
            reply=reply,
            need=reference,
            shared=tuple(word for word in wanted if word in said),
            n_need=len(wanted),
        )

    def settle(self, measures: Sequence[RequestRead], finish: Finish) -> Verdict:
        """Return the verdict on the need that the request meets best."""
        best = self.decide(max(measures, key=self._share))
        return replace(best, flags=(*best.flags, "truncated")) if finish == "truncated" else best

    def _share(self, measured: RequestRead) -> float:
        return len(measured.shared) / measured.n_need if measured.n_need else 0.0

    def trace(self, *, item: Item, prediction: Prediction) -> tuple[tuple[str, str], ...]:
        """Return the need that the request meets best and the words that they share."""
        best = max(self.measure_all(item=item, prediction=prediction), key=self._share)
        shared = ", ".join(best.shared) or "none"
        return *_steps(best.reply), ("nearest need", best.need or "none"), ("shared words", shared)

    def decide(self, measured: RequestRead) -> Verdict:
        """Return 1, 0.5 or 0; a request with a fault earns nothing."""
        if measured.recorded != _ASK:
            return Verdict(status="not_applicable", reason="the recorded action is not to ask")
        reply = measured.reply
        if not measured.n_need:
            return Verdict(status="not_applicable", reason="the item lists no evidence need")
        if reply.action != _ASK or reply.fault:
            return _graded(0.0, "nothing was asked" if reply.action != _ASK else reply.reason)
        share = self._share(measured)
        value = 1.0 if share >= self.direct else 0.5 if share >= self.partial else 0.0
        words = f"{len(measured.shared)} of {measured.n_need} content words of the need"
        return _graded(value, f"{words} stand in the request", reply.request)


def _graded(value: float, reason: str, extracted: str | None = None) -> Verdict:
    return Verdict(status="scored", value=value, reason=reason, extracted=extracted)
