"""Claims on a terminal.  In: a report on claims.  Out: plain lines."""

from __future__ import annotations

from finassay.analyses.results import ClaimsReport, ClaimVerdict, CounterExample
from finassay.analyses.results_claims import ClaimTally, RuleGroup
from finassay.reports import numbers as num
from finassay.reports.plain import wrapped

WIDTH = 100
SHOWN_REASONS = 3

GROUP_NAMES: dict[RuleGroup, str] = {
    "rule": "rules of the study",
    "regime": "regimes",
    "grid": "rules of the grid",
    "printed": "printed columns",
    "pair": "readings",
}


def claim_lines(found: ClaimsReport) -> list[str]:
    """Return the report in lines: counts, then each claim with its counter-examples."""
    counts = ", ".join(f"{name} {n}" for name, n in found.outcomes().items() if n)
    tried = [num.plural(found.n_rules, "rule"), num.plural(found.n_regimes, "regime")]
    if found.n_grid:
        tried.append(f"{num.count(found.n_grid)} rules of a grid")
    head = (
        f"{num.plural(len(found.claims), 'claim')} of {found.file} under {num.listed(tried)} "
        f"(base {found.base}, unscored {found.policy}): {counts}"
    )
    lines = wrapped(head, WIDTH)
    for claim in found.claims:
        lines += ["", *_claim(claim)]
    notes = [line for note in found.warnings for line in wrapped(num.sentence(note), WIDTH)]
    return [*lines, *(["", *notes] if notes else [])]


def _claim(claim: ClaimVerdict) -> list[str]:
    source = f" ({claim.source})" if claim.source else ""
    lines = wrapped(f"{claim.number}. {claim.outcome.upper()}: {claim.text}{source}", WIDTH)
    said = f"not: {claim.statement}" if claim.negated else claim.statement
    lines += wrapped(f"{said}; {claim.scope}", WIDTH, "   ")
    for tally in claim.tallies:
        lines += wrapped(tally_text(tally), WIDTH, "   ")
    if claim.base is not None:
        lines += wrapped(f"{claim.base.rule}: {claim.base.found}", WIDTH, "   ")
    elif len(claim.checks) == 1:
        lines += wrapped(f"{claim.checks[0].rule}: {claim.checks[0].found}", WIDTH, "   ")
    for near in claim.nearest:
        lines += wrapped(counter_text(near), WIDTH, "   ")
    rest = len(claim.undecided) - SHOWN_REASONS
    shown = [f"not decided: {reason}" for reason in claim.undecided[:SHOWN_REASONS]]
    shown += [f"not decided for {num.plural(rest, 'more reason')}"] if rest > 0 else []
    return [*lines, *(line for reason in shown for line in wrapped(reason, WIDTH, "   "))]


def tally_text(tally: ClaimTally) -> str:
    """Return how the rules of a group decide a claim, in one clause."""
    decided = tally.n_holds + tally.n_fails
    said = f"holds under {num.count(tally.n_holds)} of {num.count(decided)}"
    if tally.share is not None and decided >= 10:
        said += f" ({num.percent(tally.share, decided)}%"
        if tally.weighted_share is not None:
            said += f"; {num.percent(tally.weighted_share, decided)}% by plausibility"
        said += ")"
    said += f" {GROUP_NAMES[tally.group]}"
    return said + (f", {num.count(tally.n_undecided)} undecided" if tally.n_undecided else "")


def counter_text(near: CounterExample) -> str:
    """Return the nearest rule that says otherwise, with what it changes."""
    word = "holds" if near.holds else "fails"
    parts = [f"nearest that says otherwise: {word} under {near.rule}: {near.found}"]
    if near.choices:
        changed = [
            f"{name} {before or 'none'} -> {now or 'none'}" for name, before, now in near.choices
        ]
        parts.append(f"changes {num.listed(changed)}")
    if near.changed is not None:
        parts.append(f"{num.percent(near.changed, 100)}% of the verdicts differ")
    return "; ".join(parts)
