"""Checks of items under a contract.  In: a contract and its items.  Out: problems with lines.

What is checked is what can be seen without a scorer: that the reference has the form that the
contract asks for, that it is supported by what the item shows and not given away by it, and that
no two items are nearly the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations

from finassay.benchmarks.operations.contract import CLOSED_KINDS, OperationContract
from finassay.benchmarks.operations.items import OperationItem
from finassay.benchmarks.operations.problems import ContractProblem, Severity, quoted
from finassay.benchmarks.operations.shelf import field_names, field_values
from finassay.text.answer_parts import bare_lines, plain_form
from finassay.text.canonical_provisions import canonical_provisions
from finassay.text.choices import options_of, read_reference
from finassay.text.quantities import read_quantities

NEAR = 0.85
"""Share of common five-character pieces from which two inputs are nearly the same."""

NEAR_OF_ONE_SOURCE = 0.6
"""The same for two items that were made from one document."""

_PIECE = 5
_DIGITS = re.compile(r"\d+")
_SPACES = re.compile(r"\s+")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def check_items(
    contract: OperationContract, entries: Sequence[OperationItem], *, file: str
) -> tuple[ContractProblem, ...]:
    """Return what is wrong with the items of a contract, in the order of their lines.

    Args:
        contract: the contract.
        entries: its items.
        file: name of their file, for messages.
    """
    found = [
        _problem(file, entry, finding) for entry in entries for finding in _of(contract, entry)
    ]
    found += [_problem(file, entry, finding) for entry, finding in _alike(entries)]
    return tuple(sorted(found, key=lambda problem: problem.line))


Finding = tuple[Severity, str, str, str, str]
"""Severity, field, expected, got, advice."""


def _problem(file: str, entry: OperationItem, finding: Finding) -> ContractProblem:
    severity, field, expected, got, advice = finding
    return ContractProblem(
        file=file,
        line=entry.line,
        field=field,
        expected=expected,
        got=got,
        advice=advice,
        severity=severity,
        item_id=entry.item.item_id,
    )


def _of(contract: OperationContract, entry: OperationItem) -> Iterator[Finding]:
    yield from _shown(contract, entry)
    yield from _form(contract, entry)
    yield from _evidence(contract, entry)
    yield from _leaks(contract, entry)


def _shown(contract: OperationContract, entry: OperationItem) -> Iterator[Finding]:
    """Yield parts of an item that the information regime does not name, or names in vain."""
    item, regime = entry.item, set(contract.information.fields)
    filled = {
        "context": bool(item.context),
        "contexts": bool(item.contexts),
        "question": True,
        "choices": bool(item.choices),
    }
    for field, is_filled in filled.items():
        if is_filled and field not in regime:
            advice = "add it to information.fields or remove it from the item"
            yield "error", field, "a part that the contract shows", "another part", advice
        elif field in regime and not is_filled:
            yield "error", field, "the part that the contract shows", "nothing", "fill it in"


def _form(contract: OperationContract, entry: OperationItem) -> Iterator[Finding]:
    """Yield a reference that is not of the contract's kind."""
    expected = _expected_form(contract, entry)
    if expected:
        got = quoted(entry.item.reference)
        yield "error", "reference", expected, got, "write it as the contract asks"


def _expected_form(contract: OperationContract, entry: OperationItem) -> str:
    """Return the form that a reference should have and has not, or ""."""
    item, kind = entry.item, contract.artifact.kind
    reference = item.reference or ""
    if kind in CLOSED_KINDS:
        known = {plain_form(choice) for choice in item.choices}
        return "" if plain_form(reference) in known else f"one of {', '.join(item.choices)}"
    if kind in {"option", "option_set"}:
        labels = read_reference(reference, options_of(tuple(dict.fromkeys(item.choices))))
        wants_one = kind == "option"
        is_right = bool(labels) and (not wants_one or len(labels or ()) == 1)
        return "" if is_right else f"{'one option' if wants_one else 'options'} of the item"
    if kind == "ordered_fields":
        return "" if field_names(reference) else "a JSON object of the requested fields"
    if kind == "number":
        return "" if read_quantities(reference) else "a quantity"
    if kind == "provision_set":
        candidates = {one for text in item.choices for one in canonical_provisions(text)[:1]}
        read = set(canonical_provisions(reference))
        return "" if read and read <= candidates else "provisions among the candidates"
    return "" if bare_lines(reference) else "one key point a line"


def _evidence(contract: OperationContract, entry: OperationItem) -> Iterator[Finding]:
    """Yield references that nothing shown supports, and quotations that are not shown."""
    folded = _folded(entry.visible)
    for quote in entry.evidence:
        if _folded(quote) not in folded:
            got, advice = quoted(quote), "quote it as it stands there"
            yield "error", "evidence", "words of the visible input", got, advice
    if contract.artifact.kind == "ordered_fields":
        passages = _folded(entry.passages)
        for name, value in field_values(entry.item.reference or ""):
            if _folded(value) not in passages:
                got, advice = quoted(value), "copy the value as the record has it"
                yield "error", f"reference.{name}", "words of the record", got, advice
    elif contract.layer != "knowledge" and not entry.evidence:
        advice = "quote the words that the reference rests on"
        yield "error", "evidence", "a quotation of the input, or more", "none", advice


def _leaks(contract: OperationContract, entry: OperationItem) -> Iterator[Finding]:
    """Yield an answer that the evidence gives away, for kinds where it should not."""
    given = _given_away(contract, entry)
    if given:
        advice = "reword the evidence; the answer must be worked out"
        yield "error", "context", "evidence without the answer", f"the answer {given!r}", advice


def _given_away(contract: OperationContract, entry: OperationItem) -> str:
    kind, reference = contract.artifact.kind, entry.item.reference or ""
    passages = plain_form(entry.passages)
    if kind in {"label", "decision_label"}:
        return reference if _stands_in(plain_form(reference), passages) else ""
    if kind == "number":
        return reference if _figures(reference) & _figures(entry.passages) else ""
    if kind == "rubric_text":
        points = (line for line in bare_lines(reference) if len(line) > 20)
        return next((point for point in points if plain_form(point) in passages), "")
    return ""


def _stands_in(word: str, text: str) -> bool:
    return bool(word) and bool(re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text))


def _figures(text: str) -> set[Decimal]:
    return {Decimal(found.replace(",", "")) for found in _NUMBER.findall(text)}


def _alike(entries: Sequence[OperationItem]) -> Iterator[tuple[OperationItem, Finding]]:
    """Yield each item that is nearly an earlier one, with what they share."""
    inputs = [_own_input(entry) for entry in entries]
    pieces = [_pieces(text) for text in inputs]
    templates = [_DIGITS.sub("0", text) for text in inputs]
    for first, second in combinations(range(len(entries)), 2):
        one, other = entries[first], entries[second]
        shared = _jaccard(pieces[first], pieces[second])
        same_source = bool(one.source_id) and one.source_id == other.source_id
        name = one.item.item_id
        if inputs[first] == inputs[second]:
            what = f"the input of {name}"
        elif templates[first] == templates[second]:
            what = f"the input of {name} with other figures"
        elif shared >= (NEAR_OF_ONE_SOURCE if same_source else NEAR):
            of_one = f" and its source {one.source_id!r}" if same_source else ""
            what = f"{shared:.0%} of the input of {name}{of_one}"
        else:
            continue
        expected, advice = "an input of its own", "rewrite or remove one of the two"
        yield other, ("error", "context", expected, what, advice)


def _own_input(entry: OperationItem) -> str:
    """Return what an item shows and other items of the family do not need to: no choices."""
    shown = entry.passages.strip() or "\n".join((entry.asked, *entry.item.choices))
    return _folded(f"{shown}\n{entry.asked}" if entry.passages.strip() else shown)


def _pieces(text: str) -> frozenset[str]:
    return frozenset(text[at : at + _PIECE] for at in range(max(1, len(text) - _PIECE + 1)))


def _jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    return len(left & right) / len(left | right)


def _folded(text: str) -> str:
    """Return a text without spaces and marks, for a search that depends on neither."""
    return re.sub(r"[\W_]+", "", _SPACES.sub("", plain_form(text)))
