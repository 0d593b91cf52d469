"""Options chosen in a reply.  In: a reply and the options.  Out: readings with spans.

A reading is a place where the reply commits to options, by letter or by text.  A commitment beats
a position: "the answer is B" counts before any letter that merely stands first or last.  Letters
inside words and codes ("Answer", "A11", "C-level") are never read, and no letter is ever guessed.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal, NamedTuple, get_args

from finassay.text import choice_cues as cues
from finassay.text.spans import lowered

Basis = Literal["answer line", "whole reply", "cue", "opening", "verdict", "option text"]
"""Where a reading stands, the strongest first; see `BASES`."""

Outcome = Literal["options", "unclear", "none", "unknown", "off menu", "unread"]
"""What is said there: options; one of several without saying which; that none fits; that the
answer is not known; a letter that no option has; words that name no option."""

BASES: tuple[Basis, ...] = get_args(Basis)
MOST_LABELS = 26
"""A longer list of labels is not an answer."""

MOST_CUES = 1000
"""Cues that are looked at, from the end: the last one decides."""

MOST_LINES = 100
"""Lines that are looked at for a list of options."""

_RANKS: dict[Basis, int] = {basis: rank for rank, basis in enumerate(BASES)} | {"whole reply": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceReading:
    """What a reply says at one place.

    Attributes:
        start: where what names the options starts in the reply.
        end: where it ends.
        labels: labels of the options named, in order, each once.
        basis: why the place counts as an answer.
        outcome: "options" exactly when `labels` is an answer.
    """

    start: int
    end: int
    labels: tuple[str, ...] = ()
    basis: Basis
    outcome: Outcome = "options"


class _Named(NamedTuple):
    """Options named at a place: end of the place, labels, and whether one is left open."""

    start: int
    end: int
    labels: tuple[str, ...] = ()
    outcome: Outcome = "options"


@dataclass(frozen=True, slots=True)
class Options:
    """The options that an item offers.

    Attributes:
        labels: their labels in order; empty when the item lists none, and any letter may be named.
        texts: their texts, "" where the option is its label.
    """

    labels: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    def text_of(self, label: str) -> str:
        """Return a label with its text, as people read it."""
        at = self.labels.index(label) if label in self.labels else -1
        return f"{label} ({self.texts[at]})" if at >= 0 and self.texts[at] else label


@lru_cache(maxsize=512)
def options_of(choices: tuple[str, ...]) -> Options:
    """Return the options: labels as written ("(B) Guilty"), else A, B, C in order."""
    if not choices:
        return Options()
    found = [cues.LABELLED.fullmatch(choice) for choice in choices]
    written = [match[1].upper() for match in found if match]
    if len(written) == len(choices) and len(set(written)) == len(written):
        return Options(tuple(written), tuple(match[2].strip() for match in found if match))
    bare = [choice.strip().upper() for choice in choices]
    if all(len(label) == 1 and label.isalpha() for label in bare) and len(set(bare)) == len(bare):
        return Options(tuple(bare), ("",) * len(bare))
    labels = tuple(_letter(number) for number in range(len(choices)))
    return Options(labels, tuple(choice.strip() for choice in choices))


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else str(number + 1)


@dataclass(frozen=True, slots=True)
class _Menu:
    """Compiled forms of the labels and texts of options."""

    options: Options
    by_text: dict[str, str]
    texts: re.Pattern[str] | None

    def label(self, read: str) -> str | None:
        """Return the label as the options write it, or None when they have no such label."""
        label = read.upper()
        is_known = label in self.options.labels if self.options.labels else label.isalpha()
        return label if is_known else None

    def named(self, text: re.Match[str] | None) -> str | None:
        """Return the label whose text a match is; patterns take "ı" for "i", texts do not."""
        return self.by_text.get(_folded(text[0])) if text else None


@lru_cache(maxsize=512)
def _menu(options: Options) -> _Menu:
    by_text = {
        _plain(text): label
        for label, text in zip(options.labels, options.texts, strict=True)
        if len(_plain(text)) > 1 or _plain(text).isdecimal()
    }
    # Longest first: an option may begin with another one.
    longest = sorted(by_text, key=len, reverse=True)
    body = "|".join(r"\s{1,9}".join(map(re.escape, text.split())) for text in longest)
    texts = re.compile(rf"(?<![\w.-])(?:{body})(?![\w%-]|[.,]\w)", re.IGNORECASE) if body else None
    return _Menu(options, by_text, texts)


def _plain(text: str) -> str:
    return _folded(cues.masked(text))


def _folded(plain: str) -> str:
    """Return masked text as it is looked up; masking it again could take more away."""
    return " ".join(plain.casefold().split()).rstrip(" .。")


def read_choices(text: str, options: Options) -> tuple[ChoiceReading, ...]:
    """Return every reading of a reply, in order of their start.

    Args:
        text: the reply.
        options: what the item offers, from `options_of`.
    """
    menu, plain = _menu(options), cues.masked(text)
    low = lowered(plain)
    whole = _whole(plain, menu)
    if whole is not None:
        return (_reading(whole, "whole reply"),)
    found = [
        *_boxes(text, plain, menu),
        *_at_cues(plain, low, menu),
        *_verdicts(plain, low, menu),
        *_opening(plain, menu),
        *_option_texts(plain, menu),
    ]
    return tuple(sorted(found, key=lambda reading: (reading.start, _RANKS[reading.basis])))


def final_choice(readings: Sequence[ChoiceReading]) -> ChoiceReading | None:
    """Return the reading that counts, or None.

    The last of the strongest kind.  An answer line that names nothing readable takes back what
    stands before it, and is itself returned when nothing follows it.
    """
    best: ChoiceReading | None = None
    for reading in readings:
        starts_anew = best is None or "unread" in {reading.outcome, best.outcome}
        if best is None or starts_anew or _RANKS[reading.basis] <= _RANKS[best.basis]:
            best = reading
    return best


def read_reference(reference: str, options: Options) -> tuple[str, ...] | None:
    """Return the labels that a reference names, sorted, or None when it names no options."""
    menu, plain = _menu(options), cues.masked(reference)
    by_text = menu.by_text.get(_plain(reference))
    if by_text is not None:
        return (by_text,)
    found = _whole(plain, menu)
    if found is not None:
        return tuple(sorted(found.labels)) if found.outcome == "options" else None
    parts = [menu.by_text.get(_plain(part)) for part in re.split(r"[;\n]", reference)]
    named = {label for label in parts if label is not None}
    return tuple(sorted(named)) if named and None not in parts else None


def _reading(named: _Named, basis: Basis) -> ChoiceReading:
    return ChoiceReading(
        start=named.start,
        end=named.end,
        labels=named.labels,
        basis=basis,
        outcome=named.outcome,
    )


def _list_at(plain: str, at: int, menu: _Menu, *, explicit: bool = False) -> _Named | None:
    """Return the list of labels that starts at a place.

    Args:
        plain: the masked reply.
        at: where the list must start.
        menu: the options.
        explicit: the first label must be in brackets or follow a word such as "option".
    """
    start, end, position, is_open = -1, at, at, False
    labels: list[str] = []
    while (match := cues.ATOM.match(plain, position)) is not None:
        if explicit and start < 0 and not cues.is_explicit(match):
            return None
        if not cues.is_label(plain, match):
            break
        label = menu.label(match["label"])
        if label is None and start >= 0 and not match["label"].isupper():
            break
        if label is None:
            return _Named(match.start("label"), match.end(), (), "off menu")
        labels.append(label)
        closed = bool(match["open"] and match["close"])
        start = match.start("open" if closed else "label") if start < 0 else start
        end = match.end("close" if closed else "label")
        if len(labels) > MOST_LABELS:
            return _Named(start, end, tuple(dict.fromkeys(labels)), "unclear")
        joint = cues.JOINT.match(plain, match.end())
        if joint is None:
            break
        nxt = cues.ATOM.match(plain, joint.end())
        if joint["or"] and nxt is not None and cues.is_label(plain, nxt):
            is_open = True
        position = joint.end()
    if start < 0:
        return _glued_at(plain, at, menu)
    distinct = tuple(dict.fromkeys(labels))
    return _Named(start, end, distinct, "unclear" if is_open and distinct[1:] else "options")


def _glued_at(plain: str, at: int, menu: _Menu) -> _Named | None:
    """Return letters written without anything between them ("ABD"), as multi-select keys are."""
    match = cues.GLUED.match(plain, at)
    if match is None:
        return None
    letters = match["letters"]
    if list(letters) != sorted(set(letters)) or any(menu.label(one) is None for one in letters):
        return None
    return _Named(match.start("letters"), match.end("letters"), tuple(letters))


def _named_at(plain: str, at: int, menu: _Menu, *, explicit: bool = False) -> _Named | None:
    """Return what is named at a place: options by label or text, none of them, or ignorance."""
    at = cues.after_space(plain, at)
    if explicit:
        return _list_at(plain, at, menu, explicit=True)
    by_text = menu.texts.match(plain, at) if menu.texts else None
    label = menu.named(by_text)
    if by_text is not None and label is not None:
        return _Named(*by_text.span(), (label,))
    listed = _list_at(plain, at, menu)
    if listed is not None:
        return listed
    for outcome, pattern in cues.WITHOUT_OPTION.items():
        match = pattern.match(plain, at)
        if match is not None:
            return _Named(*match.span(), (), outcome)
    return None


def _whole(plain: str, menu: _Menu) -> _Named | None:
    """Return what the whole text names and nothing besides, or "B. text of B"."""
    body = plain.strip()
    at = len(plain) - len(plain.lstrip())
    text = _folded(body)
    if text in menu.by_text:
        return _Named(at, at + len(body), (menu.by_text[text],))
    found = _named_at(plain, at, menu)
    if found is None:
        return None
    rest = cues.CLOSING.sub("", plain[found.end :], count=1)
    if not rest:
        return found
    if len(found.labels) != 1:
        return None
    is_its_text = menu.by_text.get(_folded(rest)) == found.labels[0]
    return found if is_its_text else None


def _boxes(text: str, plain: str, menu: _Menu) -> Iterator[ChoiceReading]:
    """Return what stands in a box, an answer tag, or alone on the last line."""
    for box in (box for pattern in cues.BOXES for box in pattern.finditer(text)):
        named = _whole(cues.masked(box[1]), menu)
        if named is not None:
            yield _reading(_moved(named, box.start(1)), "answer line")
    last = cues.LAST_LINE.search(text)
    named = _whole(plain[last.start(1) : last.end(1)], menu) if last else None
    if last and named is not None and named.outcome == "options":
        yield _reading(_moved(named, last.start(1)), "answer line")


def _at_cues(plain: str, low: str, menu: _Menu) -> Iterator[ChoiceReading]:
    for trigger in deque(cues.TRIGGER.finditer(low), MOST_CUES):
        kind = cues.kind_of(trigger)
        if kind not in cues.INSIDE_WORDS and cues.is_inside(low, trigger.start()):
            continue
        line = cues.LINES.get(kind)
        at = cues.stands(line, low, trigger) if line else None
        if at is not None:
            yield from _answer_line(plain, low, trigger.start(), at, menu)
        else:
            yield from _commitment(plain, low, trigger, menu)


def _answer_line(plain: str, low: str, start: int, at: int, menu: _Menu) -> Iterator[ChoiceReading]:
    named = _named_at(plain, at, menu)
    if named is not None:
        yield _reading(named, "answer line")
    elif cues.FINAL.search(cues.before(low, start, 60)):
        end = plain.find("\n", at, at + 200)
        yield ChoiceReading(
            start=start, end=end if end >= 0 else at, basis="answer line", outcome="unread"
        )


def _commitment(
    plain: str, low: str, trigger: re.Match[str], menu: _Menu
) -> Iterator[ChoiceReading]:
    kind = cues.kind_of(trigger)
    at = cues.stands(cues.CUES[kind], low, trigger)
    if at is None or cues.TAKEN_BACK.search(cues.before(low, trigger.start(), 24)):
        return
    named = _named_at(plain, at, menu, explicit=kind == "weak")
    if named is not None:
        yield _reading(named, "cue")


def _moved(named: _Named, by: int) -> _Named:
    return named._replace(start=named.start + by, end=named.end + by)


def _verdicts(plain: str, low: str, menu: _Menu) -> Iterator[ChoiceReading]:
    """Return options that the reply calls right: "(B) is correct"."""
    for word in deque(cues.RIGHT.finditer(low), MOST_CUES):
        from_ = max(0, word.start() - 60)
        called = cues.CALLED.search(low[from_ : word.start()])
        label = menu.label(called["label"]) if called else None
        if called is None or label is None:
            continue
        start = from_ + called.start("label")
        if cues.SUPPOSED.search(cues.before(low, from_ + called.start(), 20)):
            continue
        if plain[start].isupper() or cues.is_explicit(called):
            yield _reading(_Named(start, start + 1, (label,)), "verdict")


def _opening(plain: str, menu: _Menu) -> Iterator[ChoiceReading]:
    """Return the option that opens the reply, unless other lines open with others: a list."""
    at = len(plain) - len(plain.lstrip())
    text = menu.texts.match(plain, at) if menu.texts else None
    named = menu.named(text)
    if text is not None and named is not None and cues.PAUSE.match(plain, text.end()):
        yield _reading(_Named(*text.span(), (named,)), "opening")
        return
    found = [
        (match, label)
        for match in islice(cues.LINE_OPENING.finditer(plain), MOST_LINES)
        if (label := menu.label(match["label"])) is not None
    ]
    if not found or plain[: found[0][0].start()].strip() or len({one for _, one in found}) > 1:
        return
    match, label = found[0]
    # "A:" opens an answer as often as it names an option.
    after = menu.texts.match(plain, match.end()) if menu.texts else None
    if match["mark"] == ":" and label == "A" and menu.named(after) != label:
        return
    yield _reading(_Named(*match.span("label"), (label,)), "opening")


def _option_texts(plain: str, menu: _Menu) -> Iterator[ChoiceReading]:
    """Return the mentions of an option's text, where the reply mentions one option only."""
    mentions = islice(menu.texts.finditer(plain), MOST_CUES) if menu.texts else ()
    found = [
        (match, label)
        for match in mentions
        if (label := menu.named(match)) is not None
        and not cues.NEGATED.search(plain, max(0, match.start() - 16), match.start())
    ]
    labels = tuple(dict.fromkeys(label for _, label in found))
    if labels:
        named = _Named(*found[-1][0].span(), labels, "options" if len(labels) == 1 else "unclear")
        yield _reading(named, "option text")
