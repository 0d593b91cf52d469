"""A judge whose faults are declared, as a script for the scripted server.

It reads a prompt as a judge does: the texts between the marks of either wording.  It says what is
right as far as it can tell: with a reference an answer is right if it says what the reference says;
without one only if the judge knows the question.  Then its declared faults come in, each drawn by a
hash of what it is asked and how often it was asked that before, so that the same requests always
get the same replies.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from finassay.judges.identity import PROMPT_VARIANTS
from finassay.judges.wording import wording_of
from scripted_server import Asked, Reply

_NUMBERED = re.compile(r" \d+\Z")


def _patterns() -> tuple[re.Pattern[str], ...]:
    found = []
    for variant in PROMPT_VARIANTS:
        wording = wording_of(variant)
        marks = []
        for mark in (wording.open, wording.close):
            escaped = re.escape(mark).replace(r"\{area\}", "(?P<area>[A-Za-z 0-9]+)", 1)
            marks.append(escaped.replace(r"\{code\}", "(?P<code>[0-9a-f]{8})", 1))
        close = marks[1].replace("(?P<area>[A-Za-z 0-9]+)", "(?P=area)")
        close = close.replace("(?P<code>[0-9a-f]{8})", "(?P=code)")
        found.append(re.compile(rf"{marks[0]}\n?(?P<text>.*?)\n?{close}", re.DOTALL))
    return tuple(found)


_AREAS = _patterns()


def areas(prompt: str) -> dict[str, list[str]]:
    """Return the quoted texts of a prompt by what their marks call them, dots taken out."""
    found: dict[str, list[str]] = {}
    for pattern in _AREAS:
        for one in pattern.finditer(prompt):
            name = _NUMBERED.sub("", one["area"]).lower()
            found.setdefault(name, []).append(one["text"].replace("·", ""))
    return found


def drawn(*parts: object) -> float:
    """Return a number in [0, 1) that follows from the parts."""
    told = "\0".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.sha256(told).digest()[:8], "big") / 2**64


@dataclass(frozen=True, kw_only=True)
class ScriptedJudge:
    """A judge with declared faults.

    Attributes:
        truth: right answer by question; of questions that it lacks the judge knows nothing.
        known: share of these that the judge knows without a reference.
        error_rate: share of single votes that say the opposite.
        first_bias: share of pairs in which it takes the answer shown first, whatever they say.
        unreadable: share of single votes without a verdict.
        replies: what it replies, word for word, where a text stands in the prompt.
        answers: what it answers when it is asked a question itself; by default the truth.
    """

    truth: Mapping[str, str] = field(default_factory=dict)
    known: float = 1.0
    error_rate: float = 0.0
    first_bias: float = 0.0
    unreadable: float = 0.0
    replies: Mapping[str, Reply] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, asked: Asked) -> Reply:
        """Return the reply to a request."""
        for text, reply in self.replies.items():
            if text in asked.prompt:
                return reply
        shown = areas(asked.prompt)
        if not shown:
            return Reply(text=self._answer(asked.prompt))
        if drawn(asked.key, asked.attempt, "unreadable") < self.unreadable:
            return Reply(text="I would rather not say anything final about this one.")
        return Reply(text=self._said(asked, shown))

    def _answer(self, prompt: str) -> str:
        for question in sorted(self.truth, key=len, reverse=True):
            if question in prompt:
                return self.answers.get(question, self.truth[question])
        return "no idea"

    def _said(self, asked: Asked, shown: Mapping[str, list[str]]) -> str:
        answers = [text for name, texts in shown.items() for text in texts if _is_graded(name)]
        if len(answers) >= 2 and _is_pair(shown):
            return f"Compared.\n\nVerdict: [[{self._winner(asked, shown, answers[-2:])}]]"
        is_right = self._is_right(shown, answers[-1]) != self._flips(asked)
        words = ("CORRECT", "INCORRECT") if "INCORRECT" in asked.prompt else ("1", "0")
        return f"Checked.\n\nVerdict: [[{words[0] if is_right else words[1]}]]"

    def _flips(self, asked: Asked) -> bool:
        return drawn(asked.key, asked.attempt, "error") < self.error_rate

    def _winner(self, asked: Asked, shown: Mapping[str, list[str]], answers: list[str]) -> str:
        if drawn(sorted(answers), "bias") < self.first_bias:
            return "A"
        left, right = (self._is_right(shown, text) for text in answers)
        if left == right:
            return "TIE"
        return "A" if left != self._flips(asked) else "B"

    def _is_right(self, shown: Mapping[str, list[str]], answer: str) -> bool:
        references = shown.get("reference") or shown.get("key")
        if references:
            return any(_says(answer, text) for text in references)
        question = (shown.get("question") or [""])[-1]
        if question in self.truth and drawn(question, "known") < self.known:
            return _says(answer, self.truth[question])
        return drawn(question, answer, "guess") < 0.5


def _is_graded(name: str) -> bool:
    return name.startswith(("answer", "response", "request"))


def _is_pair(shown: Mapping[str, list[str]]) -> bool:
    return any(name.endswith((" a", " b")) for name in shown)


def _says(answer: str, reference: str) -> bool:
    return reference.strip().casefold() in answer.casefold()
