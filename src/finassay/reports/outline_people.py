"""Judges and people in an audit.  In: an audit.  Out: tables by key, and the room about them."""

from __future__ import annotations

from dataclasses import replace

from finassay.analyses.results import Audit
from finassay.reports import numbers as num
from finassay.reports import tables_labels
from finassay.reports.outline_judges import ANCHOR, judge_tables, judges_room
from finassay.reports.rooms import Part, Room
from finassay.reports.table import Table
from finassay.reports.tables_evidence import agreement

HEADING = "Judges and people"
_ELSEWHERE = ("judge-findings",)
"""What the findings of the audit say already."""

_NO_PEOPLE = ("judges", "judge-treatments", "judge-strata")
"""Tables that hold nothing where people labelled nothing."""


def people_tables(audit: Audit, names: dict[str, str]) -> dict[str, Table]:
    """Return every table about judges and people that the audit has numbers for, by key."""
    found: dict[str, Table] = {}
    if audit.judges is not None:
        drop = _ELSEWHERE if audit.judges.consensus is not None else (*_ELSEWHERE, *_NO_PEOPLE)
        made = judge_tables(audit.judges)
        found |= {key: table for key, table in made.items() if key not in drop}
    if audit.people is not None:
        found["people-agreement"] = replace(agreement(audit.people), key="people-agreement")
    if audit.few_labels is not None:
        found["corrected-scores"] = tables_labels.corrected(audit.few_labels, names)
    if audit.label_advice is not None:
        found["next-labels"] = tables_labels.advice(audit.label_advice)
    return found


def people_rooms(audit: Audit, made: dict[str, Table]) -> tuple[Room, ...]:
    """Return the room about judges and people; none where there are neither."""
    if audit.judges is None:
        if audit.people is None:
            return ()
        text = "No judge marked these replies; people did, and are compared with the rule."
        part = Part(anchor=f"{ANCHOR}-main", text=(text,), tables=("people-agreement",))
        return (Room(anchor=ANCHOR, heading=HEADING, parts=(part,)),)
    room = judges_room(audit.judges, made)
    parts = list(room.parts)
    at = next((i for i, part in enumerate(parts) if part.anchor == f"{ANCHOR}-silence"), len(parts))
    parts[at:at] = _labels(audit, made)
    return (Room(anchor=room.anchor, heading=room.heading, parts=tuple(parts)),)


def _labels(audit: Audit, made: dict[str, Table]) -> list[Part]:
    corrected = Part(
        anchor=f"{ANCHOR}-scores",
        heading="Scores that people would give",
        text=() if "corrected-scores" in made else (_why_not(audit),),
        tables=("corrected-scores",) if "corrected-scores" in made else (),
    )
    if "next-labels" not in made:
        return [corrected]
    advised = Part(
        anchor=f"{ANCHOR}-next",
        heading="Where the next labels help most",
        text=("Labels correct scores where a plan drew them: see finassay adjudicate plan.",),
        tables=("next-labels",),
    )
    return [corrected, advised]


def _why_not(audit: Audit) -> str:
    found = audit.judges
    if found is None or found.consensus is None:
        return (
            "Not estimated: people labelled nothing, so no judge's score can be corrected. What "
            "the judge says stands as it is."
        )
    labelled = num.count(found.consensus.n_labelled)
    return (
        f"Not estimated: nothing says how the {labelled} labelled replies were chosen, and labels "
        "that somebody picked say nothing certain about the rest."
    )
