"""The benchmarks that are shipped with the package.  In: a name.  Out: items.

What they are, how they were made and checked, and their limits stand in `data/README.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal

from finassay.benchmarks.ask.bundled import ASK_BENCHMARK, load_ask_benchmark
from finassay.benchmarks.operations.shelf import BENCHMARK as OPERATIONS
from finassay.benchmarks.operations.shelf import bundled_shelf
from finassay.benchmarks.reading import (
    Record,
    as_record,
    data_text,
    number_of,
    optional_text_of,
    record_from,
    require_keys,
    text_of,
    texts_of,
)
from finassay.errors import InputError, UnknownNameError
from finassay.records import AnswerContract, Item, pairs

_FILES = {"finassay-regqa": "regqa_items.jsonl", "finassay-reglabels": "reglabels_items.jsonl"}

AUDITED: tuple[str, ...] = tuple(_FILES)
"""Bundled benchmarks that `finassay demo` audits by default: answers marked by any rule."""

_TEXTS = ("item_id", "benchmark", "family", "task", "difficulty", "language", "question", "context")
_LISTS = ("contexts", "alternatives", "choices", "documents")
_UNSCORED_TEXTS = ("source", "rationale")
_KEYS = (*_TEXTS, *_LISTS, "reference", "contract", "strata", *_UNSCORED_TEXTS)
_CONTRACT_KEYS = ("type", "unit", "scale", "decimals", "comparator")


def bundled_names() -> tuple[str, ...]:
    """Return the names of the bundled benchmarks of questions; see also `ASK_BENCHMARK`."""
    return (*_FILES, OPERATIONS)


def load_bundled(name: str) -> tuple[Item, ...]:
    """Return the items of a bundled benchmark, ask-or-proceed states too, in the order of its file.

    Raises:
        UnknownNameError: there is no bundled benchmark of that name.
        InputError: the file lacks a key or holds an unknown one; names the file, line and key.

    Example:
        >>> items = load_bundled("finassay-regqa")
        >>> len(items), items[0].item_id, items[0].reference
        (72, 'REG_001', 'at least 4.5%')
    """
    if name == ASK_BENCHMARK:
        return load_ask_benchmark()
    return tuple(item for item, _ in _entries(name))


def bundled_sources(name: str) -> Mapping[str, str]:
    """Return the published rule that each item tells, by item id.

    Raises:
        UnknownNameError: there is no bundled benchmark of that name.
        InputError: the file cannot be read.
    """
    return MappingProxyType({item.item_id: source for item, source in _entries(name)})


@cache
def _entries(name: str) -> tuple[tuple[Item, str], ...]:
    if name == OPERATIONS:
        return tuple((entry.item, entry.source) for entry in bundled_shelf().entries)
    if name not in _FILES:
        raise UnknownNameError(
            f"no bundled benchmark {name!r}; expected one of "
            f"{', '.join((*bundled_names(), ASK_BENCHMARK))}"
        )
    file = _FILES[name]
    return tuple(read_entries(data_text(file), file=file, benchmark=name))


def read_entries(text: str, *, file: str, benchmark: str) -> Iterator[tuple[Item, str]]:
    """Yield (item, source) for each line of a file of bundled items.

    Args:
        text: one JSON object a line.
        file: its name, for messages.
        benchmark: the benchmark that every item must name.

    Raises:
        InputError: a line is not an object with exactly the expected keys, or an id stands twice.
    """
    seen: dict[str, int] = {}
    # Not splitlines(): JSON texts may hold U+2028 and other characters that it splits at.
    for line, content in enumerate(text.removesuffix("\n").split("\n"), start=1):
        where = f"{file}:{line}"
        item, source = _entry(record_from(content, where), where)
        if item.benchmark != benchmark:
            raise InputError(f"{where}: `benchmark` must be {benchmark!r}, got {item.benchmark!r}")
        if item.item_id in seen:
            raise InputError(
                f"{where}: `item_id` {item.item_id!r} stands in line {seen[item.item_id]} already"
                "; give every item an id of its own"
            )
        seen[item.item_id] = line
        yield item, source


def _entry(record: Record, where: str) -> tuple[Item, str]:
    require_keys(record, _KEYS, where)
    text = {key: text_of(record, key, where) for key in (*_TEXTS, *_UNSCORED_TEXTS)}
    lists = {key: texts_of(record, key, where) for key in _LISTS}
    item = Item(
        item_id=text["item_id"],
        benchmark=text["benchmark"],
        family=text["family"],
        task=text["task"],
        difficulty=text["difficulty"],
        language=text["language"],
        question=text["question"],
        context=text["context"],
        contexts=lists["contexts"],
        reference=text_of(record, "reference", where),
        alternatives=lists["alternatives"],
        choices=lists["choices"],
        contract=_contract(as_record(record["contract"], f"{where}: `contract`"), where),
        documents=lists["documents"],
        strata=_strata(as_record(record["strata"], f"{where}: `strata`"), where),
    )
    return item, text["source"]


def _contract(record: Record, where: str) -> AnswerContract:
    place = f"{where}: `contract`"
    require_keys(record, _CONTRACT_KEYS, place)
    decimals = None if record["decimals"] is None else number_of(record, "decimals", place)
    return AnswerContract(
        type=optional_text_of(record, "type", place),
        unit=optional_text_of(record, "unit", place),
        scale=optional_text_of(record, "scale", place),
        decimals=decimals,
        comparator=_comparator(optional_text_of(record, "comparator", place), place),
    )


def _comparator(text: str | None, where: str) -> Literal["ignore", "respect"] | None:
    match text:
        case None | "ignore" | "respect":
            return text
        case _:
            raise InputError(
                f"{where}: `comparator` must be 'ignore', 'respect' or null, got {text!r}"
            )


def _strata(record: Record, where: str) -> tuple[tuple[str, str], ...]:
    return pairs({key: text_of(record, key, f"{where}: `strata`") for key in record})
