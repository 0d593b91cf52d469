"""`finassay rag` and `run --open-book`: what they print, write and refuse."""

from __future__ import annotations

import gc
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from cli_runs import run
from finassay.reports.schemas import schema_object
from scripted_server import Asked, Reply, ScriptedServer, scripted_server

# Inspect leaves streams of its own event loop to the garbage collector, which warns of them.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

FEES = (
    "12. (1) Every broker shall pay a fee of Rs. 500 crore within thirty days.\n"
    "(2) A late fee of 2 per cent a month is due on what is not paid."
)
LISTED = "30. (6) The disclosure shall be made within twenty-four hours, see SEBI/HO/CFD/2024/118."
SIDE_TABLE = """\
file,title,regulator,date,in_force_until
fees.txt,"Brokers (Fees) Regulations, 2019",SEBI,2019-05-01,
listed.txt,"Listing Regulations, 2015",SEBI,2015-09-02,2024-03-31
dividends.md,Directions on dividends,RBI,2026-01-10,
"""
MODEL = "openai-api/scripted/m"


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    """Leave nothing to be collected, and warned of, in the tests of other files."""
    yield
    gc.collect()


def texts(folder: Path) -> Path:
    docs = folder / "docs"
    (docs / "sebi").mkdir(parents=True)
    (docs / "sebi" / "fees.txt").write_text(FEES, encoding="utf-8")
    (docs / "sebi" / "listed.txt").write_text(LISTED, encoding="utf-8")
    dividend = "A bank may pay a dividend up to 40 per cent of its profit."
    (docs / "dividends.md").write_text(dividend, encoding="utf-8")
    (folder / "meta.csv").write_text(SIDE_TABLE, encoding="utf-8")
    return docs


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of three documents, without embeddings."""
    folder = tmp_path_factory.mktemp("rag")
    docs = texts(folder)
    done = run(
        *("rag", "build", folder / "index", docs, "--metadata", folder / "meta.csv"),
        *("--embedder", "none"),
    )
    assert (done.code, done.err) == (0, "")
    return folder / "index"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    pytest.importorskip("inspect_ai", reason="the extra `run` is not installed")
    pytest.importorskip("openai", reason="the client for OpenAI's servers is not installed")

    def script(asked: Asked) -> Reply:
        return Reply(text="It is 2 per cent a month [1], and more [7].")

    with scripted_server(script) as one:
        monkeypatch.setenv("SCRIPTED_BASE_URL", one.url)
        monkeypatch.setenv("SCRIPTED_API_KEY", "none")
        yield one


def test_building_tells_what_was_done_and_what_was_wrong_with_files(tmp_path: Path):
    docs = texts(tmp_path)
    (docs / "cut.pdf").write_bytes(b"%PDF-1.7 and no more")
    (docs / "bytes.txt").write_bytes(b"\xff\xfeo")
    (docs / "old.txt").write_bytes(b"The fee is \x80 5 for a d\xe9p\xf4t.")
    target = tmp_path / "built.json"
    words = ("rag", "build", tmp_path / "index", docs, "--embedder", "hashing", "--json", target)
    done = run(*words)
    assert done.code == 0
    assert "4 documents (4 added), 4 passages, 4 texts embedded" in done.out
    for name in ("cut.pdf", "bytes.txt", "old.txt"):
        assert f"\n{name}: " in done.out
    document = json.loads(target.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema_object("rag-build")).validate(document)
    assert {one["where"]: one["is_loaded"] for one in document["problems"]} == {
        "cut.pdf": False,
        "bytes.txt": False,
        "old.txt": True,
    }
    again = run("rag", "build", tmp_path / "index", docs)
    assert "4 documents (4 unchanged), 4 passages, 0 texts embedded" in again.out


def test_a_question_is_answered_with_sentences_and_where_they_stand(index: Path, tmp_path: Path):
    target = tmp_path / "answer.json"
    done = run("rag", "query", index, "What late fee is due?", "--k", "2", "--json", target)
    assert (done.code, done.err) == (0, "")
    first, *rest = done.out.splitlines()
    assert "A late fee of 2 per cent a month is due on what is not paid. [1]" in first
    place = f"Brokers (Fees) Regulations, 2019, regulation 12, characters 0 to {len(FEES)}"
    assert f"*[1] {place}" in rest
    document = json.loads(target.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema_object("rag-query")).validate(document)
    passage = document["passages"][0]
    assert FEES[passage["start"] : passage["end"]] == passage["text"]
    assert (passage["document"], document["model"]) == ("sebi/fees.txt", None)


@pytest.mark.parametrize(
    ("options", "documents"),
    {
        (): {"sebi/fees.txt", "sebi/listed.txt", "dividends.md"},
        ("--regulator", "RBI"): {"dividends.md"},
        ("--on", "2020-01-01"): {"sebi/fees.txt", "sebi/listed.txt"},
        ("--on", "2025-01-01"): {"sebi/fees.txt"},
        ("--since", "2019-05-01", "--until", "2019-05-01"): {"sebi/fees.txt"},
        ("--on", "1990-01-01"): set(),
    }.items(),
)
def test_filters_leave_documents_out(index: Path, options: tuple[str, ...], documents: set[str]):
    words = "fee, disclosure and dividend"
    done = run("rag", "query", index, words, *options, "--json", "-", "--k", "9")
    assert done.code == 0
    assert {one["document"] for one in done.json["passages"]} == documents


def test_a_regulator_that_issued_nothing_is_refused_with_those_that_did(
    index: Path, tmp_path: Path
):
    done = run("rag", "query", index, "late fee", "--mode", "lexical", "--regulator", "SEBY")
    assert (done.code, done.out) == (2, "")
    assert "issued by 'SEBY'; expected one of RBI, SEBI" in done.err
    page = tmp_path / "page.txt"
    page.write_text("A late fee is due.", encoding="utf-8")
    assert run("rag", "build", tmp_path / "index", page, "--embedder", "none").code == 0
    done = run("rag", "query", tmp_path / "index", "late fee", "--regulator", "SEBI")
    assert done.code == 2
    assert "nothing says who issued its documents: build it with --metadata" in done.err


def test_nothing_found_is_said_and_is_no_error(index: Path):
    done = run("rag", "query", index, "zebra")
    assert (done.code, done.out) == (0, "nothing was found\n")


def test_more_passages_than_there_are_give_those_that_there_are(index: Path):
    done = run("rag", "query", index, "fee dividend", "--k", "999999999", "--json", "-")
    assert (done.code, len(done.json["passages"])) == (0, 2)


def test_a_model_answers_and_a_citation_of_no_passage_is_told(index: Path, server: ScriptedServer):
    done = run(
        *("rag", "query", index, "What late fee is due?", "--k", "1"),
        *("--model", MODEL, "--json", "-"),
    )
    assert done.code == 0, done.err
    answer = done.json
    assert answer["answer"] == "It is 2 per cent a month [1], and more [7]."
    assert (answer["model"], answer["troubles"]) == (MODEL, ["cites_unknown_passage"])
    assert "warning: the answer cites a passage that it was not given" in done.err
    (asked,) = server.asked
    assert "A late fee of 2 per cent" in asked.prompt


def test_a_passage_cannot_steer_the_terminal(tmp_path: Path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "x.txt").write_text("A fee \x1b[2J\u202eeef is due.", encoding="utf-8")
    index = tmp_path / "index"
    assert run("rag", "build", index, tmp_path / "docs", "--embedder", "none").code == 0
    done = run("rag", "query", index, "Is a fee due?")
    assert done.code == 0
    assert "A fee" in done.out
    assert not {"\x1b", "\u202e"} & set(done.out)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("query", "NOTHING", "fee"), 8, "there is no index at"),
        (("query", "INDEX", " \n"), 2, "the question is blank"),
        (("query", "INDEX", ""), 2, "the question is blank"),
        (("query", "INDEX", "fee", "--mode", "dense"), 2, "this index has no embeddings"),
        (("query", "INDEX", "fee", "--mode", "x"), 2, "--mode must be one of hybrid, dense"),
        (("query", "INDEX", "fee", "--k", "0"), 2, "greater than or equal to 1"),
        (("query", "INDEX", "fee", "--k", "many"), 2, "--k"),
        (("query", "INDEX", "fee", "--on", "2024-02-30"), 2, "--on must be a date"),
        (("query", "INDEX", "fee", "--since", "soon"), 2, "--since must be a date"),
        (("query", "INDEX", "fee", "--model", "gpt"), 2, "PROVIDER/MODEL"),
        (("query", "INDEX", "fee", "--json", "no/such/x.json"), 2, "cannot write"),
        (("build", "INDEX", "DOCS", "--chunk-size", "100"), 8, "chunk size 1600, not 100"),
        (("build", "INDEX", "DOCS", "--embedder", "hashing"), 8, "rebuild it with the new"),
        (("build", "NEW", "DOCS", "--chunk-size", "0"), 2, "`size` of a chunk must be 80"),
        (("build", "NEW", "DOCS", "--overlap", "9999"), 2, "`overlap` must be 0 to 800"),
        (("build", "NEW", "DOCS", "--embedder", "best"), 2, "no embedder 'best'"),
        (("build", "NEW", "DOCS", "--tokeniser", "best"), 2, "no tokeniser 'best'"),
        (("build", "NEW", "NOTHING"), 3, "expected a file or folder with documents"),
        (("build", "NEW", "EMPTY"), 3, "no document could be loaded"),
        (("build", "NEW", "DOCS", "--metadata", "NOTHING"), 3, "NOTHING"),
        (("build", "NEW"), 2, "Missing argument"),
        (("build", "DOCS", "DOCS"), 2, "an index needs a directory of its own"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(
    index: Path, tmp_path: Path, words: tuple[str, ...], code: int, said: str
):
    (tmp_path / "EMPTY").mkdir()
    paths = {"INDEX": index, "DOCS": index.parent / "docs"}
    paths |= {name: tmp_path / name for name in ("NOTHING", "NEW", "EMPTY")}
    manifest = (index / "manifest.json").read_bytes()
    done = run("rag", *(paths.get(word, word) for word in words))
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "NEW" / "manifest.json").exists()
    assert (index / "manifest.json").read_bytes() == manifest


@pytest.mark.parametrize("damage", ["cut", "changed", "missing", "manifest"])
def test_a_damaged_index_is_told(index: Path, tmp_path: Path, damage: str):
    copy = shutil.copytree(index, tmp_path / "index")
    (file,) = copy.glob("generations/*/chunks.parquet")
    if damage == "cut":
        file.write_bytes(file.read_bytes()[:-10])
    elif damage == "changed":
        file.write_bytes(file.read_bytes()[:-9] + b"?" + file.read_bytes()[-8:])
    elif damage == "missing":
        file.unlink()
    else:
        (copy / "manifest.json").write_bytes(b"\xff{")
    done = run("rag", "query", copy, "late fee")
    assert (done.code, done.out) == (8, "")
    assert ("manifest.json" if damage == "manifest" else "chunks.parquet") in done.err
    assert "Traceback" not in done.err


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes there")
def test_names_of_files_that_are_no_unicode_are_taken_and_such_questions_refused(tmp_path: Path):
    docs = os.fsencode(tmp_path / "docs")
    os.mkdir(docs)  # noqa: PTH102 - a path of bytes
    with open(os.path.join(docs, b"caf\xe9.txt"), "wb") as stream:  # noqa: PTH118, PTH123 - as above
        stream.write(b"A fee is due.")
    index = tmp_path / "index"
    assert run("rag", "build", index, tmp_path / "docs", "--embedder", "none").code == 0
    done = run("rag", "query", index, "fee", "--json", "-")
    assert [one["document"] for one in done.json["passages"]] == ["caf\ufffd.txt"]
    refused = run("rag", "query", index, "fee \udce9")
    assert (refused.code, refused.out) == (2, "")
    assert "is not UTF-8" in refused.err
