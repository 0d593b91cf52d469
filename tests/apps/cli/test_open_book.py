"""`finassay run --open-book`: what is asked, kept, refused, and compared with closed-book runs."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_runs import run
from finassay.study import Study
from finassay.study.retrieved import found_for
from scripted_server import Asked, Reply, ScriptedServer, scripted_server

pytest.importorskip("inspect_ai", reason="the extra `run` is not installed")
pytest.importorskip("openai", reason="the client for OpenAI-compatible servers is not installed")

# Inspect leaves streams of its own event loop to the garbage collector, which warns of them.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

LICENCES = ("amber", "birch", "cedar", "elder", "fir", "gorse", "hazel", "ivy", "oak", "yew")
IN_INDEX = 6
"""Of the ten rules, as many stand in the index; each item holds the rule it asks about."""
MODEL, BASELINE = "openai-api/scripted/m", "finassay/bm25-sentence"
OPEN_BOOK = "[open-book k=2 lexical]"
RULE = "includes"


def rule(at: int) -> str:
    return f"The licence {LICENCES[at]} ends {at + 11} days after notice."


ITEMS = [
    {
        "id": f"i{at}",
        "question": f"When does the licence {name} end?",
        "answer": f"{at + 11} days",
        "context": rule(at),
    }
    for at, name in enumerate(LICENCES)
]


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    """Leave nothing to be collected, and warned of, in the tests of other files."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index that holds six of the ten rules, and a text that settles nothing."""
    folder = tmp_path_factory.mktemp("open-book")
    (folder / "docs").mkdir()
    for at in range(IN_INDEX):
        (folder / "docs" / f"{LICENCES[at]}.txt").write_text(rule(at), encoding="utf-8")
    (folder / "docs" / "other.txt").write_text("A notice ends a licence.", encoding="utf-8")
    (folder / "items.json").write_text(json.dumps(ITEMS), encoding="utf-8")
    assert run("rag", "build", folder / "index", folder / "docs", "--embedder", "none").code == 0
    return folder / "index"


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    """A model that answers from the passage that names the licence, and from nothing else."""

    def script(asked: Asked) -> Reply:
        name = asked.prompt.split("When does the licence ")[1].split()[0]
        rules = [line for line in asked.prompt.splitlines() if f"licence {name} ends" in line]
        return Reply(text=rules[0].split(" ends ")[1] if rules else "It is not settled.")

    with scripted_server(script) as one, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCRIPTED_BASE_URL", one.url)
        patch.setenv("SCRIPTED_API_KEY", "none")
        yield one


@pytest.fixture(scope="module")
def study(index: Path, server: ScriptedServer) -> Path:
    """Both systems, closed-book and open-book, marked."""
    study = index.parent / "study"
    words = ("run", index.parent / "items.json", "--study", study, "--model", MODEL)
    for more in ((), ("--open-book", index, "--k", "2", "--mode", "lexical")):
        done = run(*words, "--model", BASELINE, *more)
        assert done.code == 0, done.err
    assert len(server.asked) == 2 * len(ITEMS)
    assert run("score", study, "--scorer", RULE).code == 0
    return study


@pytest.mark.parametrize("model", [MODEL, BASELINE])
def test_closed_book_and_open_book_are_compared_item_by_item(study: Path, model: str):
    done = run("compare", study, model, f"{model} {OPEN_BOOK}", "--scorer", RULE, "--json", "-")
    (pair,) = done.json["pairs"]
    assert (pair["n"], pair["left_score"], pair["right_score"]) == (10, 1.0, 0.6)
    # McNemar's exact test of 4 items to 0: twice the chance of four heads in a row.
    told = pair["mcnemar"]
    assert (told["left_only"], told["right_only"], told["exact"]) == (4, 0, 2 * 0.5**4)


def test_retrieval_is_the_condition_that_two_runs_of_a_model_differ_in(study: Path):
    done = run("configuration", study, "--scorer", RULE, "--json", "-")
    (pair,) = done.json["pairs"]
    assert (pair["left"], pair["right"]) == (MODEL, f"{MODEL} {OPEN_BOOK}")
    (change,) = pair["changed"]
    assert (change["field"], change["left"]) == ("decoding", "")
    assert "open_book.k=2, open_book.search=lexical" in change["right"]
    assert pair["difference"] == pytest.approx(-0.4)
    assert pair["n_same"] == IN_INDEX
    assert "decoding: (none) -> open_book=" in done.err


def test_the_audit_ranks_and_tests_both(study: Path, tmp_path: Path):
    done = run("audit", study, "--out", tmp_path / "report", "--scorer", RULE)
    assert done.code == 0, done.err
    document = json.loads((tmp_path / "report" / "report.json").read_text(encoding="utf-8"))
    shown = {row["system"]: row["estimate"]["value"] for row in document["leaderboard"]["rows"]}
    assert shown == {
        MODEL: 1.0,
        BASELINE: 1.0,
        f"{MODEL} {OPEN_BOOK}": 0.6,
        f"{BASELINE} {OPEN_BOOK}": 0.6,
    }
    tested = {frozenset((one["left"], one["right"])) for one in document["comparisons"]["pairs"]}
    assert {frozenset((name, f"{name} {OPEN_BOOK}")) for name in (MODEL, BASELINE)} <= tested


def test_what_was_found_for_each_item_stands_in_the_study(study: Path):
    opened = Study.open(study)
    systems = {spec.name: spec.system_id for spec in opened.snapshot().systems()}
    found = list(found_for(opened, systems[f"{MODEL} {OPEN_BOOK}"]))
    first = {one.item_id: one.text for one in found if one.rank == 1}
    assert {item: first[item] for item in (f"i{at}" for at in range(IN_INDEX))} == {
        f"i{at}": rule(at) for at in range(IN_INDEX)
    }
    assert not any(one.text == rule(at) for one in found for at in range(IN_INDEX, len(LICENCES)))
    assert list(found_for(opened, systems[MODEL])) == []


def test_running_again_asks_nothing(study: Path, index: Path, server: ScriptedServer):
    asked = len(server.asked)
    done = run(
        *("run", index.parent / "items.json", "--study", study, "--model", MODEL),
        *("--open-book", index, "--k", "2", "--mode", "lexical"),
    )
    assert (done.code, len(server.asked)) == (0, asked)
    assert f"{MODEL} {OPEN_BOOK}: 10 wanted, 10 held" in done.out


def test_a_dry_run_shows_the_prompt_with_what_was_found(index: Path, tmp_path: Path):
    done = run(
        *("run", index.parent / "items.json", "--study", tmp_path / "study", "--model", MODEL),
        *("--dry-run", "--open-book", index),
    )
    assert done.code == 0
    assert "open-book k=5" in done.out
    assert f"Passage 1:\n{rule(0)}" in done.out
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--open-book", "NOTHING"), 8, "there is no index at"),
        (("--open-book", "INDEX", "--k", "0"), 2, "must be 1 to 100 passages, got 0"),
        (("--open-book", "INDEX", "--k", "101"), 2, "must be 1 to 100 passages, got 101"),
        (("--open-book", "INDEX", "--mode", "x"), 2, "--mode must be one of"),
        (("--open-book", "INDEX", "--mode", "dense"), 2, "this index has no embeddings"),
        (("--k", "3"), 2, "--k and --mode are about passages of an index"),
        (("--mode", "hybrid"), 2, "--k and --mode are about passages of an index"),
    ],
)
def test_an_open_book_run_that_cannot_be_is_refused_and_asks_nothing(
    index: Path,
    tmp_path: Path,
    server: ScriptedServer,
    words: tuple[str, ...],
    code: int,
    said: str,
):
    asked = len(server.asked)
    paths = {"INDEX": index, "NOTHING": tmp_path / "NOTHING"}
    done = run(
        *("run", index.parent / "items.json", "--study", tmp_path / "study", "--model", MODEL),
        *(paths.get(word, word) for word in words),
    )
    assert (done.code, done.out, len(server.asked)) == (code, "", asked)
    assert said in done.err
