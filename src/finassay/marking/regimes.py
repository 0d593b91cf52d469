"""Regimes: which scorer applies to which family of items, and how parts combine.

In: verdicts of several scorers in one table.  Out: one verdict per prediction, under a name.

The three of the scoring-rule study (arXiv 2604.19298, section 4.3) ship: strict, judge-only and
judge-augmented (strict or judge).  Families that hold no judge verdicts keep the base verdict, and
the result names the scorer that decided each family.  A fourth, human-consensus, takes what people
agree on where it is filed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finassay.errors import MissingVerdictsError, UnknownNameError
from finassay.marking.consensus import CONSENSUS
from finassay.scorers.composites import AnyOf, Composite, FirstScored, Imported

BASE_CHOICES = ("stored", "strict/numbers-first")
"""Base of a regime unless another is named: the source's own verdicts, else the strict rule."""

REGIME_NAMES = ("strict", "judge-only", "judge-augmented")
HUMAN_REGIME = "human-consensus"
"""What people agree on where they labelled (filed as `person/consensus`), the base elsewhere."""

REGIME_PREFIX = "regime/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Regime:
    """A way to reach one verdict per prediction from the verdicts of several scorers.

    Attributes:
        name: for instance "judge-only".
        composite: how parts combine where a family holds judge verdicts; its parts are imported
            by scorer id from the verdict table.
        base: scorer id that decides families without judge verdicts.
    """

    name: str
    composite: Composite
    base: str

    @property
    def scorer_id(self) -> str:
        """Return the id under which the regime's verdicts are filed."""
        return f"{REGIME_PREFIX}{self.name}"

    @property
    def parts(self) -> tuple[str, ...]:
        """Return the scorer ids whose verdicts the regime reads."""
        return tuple(dict.fromkeys((*(part.name for part in self.composite.parts), self.base)))


def choose_base(scorer_ids: Iterable[str]) -> str:
    """Return the base scorer of the regimes: `stored` if the study holds it, else the strict rule.

    Raises:
        MissingVerdictsError: neither is there.
    """
    held = set(scorer_ids)
    for choice in BASE_CHOICES:
        if choice in held:
            return choice
    raise MissingVerdictsError(
        f"regimes need verdicts of {' or '.join(BASE_CHOICES)}, the study holds "
        f"{', '.join(sorted(held)) or 'none'}; run `finassay score STUDY` first"
    )


def choose_judge(scorer_ids: Iterable[str]) -> str | None:
    """Return the judge whose verdicts the regimes use: the first by name, or None."""
    return min((name for name in scorer_ids if name.startswith("judge/")), default=None)


def regime(name: str, *, base: str, judge: str | None) -> Regime:
    """Return the regime of that name.

    Args:
        name: one of `REGIME_NAMES`, or `HUMAN_REGIME`.
        base: scorer id of the string rule (or of the stored verdicts).
        judge: scorer id of the judge; regimes other than strict need one.

    Raises:
        UnknownNameError: there is no such regime.
        MissingVerdictsError: the regime needs a judge and there is none.
    """
    if name not in (*REGIME_NAMES, HUMAN_REGIME):
        raise UnknownNameError(
            f"no regime {name!r}; expected one of {', '.join((*REGIME_NAMES, HUMAN_REGIME))}"
        )
    rule = Imported(name=base)
    if name == HUMAN_REGIME:
        return Regime(
            name=name, composite=FirstScored(parts=(Imported(name=CONSENSUS),)), base=base
        )
    if name == "strict":
        return Regime(name=name, composite=FirstScored(parts=(rule,)), base=base)
    if judge is None:
        raise MissingVerdictsError(
            f"the regime {name!r} needs verdicts of a judge (a scorer id that starts with judge/), "
            f"and the study holds none; import a table of judge verdicts first"
        )
    said = Imported(name=judge)
    composite: Composite = (
        FirstScored(parts=(said,)) if name == "judge-only" else AnyOf(parts=(rule, said))
    )
    return Regime(name=name, composite=composite, base=base)


def available(
    scorer_ids: Sequence[str], *, base: str | None = None, judge: str | None = None
) -> tuple[str, ...]:
    """Return the names of the regimes for which a study with these scorers has verdicts.

    Args:
        scorer_ids: scorers that hold verdicts.
        base: the base that was asked for, if any.
        judge: the judge that was asked for, if any.
    """
    if base is None and not set(scorer_ids) & set(BASE_CHOICES):
        return ()
    people = (HUMAN_REGIME,) if CONSENSUS in scorer_ids else ()
    judged = REGIME_NAMES if judge or choose_judge(scorer_ids) else REGIME_NAMES[:1]
    return judged + people


def require_held(scorer_id: str | None, role: str, scorer_ids: Iterable[str]) -> None:
    """Check that a scorer that was asked for holds verdicts.

    Raises:
        MissingVerdictsError: it does not.
    """
    held = sorted(scorer_ids)
    if scorer_id is not None and scorer_id not in held:
        raise MissingVerdictsError(
            f"the {role} {scorer_id!r} holds no verdicts; the study holds those of "
            f"{', '.join(held) or 'no scorer'}; mark with it or import its verdicts first"
        )
