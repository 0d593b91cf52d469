"""Disagreements with people, by kind.  In: verdicts and labels.  Out: kinds, largest first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from finassay.analyses.results_calibration import (
    DisagreementExample,
    DisagreementKind,
    Outcome,
)
from finassay.records import RIGHT, Verdict
from finassay.runs.importers.labelled import LabelledReply

EXAMPLES = 3
"""Examples that a kind keeps."""

LONGEST = 100
"""Characters of a reason that name a kind."""

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|“[^”]*”|‘[^’]*’")
_NUMBER = re.compile(r"[-−+]?\d[\d.,]*(?:[eE][-+]?\d+)?%?")


def disagreements(
    verdicts: Sequence[Verdict],
    rows: Sequence[LabelledReply],
    is_yes: Sequence[bool],
    *,
    no_text: bool = False,
) -> tuple[DisagreementKind, ...]:
    """Return the replies on which rule and people disagree, by kind, the most frequent first.

    Args:
        verdicts: the rule's verdict on each reply.
        rows: the replies.
        is_yes: whether people call each reply right.
        no_text: leave references, readings and reasons out of the examples.
    """
    kinds: dict[tuple[Outcome, str], list[int]] = {}
    for at, (verdict, says_yes) in enumerate(zip(verdicts, is_yes, strict=True)):
        outcome = outcome_of(verdict, says_yes=says_yes)
        if outcome is not None:
            kinds.setdefault((outcome, cause_of(verdict)), []).append(at)
    found = [_kind(key, places, verdicts, rows, no_text=no_text) for key, places in kinds.items()]
    return tuple(sorted(found, key=lambda kind: (-kind.n, kind.outcome, kind.because)))


def outcome_of(verdict: Verdict, *, says_yes: bool) -> Outcome | None:
    """Return how a verdict differs from what people said; None where it does not."""
    marks_right = verdict.value is not None and verdict.value >= RIGHT
    if marks_right == says_yes:
        return None
    if marks_right:
        return "accepted"
    return "rejected" if verdict.is_scored else "no value"


def cause_of(verdict: Verdict) -> str:
    """Return the kind of reason: flags and status, and the reason without what is its own.

    Numbers and quotations differ from reply to reply, so they are left out.
    """
    said = _NUMBER.sub("#", _QUOTED.sub("…", verdict.reason))
    said = " ".join(said.split())
    short = said if len(said) <= LONGEST else f"{said[: LONGEST - 1].rstrip()}…"
    parts = ["" if verdict.is_scored else verdict.status.replace("_", " ")]
    flags = ", ".join(sorted(set(verdict.flags)))
    parts.append(f"flag {flags}" if flags else short)
    return ": ".join(part for part in parts if part) or "no reason given"


def _kind(
    key: tuple[Outcome, str],
    places: Sequence[int],
    verdicts: Sequence[Verdict],
    rows: Sequence[LabelledReply],
    *,
    no_text: bool,
) -> DisagreementKind:
    return DisagreementKind(
        outcome=key[0],
        because=key[1],
        n=len(places),
        labels=tuple(Counter(rows[at].label for at in places).most_common()),
        rows=tuple(rows[at].row for at in places),
        examples=tuple(
            DisagreementExample(
                row=rows[at].row,
                label=rows[at].label,
                reference=None if no_text else rows[at].reference,
                extracted=None if no_text else verdicts[at].extracted,
                reason="" if no_text else verdicts[at].reason,
            )
            for at in places[:EXAMPLES]
        ),
    )
