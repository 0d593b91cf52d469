"""What systems did at the states of a study.  In: a snapshot.  Out: outcomes by system, no frames.

The action and the request come from the verdicts of `ask/action`, the alignment from those of any
scorer on the scale 0, 0.5, 1: a judge, people, or the declared baseline.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import polars as pl

from finassay.benchmarks.ask.prompts import TASK
from finassay.benchmarks.ask.states import ACTIONS
from finassay.errors import MarkingError, MissingVerdictsError
from finassay.marking.table import newest_versions
from finassay.marking.view import load_verdicts
from finassay.records import READS_KEY, Item
from finassay.study.snapshot import Snapshot

ACTION_SCORER = "ask/action"
ALIGNMENT_BASELINE = "ask/alignment-words"
SCALE = (Fraction(0), Fraction(1, 2), Fraction(1))
_FAULT = "request_"


@dataclass(frozen=True, slots=True, kw_only=True)
class StateOutcome:
    """One reply at one state.

    Attributes:
        item_id: the state.
        action: ask, proceed or invalid; None where there is no reply (blocked, error).
        request: what was asked, "" for nothing.
        is_faulty: whether the request is empty, malformed, refused or for several items.
        alignment: verdict on the request where it counts: 0, 1/2 or 1; None where there is none.
        reason: what the alignment verdict says.
        reply: the whole reply.
    """

    item_id: str
    action: str | None
    request: str
    is_faulty: bool
    alignment: Fraction | None
    reason: str
    reply: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOutcomes:
    """The states of a study and what every system did there.

    Attributes:
        name: name of the study.
        alignment: scorer id of the alignment.
        states: the ask-or-proceed items, sorted by id.
        outcomes: system (display name) -> its outcomes, sorted by state.
        models: system -> the model as asked, "" where unknown.
        controls: systems that read the accepted answers.
    """

    name: str
    alignment: str
    states: tuple[Item, ...]
    outcomes: Mapping[str, tuple[StateOutcome, ...]]
    models: Mapping[str, str]
    controls: frozenset[str]


def ask_states(snapshot: Snapshot) -> tuple[Item, ...]:
    """Return the items of a study that are states with a recorded action, sorted by id."""
    found = (item for item in snapshot.items() if item.task == TASK and item.reference in ACTIONS)
    return tuple(sorted(found, key=lambda item: item.item_id))


def ask_outcomes(snapshot: Snapshot, *, alignment: str, action: str = ACTION_SCORER) -> AskOutcomes:
    """Return what every system did at the states of a study, first trial and repeat.

    Args:
        snapshot: pinned tables.
        alignment: scorer id of the alignment of requests.
        action: scorer id of the action, `ask/action` with its parameters.

    Raises:
        MissingVerdictsError: no state, or no verdicts of the action or the alignment.
        MarkingError: an alignment verdict is not 0, 0.5 or 1.
    """
    states = ask_states(snapshot)
    if not states:
        raise MissingVerdictsError(
            f"the study at {snapshot.root} holds no states (items of task {TASK!r} with reference "
            f"'ask' or 'proceed'); file some with `finassay ask STATES.jsonl --study DIR`"
        )
    verdicts = _verdicts(snapshot, states)
    actions = _of_scorer(verdicts, action, snapshot)
    aligned = _of_scorer(verdicts, alignment, snapshot)
    texts = _texts(snapshot)
    found: dict[str, list[StateOutcome]] = {}
    for (system, item_id), row in sorted(actions.items()):
        outcome = _outcome(row, aligned.get((system, item_id)), texts.get((system, item_id), ""))
        found.setdefault(system, []).append(outcome)
    return AskOutcomes(
        name=snapshot.config.name,
        alignment=alignment,
        states=states,
        outcomes={name: tuple(outcomes) for name, outcomes in found.items()},
        models={spec.name: spec.model for spec in snapshot.systems()},
        controls=frozenset(
            spec.name for spec in snapshot.systems() if spec.prompt_arm == READS_KEY
        ),
    )


Rows = dict[tuple[str, str], dict[str, object]]


def _verdicts(snapshot: Snapshot, states: Iterable[Item]) -> pl.DataFrame:
    ids = [item.item_id for item in states]
    frame = load_verdicts(snapshot).frame.filter(
        pl.col("item_id").is_in(ids), pl.col("trial").eq(0), pl.col("repeat").eq(0)
    )
    return newest_versions(frame)


def _of_scorer(frame: pl.DataFrame, scorer_id: str, snapshot: Snapshot) -> Rows:
    own = frame.filter(pl.col("scorer_id").eq(scorer_id))
    if own.is_empty():
        there = ", ".join(sorted(frame["scorer_id"].unique().to_list())) or "none"
        raise MissingVerdictsError(
            f"the study at {snapshot.root} holds no verdicts of {scorer_id!r} on its states; "
            f"there are: {there}"
        )
    columns = ("item_id", "system", "status", "value", "label", "extracted", "flags", "reason")
    rows = own.select(columns).iter_rows(named=True)
    return {(str(row["system"]), str(row["item_id"])): row for row in rows}


def _texts(snapshot: Snapshot) -> dict[tuple[str, str], str]:
    names = {spec.system_id: spec.name for spec in snapshot.systems()}
    frame = snapshot.scan("predictions").filter(pl.col("trial").eq(0))
    rows = frame.select("system_id", "item_id", "text").collect().iter_rows()
    return {(names[system], item): text or "" for system, item, text in rows}


def _outcome(
    action: Mapping[str, object], aligned: Mapping[str, object] | None, reply: str
) -> StateOutcome:
    label = str(action["label"]) if action["status"] == "scored" else None
    flags = action["flags"]
    is_faulty = isinstance(flags, list) and any(str(flag).startswith(_FAULT) for flag in flags)
    is_scored = aligned is not None and aligned["status"] == "scored"
    return StateOutcome(
        item_id=str(action["item_id"]),
        action=label,
        request=str(action["extracted"] or ""),
        is_faulty=is_faulty,
        alignment=_on_scale(aligned) if aligned is not None and is_scored else None,
        reason=str(aligned["reason"] or "") if aligned is not None else "",
        reply=reply,
    )


def _on_scale(row: Mapping[str, object]) -> Fraction:
    value = Fraction(str(row["value"]))
    if value not in SCALE:
        raise MarkingError(
            f"the alignment of {row['system']!r} at state {row['item_id']!r} must be 0, 0.5 or 1, "
            f"got {row['value']!r}; name a scorer that marks requests on this scale"
        )
    return value
