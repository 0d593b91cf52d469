"""Whether a judge could answer itself.  In: labels, marks.  Out: right, wrong, unknown by item.

A judge that is one of the judged systems has its row among them.  Any judge may have been asked
the questions before it judged.  Where both say something the row counts: people label it, and it
is what the judge itself was shown under the arm `self`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.judges.board import judge_codes, label_codes, widened
from finassay.analyses.judges.inputs import NamedMatrix
from finassay.analyses.judges.results import AnswersFrom, JudgeIdentity, TruthSource
from finassay.analyses.kernels.judge_tables import INCORRECT, MISSING, NO_VERDICT
from finassay.analyses.wording import plural
from finassay.marking.asked_answers import AskedAnswers, AskedCounts
from finassay.marking.consensus import CONSENSUS, Consensus, settle
from finassay.marking.matrix import STATUS_CODES
from finassay.records import Item, SystemSpec

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnAnswers:
    """How a judge answered the questions itself.

    Attributes:
        name: system that answered: a judged one that is the judge, or the judge as it was asked.
        answers: which of the two.
        source: what says whether an answer is right.
        source_id: scorer id of that.
        right: (I,) CORRECT, INCORRECT or MISSING.
    """

    name: str
    answers: AnswersFrom
    source: TruthSource
    source_id: str
    right: Codes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnSources:
    """What says which questions judges answered right.

    Attributes:
        items: I items.
        systems: S judged systems.
        truth: (I, S) CORRECT or INCORRECT where labels settled an answer, else MISSING.
        settled_by: what settled them.
        rule: scorer that says it where labels do not; None without one.
        rule_first: whether the scorer decides even where labels do.
        asked: what judges answered when they were asked the questions.
        consensus: when labels of people settle such an answer.
    """

    items: tuple[Item, ...]
    systems: tuple[str, ...]
    truth: Codes
    settled_by: str
    rule: NamedMatrix | None
    rule_first: bool
    asked: AskedAnswers
    consensus: Consensus


def own_answers(sources: OwnSources, judge: JudgeIdentity) -> OwnAnswers | None:
    """Return which questions a judge answered right, or None where nothing says so.

    People decide where they settled any of its own answers, unless a scorer was put before them;
    one set of answers and one source decide for all questions, so that the two groups are told
    apart alike.
    """
    for found in (*_as_candidate(sources, judge), *_as_asked(sources, judge)):
        if (found.right != MISSING).any():
            return found
    return None


def answering(asked: AskedAnswers, judge: JudgeIdentity) -> SystemSpec | None:
    """Return a judge as it was asked for its own answers; None where it was not.

    Of several ways in which a model was asked, the one with most answers counts.
    """
    same = [one for one in asked.systems if judge.model and one.model == judge.model]
    return max(same, key=lambda one: (asked.counts[one.name].n, one.name), default=None)


def _as_candidate(sources: OwnSources, judge: JudgeIdentity) -> Iterator[OwnAnswers]:
    name, rule = judge.candidate, sources.rule
    if name is None:
        return
    if name in sources.systems and not sources.rule_first:
        right = sources.truth[:, sources.systems.index(name)]
        yield OwnAnswers(
            name=name,
            answers="candidate",
            source="people",
            source_id=sources.settled_by,
            right=right,
        )
    if rule is not None and name in rule.matrix.columns:
        yield _by_scorer(sources.items, name, "candidate", rule)


def _as_asked(sources: OwnSources, judge: JudgeIdentity) -> Iterator[OwnAnswers]:
    asked, items = sources.asked, sources.items
    spec = answering(asked, judge)
    if spec is None:
        return
    if asked.people and not sources.rule_first:
        columns = [
            label_codes(widened(one.select(columns=[spec.name]), items, [spec.name]))
            for one in asked.people.values()
        ]
        settled = settle(np.concatenate(columns, axis=1), sources.consensus)
        yield OwnAnswers(
            name=spec.name,
            answers="asked",
            source="people",
            source_id=CONSENSUS,
            right=settled.label.astype(np.int64),
        )
    if asked.rule is not None:
        rule = NamedMatrix(scorer_id=asked.scorer_id, matrix=asked.rule)
        yield _by_scorer(items, spec.name, "asked", rule)


def _by_scorer(
    items: Sequence[Item], name: str, answers: AnswersFrom, rule: NamedMatrix
) -> OwnAnswers:
    column = widened(rule.matrix.select(columns=[name]), items, [name])
    right = judge_codes(column)[:, 0]
    # To a rule, silence is no right answer; what it cannot read is unknown.
    silent = column.status[:, 0] == STATUS_CODES["no_answer"]
    right = np.where(silent, INCORRECT, np.where(right == NO_VERDICT, MISSING, right))
    return OwnAnswers(
        name=name, answers=answers, source="scorer", source_id=rule.scorer_id, right=right
    )


def asked_warnings(
    asked: AskedAnswers, judge: JudgeIdentity, found: OwnAnswers | None
) -> Iterator[str]:
    """Yield what must be known of the answers that a judge gave when it was asked."""
    spec = answering(asked, judge)
    if spec is None:
        return
    name = spec.name
    if found is None:
        why = (
            asked.why_not
            or f"people labelled none of its answers, and {asked.scorer_id} reads none"
        )
        yield (
            f"nothing says which questions {name!r} answered right, so agreement of "
            f"{judge.scorer_id} by its own answers is not measured: {why}"
        )
    elif found.answers == "candidate":
        yield (
            f"the model of {judge.scorer_id} answered as the judged system {found.name!r} and when "
            f"it was asked as a judge; the former shows which questions it could answer"
        )
    if found is None or found.name == name:
        yield from _left_out(name, asked.counts[name])


def _left_out(name: str, counts: AskedCounts) -> Iterator[str]:
    if counts.stale:
        yield (
            f"{plural(counts.stale, 'answer')} of {name!r} left out: no item asks the question in "
            f"these words any more; judge with --arm self again"
        )
    if counts.further:
        yield (
            f"{plural(counts.further, 'further answer')} of {name!r} to the same questions left "
            f"out: the first counts"
        )
    if counts.redacted:
        yield f"{plural(counts.redacted, 'masked answer')} of {name!r} left out"
