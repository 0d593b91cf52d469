"""Judges of a study.  In: a view of a study.  Out: the inputs of the reliability of judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from finassay.analyses.from_study import choose_primary
from finassay.analyses.judges.inputs import OWN_ANSWERS, JudgeInputs, NamedMatrix
from finassay.analyses.judges.results_compare import SilenceKind
from finassay.errors import MissingVerdictsError, UnknownNameError
from finassay.marking.asked_answers import AskedAnswers, asked_answers
from finassay.marking.consensus import CONSENSUS
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.outside import OutsideVerdicts, outside_verdicts, people_of
from finassay.marking.reply_facts import ReplyFacts, reply_facts
from finassay.marking.view import StudyView
from finassay.records import FINISHES, JUDGE_PREFIX, PERSON_PREFIX, Finish
from finassay.study.snapshot import Snapshot

_KINDS: dict[Finish, SilenceKind] = {
    "empty": "empty",
    "refused": "refused",
    "truncated": "truncated",
    "error": "failed call",
}


def judge_inputs(
    snapshot: Snapshot,
    view: StudyView,
    *,
    humans: Sequence[str] = (),
    judges: Sequence[str] = (),
    rule: str | None = None,
    own_answers: str | None = None,
    candidates: Mapping[str, str] | None = None,
) -> JudgeInputs:
    """Return what the reliability of judges is computed from.

    Args:
        snapshot: pinned tables.
        view: the same study as analyses see it.
        humans: scorer ids of people; everybody who labelled by default, or the stored consensus
            where nothing else is there.
        judges: scorer ids of judges; all by default.
        rule: scorer id that judges are compared with; by default as for an audit, unless that is a
            judge or a person.
        own_answers: scorer that decides whether a judge answered right; by default people, and
            `financial` where they do not say.
        candidates: judge -> judged system that is the judge itself, where the study does not say.

    Raises:
        MissingVerdictsError: there is no judge.
        UnknownNameError: a scorer that was named holds no verdicts.
    """
    outside = outside_verdicts(snapshot, view.items)
    chosen = _chosen(outside, judges, JUDGE_PREFIX)
    if not chosen:
        raise MissingVerdictsError(
            f"the study at {snapshot.root} holds no verdicts of a judge (a scorer id that begins "
            f"with {JUDGE_PREFIX}); judge it, or import a table of judge verdicts first"
        )
    if own_answers is not None:
        _require(own_answers, view.matrices)
    decider = own_answers or (OWN_ANSWERS if OWN_ANSWERS in view.matrices else None)
    facts = reply_facts(snapshot, [item.item_id for item in view.items])
    return JudgeInputs(
        study=view.name,
        items=view.items,
        systems=view.systems,
        judges={name: outside.matrices[name] for name in chosen},
        people={name: outside.matrices[name] for name in _people(outside, humans)},
        specs=outside.specs,
        rule=_rule(view.matrices, rule),
        own_rule=None if decider is None else _named(view.matrices, decider),
        asked=_asked(snapshot, view, decider or OWN_ANSWERS, humans),
        own_rule_first=own_answers is not None,
        silence=silence(view, facts),
        candidates=dict(candidates or {}),
        stale=outside.stale,
        n_trials=max(view.trials.values(), default=1),
    )


def _asked(snapshot: Snapshot, view: StudyView, scorer: str, humans: Sequence[str]) -> AskedAnswers:
    found = asked_answers(snapshot, view.items, scorer)
    people = {name: one for name, one in found.people.items() if not humans or name in humans}
    return replace(found, people=people)


def _chosen(outside: OutsideVerdicts, names: Sequence[str], prefix: str) -> list[str]:
    known = [name for name in outside.matrices if name.startswith(prefix)]
    for name in names:
        if name not in known:
            raise UnknownNameError(
                f"there are no verdicts of a {prefix.rstrip('/')} {name!r}; expected one of: "
                f"{', '.join(known) or f'none, no id begins with {prefix}'}"
            )
    return list(dict.fromkeys(names)) or known


def _people(outside: OutsideVerdicts, names: Sequence[str]) -> list[str]:
    if names:
        return _chosen(outside, names, PERSON_PREFIX)
    everybody = list(people_of(tuple(outside.matrices)))
    return everybody or [name for name in outside.matrices if name == CONSENSUS]


def _require(name: str, matrices: Mapping[str, VerdictMatrix]) -> None:
    if name not in matrices:
        raise UnknownNameError(
            f"no verdicts of {name!r} in this study; there are: {', '.join(sorted(matrices))}"
        )


def _named(matrices: Mapping[str, VerdictMatrix], name: str) -> NamedMatrix:
    _require(name, matrices)
    return NamedMatrix(scorer_id=name, matrix=matrices[name])


def _rule(matrices: Mapping[str, VerdictMatrix], name: str | None) -> NamedMatrix | None:
    if name is not None:
        return _named(matrices, name)
    rules = {
        scorer: matrix
        for scorer, matrix in matrices.items()
        if not scorer.startswith((JUDGE_PREFIX, PERSON_PREFIX))
    }
    return _named(rules, choose_primary(rules)) if rules else None


def silence(view: StudyView, facts: ReplyFacts) -> dict[SilenceKind, frozenset[tuple[str, str]]]:
    """Return (item id, system) of replies that hold no whole answer, by what they are.

    A blank reply is empty whatever its fate, and a reply that reads as a failed call is one.
    """
    found: dict[SilenceKind, set[tuple[str, str]]] = {kind: set() for kind in _KINDS.values()}
    for system, ids in view.empty_replies.items():
        found["empty"] |= {(item, system) for item in ids}
    for system, ids in view.error_replies.items():
        found["failed call"] |= {(item, system) for item in ids}
    for finish, kind in _KINDS.items():
        rows, columns = (facts.present & (facts.finish == FINISHES.index(finish))).nonzero()
        found[kind] |= {
            (facts.item_ids[i], facts.systems[j])
            for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
        }
    found["refused"] -= found["empty"]
    found["truncated"] -= found["empty"]
    return {kind: frozenset(replies) for kind, replies in found.items()}
