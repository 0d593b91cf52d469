"""Verdicts for a log of Inspect.  In: a log and answers.  Out: JSON Lines for `precomputed_scores`.

Inspect's scorer `precomputed_scores` reads `id`, `epoch`, `value`, `answer`, `explanation` and
`metadata`, and attaches them to the samples of the log; nothing of ours runs inside Inspect.  A
sample without a score has the value `NaN` there, as in Inspect's own logs.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from finassay.errors import InputError, UsageError
from finassay.integrations.score_values import Policy, score_value
from finassay.reports.exports.answers import Answer, SystemAnswers
from finassay.runs.importers.logs.base import Block, ReadOptions, Source
from finassay.runs.importers.logs.inspect_log import InspectReader
from finassay.runs.replies import split_reasoning
from finassay.scorers.registry import Json


class LoggedSample(NamedTuple):
    """One sample of a log: its id, its epoch from 1, the task, and what the model said."""

    sample_id: str
    epoch: int
    task: str
    text: str


class Pair(NamedTuple):
    """A sample of the log and the answer of the study that holds the same reply."""

    sample: LoggedSample
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class LogMatch:
    """The samples of a log that a system of the study holds.

    Attributes:
        system: display name of the system.
        pairs: sample and answer, in the order of the log.
        n_samples: samples of the log.
    """

    system: str
    pairs: tuple[Pair, ...]
    n_samples: int


def read_samples(log: Path) -> list[LoggedSample]:
    """Return the samples of a log of Inspect, .eval or .json.

    Raises:
        InputError: the file is no log of Inspect, or holds no sample that can be read.
    """
    if not log.is_file():
        raise InputError(f"{str(log)!r}: expected a log of Inspect, and there is no such file")
    reader = InspectReader()
    blocks = reader.read(Source(tool=reader.name, paths=(log,)), ReadOptions())
    found = [
        LoggedSample(sample.item_id, sample.trial + 1, block.task, sample.text)
        for block in blocks
        if isinstance(block, Block)
        for sample in block.samples
    ]
    if not found:
        raise InputError(f"{str(log)!r}: the log holds no samples; expected a finished run")
    return found


def match_log(log: Path, held: Iterable[SystemAnswers]) -> LogMatch:
    """Return the system whose replies the log holds, with each sample beside its answer.

    A sample and an answer belong together when item, trial and text are the same.

    Raises:
        InputError: the file is no log, or no system of the study holds its replies.
        UsageError: several systems hold as many of them.
    """
    samples = read_samples(log)
    found = [
        LogMatch(system=one.system.name, pairs=_pairs(samples, one), n_samples=len(samples))
        for one in held
    ]
    most = max((len(match.pairs) for match in found), default=0)
    best = [match for match in found if len(match.pairs) == most]
    if not most:
        raise InputError(
            f"{log.name}: no system of the study holds the replies of this log; import it first "
            f"with `finassay import`"
        )
    if len(best) > 1:
        names = ", ".join(repr(match.system) for match in best)
        raise UsageError(f"{log.name}: {names} hold the same {most} replies; choose by --system")
    return best[0]


def _pairs(samples: Iterable[LoggedSample], held: SystemAnswers) -> tuple[Pair, ...]:
    by_key = {(a.prediction.item_id, a.prediction.trial): a for a in held.answers}
    pairs = []
    for sample in samples:
        # An import may have put the name of the task before the id.
        for item_id in (sample.sample_id, f"{sample.task}/{sample.sample_id}"):
            answer = by_key.get((item_id, sample.epoch - 1))
            if answer is not None and _is_same(sample.text, answer.prediction.text):
                pairs.append(Pair(sample, answer))
                break
    return tuple(pairs)


def _is_same(logged: str, held: str) -> bool:
    return logged == held or split_reasoning(logged)[0].strip() == held.strip()


def score_lines(match: LogMatch, scorer: str, *, unscored: Policy, no_text: bool) -> Iterator[str]:
    """Yield one line for each sample that the scorer has a verdict on.

    Args:
        match: samples and answers.
        scorer: whose verdicts.
        unscored: "wrong" writes silence as no answer ("N"), "exclude" as no score.
        no_text: leave out what quotes replies: answer and explanation.
    """
    for sample, answer in match.pairs:
        mark = answer.marks.get(scorer)
        if mark is None:
            continue
        found = score_value(mark.verdict, scorer_id=scorer, version=mark.version, unscored=unscored)
        metadata: Mapping[str, Json] = {
            **{name: _plain(value) for name, value in found.metadata.items()},
            # Inspect reads the reason for a missing score from here.
            **({} if found.reason is None else {"unscored_reason": found.reason}),
        }
        record: dict[str, Json] = {
            "id": sample.sample_id,
            "epoch": sample.epoch,
            "value": math.nan if found.value is None else found.value,
            "answer": None if no_text else found.answer,
            "explanation": None if no_text else found.explanation,
            "metadata": dict(metadata),
        }
        yield json.dumps(record, ensure_ascii=False) + "\n"


def _plain(value: str | list[str]) -> Json:
    return value if isinstance(value, str) else list(value)
