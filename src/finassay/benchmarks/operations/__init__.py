"""Operation contracts: what a family measures, from what, and how an answer is marked.

In: YAML files of contracts and JSON Lines of items.  Out: frozen records, or every problem found.
"""

from finassay.benchmarks.operations.contract import (
    CLOSED_KINDS,
    KINDS,
    LAYERS,
    Artifact,
    Criterion,
    Information,
    Kind,
    Layer,
    OperationContract,
    Scoring,
)
from finassay.benchmarks.operations.items import OperationItem
from finassay.benchmarks.operations.problems import ContractProblem
from finassay.benchmarks.operations.shelf import (
    BENCHMARK,
    Shelf,
    bundled_shelf,
    layers,
    open_shelf,
)

__all__ = [
    "BENCHMARK",
    "CLOSED_KINDS",
    "KINDS",
    "LAYERS",
    "Artifact",
    "ContractProblem",
    "Criterion",
    "Information",
    "Kind",
    "Layer",
    "OperationContract",
    "OperationItem",
    "Scoring",
    "Shelf",
    "bundled_shelf",
    "layers",
    "open_shelf",
]
