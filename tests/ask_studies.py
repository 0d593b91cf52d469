"""Small studies of ask-or-proceed states that several tests share."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from finassay.benchmarks.ask.prompts import item_of
from finassay.benchmarks.ask.states import Need, StateRecord
from finassay.records import SystemSpec
from finassay.study import Study
from marking_studies import put_replies

HOSTILE = "<script>alert(1)</script> & \u202eevil"


def state(number: int, action: str, trajectory: str = "T1", context: str = "Seen.") -> StateRecord:
    needs = (Need(text=f"Lease of warehouse number {number}"),) if action == "ask" else ()
    return StateRecord(
        state_id=f"S{number}",
        trajectory_id=trajectory,
        context=context,
        action=action,
        needs=needs,
        later=("The lease came in.",),
        domain="alerts",
    )


STATES = (
    state(1, "ask"),
    state(2, "ask"),
    state(3, "proceed"),
    state(4, "ask", "T2"),
    state(5, "proceed", "T2"),
)
REPLIES: Mapping[str, Mapping[str, str]] = {
    "ada": {
        "S1": "[CONTINUE] The lease of the warehouse",
        "S2": "[CONTINUE] The lease? The warehouse?",
        "S3": "[STOP]",
        "S4": "[STOP]",
        "S5": "[CONTINUE] A photograph",
    },
    "bob": {"S1": "[STOP]", "S2": "hm", "S3": "[STOP]", "S4": "[CONTINUE] x1", "S5": "[STOP]"},
}


def ask_study_at(
    root: Path,
    replies: Mapping[str, Mapping[str, str]] = REPLIES,
    states: tuple[StateRecord, ...] = STATES,
) -> Study:
    study = Study.create(root, name="small", unscored="wrong")
    study.add_items([item_of(one, benchmark="b") for one in states], benchmark="b")
    for name, texts in replies.items():
        spec = SystemSpec(name=name, model=f"model-{name}")
        study.add_system(spec)
        put_replies(study, spec, texts)
    return study


def spec_of(name: str) -> SystemSpec:
    return SystemSpec(name=name, model=f"model-{name}")
