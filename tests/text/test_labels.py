from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import SpecError, UsageError
from finassay.text.labels import Matcher, Norm, Span, finder, label_form, label_index
from reference import labels as textbook

LABELS = st.sampled_from(["no", "yes", "not", "notable", "a", "ab", "aba", "&", "good bad", "İ"])
CARDS = st.lists(LABELS, min_size=1, max_size=5, unique=True).map(tuple)
PIECES = st.sampled_from(["no", "t", "able", "A", "b", " ", "-", "&", "good bad", ".", "é", "İ"])
TEXTS = st.lists(PIECES, max_size=12).map("".join)

quick = settings(deadline=None, max_examples=200)


def spans(matcher: Matcher, card: tuple[str, ...], text: str) -> list[tuple[int, int, int]]:
    return [(s.start, s.end, s.label) for s in finder(matcher, card).spans(text)]


def test_every_start_counts_even_where_occurrences_overlap():
    assert spans(Matcher(), ("aba",), "ababa") == [(0, 3, 0), (2, 5, 0)]


def test_words_are_bounded_by_what_is_no_word_character():
    card = ("no", "R&D", "B+")
    assert spans(Matcher(kind="word"), card, "no, not; R&D B+ B+x") == [
        (0, 2, 0),
        (9, 12, 1),
        (13, 15, 2),
    ]


def test_a_hyphen_bounds_a_word_unless_it_is_declared_to_join():
    card = ("negative",)
    assert finder(Matcher(kind="word"), card).labels("non-negative") == (0,)
    joined = finder(Matcher(kind="word", hyphen_joins=True), card)
    assert joined.labels("non-negative") == ()
    assert joined.labels("non\u2011negative") == ()
    assert joined.labels("negative.") == (0,)


def test_a_pattern_spans_its_whole_match():
    matcher = Matcher(kind="regex", patterns=(("yes", r"\by(es|ep)\b"), ("no", r"\bno+\b")))
    assert spans(matcher, ("no", "yes"), "Yep, nooo") == [(0, 3, 1), (5, 9, 0)]


def test_a_synonym_counts_for_its_label_beside_the_label_itself():
    matcher = Matcher(kind="synonym", synonyms=(("rise", "up"), ("fall", "down")), term="word")
    found = finder(matcher, ("Rise", "Fall"))
    assert found.labels("Up, not down") == (0, 1)
    assert found.labels("it may rise") == (0,)
    assert found.labels("upward") == ()


def test_the_longest_label_hides_those_inside_it():
    card = ("Finance", "Access to Finance")
    text = "Access to Finance; finance"
    assert finder(Matcher(longest=True), card).spans(text) == (Span(0, 17, 1), Span(19, 26, 0))
    assert finder(Matcher(longest=True), card).labels("Access to Finance") == (1,)
    assert finder(Matcher(), card).labels("Access to Finance") == (0, 1)


def test_equal_spans_of_two_labels_hide_neither():
    matcher = Matcher(kind="synonym", synonyms=(("a", "x"), ("b", "x")), longest=True)
    assert finder(matcher, ("a", "b")).labels("x") == (0, 1)


def test_lower_case_leaves_full_width_letters_apart_and_the_compatible_form_does_not():
    card = ("positive",)
    text = "Answer: ｐｏｓｉ\u00adｔｉｖｅ"
    assert finder(Matcher(), card).labels(text) == ()
    assert finder(Matcher(norm="compatible"), card).labels(text) == (0,)


def test_without_a_norm_case_counts():
    assert finder(Matcher(norm="none"), ("Yes", "no")).labels("yes NO") == ()


def test_repeats_on_the_card_are_dropped():
    assert finder(Matcher(), ("no", "yes", "no")).choices == ("no", "yes")


@pytest.mark.parametrize(
    ("card", "norm", "message"),
    [
        ((), "lower", "without choices"),
        (("Yes", "yes"), "lower", r"\['Yes', 'yes'\] are equal under norm 'lower'"),
        (("no", "  "), "lower", "the choice '  ' is empty"),
        (("no", "\u00ad"), "compatible", "is empty under norm 'compatible'"),
    ],
)
def test_choices_that_cannot_be_told_apart_are_refused(
    card: tuple[str, ...], norm: Norm, message: str
):
    with pytest.raises(UsageError, match=message):
        finder(Matcher(norm=norm), card)


def test_choices_that_differ_in_case_are_two_labels_without_a_norm():
    assert finder(Matcher(norm="none"), ("Yes", "yes")).labels("yes") == (1,)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kind": "fuzzy"}, "`kind` of a matcher must be one of"),
        ({"norm": "upper"}, "`norm` of a matcher must be one of"),
        ({"kind": "synonym", "term": "regex"}, "`term` of a matcher must be one of"),
        ({"kind": "regex"}, "`patterns` go with kind 'regex'"),
        ({"patterns": (("a", "b"),)}, "`patterns` go with kind 'regex'"),
        ({"synonyms": (("a", "b"),)}, "`synonyms` go with kind 'synonym'"),
        ({"kind": "regex", "patterns": (("a", "("),)}, r"the pattern '\(' cannot be read"),
        ({"kind": "regex", "patterns": (("a", "x*"),)}, "matches the empty text"),
    ],
)
def test_a_matcher_that_cannot_work_is_refused(parameters: dict[str, object], message: str):
    with pytest.raises(SpecError, match=message):
        Matcher(**parameters)


def test_a_label_without_a_pattern_is_refused():
    with pytest.raises(SpecError, match=r"none is given for \['no'\]"):
        finder(Matcher(kind="regex", patterns=(("yes", "y"),)), ("no", "yes"))


def test_an_empty_synonym_is_refused():
    matcher = Matcher(kind="synonym", synonyms=(("yes", " "),))
    with pytest.raises(SpecError, match="a synonym of 'yes' is empty"):
        finder(matcher, ("yes",)).spans("yes")


def test_an_unknown_normal_form_is_refused():
    with pytest.raises(SpecError, match="`norm` must be one of none, lower, compatible"):
        label_form("upper", "x")


def test_the_name_of_a_matcher_says_all_that_was_declared():
    assert Matcher().name == "substring (norm lower)"
    matcher = Matcher(kind="synonym", term="word", longest=True, synonyms=(("rise", "up", "yes"),))
    assert matcher.name == "synonym/word (norm lower, longest, rise=up|yes)"
    matcher = Matcher(kind="regex", patterns=(("a", "A+"),), hyphen_joins=True, norm="none")
    assert matcher.name == "regex (norm none, hyphens join, a=/A+/)"


def test_a_reference_is_found_as_written_before_it_is_found_under_the_norm():
    assert label_index("yes", ("Yes", "yes")) == 1
    assert label_index("YES", ("no", "Yes")) == 1
    assert label_index("YES", ("yes", "Yes")) is None
    assert label_index("maybe", ("no", "yes")) is None
    assert finder(Matcher(), ("no", "Yes")).index_of("yes") == 1
    assert finder(Matcher(norm="none"), ("no", "Yes")).index_of("yes") is None


@quick
@given(text=TEXTS, card=CARDS, words=st.booleans())
def test_spans_are_those_of_the_textbook(text: str, card: tuple[str, ...], *, words: bool):
    matcher = Matcher(kind="word" if words else "substring")
    assert spans(matcher, card, text) == sorted(textbook.occurrences(text, card, words=words))
    assert set(finder(matcher, card).labels(text)) == textbook.candidate_set(
        text, card, words=words
    )


@quick
@given(text=TEXTS, card=CARDS, words=st.booleans())
def test_longest_keeps_what_the_textbook_keeps(text: str, card: tuple[str, ...], *, words: bool):
    matcher = Matcher(kind="word" if words else "substring", longest=True)
    found = textbook.occurrences(text, card, words=words)
    assert spans(matcher, card, text) == sorted(textbook.not_inside_longer(found))


@quick
@given(text=TEXTS, card=CARDS)
def test_words_are_a_part_of_substrings(text: str, card: tuple[str, ...]):
    words = finder(Matcher(kind="word"), card).labels(text)
    assert set(words) <= set(finder(Matcher(), card).labels(text))


@quick
@given(text=TEXTS, card=CARDS, words=st.booleans())
def test_firsts_are_the_earliest_of_all_spans(text: str, card: tuple[str, ...], *, words: bool):
    found = finder(Matcher(kind="word" if words else "substring"), card)
    earliest: dict[int, Span] = {}
    for span in found.spans(text):
        earliest.setdefault(span.label, span)
    assert found.firsts(text) == tuple(sorted(earliest.values()))


@quick
@given(text=st.text(st.characters(), max_size=30), card=CARDS)
def test_any_text_can_be_searched(text: str, card: tuple[str, ...]):
    for norm in ("none", "lower", "compatible"):
        for kind in ("substring", "word"):
            found = finder(Matcher(kind=kind, norm=norm, longest=True), card)
            form = found.form(text)
            assert all(form[s.start : s.end] == found.forms[s.label] for s in found.spans(text))
