"""Write logs with Inspect itself and its mock model, and what its own reader says they hold.

Run as a program with a directory: the tool is heavy, and warns of things that are none of ours.
"""

from __future__ import annotations

import sys
from pathlib import Path

import inspect_ai.model._model as model_module
import inspect_ai.model._tokens as tokens_module
from inspect_ai import Task, task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.log._recorders.chunked.convert import convert_eval_logs_to_chunked
from inspect_ai.model import (
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.model._model_output import ChatCompletionChoice
from inspect_ai.scorer import Score, Target, accuracy, includes, match, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate

MODEL = "mockllm/model"

# The tool counts tokens with a vocabulary that it downloads.
model_module.count_text_tokens = lambda text: len(text.split())
tokens_module.count_text_tokens = lambda text: len(text.split())


def reply(content: object, stop_reason: str = "stop") -> ModelOutput:
    message = ChatMessageAssistant(content=content, model=MODEL, source="generate")
    made = ModelOutput(
        model=MODEL, choices=[ChatCompletionChoice(message=message, stop_reason=stop_reason)]
    )
    made.usage = ModelUsage(
        input_tokens=7, output_tokens=5, total_tokens=15, input_tokens_cache_read=3
    )
    return made


def by_question(messages: list, *_: object) -> ModelOutput:
    question = messages[-1].text
    if "thoughts" in question:
        parts = [ContentReasoning(reasoning="two and two"), ContentText(text="It is 4")]
        return reply(parts)
    if "cut" in question:
        return reply("The answer is", "max_tokens")
    if "filter" in question:
        return reply("", "content_filter")
    if "silent" in question:
        return reply("")
    if "broken" in question:
        raise RuntimeError("the provider went away")
    return reply("ANSWER: 4")


@scorer(metrics=[accuracy(), stderr()])
def grader() -> object:
    """A judge that cannot always read its own verdict."""

    async def score(state: TaskState, target: Target) -> Score:
        if not state.output.completion:
            return Score.unscored(reason="grader_failed")
        return Score(value="P" if "is" in state.output.completion else "C", answer="4")

    return score


@scorer(metrics={"style": [mean()], "facts": [mean()]})
def rubric() -> object:
    """A scorer of two marks."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(value={"style": 0.25, "facts": float("nan")})

    return score


@task
def arithmetic() -> Task:
    return Task(
        dataset=[
            Sample(id=1, input="What is 2+2?", target="4"),
            Sample(id=2, input="Show your thoughts: 2+2?", target=["4", "four"]),
            Sample(id=3, input="This one is cut", target="4"),
            Sample(id=4, input="This one meets the filter", target="4"),
            Sample(id="five", input="This one is silent", target="4"),
            Sample(id="six", input="This one is broken", target="4"),
        ],
        solver=generate(),
        scorer=[match(location="any"), includes(), grader(), rubric()],
        fail_on_error=False,
    )


def main(folder: Path) -> None:
    for log_format in ("eval", "json"):
        evaluate(
            arithmetic(),
            model=get_model(MODEL, custom_outputs=by_question),
            epochs=2,
            temperature=0.5,
            max_tokens=64,
            log_format=log_format,
            log_dir=str(folder / log_format),
            display="none",
        )
    path = next((folder / "eval").iterdir())
    log = read_eval_log(str(path))
    (folder / "told.json").write_text(
        log.model_dump_json(exclude={"samples": {"__all__": {"events"}}})
    )
    convert_eval_logs_to_chunked(str(path), str(folder / "chunked"))
    log.eval.task_id = "again"
    write_eval_log(log, str(folder / "rewritten.eval"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
