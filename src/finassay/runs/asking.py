"""Asking a model.  In: jobs, one by one.  Out: a receipt for each, written down as it comes.

Inspect does the asking: providers, connections, repeats.  This module stands between Inspect and
the provider's interface, where a reply is still whole and nothing is done after it yet: requests
are counted and held back at the limits, and a reply is in the journal before anything else sees it.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Self

from finassay.errors import FinassayError
from finassay.runs.extra import load_inspect
from finassay.runs.journal import Journal, Receipt
from finassay.runs.limits import LimitReachedError, Limits, worst_cost
from finassay.runs.plan import Job, Key
from finassay.runs.prices import Price
from finassay.runs.received import BrokenReplyError, PromptTooLongError, raw_reply
from finassay.runs.replies import ERROR, Expected, RawReply, read_reply
from finassay.runs.requests import Asking
from finassay.runs.secrets import without_secrets

if TYPE_CHECKING:
    from inspect_ai.model import (
        ChatMessage,
        GenerateConfig,
        Model,
        ModelCall,
        ModelOutput,
    )
    from inspect_ai.model._model import RetryDecision
    from inspect_ai.solver import Generate, Solver, TaskState
    from inspect_ai.tool import ToolChoice, ToolInfo
    from tenacity import RetryCallState
    from tenacity.wait import wait_base

    Output = ModelOutput | tuple[ModelOutput | Exception, ModelCall]

_JOB: ContextVar[Job | None] = ContextVar("the job that is being asked", default=None)

FIRST_WAIT_S = 1.0
"""Seconds before the first repeat of a request, where the provider names none."""

SHOWN = 200
"""Characters of an error message that are shown."""

_PAUSE_S = 0.02

_BROKEN = (ValueError, IndexError, KeyError, TypeError, AttributeError)
"""What providers' clients raise over a reply that is cut, or not formed as it should be."""


class Desk:
    """Where one model's requests go out and its replies come in.

    Attributes:
        came: receipts of this process, in the order in which they came.
        said: by kind of error, the first message without secrets; never written into a study.
    """

    def __init__(
        self, *, model: str, asking: Asking, limits: Limits, journal: Journal, on_receipt: OnReceipt
    ) -> None:
        self.limits = limits
        self.journal = journal
        self.on_receipt = on_receipt
        self.budget = asking.decoding.budget
        self.expected = Expected(
            model=model, budget=self.budget, without_reasoning=asking.without_reasoning
        )
        self.price: Price | None = limits.effort.prices.get(model)
        self.came: list[Receipt] = []
        self.said: dict[str, str] = {}
        self._tries: Counter[Key] = Counter()
        self._kinds: dict[Key, str] = {}
        self._renamed = False

    def attach(self, model: Model) -> None:
        """Stand between Inspect and the interface of a model."""
        api = model.api
        generate, should_retry = api.generate, api.should_retry

        async def asked(
            input: list[ChatMessage],  # noqa: A002 - Inspect passes these by name
            tools: list[ToolInfo],
            tool_choice: ToolChoice,
            config: GenerateConfig,
        ) -> Output:
            return await self._ask(
                lambda: generate(
                    input=input,
                    tools=tools,
                    tool_choice=tool_choice,
                    config=self._worded(config),
                )
            )

        def worth_another_try(ex: Exception) -> bool | RetryDecision:
            decision = isinstance(ex, BrokenReplyError) or should_retry(ex)
            if not decision and not isinstance(ex, LimitReachedError):
                self.limits.give_up()
            return decision

        api.generate = asked  # type: ignore[method-assign]
        api.should_retry = worth_another_try  # type: ignore[method-assign]
        api.retry_wait = lambda: _wait(should_retry, self.limits.effort.longest_wait_s)  # type: ignore[method-assign]
        # The client's own repeats would be neither counted nor limited.
        client = getattr(api, "client", None)
        if isinstance(getattr(client, "max_retries", None), int):
            setattr(client, "max_retries", 0)  # noqa: B010 - not every client has it

    async def _ask(self, send: Callable[[], Awaitable[Output]]) -> Output:
        import anyio  # noqa: PLC0415 - comes with Inspect

        job = _JOB.get()
        if job is None:
            return await send()
        worst = worst_cost(self.price, sum(len(t.text.encode()) for t in job.turns), self.budget)
        # Only a limit on cost waits here, a little at a time: a reply frees what it did not use.
        while self.limits.must_wait(worst):  # noqa: ASYNC110
            await anyio.sleep(_PAUSE_S)
        words = self._renamed
        with self._request(job, worst) as request:
            began = time.perf_counter()
            try:
                output = await send()
            except FinassayError:
                raise
            except _BROKEN as error:
                raise BrokenReplyError(f"the reply cannot be read: {error}") from error
            first, call = output if isinstance(output, tuple) else (output, None)
            if isinstance(first, Exception):
                self.explain(job, first)
            else:
                took_s = time.perf_counter() - began
                request.cost_usd = self._receive(job, raw_reply(first, call), took_s)
                request.has_come = True
        if isinstance(first, Exception) and not words and _wants_other_words(first):
            self._renamed = True
            return await self._ask(send)
        return output

    def _worded(self, config: GenerateConfig) -> GenerateConfig:
        """Return the settings as this server takes them: the budget has two names."""
        if not self._renamed:
            return config
        body = {**(config.extra_body or {}), "max_completion_tokens": config.max_tokens}
        return config.model_copy(update={"max_tokens": None, "extra_body": body})

    def _request(self, job: Job, worst_usd: float | None) -> _Request:
        return _Request(self, job, self.limits.send(worst_usd))

    def _receive(self, job: Job, raw: RawReply, took_s: float) -> float | None:
        """Write a reply down, and return what it cost where that is known."""
        read = read_reply(raw, self.expected)
        cost = raw.cost_usd
        if cost is None and self.price and raw.tokens_in is not None and raw.tokens_out is not None:
            cost = self.price.cost(raw.tokens_in, raw.tokens_out)
        self._note(
            Receipt(
                item_id=job.item.item_id,
                trial=job.trial,
                text=read.text,
                reasoning=read.reasoning,
                finish=read.finish,
                flags=read.flags,
                tokens_in=raw.tokens_in,
                tokens_out=raw.tokens_out,
                reasoning_tokens=raw.reasoning_tokens,
                latency_s=took_s,
                cost_usd=cost,
                served_model=raw.served_model,
                tries=self._tries[job.key],
            )
        )
        return cost

    def _note(self, receipt: Receipt) -> None:
        stamped = replace(receipt, at=datetime.now(UTC).isoformat(timespec="microseconds"))
        try:
            self.journal.add(stamped)
        except OSError as error:
            # A full disk: every further request would be paid for and lost.
            self.limits.stopped = f"the journal cannot be written: {error.strerror}"
            raise
        self.came.append(stamped)
        self.on_receipt(stamped)

    @property
    def requests(self) -> int:
        """Requests that went out."""
        return self._tries.total()

    def count(self, job: Job) -> None:
        """Count a request that goes out for a job."""
        self._tries[job.key] += 1

    def explain(self, job: Job, error: BaseException) -> None:
        """Keep what kind of failure a request met, and how the first of its kind put it."""
        kind = kind_of_error(error)
        self._kinds[job.key] = kind
        self.said.setdefault(kind, without_secrets(" ".join(str(error).split()))[:SHOWN])

    def give_up(self, job: Job) -> None:
        """Write down that a job ended in an error, after all its tries."""
        kind = self._kinds.get(job.key, "unknown")
        self._note(
            Receipt(
                item_id=job.item.item_id,
                trial=job.trial,
                finish="error",
                flags=(f"{ERROR}{kind}",),
                tries=self._tries[job.key],
            )
        )


OnReceipt = Callable[[Receipt], None]
"""Called with every receipt, after it is on the disk."""


class _Request:
    """One request under way; its end tells the limits whether a reply came."""

    def __init__(self, desk: Desk, job: Job, ticket: int) -> None:
        self.desk, self.job, self.ticket = desk, job, ticket
        self.has_come = False
        self.cost_usd: float | None = None

    def __enter__(self) -> Self:
        self.desk.count(self.job)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.has_come:
            self.desk.limits.came(self.ticket, self.cost_usd)
            return
        self.desk.limits.failed(self.ticket)
        if error is not None:
            self.desk.explain(self.job, error)


class _Settled:
    """A job from its first request to its last; ends in a receipt unless the process is stopped."""

    def __init__(self, desk: Desk, job: Job) -> None:
        self.desk, self.job = desk, job

    def __enter__(self) -> None:
        _JOB.set(self.job)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        _JOB.set(None)
        if isinstance(error, LimitReachedError):
            return True
        if isinstance(error, Exception):
            # A cancelled job is no error: it is asked again by the next run.
            self.desk.give_up(self.job)
        return False


def asker(desk: Desk, jobs: dict[Key, Job]) -> Solver:
    """Return the Inspect solver that asks a sample's job, and leaves marking to the study."""
    load_inspect()
    from inspect_ai.solver import solver  # noqa: PLC0415 - an optional package

    @solver(name="finassay_ask")
    def ask() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            job = jobs[str(state.sample_id), int(state.metadata["trial"])]
            if desk.limits.stopped:
                return state
            with _Settled(desk, job):
                return await generate(state)
            return state

        return solve

    return ask()


def _wants_other_words(error: Exception) -> bool:
    """Whether a server refuses the usual name of the budget, and takes the newer one."""
    told = f"{getattr(error, 'param', '')} {error}"
    return getattr(error, "code", None) == "unsupported_parameter" and "max_tokens" in told


_KINDS = {
    "AttemptTimeoutError": "timeout",
    "APITimeoutError": "timeout",
    "CancelledError": "timeout",
    "APIConnectionError": "connection",
    "BrokenReplyError": "broken_reply",
    "PromptTooLongError": "prompt_too_long",
}


def kind_of_error(error: BaseException) -> str:
    """Return what kind of failure an exception is: by its HTTP status, else by its class.

    The text of a message decides nothing: "generate" holds "rate".
    """
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        known = {401: "authentication", 403: "permission", 404: "not_found", 429: "rate_limit"}
        return known.get(status, "server" if status >= 500 else f"http_{status}")
    if isinstance(error, PromptTooLongError):
        return "prompt_too_long"
    names = [one.__name__ for one in type(error).__mro__]
    return next((_KINDS[name] for name in names if name in _KINDS), "unknown")


def _wait(should_retry: Callable[[Exception], bool | RetryDecision], longest_s: float) -> wait_base:
    """Return how long to wait between tries: as the provider says, else twice as long each time."""
    from tenacity.wait import wait_base as base  # noqa: PLC0415 - comes with Inspect

    class Wait(base):
        def __call__(self, retry_state: RetryCallState) -> float:
            error = retry_state.outcome.exception() if retry_state.outcome else None
            decision = should_retry(error) if isinstance(error, Exception) else False
            told = getattr(decision, "retry_after", None)
            if told is not None:
                return max(float(told), 0.0)
            grown = FIRST_WAIT_S * 2.0 ** min(retry_state.attempt_number - 1, 20)
            # Half of it at random, so that many requests do not come back at once.
            return min(grown, longest_s) * random.uniform(0.5, 1.0)  # noqa: S311 - no secret

    return Wait()
