r"""Texts that no table can hold.  In: blocks.  Out: blocks in which every text is Unicode.

JSON can write half of a surrogate pair ("\ud800"), which UTF-8 cannot: it becomes U+FFFD.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TypeVar, cast

from finassay.runs.importers._json import is_writable
from finassay.runs.importers.logs.base import Block, Sample, Unreadable

Kept = TypeVar("Kept")


def whole_block(block: Block | Unreadable) -> Block | Unreadable:
    """Return a block whose texts can all be written; the same one where they can already."""
    if isinstance(block, Unreadable):
        return _mended(block)
    samples = block.samples
    if not all(map(_is_whole_sample, samples)):
        samples = tuple(one if _is_whole_sample(one) else _mended(one) for one in samples)
    return replace(_mended(replace(block, samples=())), samples=samples)


def _is_whole_sample(sample: Sample) -> bool:
    # One look at all texts together: there are millions of samples, and nearly all are whole.
    parts = [sample.text, sample.item_id, sample.reasoning, sample.tool_extracted or ""]
    parts += sample.flags
    for scorer_id, verdict in sample.marks:
        parts += (scorer_id, verdict.extracted or "", verdict.reason, verdict.label or "")
    item = sample.item
    if item is not None:
        parts += (item.item_id, item.question, item.context, item.reference or "", item.family)
        parts += (item.task, item.split, item.difficulty, item.language)
        parts += (*item.choices, *item.alternatives, *item.contexts, *item.documents)
        for pair in item.strata:
            parts += pair
    return is_writable("".join(parts))


def _mended(value: Kept) -> Kept:
    """Return a record, a sequence or a text with what cannot be written as U+FFFD."""
    return cast("Kept", _mend(value))


def _mend(value: object) -> object:
    if isinstance(value, str):
        if is_writable(value):
            return value
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, tuple):
        parts = [_mend(one) for one in value]
        # A named tuple is made of its parts, a plain one of a sequence.
        make = getattr(type(value), "_make", tuple)
        return cast("object", make(parts))
    if isinstance(value, list):
        return [_mend(one) for one in value]
    if is_dataclass(value) and not isinstance(value, type):
        changed = {f.name: _mend(getattr(value, f.name)) for f in fields(value) if f.init}
        return replace(value, **changed)
    return value
