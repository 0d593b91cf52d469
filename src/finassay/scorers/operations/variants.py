"""The same answer in other forms, and answers in no form.  In: an item.  Out: named texts.

A parser that is fair to systems reads every harmless form of one answer as that answer, and takes
none of the malformed ones for an answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from finassay.benchmarks.operations.contract import CLOSED_KINDS, Kind
from finassay.benchmarks.operations.shelf import field_values
from finassay.records import Item
from finassay.text.answer_parts import bare_lines

_WIDE: Mapping[int, int] = {code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000}
_WORDS = {
    "en": {
        "answer": "Answer: ",
        "final": "Final answer: ",
        "because": "\n\nExplanation: the record shows it; {other} would not fit.",
        "stop": ".",
        "wide_stop": ".",
        "comma": ", ",
        "colon": ": ",
        "either": " or ",
        "refuses": "I cannot answer this from what is given.",
        "vague": "It depends on several circumstances.",
    },
    "zh": {
        "answer": "答案：",
        "final": "最终答案：",
        "because": "\n\n理由：记录已经说明，{other}不符合。",
        "stop": "。",
        "wide_stop": "。",
        "comma": "、",
        "colon": "：",
        "either": "或",
        "refuses": "根据现有材料我不能作答。",
        "vague": "这要看具体情况而定。",
    },
}


class Variant(NamedTuple):
    """One form of an answer: what was done to it, and the text."""

    name: str
    text: str


def wide(text: str) -> str:
    """Return a text with its ASCII characters in full width."""
    return text.translate(_WIDE)


def harmless_variants(kind: Kind, item: Item) -> tuple[Variant, ...]:
    """Return forms of the reference that a contract of this kind must read as the reference."""
    return tuple(Variant(name, text) for name, text in _harmless(kind, item) if text)


def malformed_variants(kind: Kind, item: Item) -> tuple[Variant, ...]:
    """Return replies that a contract of this kind must not read as an answer."""
    return tuple(Variant(name, text) for name, text in _malformed(kind, item))


def _words(item: Item) -> Mapping[str, str]:
    return _WORDS.get(item.language, _WORDS["en"])


def _harmless(kind: Kind, item: Item) -> Iterator[tuple[str, str]]:
    reference = item.reference or ""
    if kind == "ordered_fields":
        yield from _record_forms(item)
    elif kind == "rubric_text":
        yield from _text_forms(reference)
    else:
        yield from _line_forms(kind, item, reference)
    if kind in {"option_set", "provision_set"}:
        yield from _set_forms(kind, item)


def _line_forms(kind: Kind, item: Item, reference: str) -> Iterator[tuple[str, str]]:
    """Yield forms of an answer that is one line."""
    words = _words(item)
    because = words["because"].format(other=_other(kind, item))
    yield "as written", reference
    yield "spaces around", f"\n  {reference} \n"
    yield "full width", wide(reference)
    yield "bold", f"**{reference}**"
    yield "bullet", f"- {reference}"
    yield "full stop", f"{reference}{words['stop']}"
    yield "in quotes", f"“{reference}”"
    yield "answer line", f"{words['answer']}{reference}"
    yield "bold answer line", f"**{words['final'].strip()}** {reference}"
    yield "answer line at the end", f"{words['vague']}\n\n{words['answer']}{reference}"
    yield "JSON", json.dumps({"answer": reference}, ensure_ascii=False)
    yield "JSON in a fence", f'```json\n{{"answer": {json.dumps(reference)}}}\n```'
    yield "explained below", f"{reference}{because}"
    yield "lower case", reference.lower() if kind in CLOSED_KINDS else ""
    yield "full-width colon", f"{words['answer'].strip(' :：')}：{reference}"


def _other(kind: Kind, item: Item) -> str:
    """Return another answer that an explanation may mention, or a word that is none."""
    if kind == "number":
        return "another figure" if item.language == "en" else "其他数值"
    others = [choice for choice in item.choices if choice != item.reference]
    return others[0].partition(":")[0].partition("：")[0].partition(".")[0] if others else "-"


def _set_forms(kind: Kind, item: Item) -> Iterator[tuple[str, str]]:
    """Yield forms of an answer that is a set."""
    parts = _elements(item.reference or "")
    backwards = list(reversed(parts))
    yield "reordered", "; ".join(backwards)
    yield "with 、", "、".join(parts)
    yield "with ；", "；".join(parts)
    yield "one a line", "\n".join(parts)
    yield "bullets", "\n".join(f"* {part}" for part in backwards)
    yield "numbered", "\n".join(f"{at}. {part}" for at, part in enumerate(parts, start=1))
    yield "JSON list", json.dumps(parts, ensure_ascii=False)
    yield "repeated", "; ".join((*parts, parts[0]))
    if kind == "option_set":
        yield "glued in full width", wide(", ".join(parts))


def _elements(reference: str) -> list[str]:
    for mark in ("；", ";", "、", ","):
        reference = reference.replace(mark, "\n")
    return [part.strip() for part in reference.split("\n") if part.strip()]


def _record_forms(item: Item) -> Iterator[tuple[str, str]]:
    """Yield forms of an answer that is a record of fields."""
    fields = field_values(item.reference or "")
    because = _words(item)["because"].format(other="-")
    lines = [f"{name}: {value}" for name, value in fields]
    yield "lines", "\n".join(lines)
    yield "explained below", "\n".join(lines) + because
    yield "full-width colons", "\n".join(f"{name}：{value}" for name, value in fields)
    yield "full width", "\n".join(f"{name}：{wide(value)}" for name, value in fields)
    yield "bold names", "\n".join(f"**{name}:** {value}" for name, value in fields)
    yield "bullets", "\n".join(f"- {name}: {value}" for name, value in fields)
    yield "numbered", "\n".join(f"{at}. {line}" for at, line in enumerate(lines, start=1))
    yield "reordered", "\n".join(reversed(lines))
    yield "ending in ；", "；\n".join(f"{name}：{value}" for name, value in fields) + "。"
    yield "one line with ；", "；".join(f"{name}：{value}" for name, value in fields)
    record = json.dumps(dict(fields), ensure_ascii=False)
    yield "JSON", record
    yield "JSON in a fence", f"```json\n{record}\n```"
    yield "values by place", "\n".join(value for _, value in fields)
    yield "cells by place", " | ".join(value for _, value in fields)
    yield "names in capitals", "\n".join(f"{name.upper()}: {value}" for name, value in fields)


def _text_forms(reference: str) -> Iterator[tuple[str, str]]:
    """Yield forms of a text that makes every key point."""
    points = bare_lines(reference)
    yield "as written", reference
    yield "numbered", "\n".join(f"{at}. {point}" for at, point in enumerate(points, start=1))
    yield "bullets ①", "\n".join(f"① {point}" for point in points)
    yield "bold", "\n".join(f"**{point}**" for point in points)
    yield "prose", ". ".join(points) + "."
    yield "prose with 。", "。".join(points) + "。"
    yield "reordered", "\n".join(reversed(points))
    yield "under a heading", "## Analysis\n\n" + "\n".join(points)
    yield "full width", wide(reference)


def _malformed(kind: Kind, item: Item) -> Iterator[tuple[str, str]]:
    words = _words(item)
    yield "empty", ""
    yield "blank", " \n\t"
    yield "marks only", "---"
    if kind == "rubric_text":
        return
    yield "refusal", words["refuses"]
    yield "vague", words["vague"]
    yield "an empty object", "{}"
    yield from _malformed_of_kind(kind, item, words["either"])


def _malformed_of_kind(kind: Kind, item: Item, either: str) -> Iterator[tuple[str, str]]:
    reference = item.reference or ""
    if kind in CLOSED_KINDS:
        first, second = item.choices[:2]
        yield "two labels", f"{first}{either}{second}"
        yield "all labels", " / ".join(item.choices)
        yield "no label of the list", "aubergine"
        yield "negated", f"not {reference}" if item.language == "en" else f"并非{reference}"
    elif kind == "option":
        yield "two options", f"A{either}B"
        yield "all options", "A, B, C, D"
    elif kind == "number":
        yield "two numbers", f"{reference}{either}{_doubled(reference)}"
        yield "no number", "large" if item.language == "en" else "很大"
    elif kind == "ordered_fields":
        values = [value for _, value in field_values(reference)]
        yield "a value too few", " | ".join(values[:-1])
        yield "other names", "\n".join(f"Thing: {value}" for value in values)
    elif kind == "provision_set":
        yield "no number", "the relevant articles" if item.language == "en" else "相关条款"


def _doubled(reference: str) -> str:
    digits = next((at for at, character in enumerate(reference) if character.isdigit()), 0)
    return f"{reference[:digits]}9{reference[digits:]}"
