"""Replies that a careless rule marks wrongly.  In: nothing.  Out: replies with their twins.

Each pair is one question with one reference and two replies that differ in one thing: one gives
the reference's answer, the other does not although it looks as if it did.  How the set was made
and read again stands in `data/README.md`; docs/reference/adversarial.md has what rules make of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from finassay.benchmarks.reading import (
    Record,
    data_text,
    record_from,
    require_keys,
    text_of,
    texts_of,
)
from finassay.errors import InputError, UsageError
from finassay.records import Item, Prediction

ADVERSARIAL = "finassay-adversarial"
"""Name under which the items of the set stand."""

ADVERSARIAL_FILE = "adversarial_answers.jsonl"

_TEXTS = ("id", "kind", "question", "reference", "reply", "twin", "why")
_KEYS = (*_TEXTS, "choices", "equivalent")
_SYSTEMS = {True: "equivalent", False: "not-equivalent"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AdversarialReply:
    """One reply of the set.

    Attributes:
        reply_id: its id; those of a pair differ in the ending.
        kind: what could mislead a rule, for instance "other-entity".
        item: the question and reference that both replies of the pair share.
        prediction: the reply.
        is_equivalent: whether a careful reader takes it for the reference's answer.
        twin_id: id of the other reply of the pair.
        why: in a few words, what settles it.
    """

    reply_id: str
    kind: str
    item: Item
    prediction: Prediction
    is_equivalent: bool
    twin_id: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KindErrors:
    """How often a rule went wrong on the replies of one kind.

    Attributes:
        kind: the kind, or "all".
        n_different: replies that are not the reference's answer.
        false_accepts: how many of them the rule marked right.
        n_equivalent: replies that are the reference's answer.
        false_rejects: how many of them the rule did not mark right.
    """

    kind: str
    n_different: int
    false_accepts: int
    n_equivalent: int
    false_rejects: int

    @property
    def false_accept_share(self) -> float | None:
        """Share of the wrong replies marked right, in [0, 1]; None where there are none."""
        return self.false_accepts / self.n_different if self.n_different else None

    @property
    def false_reject_share(self) -> float | None:
        """Share of the right replies not marked right, in [0, 1]; None where there are none."""
        return self.false_rejects / self.n_equivalent if self.n_equivalent else None


def adversarial_replies() -> tuple[AdversarialReply, ...]:
    """Return all replies of the set, pair by pair, grouped by kind.

    Raises:
        InputError: the file cannot be read, or a reply lacks its twin.

    Example:
        >>> replies = adversarial_replies()
        >>> len(replies), len({reply.kind for reply in replies})
        (652, 34)
        >>> replies[0].reply_id, replies[0].twin_id
        ('intermediate-value-01-yes', 'intermediate-value-01-no')
    """
    return _bundled()


@cache
def _bundled() -> tuple[AdversarialReply, ...]:
    return tuple(read_adversarial(data_text(ADVERSARIAL_FILE), file=ADVERSARIAL_FILE))


def read_adversarial(text: str, *, file: str) -> Iterator[AdversarialReply]:
    """Yield the replies of a file in the form of the bundled set, one JSON object a line.

    Raises:
        InputError: a line is not an object with exactly the expected keys, an id stands twice, or
            the two replies of a pair do not name each other, share the item and differ in class.
    """
    # Not splitlines(): JSON texts may hold U+2028 and other characters that it splits at.
    lines = enumerate(text.removesuffix("\n").split("\n"), start=1)
    found = [_reply(record_from(line, f"{file}:{n}"), f"{file}:{n}") for n, line in lines]
    by_id = {reply.reply_id: reply for reply in found}
    if len(by_id) != len(found):
        raise InputError(
            f"{file}: {len(found)} replies have only {len(by_id)} different ids"
            "; give every reply an id of its own"
        )
    for reply in found:
        _require_twin(reply, by_id.get(reply.twin_id), file)
        yield reply


def _reply(record: Record, where: str) -> AdversarialReply:
    require_keys(record, _KEYS, where)
    text = {key: text_of(record, key, where) for key in _TEXTS}
    is_equivalent = record["equivalent"]
    if not isinstance(is_equivalent, bool):
        raise InputError(f"{where}: `equivalent` must be true or false, got {is_equivalent!r}")
    item = Item(
        item_id=text["id"].rpartition("-")[0],
        benchmark=ADVERSARIAL,
        family=text["kind"],
        question=text["question"],
        reference=text["reference"],
        choices=texts_of(record, "choices", where),
    )
    return AdversarialReply(
        reply_id=text["id"],
        kind=text["kind"],
        item=item,
        prediction=Prediction(
            item_id=item.item_id, system_id=_SYSTEMS[is_equivalent], text=text["reply"]
        ),
        is_equivalent=is_equivalent,
        twin_id=text["twin"],
        why=text["why"],
    )


def _require_twin(reply: AdversarialReply, twin: AdversarialReply | None, file: str) -> None:
    if (
        twin is None
        or twin.twin_id != reply.reply_id
        or twin.item != reply.item
        or twin.is_equivalent == reply.is_equivalent
    ):
        raise InputError(
            f"{file}: the twin of {reply.reply_id!r} must be a reply of the other class to the "
            f"same question that names it as its twin, got {reply.twin_id!r}"
        )


def adversarial_errors(marked_right: Mapping[str, bool]) -> tuple[KindErrors, ...]:
    """Return the errors of a rule, kind by kind, and over all kinds last.

    Args:
        marked_right: for each reply id, whether the rule marked the reply right.  A reply that it
            did not score counts as not marked right.

    Raises:
        UsageError: a reply of the set is missing, or there is one that it does not hold.
    """
    replies = adversarial_replies()
    known = {reply.reply_id for reply in replies}
    if known != marked_right.keys():
        raise UsageError(
            f"expected a mark for each of the {len(known)} replies of {ADVERSARIAL}, got "
            f"{len(marked_right)}; missing {sorted(known - marked_right.keys())[:3]}, unknown "
            f"{sorted(marked_right.keys() - known)[:3]}"
        )
    kinds = dict.fromkeys(reply.kind for reply in replies)
    return (
        *(_errors(kind, [r for r in replies if r.kind == kind], marked_right) for kind in kinds),
        _errors("all", replies, marked_right),
    )


def _errors(
    kind: str, replies: Sequence[AdversarialReply], marked_right: Mapping[str, bool]
) -> KindErrors:
    right = [marked_right[reply.reply_id] for reply in replies if reply.is_equivalent]
    wrong = [marked_right[reply.reply_id] for reply in replies if not reply.is_equivalent]
    return KindErrors(
        kind=kind,
        n_different=len(wrong),
        false_accepts=sum(wrong),
        n_equivalent=len(right),
        false_rejects=len(right) - sum(right),
    )
