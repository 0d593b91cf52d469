"""Rows to mark and ways to mark them that the tests of the marking room share."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypedDict

import polars as pl
from hypothesis import strategies as st

from finassay.marking.batch import INPUT_SCHEMA, Batch
from finassay.marking.columns import verdicts_of
from finassay.marking.rowwise import Marker
from finassay.marking.scoring import DEFAULT_SCORERS
from finassay.records import FINISHES, Finish, Item, Prediction, Verdict
from finassay.scorers.base import Scorer
from finassay.scorers.registry import load_scorer

GOLDEN = Path(__file__).parent / "golden"

MORE_SCORERS = (
    "strict/numbers-first[threshold=0]",
    "strict/numbers-first[threshold=1]",
    'strict/numbers-first[yes_no_tasks=["Kelvin"]]',
    "strict/fuzzy-first[threshold=0.5]",
    "strict/fuzzy-first[threshold=1]",
    "token_set[threshold=0]",
    "token_set[threshold=0.9]",
    'token_set[normaliser="words-percent-stop"]',
    'token_set[normaliser="none"]',
    "token_sort[threshold=0]",
    "token_sort[threshold=0.5]",
    'token_sort[normaliser="words-percent-stop"]',
    "partial",
    "partial[threshold=0.5]",
    'any_of[parts=["strict/numbers-first","token_set"]]',
    'all_of[parts=["number_set","strict/fuzzy-first"]]',
    'first_scored[parts=["number_set","yes_no","token_sort"]]',
)
SCORERS = (*DEFAULT_SCORERS, *MORE_SCORERS)

SPACES = [" ", "\t", "\n", "\r\n", "\x0b", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\xa0"]
SPACES += ["\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\u200b", "\x00"]
LETTERS = ["A", "b", "Z", "İ", "I", "ı", "i", "Σ", "σ", "ς", "ΑΣ", "ΟΔΟΣ", "ß", "ẞ", "ﬁ", "ŉ"]
LETTERS += ["\u212a", "\u212b", "ſ", "ǅ", "É", "E\u0301", "\u0301", "\u0307", "ᾈ", "Ω", "ꭰ", "Ა"]
DIGITS = ["0", "5", "30", "1,000", "12,34,567", "2.50", "2.5", ".5", "30.", "5%", "₹", "5lakh"]
DIGITS += ["५", "٥", "۵", "௫", "২", "５", "²", "½", "Ⅳ", "①", "𝟓", "１,０００", "百", "९९.९"]
WORDS = ["yes", "no", "Yes.", "NO", "not", "note", "yes/no", "y\u0435s", "fail:", "FAIL:", "faİl:"]
WORDS += ["cannot be determined", "Cannot Be Determined", "cannot be", "answer:", "the", "a"]
WORDS += ["ऋणदाता", "पूंजी", "கடன்", "বাংলা", "ঋণ", "商业银行", "金融庁", "주주", "البنك", "ธนาคาร"]
WORDS += ["👍🏽", "👩\u200d💼", "🇮🇳", "net owned fund", "fund owned net", "_", "__", "-", "—", "।"]
PIECES = [*SPACES, *LETTERS, *DIGITS, *WORDS, *".,:;%()[]'\"/"]

# Surrogates cannot stand in a frame; tests of `mark_many` give them by themselves.
anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
texts = st.lists(st.sampled_from(PIECES) | anything, max_size=7).map("".join)
spaced = st.lists(st.sampled_from(PIECES), max_size=7).map(" ".join)
replies = texts | spaced
tasks = st.sampled_from(
    ["", "numerical_reasoning", "contradiction_detection", "CON", "kelvin", "\u212aelvin", "ſ"]
)


class Row(TypedDict):
    """What a scorer may read of one reply."""

    reference: str | None
    text: str
    task: str
    finish: Finish
    alternatives: list[str]


Rows = list[Row]


@st.composite
def input_rows(draw: st.DrawFn) -> Row:
    """A row of a batch; one in three replies is built from its reference."""
    reference = draw(st.none() | replies)
    reply = draw(replies)
    twist = draw(st.integers(0, 8))
    if reference is not None and twist < 3:
        reply = [reference, reference.upper(), f"{reply} {reference}"][twist]
    return {
        "reference": reference,
        "text": reply,
        "task": draw(tasks),
        "finish": draw(st.sampled_from(FINISHES)),
        "alternatives": draw(st.just([]) | st.lists(replies, max_size=2)),
    }


batches = st.lists(input_rows(), max_size=20)


def batch_of(rows: Sequence[Row]) -> Batch:
    schema = {name: INPUT_SCHEMA[name] for name in ("reference", "text", "task", "finish")}
    schema["alternatives"] = INPUT_SCHEMA["alternatives"]
    return Batch(pl.DataFrame(rows, schema=schema))


def one_by_one(rows: Sequence[Row], scorer: Scorer) -> list[Verdict]:
    """Mark each row with nothing but the scorer itself."""
    verdicts = []
    for row in rows:
        item = Item(
            item_id="",
            task=row["task"],
            reference=row["reference"],
            alternatives=tuple(row["alternatives"]),
        )
        verdicts.append(
            scorer.score(item=item, prediction=Prediction(text=row["text"], finish=row["finish"]))
        )
    return verdicts


def serialised(verdicts: Sequence[Verdict]) -> str:
    """SHA-256 over the verdicts written one a line."""
    digest = hashlib.sha256()
    for verdict in verdicts:
        digest.update(json.dumps(asdict(verdict), sort_keys=True).encode())
        digest.update(b"\n")
    return digest.hexdigest()


def assert_both_ways_agree(batch: Batch, scorers: Sequence[str] = SCORERS) -> None:
    """Compare the path over columns with the one over rows, whole rows and as a hash."""
    fast, slow = Marker(batch), Marker(batch, vectorised=False)
    for scorer_id in scorers:
        scorer = load_scorer(scorer_id)
        columns, rows = fast.mark(scorer), slow.mark(scorer)
        found, expected = list(verdicts_of(columns)), list(verdicts_of(rows))
        assert columns.schema == rows.schema
        for number, (one, other) in enumerate(zip(found, expected, strict=True)):
            assert one == other, (scorer_id, batch.frame.row(number, named=True))
        assert serialised(found) == serialised(expected), scorer_id


def golden_pairs() -> list[dict[str, str]]:
    path = GOLDEN / "multilingual_pairs.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
