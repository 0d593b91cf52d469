"""What rules make of a reference whose figure was changed, beside the same reference restated.

    python scripts/changed_figures.py [--data FOLDER] [--rule financial] [--wrong WAY]

Prose references that state a figure ("Five per cent of the paid-up capital") are taken from the
bundled sets, and from IndiaFinBench where FOLDER (or FINASSAY_DATA) holds it.  One figure is
changed in one of several ways: another digit, another number word, another unit of time, another
scale, another number of a provision, another day, month or year.  The changed text must be wrong in
every shell that it is put in; the same shells around the unchanged text, and the same figure
written in digits or in words, must stay right.  Prints both rates, way by way, for references with
one figure and with several.

The script reads figures with expressions of its own, so that a figure that the package overlooks is
changed all the same.  Left out are figures that the question gives, what stands in brackets or in a
calculation, years alone, figures called approximate, lists with numbers, and items that ask for yes
or no.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from finassay.benchmarks.adversarial import adversarial_replies
from finassay.benchmarks.bundled import load_bundled
from finassay.records import RIGHT, Item, Prediction
from finassay.scorers.base import Scorer
from finassay.scorers.registry import load_scorer

UNITS = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
NEXT = dict(zip(UNITS, [*UNITS[1:], "one"], strict=True)) | dict(
    zip(TENS, [*TENS[1:], "twenty"], strict=True)
)
ORDINALS = {"thirtieth": "sixtieth", "sixtieth": "ninetieth", "ninetieth": "sixtieth"}
FRACTIONS = {"two-thirds": "one-third", "three-fourths": "one-fourth", "one-third": "one-fourth",
             "three-quarters": "one-quarter", "one-tenth": "one-fifth"}  # fmt: skip
MONTHS = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
]  # fmt: skip
OTHER_UNIT = {"day": "month", "month": "day", "year": "month", "week": "month", "hour": "day"}
OTHER_SCALE = {"crore": "lakh", "lakh": "crore", "million": "billion", "billion": "million"}

WORD = rf"(?:{'|'.join(sorted([*UNITS, *TENS], key=len, reverse=True))})"
MONTH = f"(?:{'|'.join(MONTHS)})"
DATE = re.compile(
    rf"\b(?:\d{{1,2}} {MONTH}(?:,? \d{{4}})?|{MONTH} \d{{1,2}}(?:, \d{{4}})?)\b",
    re.IGNORECASE,
)
PROVISION = re.compile(
    r"\b(?:regulation|section|clause|chapter|article|schedule|rule|paragraph)s?"
    r" (?P<number>[IVX]+\b|\d+)",
    re.IGNORECASE,
)
DIGITS = re.compile(r"(?<![\w.,/(-])\d+(?:,\d+)*(?:\.\d+)?(?![\w/]|-\w|[.,]\d)(?!\)? ?[(])")
WORDS = re.compile(rf"\b{WORD}(?:[- ](?:hundred|thousand|and|{WORD}))*\b", re.IGNORECASE)
DIGIT_FORMS = frozenset(str(value) for value in range(1, 20))
APPROXIMATELY = re.compile(r"\b(?:approximately|about)\s\Z", re.IGNORECASE)
FRACTION = re.compile(rf"\b(?:{'|'.join(FRACTIONS)})\b", re.IGNORECASE)
ORDINAL = re.compile(rf"\b(?:{'|'.join(ORDINALS)})\b", re.IGNORECASE)
TIME = re.compile(
    r"^[ -](?:working |calendar |business )?(?P<unit>day|month|year|week|hour)",
    re.IGNORECASE,
)
SCALE = re.compile(rf"^ (?P<scale>{'|'.join(OTHER_SCALE)})\b", re.IGNORECASE)
YEAR = re.compile(r"(?:19|20)\d\d")
HEAD_ENDS = re.compile(
    r"[(=\u00d7]|\b(?:calculation|since|because)\b|[.;!?](?:\s|$)|\n", re.IGNORECASE
)
YES_OR_NO = re.compile(r"\W*(?:yes|no)\b", re.IGNORECASE)
ASKS_YES_OR_NO = re.compile(
    r"(?:^|[.?!]\s+)(?:is|are|was|were|does|do|did|can|could|may|must|has|have|will|would|should)\b",
    re.IGNORECASE,
)
LIST_MARKER = re.compile(r"(?:^|\n)\s*\d{1,2}[.)]\s")
ENUMERATES = re.compile(r"\bone (?:of|or more|another|that|which|such|side)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Change:
    """A reference with one of its figures changed.

    Attributes:
        way: what was changed.
        figure: the figure as the reference writes it.
        text: the changed reference.
    """

    way: str
    figure: str
    text: str


@dataclass(frozen=True, slots=True)
class Trial:
    """A reply that is known to be right or wrong.

    Attributes:
        item: the item.
        stratum: "one figure" or "several figures".
        way: how the figure was changed, or how it was restated.
        reply: the reply.
        is_right: whether it gives what the reference says.
    """

    item: Item
    stratum: str
    way: str
    reply: str
    is_right: bool


def head(reference: str) -> str:
    """Return the first sentence of a reference up to a bracket or a calculation."""
    for found in HEAD_ENDS.finditer(reference):
        before = reference[: found.start()]
        is_stop = found[0][0] != "." or not re.search(r"\b(?:Rs|No|[A-Z])\Z|\bper cent\Z", before)
        if before.strip() and is_stop:
            return before
    return reference


def spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the figures of a text with what each is: a date, a provision, digits or words."""
    taken: list[tuple[int, int]] = []
    for name, pattern in (
        ("date", DATE), ("provision", PROVISION), ("ordinal", ORDINAL), ("fraction", FRACTION),
        ("digits", DIGITS),
        ("words", WORDS),
    ):  # fmt: skip
        for found in pattern.finditer(text):
            start, end = found.span("number") if name == "provision" else found.span()
            if any(start < right and left < end for left, right in taken):
                continue
            if name == "digits" and YEAR.fullmatch(found[0]):
                continue
            if name == "words" and ENUMERATES.match(text, start):
                continue
            taken.append((start, end))
            yield name, start, end


def other_digits(written: str) -> str:
    """Return digits with the first that is not zero changed: at least a tenth more or less."""
    return re.sub(r"[1-9]", lambda m: str(int(m[0]) % 9 + 1), written, count=1)


def other_words(written: str) -> str:
    """Return a number in words with its first word changed."""
    known = (ORDINALS | FRACTIONS).get(written.lower())
    first = re.match(WORD, written, re.IGNORECASE)
    if known is not None or first is None:
        return known or written
    changed = NEXT[first[0].lower()]
    return (changed.capitalize() if written[0].isupper() else changed) + written[first.end() :]


def other_dates(written: str) -> Iterator[tuple[str, str]]:
    """Yield a date with its day, its month and its year changed."""
    day = re.search(r"\b\d{1,2}\b", written)
    month = re.search("|".join(MONTHS), written, re.IGNORECASE)
    if day and month:
        yield "day", f"{written[: day.start()]}{int(day[0]) % 27 + 1}{written[day.end() :]}"
        name = MONTHS[(MONTHS.index(month[0].lower()) + 4) % 12].capitalize()
        yield "month", f"{written[: month.start()]}{name}{written[month.end() :]}"
    if written[-4:].isdigit():
        yield "year", f"{written[:-4]}{int(written[-4:]) - 1}"


def changes(reference: str, question: str) -> list[Change]:
    """Return a reference with each of the figures of its head changed, in every way that fits."""
    found: list[Change] = []
    top = head(reference)
    if (
        YES_OR_NO.match(reference)
        or ASKS_YES_OR_NO.search(question)
        or LIST_MARKER.search(reference)
    ):
        return found
    for name, start, end in spans(top):
        written = top[start:end]
        if _is_given(written, question) or APPROXIMATELY.search(top[:start]):
            continue
        if name == "date" and re.search(r"\d\d-\d\d-\d{4}", reference):
            continue
        for way, other in _others(name, written):
            found.append(Change(way, written, changed_everywhere(reference, written, other)))
        if name in {"digits", "words"}:
            found += _with_other_unit(reference, written, reference[end:])
    return [change for change in found if change.text != reference]


def _is_given(written: str, question: str) -> bool:
    """Return whether a question gives a figure, in digits or in words."""
    low = question.replace(" 0", " ")
    forms = [written, *([UNITS[int(written) - 1]] if written in DIGIT_FORMS else [])]
    return any(re.search(rf"\b{re.escape(form)}\b", low, re.IGNORECASE) for form in forms)


def changed_everywhere(text: str, old: str, new: str) -> str:
    """Return a text with a figure changed wherever it stands, so that it contradicts nothing."""
    if old.lower() in UNITS and new.lower() in UNITS:
        left, right = UNITS.index(old.lower()) + 1, UNITS.index(new.lower()) + 1
        text = re.sub(rf"(?<![\w.,]){left}(?![\w%]|[.,]\d)", str(right), text)
    pattern = re.compile(rf"(?<![\w.,]){re.escape(old)}(?![\w]|[.,]\d)", re.IGNORECASE)
    turned = {old.capitalize(): new.capitalize(), old: new}
    return pattern.sub(lambda found: turned.get(found[0], new.lower()), text)


def _with_other_unit(reference: str, written: str, behind: str) -> Iterator[Change]:
    """Yield a reference in which a figure has another unit of time or another scale."""
    unit, scale = TIME.match(behind), SCALE.match(behind)
    if unit:
        old, new = unit["unit"].lower(), OTHER_UNIT[unit["unit"].lower()]
        text = re.sub(
            rf"\b({re.escape(written)})[ -](?:\w+ )?{old}",
            rf"\1 {new}",
            reference,
            flags=re.IGNORECASE,
        )
        yield Change("unit of time", written, text)
    if scale:
        old, new = scale["scale"].lower(), OTHER_SCALE[scale["scale"].lower()]
        yield Change("scale", written, reference.replace(f"{written} {old}", f"{written} {new}"))


def _others(name: str, written: str) -> Iterator[tuple[str, str]]:
    if name == "date":
        yield from other_dates(written)
    elif name == "digits":
        yield "digit", other_digits(written)
    elif name == "provision":
        yield "provision", other_digits(written) if written[0].isdigit() else _other_roman(written)
    else:
        yield {"words": "number word"}.get(name, name), other_words(written)


def _other_roman(written: str) -> str:
    return "IV" if written == "V" else "V"


def in_digits(reference: str) -> str | None:
    """Return a reference with the number words before a unit in digits, None without any."""
    found = re.search(
        rf"\b{WORD}(?:[- ]{WORD})?(?= per ?cent| days| years| months)", reference, re.IGNORECASE
    )
    if found is None or "hundred and" in reference[: found.start()].lower()[-12:]:
        return None
    parts = [part.lower() for part in re.split("[- ]", found[0])]
    if len(parts) == 2 and (parts[0] not in TENS or parts[1] not in UNITS[:9]):
        return None
    value = sum(UNITS.index(p) + 1 if p in UNITS else 20 + 10 * TENS.index(p) for p in parts)
    text = f"{reference[: found.start()]}{value}{reference[found.end() :]}"
    return re.sub(rf"\b{value} per ?cent\b\.?", f"{value}%", text)


def in_words(reference: str) -> str | None:
    """Return a reference with its first percentage of two digits in words, None without any."""
    found = re.search(r"(?<![\w.,])(\d{1,2})(?:%| per cent)", reference)
    if found is None or int(found[1]) == 0:
        return None
    value = int(found[1])
    tens, rest = divmod(value, 10)
    words = (
        UNITS[value - 1] if value < 20 else TENS[tens - 2] + (f"-{UNITS[rest - 1]}" if rest else "")
    )
    return f"{reference[: found.start()]}{words} per cent{reference[found.end() :]}"


def shells(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text as replies give it: alone, after a lead, with a closing sentence, in bold."""
    lower = text if text[:2].isupper() or not text[0].isalpha() else text[0].lower() + text[1:]
    yield "alone", text
    yield "after a lead", f"Based on the context provided, the answer is: {lower}"
    yield (
        "with a closing",
        f"{text.rstrip('. ')}. This follows directly from the wording of the rule.",
    )
    yield "in bold", f"The passage that matters is the one on this very point.\n\n**{text}**"
    yield "with a year", f"{text.rstrip('. ')}. The rule has stood in this form since 2011."


def trials(items: Sequence[Item]) -> Iterator[Trial]:
    """Yield all replies, right and wrong, that are made of the references."""
    for item in items:
        reference = item.reference or ""
        found = changes(reference, item.question)
        figures = {change.figure.lower() for change in found}
        if not found:
            continue
        stratum = "one figure" if len(figures) == 1 else "several figures"
        for change in found:
            for _, reply in shells(change.text):
                yield Trial(item, stratum, change.way, reply, is_right=False)
        for shell, reply in shells(reference):
            yield Trial(item, stratum, shell, reply, is_right=True)
        for way, restated in (("in digits", in_digits), ("in words", in_words)):
            text = restated(reference)
            if text is not None:
                for _, reply in shells(text):
                    yield Trial(item, stratum, way, reply, is_right=True)


def bundled_items() -> list[Item]:
    """Return the items of the bundled sets whose references are text."""
    made = {r.item.item_id: r.item for r in adversarial_replies() if not r.item.choices}
    return [*load_bundled("finassay-regqa"), *made.values()]


def published_items(folder: Path) -> list[Item]:
    """Return the items of IndiaFinBench, none where the folder has no such file."""
    file = folder / "indiafinbench" / "items.json"
    if not file.is_file():
        return []
    raw = json.loads(file.read_text(encoding="utf-8"))
    return [
        Item(item_id=one["id"], question=one["question"], reference=one["answer"]) for one in raw
    ]


def is_prose(item: Item) -> bool:
    """Return whether a reference has words of its own beside its figure."""
    return len(re.findall(r"[^\W\d_]{3,}", item.reference or "")) >= 3


@dataclass(frozen=True, slots=True)
class Rate:
    """How many replies of one way a rule marks wrongly."""

    stratum: str
    way: str
    is_right: bool
    references: int
    replies: int
    wrong: int


def rates(rule: Scorer, items: Sequence[Item]) -> tuple[list[Rate], list[Trial]]:
    """Return the rates by stratum and way, and the replies that were marked wrongly."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    wrongly: Counter[tuple[str, str, bool]] = Counter()
    named: dict[tuple[str, str, bool], set[str]] = {}
    missed = []
    for trial in trials([item for item in items if is_prose(item)]):
        value = rule.score(item=trial.item, prediction=Prediction(text=trial.reply)).value
        for way in (trial.way, "all"):
            key = (trial.stratum, way, trial.is_right)
            counts[key] += 1
            named.setdefault(key, set()).add(trial.item.item_id)
            wrongly[key] += (value is not None and value >= RIGHT) != trial.is_right
        if (value is not None and value >= RIGHT) != trial.is_right:
            missed.append(trial)
    found = [Rate(*key, len(named[key]), counts[key], wrongly[key]) for key in sorted(counts)]
    return found, missed


def main() -> int:
    """Print both rates; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("FINASSAY_DATA"))
    parser.add_argument("--rule", default="financial")
    parser.add_argument("--wrong", metavar="WAY", help="print the replies that are marked wrongly")
    options = parser.parse_args()
    published = published_items(Path(options.data)) if options.data else []
    rule = load_scorer(options.rule)
    for name, items in (("bundled sets", bundled_items()), ("IndiaFinBench", published)):
        if not items:
            continue
        found, missed = rates(rule, items)
        print(f"{name}, {options.rule}:")
        for rate in found:
            said = "right, rejected" if rate.is_right else "changed, accepted"
            share = rate.wrong / rate.replies
            print(
                f"  {rate.stratum:15s} {said:17s} {rate.way:14s} {rate.wrong:5d}"
                f" of {rate.replies:5d} ({share:6.1%}) on {rate.references} references"
            )
        for trial in missed:
            if options.wrong in {trial.way, "all"}:
                said = "rejected" if trial.is_right else "accepted"
                print(f"\n{trial.item.item_id} {trial.way} {said}")
                print(f"  {trial.item.question}\n  {trial.item.reference}\n  {trial.reply}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
