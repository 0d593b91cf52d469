"""Checking contracts whole.  In: a path.  Out: every problem with contracts, items and parsers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from finassay.benchmarks.operations.checks import check_items
from finassay.benchmarks.operations.contract import OperationContract
from finassay.benchmarks.operations.items import OperationItem
from finassay.benchmarks.operations.problems import ContractProblem, quoted
from finassay.benchmarks.operations.shelf import ITEMS_SUFFIX, ShelfFile, contract_files, read_file
from finassay.errors import SpecError, UnknownNameError
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.operations.contract import mark_under, scorer_of
from finassay.scorers.operations.variants import (
    Variant,
    harmless_variants,
    malformed_variants,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedContract:
    """What was checked of one contract.

    Attributes:
        file: name of its file.
        contract: its name, "" where it cannot be used.
        version: its version.
        digest: digest of everything it says, "" where it cannot be used.
        items: items that can be used.
        items_read: items that were read.
        variants: replies on which its parser was tried.
    """

    file: str
    contract: str
    version: str
    digest: str
    items: int
    items_read: int
    variants: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractCheck:
    """What a check of contracts found.

    Attributes:
        contracts: what was checked.
        problems: what is wrong, by file and line.
    """

    contracts: tuple[CheckedContract, ...]
    problems: tuple[ContractProblem, ...]

    @property
    def errors(self) -> int:
        """How many problems are errors."""
        return sum(problem.severity == "error" for problem in self.problems)

    def to_lines(self) -> list[str]:
        """Return the check in plain lines."""
        lines = [problem.to_line() for problem in self.problems]
        lines += [
            f"{one.contract or one.file}: {one.items} of {one.items_read} items can be used, "
            f"parser tried on {one.variants} replies"
            for one in self.contracts
        ]
        warnings = len(self.problems) - self.errors
        counts = f"errors: {self.errors}, warnings: {warnings}"
        return [*lines, f"contracts: {len(self.contracts)}, {counts}"]


def check_contracts(path: str | Path) -> ContractCheck:
    """Return what is wrong with the contracts at a path, with their items and with their parsers.

    Args:
        path: a contract, or a folder of them; items stand beside each in NAME.jsonl.

    Raises:
        InputError: there is no contract, or a file cannot be read at all.
    """
    contracts: list[CheckedContract] = []
    problems: list[ContractProblem] = []
    for file in contract_files(path):
        checked, found = _checked(read_file(file))
        contracts.append(checked)
        problems += found
    return ContractCheck(contracts=tuple(contracts), problems=tuple(problems))


def _checked(read: ShelfFile) -> tuple[CheckedContract, list[ContractProblem]]:
    problems = list(read.problems)
    contract = read.contract
    tried = 0
    if contract is not None:
        items_file = f"{Path(read.file).stem}{ITEMS_SUFFIX}"
        unusable = _scorer_problem(contract, read.file)
        problems += unusable
        problems += check_items(contract, read.entries, file=items_file)
        if not unusable:
            for entry in read.entries:
                trials = list(_trials(contract, entry.item))
                tried += len(trials)
                problems += _misread(entry, items_file, trials)
    return (
        CheckedContract(
            file=read.file,
            contract=contract.name if contract else "",
            version=contract.version if contract else "",
            digest=contract.digest if contract else "",
            items=len(read.entries),
            items_read=read.items_read,
            variants=tried,
        ),
        problems,
    )


def _scorer_problem(contract: OperationContract, file: str) -> list[ContractProblem]:
    try:
        scorer_of(contract)
    except (UnknownNameError, SpecError) as error:
        return [
            ContractProblem(
                file=file,
                line=1,
                field="scoring.scorer",
                expected="a scorer that is installed",
                got=quoted(contract.scoring.scorer),
                advice=str(error),
            )
        ]
    return []


Trial = tuple[Variant, bool, Verdict]
"""A variant of the reference, whether it must be read as it, and what the contract says."""


def _trials(contract: OperationContract, item: Item) -> Iterator[Trial]:
    kind = contract.artifact.kind
    for is_harmless, variants in (
        (True, harmless_variants(kind, item)),
        (False, malformed_variants(kind, item)),
    ):
        for variant in variants:
            prediction = Prediction(text=variant.text, finish="stop")
            yield variant, is_harmless, mark_under(contract, item=item, prediction=prediction)


def _misread(entry: OperationItem, file: str, trials: list[Trial]) -> Iterator[ContractProblem]:
    """Yield a problem for each variant that the contract does not read as it must."""
    for variant, is_harmless, verdict in trials:
        if is_harmless and verdict.value == 1.0:
            continue
        if not is_harmless and not verdict.is_scored:
            continue
        expected = "the reference read in this form" if is_harmless else "a malformed reply unread"
        advice = "write the reference in another form, or choose another scorer or kind"
        yield ContractProblem(
            file=file,
            line=entry.line,
            field=f"parser ({variant.name})",
            expected=expected,
            got=f"{verdict.status} {verdict.value} for {quoted(variant.text)}",
            advice=advice,
            item_id=entry.item.item_id,
        )
