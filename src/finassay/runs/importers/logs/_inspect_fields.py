"""Fields of Inspect samples.  In: a sample as JSON.  Out: a sample as readers hand it on.

Field names follow the tool's `log/_log.py`, `model/_model_output.py` and `scorer/_metric.py`, with
the names of releases before 0.3 (`score`, `results.scorer`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from finassay.records import Finish, Item, Verdict
from finassay.runs.importers.logs._fields import as_count, as_list, as_map, as_number, as_str
from finassay.runs.importers.logs.base import LoggedScore, Mark, Sample
from finassay.runs.importers.logs.values import tool_scorer, tool_verdict

TOOL = "inspect"
SOLE_SCORER = "scorer"
"""Name of the scorer of logs so old that they do not name it beside the sample's score."""

_FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "tool_calls": "stop",
    "max_tokens": "truncated",
    "model_length": "truncated",
    "length": "truncated",
    "content_filter": "blocked",
}
_CUTTING_LIMITS = frozenset({"token", "time", "working", "message", "cost", "context"})
_LETTERS: Mapping[str, float] = {"C": 1.0, "P": 0.5, "I": 0.0}
_WORDS: Mapping[str, float] = {"yes": 1.0, "no": 0.0}


def sample_of(raw: Mapping[str, object], *, task: str, place: int, sole: str) -> Sample:
    """Return a sample.

    Args:
        raw: the sample as JSON.
        task: name of the task, for the item's family.
        place: number of the sample in the log.
        sole: name of the only scorer, for logs that have a `score` without its name.

    Raises:
        ValueError: there is no id, or it is not the sample that its fields say.
    """
    identity = raw.get("id")
    if not isinstance(identity, int | str) or isinstance(identity, bool):
        found = f"{identity!r:.80}"
        raise ValueError(f"an id must be a text or a whole number, got {found}")  # noqa: TRY004
    epoch = raw.get("epoch", 1)
    if not isinstance(epoch, int) or not 1 <= epoch <= 1 << 53:
        raise ValueError(f"an epoch must be a whole number from 1 on, got {epoch!r:.80}")
    output = as_map(raw.get("output"))
    text, reasoning = _reply(output)
    usage = _usage(raw, output)
    marks = tuple(_marks(raw, text, sole))
    return Sample(
        item_id=str(identity),
        text=text,
        place=place,
        item=_item(raw, str(identity), task),
        trial=epoch - 1,
        reasoning=reasoning,
        finish=_finish(raw, output, text),
        tool_extracted=next(
            (one.verdict.extracted for one in marks if one.verdict.extracted), None
        ),
        tokens_in=_sum(
            usage, "input_tokens", "input_tokens_cache_read", "input_tokens_cache_write"
        ),
        tokens_out=_sum(usage, "output_tokens"),
        latency_s=as_number(output.get("time")),
        cost_usd=as_number(usage.get("total_cost")),
        flags=_flags(raw),
        marks=marks,
    )


def _sum(usage: Mapping[str, object], *names: str) -> int | None:
    counts = [as_count(usage.get(name)) for name in names]
    known = [one for one in counts if one is not None]
    return sum(known) if known else None


def _usage(raw: Mapping[str, object], output: Mapping[str, object]) -> Mapping[str, object]:
    """Return the usage of the reply; of the model over the sample where the reply has none."""
    own = as_map(output.get("usage"))
    if own:
        return own
    by_model = as_map(raw.get("model_usage"))
    return as_map(by_model.get(as_str(output.get("model"))))


def _reply(output: Mapping[str, object]) -> tuple[str, str]:
    """Return the text and the reasoning of the first choice."""
    choices = as_list(output.get("choices"))
    message = as_map(as_map(choices[0]).get("message")) if choices else {}
    content = message.get("content")
    reasoning = as_str(message.get("reasoning"))
    parts = [as_map(part) for part in as_list(content)]
    thoughts = [as_str(part.get("reasoning")) for part in parts if part.get("type") == "reasoning"]
    said = [as_str(part.get("text")) for part in parts if part.get("type") == "text"]
    completion = output.get("completion")
    if isinstance(content, str):
        text = content
    else:
        text = completion if isinstance(completion, str) and completion else "\n".join(said)
    return text, "\n\n".join([reasoning, *thoughts] if reasoning else thoughts)


def _finish(raw: Mapping[str, object], output: Mapping[str, object], text: str) -> Finish:
    if raw.get("error") is not None or output.get("error"):
        return "error"
    choices = as_list(output.get("choices"))
    reason = as_str(as_map(choices[0]).get("stop_reason")) if choices else ""
    finish = _FINISHES.get(reason, "not_logged")
    limit = as_str(as_map(raw.get("limit")).get("type"))
    if finish in ("stop", "not_logged") and limit in _CUTTING_LIMITS:
        return "truncated"
    if not text.strip() and finish in ("stop", "not_logged"):
        return "empty"
    return finish


def _flags(raw: Mapping[str, object]) -> tuple[str, ...]:
    limit = as_str(as_map(raw.get("limit")).get("type"))
    retries = len(as_list(raw.get("error_retries")))
    flags = [f"limit:{limit}"] if limit else []
    if retries:
        flags.append(f"retried:{retries}")
    return tuple(flags)


def _item(raw: Mapping[str, object], identity: str, task: str) -> Item:
    target = raw.get("target")
    listed = [target] if isinstance(target, str) else list(as_list(target))
    targets = [one for one in listed if isinstance(one, str) and one.strip()]
    return Item(
        item_id=identity,
        family=task,
        task=task,
        question=_question(raw.get("input")),
        reference=targets[0] if targets else None,
        alternatives=tuple(targets[1:]),
        choices=tuple(str(one) for one in as_list(raw.get("choices"))),
    )


def _question(told: object) -> str:
    """Return the text of an input: a string, or the messages other than the system's."""
    if isinstance(told, str):
        return told
    messages = [as_map(message) for message in as_list(told)]
    own = [message for message in messages if message.get("role") != "system"]
    return "\n\n".join(filter(None, (_content(message.get("content")) for message in own)))


def _content(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(filter(None, (as_str(as_map(part).get("text")) for part in as_list(content))))


def _marks(raw: Mapping[str, object], text: str, sole: str) -> list[Mark]:
    scores = raw.get("scores")
    if not isinstance(scores, dict):
        told = raw.get("score")
        scores = {sole: told} if isinstance(told, dict) else {}
    marks: list[Mark] = []
    for name, score in scores.items():
        marks.extend(_score_marks(str(name), as_map(score), text))
    return marks


def _score_marks(name: str, score: Mapping[str, object], text: str) -> list[Mark]:
    """Return one mark for a plain value, and one for each element of a list or an object."""
    value = score.get("value")
    answer = score.get("answer")
    # Scorers that read the whole reply write it down as the answer: that extracts nothing.
    is_whole = not isinstance(answer, str) or answer.strip().lower() == text.strip().lower()
    extracted = None if is_whole else as_str(answer)
    reason = as_str(score.get("reason"))
    if not reason:
        reason = as_str(as_map(score.get("metadata")).get("unscored_reason"))
    explanation = as_str(score.get("explanation"))
    # String rules write the reply itself as the explanation; a judge writes its own words.
    said = "" if explanation == text else explanation
    if isinstance(value, dict):
        inner = [(str(key), one) for key, one in value.items()]
    elif isinstance(value, list):
        inner = [(str(index), one) for index, one in enumerate(value)]
    else:
        return [Mark(tool_scorer(TOOL, name), _verdict(value, extracted, reason, said))]
    return [
        Mark(tool_scorer(TOOL, name, part), _verdict(one, extracted, reason, said))
        for part, one in inner
    ]


def _verdict(value: object, extracted: str | None, reason: str, said: str) -> Verdict:
    if value == "N":
        why = reason or said or "NOANSWER"
        return Verdict(status="no_answer", label="N", extracted=extracted, reason=why)
    if isinstance(value, str):
        value = _LETTERS.get(value, _WORDS.get(value.lower(), value))
    return tool_verdict(value, extracted=extracted, reason=said, unscored=reason)


def printed_scores(results: Mapping[str, object], sole: str) -> list[LoggedScore]:
    """Return the aggregates of a log's `results`."""
    scores = as_list(results.get("scores"))
    if not scores and isinstance(results.get("scorer"), dict):
        scores = [{**as_map(results["scorer"]), "metrics": results.get("metrics")}]
    found: list[LoggedScore] = []
    for score in map(as_map, scores):
        name = as_str(score.get("name")) or sole
        scorer = as_str(score.get("scorer")) or name
        scorer_id = tool_scorer(TOOL, scorer, "" if scorer == name else name)
        count = as_count(score.get("scored_samples"))
        for metric, told in as_map(score.get("metrics")).items():
            value = as_number(as_map(told).get("value") if isinstance(told, dict) else told)
            if value is not None:
                plain = score.get("reducer") in (None, "mean")
                is_share = metric in ("accuracy", "mean") and plain
                found.append(
                    LoggedScore(
                        scorer_id,
                        metric,
                        value,
                        count,
                        is_share,
                    )
                )
    return found


def sole_scorer(header: Mapping[str, object]) -> str:
    """Return the name of a log's only scorer, for samples that do not name it."""
    results = as_map(header.get("results"))
    told = as_map(results.get("scorer"))
    named = as_str(told.get("name"))
    return named or SOLE_SCORER


def shown(value: object) -> str:
    """Return a setting as text: a string as it stands, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
