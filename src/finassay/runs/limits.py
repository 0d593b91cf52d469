"""Limits on what is spent.  In: requests before they are sent.  Out: a refusal at the limit.

A request is let through only if, with all that are under way taking their whole budget, the run
stays within its limits.  So a limit is never passed, and a run may end a little before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from finassay.errors import UsageError
from finassay.runs.prices import Price
from finassay.runs.requests import Effort

FAILURES_IN_A_ROW = 5
"""Items that may fail one after the other, for each request that may be under way."""


class LimitReachedError(Exception):
    """Nothing more may be sent; the message says why."""


@dataclass(slots=True)
class Limits:
    """What a run has used of its limits, over all its models.

    Attributes:
        effort: what is allowed.
        requests: how many were sent.
        spent_usd: what those that came back cost, as far as known.
        stopped: why nothing more is sent; "" while it is.
    """

    effort: Effort
    requests: int = 0
    spent_usd: float = 0.0
    stopped: str = ""
    _under_way: dict[int, float] = field(default_factory=dict)
    _failed: int = 0

    def require_prices(self, models: tuple[str, ...]) -> None:
        """Check that a limit on cost can be kept.

        Raises:
            UsageError: the price of a model is not known.
        """
        unknown = [model for model in models if model not in self.effort.prices]
        if self.effort.max_cost_usd is not None and unknown:
            raise UsageError(
                f"a limit on cost needs the price of every model, and {unknown[0]!r} has none; "
                f"give a price table that holds it, or drop the limit"
            )

    def send(self, worst_usd: float | None) -> int:
        """Count a request that is about to be sent, and return its ticket.

        Args:
            worst_usd: what it costs at most, None where that is not known.

        Raises:
            LimitReachedError: it may not be sent.
        """
        if not self.stopped:
            self.stopped = self._why_not(worst_usd or 0.0)
        if self.stopped:
            raise LimitReachedError(self.stopped)
        ticket = self.requests
        self.requests += 1
        self._under_way[ticket] = worst_usd or 0.0
        return ticket

    def came(self, ticket: int, cost_usd: float | None) -> None:
        """Count a reply and what it cost."""
        del self._under_way[ticket]
        self.spent_usd += cost_usd or 0.0
        self._failed = 0

    def must_wait(self, worst_usd: float | None) -> bool:
        """Return whether a request may go out once those under way turn out to cost less."""
        ceiling = self.effort.max_cost_usd
        if ceiling is None or self.stopped or not self._under_way:
            return False
        alone = self.spent_usd + (worst_usd or 0.0)
        return alone <= ceiling < alone + sum(self._under_way.values())

    def failed(self, ticket: int) -> None:
        """Count a request without a reply."""
        del self._under_way[ticket]
        self._failure(1)

    def give_up(self) -> None:
        """Count a failure that no repeat would mend as all the repeats that are saved."""
        self._failure(self.effort.retries)

    def _failure(self, weight: int) -> None:
        self._failed += weight
        most = FAILURES_IN_A_ROW * self.effort.connections * (self.effort.retries + 1)
        if self._failed >= most:
            self.stopped = self.stopped or "the provider fails again and again"

    def next_model(self) -> None:
        """Forget failures: another model may do better."""
        self._failed = 0
        if self.stopped and self._why_not(0.0) == "":
            self.stopped = ""

    def _why_not(self, worst_usd: float) -> str:
        most = self.effort.max_requests
        if most is not None and self.requests >= most:
            return f"the limit of {most} requests is reached"
        ceiling = self.effort.max_cost_usd
        reserved = self.spent_usd + sum(self._under_way.values())
        if ceiling is not None and reserved + worst_usd > ceiling:
            return (
                f"the limit of {ceiling:g} USD is reached: {self.spent_usd:.4f} USD are spent, and "
                f"the next request may go beyond it"
            )
        return ""


def worst_cost(price: Price | None, prompt_bytes: int, budget: int) -> float | None:
    """Return what a request costs at most; None without a price.

    One token is reckoned for two bytes of the prompt, about twice what tokenisers make of prose.
    """
    return None if price is None else price.cost(prompt_bytes // 2 + 1, budget)
