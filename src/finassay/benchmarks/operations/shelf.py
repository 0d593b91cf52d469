"""Contracts with their items.  In: a folder.  Out: a shelf: contracts by name, and their items.

A contract stands in `NAME.yaml` and its items beside it in `NAME.jsonl`.  The shelf that ships
holds eleven review operations and some families of knowledge.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from finassay.benchmarks.operations.contract import Layer, OperationContract
from finassay.benchmarks.operations.items import ItemReader, OperationItem
from finassay.benchmarks.operations.problems import ContractProblem, refuse
from finassay.benchmarks.operations.schema import contract_text, read_contract
from finassay.errors import InputError
from finassay.records import content_digest

if TYPE_CHECKING:
    from finassay.study import Study

BENCHMARK = "finassay-operations"
"""Name of the bundled benchmark of operations."""

SUFFIX, ITEMS_SUFFIX = ".yaml", ".jsonl"


@dataclass(frozen=True)
class Shelf:
    """Contracts by name, and their items in order.

    Attributes:
        contracts: the contracts, sorted by name.
        entries: the items of all contracts, by contract and in the order of their files.
    """

    contracts: Mapping[str, OperationContract]
    entries: tuple[OperationItem, ...]

    @cached_property
    def digest(self) -> str:
        """Digest of all contracts; it changes when any of them does."""
        return content_digest(*(one.digest for one in self.contracts.values()))

    def of(self, contract: str) -> tuple[OperationItem, ...]:
        """Return the items of one contract."""
        return tuple(one for one in self.entries if one.item.contract_id == contract)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfFile:
    """What was read of one contract and its items.

    Attributes:
        file: name of the contract's file.
        contract: the contract, None where it cannot be used.
        entries: items that can be used.
        problems: what is wrong with either.
        items_read: lines of the items file that were tried; 0 where there is none.
    """

    file: str
    contract: OperationContract | None
    entries: tuple[OperationItem, ...]
    problems: tuple[ContractProblem, ...]
    items_read: int


def read_file(path: Path, benchmark: str = BENCHMARK) -> ShelfFile:
    """Return a contract and the items beside it, with every problem.

    Raises:
        InputError: a file cannot be read at all.
    """
    contract, problems = read_contract(contract_text(path), file=path.name)
    beside = path.with_suffix(ITEMS_SUFFIX)
    if contract is None or not beside.is_file():
        return ShelfFile(
            file=path.name, contract=contract, entries=(), problems=problems, items_read=0
        )
    text = contract_text(beside)
    reader = ItemReader(contract, beside.name, benchmark)
    entries = reader.read(text) if text.strip() else ()
    return ShelfFile(
        file=path.name,
        contract=contract,
        entries=entries,
        problems=(*problems, *reader.problems),
        items_read=len(text.strip().split("\n")) if text.strip() else 0,
    )


def contract_files(path: str | Path) -> tuple[Path, ...]:
    """Return the contracts at a path: the file itself, or those of the folder, sorted by name.

    Raises:
        InputError: there is no contract.
    """
    place = Path(path)
    found = sorted(place.glob(f"*{SUFFIX}")) if place.is_dir() else [place] * place.is_file()
    if not found:
        raise InputError(
            f"{str(place)!r}: expected a contract or a folder of them (*{SUFFIX}), found none; "
            f"write one with `finassay contract new NAME`"
        )
    return tuple(found)


def open_shelf(path: str | Path, *, benchmark: str = BENCHMARK) -> Shelf:
    """Return the shelf of a contract or of a folder of them.

    Args:
        path: a contract, or a folder of them.
        benchmark: the benchmark that the items belong to.

    Raises:
        InputError: there is no contract, or something cannot be used, with every problem.
    """
    return _shelf(read_file(file, benchmark) for file in contract_files(path))


def load_items(study: Study, path: str | Path, *, benchmark: str) -> Shelf:
    """Put the items of contracts into a study, replacing those of the benchmark, and return them.

    Args:
        study: an open study.
        path: a contract, or a folder of them.
        benchmark: name of the benchmark.

    Raises:
        InputError: there is no contract, something cannot be used, or there are no items.
        KeyClashError: another benchmark of the study has an item of the same id.
    """
    shelf = open_shelf(path, benchmark=benchmark)
    if not shelf.entries:
        raise InputError(
            f"{str(path)!r}: the contracts have no items; expected NAME{ITEMS_SUFFIX} beside "
            f"NAME{SUFFIX}"
        )
    study.add_items([entry.item for entry in shelf.entries], benchmark=benchmark)
    return shelf


@cache
def bundled_shelf() -> Shelf:
    """Return the shelf that is shipped with the package.

    Raises:
        InputError: the installation lacks it.
    """
    return open_shelf(bundled_folder())


def bundled_folder() -> Path:
    """Return the folder of the contracts that are shipped."""
    return Path(str(files("finassay.benchmarks") / "data" / "operations"))


def _shelf(read: Iterable[ShelfFile]) -> Shelf:
    found = list(read)
    refuse(problem for one in found for problem in one.problems)
    contracts: dict[str, OperationContract] = {}
    for one in found:
        if one.contract is None:
            continue
        if one.contract.name in contracts:
            raise InputError(
                f"{one.file}: the contract {one.contract.name!r} stands in another file of the "
                f"folder too; rename one of them"
            )
        contracts[one.contract.name] = one.contract
    return Shelf(
        contracts=MappingProxyType(dict(sorted(contracts.items()))),
        entries=tuple(entry for one in found for entry in one.entries),
    )


def layers(shelf: Shelf | None = None) -> Mapping[str, Layer]:
    """Return the layer of each family, by its name, which is the contract's.

    Families of the layers "processing" and "review" are operations.

    Args:
        shelf: the contracts; those that are shipped by default.

    Example:
        >>> layers()["legal-outcome"]
        'review'
    """
    contracts = (shelf or bundled_shelf()).contracts
    return MappingProxyType({name: one.layer for name, one in contracts.items()})


def field_names(reference: str) -> tuple[str, ...]:
    """Return the names of the fields of a reference that is a JSON object, in order."""
    return tuple(name for name, _ in field_values(reference))


def field_values(reference: str) -> tuple[tuple[str, str], ...]:
    """Return (name, value) of the fields of a reference that is a JSON object, in order."""
    try:
        read = json.loads(reference)
    except (ValueError, RecursionError):
        return ()
    if not isinstance(read, dict):
        return ()
    return tuple((str(name), str(value)) for name, value in read.items())
