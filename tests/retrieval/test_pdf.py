"""PDFs are read page by page in a process of their own, which alone bears what they cost."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from reportlab.lib import colors
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table

from finassay.errors import MissingExtraError
from finassay.retrieval import Limits, load_documents
from finassay.retrieval.pdf_child import pages_of

BODY = getSampleStyleSheet()["Normal"]
ROWS = [["Bucket", "Share"], ["B1", "0 %"], ["B10", "100 %"]]
GRID = [("GRID", (0, 0), (-1, -1), 1, colors.black)]


@pytest.fixture
def circular(tmp_path: Path) -> Path:
    path = tmp_path / "circular.pdf"
    story = [
        Paragraph("30. (1) Every bank shall pay.", BODY),
        Table(ROWS, style=GRID),
        Paragraph("Behind the table.", BODY),
        PageBreak(),
        Paragraph("31. The second page.", BODY),
    ]
    SimpleDocTemplate(str(path), title="A circular").build(story)
    return path


def drawn(path: Path, *pages: str, encrypt: str | None = None) -> Path:
    canvas = Canvas(str(path), encrypt=encrypt)
    for text in pages:
        if text:
            canvas.drawString(100, 700, text)
        canvas.showPage()
    canvas.save()
    return path


def with_stream(path: Path, stream: bytes) -> Path:
    """Write a PDF of one page with this compressed content."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"xref\n0 5\n0000000000 65535 f \n%s" % table
    out += b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % out.index(b"xref")
    path.write_bytes(out)
    return path


def test_a_pdf_is_read_with_pages_tables_and_title(circular: Path) -> None:
    (one,) = load_documents([circular]).documents
    assert one.title == "A circular"
    assert one.text == (
        "30. (1) Every bank shall pay.\n\nBucket | Share\nB1 | 0 %\nB10 | 100 %\n\n"
        "Behind the table.\n31. The second page."
    )
    assert one.pages == (0, one.text.index("31."))


def test_the_reader_of_pages_gives_texts_and_title(circular: Path) -> None:
    found = pages_of(str(circular), 10_000)
    assert [page.split("\n")[0] for page in found["pages"]] == [
        "30. (1) Every bank shall pay.", "31. The second page.",
    ]  # fmt: skip
    assert found["title"] == "A circular"
    assert pages_of(str(circular), 10) == {"problem": "long", "got": "more by page 1"}


@pytest.mark.full
def test_pdfs_that_cannot_be_used_are_problems_and_the_others_are_read(
    tmp_path: Path, circular: Path
) -> None:
    whole = circular.read_bytes()
    drawn(tmp_path / "scan.pdf", "", "")
    drawn(tmp_path / "some.pdf", "text here", "")
    drawn(tmp_path / "secret.pdf", "text", encrypt="password")
    (tmp_path / "half.pdf").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "noise.pdf").write_bytes(b"%PDF-1.4\nnoise")
    (tmp_path / "empty.pdf").write_bytes(b"")
    loaded = load_documents([tmp_path])
    assert [one.document_id for one in loaded.documents] == ["circular.pdf", "some.pdf"]
    assert {problem.where: problem.what for problem in loaded.problems} == {
        "empty.pdf": "the file is empty",
        "half.pdf": "the PDF cannot be read",
        "noise.pdf": "the PDF cannot be read",
        "scan.pdf": "the PDF holds no text",
        "secret.pdf": "the PDF is encrypted",
        "some.pdf": "pages hold no text",
    }
    scan, some = (one for one in loaded.problems if one.where in ("scan.pdf", "some.pdf"))
    assert scan.got == "none on 2 pages, as a scanner makes them"
    assert (some.got, some.is_loaded) == ("none on 1 of 2", True)


@pytest.mark.full
def test_a_pdf_that_unpacks_without_end_is_stopped_by_memory_or_time(tmp_path: Path) -> None:
    packer = zlib.compressobj(1)
    block = b" " * (1 << 20)
    stream = b"".join(packer.compress(block) for _ in range(600)) + packer.flush()
    bomb = with_stream(tmp_path / "bomb.pdf", stream)
    assert len(stream) < 4_000_000
    (by_memory,) = load_documents([bomb], limits=Limits(pdf_memory=2**29)).problems
    assert by_memory.what == "the PDF takes more than it may"
    assert by_memory.expected == "at most 536,870,912 bytes of memory"
    (by_time,) = load_documents([bomb], limits=Limits(pdf_seconds=0.2)).problems
    assert by_time.expected == "at most 0.2 seconds"


def test_without_the_package_the_extra_is_named(
    circular: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"reading PDFs needs.*finassay\[documents\]"):
        load_documents([circular])
