"""Open-book runs: what models are shown, what is kept, and what the system is called."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli_runs import run
from finassay.errors import StudyError, UsageError
from finassay.integrations.open_book import RetrievedPassages, found_for, run_open_book
from finassay.records import Item
from finassay.retrieval import Document, Index, SearchSettings
from finassay.runs.requests import Asking, Effort
from finassay.runs.running import RunRequest, plan_run, run_models
from finassay.study import Study
from finassay.study.rows import predictions_from
from retrieval_samples import ALL, LEXICAL
from scripted_runs import MODEL, QUICK, point_at
from scripted_server import Asked, Reply, scripted_server

pytest.importorskip("inspect_ai", reason="the extra `run` is not installed")
pytest.importorskip("openai", reason="the client for OpenAI-compatible servers is not installed")
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

ITEMS = (
    Item(
        item_id="fee",
        benchmark="b",
        question="What late fee is due?",
        context="A passage that only the item holds.",
        reference="2 per cent a month",
    ),
    Item(
        item_id="dividend",
        benchmark="b",
        question="Up to which share of profit may a bank pay a dividend?",
        context="Another passage that only the item holds.",
        reference="40 per cent",
    ),
)
BASELINE = "finassay/bm25-sentence"


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    """Leave nothing of Inspect's event loop to be collected in the tests of other files."""
    yield
    gc.collect()


def passages(*, k: int = 1, documents: tuple[Document, ...] = ALL) -> RetrievedPassages:
    found = Index.of(documents, LEXICAL)
    return RetrievedPassages(index=found, k=k, search=SearchSettings(mode="lexical"))


def request(source: RetrievedPassages | None, model: str = BASELINE) -> RunRequest:
    return RunRequest(items=ITEMS, models=(model,), asking=Asking(passages=source), effort=QUICK)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = Study.create(tmp_path / "study")
    made.add_items(ITEMS, benchmark="b")
    return made


def test_the_prompt_holds_what_was_found_and_not_what_the_item_holds(
    study: Study, monkeypatch: pytest.MonkeyPatch
):
    def script(_: Asked) -> Reply:
        return Reply(text="2 per cent a month")

    source = passages()
    with scripted_server(script) as server:
        point_at(server, monkeypatch)
        run_open_book(study, request(source, MODEL), source)
        prompts = [asked.prompt for asked in server.asked]
    (fee,) = [prompt for prompt in prompts if "late fee is due" in prompt.split("Question:")[1]]
    assert "A late fee of 2 per cent a month" in fee
    assert not any("only the item holds" in prompt for prompt in prompts)


def test_an_extractive_system_answers_from_what_was_found(study: Study):
    source = passages()
    run_open_book(study, request(source), source)
    run_models(study, request(None))
    replies = {
        (one.system_id, one.item_id): one.text
        for one in predictions_from(study.snapshot().frame("predictions"))
    }
    (open_book,) = request(source).systems()
    (closed,) = request(None).systems()
    assert "40 per cent" in replies[open_book.system_id, "dividend"]
    assert replies[closed.system_id, "dividend"] == "Another passage that only the item holds."


def test_index_number_and_search_are_part_of_the_system(study: Study):
    (closed,) = request(None).systems()
    (one,) = request(passages()).systems()
    (two,) = request(passages(k=2)).systems()
    (other,) = request(passages(documents=ALL[:2])).systems()
    by_more = replace(passages(), search=SearchSettings(mode="lexical", identifiers=0.0))
    (plain,) = request(by_more).systems()
    assert len({spec.system_id for spec in (closed, one, two, other, plain)}) == 5
    assert closed.name == BASELINE
    assert one.name == f"{BASELINE} [open-book k=1 lexical]"
    assert dict(one.decoding)["open_book"] == passages().index.digest[:16]


def test_the_same_index_and_search_are_the_same_system():
    (one,) = request(passages()).systems()
    (again,) = request(passages()).systems()
    assert one == again


def test_what_was_found_is_kept_with_its_place_before_anything_is_asked(study: Study):
    source = passages(k=2)
    report = run_open_book(study, replace(request(source), effort=Effort(max_requests=0)), source)
    assert report.systems[0].left == 2
    (spec,) = request(source).systems()
    kept = list(found_for(study, spec.system_id))
    first = {item.item_id: source.hits(item)[0].chunk.chunk_id for item in ITEMS}
    assert {one.item_id for one in kept} == {"fee", "dividend"}
    assert all(one.rank == 1 for one in kept if one.chunk_id == first[one.item_id])
    texts = {document.document_id: document.text for document in ALL}
    for one in kept:
        document, _, span = one.chunk_id.rpartition("#")
        start, end = (int(part) for part in span.split("-"))
        assert texts[document][start:end] == one.text
        assert one.index == source.index.digest


def test_running_again_keeps_what_was_found_as_it_is(study: Study):
    source = passages()
    run_open_book(study, request(source), source)
    (spec,) = request(source).systems()
    path = study.root / "retrieved" / f"{spec.system_id}.jsonl"
    before = path.read_bytes()
    again = run_open_book(study, request(source), source)
    assert path.read_bytes() == before
    assert again.systems[0].held == 2


def test_a_closed_book_system_has_nothing_found(study: Study):
    (spec,) = request(None).systems()
    assert list(found_for(study, spec.system_id)) == []


def test_a_damaged_file_is_told_with_its_line(study: Study):
    source = passages()
    run_open_book(study, request(source), source)
    (spec,) = request(source).systems()
    path = study.root / "retrieved" / f"{spec.system_id}.jsonl"
    path.write_text(path.read_text(encoding="utf-8") + '{"item_id": "x"}\n', encoding="utf-8")
    with pytest.raises(StudyError, match=r"line 3: expected a passage as JSON"):
        list(found_for(study, spec.system_id))


def test_a_plan_asks_nothing_and_counts_the_words_of_what_was_found(study: Study):
    long = Document(document_id="long.txt", text="A late fee is due. " * 60)
    (short,) = plan_run(study, request(passages(), MODEL)).plans
    (more,) = plan_run(study, request(passages(documents=(long,)), MODEL)).plans
    assert more.tokens_in > short.tokens_in
    assert not (study.root / "retrieved").exists()


def test_passages_of_another_source_are_refused(study: Study):
    with pytest.raises(UsageError, match="must be asked with the passages that are kept"):
        run_open_book(study, request(passages()), passages())


@pytest.mark.parametrize("k", [0, 101])
def test_a_number_of_passages_that_no_prompt_holds_is_refused(k: int):
    with pytest.raises(UsageError, match=f"must be 1 to 100 passages, got {k}"):
        passages(k=k)


@pytest.mark.parametrize("option", [("--k", "3"), ("--mode", "lexical")])
def test_how_to_search_is_refused_where_no_index_is_named(
    tmp_path: Path, option: tuple[str, str]
) -> None:
    ran = run("run", "x.csv", "--study", tmp_path / "s", "--model", "finassay/constant", *option)
    assert ran.code == 2
    assert "name one with --open-book INDEX" in ran.err
