"""An index of files: what is loaded, what is told, what is left as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from finassay.errors import InputError, StaleIndexError, UsageError
from finassay.retrieval import ChunkSettings, Index, IndexSettings
from finassay.retrieval.from_files import build_index
from retrieval_samples import HASHING, LEXICAL

FILES = {
    "fees.md": b"---\ntitle: Fees\nregulator: SEBI\n---\n12. A late fee of 2 per cent is due.",
    "banks/dividends.txt": b"A bank may pay a dividend up to 40 per cent of its profit.",
}
DAMAGED = {
    "empty.txt": b"",
    "cut.pdf": b"%PDF-1.7 and nothing else",
    "sheet.xlsx": b"PK\x03\x04 and the rest of an archive",
    "bytes.txt": b"\xff\xfeo",
    "notes.csv": b"a,b\n",
}


def written(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def names(path: Path) -> list[str]:
    return sorted({chunk.document_id for chunk in Index.open(path).chunks()})


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return written(tmp_path / "docs", FILES)


def test_files_become_an_index_that_finds_them(tmp_path: Path, docs: Path):
    built = build_index(tmp_path / "index", [docs], settings=LEXICAL)
    assert built.build.added == ("banks/dividends.txt", "fees.md")
    assert (built.build.n_documents, built.problems, built.left_out) == (2, (), 0)
    (hit,) = Index.open(tmp_path / "index").search("late fee", k=1)
    assert (hit.chunk.document_id, hit.chunk.title, hit.chunk.regulator) == (
        *("fees.md", "Fees"),
        "SEBI",
    )
    assert built.to_lines() == [
        f"{tmp_path / 'index'}: 2 documents (2 added), 2 passages, 0 texts embedded"
    ]


def test_damaged_files_are_told_one_by_one_and_the_others_are_loaded(tmp_path: Path, docs: Path):
    written(docs, DAMAGED)
    built = build_index(tmp_path / "index", [docs], settings=LEXICAL)
    assert names(tmp_path / "index") == sorted(FILES)
    assert {problem.where for problem in built.problems} == set(DAMAGED)
    assert built.left_out == len(DAMAGED)
    lines = built.to_lines()
    assert len(lines) == 1 + len(DAMAGED)
    assert all(any(line.startswith(f"{name}: ") for line in lines) for name in DAMAGED)


def test_a_guessed_encoding_is_told_and_the_file_is_loaded(tmp_path: Path, docs: Path):
    written(docs, {"old.txt": b"The fee is \x80 5 for a d\xe9p\xf4t."})
    built = build_index(tmp_path / "index", [docs], settings=LEXICAL)
    (problem,) = built.problems
    assert (problem.where, problem.is_loaded, built.left_out) == ("old.txt", True, 0)
    assert "The fee is € 5 for a dépôt." in [
        c.text for c in Index.open(tmp_path / "index").chunks()
    ]


def test_files_of_which_none_can_be_loaded_are_refused_with_the_reasons(tmp_path: Path):
    bad = written(tmp_path / "bad", DAMAGED)
    with pytest.raises(InputError, match=r"no document could be loaded from '.*bad'") as caught:
        build_index(tmp_path / "index", [bad], settings=LEXICAL)
    assert all(f"\n  {name}: " in str(caught.value) for name in DAMAGED)
    assert not (tmp_path / "index").exists()


def test_an_empty_folder_is_refused_and_leaves_the_index_as_it_is(tmp_path: Path, docs: Path):
    build_index(tmp_path / "index", [docs], settings=LEXICAL)
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError, match="no document could be loaded"):
        build_index(tmp_path / "index", [tmp_path / "none"], only=True)
    assert names(tmp_path / "index") == sorted(FILES)


def test_building_again_costs_nothing_and_embeds_only_what_changed(tmp_path: Path, docs: Path):
    first = build_index(tmp_path / "index", [docs], settings=HASHING)
    assert first.build.n_embedded == 2
    digest = Index.open(tmp_path / "index").digest
    again = build_index(tmp_path / "index", [docs])
    assert (again.build.n_unchanged, again.build.n_embedded) == (2, 0)
    assert Index.open(tmp_path / "index").digest == digest
    written(docs, {"fees.md": b"12. A late fee of 3 per cent is due."})
    changed = build_index(tmp_path / "index", [docs])
    assert (changed.build.replaced, changed.build.n_embedded) == (("fees.md",), 1)
    assert "(1 replaced, 1 unchanged)" in changed.to_lines()[0]


def test_documents_that_are_gone_leave_only_when_asked(tmp_path: Path, docs: Path):
    build_index(tmp_path / "index", [docs], settings=LEXICAL)
    (docs / "fees.md").unlink()
    build_index(tmp_path / "index", [docs])
    assert names(tmp_path / "index") == sorted(FILES)
    built = build_index(tmp_path / "index", [docs], only=True)
    assert built.build.removed == ("fees.md",)
    assert names(tmp_path / "index") == ["banks/dividends.txt"]


def test_other_settings_are_refused_and_taken_when_built_anew(tmp_path: Path, docs: Path):
    build_index(tmp_path / "index", [docs], settings=LEXICAL)
    small = IndexSettings(embedder="none", chunks=ChunkSettings(size=100, overlap=10))
    with pytest.raises(StaleIndexError, match="chunk size 1600, not 100"):
        build_index(tmp_path / "index", [docs], settings=small)
    assert Index.open(tmp_path / "index").settings == LEXICAL
    build_index(tmp_path / "index", [docs], settings=small, anew=True)
    assert Index.open(tmp_path / "index").settings == small


def test_a_folder_of_documents_is_no_place_for_an_index(docs: Path):
    with pytest.raises(UsageError, match="an index needs a directory of its own"):
        build_index(docs, [docs], settings=LEXICAL)
    assert sorted(path.name for path in docs.iterdir()) == ["banks", "fees.md"]


def test_an_index_below_its_documents_is_not_read_as_one_of_them(docs: Path):
    build_index(docs / "index", [docs], settings=LEXICAL)
    again = build_index(docs / "index", [docs])
    assert (again.build.n_unchanged, again.problems) == (2, ())


TABLE = (
    b"filename,title,regulator,date,url\n"
    b"fees.md,,RBI,2024-03-31,https://example.org/fees\n"
    b"banks/dividends.txt,Dividends of banks,RBI,2020-01-02,\n"
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_bytes(TABLE)
    return path


def known(path: Path) -> dict[str, tuple[str, str, str, str]]:
    return {
        one.document_id: (one.title, one.regulator, str(one.date), one.source)
        for one in Index.open(path).documents
    }


@pytest.mark.parametrize("anew", [False, True])
def test_a_build_without_its_side_table_keeps_what_the_table_said_and_tells_it(
    tmp_path: Path, docs: Path, table: Path, *, anew: bool
):
    index = tmp_path / "index"
    build_index(index, [docs], metadata=[table], settings=LEXICAL)
    before = known(index)
    assert before["banks/dividends.txt"][:3] == ("Dividends of banks", "RBI", "2020-01-02")
    again = build_index(index, [docs], settings=LEXICAL, anew=anew)
    # What fees.md says of itself counts again: SEBI, which the table had overruled.
    fees = before["fees.md"]
    assert known(index) == before | {"fees.md": (fees[0], "SEBI", *fees[2:])}
    kept, lost = (str(problem) for problem in again.problems)
    assert "kept as it was: title of 1, regulator of 1, date of 2, address of 1" in kept
    assert "taken from the files: regulator of 1" in lost
    assert again.left_out == 0


def test_a_row_of_a_side_table_may_take_back_what_an_earlier_one_said(
    tmp_path: Path, docs: Path, table: Path
):
    index = tmp_path / "index"
    build_index(index, [docs], metadata=[table], settings=LEXICAL)
    table.write_bytes(b"filename,title,regulator,date\nbanks/dividends.txt,,,\n")
    again = build_index(index, [docs], metadata=[table], settings=LEXICAL)
    assert known(index)["banks/dividends.txt"][:3] == ("", "", "None")
    assert known(index)["fees.md"][2] == "2024-03-31"
    assert any("date of 1, address of 1" in str(problem) for problem in again.problems)


def test_nothing_is_told_where_nothing_was_known(tmp_path: Path, docs: Path):
    for _ in range(2):
        assert build_index(tmp_path / "index", [docs], settings=LEXICAL).problems == ()


def test_a_rebuild_of_a_damaged_index_says_that_it_cannot_know(
    tmp_path: Path, docs: Path, table: Path
):
    index = tmp_path / "index"
    build_index(index, [docs], metadata=[table], settings=LEXICAL)
    (file,) = index.glob("generations/*/documents.parquet")
    file.write_bytes(b"cut")
    again = build_index(index, [docs], settings=LEXICAL, anew=True)
    (told,) = again.problems
    assert "what the earlier build knew of documents cannot be read" in str(told)
    assert known(index)["banks/dividends.txt"][1] == ""
