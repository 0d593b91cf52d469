import csv
import json
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finassay.errors import UsageError
from finassay.marking import vectorised
from finassay.marking.batch import Batch
from finassay.marking.columns import OUTPUT_SCHEMA, verdicts_of
from finassay.marking.normal_forms import map_columns
from finassay.marking.rowwise import Marker
from finassay.marking.scoring import DEFAULT_SCORERS
from finassay.marking.vectorised import Workspace, equal_sets, mark_columns
from finassay.records import FINISHES, Finish, Verdict
from finassay.scorers.base import Scorer
from finassay.scorers.composites import Imported
from finassay.scorers.registry import load_scorer
from finassay.scorers.similarity import TokenSet
from finassay.scorers.strict import NumbersFirst, StrictMeasure
from finassay.text.normalisers import words, words_percent_stop
from marking_samples import (
    SCORERS,
    Row,
    Rows,
    assert_both_ways_agree,
    batch_of,
    batches,
    golden_pairs,
    input_rows,
    one_by_one,
    replies,
    serialised,
)
from real_data import data_root

pytestmark = pytest.mark.full

QUICK = settings(deadline=None, max_examples=15, suppress_health_check=list(HealthCheck))
LONG = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
VECTORISED = (
    "strict/numbers-first",
    "strict/fuzzy-first",
    "token_set",
    "token_sort",
    'token_sort[normaliser="words-percent-stop"]',
    "partial",
)


@QUICK
@given(batches)
def test_columns_and_rows_give_the_same_verdicts(rows: Rows):
    assert_both_ways_agree(batch_of(rows))


@pytest.mark.long
@LONG
@given(batches)
def test_columns_and_rows_give_the_same_verdicts_on_many_more_texts(rows: Rows):
    assert_both_ways_agree(batch_of(rows))


@QUICK
@given(batches)
def test_marking_a_batch_equals_asking_the_scorer_row_by_row(rows: Rows):
    marker = Marker(batch_of(rows))
    for scorer_id in SCORERS:
        scorer = load_scorer(scorer_id)
        expected = one_by_one(rows, scorer)
        assert list(verdicts_of(marker.mark(scorer))) == expected, scorer_id


def test_the_multilingual_pairs_are_marked_alike_both_ways():
    rows = [
        _plain(pair["reference"], pair["reply"], pair["task"], finish)
        for finish in FINISHES
        for pair in golden_pairs()
    ]
    assert_both_ways_agree(batch_of(rows))
    marker = Marker(batch_of(rows))
    for scorer_id in DEFAULT_SCORERS:
        scorer = load_scorer(scorer_id)
        assert list(verdicts_of(marker.mark(scorer))) == one_by_one(rows, scorer), scorer_id


def test_the_multilingual_pairs_span_scripts_and_tasks():
    pairs = golden_pairs()
    assert len(pairs) >= 120
    assert len({pair["script"] for pair in pairs}) >= 12
    assert len({pair["task"] for pair in pairs}) == 4


def test_every_pair_of_multilingual_texts_is_marked_alike_both_ways():
    # Each reply against the reference before it too: most of these are wrong, not right.
    rows = [
        {
            "reference": before["reference"],
            "text": pair["reply"],
            "task": pair["task"],
            "finish": "stop",
            "alternatives": [before["reply"]] if number % 2 else [],
        }
        for number, (before, pair) in enumerate(pairwise(golden_pairs()))
    ]
    assert_both_ways_agree(batch_of(rows))


def _plain(reference: str | None, text: str, task: str = "", finish: Finish = "stop") -> Row:
    return {
        "reference": reference,
        "text": text,
        "task": task,
        "finish": finish,
        "alternatives": [],
    }


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("tier one", "\x1c"),
        ("\x1f\x1e", "tier one"),
        ("tier one", "\x85\xa0\u2028"),
        ("", ""),
        ("x", ""),
        ("faİl:", "faİl:"),
        ("ΟΔΟΣ", "οδος"),
        ("ΟΔΟΣ ΟΔΟΣ.", "οδοσ"),
        ("\u212a 5", "k 5"),
        ("5\x85%", "5 %"),
        ("5\xa0₹", "5 ₹"),
        ("٣٠ يوم", "30 يوم"),
        ("1.", "1"),
        ("1 2 1", "2 1 2"),
        ("1 2 1", "1 3 1"),
        (".", "%"),
        ("!", "!"),
        ("a\x00b", "b\x00a"),
        (None, "5"),
    ],
)
def test_awkward_texts_are_marked_alike_both_ways(reference: str | None, text: str):
    for task in ("", "con"):
        assert_both_ways_agree(batch_of([_plain(reference, text, task)]))


def test_control_characters_that_python_calls_white_space_are_an_empty_reply():
    for scorer_id in ("token_set", "token_sort"):
        [verdict] = verdicts_of(
            Marker(batch_of([_plain("tier one", "\x1c\x1f")])).mark(load_scorer(scorer_id))
        )
        assert verdict.status == "no_answer"


@pytest.mark.parametrize("by_columns", [True, False])
@pytest.mark.parametrize("scorer_id", SCORERS)
def test_a_batch_without_rows_gives_a_frame_without_rows(scorer_id: str, *, by_columns: bool):
    marked = Marker(batch_of([]), vectorised=by_columns).mark(load_scorer(scorer_id))
    assert marked.height == 0
    assert marked.schema == OUTPUT_SCHEMA


@QUICK
@given(st.lists(input_rows(), min_size=2, max_size=8), st.data())
def test_where_a_batch_is_cut_changes_no_verdict(rows: Rows, data: st.DataObject):
    cut = data.draw(st.integers(0, len(rows)))
    whole, left, right = (Marker(batch_of(part)) for part in (rows, rows[:cut], rows[cut:]))
    for scorer_id in SCORERS:
        scorer = load_scorer(scorer_id)
        pieces = pl.concat([left.mark(scorer), right.mark(scorer)])
        assert whole.mark(scorer).equals(pieces), scorer_id


@QUICK
@given(input_rows())
def test_a_row_alone_gets_the_verdict_it_gets_among_others(row: Row):
    crowd = [_plain("5%", "5%"), row, _plain("ΟΔΟΣ", "५", "con"), row]
    alone, among = Marker(batch_of([row])), Marker(batch_of(crowd))
    for scorer_id in SCORERS:
        scorer = load_scorer(scorer_id)
        [expected] = verdicts_of(alone.mark(scorer))
        found = list(verdicts_of(among.mark(scorer)))
        assert [found[1], found[3]] == [expected, expected], scorer_id


def test_a_frame_in_many_chunks_is_marked_like_one():
    pairs = golden_pairs()
    frame = pl.DataFrame(
        {
            "reference": [pair["reference"] for pair in pairs],
            "text": [pair["reply"] for pair in pairs],
            "task": [pair["task"] for pair in pairs],
        }
    )
    pieces = pl.concat([frame[i : i + 7] for i in range(0, len(frame), 7)], rechunk=False)
    assert pieces.n_chunks() > 1
    one, many = Marker(Batch(frame)), Marker(Batch(pieces))
    for scorer_id in SCORERS:
        scorer = load_scorer(scorer_id)
        assert one.mark(scorer).equals(many.mark(scorer)), scorer_id


@pytest.mark.parametrize("scorer_id", VECTORISED)
def test_plain_rows_are_marked_by_columns(scorer_id: str):
    work = Workspace(batch_of([_plain("5%", "5%"), _plain("5%", "6%"), _plain("Yes", "no", "con")]))
    found = mark_columns(load_scorer(scorer_id), work)
    assert found is not None
    assert found[0].tolist() == [0, 1, 2]


@pytest.mark.parametrize("scorer_id", ["strict/numbers-first", "token_set", "token_sort"])
def test_rows_with_a_capital_sigma_are_left_to_the_row_by_row_path(scorer_id: str):
    work = Workspace(batch_of([_plain("5%", "5%"), _plain("ΟΔΟΣ", "5%"), _plain("5%", "ΟΔΟΣ")]))
    found = mark_columns(load_scorer(scorer_id), work)
    assert found is not None
    assert found[0].tolist() == [0]


@pytest.mark.parametrize("scorer_id", ["exact", "number_set", 'token_set[normaliser="squad"]'])
def test_rules_without_a_form_for_columns_say_so(scorer_id: str):
    assert mark_columns(load_scorer(scorer_id), Workspace(batch_of([_plain("5", "5")]))) is None


@dataclass(frozen=True, kw_only=True)
class _Contrary(NumbersFirst):
    """A rule derived from a vectorised one, that decides the other way round."""

    def decide(self, measured: StrictMeasure) -> Verdict:
        return Verdict(status="scored", value=1.0 - (super().decide(measured).value or 0.0))


@dataclass(frozen=True, kw_only=True)
class _Nothing(TokenSet):
    """A similarity that measures nothing."""

    def measure(self, **_: object) -> float:
        return 0.0


@pytest.mark.parametrize(("rule", "value"), [(_Contrary(), 0.0), (_Nothing(threshold=0.0), 0.0)])
def test_a_rule_derived_from_a_vectorised_one_keeps_its_own_decision(rule: Scorer, value: float):
    [verdict] = verdicts_of(Marker(batch_of([_plain("5%", "5%")])).mark(rule))
    assert verdict.value == value


def test_rules_that_differ_in_thresholds_measure_once(monkeypatch: pytest.MonkeyPatch):
    calls = []

    def counting(*args: object, **kwargs: object) -> object:
        calls.append(1)
        return original(*args, **kwargs)

    original = vectorised.process.cpdist
    monkeypatch.setattr(vectorised.process, "cpdist", counting)
    marker = Marker(batch_of([_plain("five of six", "six of five"), _plain("a b c d", "a x y z")]))
    values = [
        marker.mark(load_scorer(f"strict/numbers-first[threshold={share}]"))["value"].to_list()
        for share in (0.0, 0.72, 1.0)
    ]
    assert len(calls) == 1
    assert values == [[1.0, 1.0], [1.0, 0.0], [1.0, 0.0]]


def test_equal_rows_are_measured_once():
    seen = []

    @dataclass(frozen=True, kw_only=True)
    class Watched(TokenSet):
        def measure(self, **parts: object) -> float:
            seen.append(parts["reference"])
            return 100.0

    rows = [_plain("a", "a"), _plain("b", "b"), _plain("a", "a"), _plain("a", "a", finish="error")]
    marked = Marker(batch_of(rows)).mark(Watched())
    assert seen == ["a", "b"]
    assert marked["status"].to_list() == ["scored", "scored", "scored", "failed"]


def test_imported_verdicts_cannot_be_computed():
    with pytest.raises(UsageError, match="imported, not computed"):
        Marker(batch_of([_plain("a", "a")])).mark(Imported(name="stored"))


@settings(QUICK, max_examples=100)
@given(st.lists(st.tuples(replies, replies), min_size=1, max_size=6))
def test_mapped_columns_are_the_normal_forms(pairs: list[tuple[str, str]]):
    left, right = (pl.Series([pair[side] for pair in pairs], dtype=pl.String) for side in (0, 1))
    for name, form in (("words", words), ("words-percent-stop", words_percent_stop)):
        for mapped, texts in zip(map_columns(left, right, name), (left, right), strict=True):
            found = mapped.collapsed().to_list()
            for is_exception, one, text in zip(mapped.exceptions, found, texts, strict=True):
                assert is_exception or one == form(text)
                assert bool(is_exception) == ("Σ" in text)


CHARACTERS = [chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF]


@pytest.mark.parametrize(
    ("name", "form"), [("words", words), ("words-percent-stop", words_percent_stop)]
)
def test_every_assigned_character_is_mapped_as_python_maps_it(
    name: str, form: Callable[[str], str]
):
    assigned = [c for c in CHARACTERS if unicodedata.category(c) not in {"Cn", "Co"}]
    texts = pl.Series([f"A{character}5" for character in assigned if character != "Σ"])
    mapped, _ = map_columns(texts, texts, name)
    assert not mapped.exceptions.any()
    assert mapped.collapsed().to_list() == [form(text) for text in texts]


def test_every_character_that_python_strips_leaves_a_reply_empty():
    texts = pl.Series(CHARACTERS)
    blank = [not text.strip() for text in CHARACTERS]
    assert (~vectorised._has_text(texts)).to_list() == blank
    assert sum(blank) > 20


numbers = st.lists(st.sampled_from(["1", "2", "3.5", "10", "1", ""]), max_size=6).map(" ".join)


@settings(QUICK, max_examples=100)
@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
def test_equal_sets_are_what_python_sets_say(pairs: list[tuple[str, str]]):
    left, right = (pl.Series([pair[side] for pair in pairs], dtype=pl.String) for side in (0, 1))
    expected = [bool(a.split()) and set(a.split()) == set(b.split()) for a, b in pairs]
    found = equal_sets(left, right, r"[0-9]+(?:\.[0-9]+)?")
    assert np.array_equal(found, expected)


def test_the_hash_of_verdicts_sees_every_field():
    base = Verdict(status="scored", value=1.0, reason="r")
    others = [
        Verdict(status="scored", value=0.0, reason="r"),
        Verdict(status="failed", reason="r"),
        Verdict(status="scored", value=1.0, reason="s"),
        Verdict(status="scored", value=1.0, reason="r", label="l"),
        Verdict(status="scored", value=1.0, reason="r", extracted="e"),
        Verdict(status="scored", value=1.0, reason="r", flags=("f",)),
    ]
    assert len({serialised([one]) for one in (base, *others)}) == 7


@pytest.mark.long
@pytest.mark.data
def test_all_published_replies_of_indiafinbench_are_marked_alike_both_ways():
    listed = json.loads((data_root() / "indiafinbench" / "items.json").read_text(encoding="utf-8"))
    answers = {entry["id"]: entry["answer"] for entry in listed}
    rows = []
    for path in sorted((data_root() / "indiafinbench" / "predictions").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            rows += [
                _plain(answers[row["id"]], row["prediction"], row["task_type"], "not_logged")
                for row in csv.DictReader(stream)
            ]
    assert len(rows) == 12 * 406 + 150
    assert_both_ways_agree(batch_of(rows), DEFAULT_SCORERS)


@pytest.mark.long
@pytest.mark.data
def test_all_published_answers_of_financebench_are_marked_alike_both_ways():
    path = data_root() / "financebench" / "answers_with_human_labels.jsonl"
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [
        _plain(str(entry["gold_answer"]), str(entry["model_answer"] or "")) for entry in entries
    ]
    assert len(rows) == 16 * 65
    assert_both_ways_agree(batch_of(rows), DEFAULT_SCORERS)
