"""The bundled benchmarks as tasks of Inspect.  In: options.  Out: a task.

`inspect eval finassay/regqa --model ...` asks them with our prompts and marks with our rules; no
file of the package needs to be named.  `inspect list tasks` lists them in this directory.
"""

from __future__ import annotations

from collections.abc import Sequence

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.solver import generate

from finassay._version import __version__
from finassay.benchmarks.bundled import load_bundled
from finassay.integrations.inspect_samples import sample_of
from finassay.integrations.inspect_scorers import named
from finassay.integrations.score_values import Policy
from finassay.records import Item
from finassay.runs.prompts import Thinking, arm_named, prompt_of

RULES = ("financial", "strict/as-stated")
"""Rules that mark the questions, side by side."""

LABEL_RULES = ("choice", "labels/longest-word")
"""Rules that mark the label tasks, side by side."""


@task
def regqa(
    arm: str = "free",
    thinking: Thinking = "as-is",
    rules: str | Sequence[str] = RULES,
    unscored: Policy = "wrong",
) -> Task:
    """Return the 72 questions over public financial regulation.

    Args:
        arm: wording of the prompt, "free" or "exact-answer".
        thinking: how reasoning is kept down; see `finassay.runs.prompts.THINKING`.
        rules: names of the scorers.
        unscored: how a reply without an answer counts, "wrong" or "exclude".
    """
    return bundled_task("finassay-regqa", arm, thinking, rules, unscored)


@task
def reglabels(
    arm: str = "free",
    thinking: Thinking = "as-is",
    rules: str | Sequence[str] = LABEL_RULES,
    unscored: Policy = "wrong",
) -> Task:
    """Return the 72 label items over public financial regulation.

    Args:
        arm: wording of the prompt, "free" or "exact-answer".
        thinking: how reasoning is kept down; see `finassay.runs.prompts.THINKING`.
        rules: names of the scorers.
        unscored: how a reply without an answer counts, "wrong" or "exclude".
    """
    return bundled_task("finassay-reglabels", arm, thinking, rules, unscored)


def bundled_task(
    benchmark: str,
    arm: str,
    thinking: Thinking,
    rules: str | Sequence[str],
    unscored: Policy,
) -> Task:
    """Return a bundled benchmark as a task.

    Raises:
        UnknownNameError: there is no such benchmark, arm or rule.
    """
    listed = [rules] if isinstance(rules, str) else rules
    items = load_bundled(benchmark)
    return Task(
        dataset=dataset_of(items, benchmark, arm=arm, thinking=thinking),
        solver=generate(),
        scorer=[named(rule)(unscored=unscored) for rule in listed],
        version=__version__,
    )


def dataset_of(
    items: Sequence[Item], name: str, *, arm: str = "free", thinking: Thinking = "as-is"
) -> MemoryDataset:
    """Return items as a dataset of Inspect whose samples carry them.

    Args:
        items: the items, in order.
        name: name of the dataset.
        arm: wording of the prompt.
        thinking: how reasoning is kept down.

    Raises:
        UnknownNameError: there is no such arm.
    """
    wording = arm_named(arm)
    samples = [sample_of(item, prompt_of(item, wording, thinking=thinking)) for item in items]
    return MemoryDataset(samples, name=name)
