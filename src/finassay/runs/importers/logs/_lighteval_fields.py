"""Fields of lighteval details.  In: a row of a Parquet file.  Out: samples, one for each reply.

Two layouts: three structs `doc`, `metric` and `model_response` from 0.11 on, and flat columns
before (`logging/info_loggers.py` of either).  Columns in which nothing stands have no type.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from finassay.records import Finish, Item, Verdict
from finassay.runs.importers.logs._fields import as_list, as_map, as_str
from finassay.runs.importers.logs._lm_eval_fields import FROM_LOGPROBS
from finassay.runs.importers.logs.base import Mark, Sample
from finassay.runs.importers.logs.values import tool_scorer, tool_verdict

TOOL = "lighteval"
NEW_COLUMNS = ("doc", "metric", "model_response")
OLD_COLUMNS = ("full_prompt", "predictions", "metrics")

Row = Mapping[str, object]


class _Parts(NamedTuple):
    """What a row of either layout says, under one set of names."""

    item: Item
    texts: Sequence[str]
    chosen: str | None
    marks: tuple[Mark, ...]
    found: Sequence[object]
    reasonings: Sequence[object]
    prompt_tokens: Sequence[object]
    outputs: Sequence[object]
    cut: object


def new_samples(row: Row, *, task: str, place: int) -> list[Sample]:
    """Return the samples of a row of 0.11 and later.

    Raises:
        ValueError: the row has no document.
    """
    doc, reply = as_map(row.get("doc")), as_map(row.get("model_response"))
    if not doc:
        raise ValueError("expected a row with a `doc`, which is empty")
    told = doc.get("id")
    index = str(place - 1 if told in (None, "") else told)
    choices = [str(one) for one in as_list(doc.get("choices"))]
    gold = _indices(doc.get("gold_index"))
    texts = [str(one) for one in as_list(reply.get("text"))]
    parts = _Parts(
        item=_item(index, task, as_str(doc.get("query")), choices, gold),
        texts=texts,
        chosen=None if texts else _chosen(choices, as_list(reply.get("logprobs"))),
        marks=_marks(as_map(row.get("metric"))),
        found=as_list(as_map(doc.get("specific")).get("extracted_predictions")),
        reasonings=as_list(reply.get("reasonings")),
        prompt_tokens=as_list(reply.get("input_tokens")),
        outputs=as_list(reply.get("output_tokens")),
        cut=reply.get("truncated_tokens_count"),
    )
    return _samples(parts, place)


def old_samples(row: Row, *, task: str, place: int) -> list[Sample]:
    """Return the samples of a row of 0.6 to 0.10."""
    choices = [str(one) for one in _listed(row.get("choices"))]
    golds = [str(one) for one in _listed(row.get("gold"))]
    texts = [str(one) for one in _listed(row.get("predictions"))]
    chosen = None if texts else _chosen(choices, _listed(row.get("pred_logits")))
    indices = _indices(row.get("gold_index"))
    if golds and not choices:
        choices, indices = golds, list(range(len(golds)))
    tokens = _listed(row.get("input_tokens"))
    question = as_str(row.get("example")) or as_str(row.get("full_prompt"))
    parts = _Parts(
        item=_item(str(place - 1), task, question, choices, indices),
        texts=texts,
        chosen=chosen,
        marks=_marks(as_map(row.get("metrics"))),
        found=as_list(as_map(row.get("specifics")).get("extracted_predictions")),
        reasonings=(),
        prompt_tokens=as_list(tokens[0]) if tokens and isinstance(tokens[0], list) else tokens,
        outputs=_listed(row.get("cont_tokens")),
        cut=row.get("truncated"),
    )
    return _samples(parts, place)


def _samples(parts: _Parts, place: int) -> list[Sample]:
    """Return one sample for each text; the item and the tool's verdicts come with the first."""
    is_chosen = parts.chosen is not None
    flags = _flags(is_chosen=is_chosen, cut=parts.cut)
    return [
        Sample(
            item_id=parts.item.item_id,
            text=text,
            place=place,
            item=parts.item if trial == 0 else None,
            trial=trial,
            reasoning=as_str(parts.reasonings[trial]) if trial < len(parts.reasonings) else "",
            finish=_finish(text, is_chosen=is_chosen),
            tool_extracted=_extracted(parts.found, text) if trial == 0 else None,
            tokens_in=len(parts.prompt_tokens) or None,
            tokens_out=_length(parts.outputs, trial),
            flags=flags,
            marks=parts.marks if trial == 0 else (),
        )
        for trial, text in enumerate(parts.texts or [parts.chosen or ""])
    ]


def _listed(told: object) -> Sequence[object]:
    """Return a list, also one that was written as text."""
    if isinstance(told, str) and told.startswith("["):
        try:
            told = ast.literal_eval(told)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return [told]
    if isinstance(told, str):
        return [told] if told else []
    return as_list(told)


def _indices(told: object) -> list[int]:
    listed = told if isinstance(told, list) else [told]
    return [one for one in listed if isinstance(one, int) and not isinstance(one, bool)]


def _chosen(choices: Sequence[str], logprobs: Sequence[object]) -> str | None:
    """Return the option of the greatest log-probability, None where none can be told."""
    values = [one if isinstance(one, float | int) else math.nan for one in logprobs]
    if not values or len(values) != len(choices) or any(math.isnan(one) for one in values):
        return None
    return choices[max(range(len(values)), key=lambda index: (values[index], -index))].strip()


def _finish(text: str, *, is_chosen: bool) -> Finish:
    return "not_logged" if text.strip() or is_chosen else "empty"


def _flags(*, is_chosen: bool, cut: object) -> tuple[str, ...]:
    flags = [FROM_LOGPROBS] if is_chosen else []
    counts = cut if isinstance(cut, list) else [cut]
    if any(isinstance(one, int) and one > 0 for one in counts):
        flags.append("prompt_cut")
    return tuple(flags)


def _length(outputs: Sequence[object], trial: int) -> int | None:
    if trial >= len(outputs) or not isinstance(outputs[trial], list):
        return None
    return len(as_list(outputs[trial]))


def _extracted(found: Sequence[object], text: str) -> str | None:
    told = found[0] if found else None
    while isinstance(told, list) and told:
        told = told[0]
    return told if isinstance(told, str) and told != text else None


def _item(
    index: str, task: str, question: str, choices: Sequence[str], gold: Sequence[int]
) -> Item:
    accepted = [choices[one].strip() for one in gold if 0 <= one < len(choices)]
    kept = [one for one in accepted if one]
    # A generative task keeps its accepted answers as choices: those offer nothing.
    offered = choices if len(choices) > len(gold) else ()
    return Item(
        item_id=index,
        family=task,
        task=task,
        question=question,
        reference=kept[0] if kept else None,
        alternatives=tuple(kept[1:]),
        choices=tuple(one.strip() for one in offered),
    )


def _marks(metrics: Mapping[str, object]) -> tuple[Mark, ...]:
    return tuple(Mark(tool_scorer(TOOL, name), _verdict(one)) for name, one in metrics.items())


def _verdict(value: object) -> Verdict:
    if isinstance(value, list | dict):
        return Verdict(
            status="not_applicable",
            reason="a metric of the whole task: the tool keeps what it needs for it here",
        )
    return tool_verdict(value)
