"""Verdicts in plain lines and sentences of a judge.  In: a reply in plain spelling.  Out: them.

A line counts when it opens with a word of the menu that a mark, a reason or nothing follows; a
sentence when it says of the judged answer that it is, or is not, what the menu offers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from finassay.scorers.judge_menus import Menu
from finassay.scorers.judge_text import first_sentence, last_sentence
from finassay.scorers.judge_tokens import Token, read_token

LineDoubt = Literal["", "several", "conditional", "quoted", "contradiction"]


class LineReading(NamedTuple):
    """What the lines of a reply say together.

    Attributes:
        label: the label that all agree on, where the first or last line is one of them.
        doubt: why there is none although lines speak.
        start: where the verdict of the line that decides begins.
        end: where it ends.
        rating: the number of a rating.
        last_whole: label of the last line that is a verdict and nothing else.
        last_start: where that line begins.
    """

    label: str | None = None
    doubt: LineDoubt = ""
    start: int = 0
    end: int = 0
    rating: float | None = None
    last_whole: str | None = None
    last_start: int = 0


class Said(NamedTuple):
    """A label with the place of the sentence that says it."""

    label: str
    start: int
    end: int


class _Line(NamedTuple):
    start: int
    end: int
    token: Token
    whole: bool
    edge: bool


_ORNAMENTS = r"[#\u2022\-\u2013\u2713\u2714\u2705\u274c\u2717\u2718\"'(\[{ \t]{0,12}"
_MARKS_ONLY = re.compile(r"[\s\"'.!)\]}|\u2713\u2714\u2705\u274c\u2717\u2718]*\Z")
_LONGEST_LINE = 400
_MOST_LINES = 200
"""A reply with more lines that open with a verdict is a list of them, and no verdict."""

_SPEAKER = re.compile(
    r"\b(?:candidate|assistant|student|model|response|answer|reply|prediction|user|reference|text)"
    r"\b[^\n]*:[\s\"']*\Z",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def _line_opens(menu: Menu) -> re.Pattern[str]:
    words = [word for option in menu.options for word in option.words]
    letters = {w.upper() for o in menu.options for w in o.slot_words if len(w) == 1}
    listed = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in words) or "(?!)"
    openings = [rf"(?i:(?:(?:not|isn't)\s+)?(?:{listed})(?!\w))"]
    if menu.letters and letters:
        both = "".join(sorted(letters | {letter.lower() for letter in letters}))
        openings.append(rf"[{both}](?![^\W_])")
    if menu.scale is not None:
        openings.append(r"[-+]?\.?\d")
    return re.compile(
        rf"^{_ORNAMENTS}(?:\d{{1,2}}[.)][ \t]+)?{_ORNAMENTS}(?={'|'.join(openings)})", re.MULTILINE
    )


def line_verdicts(text: str, menu: Menu) -> LineReading:
    """Return what the lines that open with a verdict say together."""
    first = len(text) - len(text.lstrip())
    last = len(text.rstrip()) - 1
    lines: list[_Line] = []
    has_quoted = False
    for found in _line_opens(menu).finditer(text):
        line = _line_at(text, found, menu, (first, last))
        if line is None:
            continue
        if _is_told(text, found.start()):
            has_quoted = True
            continue
        lines.append(line)
        if len(lines) > _MOST_LINES:
            return LineReading(doubt="several", start=line.start, end=line.end)
    return _together(lines, has_quoted=has_quoted)


def _line_at(text: str, found: re.Match[str], menu: Menu, ends: tuple[int, int]) -> _Line | None:
    begin = found.start()
    stop = text.find("\n", found.end(), found.end() + _LONGEST_LINE)
    stop = min(len(text), found.end() + _LONGEST_LINE) if stop < 0 else stop
    token = read_token(text, found.end(), stop, menu, whole=False)
    if token.said == "off menu" or _is_torn(text, found, token.end):
        return None
    whole = _MARKS_ONLY.match(text[token.end : stop]) is not None
    spelled = text[found.end() : token.end].strip(" \t\"'([{")
    if not whole and (
        menu.scale is not None or (len(spelled) == 1 and not _may_open(menu, spelled))
    ):
        return None
    edge = begin <= ends[0] < stop or begin <= ends[1] < stop
    return _Line(found.end(), token.end, token, whole and token.said == "label", edge)


def _is_torn(text: str, found: re.Match[str], end: int) -> bool:
    """Return whether more brackets close after a word than open before it: the rest is lost."""
    return text.startswith("]" * (found[0].count("[") + 1), end)


def _may_open(menu: Menu, letter: str) -> bool:
    """Return whether a letter may open a line that goes on: only a capital, where prose is read."""
    return menu.prose and letter.isupper()


def _is_told(text: str, start: int) -> bool:
    """Return whether the line before says that somebody else speaks: "The candidate wrote:"."""
    before = text[max(0, start - _LONGEST_LINE) : start].rstrip()
    return _SPEAKER.search(before, before.rfind("\n") + 1) is not None


def _together(lines: Sequence[_Line], *, has_quoted: bool) -> LineReading:
    wholes = [line for line in lines if line.whole]
    last_whole = wholes[-1].token.label if wholes else None
    read = LineReading(last_whole=last_whole, last_start=wholes[-1].start if wholes else 0)
    edges = [line for line in lines if line.edge]
    if not edges:
        return read._replace(doubt="quoted" if has_quoted else "")
    unsure = next((line for line in edges if line.token.said != "label"), None)
    decides = edges[-1] if unsure is None else unsure
    read = read._replace(start=decides.start, end=decides.end)
    if unsure is not None:
        doubt: LineDoubt = "several" if unsure.token.said == "several" else "conditional"
        return read._replace(doubt=doubt)
    if len({line.token.label for line in lines if line.token.said == "label"}) > 1:
        return read._replace(doubt="contradiction")
    return read._replace(label=decides.token.label, rating=decides.token.rating)


_OPENING = (
    r"(?:(?:so|thus|therefore|hence|overall|finally|accordingly|consequently|in conclusion"
    r"|in summary|in short|to conclude|based on (?:this|that|the above|the reference)"
    r"|i(?: would|'d)? (?:conclude|find|judge|say|think|believe)(?: that)?"
    r"|my (?:final )?verdict is that)[,:]?\s+){0,2}"
)
_SUBJECT = (
    r"(?:it|this|that|(?:the|this|that|its|their)\s+"
    r"(?:(?:assistant|candidate|student|model|ai|system|llm)(?:'s|s')?\s+)?"
    r"(?:(?:final|given|provided|submitted|predicted|generated|proposed|overall|stated)\s+)?"
    r"(?:answer|response|reply|prediction|solution|submission|output|grade|verdict|rating))"
)
_COPULA = (
    r"\s+(?:is|was)(?P<negated>n't|\s+not)?\s+"
    r"(?:(?:considered|deemed|judged|marked|graded|rated)\s+(?:as\s+)?)?"
    r"(?P<degree>(?:(?:therefore|thus|clearly|also|indeed|factually|definitely|simply|hence"
    r"|(?P<whole>completely|entirely|fully|wholly|totally))\s+){0,2})"
)
_GRADED = (
    r"i(?: would|'d)? (?:grade|mark|rate|judge|consider|deem|score|call|find)\s+"
    rf"{_SUBJECT}(?:\s+(?:as|to be))?\s+"
)
_ENDING = r"(?:\s*[.!]*[\"')]*\s*\Z|,?\s+(?:because|since)\b)"


@lru_cache(maxsize=256)
def _sentence(menu: Menu) -> re.Pattern[str] | None:
    if not menu.prose:
        return None
    words = [word for option in menu.options for word in option.words]
    letters = {w.upper() for o in menu.options for w in o.slot_words if len(w) == 1}
    listed = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in words) or "(?!)"
    letter = rf"|(?:(?i:an?)\s+)?(?P<letter>[{''.join(sorted(letters))}])" if menu.letters else ""
    return re.compile(
        rf"\s*(?i:{_OPENING}(?:{_SUBJECT}{_COPULA}|{_GRADED}))(?:(?P<word>(?i:{listed})){letter})(?i:{_ENDING})"
    )


def sentence_label(sentence: str, menu: Menu) -> str | None:
    """Return what a sentence says of the judged answer, or None."""
    pattern = _sentence(menu)
    found = None if pattern is None else pattern.match(sentence)
    if found is None:
        return None
    spelled = " ".join((found["word"] or found["letter"]).casefold().split())
    label = next(o.label for o in menu.options if spelled in {*o.words, *o.slot_words})
    if not found["negated"]:
        return label
    return None if found["whole"] else menu.negated(label)


def sentence_verdicts(text: str, menu: Menu) -> tuple[Said, ...]:
    """Return what the first and the last sentence say of the judged answer."""
    if not menu.prose:
        return ()
    spans = dict.fromkeys((first_sentence(text), last_sentence(text)))
    read = [(sentence_label(text[start:end], menu), start, end) for start, end in spans]
    return tuple(Said(label, start, end) for label, start, end in read if label is not None)


_POLARITY = re.compile(
    r"(?P<negated>(?:\bnot|n't|\bnever|\bneither|\bhardly|\bin)(?:\s|-)\s{0,3}(?:\w{1,20}\s{1,3}){0,2})?"
    r"\b(?P<wrong>in)?correct\b(?![-\w])"
    r"(?P<attribute>\s{1,3}(?!(?:and|but|or|because|since|except|in|as|with|for|to|on|about|when|if"
    r"|though|although|however|not|only)\b)\w)?",
    re.IGNORECASE,
)
_AGAINST_RIGHT = re.compile(
    r"\b(?:however|but|although|though|except|wrong|errors?|mistakes?|mistaken|inaccura\w+|partial"
    r"|partially|partly|unless|not|cannot|if|would|could|might|may|unclear|incomplete|missing|false"
    r"|fails?|mostly|almost)\b|n't\b|\?",
    re.IGNORECASE,
)
_AGAINST_WRONG = re.compile(
    r"\b(?:unless|unclear|uncertain|not sure|if|might|may)\b|\?", re.IGNORECASE
)


def disagrees(
    text: str, menu: Menu, label: str, span: tuple[int, int], *, strict: bool
) -> tuple[int, int] | None:
    """Return where a text speaks against a label, or None.

    Only menus that know what "not" means are looked at; of others, lines and declared places speak.

    Args:
        text: the text.
        menu: the menu.
        label: what was read.
        span: where it was read; that place does not speak against itself.
        strict: words of doubt and contrast speak against it too.
    """
    against = dict(menu.opposite)
    if label not in {*against, *against.values()}:
        return None
    is_right = label in against
    for found in _POLARITY.finditer(text):
        if _is_within(found.span(), span) or found["attribute"]:
            continue
        says_right = bool(found["negated"]) == bool(found["wrong"])
        if says_right != is_right and (is_right or _concludes(text, found)):
            return found.span()
    if not strict:
        return None
    for doubt in (_AGAINST_RIGHT if is_right else _AGAINST_WRONG).finditer(text):
        if not _is_within(doubt.span(), span):
            return doubt.span()
    return None


def _concludes(text: str, found: re.Match[str]) -> bool:
    """Return whether "correct" ends its sentence or stands in capitals.

    Judges who mark an answer wrong grant that its method "is correct, but"; that is no verdict.
    """
    return found[0].isupper() or text[found.end() : found.end() + 1] in {"", ".", "!", "\n", '"'}


def _is_within(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


_ATTRIBUTED = re.compile(
    r"\b(?:wrote|writes|written|says|said|states|stated|claims|claimed|contains|includes|ends with"
    r"|ending with|concludes with|outputs?|prints?|asserts|quotes?|quoting|injects?|instructs?"
    r"|might say|may say|could say|instead of|rather than|such as|for example|e\.g\.)"
    r"\s*[:,]?\s*(?:that\s+)?[\"']?(?:[^.!?\n\"]{0,30}\s)?[\"']?\Z"
    r"|(?:\A|[.!?]\s)[\s>*-]*(?:the\s+)?(?:candidate|assistant|student|model|user)(?:'s)?(?:\s+[ab]'s)?\s+"
    r"(?:final\s+)?(?:answer|response|reply|output|text|message)(?:\s+was)?\s*:[^\n]*\Z"
    r"|\b(?:not|never|n't|no)\s+(?:(?:say|give|rate|assign|choose|pick|be|output|answer|it|as|a|an"
    r"|the)\s+){0,3}[\"']?\Z",
    re.IGNORECASE,
)
_WINDOW = 300


def _is_own_quote(text: str, begin: int, start: int, end: int) -> bool:
    """Return whether a judge put its own verdict into quotes, as prompts with a format invite.

    The quotes hug the verdict, or hold a sentence that names itself a verdict and stands alone on
    its line or after "Verdict:"; and nobody else is said to speak.
    """
    opened = text.rindex('"', begin, start)
    if not _CLOSES.match(text, end) or _is_told(text, begin):
        return False
    if not text[opened + 1 : start].strip():
        return True
    before, inside = text[begin:opened].strip(" \t#>-"), text[opened + 1 : start]
    if before and not _MARKER_ENDS.search(before):
        return False
    return bool(before) or _NAMES_ITSELF.search(inside) is not None


_CLOSES = re.compile(r"[.!)\]]*\"")
_MARKER_ENDS = re.compile(
    r"\b(?:verdict|judge?ment|decision|ruling|grade)\s*[:.]?\Z", re.IGNORECASE
)
_NAMES_ITSELF = re.compile(
    r"\b(?:my|final|overall)\s+(?:final\s+)?(?:verdict|judge?ment)\b", re.IGNORECASE
)


def is_quoted(text: str, start: int, end: int) -> bool:
    """Return whether a place stands in somebody else's words: quoted, attributed or denied."""
    begin = max(text.rfind("\n", max(0, start - _WINDOW), start) + 1, start - _WINDOW, 0)
    before = text[begin:start]
    if before.lstrip().startswith(">"):
        return True
    if before.count('"') % 2 == 1 and not _is_own_quote(text, begin, start, end):
        return True
    return _ATTRIBUTED.search(before) is not None
