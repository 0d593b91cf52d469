"""What all rules say together.  In: checks.  Out: outcome, shares, nearest counter-examples."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from finassay.analyses.claims.declared import DeclaredClaim
from finassay.analyses.claims.standings import Cells
from finassay.analyses.results_claims import (
    ClaimCheck,
    ClaimTally,
    ClaimVerdict,
    CounterExample,
    Outcome,
    RuleGroup,
)
from finassay.marking.matrix import is_right

ORDER: tuple[RuleGroup, ...] = ("rule", "regime", "pair", "printed", "grid")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decided:
    """What one rule says of a claim.

    Attributes:
        check: the claim under the rule.
        cells: the verdicts in the scope; None for printed columns and comparisons.
        weight: declared plausibility; None without one.
        choices: (dimension, choice) of a rule of a grid.
        reading: how a comparison was read; "" for a rule by itself.
        is_printed: whether it rests on printed columns alone.
    """

    check: ClaimCheck
    cells: Cells | None
    weight: float | None
    choices: tuple[tuple[str, str], ...]
    reading: str = ""
    is_printed: bool = False

    @property
    def signature(self) -> str | None:
        """Return what is the same for rules with the same verdicts; None where rules all count."""
        if self.cells is None or self.check.group == "grid":
            return None
        digest = hashlib.sha256(self.cells.values.tobytes())
        digest.update(self.cells.counted.tobytes())
        return digest.hexdigest()


def verdict(
    claim: DeclaredClaim,
    decided: Sequence[Decided],
    *,
    base: str,
    scope: str,
    n_items: int | None,
) -> ClaimVerdict:
    """Return the outcome of a claim from what each rule says of it.

    Args:
        claim: the claim.
        decided: one entry a rule, or a comparison and reading.
        base: name of the base rule.
        scope: on what it was evaluated, in words.
        n_items: items in the scope; None when only printed columns are compared.
    """
    kept = _collapsed(decided, base)
    held, failed, open_ = _counts(kept)
    anchor = next((one for one in kept if one.check.rule == base and not one.reading), None)
    reasons = [one.check.found for one in kept if one.check.holds is None]
    return ClaimVerdict(
        number=claim.number,
        text=claim.text,
        source=claim.source,
        statement=claim.claim.statement(),
        kind=claim.claim.kind,
        negated=claim.negated,
        scope=scope,
        n_items=n_items,
        outcome=_outcome(held, failed),
        n_holds=held,
        n_fails=failed,
        n_undecided=open_,
        share=_share(held, failed),
        base=anchor.check if anchor is not None else None,
        tallies=tuple(_tally(group, kept) for group in ORDER if _in(group, kept)),
        nearest=_nearest(kept, anchor),
        checks=tuple(one.check for one in kept if one.check.group != "grid"),
        undecided=tuple(dict.fromkeys(reasons)),
    )


def _collapsed(decided: Sequence[Decided], base: str) -> list[Decided]:
    """Return the rules with different verdicts, the base rule first."""
    ordered = sorted(decided, key=lambda one: one.check.rule != base)
    kept: dict[str, Decided] = {}
    for at, one in enumerate(ordered):
        key = one.signature or f"row {at}"
        if key in kept:
            first = kept[key]
            also = (*first.check.also, one.check.rule)
            kept[key] = replace(first, check=replace(first.check, also=also))
        else:
            kept[key] = one
    return list(kept.values())


def _counts(kept: Sequence[Decided]) -> tuple[int, int, int]:
    said = [one.check.holds for one in kept]
    return said.count(True), said.count(False), said.count(None)


def _outcome(held: int, failed: int) -> Outcome:
    if held and failed:
        return "depends"
    return "holds" if held else "fails" if failed else "undecided"


def _share(held: int, failed: int) -> float | None:
    return held / (held + failed) if held + failed else None


def _in(group: RuleGroup, kept: Sequence[Decided]) -> list[Decided]:
    return [one for one in kept if one.check.group == group]


def _tally(group: RuleGroup, kept: Sequence[Decided]) -> ClaimTally:
    some = _in(group, kept)
    held, failed, open_ = _counts(some)
    return ClaimTally(
        group=group,
        n=len(some),
        n_holds=held,
        n_fails=failed,
        n_undecided=open_,
        share=_share(held, failed),
        weighted_share=_weighted(some),
    )


def _weighted(some: Sequence[Decided]) -> float | None:
    weights = [(one.weight, one.check.holds) for one in some if one.check.holds is not None]
    if not weights or any(weight is None for weight, _ in weights):
        return None
    whole = sum(weight or 0.0 for weight, _ in weights)
    held = sum(weight or 0.0 for weight, holds in weights if holds)
    return held / whole if whole else None


def _nearest(kept: Sequence[Decided], base: Decided | None) -> tuple[CounterExample, ...]:
    found = []
    for group in ORDER:
        some = _in(group, kept)
        if any(one.reading for one in some):
            found += _closest(some)
            continue
        anchor = some[0] if group == "grid" and some else base
        if anchor is None or anchor.check.holds is None:
            continue
        against = [one for one in some if one.check.holds is (not anchor.check.holds)]
        if against:
            found.append(_counter(against, anchor))
    return tuple(found)


def _closest(some: Sequence[Decided]) -> list[CounterExample]:
    """Return the comparison that fails by the least: comparisons have no base to start from."""
    failed = [one.check for one in some if one.check.holds is False]
    if not failed:
        return []
    least = max(check.margin or 0.0 for check in failed)
    near = [check for check in failed if (check.margin or 0.0) == least]
    return [
        CounterExample(
            rule=near[0].rule,
            group=near[0].group,
            holds=False,
            found=near[0].found,
            changed=None,
            choices=(),
            n_as_near=len(near),
        )
    ]


def _counter(against: Sequence[Decided], base: Decided) -> CounterExample:
    def distance(one: Decided) -> tuple[int, float]:
        apart = changed_share(one.cells, base.cells)
        return len(_differing(one, base)), 1.0 if apart is None else apart

    far = [distance(one) for one in against]
    least = min(far)
    first = against[far.index(least)]
    return CounterExample(
        rule=first.check.rule,
        group=first.check.group,
        holds=bool(first.check.holds),
        found=first.check.found,
        changed=changed_share(first.cells, base.cells),
        choices=_differing(first, base),
        n_as_near=far.count(least),
    )


def _differing(one: Decided, base: Decided) -> tuple[tuple[str, str, str], ...]:
    """Return (choice, under the base, under this rule) where they differ."""
    if not one.choices:
        return ()
    mine, theirs = dict(one.choices), dict(base.choices)
    names = dict.fromkeys((*theirs, *mine))
    return tuple(
        (name, theirs.get(name, ""), mine.get(name, ""))
        for name in names
        if mine.get(name) != theirs.get(name)
    )


def changed_share(one: Cells | None, base: Cells | None) -> float | None:
    """Return the share of verdicts that differ; None where they cannot be laid side by side.

    A verdict is right, wrong or left out.
    """
    if one is None or base is None or one.values.shape != base.values.shape:
        return None
    differ = (is_right(one.values) != is_right(base.values)) | (one.counted != base.counted)
    return float(np.mean(differ)) if differ.size else None
