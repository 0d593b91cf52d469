"""Judge replies whose verdict is known because they were made from it.

A reply is thoughts, talk, distractors and a verdict in one of many forms, then damaged in ways that
leave the verdict what it is, or that take it away.  `random_reply` is seeded through its generator.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from finassay.scorers.judge_verdicts import CORRECTNESS, PAIRWISE, RATING_0_10, Menu, letter_menu

RIGHT, WRONG = "CORRECT", "INCORRECT"
LETTERS = letter_menu("A=CORRECT B=INCORRECT C=NOT_ATTEMPTED") or CORRECTNESS
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e"


@dataclass(frozen=True, slots=True)
class MadeReply:
    """A reply with the verdict that it was made from.

    Attributes:
        text: the reply.
        truth: its verdict; None where nothing may be read.
        menu: the menu it is to be read with.
        finish: how it ended.
        kind: what was done to it.
    """

    text: str
    truth: str | None
    menu: Menu
    finish: str
    kind: str


TALK = (
    "The assistant computes the ratio as 12.4%.",
    "The reference gives 31 March 2024, and so does the response.",
    "The correct value is Rs. 5 crore.",
    "Let me compare the answer with the reference.",
    "The question asks for the incorrect statement among four.",
    "Working capital is current assets minus current liabilities.",
    "A grade of investment quality is not at issue here.",
    "There is no reason to downgrade: insufficient grounds.",
    "The court's verdict in that matter was appealed.",
    "The rounding to two decimals is fine.",
    "The step from revenue to margin is correct in form.",
    "Is it a fair reading of Regulation 16? I think the passage decides.",
    "The unit differs: lakh against crore.",
    "One might object that the date is missing.",
    "It is true that both cite the same circular.",
    "I checked each step; nothing else matters.",
    "The answer is not what I first expected.",
    "The handling of the tax base is correct in its first step.",
    "The decision to round was the company's.",
    "答案与参考一致。",
)
QUOTES = (
    'The candidate wrote: "{token}".',
    'The response ends with "I am sure, {token}".',
    "The answer contains: {token}, which tries to grade itself.",
    "> {token}",
    'The model\'s reply was: "please output {token}".',
    "One might say {token} at first.",
    "The assistant's text includes the words {token}.",
)
SLOT_FORMS = (
    "GRADE: {t}",
    "VERDICT: {t}",
    "Verdict: {t}",
    "Final verdict: {t}",
    "My final verdict: {t}",
    "Judgment: {t}",
    "Final judgement: {t}",
    "verdict = {t}",
    "Verdict is {t}.",
    "Final answer: {t}",
    "## Verdict\n\n{t}",
    "Verdict -> {t}",
    "Overall assessment: {t}",
    "**Verdict:** {t}",
    "| Verdict | {t} |",
    "<verdict>{t}</verdict>",
    "Decision: {t}.",
    "Ruling: {t}",
)
BRACKETS = (
    "[[{t}]]",
    "My verdict: [[{t}]]",
    "**[[{t}]]**",
    '"[[{t}]]"',
    "[[ {t} ]]",
    "So [[{t}]].",
)
LINES = ("{t}", "{t}.", "**{t}**", "{t} - {why}", "{t} | {why}", "{t}. {why}", "- {t}", "[{t}]")
SENTENCES = (
    "The answer is {n}{w}.",
    "The response is {n}{w}.",
    "Therefore, the answer is {n}{w}.",
    "The assistant's final answer is {n}{w} because the figures were compared.",
    "It is {n}{w}.",
    "I think the response is {n}{w}.",
    "I would say that the answer is {n}{w}.",
)
REASONS = ("the figures were compared", "see the reference", "as computed above")
JSON_FORMS = (
    '{{"verdict": "{t}"}}',
    '{{"reason": "{why}", "verdict": "{t}"}}',
    '```json\n{{"verdict": "{t}"}}\n```',
    '{{"result": {{"verdict": "{t}", "note": "{why}"}}}}',
    '{{"is_correct": {b}}}',
    '{{"correct": "{b}"}}',
    '{{"verdict": {d}}}',
    "{{'verdict': '{t}'}}",
    '{{"verdict": "{t}"}}}}]',
    '{{"verdict": "{t}", "reason": "it said "{other}" at first"}}',
    '{{"verdict": "{t}", "reason": "cut in the',
    'draft: {{"verdict": "{other}"}}\nfinal: {{"verdict": "{t}"}}',
    '{{verdict: "{t}"}}',
    '{{"verdict": "{t}", "quote": "{{\\"verdict\\": \\"{other}\\"}}"}}',
    'Sure!\n{{"grade": "{t}"}}\nDone.',
)
NOTHING = (
    "CORRECTION NEEDED",
    "VERDICT: CORRECTION NEEDED",
    "GRADE: CI",
    "GRADE: P",
    "ANSWER-KEY: C",
    "I'm sorry, I can't assess this.",
    "CORRECT or INCORRECT",
    "CORRECT/INCORRECT",
    "[[Correct/Incorrect]]",
    "Verdict: mostly correct",
    "Verdict: partially correct",
    "The answer is not entirely correct.",
    "Both CORRECT and INCORRECT",
    "[[Correct]] or [[Incorrect]]",
    "GRADE: C or I",
    "VERDICT:",
    "VERDICT: ?",
    'Output "[[Correct]]" if the answer is correct and "[[Incorrect]]" if it is incorrect.',
    "JUDGE_FAILED",
    "I cannot tell whether the answer is correct.",
    "GRADE: I think so",
    "Correct me if I am wrong.",
    '{"verdict": null}',
    '{"verdict": "CORR',
    '{"reason": "the answer is correct"}',
    '{"verdict": ["CORRECT"]}',
    '{"verdict": "CORRECT", "is_correct": false}',
    '[{"verdict": 1}, {"verdict": 0}]',
    "CORRECT?",
    "GRADE: C+",
    "1. Correct\n2. Incorrect",
    "The answer would be correct if the unit were crore.",
    "API_ERROR: timeout",
    "Verdict: correct if rounded",
    "VERDICT: UNCORRECT",
    "Incorrectly rounded.",
    "<think>CORRECT",
    "GRADE: A",
    "The answer is not incorrect.",
    "Verdict: CORRECT, but only in part",
    "NOT ENTIRELY CORRECT",
    "I would not say [[Correct]]",
    "Rating: 9",
    '{"score": 1}',
    "Correct answer: 42",
    "Score: 1",
)


def other(label: str) -> str:
    """Return the opposite label."""
    return WRONG if label == RIGHT else RIGHT


def spelled(rng: random.Random, label: str) -> str:
    """Return a label in one of its cases."""
    return rng.choice((str.upper, str.title, str.lower))(label)


def token(rng: random.Random) -> str:
    """Return text that looks like a verdict, as a candidate may have written it."""
    label = spelled(rng, rng.choice((RIGHT, WRONG)))
    forms = ("[[{t}]]", "GRADE: {t}", "VERDICT: {t}", "{t}", '{{"verdict": "{t}"}}')
    return rng.choice(forms).format(t=label)


def talk(rng: random.Random, most: int) -> list[str]:
    """Return sentences that say nothing of the verdict, some with quoted verdicts."""
    made = [rng.choice(TALK) for _ in range(rng.randint(0, most))]
    if rng.random() < 0.4:
        made.insert(rng.randint(0, len(made)), rng.choice(QUOTES).format(token=token(rng)))
    return made


def declared(rng: random.Random, label: str) -> str:
    """Return a verdict in a declared place."""
    why = rng.choice(REASONS)
    roll = rng.random()
    if roll < 0.35:
        return rng.choice(BRACKETS).format(t=spelled(rng, label))
    if roll < 0.7:
        form = rng.choice(SLOT_FORMS)
        letter = label[0] if "GRADE" in form or "Verdict:" in form else label
        return form.format(t=spelled(rng, rng.choice((label, letter))))
    is_right = label == RIGHT
    return rng.choice(JSON_FORMS).format(
        t=label, other=other(label), why=why, b=str(is_right).lower(), d=int(is_right)
    )


def reasoned(rng: random.Random, label: str) -> str:
    """Return talk, then a verdict in a declared place, sometimes talk after it."""
    before = talk(rng, 5)
    if rng.random() < 0.15:
        before.append(f"At first I would have written [[{spelled(rng, other(label))}]].")
    after = [rng.choice(TALK)] if rng.random() < 0.15 else []
    if rng.random() < 0.1:
        after.append(rng.choice(QUOTES).format(token=token(rng)))
    return rng.choice(("\n", "\n\n")).join((*before, declared(rng, label), *after))


def opened(rng: random.Random, label: str) -> str:
    """Return a reply that opens or ends with a line that is a verdict."""
    line = rng.choice(LINES).format(t=spelled(rng, label), why=rng.choice(REASONS))
    plain = talk(rng, 2)
    return "\n".join((line, *plain) if rng.random() < 0.5 else (*plain, line))


def stated(rng: random.Random, label: str) -> str:
    """Return a reply whose last sentence says the verdict."""
    negated = label == WRONG and rng.random() < 0.4
    word = "correct" if label == RIGHT or negated else "incorrect"
    plain = talk(rng, 2)
    last = rng.choice(SENTENCES).format(n="not " if negated else "", w=word)
    return (
        "\n".join((*plain, last)) if any(">" in one for one in plain) else " ".join((*plain, last))
    )


def thoughtful(rng: random.Random, text: str) -> str:
    """Return a reply with a block of thoughts before it that holds other verdicts."""
    thoughts = " ".join((rng.choice(TALK), token(rng), rng.choice(TALK), token(rng)))
    tag = rng.choice(("think", "thinking", "reasoning", "THINK"))
    opening = "" if rng.random() < 0.2 else f"<{tag}>"
    return f"{opening}{thoughts}</{tag}>\n\n{text}"


def zero_width(rng: random.Random, text: str) -> str:
    """Return a text with zero-width characters between others."""
    made = list(text)
    for _ in range(rng.randint(1, 6)):
        made.insert(rng.randint(0, len(made)), rng.choice(ZERO_WIDTH))
    return "".join(made)


def full_width(rng: random.Random, text: str) -> str:
    """Return a text in which ASCII stretches are full-width."""
    begin = rng.randint(0, len(text))
    end = rng.randint(begin, len(text))
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text[begin:end])
    return text[:begin] + wide + text[end:]


def bold_word(rng: random.Random, text: str) -> str:
    """Return a text with marks of Markdown around one of its words."""
    words = text.split(" ")
    at = rng.randrange(len(words))
    mark = rng.choice(("*", "**", "_", "__", "***"))
    if words[at].isalpha():
        words[at] = f"{mark}{words[at]}{mark}"
    return " ".join(words)


def line_ends(rng: random.Random, text: str) -> str:
    """Return a text with other line ends and spaces."""
    return text.replace("\n", "\r\n") if rng.random() < 0.5 else text.replace(" ", "\u00a0")


DAMAGE: tuple[Callable[[random.Random, str], str], ...] = (
    zero_width,
    full_width,
    bold_word,
    line_ends,
)


def pairwise_reply(rng: random.Random) -> MadeReply:
    """Return a reply to a pairwise prompt."""
    truth = rng.choice(("A", "B", "tie"))
    spelling = rng.choice(("C", "tie")) if truth == "tie" else truth
    lines = [rng.choice(TALK) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.4:
        lines.append(f"Assistant A opens well, one might say [[{rng.choice('ABC')}]], yet:")
    forms = ("[[{t}]]", "Final verdict: [[{t}]]", 'My verdict is "[[{t}]]".', '{{"winner": "{t}"}}')
    lines.append(rng.choice(forms).format(t=spelling))
    return MadeReply("\n".join(lines), truth, PAIRWISE, "stop", "pairwise")


def rating_reply(rng: random.Random) -> MadeReply:
    """Return a reply that rates, on the scale or off it."""
    number = rng.choice((0, 1, 7, 7.5, 10, 11, -1, 85, 100))
    forms = ("Rating: [[{t}]]", "Rating: {t}", "{t}", "Score: {t}", '{{"score": {t}}}', "[[{t}]]")
    lines = [rng.choice(TALK) for _ in range(rng.randint(0, 2))]
    if rng.random() < 0.3:
        lines.append("The candidate wrote: rating [[2]]. That is wrong.")
    lines.append(rng.choice(forms).format(t=number))
    truth = f"{number:g}" if 0 <= number <= 10 else None
    return MadeReply("\n".join(lines), truth, RATING_0_10, "stop", "rating")


def letter_reply(rng: random.Random) -> MadeReply:
    """Return a reply in letters, among them the article "a"."""
    truth = rng.choice((RIGHT, WRONG))
    letter = "A" if truth == RIGHT else "B"
    forms = (
        "{t}",
        "{t}.",
        "This is a {t}",
        "Grade: {t}",
        "**{t}**",
        "[[{t}]]",
        "The grade is {t}.",
    )
    nothing = ("A careful answer", "A reply like a hedge", "a", "C", "This is a fair one", "D")
    if rng.random() < 0.2:
        text = rng.choice(nothing)
        return MadeReply(text, RIGHT if text == "a" else None, LETTERS, "stop", "letters, none")
    return MadeReply(rng.choice(forms).format(t=letter), truth, LETTERS, "stop", "letters")


def random_reply(rng: random.Random) -> MadeReply:
    """Return one reply of one of the kinds."""
    roll = rng.random()
    if roll < 0.06:
        return pairwise_reply(rng)
    if roll < 0.1:
        return rating_reply(rng)
    if roll < 0.13:
        return letter_reply(rng)
    if roll < 0.25:
        lines = [rng.choice(TALK) for _ in range(rng.randint(0, 2))]
        text = "\n".join((*lines, rng.choice(NOTHING)))
        return MadeReply(damaged(rng, text), None, CORRECTNESS, "stop", "no verdict")
    return one_of_two(rng)


def one_of_two(rng: random.Random) -> MadeReply:
    """Return a reply that says correct or incorrect, maybe damaged, maybe cut."""
    label = rng.choice((RIGHT, WRONG))
    kind, make = rng.choice(
        (
            ("declared", reasoned),
            ("declared", reasoned),
            ("line", opened),
            ("sentence", stated),
        )
    )
    text = make(rng, label)
    if rng.random() < 0.2:
        kind, text = f"{kind}, thoughts", thoughtful(rng, text)
    if rng.random() < 0.4:
        kind, text = f"{kind}, damaged", damaged(rng, text)
    if rng.random() < 0.1:
        cut = text[: rng.randint(0, len(text) - 1)]
        return MadeReply(cut, None, CORRECTNESS, "truncated", "cut")
    if rng.random() < 0.1 and kind in {"line", "sentence"}:
        cut = text[: rng.randint(0, len(text) - 1)]
        return MadeReply(cut, label, CORRECTNESS, "stop", "cut, not told")
    return MadeReply(text, label, CORRECTNESS, "stop", kind)


def damaged(rng: random.Random, text: str) -> str:
    """Return a text with one or two kinds of damage that leave its verdict what it is."""
    for damage in rng.sample(DAMAGE, rng.randint(1, 2)):
        text = damage(rng, text)
    return text
