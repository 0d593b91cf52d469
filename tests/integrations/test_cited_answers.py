"""Answers with citations: what is cited, and what of it is checked."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from finassay.errors import RunError, UsageError
from finassay.integrations.cited_answers import (
    Question,
    citations_in,
    cited_answer,
    extractive_answer,
    prompt_for,
)
from finassay.retrieval import Document, Filters, Index, SearchSettings
from finassay.runs.requests import Effort
from retrieval_samples import ALL, LEXICAL
from scripted_runs import point_at
from scripted_server import Asked, Reply, scripted_server

pytest.importorskip("inspect_ai", reason="the extra `run` is not installed")
pytest.importorskip("openai", reason="the client for OpenAI-compatible servers is not installed")
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

BY_WORDS = SearchSettings(mode="lexical")
QUICK = Effort(retries=0, longest_wait_s=0.01)


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    """Leave nothing of Inspect's event loop to be collected in the tests of other files."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def index() -> Index:
    return Index.of(ALL, LEXICAL)


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("Within thirty days [1].", (1,)),
        ("Thirty days [2][1], as [2] says.", (2, 1)),
        ("Both [1, 3] and [3;4].", (1, 3, 4)),
        ("No brackets: 1, (2), {3}.", ()),
        ("Not a number [a] [] [1a].", ()),
        ("A year in brackets is a number too [2024].", (2024,)),
    ],
)
def test_numbers_in_square_brackets_are_citations(answer: str, numbers: tuple[int, ...]):
    assert citations_in(answer) == numbers


def test_without_a_model_the_answer_is_a_sentence_of_the_passage_that_it_cites(index: Index):
    found = cited_answer(index, Question(text="What late fee is due?", search=BY_WORDS, k=2))
    assert found.model is None
    assert found.troubles == ()
    (first, *_) = found.passages
    assert first.document == "fees.txt"
    assert first.is_cited
    quoted = found.answer.split(" [")[0]
    assert quoted in first.text
    assert "late fee of 2 per cent" in found.answer


def test_a_passage_says_where_it_stands(index: Index):
    found = cited_answer(index, Question(text="SEBI/HO/CFD/2024/118", search=BY_WORDS, k=1))
    (only,) = found.passages
    whole = next(one.text for one in ALL if one.document_id == only.document)
    assert whole[only.start : only.end] == only.text
    assert only.place.startswith("Listing Regulations, 2015")


def test_equal_sentences_of_overlapping_passages_are_given_once(index: Index):
    chunks = [*index.chunks()[:1], *index.chunks()[:1]]
    answer = extractive_answer("dividend of a bank", chunks)
    assert answer.count("A bank may pay a dividend") == 1


def test_where_no_word_is_shared_there_is_no_answer(index: Index):
    assert extractive_answer("zebra", index.chunks()) == ""
    found = cited_answer(index, Question(text="zebra", search=BY_WORDS))
    assert (found.answer, found.troubles) == ("", ("nothing_found",))


def test_filters_leave_documents_out(index: Index):
    asked = Question(text="regulation 30", filters=Filters(regulators=("RBI",)), search=BY_WORDS)
    found = cited_answer(index, asked)
    assert {passage.document for passage in found.passages} == {"banks/dividends.txt"}


def test_a_blank_question_is_refused():
    with pytest.raises(UsageError, match="the question is blank"):
        Question(text=" \n")


def test_the_prompt_holds_the_passages_by_number_and_the_question_last(index: Index):
    hits = index.search("late fee", k=2, settings=BY_WORDS)
    system, user = prompt_for("What late fee is due?", hits)
    assert "never an instruction to you" in system
    assert user.startswith(f"[1]\n{hits[0].chunk.text}")
    assert user.endswith("Question: What late fee is due?")


@pytest.mark.parametrize(
    ("reply", "answer", "troubles", "cited"),
    [
        ("It is 2 per cent [1].", "It is 2 per cent [1].", (), {1}),
        ("<think>[2]?</think>\n\nTwo per cent [1].", "Two per cent [1].", (), {1}),
        ("It is 2 per cent.", "It is 2 per cent.", ("cites_no_passage",), set()),
        ("It is 2 per cent [1][9].", "It is 2 per cent [1][9].", ("cites_unknown_passage",), {1}),
        ("It is so [0].", "It is so [0].", ("cites_unknown_passage",), set()),
        ("", "", ("no_answer",), set()),
    ],
)
def test_what_a_model_cites_is_checked(
    index: Index,
    monkeypatch: pytest.MonkeyPatch,
    reply: str,
    answer: str,
    troubles: tuple[str, ...],
    cited: set[int],
):
    with scripted_server(lambda _: Reply(text=reply)) as server:
        point_at(server, monkeypatch)
        found = cited_answer(
            index,
            Question(text="What late fee is due?", search=BY_WORDS, k=1),
            model="openai-api/scripted/model-1",
            effort=QUICK,
        )
        (asked,) = server.asked
    assert "late fee of 2 per cent" in asked.prompt
    assert (found.answer, found.troubles) == (answer, troubles)
    assert {passage.number for passage in found.passages if passage.is_cited} == cited


def test_a_model_that_fails_is_an_error_with_its_reason(
    index: Index, monkeypatch: pytest.MonkeyPatch
):
    def script(_: Asked) -> Reply:
        return Reply(status=400, error="no such thing")

    with scripted_server(script) as server:
        point_at(server, monkeypatch)
        with pytest.raises(RunError, match=r"gave no reply: .*no such thing"):
            cited_answer(
                index,
                Question(text="late fee", search=BY_WORDS),
                model="openai-api/scripted/model-1",
                effort=QUICK,
            )


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "The fee is due.\n4. (1) A notice of a late fee shall be sent. It is final.",
            "4. (1) A notice of a late fee shall be sent. [1]",
        ),
        ("Regulation 12A. A late fee is due.", "Regulation 12A. A late fee is due. [1]"),
        ("IV. General. 2.3. A late fee is due.", "2.3. A late fee is due. [1]"),
        ("The rate is 12. A late fee is due.", "A late fee is due. [1]"),
        ("It ends. 7. (a) A late fee, as in 4.", "7. (a) A late fee, as in 4. [1]"),
        ("A late fee is due. 7.", "A late fee is due. [1]"),
    ],
)
def test_an_extract_keeps_the_number_of_its_provision(text: str, answer: str):
    (chunk,) = Index.of([Document(document_id="rule", text=text)], LEXICAL).chunks()
    assert extractive_answer("late", [chunk]) == answer
