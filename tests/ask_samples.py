"""Small ask-or-proceed material that several tests share."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from finassay.analyses.ask.metrics import METRICS, Exact, Outcome

HALF = Fraction(1, 2)


KINDS = (
    *(("ask", "ask", z) for z in (Fraction(0), HALF, Fraction(1))),
    *(("ask", action, Fraction(0)) for action in ("proceed", "invalid")),
    *(("proceed", action, Fraction(0)) for action in ("ask", "proceed", "invalid")),
)
"""What can happen at a state: recorded action, action, alignment."""


def outcomes(least: int = 0, most: int = 30) -> st.SearchStrategy[list[Outcome]]:
    """Return outcomes over four trajectories; alignment only where an ask state was asked at."""
    codes = st.lists(st.integers(0, 4 * len(KINDS) - 1), min_size=least, max_size=most)
    return codes.map(lambda drawn: [_outcome(code) for code in drawn])


def _outcome(code: int) -> Outcome:
    recorded, action, z = KINDS[code % len(KINDS)]
    return Outcome(trajectory="abcd"[code // len(KINDS)], recorded=recorded, action=action, z=z)


def percents(**values: str) -> Exact:
    """Return exact metrics from percents as text; what is not given is None."""
    return {name: Fraction(values[name]) / 100 if name in values else None for name in METRICS}


STATES_FILE = """\
{"trajectory_id": "T1", "domain": "d", "language": "en", "case": "A shop applies.", \
"steps": [{"open": "Rule 1.", "action": "ask", "note": "Asked the name.", "observed": "It is Ada \
Quill of the third house.", "needs": [{"need": "Name of the person behind the shop", \
"observed_in": [1]}]}, {"open": "Decision.", "action": "proceed", "note": "Approved it.", \
"observed": "Opened."}]}
{"state_id": "F1", "trajectory_id": "T2", "context": "Invoice missing.", "action": "ask", \
"needs": ["The invoice for the goods"], "later": ["Invoice 7 came in."]}
"""
"""One trajectory of two states, and one state by itself."""
