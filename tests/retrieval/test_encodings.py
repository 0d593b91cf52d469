"""Text is decoded as it says, or as it shows, and never as something it is not."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import EncodingError
from finassay.retrieval.cleaning import clean, joined_pages
from finassay.retrieval.encodings import declared_in_html, decoded

TEXT = "₹500 crore, हिन्दी and “quotes”"


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8-sig"),
        (TEXT.encode("utf-16"), "utf-16"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16"),
        (TEXT.encode("utf-32"), "utf-32"),
    ],
)
def test_a_mark_or_valid_bytes_decide(content: bytes, encoding: str) -> None:
    assert decoded(content, where="f") == (TEXT, encoding)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_wide_latin_text_without_a_mark_is_seen(encoding: str) -> None:
    text = "The listed entity shall disclose."
    assert decoded(text.encode(encoding), where="f") == (text, encoding)


def test_western_bytes_are_read_as_windows_has_them() -> None:
    text = "Café pays €5 to “B”"
    assert decoded(text.encode("cp1252"), where="f") == (text, "cp1252")


def test_a_declared_encoding_is_used() -> None:
    assert decoded("Ќ".encode("cp1251"), where="f", declared="CP1251") == ("Ќ", "cp1251")


@pytest.mark.parametrize(
    ("content", "declared", "message"),
    [
        (b"ab\xff", "utf-8", r"f: expected text in 'utf-8', which is declared, got byte 0xff at"),
        (b"ab", "klingon", "'klingon' is declared, which is no encoding"),
        (bytes(range(256)) * 8, "", "expected text in UTF-8, got byte 0x80"),
        ("₹ and कखग".encode()[:-1], "", "expected text in UTF-8, got byte 0xe0"),
        ("कखगघ".encode()[:-2] + b"\xff\x80\x80" * 9, "", "expected text in UTF-8"),
        (b"\x00\x01\x02\x03\x04\x05\x06" * 40, "", "the file is binary, or in another encoding"),
        ("Привет, как дела".encode("koi8-r"), "", "convert the file to UTF-8"),
    ],
)
def test_bytes_that_are_no_text_are_refused(content: bytes, declared: str, message: str) -> None:
    with pytest.raises(EncodingError, match=message):
        decoded(content, where="f", declared=declared)


@pytest.mark.parametrize(
    ("page", "encoding"),
    [
        (b'<html><meta charset="windows-1251">', "windows-1251"),
        (b"<META http-equiv=Content-Type content='text/html; charset=ISO-8859-1'>", "cp1252"),
        (b"<?xml version='1.0' encoding='utf-8'?>", "utf-8"),
        (b"<p>charset=utf-7</p>", ""),
    ],
)
def test_html_declares_its_encoding(page: bytes, encoding: str) -> None:
    assert declared_in_html(page) == encoding


@settings(deadline=None)
@given(st.text(max_size=200))
def test_clean_text_stays_as_it_is(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert once == once.strip()
    once.encode("utf-8")


def test_clean_text_has_one_kind_of_break_and_space() -> None:
    dirty = "\ufeffone\r\ntwo\u2028three \t four\u00a0five\x00\n\n\n\nsoft\u00adhyphen \n"
    assert clean(dirty) == "one\ntwo\nthree four five\n\nsofthyphen"


def test_joiners_of_indian_scripts_stay() -> None:
    assert clean("क्\u200dष") == "क्\u200dष"


def test_pages_are_joined_where_sentences_go_on() -> None:
    text, starts = joined_pages(["", "One goes", "", "on. ", "Two."])
    assert text == "One goes\non.\nTwo."
    assert starts == (0, 0, 8, 9, 13)


def test_running_headers_and_footers_are_taken_out() -> None:
    pages = [f"Gazette of India\nText {c} of page.\nPage {n} of 5" for n, c in enumerate("abcde")]
    text, starts = joined_pages(pages)
    assert text == "\n".join(f"Text {c} of page." for c in "abcde")
    assert len(starts) == 5
    assert joined_pages(pages[:3])[0].count("Gazette") == 3
