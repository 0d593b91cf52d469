"""What is to be judged, by whom, and how.  In: choices.  Out: a checked request, its systems."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from finassay.errors import UsageError
from finassay.judges.protocol import DEFAULT_TEMPERATURE, Protocol
from finassay.records import SystemSpec, content_id
from finassay.runs.prompts import AS_WRITTEN
from finassay.runs.requests import DEFAULT_BUDGET, Asking, Decoding, Effort

JUDGE_BUDGET = 1024
"""Tokens of a judge's reply where nothing else is asked for: an explanation and a verdict."""

LONGEST_SAID = 60
"""Characters that may tell a judge's settings in its name; more of them become a hash."""

CONSENSUS = "person/consensus"
"""Scorer whose verdicts say which answers people marked right, where no other is named."""


def judge_decoding() -> Decoding:
    """Return how judges are asked where nothing else is said."""
    return Decoding(budget=JUDGE_BUDGET, temperature=DEFAULT_TEMPERATURE)


def _judge_asking() -> Asking:
    return Asking(arm=AS_WRITTEN.name, decoding=judge_decoding())


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRequest:
    """What is to be judged.

    Attributes:
        judges: models as PROVIDER/MODEL, in the order in which they are asked.
        protocols: what each judge is asked; all with the same votes and temperature.
        asking: budget, seed, model arguments and so on of the judges; the temperature is that of
            the protocols, and prompts are asked as they are written.
        effort: how hard the providers are asked, and how far; over the whole request.
        systems: display names or ids of the systems judged; None for all.
        limit: only the first items, by their ids; None for all.
        context_window: tokens that prompt and reply may take together; None where it is not known.
        jury: name of the jury that all judges together are; None for no jury.
        marked_right_by: scorer whose verdicts say which answers people marked right, for the arm
            that shows one of them.

    Raises:
        UsageError: choices do not go together.
    """

    judges: tuple[str, ...]
    protocols: tuple[Protocol, ...]
    asking: Asking = field(default_factory=_judge_asking)
    effort: Effort = field(default_factory=Effort)
    systems: tuple[str, ...] | None = None
    limit: int | None = None
    context_window: int | None = None
    jury: str | None = None
    marked_right_by: str = CONSENSUS

    def __post_init__(self) -> None:
        if not self.judges:
            raise UsageError("judging needs a judge, got none; name one with --judge")
        twice = [model for model in self.judges if self.judges.count(model) > 1]
        if twice:
            raise UsageError(f"the judge {twice[0]!r} is named twice; name it once")
        if not self.protocols:
            raise UsageError("judging needs a protocol, got none; give a task and an arm")
        if len({(one.votes, one.temperature) for one in self.protocols}) > 1:
            raise UsageError(
                "protocols with other votes or another temperature are judged in a request of "
                "their own; give all of a request the same"
            )
        if len({str(one.judge_id("x")) for one in self.protocols}) < len(self.protocols):
            raise UsageError(
                "two protocols of a request have the same task, arm, prompt and tolerance; their "
                "verdicts would stand under one name; judge them one after the other"
            )
        self._require_jury()
        if self.asking.name is not None and len(self.judges) > 1:
            raise UsageError(
                f"one display name ({self.asking.name!r}) cannot stand for {len(self.judges)} "
                f"judges; leave it out, or judge one by one"
            )
        for name in ("limit", "context_window"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"`{name}` must be at least 1, got {value!r}")

    def _require_jury(self) -> None:
        if self.jury is not None and len(self.judges) < 2:
            raise UsageError(
                f"a jury is several judges, got {len(self.judges)}; name more with --judge, or "
                f"drop --jury"
            )
        if self.jury is not None and not self.jury.strip():
            raise UsageError(f"a jury needs a name, got {self.jury!r}")

    @property
    def votes(self) -> int:
        """How often each prompt is asked."""
        return self.protocols[0].votes

    def asking_of(self, model: str) -> Asking:
        """Return how a judge is asked for its verdicts, its display name included."""
        decoding = replace(self.asking.decoding, temperature=self.protocols[0].temperature)
        asking = replace(self.asking, arm=AS_WRITTEN.name, decoding=decoding)
        return replace(asking, name=asking.name or _name_of(model, asking))

    def system(self, model: str) -> SystemSpec:
        """Return the system that a judge is when asked for its verdicts."""
        return self.asking_of(model).system(model)

    def answering(self, model: str) -> Asking:
        """Return how a judge is asked for its own answers: as any model is by default."""
        own = Decoding(budget=DEFAULT_BUDGET, effort=self.asking.decoding.effort)
        asking = replace(self.asking, arm=AS_WRITTEN.name, decoding=own)
        return replace(asking, name=f"{self.system(model).name}, answering")


def _name_of(model: str, asking: Asking) -> str:
    """Return the last part of a model's name, with what is unusual about how it is asked."""
    said = "; ".join(asking.differences(_judge_asking()))
    short = model.rstrip("/").rpartition("/")[2]
    if not said:
        return short
    return f"{short} ({said if len(said) <= LONGEST_SAID else content_id(said)[:8]})"
