"""A sample of Inspect as our records.  In: a task state.  Out: an item and a prediction; and back.

A sample that carries its item whole is read from there, with its answer contract and documents;
any other is read from its target, choices and input.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentReasoning,
    ModelOutput,
)
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState

from finassay.benchmarks.carried import KEY, carried_item
from finassay.integrations.asking import Asked, ItemFinder
from finassay.records import Finish, Item, Prediction
from finassay.runs.prompts import Role, Turn

DOCUMENT_KEYS = ("documents", "document", "doc_id")
"""Keys of a sample's metadata that may name what it stands on."""

_MESSAGES: Mapping[Role, Callable[..., ChatMessage]] = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}
_FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "tool_calls": "stop",
    "max_tokens": "truncated",
    "model_length": "truncated",
    "content_filter": "blocked",
}


def sample_of(item: Item, turns: Sequence[Turn]) -> Sample:
    """Return the sample that asks an item and carries it.

    Args:
        item: the item.
        turns: what the model is sent, the last of them the question.
    """
    accepted = [item.reference or "", *item.alternatives]
    return Sample(
        id=item.item_id,
        input=[_MESSAGES[turn.role](content=turn.text) for turn in turns],
        target=accepted,
        metadata={KEY: carried_item(item)},
    )


def item_of(state: TaskState, target: Target, finder: ItemFinder | None = None) -> Item:
    """Return the item that a sample asks.

    Args:
        state: the sample after the model's reply.
        target: its accepted answers, the first of which is the reference.
        finder: items in which samples that carry none are looked up.

    Raises:
        InputError: the sample carries something else where its item should be, or no item fits.
    """
    asked = Asked.of(state.input_text, sample_id=state.sample_id, metadata=state.metadata)
    if asked.item is not None:
        return asked.item
    if finder is not None:
        return finder.known(asked)
    accepted = [text for text in target if text]
    task = state.metadata.get("task", "")
    return Item(
        item_id=str(state.sample_id),
        task=task if isinstance(task, str) else "",
        question=state.input_text,
        reference=accepted[0] if accepted else None,
        alternatives=tuple(accepted[1:]),
        choices=tuple(choice.value for choice in state.choices),
        documents=documents_of(state.metadata),
    )


def documents_of(metadata: Mapping[str, object] | None) -> tuple[str, ...]:
    """Return the documents that a sample's metadata name."""
    known = metadata or {}
    carried = known.get(KEY)
    if isinstance(carried, Mapping):
        known = {**known, **carried}
    for key in DOCUMENT_KEYS:
        value = known.get(key)
        if isinstance(value, (list, tuple)) and value:
            return tuple(map(str, value))
        if isinstance(value, (str, int)) and value != "":
            return (str(value),)
    return ()


def prediction_of(output: ModelOutput, *, item_id: str, trial: int) -> Prediction:
    """Return a model's output as a prediction: text, reasoning, finish and usage."""
    usage = output.usage
    return Prediction(
        item_id=item_id,
        trial=trial,
        text=output.completion,
        reasoning=_reasoning(output),
        finish=_finish(output),
        tokens_in=usage.input_tokens if usage else None,
        tokens_out=usage.output_tokens if usage else None,
    )


def _finish(output: ModelOutput) -> Finish:
    if output.empty:
        return "error"
    finish = _FINISHES.get(output.stop_reason, "not_logged")
    is_silent = not output.completion.strip()
    return "empty" if is_silent and finish in {"stop", "not_logged"} else finish


def _reasoning(output: ModelOutput) -> str:
    content = "" if output.empty else output.message.content
    if isinstance(content, str):
        return ""
    parts = [part.reasoning for part in content if isinstance(part, ContentReasoning)]
    return "\n\n".join(parts)
