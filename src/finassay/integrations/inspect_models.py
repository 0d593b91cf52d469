"""Systems without a model, as models of Inspect.  In: a name.  Out: a model.

`finassay/NAME` answers as the baseline NAME, `finassay/replay` gives the replies of a study again,
and `finassay/scripted` replies from a script.  They cost nothing and need no network, and run
under the same tasks, limits and logs as any other model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import cast

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
    get_model,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from finassay.errors import UsageError
from finassay.integrations.answering import (
    Answerer,
    BaselineAnswers,
    ReplayAnswers,
    Script,
    Scripted,
    ScriptedAnswers,
    baseline_named,
    known_items,
    read_script,
)
from finassay.integrations.asking import Asked, ItemFinder
from finassay.records import Finish, Item, Prediction
from finassay.runs.task import asked_items

_TAKES: Mapping[str, tuple[str, ...]] = {
    "replay": ("study", "system"),
    "scripted": ("replies", "benchmark", "study"),
}
_NEEDS: Mapping[str, tuple[str, ...]] = {"replay": ("study", "system"), "scripted": ("replies",)}
_STOPS: Mapping[Finish, StopReason] = {
    "stop": "stop",
    "empty": "stop",
    "refused": "stop",
    "truncated": "max_tokens",
    "blocked": "content_filter",
}


class WithoutModel(ModelAPI):
    """The provider `finassay`: it answers without a network.

    Model arguments: `benchmark` and `study` name the items that may be asked (all bundled ones by
    default); `finassay/replay` takes `study` and `system`, `finassay/scripted` takes `replies`.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the signature of every provider
        **model_args: object,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        require_arguments(model_name, model_args)
        self._arguments = model_args

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - the name that Inspect gives it
        tools: list[ToolInfo],  # noqa: ARG002 - no system here calls tools
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,  # noqa: ARG002 - nor does it sample
    ) -> ModelOutput:
        """Return the reply.

        Raises:
            InputError: there is none for this item.
            FinassayError: what the arguments name cannot be opened; see `answerer`.
        """
        return output_of(self._answers(_asked(input)), model=self.model_name)

    @cached_property
    def _answers(self) -> Answerer:
        # Opened at the first call only: Inspect makes the model of a log again before it scores
        # the log, when the study or the script may be elsewhere.
        return answerer(self.model_name, self._arguments)

    def max_connections(self) -> int:
        """Return how many calls may run at once: they are answered one by one anyhow."""
        return 32


def answerer(name: str, arguments: Mapping[str, object]) -> Answerer:
    """Return what answers under a name of the provider.

    Args:
        name: name of a baseline, "replay" or "scripted".
        arguments: model arguments, as Inspect's -M gives them.

    Raises:
        UnknownNameError: there is no such baseline, benchmark or system.
        UsageError: an argument is missing, or is none of this model's.
        InputError: the script cannot be read.
        NoStudyError: there is no study at the path given.
    """
    require_arguments(name, arguments)
    if name == "replay":
        return ReplayAnswers(str(arguments["study"]), str(arguments["system"]))
    if name == "scripted":
        replies = arguments["replies"]
        if replies is None:
            # What a log keeps of a function.
            raise UsageError("finassay/scripted cannot be made again from a log: pass `replies`")
        is_file = isinstance(replies, (str, Path))
        script = read_script(str(replies)) if is_file else cast("Script", replies)
        return ScriptedAnswers(script, _finder(arguments))
    return BaselineAnswers(baseline_named(name), _finder(arguments))


def require_arguments(name: str, arguments: Mapping[str, object]) -> None:
    """Check the name and the names of the arguments, without opening what they name.

    Raises:
        UnknownNameError: there is no such baseline.
        UsageError: an argument is missing, or is none of this model's.
    """
    takes = _TAKES.get(name, ("benchmark", "study"))
    unknown = sorted(set(arguments) - set(takes))
    missing = [key for key in _NEEDS.get(name, ()) if key not in arguments]
    if name not in _TAKES:
        baseline_named(name)
    if unknown:
        raise UsageError(
            f"finassay/{name} takes no argument {unknown[0]!r}; it takes {', '.join(takes)}"
        )
    if missing:
        raise UsageError(
            f"finassay/{name} needs the argument {missing[0]!r}: pass -M {missing[0]}=... to "
            f"Inspect, or {missing[0]}=... to get_model()"
        )


def _finder(arguments: Mapping[str, object]) -> ItemFinder:
    benchmark, study = arguments.get("benchmark"), arguments.get("study")
    listed = [benchmark] if isinstance(benchmark, str) else cast("list[str]", benchmark or [])
    return _shared_finder(tuple(listed), None if study is None else str(study))


@lru_cache(maxsize=8)
def _shared_finder(benchmark: tuple[str, ...], study: str | None) -> ItemFinder:
    return ItemFinder(known_items(benchmark=benchmark, study=study))


def _asked(messages: list[ChatMessage]) -> Asked:
    # Worked examples stand in messages of their own, so the last question is the one asked.
    last = next((message for message in reversed(messages) if message.role == "user"), None)
    prompt = "" if last is None else last.text
    told = _told(last)
    running = _running_sample()
    if told is None and running is not None:
        sample_id, epoch, metadata = running
        return Asked.of(prompt, sample_id=sample_id, trial=epoch - 1, metadata=metadata)
    return Asked(prompt=prompt) if told is None else replace(told, prompt=prompt)


def _told(message: ChatMessage | None) -> Asked | None:
    """Return what a run of `finassay run` says of a message in its metadata, or None."""
    told = (message.metadata if message is not None else None) or {}
    item_id, trial = told.get("item_id"), told.get("trial")
    if not isinstance(item_id, str):
        return None
    known = asked_items()
    return Asked(
        prompt="",
        sample_id=item_id,
        trial=trial if isinstance(trial, int) else None,
        item=known.get(item_id),
        among=tuple(known.values()),
    )


def _running_sample() -> tuple[str | int | None, int, Mapping[str, object]] | None:
    # Inspect tells a provider the messages alone; which sample and epoch is running it says only
    # here, in a module that is not its public API.  Without it the item is found by its text.
    try:
        from inspect_ai.log._samples import sample_active  # noqa: PLC0415
    except ImportError:
        return None
    active = sample_active()
    if active is None:
        return None
    return active.sample.id, active.epoch, active.sample.metadata or {}


def output_of(reply: Prediction, *, model: str) -> ModelOutput:
    """Return a reply as Inspect's output, with its reasoning, stop reason and usage.

    A recorded call that failed comes back as an output without text whose `error` says so.
    """
    content: str | list[Content] = reply.text
    if reply.reasoning:
        content = [ContentReasoning(reasoning=reply.reasoning), ContentText(text=reply.text)]
    message = ChatMessageAssistant(content=content, model=model, source="generate")
    choice = ChatCompletionChoice(message=message, stop_reason=_STOPS.get(reply.finish, "unknown"))
    failed = "the recorded call failed" if reply.finish == "error" else None
    return ModelOutput(
        model=model, choices=[choice], usage=_usage(reply), time=reply.latency_s, error=failed
    )


def _usage(reply: Prediction) -> ModelUsage | None:
    if reply.tokens_in is None and reply.tokens_out is None:
        return None
    tokens_in, tokens_out = reply.tokens_in or 0, reply.tokens_out or 0
    return ModelUsage(
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        total_tokens=tokens_in + tokens_out,
        total_cost=reply.cost_usd,
    )


def baseline_model(name: str, *, study: str | Path | None = None) -> Model:
    """Return a baseline as a model of Inspect.

    Args:
        name: name of the baseline, such as "bm25-quantity".
        study: directory of a study whose items are asked; the bundled benchmarks by default.

    Raises:
        UnknownNameError: there is no baseline of that name.
    """
    if study is None:
        return get_model(f"finassay/{name}", memoize=False)
    return get_model(f"finassay/{name}", memoize=False, study=str(study))


def replay_model(study: str | Path, system: str) -> Model:
    """Return a system of a study as a model that gives its recorded replies again.

    Args:
        study: directory of the study.
        system: display name of the system, or the beginning of its id.

    Raises:
        UnknownNameError: the study has no such system.
        NoStudyError: there is no study at this path.
    """
    return get_model("finassay/replay", memoize=False, study=str(study), system=system)


def scripted_model(replies: Script | str | Path, *, items: Iterable[Item] = ()) -> Model:
    """Return a model that replies from a script.

    Args:
        replies: texts or predictions by item id ("*" for every other item), a function of the
            call, replies in the order of the calls, or a file (see `answering.read_script`).
        items: items by which calls outside an evaluation are found; the bundled ones by default.

    Raises:
        InputError: the file cannot be read.
    """
    script = read_script(replies) if isinstance(replies, (str, Path)) else replies
    listed = tuple(items)
    answers = ScriptedAnswers(script, ItemFinder(listed or known_items()))
    return get_model("finassay/scripted", memoize=False, replies=_as_function(answers))


def _as_function(answers: ScriptedAnswers) -> Callable[[Asked], Scripted]:
    def reply(asked: Asked) -> Scripted:
        return answers(asked)

    return reply
