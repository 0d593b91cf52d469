"""Logs that are damaged: every reader lists what it cannot use, and none ever raises."""

import copy
import json
import math
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import harness_logs
import inspect_logs
import lm_eval_logs
from finassay.errors import FinassayError, InputError
from finassay.runs.importers.logs.base import (
    Block,
    ReadOptions,
    Source,
    Unreadable,
    bad_entry,
)
from finassay.runs.importers.logs.importing import find_logs, import_logs
from finassay.runs.importers.logs.registry import reader_named
from finassay.study import Study
from finassay.study.check import check

pytestmark = pytest.mark.full

JUNK = (
    *(None, True, False, 0, -1, 7, 1e400, math.nan, -math.inf, 10**400, "", "x", "\ud800", "NaN"),
    *([], [None], [[]], {}, {"": None}, [{}], {"id": [1]}, ["a", 1], "\u2028", "007", "[invalid]"),
)


def inspect_document() -> harness_logs.Log:
    """Return a log of Inspect in one document, with scores of every kind."""
    scores = {
        "match": {"value": "C", "answer": "4"},
        "judge": {"value": None, "metadata": {"unscored_reason": "grade_parse_failure"}},
        "parts": {"value": {"a": 0.5, "b": "I"}},
    }
    samples = [inspect_logs.sample("a"), inspect_logs.sample("b", scores=scores)]
    head = {**inspect_logs.header(), "results": {"scores": [{"name": "match", "metrics": {}}]}}
    return harness_logs.Log("inspect", {"log.json": {**head, "samples": samples}})


def lm_eval_lines() -> harness_logs.Log:
    """Return a run of lm-evaluation-harness with two filters and a choice."""
    lines = [lm_eval_logs.line(0), lm_eval_logs.line(0, "flexible-extract"), lm_eval_logs.choice(1)]
    date = lm_eval_logs.DATE
    return harness_logs.Log(
        "lm-eval",
        {f"results_{date}.json": lm_eval_logs.results()},
        {f"samples_sums_{date}.jsonl": lines},
    )


BUILDERS = {
    builder.__name__: builder for builder in (*harness_logs.ALL, inspect_document, lm_eval_lines)
}


def _places(node: object, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """Yield the path of every value below a node."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield (*path, key)
            yield from _places(value, (*path, key))
    elif isinstance(node, list):
        for at, value in enumerate(node):
            yield (*path, at)
            yield from _places(value, (*path, at))


def _mutate(tree: object, rng: random.Random) -> None:
    """Change one value somewhere in a tree: another type, gone, doubled or swapped."""
    places = list(_places(tree))
    if not places:
        return
    *above, last = rng.choice(places)
    node = tree
    for step in above:
        node = node[step]  # type: ignore[index]
    assert isinstance(node, dict | list)
    kind = rng.randrange(6)
    if kind == 0:
        del node[last]  # type: ignore[arg-type]
    elif kind == 1 and isinstance(node, list):
        node.append(copy.deepcopy(node[int(str(last))]))
    elif kind == 2 and isinstance(node, dict):
        node[rng.choice(("", "0", "id", "prediction"))] = copy.deepcopy(node[last])
    else:
        node[last] = copy.deepcopy(rng.choice(JUNK))  # type: ignore[index]


def _read_all(folder: Path) -> tuple[int, int]:
    """Read every log below a folder; return how many samples there were, and bad entries."""
    samples = bad = 0
    for source in find_logs([folder]).sources:
        for block in _blocks(source):
            bad += len(block.bad)
            samples += len(block.samples) if isinstance(block, Block) else 0
    return samples, bad


def _blocks(source: Source) -> Iterator[Block | Unreadable]:
    """Yield the blocks of a source; a file that cannot be opened at all is listed by the caller."""
    try:
        yield from reader_named(source.tool).read(source, ReadOptions())
    except InputError as error:
        yield Unreadable(bad=(bad_entry(source.paths[0], 0, str(error)),))


@pytest.mark.parametrize("name", sorted(BUILDERS))
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32), changes=st.integers(1, 6))
def test_a_log_with_wrong_types_anywhere_is_read_without_an_error(
    name: str, seed: int, changes: int
) -> None:
    rng = random.Random(seed)
    log = BUILDERS[name]().copy()
    trees = [*log.documents.values(), *log.lines.values()]
    for _ in range(changes):
        _mutate(rng.choice(trees), rng)
    with tempfile.TemporaryDirectory() as folder:
        root = _written(log, Path(folder))
        # An exception fails the test; how much can be used depends on what was changed.
        _read_all(root)


def _written(log: harness_logs.Log, folder: Path) -> Path:
    """Write a log that may hold half of a surrogate pair, as its escape."""
    for name, document in log.documents.items():
        _put(folder / name, json.dumps(document))
    for name, lines in log.lines.items():
        _put(folder / name, "".join(f"{json.dumps(line)}\n" for line in lines))
    return folder


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("name", sorted(BUILDERS))
@settings(max_examples=5, deadline=None)
@given(share=st.floats(0, 1), at=st.integers(0, 9))
def test_a_log_that_breaks_off_holds_no_sample_more(name: str, share: float, at: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = _written(BUILDERS[name](), Path(folder))
        whole, _ = _read_all(root)
        files = sorted(path for path in root.rglob("*") if path.is_file())
        path = files[at % len(files)]
        raw = path.read_bytes()
        path.write_bytes(raw[: int(len(raw) * share)])
        samples, _ = _read_all(root)
    assert samples <= whole


@pytest.mark.parametrize("name", sorted(BUILDERS))
def test_half_a_document_is_listed(name: str, tmp_path: Path) -> None:
    root = _written(BUILDERS[name](), tmp_path)
    whole, bad = _read_all(root)
    # OpenCompass' files with few rows and FastChat's are many: all that are long are cut.
    for path in root.rglob("*.json*"):
        raw = path.read_bytes()
        path.write_bytes(raw[: int(len(raw) * 0.9)])
    samples, cut = _read_all(root)
    assert cut > bad
    assert samples <= whole


@pytest.mark.parametrize("name", sorted(BUILDERS))
@pytest.mark.parametrize("content", [b"", b"   ", b"\xff\xfe\x00\xd8", b"\x00" * 64, b"null", b"{"])
def test_files_of_nothing_are_not_taken_for_logs(name: str, content: bytes, tmp_path: Path) -> None:
    root = _written(BUILDERS[name](), tmp_path)
    for path in root.rglob("*.json*"):
        path.write_bytes(content)
    assert _read_all(root) == (0, 0)


@pytest.mark.parametrize("name", sorted(BUILDERS))
@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"\xff", b'{"a": ', b"[1, 2]", b"text"])
def test_what_the_caller_calls_a_log_is_listed_where_it_is_none(
    name: str, content: bytes, tmp_path: Path
) -> None:
    tool = BUILDERS[name]().tool
    path = tmp_path / "given.json"
    path.write_bytes(content)
    found = find_logs([path], tool=tool)
    assert [source.tool for source in found.sources] == [tool]
    blocks = [block for source in found.sources for block in _blocks(source)]
    assert sum(len(block.samples) for block in blocks if isinstance(block, Block)) == 0


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(BUILDERS))
def test_damaged_logs_land_in_a_sound_study(name: str, tmp_path: Path) -> None:
    for seed in (1, 7):
        rng = random.Random(seed)
        log = BUILDERS[name]().copy()
        trees = [*log.documents.values(), *log.lines.values()]
        for _ in range(4):
            _mutate(rng.choice(trees), rng)
        root = _written(log, tmp_path / f"log-{seed}")
        study = Study.create(tmp_path / f"study-{seed}")
        try:
            import_logs(study, find_logs([root]).sources)
        except FinassayError as error:  # pragma: no cover - says which damage was not listed
            pytest.fail(f"{name}, seed {seed}: {error}")
        assert [p for p in check(study).problems if p.severity == "error"] == []


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), share=st.floats(0, 1))
def test_an_archive_with_damage_anywhere_is_read_without_an_error(seed: int, share: float) -> None:
    rng = random.Random(seed)
    samples = [inspect_logs.sample("a"), inspect_logs.sample("b")]
    with tempfile.TemporaryDirectory() as folder:
        path = inspect_logs.archive(Path(folder) / "log.eval", samples, inspect_logs.header())
        raw = bytearray(path.read_bytes())
        for _ in range(4):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
        path.write_bytes(raw[: int(len(raw) * share)] if seed % 2 else raw)
        count, _ = _read_all(Path(folder))
    assert count <= 2


def test_half_a_surrogate_pair_lands_as_a_replacement(study: Study, tmp_path: Path) -> None:
    log = BUILDERS["lm_eval_lines"]().copy()
    (lines,) = log.lines.values()
    for line in lines[:2]:
        line["resps"] = [["It is \ud800 4"]]  # type: ignore[index]
    report = import_logs(study, find_logs([_written(log, tmp_path / "log")]).sources)
    assert report.bad == 0
    texts = study.snapshot().frame("predictions")["text"].to_list()
    assert "It is \ufffd 4" in texts
    assert check(study).problems == ()


def test_numbers_of_any_length_are_no_error(study: Study, tmp_path: Path) -> None:
    log = BUILDERS["inspect_document"]().copy()
    sample = log.documents["log.json"]["samples"][0]  # type: ignore[index]
    sample["output"]["usage"] = {"input_tokens": 10**400, "output_tokens": 3}
    sample["scores"]["match"]["value"] = 10**400
    import_logs(study, find_logs([_written(log, tmp_path / "log")]).sources)
    row = study.snapshot().frame("predictions", item_id="a").row(0, named=True)
    assert (row["tokens_in"], row["tokens_out"]) == (None, 3)
