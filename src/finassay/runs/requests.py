"""What is asked for.  In: options.  Out: a request, and the systems that it makes of models."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from finassay.errors import UsageError
from finassay.records import SystemSpec, pairs
from finassay.runs.passages import Passages
from finassay.runs.prices import Price
from finassay.runs.prompts import THINKING, Thinking, arm_named, prompt_hash
from finassay.runs.secrets import without_secrets
from finassay.runs.shots import Shots

DEFAULT_BUDGET = 512
"""Tokens of a reply where nothing else is asked for: the same for every model."""

ReasoningEffort = Literal["none", "minimal", "low", "medium", "high"]

EFFORTS: tuple[ReasoningEffort, ...] = get_args(ReasoningEffort)

BASELINE_PROVIDER = "finassay"
"""Provider of the models that are baselines or test doubles and no language models."""

_PLAIN_ARM = "free"
_TAKEN = ("model", "role", "required", "default", "config", "base_url", "memoize", "model_name")
_SECRET = re.compile(r"(?:^|_)(?:key|token|secret|password|credentials?)$|apikey", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """What decides a reply besides model and prompt; None leaves it to the provider.

    Attributes:
        budget: most tokens of a reply, reasoning included.
        temperature: 0 for the likeliest words.
        seed: for providers that take one.
        stop: texts at which a reply ends.
        effort: one of `EFFORTS`, for models that reason.
    """

    budget: int = DEFAULT_BUDGET
    temperature: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    effort: ReasoningEffort | None = None

    def __post_init__(self) -> None:
        if self.budget < 1:
            raise UsageError(f"`budget` must be at least 1 token, got {self.budget!r}")
        if self.temperature is not None and not self.temperature >= 0:
            raise UsageError(f"`temperature` must be at least 0, got {self.temperature!r}")
        if self.effort is not None and self.effort not in EFFORTS:
            raise UsageError(f"`effort` must be one of {', '.join(EFFORTS)}, got {self.effort!r}")

    def told(self) -> dict[str, str]:
        """Return what is not left to the provider, the budget and stop texts aside."""
        values = {
            "temperature": None if self.temperature is None else f"{self.temperature:g}",
            "seed": None if self.seed is None else str(self.seed),
            "reasoning_effort": self.effort,
        }
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How models are asked; all of it enters the identity of the systems.

    Attributes:
        arm: name of the prompt arm.
        thinking: how reasoning is kept down.
        decoding: budget, temperature and so on.
        shots: worked examples, None for zero-shot.
        passages: where passages come from in place of the items' own, None for closed-book.
        model_args: passed on to the provider, for instance to pin a tier.
        provider: name of the provider where the model's own says too little: two servers that
            offer the same model name are told apart by it.
        name: display name; only for one model.
    """

    arm: str = _PLAIN_ARM
    thinking: Thinking = "as-is"
    decoding: Decoding = field(default_factory=Decoding)
    shots: Shots | None = None
    passages: Passages | None = None
    model_args: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    provider: str | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        arm_named(self.arm)
        if self.thinking not in THINKING:
            raise UsageError(
                f"`thinking` must be one of {', '.join(THINKING)}, got {self.thinking!r}"
            )
        if self.thinking == "effort-none" and self.decoding.effort not in (None, "none"):
            raise UsageError(
                f"`thinking` 'effort-none' sets the reasoning effort to none, and `effort` asks "
                f"for {self.decoding.effort!r}; give one of them"
            )
        for key, value in self.model_args.items():
            if key in _TAKEN:
                raise UsageError(
                    f"the model argument {key!r} has an option of its own, or is not for a run; "
                    f"use the option"
                )
            if _SECRET.search(key) or without_secrets(str(value)) != str(value):
                raise UsageError(
                    f"the model argument {key!r} looks like a secret, which would be recorded; "
                    f"give it in the environment variable that the provider reads"
                )

    @property
    def effort(self) -> ReasoningEffort | None:
        """The reasoning effort that is asked of the provider."""
        return "none" if self.thinking == "effort-none" else self.decoding.effort

    @property
    def without_reasoning(self) -> bool:
        """Whether replies without reasoning are asked for."""
        return self.thinking != "as-is" or self.decoding.effort == "none"

    def system(self, model: str) -> SystemSpec:
        """Return the system that a model is when asked in this way.

        Raises:
            UsageError: the model's name has no provider in front.
        """
        provider, slash, rest = model.partition("/")
        if not (provider and slash and rest):
            raise UsageError(
                f"a model is named PROVIDER/MODEL, as openai/gpt-5-mini or ollama/qwen3; got "
                f"{model!r}"
            )
        told = self.decoding.told() | ({"thinking": self.thinking} if self._is_kept_down else {})
        told |= {} if self.passages is None else dict(self.passages.named)
        args = {f"model_arg.{key}": str(value) for key, value in self.model_args.items()}
        is_baseline = provider == BASELINE_PROVIDER
        return SystemSpec(
            name=self.name or self._display_name(model),
            kind="baseline" if is_baseline else "model",
            model=model,
            provider=self.provider or provider,
            decoding=pairs(told | args),
            budget=f"{self.decoding.budget} tokens",
            stop=self.decoding.stop,
            prompt_arm=self.arm,
            prompt_hash=prompt_hash(arm_named(self.arm), self.thinking),
            few_shot=self.shots.named() if self.shots else (),
            model_family="baseline" if is_baseline else "",
        )

    @property
    def _is_kept_down(self) -> bool:
        return self.thinking != "as-is"

    def _display_name(self, model: str) -> str:
        """Return the model with what sets this way of asking apart from the plain one."""
        said = self.differences(Asking())
        return f"{model} [{', '.join(said)}]" if said else model

    def differences(self, plain: Asking) -> list[str]:
        """Return in words what sets this way of asking apart from another; names aside."""
        said = [] if self.arm == plain.arm else [self.arm]
        if self.decoding.budget != plain.decoding.budget:
            said.append(f"{self.decoding.budget} tokens")
        if self.thinking != plain.thinking:
            said.append(f"thinking {self.thinking}")
        usual = plain.decoding.told()
        told = self.decoding.told()
        said += [f"{name} {value}" for name, value in told.items() if usual.get(name) != value]
        said += [f"{name} as the provider has it" for name in usual if name not in told]
        said += [f"stop {text!r}" for text in self.decoding.stop]
        if self.shots and self.shots.count:
            said.append(f"{self.shots.count}-shot")
        if self.passages:
            said.append(self.passages.label)
        said += [f"{key}={value}" for key, value in sorted(self.model_args.items())]
        if self.provider:
            said.append(f"at {self.provider}")
        return said


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How hard a provider is asked; nothing of it enters an identity.

    Attributes:
        connections: most requests at a time.
        retries: times that a request is sent again after a passing failure.
        timeout_s: seconds after which one request is given up, and sent again.
        longest_wait_s: longest wait between two tries; a provider's Retry-After goes before it.
        base_url: where the model is served, if not at its provider's own address.
        max_requests: requests in all, repeats included, after which nothing more is sent.
        max_cost_usd: US dollars that the run must not go beyond.
        prices: of models, in US dollars.
        log_dir: where Inspect's own logs are kept, None to keep none.
        land_every: answers between two writings of the tables; until then they are in a journal.
    """

    connections: int = 10
    retries: int = 5
    timeout_s: int = 600
    longest_wait_s: float = 60.0
    base_url: str | None = None
    max_requests: int | None = None
    max_cost_usd: float | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)
    log_dir: str | None = None
    land_every: int = 500

    def __post_init__(self) -> None:
        for name in ("connections", "timeout_s", "land_every"):
            if getattr(self, name) < 1:
                raise UsageError(f"`{name}` must be at least 1, got {getattr(self, name)!r}")
        for name in ("retries", "longest_wait_s", "max_requests", "max_cost_usd"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise UsageError(f"`{name}` must be at least 0, got {value!r}")
