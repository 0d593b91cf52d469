"""Normal forms of a text."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import UnknownNameError
from finassay.text.normalisers import NORMALISERS, normaliser

ANY_TEXT = st.text(st.characters(), max_size=60)


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("none", " A\n", " A\n"),
        ("trim", " A \u0085\u00a0 b\n", "A b"),
        ("casefold", " Straße  FEE ", "strasse fee"),
        ("words", "The 2.5% (net) fee_1!", "the 2 5 net fee_1"),
        ("words", "नियम की", "न यम क"),
        ("words", "İ", "i"),
        ("words", "a\u200bb", "a b"),
        ("words-percent-stop", "The 2.5% (net), ₹1,00,000.", "the 2.5% net 1 00 000."),
        ("words-percent-stop", "(yes)", "yes"),
        ("words-percent-stop", " . % ", ". %"),
        ("lower-strip", " A  B\n", "a  b"),
        ("lower-strip", "ΣΑΣ", "σας"),
        ("squad", "The cat's $5.", "cats 5"),
        ("squad", "An answer, a day; the end", "answer day end"),
        ("squad", "theatre", "theatre"),
        ("squad", "A", "a"),
        ("squad", "“non-compliant”。", "noncompliant"),
        ("squad", "?!", ""),
        ("compatible", "３０％ ﬁnance", "30% finance"),
        ("compatible", "a\u200bb\u00adc", "abc"),
        ("compatible", "5\u00b2 rate\u00b9", "5 rate"),
        ("compatible", "Ⅳ", "iv"),
        ("compatible", "cafe\u0301", "caf\u00e9"),
    ],
)
def test_each_normal_form_drops_what_it_says(name: str, text: str, form: str):
    assert normaliser(name)(text) == form


@settings(deadline=None)
@given(text=st.text(st.sampled_from(string.printable), max_size=60))
def test_squad_is_its_textbook_twin_on_ascii(text: str):
    # The four steps of the official evaluation: lower, marks out, articles out, white space.
    kept = "".join(c for c in text.lower() if c not in set(string.punctuation))
    words = [w for w in kept.split() if w not in {"a", "an", "the"}]
    assert normaliser("squad")(text) == " ".join(words or kept.split())


@settings(deadline=None)
@given(text=ANY_TEXT)
def test_words_keep_exactly_the_word_characters_of_the_lower_case_text(text: str):
    kept = ["".join(re.findall(r"\w", part)) for part in re.split(r"[^\w]", text.lower())]
    assert normaliser("words")(text) == " ".join(part for part in kept if part)


@pytest.mark.parametrize("name", [n for n in NORMALISERS if n != "compatible"])
@settings(deadline=None)
@given(text=ANY_TEXT)
def test_a_normal_form_is_its_own_normal_form(name: str, text: str):
    once = normaliser(name)(text)
    assert normaliser(name)(once) == once


@settings(deadline=None)
@given(text=ANY_TEXT)
def test_the_compatible_form_is_its_own_normal_form(text: str):
    once = normaliser("compatible")(text)
    assert normaliser("compatible")(once) == once


@pytest.mark.parametrize("name", [n for n in NORMALISERS if n not in {"none", "lower-strip"}])
@settings(deadline=None)
@given(text=ANY_TEXT)
def test_white_space_is_single_and_inside_only(name: str, text: str):
    form = normaliser(name)(text)
    assert form == " ".join(form.split())


@pytest.mark.parametrize("name", ["casefold", "words", "words-percent-stop", "squad", "compatible"])
@settings(deadline=None)
@given(text=st.text(st.characters(max_codepoint=0x7F)))
def test_capitals_of_ascii_letters_do_not_matter(name: str, text: str):
    assert normaliser(name)(text.upper()) == normaliser(name)(text.lower())


def test_an_unknown_name_is_refused_with_the_list():
    with pytest.raises(UnknownNameError, match="no normaliser 'lower'; choose one of none, trim,"):
        normaliser("lower")
