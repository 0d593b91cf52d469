"""Fields of lm-evaluation-harness samples.  In: one line.  Out: samples, one for each repeat.

Field names follow the tool's `evaluator.py` and `loggers/evaluation_tracker.py` from 0.4.0 to
0.5.0.dev1.  Everything that is not a score is text in these files, log-probabilities too.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from finassay.records import Item, Verdict
from finassay.runs.importers.logs._decoding import value
from finassay.runs.importers.logs._fields import as_list, as_map, as_str
from finassay.runs.importers.logs.base import Mark, Sample
from finassay.runs.importers.logs.values import tool_scorer, tool_verdict

TOOL = "lm-eval"
FROM_LOGPROBS = "from_logprobs"
"""Flag of a reply that is the option of the greatest log-probability: nothing was generated."""

SENTINELS = frozenset({"[invalid]", "[missing]", "[fallback]"})
"""What filters write where they found no answer."""

PLAIN = (
    *("doc_id", "target", "resps", "filtered_resps", "filter", "metrics", "scores_per_repeat"),
)
LAZY = ("doc", "arguments")
"""Fields that only the first line of a document is read for."""

_NO_METRICS = frozenset({*PLAIN, *LAZY, "doc_hash", "prompt_hash", "target_hash", "schema_version"})
_QUESTIONS = ("question", "query", "problem", "input", "prompt")


@dataclass(slots=True)
class TaskFacts:
    """What the results file says of a task, and what was seen of its lines.

    Attributes:
        filters: names of the filters in the order of the task's configuration.
        output_type: "generate_until", "multiple_choice", ...; "" where not known.
        seen: how often each document stood in the lines so far.
        is_generative: whether a request for a text was among the lines.
        named: ids of documents that have one of their own (`doc.item_id`), by index.
    """

    task: str
    filters: tuple[str, ...] = ()
    output_type: str = ""
    seen: dict[str, int] = field(default_factory=dict)
    is_generative: bool = False
    named: dict[str, str] = field(default_factory=dict)
    scorers: dict[tuple[str, str], str] = field(default_factory=dict)

    def scorer(self, metric: str, filter_name: str) -> str:
        """Return the scorer id of a metric after a filter."""
        key = metric, filter_name
        known = self.scorers.get(key)
        if known is None:
            known = self.scorers[key] = tool_scorer(TOOL, metric, filter_name)
        return known


class Reply(NamedTuple):
    """What a model answered: one text for each repeat."""

    texts: Sequence[str]
    flags: tuple[str, ...] = ()


class _Request(NamedTuple):
    prompt: str
    argument: object


def samples_of(line: Mapping[str, object], facts: TaskFacts, *, place: int) -> list[Sample]:
    """Return the samples of one line: one for each repeat of the generation.

    The tool's verdict is on the first repeat, unless the line has one for each.

    Raises:
        ValueError: the line is not one of a sample.
    """
    doc_id = line.get("doc_id")
    if not isinstance(doc_id, int | str) or isinstance(doc_id, bool):
        found = f"{doc_id!r:.80}"
        raise ValueError(f"expected a sample with a `doc_id`, got {found}")  # noqa: TRY004 - data
    index = str(doc_id)
    count = facts.seen.get(index, 0)
    facts.seen[index] = count + 1
    # A generation's request is the prompt, which the item was made of when it stood first.
    requests = [] if count and facts.is_generative else _requests(value(line, "arguments"))
    facts.is_generative = facts.is_generative or _is_generative(requests)
    resps = line.get("resps")
    reply = _reply(resps, requests, facts.output_type)
    filter_name = as_str(line.get("filter")) or _filter_by_order(facts, count)
    item_id = index
    item = None
    if count == 0:
        item = _item(line, index, requests, facts)
        item_id = item.item_id
    else:
        item_id = facts.named.get(index, index)
    first = _marks(line, facts, filter_name, reply.texts[0])
    extracted = next((mark.verdict.extracted for mark in first if mark.verdict.extracted), None)
    repeats = as_map(line.get("scores_per_repeat"))
    return [
        Sample(
            item_id=item_id,
            text=text,
            place=place,
            item=item if trial == 0 else None,
            trial=trial,
            tool_extracted=extracted if trial == 0 else None,
            finish="not_logged" if text.strip() or reply.flags else "empty",
            flags=reply.flags,
            marks=_repeat_marks(repeats, trial, facts, filter_name)
            or (tuple(first) if trial == 0 else ()),
        )
        for trial, text in enumerate(reply.texts)
    ]


def _filter_by_order(facts: TaskFacts, count: int) -> str:
    """Return the filter of a line without a name: releases before 0.4.7 wrote them in order."""
    if count < len(facts.filters):
        return facts.filters[count]
    return "none" if count == 0 else f"filter-{count + 1}"


def _requests(told: object) -> list[_Request]:
    """Return the requests of a line: {"gen_args_0": {"arg_0": ...}}, or lists before 0.4.3."""
    if isinstance(told, dict):
        listed = [
            [one.get(f"arg_{index}") for index in range(len(one))]
            for one in map(as_map, told.values())
        ]
    else:
        listed = [list(as_list(one)) for one in as_list(told)]
    return [_Request(as_str(one[0]), one[1] if len(one) > 1 else None) for one in listed if one]


def _is_generative(requests: Sequence[_Request]) -> bool:
    return bool(requests) and isinstance(requests[0].argument, dict)


def _reply(resps: object, requests: Sequence[_Request], output_type: str) -> Reply:
    listed = as_list(resps)
    if requests and isinstance(requests[0].argument, str):
        return _choice(listed, requests)
    if output_type == "loglikelihood_rolling" or (requests and requests[0].argument is None):
        return Reply(("",), (FROM_LOGPROBS,))
    texts = [text for one in listed for text in _texts(one)]
    if isinstance(resps, str):
        texts = [resps]
    return Reply(texts or [""])


def _texts(told: object) -> list[str]:
    """Return the texts of one request: forks write one text where the tool writes a list."""
    if isinstance(told, str):
        return [told]
    return [text for one in as_list(told) for text in _texts(one)]


def _choice(resps: Sequence[object], requests: Sequence[_Request]) -> Reply:
    """Return the continuation of the greatest log-likelihood, or the only one if it is greedy."""
    likely = [_likelihood(one) for one in resps]
    own = [index for index, one in enumerate(requests) if one.prompt == requests[0].prompt]
    known = [(likely[index][0], -index) for index in own if index < len(likely)]
    if not known or any(math.isnan(value) for value, _ in known):
        return Reply(("",), (FROM_LOGPROBS,))
    if len(requests) == 1:
        text = as_str(requests[0].argument).strip() if likely[0][1] else ""
        return Reply((text,), (FROM_LOGPROBS,))
    best = -max(known)[1]
    return Reply((as_str(requests[best].argument).strip(),), (FROM_LOGPROBS,))


def _likelihood(told: object) -> tuple[float, bool]:
    """Return the log-likelihood of a continuation and whether it is what the model would say."""
    while isinstance(told, list) and told and isinstance(told[0], list):
        told = told[0]
    pair = as_list(told)
    try:
        value = float(str(pair[0]))
    except (ValueError, IndexError):
        return math.nan, False
    return value, str(pair[1] if len(pair) > 1 else "").lower() == "true"


def _item(
    line: Mapping[str, object], index: str, requests: Sequence[_Request], facts: TaskFacts
) -> Item:
    doc = as_map(value(line, "doc"))
    own_id = doc.get("item_id")
    item_id = own_id if isinstance(own_id, str) and own_id else index
    if item_id is not index:
        facts.named[index] = item_id
    prompt = requests[0].prompt if requests else ""
    told = [one for name in _QUESTIONS if isinstance(one := doc.get(name), str) and one.strip()]
    question = next((one for one in told if one.strip() in prompt), prompt)
    choices = _choices(requests)
    targets = _targets(line.get("target"), choices)
    return Item(
        item_id=item_id,
        family=facts.task,
        task=facts.task,
        question=question,
        reference=targets[0] if targets else None,
        alternatives=tuple(targets[1:]),
        choices=choices,
    )


def _choices(requests: Sequence[_Request]) -> tuple[str, ...]:
    if len(requests) < 2 or not isinstance(requests[0].argument, str):
        return ()
    first = requests[0].prompt
    return tuple(as_str(one.argument).strip() for one in requests if one.prompt == first)


def _targets(told: object, choices: Sequence[str]) -> list[str]:
    """Return the accepted answers of a target, which is text also where it was a list or index."""
    text = told if isinstance(told, str) else ("" if told is None else str(told))
    if choices and text.strip().isdigit() and int(text) < len(choices):
        return [choices[int(text)]]
    if text.startswith("[") and text.endswith("]"):
        listed = _literal(text)
        if listed:
            return listed
    return [text] if text.strip() else []


def _literal(text: str) -> list[str]:
    """Return the texts of a list that was written by `str`; nothing if it is no such list."""
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        return []
    return [one for one in found if one.strip()]


def _marks(line: Mapping[str, object], facts: TaskFacts, filter_name: str, text: str) -> list[Mark]:
    named = line.get("metrics")
    names = (
        [str(one) for one in named]
        if isinstance(named, list)
        else [key for key in line if key not in _NO_METRICS]
    )
    extracted, sentinel = _extracted(line.get("filtered_resps"), text)
    marks = []
    for name in names:
        value = line.get(name)
        scorer_id = facts.scorer(name, filter_name)
        marks.append(Mark(scorer_id, _verdict(value, extracted, sentinel)))
    return marks


def _extracted(told: object, text: str) -> tuple[str | None, str]:
    """Return what the filter found in the first reply, and the word for nothing found."""
    found = told
    while isinstance(found, list) and found:
        found = found[0]
    if not isinstance(found, str) or (isinstance(told, list) and _is_likelihood(told)):
        return None, ""
    if found in SENTINELS:
        return None, found
    return (None if found == text else found), ""


def _is_likelihood(told: list[object]) -> bool:
    inner = told[0] if told else None
    return isinstance(inner, list) and len(inner) == 2 and str(inner[1]) in ("True", "False")


def _verdict(value: object, extracted: str | None, sentinel: str) -> Verdict:
    if isinstance(value, list):
        return Verdict(
            status="not_applicable",
            extracted=extracted,
            reason="a metric of the whole task: the tool keeps a pair of reference and answer here",
        )
    if sentinel and not value:
        return Verdict(status="unparsed", reason=f"the filter found no answer ({sentinel})")
    return tool_verdict(value, extracted=extracted)


def _repeat_marks(
    repeats: Mapping[str, object], trial: int, facts: TaskFacts, filter_name: str
) -> tuple[Mark, ...]:
    """Return the verdicts that the line has for each repeat, from 0.5 on."""
    marks = []
    for name, values in repeats.items():
        listed = as_list(values)
        if trial < len(listed):
            verdict = tool_verdict(listed[trial])
            marks.append(Mark(facts.scorer(name, filter_name), verdict))
    return tuple(marks)
