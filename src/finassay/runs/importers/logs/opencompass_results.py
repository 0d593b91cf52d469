"""Results of OpenCompass.  In: `results/MODEL/DATASET.json`.  Out: verdicts by row, totals.

`details` is an object of rows ("type": "GEN", older versions) or a list of rows whose every field
is a list over replicas (0.4 and later).  Without it a score has no verdicts behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from finassay.errors import InputError
from finassay.runs.importers.logs import parts as of
from finassay.runs.importers.logs.base import LoggedScore, Mark
from finassay.runs.importers.logs.pending import Pending, reason_of
from finassay.runs.importers.logs.values import tool_scorer, tool_verdict
from finassay.runs.importers.logs.walking import open_walker

TOOL = "opencompass"

_PERCENT = 100
_MAIN = ("accuracy", "score", "exact_match", "em")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Detail:
    """What the evaluator wrote of one reply."""

    extracted: str | None
    correct: object
    references: tuple[str, ...]


@dataclass(slots=True)
class Results:
    """What the results say, by row.

    Attributes:
        metric: name of the metric that the rows' verdicts sum up to.
        size: rows of the dataset, where the details tell; rows of replicas are numbered on.
        scores: what was printed.
    """

    metric: str = "correct"
    size: int = 0
    scores: list[LoggedScore] = field(default_factory=list)
    details: dict[tuple[int, int], _Detail] = field(default_factory=dict)
    replies: dict[tuple[int, int], str] = field(default_factory=dict)

    def place(self, index: int) -> tuple[int, int]:
        """Return the row of the dataset and the replica of a row of predictions."""
        return (index % self.size, index // self.size) if self.size else (index, 0)

    def _detail(self, index: int, number: int) -> _Detail | None:
        row, replica = self.place(index)
        return self.details.get((row, replica + number)) or self.details.get((index, number))

    def extracted(self, index: int, number: int) -> str | None:
        """Return the answer that the evaluator compared, None where it wrote none."""
        found = self._detail(index, number)
        return None if found is None else found.extracted

    def references(self, row: int) -> tuple[str, ...]:
        """Return the accepted answers that the details hold for a row of the dataset."""
        found = self.details.get((row, 0))
        return () if found is None else found.references

    def marks(self, index: int, number: int) -> tuple[Mark, ...]:
        """Return the evaluator's verdict on a reply, with what a judge wrote as its reason."""
        found = self._detail(index, number)
        if found is None or found.correct is None:
            return ()
        said = self.replies.get(self.place(index), "")
        verdict = tool_verdict(found.correct, extracted=found.extracted, reason=said)
        return (Mark(tool_scorer(TOOL, self.metric), verdict),)


def read_results(paths: Sequence[Path], pending: Pending, encoding: str) -> Results:
    """Return what the results and the judge's replies say; what cannot be read is listed."""
    results = Results()
    for path in paths:
        try:
            if "_replica" in path.stem:
                replica = path.stem.rpartition("_replica")[2]
                number = int(replica) if replica.isascii() and replica.isdigit() else 0
                for row, said in read_replies(path, encoding):
                    results.replies[row, number] = said
            else:
                with open_walker(path, encoding) as walker:
                    _keep(results, of.mapping(walker.value()))
        except InputError as error:
            pending.refuse(path, 0, reason_of(error, path))
    return results


def read_replies(path: Path, encoding: str) -> Iterator[tuple[int, str]]:
    """Yield (row, reply) of a judge's raw replies, which have the shape of predictions.

    Raises:
        InputError: the file breaks off or is no JSON.
    """
    with open_walker(path, encoding) as walker:
        for name in walker.members():
            row = of.mapping(walker.value())
            if name.isascii() and name.isdigit() and len(name) < 12 and "prediction" in row:
                yield int(name), of.message_text(row["prediction"])


def _keep(results: Results, found: of.JsonMap) -> None:
    numbers = {name: value for name, value in found.items() if of.number(value) is not None}
    results.metric = next((name for name in _MAIN if name in numbers), results.metric)
    for name in numbers:
        value = of.number(found, name)
        if value is not None:
            # Scores are printed as percents, whatever their name.
            is_main = name == results.metric and 0 <= value <= _PERCENT
            results.scores.append(
                LoggedScore(
                    scorer_id=tool_scorer(TOOL, name),
                    metric="percent / 100" if is_main else "as printed",
                    value=value / _PERCENT if is_main else value,
                    is_share=is_main,
                )
            )
    details = found.get("details")
    if isinstance(details, list):
        results.size = len(details)
        for row, one in enumerate(details):
            for replica, detail in enumerate(_of_list(of.mapping(one))):
                results.details[row, replica] = detail
    else:
        for name, one in of.mapping(details).items():
            if name.isascii() and name.isdigit() and len(name) < 12:
                results.details[int(name), 0] = _of_map(of.mapping(one))


def _of_map(row: of.JsonMap) -> _Detail:
    return _Detail(
        extracted=_text(row.get("predictions", row.get("pred"))),
        correct=_truth(row.get("correct")),
        references=_texts(row.get("references", row.get("answer"))),
    )


def _of_list(row: of.JsonMap) -> Iterator[_Detail]:
    """Yield one entry for each replica; fields that are no lists stand for one."""
    parts = {name: _as_list(row.get(name)) for name in ("pred", "answer", "correct")}
    for at in range(max(len(part) for part in parts.values())):
        yield _Detail(
            extracted=_text(_nth(parts["pred"], at)),
            correct=_truth(_nth(parts["correct"], at)),
            references=_texts(_nth(parts["answer"], at)),
        )


def _as_list(value: object) -> Sequence[object]:
    if isinstance(value, list):
        return value
    return () if value is None else (value,)


def _nth(values: Sequence[object], at: int) -> object:
    return values[at] if at < len(values) else None


def _text(value: object) -> str | None:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return None if value is None else of.written(value)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(of.written(one) for one in _as_list(value) if one is not None)


def _truth(value: object) -> object:
    """Return whether a reply is right; a list of one truth value stands for it."""
    if isinstance(value, list) and len(value) == 1:
        return value[0]
    return value
