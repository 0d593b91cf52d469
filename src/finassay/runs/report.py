"""What came of a run.  In: plans and receipts.  Out: counts, costs, findings, in lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from finassay.records import Finish
from finassay.runs.journal import Receipt
from finassay.runs.plan import SystemPlan
from finassay.runs.prompts import Turn
from finassay.runs.replies import (
    ANSWER_IN_REASONING,
    ERROR,
    ONLY_REASONING,
    OTHER_MODEL,
    OVER_BUDGET,
    REASONING_UNASKED,
)
from finassay.runs.requests import Asking, Effort

EXAMPLES = 2
"""Prompts that a dry run shows."""

_FATES: tuple[Finish, ...] = ("stop", "truncated", "refused", "blocked", "empty", "not_logged")


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRun:
    """What came of asking one system.

    Attributes:
        name: display name.
        system_id: its id.
        wanted: answers that the request is for, items times trials.
        held: of these, in the study before anything was asked.
        recovered: replies that an earlier command left on their way into the tables, moved there.
        answered: replies that came in this command.
        fates: of these replies, by how they ended.
        errors: items that ended in an error after all tries.
        error_kinds: of these errors, by kind.
        error_messages: how the first of each kind put it, without secrets.
        left: answers that are still wanted, errors included.
        requests: requests sent, repeats included.
        retries: repeats among them, of items that were answered or ended in an error.
        with_reasoning: replies with reasoning.
        flags: replies by what is flagged of them.
        served_models: models that the provider says answered.
        tokens_in: tokens of the prompts that are told; None where none is.
        tokens_out: tokens of the replies that are told; None where none is.
        reasoning_tokens: how many of these were reasoning; None where no reply tells.
        cost_usd: cost of the replies where it is known; None where it is of none.
        without_cost: replies whose cost is not known.
        stopped: why asking ended early; "" where it did not.
    """

    name: str
    system_id: str
    wanted: int
    held: int
    recovered: int
    answered: int
    fates: Mapping[str, int]
    errors: int
    error_kinds: Mapping[str, int]
    error_messages: Mapping[str, str]
    left: int
    requests: int
    retries: int
    with_reasoning: int
    flags: Mapping[str, int]
    served_models: tuple[str, ...]
    tokens_in: int | None
    tokens_out: int | None
    reasoning_tokens: int | None
    cost_usd: float | None
    without_cost: int
    stopped: str

    @classmethod
    def of(
        cls,
        plan: SystemPlan,
        came: Sequence[Receipt],
        *,
        said: Mapping[str, str],
        requests: int,
        recovered: int,
        stopped: str,
    ) -> SystemRun:
        """Return what the receipts of this command amount to, and the requests it took."""
        replies = [one for one in came if one.finish != "error"]
        errors = [one for one in came if one.finish == "error"]
        flags = Counter(flag for one in replies for flag in one.flags if ":" not in flag)
        kinds = Counter(flag.removeprefix(ERROR) for one in errors for flag in one.flags)
        fates = Counter(one.finish for one in replies)
        costs = [one.cost_usd for one in replies if one.cost_usd is not None]
        left = len(plan.jobs) - len(replies)
        return cls(
            name=plan.spec.name,
            system_id=plan.spec.system_id,
            wanted=plan.held + len(plan.jobs),
            held=plan.held,
            recovered=recovered,
            answered=len(replies),
            fates={fate: fates[fate] for fate in _FATES if fates[fate]},
            errors=len(errors),
            error_kinds=dict(sorted(kinds.items())),
            error_messages={kind: said[kind] for kind in sorted(kinds) if said.get(kind)},
            left=left,
            requests=requests,
            retries=sum(max(one.tries - 1, 0) for one in came),
            with_reasoning=sum(bool(one.reasoning or one.reasoning_tokens) for one in replies),
            flags=dict(sorted(flags.items())),
            served_models=tuple(sorted({one.served_model for one in replies} - {""})),
            tokens_in=_sum(one.tokens_in for one in replies),
            tokens_out=_sum(one.tokens_out for one in replies),
            reasoning_tokens=_sum(one.reasoning_tokens for one in replies),
            cost_usd=sum(costs) if costs else None,
            without_cost=len(replies) - len(costs),
            stopped=stopped if left else "",
        )

    def to_lines(self) -> list[str]:
        """Return the counts in plain lines."""
        fates = ", ".join(f"{fate} {n}" for fate, n in self.fates.items())
        cost = "cost not known" if self.cost_usd is None else f"{self.cost_usd:.4f} USD"
        if self.cost_usd is not None and self.without_cost:
            cost += f" without {self.without_cost} replies of unknown cost"
        found = f" ({self.recovered} recovered from an earlier command)" if self.recovered else ""
        counts = f"{self.answered} answered, {self.errors} errors, {self.left} left"
        tokens = f"tokens in {_told(self.tokens_in)}, out {_told(self.tokens_out)}"
        thought = f"of these reasoning {_told(self.reasoning_tokens)}"
        lines = [
            f"{self.name}: {self.wanted} wanted, {self.held} held{found}, {counts}",
            f"  replies: {fates or 'none'}; with reasoning {self.with_reasoning}",
            f"  requests {self.requests} ({self.retries} repeats); {tokens}, {thought}; {cost}",
        ]
        if self.error_kinds:
            kinds = ", ".join(f"{kind} {n}" for kind, n in self.error_kinds.items())
            lines.append(f"  errors: {kinds}; run again to ask these again")
            lines += [f"    {kind}: {said}" for kind, said in self.error_messages.items()]
        if self.stopped:
            lines.append(f"  stopped early: {self.stopped}")
        return lines


def _sum(told: Iterable[int | None]) -> int | None:
    known = [n for n in told if n is not None]
    return sum(known) if known else None


def _told(count: int | None) -> str:
    return "not told" if count is None else f"{count:,}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSystem:
    """What one system would be asked.

    Attributes:
        name: display name.
        system_id: its id.
        wanted: answers that the request is for, items times trials.
        held: of these, in the study.
        to_ask: the others.
        again: of these, items that ended in an error before.
        tokens_in: tokens of the prompts, estimated from their length.
        most_tokens_out: tokens of the replies if each takes the whole budget.
        most_usd: cost in that case; None where the model's price is not known.
    """

    name: str
    system_id: str
    wanted: int
    held: int
    to_ask: int
    again: int
    tokens_in: int
    most_tokens_out: int
    most_usd: float | None

    def to_lines(self) -> list[str]:
        """Return the plan in plain lines."""
        cost = (
            "no price is known for it"
            if self.most_usd is None
            else f"at most {self.most_usd:.4f} USD"
        )
        asked = f"{self.to_ask} to ask ({self.again} after an error)"
        return [
            f"{self.name}: {self.wanted} wanted, {self.held} held, {asked}",
            f"  tokens in about {self.tokens_in:,}, out at most {self.most_tokens_out:,}; {cost}",
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """What all items would take, going by the answers that there are, stratum by stratum.

    Attributes:
        name: display name of the system.
        answers: answers that it rests on.
        requests: answers that all items would take, items times trials.
        unseen: of these, in strata without an answer, which are left out of the projection.
        tokens_in: tokens of their prompts; None where no answer tells.
        tokens_out: tokens of their replies; None where no answer tells.
        usd: their cost; None where no answer's cost is known.
    """

    name: str
    answers: int
    requests: int
    unseen: int
    tokens_in: float | None
    tokens_out: float | None
    usd: float | None

    def to_lines(self) -> list[str]:
        """Return the projection in one line."""
        tokens = " and ".join(
            f"{n:,.0f} {word}"
            for n, word in ((self.tokens_in, "tokens in"), (self.tokens_out, "tokens out"))
            if n is not None
        )
        cost = "cost not known" if self.usd is None else f"{self.usd:.2f} USD"
        left_out = f", {self.unseen} in strata without an answer left out" if self.unseen else ""
        basis = f"projected from {self.answers} answers to {self.requests}"
        return [f"{self.name}, {basis}: {tokens or 'tokens not told'}, {cost}{left_out}"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """What a run asked and got, or would ask.

    Attributes:
        is_dry: whether nothing was asked.
        items: items in scope.
        plans: what each system would be asked; only of a dry run.
        examples: prompts as they would be sent; only of a dry run.
        systems: what came of each system.
        projections: what all items would take; only of a pilot.
        findings: what to know before the answers are used.
    """

    is_dry: bool
    items: int
    plans: tuple[PlannedSystem, ...] = ()
    examples: tuple[str, ...] = ()
    systems: tuple[SystemRun, ...] = ()
    projections: tuple[Projection, ...] = ()
    findings: tuple[str, ...] = field(default=())

    @property
    def is_complete(self) -> bool:
        """Whether every answer wanted is in the study."""
        return not any(one.left for one in self.systems)

    def to_lines(self) -> list[str]:
        """Return the report in plain lines."""
        lines = [f"{self.items} items" + ("; nothing was asked" if self.is_dry else "")]
        for plan in self.plans:
            lines += plan.to_lines()
        for system in self.systems:
            lines += system.to_lines()
        for projection in self.projections:
            lines += projection.to_lines()
        lines += [f"note: {finding}" for finding in self.findings]
        for number, example in enumerate(self.examples, start=1):
            lines += [f"--- prompt {number} of {len(self.examples)} ---", example]
        return lines


def planned(
    plans: Sequence[SystemPlan], asking: Asking, effort: Effort, *, items: int
) -> RunReport:
    """Return what would be asked, with the first prompts."""
    budget = asking.decoding.budget
    listed = tuple(
        PlannedSystem(
            name=plan.spec.name,
            system_id=plan.spec.system_id,
            wanted=plan.held + len(plan.jobs),
            held=plan.held,
            to_ask=len(plan.jobs),
            again=plan.again,
            tokens_in=plan.tokens_in,
            most_tokens_out=budget * len(plan.jobs),
            most_usd=plan.most_usd(effort.prices.get(plan.spec.model), budget),
        )
        for plan in plans
    )
    jobs = next((plan.jobs for plan in plans if plan.jobs), ())
    examples = tuple(shown(job.turns) for job in jobs[:EXAMPLES])
    return RunReport(is_dry=True, items=items, plans=listed, examples=examples)


def shown(turns: Iterable[Turn]) -> str:
    """Return the messages of a prompt as text."""
    return "\n\n".join(f"[{turn.role}]\n{turn.text}" for turn in turns)


def ran(systems: Sequence[SystemRun], *, items: int) -> RunReport:
    """Return the report of a run."""
    return RunReport(
        is_dry=False,
        items=items,
        systems=tuple(systems),
        findings=tuple(finding for one in systems for finding in _findings(one)),
    )


_SAID: Mapping[str, str] = {
    REASONING_UNASKED: "hold reasoning though none was asked for, so it was not kept down",
    ONLY_REASONING: "were cut before an answer began: the budget went into reasoning",
    ANSWER_IN_REASONING: "hold reasoning and no answer though they ended by themselves: the "
    "answer may stand in the reasoning, which is kept and never marked",
    OVER_BUDGET: "are longer than the budget allows, so the provider does not keep it",
}


def _findings(one: SystemRun) -> list[str]:
    said = [
        f"{one.name}: {n} of {one.answered} replies {_SAID[flag]}"
        for flag, n in one.flags.items()
        if flag in _SAID
    ]
    other = one.flags.get(OTHER_MODEL)
    if other:
        served = ", ".join(one.served_models)
        said.append(
            f"{one.name}: {other} of {one.answered} replies were given by another model than was "
            f"asked for (served: {served})"
        )
    elif len(one.served_models) > 1:
        said.append(f"{one.name}: several models answered: {', '.join(one.served_models)}")
    return said
