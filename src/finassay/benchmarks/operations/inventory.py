"""What a shelf of contracts holds.  In: contracts and items.  Out: counts by layer and group."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from finassay.benchmarks.operations.contract import LAYERS, Kind, Layer, OperationContract
from finassay.benchmarks.operations.shelf import Shelf

_LAYER_TITLES = {
    "knowledge": "domain knowledge",
    "processing": "evidence-grounded processing",
    "review": "applied review",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyEntry:
    """One family of items and its contract.

    Attributes:
        contract: name of the contract and of the family.
        title: what people call it.
        layer: where it stands in a review.
        group: group of families within the layer.
        kind: what a system hands in.
        scorer: id of the scorer.
        judge: id of the judge, "" where none is needed.
        version: version of the contract.
        digest: digest of everything that it says.
        items: how many items it has.
        languages: (language, items).
        difficulties: (difficulty, items).
    """

    contract: str
    title: str
    layer: Layer
    group: str
    kind: Kind
    scorer: str
    judge: str
    version: str
    digest: str
    items: int
    languages: tuple[tuple[str, int], ...]
    difficulties: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractInventory:
    """The contracts of a shelf, by layer and group.

    Attributes:
        families: the families, by layer, group and name.
        items: items of all families.
        digest: digest of all contracts together.
    """

    families: tuple[FamilyEntry, ...]
    items: int
    digest: str

    def to_lines(self) -> list[str]:
        """Return the inventory in plain lines: layers, groups, families."""
        lines: list[str] = []
        for layer in LAYERS:
            held = [one for one in self.families if one.layer == layer]
            if not held:
                continue
            count = sum(one.items for one in held)
            lines.append(f"{_LAYER_TITLES[layer]}: {len(held)} families, {count} items")
            for group in dict.fromkeys(one.group for one in held):
                lines.append(f"  {group}")
                lines += [_line(one) for one in held if one.group == group]
        return [*lines, f"{self.items} items; contracts {self.digest[:12]}"]


def _line(one: FamilyEntry) -> str:
    spoken = ", ".join(f"{count} {language}" for language, count in one.languages)
    return (
        f"    {one.contract} {one.version} ({one.kind}, {one.scorer}): {one.items} items"
        f"{f' ({spoken})' if spoken else ''}, {one.digest[:12]}"
    )


def inventory_of(shelf: Shelf) -> ContractInventory:
    """Return what a shelf holds."""
    families = sorted(
        (_entry(contract, shelf) for contract in shelf.contracts.values()),
        key=lambda one: (LAYERS.index(one.layer), one.group, one.contract),
    )
    return ContractInventory(
        families=tuple(families), items=len(shelf.entries), digest=shelf.digest
    )


def _entry(contract: OperationContract, shelf: Shelf) -> FamilyEntry:
    items = [entry.item for entry in shelf.of(contract.name)]
    return FamilyEntry(
        contract=contract.name,
        title=contract.title,
        layer=contract.layer,
        group=contract.group,
        kind=contract.artifact.kind,
        scorer=contract.scoring.scorer,
        judge=contract.scoring.judge,
        version=contract.version,
        digest=contract.digest,
        items=len(items),
        languages=tuple(sorted(Counter(item.language for item in items).items())),
        difficulties=tuple(sorted(Counter(item.difficulty for item in items).items())),
    )
