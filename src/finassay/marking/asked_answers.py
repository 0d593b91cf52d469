"""What judges answered when they were asked the questions.  In: a snapshot.  Out: matrices, counts.

A judge that is none of the judged systems still shows what it knows: under the arm `self` it
answers every question before it sees anybody's answer.  These answers stand in the study of what
judges were asked, under the words that they were asked in.  An answer counts where the item of the
study would be asked in the same words today; it is marked against the item as it stands today.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.errors import UsageError
from finassay.judges.own_answers import question_of
from finassay.marking.batch import Batch
from finassay.marking.matrix import ABSENT, STATUS_CODES, VerdictMatrix
from finassay.marking.outside import outside_verdicts, people_of
from finassay.marking.rows import item_columns
from finassay.marking.rowwise import Marker
from finassay.marking.single import as_scorer
from finassay.records import Item, SystemSpec
from finassay.scorers.composites import computable
from finassay.study.nested import judging_below
from finassay.study.schemas import REDACTED
from finassay.study.snapshot import Snapshot

ANSWER = "answer"
"""Family of the prompts that ask a judge a question, in the study of what judges were asked."""

_IS_REDACTED = pl.col("flags").list.contains(REDACTED).fill_null(value=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCounts:
    """What became of the answers of one judge.

    Attributes:
        n: items of the study that it answered in the words of today.
        stale: answers to questions that no item asks in these words any more.
        further: further answers to the same question, of which the first counts.
        redacted: answers left out because they, or the item, were masked.
    """

    n: int = 0
    stale: int = 0
    further: int = 0
    redacted: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAnswers:
    """What judges answered when they were asked, and what is said of it.

    Attributes:
        systems: judges as they were asked for answers, by display name.
        counts: display name -> what became of its answers.
        scorer_id: the scorer that marks them.
        rule: items x judges verdicts of it; None where it cannot mark.
        people: scorer id of a person -> items x judges labels.
        why_not: why the scorer cannot mark them; "" where it can.
    """

    systems: tuple[SystemSpec, ...] = ()
    counts: Mapping[str, AskedCounts] = field(default_factory=dict)
    scorer_id: str = ""
    rule: VerdictMatrix | None = None
    people: Mapping[str, VerdictMatrix] = field(default_factory=dict)
    why_not: str = ""


def asked_answers(snapshot: Snapshot, items: Sequence[Item], scorer: str) -> AskedAnswers:
    """Return what judges answered when they were asked the questions of a study.

    Nothing is stored.  Of several answers of a judge to one question the first counts.

    Args:
        snapshot: pinned tables of the study.
        items: its items, in the order of the rows.
        scorer: id of the scorer that marks the answers.
    """
    below = judging_below(snapshot)
    rows = None if below is None else _answers(below)
    if below is None or rows is None:
        return AskedAnswers()
    asked = pl.DataFrame(
        [(item.item_id, question_of(item).item_id) for item in items],
        schema={"item_id": pl.String, "prompt_id": pl.String},
        orient="row",
    )
    used = rows.filter(pl.col("trial").eq(pl.col("trial").min().over("system_id", "prompt_id")))
    placed = asked.join(used, on="prompt_id", how="inner", maintain_order="left").join(
        item_columns(snapshot), on="item_id", how="inner", maintain_order="left"
    )
    is_dark = _IS_REDACTED | pl.col("item_is_redacted")
    open_rows = placed.filter(~is_dark)
    answered = set(rows["system_id"])
    systems = tuple(spec for spec in below.systems() if spec.system_id in answered)
    counts = {
        spec.name: AskedCounts(
            n=_of(open_rows, spec),
            stale=_of(used.filter(~pl.col("prompt_id").is_in(asked["prompt_id"])), spec),
            further=_of(rows, spec) - _of(used, spec),
            redacted=_of(placed.filter(is_dark), spec),
        )
        for spec in systems
    }
    sheet = _Sheet(items, systems)
    rule, why_not = sheet.marked(open_rows, scorer)
    people = sheet.labelled(open_rows, below)
    return AskedAnswers(
        systems=systems,
        counts=counts,
        scorer_id=scorer,
        rule=rule,
        people=people,
        why_not=why_not,
    )


def _answers(below: Snapshot) -> pl.DataFrame | None:
    """Return every answer of a judge, None where no judge was asked for one."""
    prompts = below.scan("items").filter(pl.col("family").eq(ANSWER)).select("item_id")
    rows = (
        below.scan("predictions")
        .join(prompts, on="item_id", how="semi")
        .select("system_id", "trial", "text", "finish", "flags", prompt_id="item_id")
        .sort("system_id", "prompt_id", "trial")
        .collect()
    )
    return rows if rows.height else None


def _of(rows: pl.DataFrame, spec: SystemSpec) -> int:
    return rows.filter(pl.col("system_id").eq(spec.system_id)).height


class _Sheet:
    """A matrix with a row for each item and a column for each judge, filled in from rows."""

    def __init__(self, items: Sequence[Item], systems: Sequence[SystemSpec]) -> None:
        self.items, self.systems = items, systems
        self._row = {item.item_id: at for at, item in enumerate(items)}
        self._column = {spec.system_id: at for at, spec in enumerate(systems)}

    def marked(self, rows: pl.DataFrame, scorer: str) -> tuple[VerdictMatrix | None, str]:
        """Return the verdicts of a scorer, or None and why it cannot mark."""
        try:
            rule = computable(as_scorer(scorer))
        except UsageError as error:
            return None, str(error)
        verdicts = Marker(Batch(rows)).mark(rule)
        codes = verdicts["status"].replace_strict(dict(STATUS_CODES), return_dtype=pl.Int8)
        values = verdicts["value"].fill_null(0.0).to_numpy()
        return self._matrix(rows, values, codes.to_numpy()), ""

    def labelled(self, rows: pl.DataFrame, below: Snapshot) -> dict[str, VerdictMatrix]:
        """Return the labels that people gave these answers, by scorer id."""
        prompts = [one for one in below.items() if one.family == ANSWER]
        outside = outside_verdicts(below, prompts)
        return {
            name: self._copied(rows, outside.matrices[name], [one.item_id for one in prompts])
            for name in people_of(tuple(outside.matrices))
        }

    def _copied(
        self, rows: pl.DataFrame, labels: VerdictMatrix, prompts: Sequence[str]
    ) -> VerdictMatrix:
        names = {spec.system_id: spec.name for spec in self.systems}
        first = rows.filter(
            pl.col("trial").eq(0),
            pl.col("system_id").replace_strict(names).is_in(labels.columns),
        )
        row_of = {prompt: at for at, prompt in enumerate(prompts)}
        column_of = {name: at for at, name in enumerate(labels.columns)}
        at = [row_of[prompt] for prompt in first["prompt_id"]]
        by = [column_of[names[system]] for system in first["system_id"]]
        return self._matrix(first, labels.values[at, by], labels.status[at, by])

    def _matrix(
        self,
        rows: pl.DataFrame,
        values: NDArray[np.float64],
        status: NDArray[np.int8],
    ) -> VerdictMatrix:
        shape = (len(self.items), len(self.systems))
        filled, codes = np.zeros(shape), np.full(shape, ABSENT, dtype=np.int8)
        at = [self._row[item] for item in rows["item_id"]]
        by = [self._column[system] for system in rows["system_id"]]
        filled[at, by], codes[at, by] = values, status
        return VerdictMatrix(
            values=filled,
            status=codes,
            row_names=("item_id",),
            rows=tuple((item.item_id,) for item in self.items),
            column_name="system",
            columns=tuple(spec.name for spec in self.systems),
        )
