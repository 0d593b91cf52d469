"""Made-up studies: items over made-up regulations, and systems that answer them.

Systems differ in ability and in how much they write.  The answers are plausible: right ones come
in other words and other forms of numbers, wrong ones name another number, party or day; long ones
restate the question and reason.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from finassay.records import Item

SENTENCES = (0.1, 0.6, 1.5, 3.0)
"""Mean number of sentences that systems write beside the answer."""

NAMES = ("anvil", "birch", "cedar", "delta", "ember", "flint", "grove", "heron", "ivory", "jetty")

_SUBJECTS = (
    "the issuer",
    "a small finance bank",
    "the trustee",
    "the stock exchange",
    "a custodian",
    "the rating agency",
    "an investment adviser",
    "the acquirer",
    "a payment bank",
    "the sponsor",
    "the depository",
    "a primary dealer",
    "the manager",
    "a housing finance company",
)
_DUTIES = (
    "file the annual return",
    "appoint a compliance officer",
    "keep records of all orders",
    "report large exposures",
    "disclose pledged shares",
    "review its risk policy",
    "return unclaimed amounts",
    "obtain prior approval for a change of control",
    "publish its net asset value",
    "segregate client funds",
    "hold a meeting of unit holders",
    "submit the half-yearly statement",
    "report a cyber incident",
    "maintain a liquid buffer",
)
_PARTIES = (
    "the board of directors",
    "the audit committee",
    "the regional office",
    "the central bank",
    "the securities regulator",
    "the debenture trustee",
    "two independent members",
    "the designated authority",
    "the nodal officer",
    "an external auditor",
)
_REASONS = (
    "the passage sets this out in the second proviso",
    "this follows from the general rule and no exception applies",
    "the amendment replaced the earlier wording in this respect",
    "the regulation makes no distinction between listed and unlisted entities here",
    "the threshold is measured on the last day of the quarter",
    "the circular repeats the requirement for all regulated entities",
    "a shorter period would need the consent of the regulator",
    "the explanation to the clause confirms the reading",
    "the schedule gives the details of how this is computed",
    "the master direction consolidated the earlier instructions",
    "the obligation starts when the event becomes known",
    "no other provision of the passage changes this result",
)
_OPENINGS = ("Based on the passage, ", "According to the regulation, ", "As stated, ", "")
_MONTHS = ("January", "March", "April", "June", "July", "September", "October", "December")
_WORDS = {15: "fifteen", 20: "twenty", 30: "thirty", 45: "forty five", 60: "sixty", 90: "ninety"}


@dataclass(frozen=True, slots=True)
class Question:
    """An item, the ways to answer it right, and ways to answer it wrong."""

    item: Item
    right: tuple[str, ...]
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Maker:
    """A system: how able it is, how much it writes, and how it words an answer."""

    name: str
    ability: float
    sentences: float
    variety: float


@dataclass(frozen=True, slots=True)
class Study:
    """A made-up study, before anything is planted.

    Attributes:
        questions: the items.
        makers: the systems.
        texts: system -> item id -> reply.
        truth: (R, C) whether the reply is right.
    """

    questions: tuple[Question, ...]
    makers: tuple[Maker, ...]
    texts: Mapping[str, Mapping[str, str]]
    truth: np.ndarray

    @property
    def items(self) -> tuple[Item, ...]:
        """The items."""
        return tuple(question.item for question in self.questions)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(maker.name for maker in self.makers)


def make_study(seed: int, *, n_items: int = 160, n_systems: int = 8) -> Study:
    """Return a study of this many items and systems."""
    rng = random.Random(seed)
    questions = tuple(_question(rng, i) for i in range(n_items))
    # Every study has systems that say little and systems that say much.
    amounts = [SENTENCES[j % len(SENTENCES)] for j in range(n_systems)]
    rng.shuffle(amounts)
    makers = tuple(
        Maker(
            name=name,
            ability=rng.uniform(0.3, 2.4),
            sentences=amount,
            variety=rng.uniform(0.2, 0.7),
        )
        for name, amount in zip(_names(n_systems), amounts, strict=True)
    )
    hardness = [rng.gauss(0.0, 1.0) for _ in questions]
    truth = np.zeros((n_items, n_systems), dtype=bool)
    texts: dict[str, dict[str, str]] = {maker.name: {} for maker in makers}
    for j, maker in enumerate(makers):
        for i, question in enumerate(questions):
            chance = 1.0 / (1.0 + np.exp(hardness[i] - maker.ability))
            truth[i, j] = rng.random() < chance
            texts[maker.name][question.item.item_id] = _reply(rng, maker, question, truth[i, j])
    return Study(questions, makers, texts, truth)


def _names(count: int) -> list[str]:
    """Return this many names: those there are, then the same with numbers."""
    rounds = range(1, count // len(NAMES) + 2)
    listed = [name if at == 1 else f"{name}-{at}" for at in rounds for name in NAMES]
    return listed[:count]


def _question(rng: random.Random, number: int) -> Question:
    kind = ("REG", "NUM", "TMP", "CON")[number % 4]
    subject, duty = rng.choice(_SUBJECTS), rng.choice(_DUTIES)
    section = f"clause {number + 1}"
    if kind == "CON":
        asked = f"Does {section} on when {subject} must {duty} contradict the circular?"
        answer = rng.choice(("Yes", "No", "No"))
        other = "No" if answer == "Yes" else "Yes"
        right, wrong = (answer, f"{answer}."), (other, f"{other}.")
    elif kind == "NUM":
        amount, rate = 10 * rng.randint(11, 99), rng.choice((5, 10, 20, 25, 40))
        value = amount * rate // 100
        asked = f"Under {section}, what is {rate} per cent of Rs. {amount} crore for {subject}?"
        answer = f"Rs. {value} crore"
        right = (answer, f"{value} crore", f"₹{value} crore", f"INR {value} crore")
        others = (value + rate, value - rate + 1, value + 7, 10 * value)
        wrong = tuple(f"Rs. {other} crore" for other in others)
    elif kind == "TMP":
        days = rng.choice(tuple(_WORDS))
        asked = f"Under {section}, within how long must {subject} {duty}?"
        answer = rng.choice((f"within {_WORDS[days]} days", f"{days} days"))
        right = (answer, f"{days} days", f"{_WORDS[days]} days", f"not later than {days} days")
        others = [d for d in _WORDS if d != days]
        wrong = (
            f"{rng.choice(others)} days",
            f"{rng.choice(others)} days",
            f"by the end of {rng.choice(_MONTHS)}",
            f"within {_WORDS[rng.choice(others)]} working days",
        )
    else:
        first, second, third = rng.sample(_PARTIES, 3)
        asked = f"Under {section}, who must agree before {subject} may {duty}?"
        answer = f"{first} of {subject.split(' ', 1)[1]}"
        right = (answer, first, f"the consent of {first} is needed", f"{first} must agree")
        wrong = (second, f"{third} must agree", f"nobody, but {second} is told", f"only {third}")
    item = Item(
        item_id=f"{kind}_{number:03d}",
        family=kind,
        task="contradiction_detection" if kind == "CON" else kind.lower(),
        question=asked,
        reference=answer,
    )
    return Question(item, right, wrong)


def _reply(rng: random.Random, maker: Maker, question: Question, is_right: bool) -> str:  # noqa: FBT001
    forms = question.right if is_right else question.wrong
    core = forms[0] if is_right and rng.random() > maker.variety else rng.choice(forms)
    said = min(12, rng.expovariate(1.0 / maker.sentences))
    if said < 0.5:
        return core
    opening = rng.choice(_OPENINGS)
    text = f"{opening}{core}." if opening else f"{core[0].upper()}{core[1:]}."
    for _ in range(round(said)):
        reason = rng.choice(_REASONS)
        tail = rng.choice(
            (f" for {rng.choice(_SUBJECTS)}", f", as {rng.choice(_PARTIES)} notes", "")
        )
        text += f" {reason[0].upper()}{reason[1:]}{tail}."
    return text
