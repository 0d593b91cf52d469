"""Which family is knowledge and which an operation.  In: items or column names.  Out: layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from finassay.errors import UsageError
from finassay.records import Item

KNOWLEDGE = "knowledge"
LAYERS = (KNOWLEDGE, "processing", "review")

LAYER_STRATUM = "layer"
"""Stratum of an item that names its layer, where no contract does."""

PUBLISHED_LAYERS: Mapping[str, str] = MappingProxyType(
    {
        "case classification": "processing",
        "information extraction": "processing",
        "institution matching": "processing",
        "person matching": "processing",
        "quantitative reasoning": "processing",
        "risk classification": "review",
        "legal outcome prediction": "review",
        "provision selection": "review",
        "legal judgment generation": "review",
        "decision view generation": "review",
        "disputed issue generation": "review",
    }
)
"""The eleven operations of FinRiskAtlas (arXiv 2608.25325, table 7) and their layers."""

PUBLISHED_JUDGED = (
    "legal judgment generation",
    "decision view generation",
    "disputed issue generation",
)
"""Operations of FinRiskAtlas that a system judged."""

PUBLISHED_EVALUATOR = "DeepSeek-V4-Flash"
"""The system that judged them."""


def plain(name: str) -> str:
    """Return a name in lower case with single spaces for anything that is no letter or digit."""
    return " ".join("".join(c if c.isalnum() else " " for c in name.casefold()).split())


def published_layers(names: Sequence[str]) -> dict[str, str]:
    """Return the layers of the names that are operations of FinRiskAtlas, however spelled."""
    return {
        name: PUBLISHED_LAYERS[plain(name)] for name in names if plain(name) in PUBLISHED_LAYERS
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """The items of a study by what they measure.

    Attributes:
        knowledge: knowledge families, in order of appearance.
        operations: operations, by layer, then in order of appearance.
        layers: operation -> layer; "" where it is not known.
        of_item: group of each item; "" for items that are left out.
    """

    knowledge: tuple[str, ...]
    operations: tuple[str, ...]
    layers: Mapping[str, str]
    of_item: tuple[str, ...]


def groups_of(
    items: Sequence[Item],
    *,
    layers: Mapping[str, str] | None = None,
    knowledge: Sequence[str] = (),
    operations: Sequence[str] = (),
) -> Groups:
    """Return which items are knowledge and which an operation.

    The group of an item is its contract where `layers` knows it, else its family.  Its layer is
    what is named here, else that of `layers`, else its stratum `layer`, else that of the operation
    of FinRiskAtlas with its name.  What has no layer is an operation.

    Args:
        items: every item.
        layers: contract or family -> layer.
        knowledge: families that are knowledge, whatever is known of them.
        operations: operations to look at; all by default.

    Raises:
        UsageError: a name is no group, a layer does not exist, or a side is empty.
    """
    known = dict(layers or {})
    wrong = sorted({layer for layer in known.values() if layer not in LAYERS})
    if wrong:
        raise UsageError(f"a layer must be one of {LAYERS}, got {wrong[0]!r}")
    names = [_group(item, known) for item in items]
    found: dict[str, str] = {}
    for item, name in zip(items, names, strict=True):
        if name and name not in found:
            found[name] = KNOWLEDGE if name in knowledge else _layer(item, name, known)
    for asked in (*knowledge, *operations):
        if asked not in found:
            raise UsageError(
                f"no family or contract is called {asked!r}; there are: {', '.join(sorted(found))}"
            )
    broad = tuple(name for name, layer in found.items() if layer == KNOWLEDGE)
    used = tuple(
        sorted(
            (
                name
                for name, layer in found.items()
                if layer != KNOWLEDGE and (not operations or name in operations)
            ),
            key=lambda name: LAYERS.index(found[name]) if found[name] else len(LAYERS),
        )
    )
    if not broad or not used:
        raise UsageError(
            f"selection needs knowledge families and operations, got {len(broad)} and {len(used)} "
            f"among {', '.join(sorted(found)) or 'no family'}; name families that are knowledge "
            f"with --knowledge"
        )
    kept = {*broad, *used}
    return Groups(
        knowledge=broad,
        operations=used,
        layers={name: found[name] for name in used},
        of_item=tuple(name if name in kept else "" for name in names),
    )


def _group(item: Item, known: Mapping[str, str]) -> str:
    return item.contract_id if item.contract_id in known else item.family


def _layer(item: Item, name: str, known: Mapping[str, str]) -> str:
    said = known.get(name) or dict(item.strata).get(LAYER_STRATUM, "")
    return said if said in LAYERS else PUBLISHED_LAYERS.get(plain(name), "")
