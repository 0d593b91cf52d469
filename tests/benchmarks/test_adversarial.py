"""What holds for the bundled set of replies that mislead careless rules."""

from __future__ import annotations

import json
from collections import Counter
from difflib import SequenceMatcher

import pytest

from finassay.benchmarks.adversarial import (
    ADVERSARIAL_FILE,
    adversarial_errors,
    adversarial_replies,
    read_adversarial,
)
from finassay.benchmarks.reading import data_text
from finassay.errors import InputError, UsageError

REPLIES = adversarial_replies()


def test_at_least_320_replies_in_at_least_15_kinds_of_at_least_seven_pairs() -> None:
    kinds = Counter(reply.kind for reply in REPLIES)
    assert len(REPLIES) >= 320
    assert len(kinds) >= 15
    assert min(kinds.values()) >= 14


def test_half_of_the_replies_of_every_kind_are_equivalent() -> None:
    kinds = Counter(reply.kind for reply in REPLIES)
    equivalent = Counter(reply.kind for reply in REPLIES if reply.is_equivalent)
    assert {kind: 2 * n for kind, n in equivalent.items()} == kinds


def test_no_reply_stands_twice() -> None:
    texts = Counter((reply.item.question, reply.prediction.text) for reply in REPLIES)
    assert max(texts.values()) == 1


def test_twins_share_most_of_their_words() -> None:
    by_id = {reply.reply_id: reply.prediction.text for reply in REPLIES}
    shares = [
        SequenceMatcher(None, by_id[reply.reply_id].split(), by_id[reply.twin_id].split()).ratio()
        for reply in REPLIES
        if reply.is_equivalent and " " in reply.prediction.text
    ]
    assert sum(share >= 0.5 for share in shares) / len(shares) > 0.8


def test_replies_run_from_one_word_to_several_paragraphs() -> None:
    lengths = [len(reply.prediction.text) for reply in REPLIES]
    assert min(lengths) < 20
    assert max(lengths) > 400
    assert sum(reply.prediction.text.count("\n\n") >= 2 for reply in REPLIES) > 50


def test_most_wrong_replies_hold_the_reference_or_its_number() -> None:
    # Else a rule would need no reading at all to reject them.
    def digits(text: str) -> set[str]:
        return {word.strip(".,;:()%") for word in text.split() if any(map(str.isdigit, word))}

    numbered = [r for r in REPLIES if not r.is_equivalent and digits(r.item.reference or "")]
    held = [r for r in numbered if digits(r.item.reference or "") & digits(r.prediction.text)]
    assert len(held) / len(numbered) > 0.5


def test_a_rule_that_accepts_everything_accepts_every_wrong_reply() -> None:
    *kinds, total = adversarial_errors({reply.reply_id: True for reply in REPLIES})
    assert total.false_accept_share == 1.0
    assert total.false_reject_share == 0.0
    assert sum(errors.false_accepts for errors in kinds) == total.false_accepts == total.n_different


def test_a_rule_that_knows_the_classes_makes_no_error() -> None:
    *_, total = adversarial_errors({reply.reply_id: reply.is_equivalent for reply in REPLIES})
    assert (total.false_accepts, total.false_rejects) == (0, 0)


def test_a_missing_mark_is_refused() -> None:
    marks = {reply.reply_id: True for reply in REPLIES[1:]}
    with pytest.raises(UsageError, match=r"missing \['intermediate-value-01-yes'\]"):
        adversarial_errors(marks)


def changed(**values: object) -> str:
    first, *rest = data_text(ADVERSARIAL_FILE).removesuffix("\n").split("\n")
    return "\n".join((json.dumps(json.loads(first) | values), *rest))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"equivalent": 1}, r"set.jsonl:1: `equivalent` must be true or false, got 1"),
        ({"equivalent": False}, "the twin of 'intermediate-value-01-yes' must be"),
        ({"twin": "nobody"}, "that names it as its twin, got 'nobody'"),
        ({"reference": "13%"}, "to the same question"),
        ({"note": "x"}, r"unknown \['note'\]"),
        ({"id": "intermediate-value-01-no"}, "652 replies have only 651 different ids"),
    ],
)
def test_a_damaged_set_is_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        tuple(read_adversarial(changed(**values), file="set.jsonl"))
