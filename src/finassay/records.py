"""The nouns of the project.  In: nothing.  Out: frozen records that every room passes on.

An *item* is one question with its reference.  A *system* is a model with its prompt, decoding and
budget (or a person).  A *prediction* is a system's answer to an item in one trial.  A *verdict* is
what one scorer says of one prediction: string rules, judges, people and imported scores all
produce verdicts, and nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

Finish = Literal["stop", "truncated", "refused", "blocked", "empty", "error", "not_logged"]
"""What became of the model's reply (the model's fate)."""

Status = Literal["scored", "no_answer", "unparsed", "not_applicable", "failed"]
"""What became of the marking (the rule's fate)."""

Unscored = Literal["wrong", "exclude", "bounds"]
"""How an estimate treats verdicts without a value."""

SystemKind = Literal["model", "person", "baseline"]

FINISHES: tuple[Finish, ...] = get_args(Finish)
STATUSES: tuple[Status, ...] = get_args(Status)
COVERAGE_BASELINE = "coverage_baseline"
"""Flag of a verdict that counts what a text mentions and not whether it is right."""

REFERENCE_CUT = "reference_cut"
"""Flag of a prediction whose log holds a cut copy of the item's reference."""

REFERENCE_CUT_AT = "reference_cut_at:"
"""Beginning of the flag that says at how many characters that copy ends."""

QUESTION_CUT_AT = "question_cut_at:"
"""Beginning of the flag that says where the log's copy of the item's question ends, where cut."""

OTHER_REFERENCE = "other_reference"
"""Flag of a tool's verdict that compared the reply with another text than the item's reference."""

UNSCORED_POLICIES: tuple[Unscored, ...] = get_args(Unscored)
SYSTEM_KINDS: tuple[SystemKind, ...] = get_args(SystemKind)

DIFFICULTY_ORDER = ("easy", "medium", "hard")
"""Difficulty labels from easy to hard; others come after them."""

READS_KEY = "reads the accepted answers"
"""Prompt arm of a baseline that is a control: it is no contestant."""

RIGHT = 0.5
"""A graded verdict counts as right from this value on, wherever right and wrong are counted."""

STORED = "stored"
"""Scorer id of the verdicts that a source wrote beside its predictions."""

JUDGE_PREFIX = "judge/"
"""Scorer ids of judges begin with this."""

PERSON_PREFIX = "person/"
"""Scorer ids of people who label begin with this."""

IMPORTED_PREFIX = "imported/"
"""Scorer ids of other verdicts from outside begin with this."""

ANSWER_TYPES = (
    *("text", "number", "money", "percent", "count", "duration", "year", "date", "yes_no"),
    *("choice", "label", "set", "fields"),
)
"""Types of answer that a contract may name."""

SCALE_WORDS = (
    *("thousand", "lakh", "million", "crore", "billion", "trillion"),
    *("万", "亿"),
)
"""Scales that a contract may name: what a bare number of the reference is counted in."""

ID_DIGITS = 16
"""Hexadecimal digits of a content id: 64 bits, so 10 million rows clash with p < 3e-6."""


def content_digest(*parts: str) -> str:
    """Return the SHA-256 (64 hex digits) of the parts, length-prefixed so they cannot merge."""
    written: list[bytes] = []
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        written += (len(raw).to_bytes(8, "big"), raw)
    return hashlib.sha256(b"".join(written)).hexdigest()


def content_id(*parts: str) -> str:
    """Return the first 16 hex digits of `content_digest`, for use as a key."""
    return content_digest(*parts)[:ID_DIGITS]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerContract:
    """What counts as an answer to an item: its type and how it must be written.

    Every field may be left out; a scorer then reads the question, or uses its own default.

    Attributes:
        type: one of `ANSWER_TYPES`.
        unit: currency code, unit of a duration ("working_day"), "basis_points" or another unit.
        scale: one of `SCALE_WORDS`: what a bare number is counted in.
        decimals: digits after the point that the question asks for.
        comparator: whether "at least 5" and "5" are different answers.
        percent: whether 0.05 is accepted for 5%: allow, forbid, or allow and flag it.
    """

    type: str | None = None
    unit: str | None = None
    scale: str | None = None
    decimals: int | None = None
    comparator: Literal["ignore", "respect"] | None = None
    percent: Literal["allow", "forbid", "flag"] | None = None


# Nearly all items of a benchmark share one contract, or have none.
@lru_cache(maxsize=1024)
def _written(contract: AnswerContract) -> str:
    return json.dumps([getattr(contract, f.name) for f in fields(contract)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum:
    """A corrected reference: what it was, who changed it, and why."""

    old_reference: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question with the answer that its author accepts.

    `item_id` is unique in a study.  `family` is the group in which regimes choose a scorer and
    over which macro averages run; `task` is the name that task-dependent scorers read.
    """

    item_id: str
    benchmark: str = ""
    family: str = ""
    task: str = ""
    difficulty: str = ""
    language: str = "en"
    split: str = ""
    question: str = ""
    context: str = ""
    contexts: tuple[str, ...] = ()
    reference: str | None = None
    alternatives: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    contract_id: str = ""
    contract: AnswerContract = AnswerContract()
    documents: tuple[str, ...] = ()
    strata: tuple[tuple[str, str], ...] = ()
    erratum: Erratum | None = None

    @property
    def item_digest(self) -> str:
        """Digest of all that a scorer may read: a verdict on an older item shows as stale."""
        contract = _written(self.contract)
        lists = json.dumps([self.contexts, self.alternatives, self.choices])
        known = "1" if self.reference is not None else "0"
        # Items that name no contract keep the digest that they had before contracts were named.
        named = (self.contract_id,) if self.contract_id else ()
        told = (self.task, self.question, self.context, known, self.reference or "", lists)
        return content_id(*told, contract, *named)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSpec:
    """A model with all that decides what it answers; `system_id` hashes exactly these fields."""

    name: str
    kind: SystemKind = "model"
    model: str = ""
    provider: str = ""
    decoding: tuple[tuple[str, str], ...] = ()
    budget: str = ""
    stop: tuple[str, ...] = ()
    prompt_arm: str = ""
    prompt_hash: str = ""
    few_shot: tuple[str, ...] = ()
    model_family: str = ""

    @property
    def system_id(self) -> str:
        """Return the 16-digit id of this system."""
        return content_id(*(json.dumps(getattr(self, f.name)) for f in fields(self)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """How a batch of predictions came about; never part of an id."""

    run_id: str
    system_id: str
    started: str = ""
    ended: str = ""
    retries: int = 0
    served_model: str = ""
    packages: tuple[tuple[str, str], ...] = ()
    environment: str = ""
    prediction_digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A system's answer to one item in one trial; `text` is whole, never cut by us.

    `flags` say what is known of the log it came from, for instance `reference_cut`: the reference
    beside it was a cut copy of the item's.
    """

    item_id: str = ""
    system_id: str = ""
    trial: int = 0
    text: str = ""
    reasoning: str = ""
    finish: Finish = "not_logged"
    tool_extracted: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    latency_s: float | None = None
    cost_usd: float | None = None
    run_id: str = ""
    flags: tuple[str, ...] = ()

    @property
    def prediction_id(self) -> str:
        """Return the id of the key (item, system, trial)."""
        return content_id(self.item_id, self.system_id, str(self.trial))

    @property
    def text_digest(self) -> str:
        """Return the digest of the text alone, so that copies can be found."""
        return content_id(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one scorer says of one prediction.

    `value` is in [0, 1] and present exactly when `status` is "scored"; a verdict without a value
    says why in `reason`.  `flags` name policies that decided, or could have decided.

    Raises:
        ValueError: the value is missing, present when it must not be, or outside [0, 1]; or a
            verdict without a value gives no reason.
    """

    status: Status
    value: float | None = None
    label: str | None = None
    extracted: str | None = None
    flags: tuple[str, ...] = ()
    reason: str = ""
    evidence_id: str | None = None

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"`status` must be one of {STATUSES}, got {self.status!r}")
        if (self.status == "scored") != (self.value is not None):
            raise ValueError(
                f"`value` must be present exactly when status is 'scored', got status "
                f"{self.status!r} with value {self.value!r}"
            )
        if self.value is not None and not 0.0 <= self.value <= 1.0:
            raise ValueError(f"`value` must be in [0, 1], got {self.value!r}")
        if self.value is None and not self.reason:
            raise ValueError(
                f"a verdict without a value must say why: `reason` is empty, status {self.status!r}"
            )

    @property
    def is_scored(self) -> bool:
        """Whether the verdict carries a value."""
        return self.status == "scored"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedScore:
    """A number that exists only as printed somewhere: compared with, never pooled.

    `value` is a fraction when `unit` is "fraction"; `printed` keeps the digits as they stand in
    the source, and `n` the number of items it is said to be over, where known.
    """

    source: str
    table: str
    row: str
    column: str
    value: float
    printed: str = ""
    unit: str = "fraction"
    n: int | None = None
    note: str = ""


_SIDES = ("wrong", "right")


class ReportedColumn(NamedTuple):
    """What the column of a reported score says that it holds.

    Attributes:
        scorer: scorer id or regime whose share of right answers it is.
        family: family of items it is over; None for all items.
        given: (another scorer, whether that one marks right): only these answers are counted.
    """

    scorer: str
    family: str | None = None
    given: tuple[str, bool] | None = None


def reported_column(
    scorer: str, family: str | None = None, given: tuple[str, bool] | None = None
) -> str:
    """Return the column of a reported score, as "SCORER:FAMILY".

    With `given` it is "SCORER given OTHER right:FAMILY" or "SCORER given OTHER wrong:FAMILY"; a
    score over all items has no family and no colon before it.  See `ReportedColumn`.
    """
    said = scorer if given is None else f"{scorer} given {given[0]} {_SIDES[given[1]]}"
    return said if family is None else f"{said}:{family}"


def parse_reported_column(column: str, families: Iterable[str]) -> ReportedColumn:
    """Return what a column says, the inverse of `reported_column` over these families.

    Scorer ids and families may hold colons, so only the names of families tell where one ends; a
    column that ends in none of them is over all items.
    """
    ends = [family for family in families if column.endswith(f":{family}")]
    family = max(ends, key=len, default=None)
    said = column if family is None else column[: -len(family) - 1]
    scorer, word, other = said.partition(" given ")
    rule, _, side = other.rpartition(" ")
    if word and rule and side in _SIDES:
        return ReportedColumn(scorer, family, (rule, side == _SIDES[True]))
    return ReportedColumn(said, family)


def pairs(mapping: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return a mapping as sorted pairs, the hashable form that records hold."""
    return tuple(sorted(mapping.items()))
