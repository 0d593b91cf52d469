"""Documents are read with what is known of them; what cannot be read is told, file by file."""

from __future__ import annotations

import datetime as dt
import os
import sys
import zipfile
from pathlib import Path

import pytest

from finassay.errors import InputError, MissingExtraError
from finassay.retrieval import IndexSettings, Limits, Loaded, load_documents
from finassay.retrieval.from_files import build_index

CLAUSE = "30. (1) The listed entity shall disclose within 24 hours."


def load(folder: Path, files: dict[str, bytes | str], limits: Limits | None = None) -> Loaded:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return load_documents([folder], limits=limits)


def test_files_of_a_folder_are_read_in_order_of_their_ids(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"b/x.txt": "One.", "a.md": "# Two", ".hidden": "no", "c.HTM": "<p>3"})
    assert [(one.document_id, one.text) for one in loaded.documents] == [
        ("a.md", "# Two"), ("b/x.txt", "One."), ("c.HTM", "3"),
    ]  # fmt: skip
    assert loaded.problems == ()
    assert loaded.documents[1].source == str(tmp_path / "b/x.txt")


def test_a_file_that_is_named_is_read(tmp_path: Path) -> None:
    load(tmp_path, {"x.txt": CLAUSE})
    assert load_documents([tmp_path / "x.txt"]).documents[0].document_id == "x.txt"


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a file or folder with documents"):
        load_documents([tmp_path / "none"])


def test_side_tables_win_over_front_matter_and_are_no_documents(tmp_path: Path) -> None:
    front = "---\ntitle: Front\nregulation: R\ndate: 2020-01-01\n---\nText."
    load(tmp_path, {"x.md": front, "meta.csv": "file,title,url\nx.md,Table,https://e.org/x\n"})
    loaded = load_documents([tmp_path], metadata=[tmp_path / "meta.csv"])
    assert loaded.problems == ()
    (one,) = loaded.documents
    assert (one.text, one.title, one.regulation) == ("Text.", "Table", "R")
    assert (one.date, one.source) == (dt.date(2020, 1, 1), "https://e.org/x")


def test_form_feeds_part_pages(tmp_path: Path) -> None:
    (one,) = load(tmp_path, {"x.txt": "First page.\fSecond page."}).documents
    assert one.pages == (0, 12)
    assert one.text[12:] == "Second page."


def test_html_becomes_what_a_reader_sees(tmp_path: Path) -> None:
    page = """<html><head><title>A &amp; B</title><style>p {}</style></head><body>
    <h1>Head</h1><p>One<br>two <b>bold</b><script>bad()</script>
    <table><tr><th>Bucket</th><th>Share</th></tr><tr><td><p>B1</p></td><td>0 %</td></tr></table>
    <ol type="a" start="2"><li>first<li value="9">second</ol><ol type=I><li>x</ol>
    <ul><li>bullet</ul><div hidden>no</div><p style="display: none">no</p>
    <pre>kept
line</pre><noscript>no</noscript>tail</body></html>"""
    (one,) = load(tmp_path, {"x.html": page}).documents
    assert one.title == "A & B"
    assert one.text == (
        "Head\n\nOne\ntwo bold\n\nBucket | Share\nB1 | 0 %\n\nb. first\ni. second\n\nI. x\n\n"
        "bullet\n\nkept\nline\n\ntail"
    )


def test_html_in_the_encoding_it_declares(tmp_path: Path) -> None:
    page = "<meta charset=windows-1251><p>Ќ".encode("cp1251")
    (one,) = load(tmp_path, {"x.html": page}).documents
    assert one.text == "Ќ"


@pytest.mark.parametrize(
    ("name", "content", "what", "got"),
    [
        ("x.txt", b"", "the file is empty", "0 bytes"),
        ("x.md", b" \n\n", "the file is empty", "a text of white space"),
        ("x.html", b"<!-- nothing -->", "the file is empty", "a text of white space"),
        ("x.docx", b"PK\x03\x04...", "archives and office files are not opened", "a ZIP archive"),
        ("x.txt", b"\x1f\x8b...", "archives and office files are not opened", "a gzip archive"),
        ("x.png", b"\x89PNG", "this kind of file is not read", ".png"),
        ("README", b"text", "this kind of file is not read", "no ending"),
        ("x.txt", bytes(range(256)) * 9, "the text cannot be decoded", "byte 0x80 at offset 128"),
        ("x.html", b"<div>" * 5000, "the file cannot be read", "Excessive depth"),
    ],
)
def test_a_file_that_cannot_be_used_is_a_problem_and_the_others_are_read(
    tmp_path: Path, name: str, content: bytes, what: str, got: str
) -> None:
    loaded = load(tmp_path, {name: content, "good.txt": CLAUSE})
    assert [one.document_id for one in loaded.documents] == ["good.txt"]
    (problem,) = loaded.problems
    assert (problem.where, problem.what) == (name, what)
    assert got in problem.got
    assert problem.expected
    assert problem.advice
    assert not problem.is_loaded


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.html").open("wb") as stream:
        stream.write(b"<p>")
        stream.truncate(200 * 2**20)
    loaded = load(tmp_path, {"good.txt": CLAUSE})
    (problem,) = loaded.problems
    assert str(problem) == (
        "huge.html: the file is too large; expected at most 67,108,864 bytes, got 209,715,200; "
        "split the document, or raise the limit"
    )


def test_a_long_text_is_refused(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"x.txt": "word " * 100}, Limits(characters=50))
    assert loaded.problems[0].expected == "at most 50 characters"


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.txt", b"0" * 20_000_000)
    (tmp_path / "bomb.zip").rename(tmp_path / "bomb.txt")
    loaded = load(tmp_path, {"good.txt": CLAUSE})
    assert [problem.got for problem in loaded.problems] == ["a ZIP archive or an office document"]


def test_of_files_with_the_same_text_the_first_is_loaded(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"a.txt": CLAUSE, "b.md": f"\ufeff{CLAUSE}\r\n"})
    assert [one.document_id for one in loaded.documents] == ["a.txt"]
    assert loaded.problems[0].got == "that of 'a.txt'"


def test_two_files_of_one_id_are_told(tmp_path: Path) -> None:
    load(tmp_path, {"a/x.txt": "One.", "b/x.txt": "Two."})
    loaded = load_documents([tmp_path / "a", tmp_path / "b"])
    assert [one.text for one in loaded.documents] == ["One."]
    assert loaded.problems[0].what == "another document has this id"


def test_a_guessed_encoding_is_told_and_the_text_is_loaded(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"x.txt": "Café".encode("cp1252")})
    assert loaded.documents[0].text == "Café"
    assert loaded.problems[0].is_loaded
    (tmp_path / "meta.csv").write_text("file,encoding\nx.txt,cp1252\n", encoding="utf-8")
    declared = load_documents([tmp_path], metadata=[tmp_path / "meta.csv"])
    assert declared.problems == ()


def test_a_date_that_cannot_be_read_does_not_stop_its_document(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"x.md": "---\ndate: some day\n---\nText."})
    assert loaded.documents[0].date is None
    assert "the date cannot be read" in str(loaded.problems[0])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_links_and_pipes_do_not_hold_up_the_reading(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "loop").symlink_to("..")
    (tmp_path / "sub" / "broken.txt").symlink_to("nowhere")
    os.mkfifo(tmp_path / "sub" / "pipe.txt")
    loaded = load(tmp_path, {"good.txt": CLAUSE})
    assert [one.document_id for one in loaded.documents] == ["good.txt"]
    assert {problem.where: problem.what for problem in loaded.problems} == {
        "sub/broken.txt": "it cannot be opened",
        "sub/loop": "a link leads back to a folder that was read",
        "sub/pipe.txt": "this is no regular file",
    }


@pytest.mark.skipif(os.name == "nt", reason="file names are text there")
def test_a_file_name_that_is_no_text_is_shown_with_marks(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.txt")).write_text(CLAUSE, encoding="utf-8")
    assert load(tmp_path, {}).documents[0].document_id == "caf\ufffd.txt"


def test_without_the_package_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lxml", None)
    monkeypatch.delitem(sys.modules, "lxml.etree", raising=False)
    with pytest.raises(MissingExtraError, match=r"reading HTML needs.*finassay\[documents\]"):
        load(tmp_path, {"x.html": "<p>x"})


def test_an_index_among_the_documents_is_none_of_them(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"good.txt": CLAUSE, "lock/other.txt": CLAUSE + " Twice."})
    build_index(tmp_path / "ix", [tmp_path], settings=IndexSettings(embedder="none"))
    again = load_documents([tmp_path])
    assert again == loaded
    assert not again.problems
