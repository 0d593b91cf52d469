"""Whether a judge can be used.  In: its agreement with people.  Out: a standing with its reason."""

from __future__ import annotations

from finassay.analyses.judges.results import (
    CalibrationRule,
    Figure,
    JudgeAgreement,
    Standing,
)
from finassay.analyses.kernels.block_bootstrap import FEWEST
from finassay.analyses.wording import fixed, plural


def calibration_rule(bound: float) -> CalibrationRule:
    """Return when a judge passes, in words."""
    return CalibrationRule(
        bound=bound,
        text=(
            f"a judge fails calibration when the interval of its kappa with people reaches down to "
            f"0, or ends below {bound:g}; it passes when the interval begins at {bound:g} or "
            f"above, and is open in between; without an interval it is undetermined, and without "
            f"labels of people it is not calibrated"
        ),
    )


def standing_of(agreement: JudgeAgreement | None, bound: float) -> tuple[Standing, str]:
    """Return the standing of a judge and why."""
    if agreement is None or not agreement.n:
        return "not_calibrated", "people settled no reply that it judged"
    kappa = agreement.primary.kappa
    told = f"kappa {told_figure(kappa)} over {plural(agreement.n, 'reply', 'replies')}"
    if kappa.value is None or kappa.low is None or kappa.high is None:
        few = agreement.n_items < FEWEST
        why = (
            f"fewer than {FEWEST} questions say nothing of chance"
            if few
            else "it is undefined where nobody ever differs"
        )
        return "undetermined", f"{told}: {why}"
    if kappa.low <= 0.0:
        return "fails", f"{told}: agreement that chance would give is not ruled out"
    if kappa.high < bound:
        return "fails", f"{told}: the whole interval lies below {bound:g}"
    if kappa.low >= bound:
        return "passes", f"{told}: the whole interval lies at {bound:g} or above"
    return "open", f"{told}: better than chance, but the interval holds {bound:g}"


def told_figure(figure: Figure) -> str:
    """Return a figure with its interval in words."""
    if figure.value is None:
        return "undefined"
    if figure.low is None or figure.high is None:
        return fixed(figure.value, 2)
    return f"{fixed(figure.value, 2)} ({fixed(figure.low, 2)} to {fixed(figure.high, 2)})"
