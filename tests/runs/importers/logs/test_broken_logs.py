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
from finassay.errors import FinassayError
from finassay.runs.importers.logs.base import Block, ReadOptions
from finassay.runs.importers.logs.importing import find_logs, import_logs
from finassay.runs.importers.logs.registry import reader_named
from finassay.study import Study
from finassay.study.check import check

JUNK = (
    *(None, True, False, 0, -1, 7, 1e400, math.nan, -math.inf, 10**400, "", "x", "\ud800", "NaN"),
    *([], [None], [[]], {}, {"": None}, [{}], {"id": [1]}, ["a", 1], "\u2028", "007", "[invalid]"),
)
BUILDERS = {builder.__name__: builder for builder in harness_logs.ALL}


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
        for block in reader_named(source.tool).read(source, ReadOptions()):
            bad += len(block.bad)
            samples += len(block.samples) if isinstance(block, Block) else 0
    return samples, bad


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
        samples, bad = _read_all(root)
    assert samples >= 0
    assert bad >= 0


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
def test_a_log_that_breaks_off_keeps_what_came_before(name: str, share: float, at: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = _written(BUILDERS[name](), Path(folder))
        files = sorted(path for path in root.rglob("*") if path.is_file())
        path = files[at % len(files)]
        raw = path.read_bytes()
        path.write_bytes(raw[: int(len(raw) * share)])
        samples, _ = _read_all(root)
    assert samples >= 0


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
    reader = reader_named(tool)
    found = find_logs([path], tool=tool)
    assert [source.tool for source in found.sources] == [tool]
    blocks = [block for source in found.sources for block in reader.read(source, ReadOptions())]
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
