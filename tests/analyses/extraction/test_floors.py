import pytest
from hypothesis import given
from hypothesis import strategies as st

from finassay.analyses.extraction.audit import Settings, audit_cell
from finassay.analyses.extraction.floors import against_floor, floor, stratified_floor
from finassay.errors import UsageError
from label_oracle import cell_of, ten


def test_labels_that_tie_for_the_floor_are_all_listed():
    assert floor(["a", "b", "b", "a", "c"]).labels == ("a", "b")


def test_a_floor_from_training_references_uses_their_label():
    found = floor(["a", "a", "b"], train=["b", "b", "a"])
    assert (found.count, found.labels, found.source) == (1, ("b",), "train")


def test_a_training_label_that_no_scored_item_has_scores_nothing():
    assert floor(["a"], train=["b"]).count == 0


def test_of_training_labels_that_tie_the_better_one_counts():
    found = floor(["a", "a", "b"], train=["b", "a"])
    assert (found.count, found.labels) == (2, ("a",))


def test_a_stratum_of_one_item_is_warned_of():
    found = stratified_floor(["a", "b", "b"], ["x", "y", "y"])
    assert found.warnings == ("strata of one item have a floor of 1: x",)
    assert stratified_floor(["b", "b"], ["y", "y"]).warnings == ()


def test_a_floor_needs_references():
    with pytest.raises(UsageError, match="needs references, got none"):
        floor([])
    with pytest.raises(UsageError, match="needs training references, got none"):
        floor(["a"], train=[])
    with pytest.raises(UsageError, match="one stratum for each of 2 references, got 1"):
        stratified_floor(["a", "b"], ["x"])


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (6, 9, "clears"),
        (5, 5, "ties"),
        (2, 4, "below"),
        (4, 4, "below"),
        (5, 6, "undetermined/at_least_ties"),
        (4, 5, "undetermined/at_most_ties"),
        (4, 6, "undetermined/straddles"),
    ],
)
def test_the_side_of_the_floor(low: int, high: int, text: str):
    assert against_floor(low, high, 5).text == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (4, 6, "ties"),
        (7, 8, "clears"),
        (3, 3, "below"),
        (4, 7, "undetermined/at_least_ties"),
        (3, 6, "undetermined/at_most_ties"),
        (3, 7, "undetermined/straddles"),
    ],
)
def test_a_declared_band_widens_the_tie(low: int, high: int, text: str):
    found = against_floor(low, high, 5, band=1)
    assert (found.text, found.band) == (text, 1)


@pytest.mark.parametrize(("low", "high", "band"), [(2, 1, 0), (1, 2, -1)])
def test_crossed_ends_and_negative_bands_are_refused(low: int, high: int, band: int):
    with pytest.raises(UsageError, match="low <= high and a band of at least 0"):
        against_floor(low, high, 5, band=band)


@given(rows=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), min_size=1))
def test_a_stratified_floor_is_never_under_the_plain_one(rows: list[tuple[str, str]]):
    golds, strata = [g for g, _ in rows], [s for _, s in rows]
    assert stratified_floor(golds, strata).count >= floor(golds).count


def test_training_references_are_matched_to_the_labels_of_the_cell():
    found = audit_cell(ten(), Settings(train=("POSITIVE", "Positive", "neutral")))
    assert (found.floor.count, found.floor.labels) == (3, ("positive",))


def test_a_constant_answer_ties_with_its_floor():
    found = audit_cell(cell_of(("neutral",) * 3, ("neutral", "neutral", "positive")))
    assert found.verdict.text == "ties"
