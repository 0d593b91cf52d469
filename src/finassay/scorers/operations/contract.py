"""The rule that asks the contract.  In: an item under a contract.  Out: the contract's verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from finassay.benchmarks.operations.contract import CLOSED_KINDS, OperationContract
from finassay.benchmarks.operations.shelf import Shelf, bundled_shelf, open_shelf
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Scorer, Traced, gate
from finassay.scorers.operations.artifacts import read_artifact
from finassay.scorers.operations.closed import Closed
from finassay.scorers.registry import load_scorer

RULE_VERSION = "1"
"""Version of the reading itself; the contracts' digest is added to it."""

MALFORMED = "malformed"
"""Flag of a verdict on a reply that is not in the form that its contract asks for."""


class _Version:
    """The version of the rule: of the reading, of the contracts together, and their digest.

    The versions of the contracts are added up, so that raising one of them makes a newer version.
    """

    def __get__(self, rule: UnderContract | None, owner: type[UnderContract]) -> str:
        shelf = shelf_at("" if rule is None else rule.path)
        raised = sum(int(one.version) for one in shelf.contracts.values())
        return f"{RULE_VERSION}.{raised}.{shelf.digest[:12]}"


@dataclass(frozen=True, kw_only=True)
class UnderContract:
    """`contract`: marks each item as its contract says, so that one table holds many families.

    The contract is the one that `Item.contract_id` names, or `Item.task` where it names none.  A
    reply in a form that the contract does not allow is unparsed: it counts as wrong where the
    policy for verdicts without a value is "wrong", and "exclude" gives the score over valid ones.

    Attributes:
        path: a contract or a folder of them; "" for those that ship.
    """

    path: str = ""

    name: ClassVar[str] = "contract"
    version = _Version()

    def score(self, *, item: Item, prediction: Prediction) -> Verdict:
        """Return the verdict of the item's contract."""
        contract = contract_of(item, shelf_at(self.path))
        if contract is None:
            named = item.contract_id or item.task or "none"
            reason = f"no contract for this item (it names {named!r})"
            return Verdict(status="not_applicable", reason=reason)
        return mark_under(contract, item=item, prediction=prediction)

    def trace(self, *, item: Item, prediction: Prediction) -> tuple[tuple[str, str], ...]:
        """Return the contract, the artifact that was read, and the steps of its scorer."""
        contract = contract_of(item, shelf_at(self.path))
        if contract is None:
            return ()
        artifact = read_artifact(contract.artifact.kind, prediction.text, item)
        scorer = scorer_of(contract)
        told = (
            ("contract", f"{contract.name}, version {contract.version}, {contract.digest[:12]}"),
            (contract.artifact.kind.replace("_", " "), artifact or "malformed"),
            ("scorer", contract.scoring.scorer),
        )
        if artifact is None or not isinstance(scorer, Traced):
            return told
        read = replace(prediction, text=artifact)
        return (*told, *scorer.trace(item=item, prediction=read))


def mark_under(contract: OperationContract, *, item: Item, prediction: Prediction) -> Verdict:
    """Return the verdict of a contract on a prediction: the form is read first, then marked."""
    stopped = gate(item=item, prediction=prediction, published=False)
    if stopped is not None:
        return stopped
    artifact = read_artifact(contract.artifact.kind, prediction.text, item)
    if artifact is None:
        return _malformed(contract)
    marked = scorer_of(contract).score(item=item, prediction=replace(prediction, text=artifact))
    if marked.status == "unparsed":
        marked = replace(marked, flags=(*marked.flags, MALFORMED))
    return replace(marked, reason=f"{contract.name}: {marked.reason}")


def _malformed(contract: OperationContract) -> Verdict:
    return Verdict(
        status="unparsed",
        flags=(MALFORMED,),
        reason=f"{contract.name}: the reply is no {contract.artifact.kind} in the form asked for "
        f"({contract.artifact.schema})",
    )


def contract_of(item: Item, shelf: Shelf) -> OperationContract | None:
    """Return the contract of an item: by its contract id, else by its task."""
    found = shelf.contracts.get(item.contract_id)
    return shelf.contracts.get(item.task) if found is None and not item.contract_id else found


@lru_cache(maxsize=32)
def shelf_at(path: str) -> Shelf:
    """Return the contracts at a path, read once; "" names those that ship.

    Raises:
        InputError: they cannot be used.
    """
    return open_shelf(path) if path else bundled_shelf()


@lru_cache(maxsize=512)
def scorer_of(contract: OperationContract) -> Scorer:
    """Return the scorer that a contract names, with the contract's wordings of labels.

    Raises:
        UnknownNameError: there is no such scorer.
        SpecError: its parameters cannot be used.
    """
    scorer = load_scorer(contract.scoring.scorer)
    if isinstance(scorer, Closed) and contract.artifact.kind in CLOSED_KINDS:
        wordings = (f"{label}={'|'.join(others)}" for label, others in contract.artifact.labels)
        return replace(scorer, wordings=(*scorer.wordings, *wordings))
    return scorer
