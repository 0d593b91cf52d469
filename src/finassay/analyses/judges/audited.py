"""Judges and people inside an audit.  In: a study.  Out: the audit with what they say.

The audit asks little: fewer resamples than the command of its own, no strata.  Scores that people
would give are estimated only where it is known how the labels were drawn: every answer labelled, or
a draw whose estimate is handed in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.alignment import aligned
from finassay.analyses.audit_inputs import AuditInputs
from finassay.analyses.estimates import Settings
from finassay.analyses.few_labels import FewLabelSettings, estimate_few_labels
from finassay.analyses.judges.board import Board, board_of
from finassay.analyses.judges.from_study import judge_inputs
from finassay.analyses.judges.identity import identities, is_pairwise
from finassay.analyses.judges.inputs import JudgeInputs, JudgePlan
from finassay.analyses.judges.reliability import judge_reliability
from finassay.analyses.judges.results_compare import FindingKind, JudgeFinding, Judges
from finassay.analyses.kernels.designs import Stratum, stratum_sizes
from finassay.analyses.kernels.judge_tables import CORRECT, MISSING
from finassay.analyses.label_budget import next_labels
from finassay.analyses.label_sample import FrameUnit, LabelSample
from finassay.analyses.rank_sets import Resampling
from finassay.analyses.raters import Plan, agree
from finassay.analyses.results_audit import Audit, Finding
from finassay.analyses.results_few_labels import FewLabels, LabelAdvice
from finassay.analyses.results_raters import Agreement
from finassay.marking.matrix import ABSENT, RIGHT
from finassay.marking.outside import people_of
from finassay.marking.view import StudyView
from finassay.records import JUDGE_PREFIX
from finassay.study.snapshot import Snapshot

DRAWS = 1_000
"""Resamples of an audit; `finassay judges` has more."""

NEXT_LABELS = 100
"""Size of the batch of labels that an audit advises on."""

MOST_PEOPLE = 6
"""People that are compared with each other and with the rule where there is no judge."""

_SHOWN_ELSEWHERE: frozenset[FindingKind] = frozenset({"credits_silence"})
"""Findings that an audit makes of every scorer, judges among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeEvidence:
    """What an audit says of judges and people; None where there is nothing to say.

    Attributes:
        judges: how far judges can be relied on; None without a judge.
        people: agreement of people with each other and the rule, where there is no judge.
        scores: scores that people would give; None where the labels allow none.
        advice: where the next labels help most; None without a judge.
    """

    judges: Judges | None = None
    people: Agreement | None = None
    scores: FewLabels | None = None
    advice: LabelAdvice | None = None


def judge_evidence(
    snapshot: Snapshot, view: StudyView, inputs: AuditInputs, *, scores: FewLabels | None = None
) -> JudgeEvidence:
    """Return what an audit says of judges and people.

    Args:
        snapshot: pinned tables.
        view: the same study as analyses see it.
        inputs: of the audit; its judge, where it has one, is the one that labels would correct.
        scores: scores from a draw of labels, where there is one.
    """
    judges = [name for name in view.matrices if name.startswith(JUDGE_PREFIX)]
    if not any(not is_pairwise(name) for name in judges):
        return JudgeEvidence(people=_people(view, inputs))
    given = judge_inputs(snapshot, view, rule=_rule(inputs))
    plan = JudgePlan(
        policy=inputs.settings.policy,
        level=inputs.settings.level,
        resampling=Resampling(draws=DRAWS),
    )
    found = judge_reliability(given, plan)
    sample = label_frame(given, plan, inputs.judge)
    return JudgeEvidence(
        judges=found,
        scores=scores or _census(sample),
        advice=None if sample is None else next_labels(sample, labels=NEXT_LABELS),
    )


def _rule(inputs: AuditInputs) -> str | None:
    outside = inputs.primary.startswith((JUDGE_PREFIX, "person/"))
    return None if outside else inputs.primary


def _people(view: StudyView, inputs: AuditInputs) -> Agreement | None:
    """Return how far people agree, with each other and with the rule; None without people."""
    people = people_of(tuple(view.matrices))[:MOST_PEOPLE]
    rule = _rule(inputs)
    raters = [*people, *([] if rule is None else [rule])]
    if not people or len(raters) < 2:
        return None
    return agree(
        {name: view.matrices[name] for name in raters},
        items=inputs.items,
        plan=Plan(
            settings=Settings(policy="exclude", level=inputs.settings.level),
            resampling=Resampling(draws=DRAWS),
        ),
    )


def label_frame(given: JudgeInputs, plan: JudgePlan, judge: str | None) -> LabelSample | None:
    """Return the answers that a judge was asked about, in strata by what it and the rule say.

    None where the judge was asked about nothing.  Nothing is known of how labels came about, unless
    every answer has one.
    """
    judges = identities(
        [name for name in given.judges if not is_pairwise(name)],
        systems=given.systems,
        specs=given.specs,
        declared=given.candidates,
    )
    usable = [one.scorer_id for one in judges if not one.is_control]
    chosen = judge if judge in usable else next(iter(usable), None)
    if chosen is None:
        return None
    units = tuple(_units(given, board_of(given, plan, judges), chosen))
    if not units:
        return None
    whole = all(one.state != "not drawn" for one in units)
    sizes = stratum_sizes([one.stratum for one in units]) if whole else {}
    strata = tuple(Stratum(name=name, size=size, take=size) for name, size in sizes.items())
    return LabelSample(judge=chosen, units=units, strata=strata)


def _units(given: JudgeInputs, board: Board, judge: str) -> Iterator[FrameUnit]:
    matrix = board.matrices[judge]
    scored, rule = matrix.scored, _right_by_rule(given, board)
    settled = board.settled
    has_label = (settled.given > 0).reshape(board.truth.shape)
    for i, j in np.argwhere(matrix.status != ABSENT).tolist():
        value = float(matrix.values[i, j]) if scored[i, j] else None
        truth = int(board.truth[i, j])
        label = None if truth == MISSING else float(truth == CORRECT)
        yield FrameUnit(
            item_id=board.items[i].item_id,
            system=board.systems[j],
            stratum=_stratum(judge=value, rule=_SAID[rule[i, j]]),
            judge=value,
            state="labelled"
            if label is not None
            else "not sure"
            if has_label[i, j]
            else "not drawn",
            label=label,
        )


_SAID: dict[int, bool | None] = {-1: None, 0: False, 1: True}
"""What a rule says of an answer, by its code."""


def _right_by_rule(given: JudgeInputs, board: Board) -> NDArray[np.int8]:
    """Return (R items, C systems) 1 where the rule says right, 0 wrong, -1 nothing."""
    said = np.full((len(given.items), len(board.systems)), -1, dtype=np.int8)
    if given.rule is None:
        return said
    known = [name for name in board.systems if name in given.rule.matrix.columns]
    table = aligned(given.rule.matrix.select(columns=known), given.items)
    at = [board.systems.index(name) for name in known]
    said[:, at] = np.where(table.scored, table.right, -1)
    return said


def _stratum(*, judge: float | None, rule: bool | None) -> str:
    said = "no verdict" if judge is None else "right" if judge >= RIGHT else "wrong"
    if rule is None:
        return f"judge {said}"
    return f"rule {'right' if rule else 'wrong'}, judge {said}"


def _census(sample: LabelSample | None) -> FewLabels | None:
    """Return scores where every answer was labelled, so that the labels are the whole.

    None as well where people disagree on all of them.
    """
    if sample is None or sample.is_convenience:
        return None
    if all(unit.label is None for unit in sample.units):
        return None
    return estimate_few_labels(sample, FewLabelSettings())


def with_judges(audit: Audit, found: JudgeEvidence) -> Audit:
    """Return the audit with judges and people, and with what must be known of them."""
    more = () if found.judges is None else _findings(found.judges)
    order = {name: at for at, name in enumerate(("high", "medium", "low", "note"))}
    every = sorted((*audit.findings, *more), key=lambda one: order[one.severity])
    warnings = () if found.judges is None else found.judges.warnings
    return replace(
        audit,
        judges=found.judges,
        people=found.people,
        few_labels=found.scores,
        label_advice=found.advice,
        findings=tuple(every),
        warnings=tuple(dict.fromkeys((*audit.warnings, *warnings))),
    )


def _findings(judges: Judges) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            severity=one.severity,
            title=_title(one),
            evidence=one.text,
            advice=_ADVICE[one.kind],
            link="judges",
        )
        for one in judges.findings
        if one.kind not in _SHOWN_ELSEWHERE
    )


def _title(one: JudgeFinding) -> str:
    if one.kind == "not_calibrated" and one.scorer_id:
        return f"{one.scorer_id} is not calibrated: people settled no reply that it judged"
    return _TITLES[one.kind].format(judge=one.scorer_id or "a judge")


_TITLES: Mapping[FindingKind, str] = {
    "fails_calibration": "{judge} fails calibration",
    "not_calibrated": "No judge is calibrated: there are no labels of people",
    "undetermined": "Whether {judge} can be used is not determined",
    "own_knowledge": "{judge} agrees less where it could not answer itself",
    "self_preference": "{judge} is easier on its own answers",
    "relatives": "{judge} judges systems of its own family",
    "self_judging": "{judge} judges its own answers",
    "arm_effect": "The reference shown changes what {judge} says",
    "prompt_effect": "The wording of the prompt changes what {judge} says",
    "tolerance_effect": "The rounding clause of {judge} changes the order",
    "overrules_reference": "{judge} overrules the reference",
    "credits_silence": "{judge} marks replies right that hold no whole answer",
    "unreadable": "Replies of {judge} cannot be read",
    "few_labels": "Few labels of people stand behind the calibration",
}
_ADVICE: Mapping[FindingKind, str] = {
    "fails_calibration": "do not rank by this judge",
    "not_calibrated": "let people label a drawn sample before quoting a judge's score",
    "undetermined": "label more replies",
    "own_knowledge": "give the judge references that people checked",
    "self_preference": "leave out its own answers, or use another judge",
    "relatives": "compare with a judge of another family",
    "self_judging": "leave its own answers out, or use another judge",
    "arm_effect": "state which reference the judge was shown",
    "prompt_effect": "report both wordings",
    "tolerance_effect": "state the rounding clause beside the ranks",
    "overrules_reference": "read these replies: reference or judge is wrong",
    "credits_silence": "count such replies as no answer",
    "unreadable": "report the score with unreadable replies left out and counted as wrong",
    "few_labels": "label more replies before quoting agreement",
}
