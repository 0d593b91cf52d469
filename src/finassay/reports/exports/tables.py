"""Predictions as the tables that leaderboards publish.  In: answers.  Out: lines of CSV.

The columns are those of the public prediction files of IndiaFinBench; three more are added where
a study holds what these cannot say: `system` (a display name that cannot name a file), `trial`
and `finish`.  `finassay import` reads such a table back.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from finassay.records import Finish, Verdict
from finassay.reports.exports.answers import Answer, SystemAnswers
from finassay.reports.exports.files import file_stem
from finassay.runs.importers.values import read_verdict

COLUMNS = (
    *("id", "task_type", "difficulty", "question", "ref_answer", "prediction", "correct"),
    "model_version",
)
"""Columns that every table has."""


def table_lines(held: SystemAnswers, *, scorer: str | None, no_text: bool) -> Iterator[str]:
    """Yield the lines of the table of one system, the header first.

    Args:
        held: the answers.
        scorer: whose verdicts stand in the column `correct`; None leaves it empty.
        no_text: leave question, reference and reply empty.
    """
    more = _more_columns(held)
    yield _line((*COLUMNS, *more))
    for answer in held.answers:
        item, reply = answer.item, answer.prediction
        texts = item.question, item.reference or "", reply.text
        cells = (
            reply.item_id,
            item.task,
            item.difficulty,
            *(("", "", "") if no_text else texts),
            _correct(answer, scorer),
            held.system.model,
        )
        extra = {"system": held.system.name, "trial": str(reply.trial), "finish": reply.finish}
        yield _line((*cells, *(extra[name] for name in more)))


def _more_columns(held: SystemAnswers) -> tuple[str, ...]:
    replies = [answer.prediction for answer in held.answers]
    wanted = {
        "system": file_stem(held.system.name) != held.system.name,
        "trial": any(reply.trial for reply in replies),
        "finish": any(reply.finish != _plain_finish(reply.text) for reply in replies),
    }
    return tuple(name for name, is_wanted in wanted.items() if is_wanted)


def _plain_finish(text: str) -> Finish:
    """Return the fate that an import reads from the text alone."""
    return "not_logged" if text.strip() else "empty"


def _correct(answer: Answer, scorer: str | None) -> str:
    mark = answer.marks.get(scorer) if scorer is not None else None
    return "" if mark is None else verdict_word(mark.verdict)


def verdict_word(verdict: Verdict) -> str:
    """Return a verdict as a table writes it: the source's own word, a number, or nothing.

    Example:
        >>> verdict_word(Verdict(status="scored", value=1.0))
        '1'
    """
    if verdict.label is not None and _reads_as(verdict.label, verdict):
        return verdict.label
    return "" if verdict.value is None else f"{verdict.value:.17g}"


def _reads_as(word: str, verdict: Verdict) -> bool:
    try:
        read = read_verdict(word)
    except ValueError:
        return False
    return read is not None and (read.status, read.value) == (verdict.status, verdict.value)


def _line(cells: tuple[str, ...]) -> str:
    line = io.StringIO(newline="")
    # With another end of line the writer would leave a lone carriage return without quotes.
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue().removesuffix("\r\n") + "\n"
