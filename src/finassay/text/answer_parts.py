"""Where a reply of a declared form gives its answer.  In: a reply.  Out: parts, the best first.

Only the form is read, never the meaning: code fences, JSON, answer lines, explanations that are
announced or stand after the first line.  English and Chinese cues are known, full-width marks too.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import NamedTuple, TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

LONGEST = 100_000
"""Characters of a reply that are looked at."""

_FENCE = re.compile(r"```[^\n`]{0,20}\n(.{0,20000}?)\n?[ \t]{0,8}```", re.DOTALL)
_OPEN = r"[ \t>*_#【\[(（-]{0,8}"
_CLOSE = r"[】\])）*_ \t]{0,6}"
_CUE_WORDS = (
    r"(?:the |my )?(?:final )?(?:answer|decision|label|category|grade|disposition|conclusion|result"
    r"|position|provisions?|options?)(?: is)?"
    r"|最终答案|答案|结论|判断|类别|等级|标签|选项|适用条款|条款|裁判结果|结果|决定"
)
_CUE = re.compile(
    rf"^{_OPEN}(?:{_CUE_WORDS}){_CLOSE}(?:[:：=]|(?<= is)(?=\s)|[是为](?=\S)){_CLOSE}",
    re.IGNORECASE | re.MULTILINE,
)
_INLINE = re.compile(
    r"(?<=[.!?,;。！？，；])\s{0,3}(?:(?:so|thus|therefore|hence) )?(?:the |my )?(?:final )?"
    rf"answer(?:{_CLOSE}[:：]|(?: is)(?=\s)){_CLOSE}"
    r"|(?<=[。！？，；])\s{0,3}(?:因此|所以|故|综上)?，?(?:最终)?"
    rf"答案(?:{_CLOSE}[:：]|[是为]){_CLOSE}",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(
    rf"^{_OPEN}(?:explanation|reasons?|reasoning|rationale|because|working|note|why|"
    rf"理由|说明|解释|原因|分析|因为|计算过程|备注|依据){_CLOSE}(?:[:：]|\b)",
    re.IGNORECASE | re.MULTILINE,
)
_BULLET = re.compile(
    r"^[ \t]{0,20}(?:[-*•·–—][ \t]+|\(?（?\d{1,3}[.)、）．][ \t]*(?!\d)|[①-⑳][ \t]*)"
)
_SAYS = re.compile(r"[^\W_]")
_ANSWER_KEYS = frozenset(
    str.split(
        "answer final_answer answers label category decision grade risk_grade result conclusion "
        "value amount choice option options provisions disposition identity position action "
        "答案 最终答案 结论 判断 类别 等级 标签 决定 条款 适用条款 选项 结果 数值"
    )
)
_EDGES = " \t\r\n*_`\"'“”‘’「」『』《》【】[](){}<>.,;:!。，、；：！．,~"


class Parts(NamedTuple):
    """Parts of a reply that may hold the answer.

    Attributes:
        texts: the parts, the best first.
        is_announced: an answer line, a fence or JSON says where the answer is, so that nothing
            else may be taken for it.
    """

    texts: tuple[str, ...]
    is_announced: bool


def answer_parts(reply: str) -> Parts:
    """Return the parts of a reply that may hold its answer.

    What is announced stands alone: after the last answer line or "the answer is", in the only code
    fence, as JSON.  Else the reply without its announced explanation comes first, then its first
    line, then its last.
    """
    body = reply[:LONGEST].strip()
    fences = _FENCE.findall(body)
    if len(fences) == 1:
        return Parts((_spoken(fences[0].strip()),), is_announced=True)
    spoken = _spoken(body)
    if spoken != body:
        return Parts((spoken,), is_announced=True)
    ends = [cue.end() for pattern in (_CUE, _INLINE) for cue in pattern.finditer(body)]
    if ends:
        return Parts((_after(body, max(ends)),), is_announced=True)
    whole = without_explanation(body)
    lines = [line.strip() for line in whole.split("\n") if line.strip()]
    outer = (lines[0], lines[-1]) if lines else ()
    return Parts(tuple(dict.fromkeys((whole, *outer))), is_announced=False)


def without_explanation(text: str) -> str:
    """Return a text up to an explanation that is announced on a line of its own."""
    found = _EXPLAINS.search(text)
    if found is None or not text[: found.start()].strip():
        return text
    return text[: found.start()].rstrip()


def bare_lines(text: str) -> list[str]:
    """Return the lines of a text that say something, without bullets and numbers of a list."""
    lines = (_BULLET.sub("", line).strip() for line in text.split("\n"))
    return [line for line in lines if _SAYS.search(line)]


def plain_form(text: str) -> str:
    """Return a text for comparison: NFKC, case-folded, single spaces, without marks at its ends."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    visible = "".join(c for c in folded if unicodedata.category(c) != "Cf")
    return " ".join(visible.split()).strip(_EDGES)


def read_json(text: str) -> Json:
    """Return the JSON object or list that a whole text is, or None."""
    if text[:1] not in ("{", "["):
        return None
    try:
        read: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return read


def _after(body: str, at: int) -> str:
    """Return what an answer line says: the rest of its line, or the lines below up to a gap."""
    line, _, below = body[at:].partition("\n")
    if line.strip(_EDGES):
        return line.strip()
    block = below.lstrip("\n").partition("\n\n")[0]
    return without_explanation(block).strip()


def _spoken(text: str) -> str:
    """Return what JSON says as its answer, or the text where it is none or names none."""
    read = read_json(text)
    if isinstance(read, list):
        return _joined(read) or text
    if not isinstance(read, dict):
        return text
    named = [value for key, value in read.items() if key.strip().lower() in _ANSWER_KEYS]
    if not named and len(read) == 1:
        named = list(read.values())
    if len(named) != 1:
        return text
    value = named[0]
    if isinstance(value, list):
        return _joined(value) or text
    return text if value is None or isinstance(value, dict) else str(value)


def _joined(values: list[Json]) -> str:
    flat = [str(one) for one in values if isinstance(one, (str, int, float))]
    return "; ".join(flat) if flat and len(flat) == len(values) else ""
