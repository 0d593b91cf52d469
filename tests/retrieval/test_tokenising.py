"""Tokens keep what people look rules up by."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import UnknownNameError
from finassay.retrieval import tokens
from finassay.retrieval.tokenising import singular, tokeniser_named

QUERY = tokeniser_named("identifiers").query


@pytest.mark.parametrize(
    "written",
    [
        "Regulation 30(6)",
        "Reg. 30(6)",
        "regulation 30 (6)",
        "sub-regulation (6) of regulation 30",
        "Regulation\n30(6)",
    ],
)
def test_ways_to_write_a_provision_share_a_token(written: str) -> None:
    assert "regulation:30(6)" in tokens(written)


@pytest.mark.parametrize("written", ["Rs. 500 crore", "₹500 crore", "Rs 5,00,00,00,000"])
def test_ways_to_write_an_amount_share_a_token(written: str) -> None:
    assert "inr:5000000000" in tokens(written)


@pytest.mark.parametrize("written", ["1 April 2024", "April 1, 2024", "01-04-2024"])
def test_ways_to_write_a_date_share_a_token(written: str) -> None:
    assert "date:2024-04-01" in tokens(written)


@pytest.mark.parametrize("written", ["7.5%", "7.50 per cent.", "7.5 percent"])
def test_ways_to_write_a_share_share_a_token(written: str) -> None:
    assert "%7.5" in tokens(written)


@pytest.mark.parametrize("written", ["SEBI/HO/CFD/2024/118", "SEBI / HO / CFD / 2024 / 118"])
def test_a_circular_number_is_one_token_beside_its_tails(written: str) -> None:
    found = tokens(written)
    assert {"sebi/ho/cfd/2024/118", "cfd/2024/118", "2024/118"} <= set(found)


def test_numbers_with_indian_commas_are_one_token() -> None:
    assert "1234567" in tokens("12,34,567 shares")


def test_a_number_with_a_letter_stays_whole() -> None:
    assert "12a" in tokens("as in 12A above")
    assert "section:12a" in tokens("section 12A")


def test_a_provision_is_within_those_above_it() -> None:
    assert {"regulation:30(6)>", "regulation:30>"} <= set(tokens("regulation 30(6)(a)"))
    assert "regulation:30(6)" not in tokens("regulation 30(6)(a)")


def test_full_width_and_capital_letters_are_folded() -> None:
    assert tokens("ＳＥＢＩ") == tokens("sebi") == ["sebi"]


def test_negations_are_kept_and_function_words_are_not() -> None:
    assert tokens("the fee is not of any use") == ["fee", "not", "any", "use"]


def test_the_plain_tokeniser_knows_no_identifiers() -> None:
    assert tokens("Regulation 30(6): Rs. 500 crore", "plain") == [
        "regulation", "30", "6", "rs", "500", "crore",
    ]  # fmt: skip


def test_an_unknown_tokeniser_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownNameError, match="no tokeniser 'porter'; choose one of identifiers"):
        tokens("x", "porter")


@pytest.mark.parametrize(
    ("word", "stem"),
    [("companies", "company"), ("houses", "house"), ("funds", "fund"), ("status", "status"),
     ("loss", "loss"), ("gas", "gas"), ("aies", "aies")],
)  # fmt: skip
def test_the_plural_loses_its_ending_as_harman_has_it(word: str, stem: str) -> None:
    assert singular(word) == stem


@pytest.mark.parametrize(
    "query",
    [
        "Regulation 30(6)",
        "What does sub-regulation (6) of regulation 30 say?",
        "SEBI/HO/CFD/2024/118",
        "circular No. SEBI/HO/CFD/2024/118 dated 5 May 2024",
        "Rs. 500 crore",
        "30 (6)",
        "section 12A",
    ],
)
def test_a_query_of_identifiers_alone_is_seen(query: str) -> None:
    assert QUERY(query).is_identifier


@pytest.mark.parametrize("query", ["listed entity", "fee under regulation 30(6)", "30 days", ""])
def test_a_query_with_other_words_is_no_identifier(query: str) -> None:
    assert not QUERY(query).is_identifier


def test_amounts_in_a_question_do_not_name_what_is_asked_for() -> None:
    found = QUERY("Which fee under regulation 12 if net worth is Rs. 500 crore?")
    assert "regulation:12" in found.identifiers
    assert not any("5000000000" in token for token in found.identifiers)


def test_a_query_asks_for_the_passage_where_its_provision_begins() -> None:
    begins = tokeniser_named("identifiers").passage("The entity shall.", ("regulation 30(6)",))
    assert set(QUERY("Regulation 30(6)").identifiers) <= set(begins)
    assert set(QUERY("30(6)").identifiers) <= set(begins)


@settings(deadline=None)
@given(st.text(max_size=300))
def test_every_text_has_tokens_of_one_line_and_is_read_the_same_twice(text: str) -> None:
    for tokeniser in ("identifiers", "plain"):
        found = tokens(text, tokeniser)
        assert found == tokens(text, tokeniser)
        assert all(token and not any(c.isspace() for c in token) for token in found)


@pytest.mark.parametrize("piece", ["12A/", "30(6)(a), ", "Rs. 5 ", "a-1-", "(a) ", "section 5, "])
def test_time_grows_with_the_length_of_the_text(piece: str) -> None:
    def seconds(n: int) -> float:
        start = time.process_time()
        tokens(piece * n)
        return time.process_time() - start

    seconds(100)
    assert seconds(8000) < 40 * max(seconds(1000), 0.005)
