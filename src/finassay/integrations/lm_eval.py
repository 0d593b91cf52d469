"""Our scorers inside lm-evaluation-harness.  In: field names of a dataset.  Out: a function.

lm-eval has no entry points: a task file names a function beside it, and that file makes the
function here.  Nothing of lm-eval is imported, so any version that calls `process_results(doc,
results)` will do.  See docs/how-to/use-inside-inspect-and-lm-eval.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from finassay.errors import InputError, UsageError
from finassay.integrations.score_values import SILENT, Policy, require_policy
from finassay.records import AnswerContract, Item, Prediction, Verdict
from finassay.scorers.base import Scorer
from finassay.scorers.composites import Imported
from finassay.scorers.registry import load_scorer

Doc: TypeAlias = Mapping[str, object]
"""One row of a dataset."""

ProcessResults: TypeAlias = Callable[[Doc, Sequence[object]], dict[str, float]]
"""What lm-eval calls with a row and the replies to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """Which field of a row is what; None where the dataset has none.

    Attributes:
        reference: the accepted answer: a text, or the index of one of the choices.
        question: the question, for rules that read it.
        choices: the options.
        alternatives: further accepted answers.
        context: the passage.
        task: the task, for rules that depend on it.
    """

    reference: str
    question: str | None = None
    choices: str | None = None
    alternatives: str | None = None
    context: str | None = None
    task: str | None = None


def process_results(
    scorer: str | Scorer,
    fields: Fields,
    *,
    unscored: Policy,
    metric: str | None = None,
    contract: AnswerContract | None = None,
) -> ProcessResults:
    """Return the function that a task names under `process_results`.

    It returns the metric, in [0, 1], and `METRIC_no_answer`, 1 for a reply in which no answer was
    read.  Where the rule failed or does not apply the row adds to neither; lm-eval takes means over
    the rows that it got.

    Args:
        scorer: a scorer, or the id of one, such as "financial".
        fields: which field of a row is what.
        unscored: "wrong" counts a reply without an answer as 0, "exclude" leaves it out.
        metric: name of the metric; by default the scorer's name, with _ for every other character.
        contract: what counts as an answer, for all rows.

    Raises:
        UnknownNameError: there is no such scorer.
        UsageError: its verdicts are imported, or the policy is no policy.

    Example:
        >>> marks = process_results("financial", Fields(reference="answer"), unscored="wrong")
        >>> marks({"answer": "30 days"}, ["It is thirty days."])
        {'financial': 1.0, 'financial_no_answer': 0.0}
    """
    rule = load_scorer(scorer) if isinstance(scorer, str) else scorer
    if isinstance(rule, Imported):
        raise UsageError(f"the verdicts of {rule.name!r} are imported, not computed")
    policy = require_policy(unscored)
    name = metric or metric_name(rule.name)

    def process(doc: Doc, results: Sequence[object]) -> dict[str, float]:
        item = item_of(doc, fields, contract or AnswerContract())
        verdict = rule.score(item=item, prediction=_reply(results))
        return _metrics(verdict, name, policy)

    return process


def metric_name(scorer: str) -> str:
    """Return the name of a scorer as the name of a metric: letters, digits and _.

    Example:
        >>> metric_name("strict/as-stated")
        'strict_as_stated'
    """
    return "".join(character if character.isalnum() else "_" for character in scorer)


def _metrics(verdict: Verdict, name: str, unscored: Policy) -> dict[str, float]:
    if verdict.value is not None:
        return {name: verdict.value, f"{name}_no_answer": 0.0}
    if verdict.status not in SILENT:
        return {}
    silent = {f"{name}_no_answer": 1.0}
    return {name: 0.0, **silent} if unscored == "wrong" else silent


def _reply(results: Sequence[object]) -> Prediction:
    """Return the first reply; lm-eval hands repeats and filtered replies on as a list."""
    found = results[0] if results else ""
    if isinstance(found, (list, tuple)):
        found = found[0] if found else ""
    if not isinstance(found, str):
        raise InputError(
            f"expected the reply as text, got {found!r}; our rules mark tasks with `output_type: "
            f"generate_until`"
        )
    return Prediction(text=found, finish="not_logged" if found.strip() else "empty")


def item_of(doc: Doc, fields: Fields, contract: AnswerContract) -> Item:
    """Return a row of a dataset as an item.

    Raises:
        InputError: a field is missing, or holds something else than it should.
    """
    choices = _texts(doc, fields.choices)
    return Item(
        item_id="",
        task=_text(doc, fields.task),
        question=_text(doc, fields.question),
        context=_text(doc, fields.context),
        reference=_reference(doc, fields.reference, choices),
        alternatives=_texts(doc, fields.alternatives),
        choices=choices,
        contract=contract,
    )


def _value(doc: Doc, field: str) -> object:
    if field not in doc:
        raise InputError(f"a row has no field {field!r}; it has {sorted(doc)}")
    return doc[field]


def _reference(doc: Doc, field: str, choices: tuple[str, ...]) -> str | None:
    value = _value(doc, field)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and choices:
        if not 0 <= value < len(choices):
            raise InputError(f"`{field}` must be an index of {len(choices)} choices, got {value!r}")
        return choices[value]
    if isinstance(value, (str, int, float)):
        return str(value)
    raise InputError(f"`{field}` must be a text or a number, got {value!r}")


def _text(doc: Doc, field: str | None) -> str:
    value = "" if field is None else _value(doc, field)
    return "" if value is None else str(value)


def _texts(doc: Doc, field: str | None) -> tuple[str, ...]:
    value = () if field is None else _value(doc, field)
    if value is None:
        return ()
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise InputError(f"`{field}` must be a list of texts, got {value!r}")
    return tuple(map(str, value))
