"""Rules that stand beside candidates in a calibration.  In: nothing.  Out: families and gaps."""

from __future__ import annotations

from collections.abc import Sequence

from finassay.errors import FinassayError
from finassay.marking.grids import Family, family_of
from finassay.records import Item, Prediction
from finassay.scorers.registry import load_scorer, scorer_names

PUBLISHED: tuple[str, ...] = (
    "strict/numbers-first",
    "strict/fuzzy-first",
    "strict/as-stated",
    'exact[normaliser="words"]',
    "quasi_exact",
    "includes",
    "peer/any-number",
    "peer/last-numbers",
    "peer/answered",
    'peer/answered[phrases="any"]',
    "peer/inspect-match",
    "peer/inspect-match[numeric=true]",
    'peer/inspect-match[location="any",numeric=true]',
    "peer/inspect-includes",
    "math_verify",
)
"""Published and plain rules, taken as they are."""

FEATURES: tuple[str, ...] = (
    "number_set",
    "token_f1",
    "token_set",
    "token_sort",
    "partial",
    "rouge",
    "bleu",
    "chrf",
    "meteor",
    "meteor-nowordnet",
)
"""Rules that rest on a single feature; each has its own fields chosen as the candidates' are."""


PEERS = (*PUBLISHED, *FEATURES)
"""What stands beside the candidates by default.

`embedding` is not among them: it takes longer than all others together.
"""


def peer_families(
    names: Sequence[str] = PEERS,
) -> tuple[tuple[Family, ...], tuple[tuple[str, str], ...]]:
    """Return the peers that can be computed here, and (peer, why not) for the others.

    Published rules are taken as they are; all others have their fields chosen, as candidates do.
    """
    found: list[Family] = []
    absent: list[tuple[str, str]] = []
    for scorer_id in dict.fromkeys(names):
        if scorer_id.partition("[")[0] not in scorer_names():
            absent.append((scorer_id, "not among the installed scorers"))
            continue
        try:
            found.append(_family(scorer_id))
        except FinassayError as error:
            absent.append((scorer_id, str(error)))
    return tuple(found), tuple(absent)


def _family(scorer_id: str) -> Family:
    """Return the family of a peer, tried on one reply so that what it needs is known to be there.

    Raises:
        FinassayError: a package that it needs is missing.
    """
    scorer = load_scorer(scorer_id)
    scorer.score(item=Item(item_id="", reference="1"), prediction=Prediction(text="1"))
    return family_of(scorer, {} if scorer_id in PUBLISHED else None, is_peer=True)
