"""Chunks cover a text, stay within their size and part nothing that belongs together."""

from __future__ import annotations

import datetime as dt
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import UsageError
from finassay.retrieval import Chunk, ChunkSettings, Document
from finassay.retrieval.chunking import chunks_of

SMALL = ChunkSettings(size=200, overlap=40)
IDENTIFIERS = (
    "Rs. 500 crore", "SEBI/HO/CFD/PoD-1/P/CIR/2024/118", "regulation 30 (6)", "1,00,000.50",
    "31 March 2024", "sub-regulation (6) of regulation 30", "7.5 per cent", "12A",
)  # fmt: skip
WORDS = ("the", "listed", "entity", "shall", "disclose;", "within.", "\n\n", "(a)", "30.", "Ä€中")


def cut(text: str, chosen: ChunkSettings = SMALL) -> list[Chunk]:
    return chunks_of(Document(document_id="d", text=text), chosen)


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(WORDS + IDENTIFIERS), max_size=120).map(" ".join),
    st.integers(80, 300),
    st.integers(0, 40),
)
def test_chunks_are_spans_that_cover_every_character(text: str, size: int, overlap: int) -> None:
    chunks = cut(text, ChunkSettings(size=size, overlap=overlap))
    covered = set()
    for number, chunk in enumerate(chunks):
        assert chunk.number == number
        assert chunk.text == text[chunk.start : chunk.end]
        assert 0 < len(chunk.text) <= size
        assert not chunk.text[0].isspace()
        assert not chunk.text[-1].isspace()
        covered.update(range(chunk.start, chunk.end))
    assert {at for at, c in enumerate(text) if not c.isspace()} <= covered
    starts = [chunk.start for chunk in chunks]
    assert starts == sorted(set(starts))


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=250), st.integers(80, 120))
def test_any_text_is_covered(text: str, size: int) -> None:
    chunks = cut(text, ChunkSettings(size=size, overlap=0))
    covered = {at for chunk in chunks for at in range(chunk.start, chunk.end)}
    assert {at for at, c in enumerate(text) if not c.isspace()} <= covered
    assert sum(chunk.end - chunk.start for chunk in chunks) == len(covered)


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_no_cut_falls_inside_an_identifier(data: st.DataObject) -> None:
    pieces = data.draw(
        st.lists(
            st.tuples(st.sampled_from(IDENTIFIERS), st.integers(1, 6)), min_size=5, max_size=40
        )
    )
    text, spans = "", []
    for identifier, n_words in pieces:
        text += " ".join(
            (["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"] * 2)[:n_words]
        )
        text += " "
        spans.append((len(text), len(text) + len(identifier)))
        text += f"{identifier} and "
    for chunk in cut(text):
        for place in (chunk.start, chunk.end):
            assert not any(start < place < end for start, end in spans)


def test_a_chunk_ends_where_a_provision_begins() -> None:
    first = "30. (1) " + "word " * 25
    second = "31. (1) " + "other " * 25
    chunks = cut(f"{first}\n{second}")
    assert [chunk.text[:3] for chunk in chunks] == ["30.", "31."]


def test_a_chunk_says_which_provision_is_open_and_which_begin() -> None:
    text = (
        "30. (1) " + "word " * 30 + ". More text. " * 10 + "\n(2) The entity; (a) this; (b) that."
    )
    chunks = chunks_of(
        Document(document_id="d", text=text, regulation="X Regulations, 2015"), SMALL
    )
    assert chunks[0].clause == "regulation 30"
    assert chunks[0].clauses == ("regulation 30", "regulation 30(1)")
    assert chunks[-1].clauses[-3:] == (
        "regulation 30(2)", "regulation 30(2)(a)", "regulation 30(2)(b)",
    )  # fmt: skip


def test_an_overlap_repeats_the_end_of_the_chunk_before() -> None:
    text = " ".join(f"Sentence number {n} is here." for n in range(40))
    chunks = cut(text)
    shared = [one.end - other.start for one, other in pairwise(chunks)]
    assert all(0 < n <= 40 for n in shared)
    bare = cut(text, ChunkSettings(size=200, overlap=0))
    assert all(one.end < other.start for one, other in pairwise(bare))


def test_a_chunk_knows_its_pages_and_its_document() -> None:
    text = "First page text.\n" + "Second page text. " * 20
    document = Document(
        document_id="d", text=text.strip(), pages=(0, 17), title="T", regulator="SEBI",
        regulation="R", date=dt.date(2024, 3, 31),
    )  # fmt: skip
    chunks = chunks_of(document, SMALL)
    assert (chunks[0].page, chunks[0].last_page) == (1, 2)
    assert (chunks[-1].page, chunks[-1].last_page) == (2, 2)
    assert (chunks[0].title, chunks[0].regulator, chunks[0].regulation) == ("T", "SEBI", "R")
    assert chunks[0].date == dt.date(2024, 3, 31)
    assert chunks[0].chunk_id == f"d#0-{chunks[0].end}"


def test_a_text_without_pages_has_none() -> None:
    assert cut("some text")[0].page is None


def test_a_word_longer_than_a_chunk_is_cut_all_the_same() -> None:
    chunks = cut("x" * 1000)
    assert max(len(chunk.text) for chunk in chunks) <= 200
    assert chunks[-1].end == 1000


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_a_blank_text_has_no_chunks(text: str) -> None:
    assert cut(text) == []


def test_a_short_text_is_one_chunk() -> None:
    assert [chunk.text for chunk in cut("  30. (1) Short; (a) text.  ")] == [
        "30. (1) Short; (a) text."
    ]


@pytest.mark.parametrize(
    ("size", "overlap", "message"),
    [(79, 0, "`size` of a chunk must be 80 to"), (100_001, 0, "got 100001"),
     (200, 101, "`overlap` must be 0 to 100"), (200, -1, "got -1")],
)  # fmt: skip
def test_sizes_out_of_range_are_refused(size: int, overlap: int, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ChunkSettings(size=size, overlap=overlap)


@pytest.mark.parametrize(
    "piece",
    [
        "30. (1) The entity shall pay Rs. 5 crore; (a) this.\n",
        "x",
        "。",
        "Rs. ",
        ": (a) ",
        " ",
        "1,",
    ],
)
def test_time_grows_with_the_length_of_the_text(piece: str) -> None:
    def seconds(n: int) -> float:
        start = time.process_time()
        cut(piece * (n // len(piece)), ChunkSettings())
        return time.process_time() - start

    seconds(4000)
    assert seconds(160_000) < 40 * max(seconds(20_000), 0.01)
