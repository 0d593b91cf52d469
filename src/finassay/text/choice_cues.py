"""Words and marks around a chosen option.  In: nothing.  Out: patterns, all of bounded width.

English, German, French, Spanish, Chinese, Japanese and Hindi cues are known.  Patterns are matched
on the `masked` form of a reply, which has its length, so that spans hold in both.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from types import MappingProxyType
from typing import Literal, NamedTuple

WithoutOption = Literal["none", "unknown"]

_COMMANDS = re.compile(
    r"\\(?:text(?:bf|it|rm)?|math(?:rm|bf|it)|rm|bf|boxed|fbox)\s{0,3}\{"
    r"|\\[()\[\]]|</?\w{1,9}>"
)
_MARKS = '*$`{}"“”„«»「」『』【】'
_QUOTES = re.compile(r"['‘’_](?:(?<!\w.)|(?<!‘)(?!\w))", re.DOTALL)


_FULL_WIDTH = re.compile("[\uff01-\uff5e]+")
_ASCII = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_MAYBE_INVISIBLE = (
    (0xAD, 0xAD), (0x600, 0x605), (0x61C, 0x61C), (0x6DD, 0x6DD), (0x70F, 0x70F), (0x890, 0x891),
    (0x8E2, 0x8E2), (0x180E, 0x180E), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F),
    (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0x110BD, 0x110BD), (0x110CD, 0x110CD), (0x13430, 0x1343F),
    (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0001, 0xE0001), (0xE0020, 0xE007F),
)  # fmt: skip
"""Ranges that hold the format characters of Unicode, up to version 17."""

INVISIBLE = re.compile(
    "[{}]".format(
        "".join(
            chr(code)
            for first, last in _MAYBE_INVISIBLE
            for code in range(first, last + 1)
            if unicodedata.category(chr(code)) == "Cf"
        )
    )
)
"""A character that directs the text around it and shows nothing itself."""


def masked(text: str) -> str:
    """Return the text with marks of Markdown, LaTeX and quotation as spaces, of equal length."""
    plain = text if text.isascii() else _same_length(text)
    if "\\" in plain or "<" in plain:
        plain = _COMMANDS.sub(lambda match: " " * len(match[0]), plain)
    for mark in _MARKS:
        plain = plain.replace(mark, " ")
    return _QUOTES.sub(" ", plain)


def _same_length(text: str) -> str:
    """Return the text with full-width forms as ASCII and invisible characters as spaces."""
    # A search for few characters runs through a long text faster than a table of all.
    seen = INVISIBLE.sub(" ", text)
    return _FULL_WIDTH.sub(lambda found: found[0].translate(_ASCII), seen)


_SPACE = re.compile(r"[\s:：—–-]{0,12}")
CLOSING = re.compile(r"^[\s.,:;!)\]。、：-]{0,12}")
LABELLED = re.compile(r"\s*[(\[]?([A-Za-z]|\d{1,2})\s?[)\].:、]\s+(\S[\s\S]*)")
"""An option written with its label."""

_WORD_FOR_OPTION = r"(?:options?|choices?|letters?|statements?|alternatives?|answers?|选项|選項)"
_EDGE = r"(?![\w+\u00c0-\u024f\u0370-\u1fff]|[-'’.&]\w)"
ATOM = re.compile(
    rf"(?P<word>(?:the\s)?{_WORD_FOR_OPTION}\s{{0,3}})?(?P<open>[(\[]?)\s{{0,3}}"
    rf"(?P<label>[A-Za-z]|\d{{1,2}}){_EDGE}\s{{0,3}}(?P<close>[)\]]?)",
    re.IGNORECASE | re.ASCII,
)
"""One label, bare or in brackets; CJK characters may follow it without a space."""

JOINT = re.compile(
    r"\s{0,3}(?:(?P<or>/|,?\s{0,3}\b(?:or|oder|ou)\b|或者?)"
    r"|[,;&、，；+](?:\s{0,3}(?:and|und|et|y)\b)?|\b(?:and|und|et|y)\b|和|与|及)\s{0,3}",
    re.IGNORECASE,
)
GLUED = re.compile(r"\s{0,3}(?P<letters>[A-Z]{2,8})(?=[\s.。)]{0,3}(?:$|\n)|[\u3000-\u9fff])")


def after_space(plain: str, at: int) -> int:
    """Return the place after the white space, colons and dashes that stand at a place."""
    space = _SPACE.match(plain, at)
    return space.end() if space else at


# A and I are words too: they are labels when what follows does not go on as a sentence would.
_GOES_ON = re.compile(r"\s{1,3}([^\W\d_]+)")
_CONNECTIVES = frozenset(
    {
        *("and", "or", "because", "as", "since", "is", "are", "was", "for", "with", "due", "but"),
        *("not", "which", "that", "while", "und", "oder", "weil", "da", "ist"),
    }
)


def is_explicit(match: re.Match[str]) -> bool:
    """Return whether a label stands in brackets or after a word such as "option"."""
    return bool(match["word"]) or bool(match["open"] and match["close"])


def is_label(plain: str, match: re.Match[str]) -> bool:
    """Return whether a match is a label and not an article or a pronoun."""
    if match["label"] not in {"A", "a", "I", "i"} or is_explicit(match):
        return True
    following = _GOES_ON.match(plain, match.end("label"))
    if following is None:
        return True
    word = following[1]
    return word.lower() in _CONNECTIVES or (match["label"].isupper() and word[0].isupper())


BOXES = (
    re.compile(r"\\(?:boxed|fbox)\s?\{((?:[^{}\n]|\{[^{}\n]{0,40}\}){1,60})\}"),
    re.compile(r"<answer>([^<]{1,200})</answer>", re.IGNORECASE),
)
LAST_LINE = re.compile(r"\n([^\n]{1,80})\s{0,40}\Z")

_IS = r"(?:is|are|be|was|ist|sind|lautet|est|es|é|है)(?!\w)"
_FILLER = (
    r"(?:\s{1,3}(?:therefore|thus|hence|clearly|probably|likely|most|indeed|definitely|still))"
)
_UP_TO_IS = rf"(?!\w)[^\n.!?:]{{0,40}}?(?<!\w){_IS}{_FILLER}{{0,3}}"
_COLON = r"[^\S\n]{0,3}[:：=]"
_NOUN = r"(?:answers?|options?|choices?|one|statement|response|alternative|antwort)"

_TRIGGERS = {
    "key": "answer|antwort|lösung|réponse|respuesta|resposta|risposta|solution|उत्तर",
    "right": "correct|right|best|true|appropriate|accurate|richtig|korrekt|bonne",
    "noun": "choice|option|selection",
    "verb": "choos|chose|select|pick|opt for",
    "go": "go with|going with",
    "weak": "therefore|thus|hence|so|consequently|daher|also",
    "han": "答案|答え|正解",
    "pick": "只有选项|选",
}


_KIND_OF = {word: kind for kind, listed in _TRIGGERS.items() for word in listed.split("|")}


def _by_first_letter(words: Iterable[str]) -> str:
    """Return a pattern of words that opens with letters, so that a search skips to these."""
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items())


TRIGGER = re.compile(_by_first_letter(_KIND_OF))
"""Where a cue may be, in lower case: what stands before and after decides."""


def kind_of(trigger: re.Match[str]) -> str:
    """Return the kind of a trigger: "key", "right", "noun", "verb", "go", "weak" and so on."""
    return _KIND_OF[trigger[0]]


INSIDE_WORDS = frozenset({"han", "pick"})
"""Triggers of scripts that put no space between words."""


class Around(NamedTuple):
    """What must stand around a trigger for it to announce an option.

    Attributes:
        after: pattern at the end of the trigger.
        before: pattern that ends where the trigger begins, or None.
    """

    after: re.Pattern[str]
    before: re.Pattern[str] | None = None


LINES: MappingProxyType[str, Around] = MappingProxyType(
    {
        "key": Around(re.compile(rf"s?(?:\s(?:choice|option|letter))?{_COLON}")),
        "right": Around(re.compile(rf"\w{{0,2}}\s{{1,3}}{_NOUN}{_COLON}")),
        "noun": Around(re.compile(_COLON), re.compile(r"(?<!\w)(?:my|final|the)\s$")),
        "han": Around(re.compile(_COLON)),
    }
)
"""Triggers that a colon follows."""

CUES: MappingProxyType[str, Around] = MappingProxyType(
    {
        "key": Around(re.compile(rf"s?{_UP_TO_IS}")),
        "right": Around(re.compile(rf"\w{{0,2}}\s{{1,3}}{_NOUN}{_UP_TO_IS}")),
        "noun": Around(re.compile(_UP_TO_IS), re.compile(r"(?<!\w)(?:my|final)\s$")),
        "verb": Around(
            re.compile(r"(?:e|ed)?(?!\w)"),
            re.compile(r"(?<!\w)(?:i|we)(?:\s(?:would|will|must|shall|thus)|['’](?:ll|d))?\s$"),
        ),
        "go": Around(re.compile("")),
        "weak": Around(re.compile(r"(?!\w),?")),
        "han": Around(re.compile(r"(?:应该|应当|应|は)?(?:是|为|為|选|選)?")),
        "pick": Around(
            re.compile(r"择?(?!项|择)"), re.compile(r"(?<![不非别未])(?<!不能)(?<!不应)$")
        ),
    }
)
"""Triggers that a verb follows, or that are one."""

FINAL = re.compile(
    r"(?:^|\n)[^\w\n]{0,12}(?:(?:my|the|so|final|correct|single|letter)\s{1,3}){0,4}$"
)
"""What stands before an answer line that says nothing else."""

TAKEN_BACK = re.compile(
    r"(?<!\w)(?:incorrect|wrong|not\sthe|isn['’]t\sthe|falsche|if\sthe)\s(?:\w{1,9}\s)?$|(?<=in)$"
)
"""Words before a cue that turn it round."""

RIGHT = re.compile(r"correct|right|true|best|answer|正确|正確|对的")
"""Words that call an option right, in lower case."""
CALLED = re.compile(
    rf"(?<![\w'’.-])(?P<word>{_WORD_FOR_OPTION}\s{{1,3}})?(?P<open>[(\[]?)(?P<label>[a-z])"
    rf"(?P<close>[)\]]?)(?:\s{{1,3}}(?:is|was|would\sbe|must\sbe|seems){_FILLER}{{0,2}}\s{{1,3}}"
    r"(?:(?:the|an?|only|one|that|most)\s{1,3}){0,4}|\s{0,2}(?:项|項)?(?:是|为|為)?)$"
)
"""An option and a verb before such a word."""
SUPPOSED = re.compile(r"(?<!\w)(?:if|whether|were|neither|unless)\s(?:\w{1,8}\s)?$")
LINE_OPENING = re.compile(
    r"(?:^|(?<=\n))[^\S\n]{0,8}[(\[]?(?P<label>[A-Za-z]|\d{1,2})[^\S\n]{0,2}"
    r"(?:[)\]]?(?P<mark>[.:,;])(?=\s)|[)\]]|(?P<alone>(?=[^\S\n]{0,3}(?:\n|$)))"
    r"|(?=[^\S\n]{1,3}[-—–]\s))[^\S\n]{0,4}"
)
PAUSE = re.compile(r"\s{0,3}(?:[.,:;!)。，：；\n—–]|-\s|$)")
NEGATED = re.compile(
    r"(?:(?<!\w)(?:not|no|never|non|neither|nor|isn['’]t|aren['’]t|wasn['’]t)[\s-]{1,3}(?:\w{1,8}\s)?"
    r"|[不非未没無无])$",
    re.IGNORECASE,
)
WITHOUT_OPTION: MappingProxyType[WithoutOption, re.Pattern[str]] = MappingProxyType(
    {
        "none": re.compile(
            r"(?:none|neither|no\s(?:option|choice|answer|one))\b"
            r"(?:\sof\s(?:the|these|those|them)\b)?(?:\s(?:above|given|options?|choices?)\b){0,2}"
            r"|keine\b(?:\sder\s\w{1,20})?|以上都不是|都不是",
            re.IGNORECASE,
        ),
        "unknown": re.compile(
            r"(?:I\s)?(?:don['’]?t|do\snot|cannot|can['’]?t|unable|not\ssure|unknown|unclear"
            r"|uncertain|undetermined|not\senough)\b|不知道|无法|weiß\snicht",
            re.IGNORECASE,
        ),
    }
)


def stands(around: Around, low: str, trigger: re.Match[str]) -> int | None:
    """Return where an option would begin if a trigger announces one, or None."""
    if around.before is not None and not around.before.search(before(low, trigger.start(), 24)):
        return None
    after = around.after.match(low, trigger.end())
    return None if after is None else after.end()


def before(low: str, at: int, width: int) -> str:
    """Return up to `width` characters that stand before a place."""
    return low[max(0, at - width) : at]


def is_inside(low: str, at: int) -> bool:
    """Return whether a word goes on across a place."""
    return at > 0 and (low[at - 1].isalnum() or low[at - 1] == "_")
