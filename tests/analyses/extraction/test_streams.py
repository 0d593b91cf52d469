"""What follows from a histogram is what follows from the replies."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.analyses.extraction.candidates import candidates
from finassay.analyses.extraction.cells import LabelCell
from finassay.analyses.extraction.counts import count
from finassay.analyses.extraction.floors import floor, stratified_floor
from finassay.analyses.extraction.streams import audit_stream, counts_of
from finassay.marking.label_counts import LabelHistogram, label_histogram
from finassay.text.labels import Matcher
from flare_logs import CHATGLM, LLAMA, log_of

CHOICES = ("negative", "neutral", "positive")

ORACLE = (
    ("t", "positive", "Positive, not negative."),
    ("n", "neutral", "neutral"),
    ("t", "negative", "The tone is positive."),
    ("n", "neutral", "I cannot tell from this sentence."),
    ("t", "positive", "Neither negative nor neutral fits."),
    ("n", "neutral", "Negative? No: neutral."),
    ("n", "neutral", "Neutral."),
    ("n", "neutral", "nonnegative, so neutral"),
    ("t", "negative", "NEGATIVE"),
    ("t", "positive", "positively neutral"),
)


def histogram(rows: tuple[tuple[str, str, str], ...], matcher: Matcher) -> LabelHistogram:
    frame = pl.DataFrame(list(rows), schema=["stratum", "gold", "reply"], orient="row")
    return label_histogram([frame[:4], frame[4:]], choices=CHOICES, matcher=matcher)


@pytest.mark.parametrize(
    ("kind", "kinds", "ends", "card"),
    [
        ("substring", (3, 1, 4, 1, 1), (3, 7), 3),
        ("word", (4, 2, 2, 1, 1), (4, 6), 4),
    ],
)
def test_ten_items_worked_by_hand(
    kind: str, kinds: tuple[int, ...], ends: tuple[int, int], card: int
) -> None:
    found = audit_stream(histogram(ORACLE, Matcher(kind=kind)))  # type: ignore[arg-type]
    counts = found.counts
    assert (
        counts.forced_correct,
        counts.forced_wrong,
        counts.contested,
        counts.dead,
        counts.uncovered,
    ) == kinds
    assert (found.reach.low, found.reach.high) == ends
    assert (found.card_order_right, found.floor, found.stratified_floor) == (card, 5, 8)
    assert found.verdict.text == "undetermined/straddles"
    assert found.stratified_verdict is not None
    assert found.stratified_verdict.outcome == "below"


def test_without_strata_there_is_no_stratified_floor() -> None:
    rows = tuple(("", gold, reply) for _, gold, reply in ORACLE)
    found = audit_stream(histogram(rows, Matcher()))
    assert (found.stratified_floor, found.stratified_verdict) == (None, None)


@settings(deadline=None, max_examples=60)
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["t", "n"]),
            st.sampled_from(CHOICES),
            st.lists(st.sampled_from([*CHOICES, " ", "non", "Neutral"]), max_size=4).map("".join),
        ),
        min_size=5,
        max_size=15,
    )
)
def test_a_stream_gives_the_counts_and_floors_of_the_replies(
    rows: list[tuple[str, str, str]],
) -> None:
    cell = LabelCell(
        replies=tuple(reply for _, _, reply in rows),
        golds=tuple(gold for _, gold, _ in rows),
        choices=CHOICES,
    )
    made = histogram(tuple(rows), Matcher())
    assert counts_of(made) == count(candidates(cell, Matcher()))
    found = audit_stream(made)
    assert found.floor == floor(cell.golds).count
    strata = tuple(stratum for stratum, _, _ in rows)
    assert found.stratified_floor == stratified_floor(cell.golds, strata).count


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "figures"),
    [
        (LLAMA, (1.0, 0.108, 0.108, 0.211, 0.319, 0.2895, 0.778)),
        (CHATGLM, (0.0065, 0.0, 0.0, 0.005, 0.005, 0.005, 0.778)),
    ],
)
def test_published_logs_give_the_known_figures_in_one_pass(
    name: str, figures: tuple[float, ...]
) -> None:
    rows = log_of(name).rows
    frame = pl.DataFrame({"reply": [r.reply for r in rows], "gold": [r.gold for r in rows]})
    found = audit_stream(label_histogram([frame], choices=["no", "yes"]))
    n = found.counts.n
    assert (
        found.counts.covered / n,
        found.counts.ambiguous / n,
        found.counts.contested / n,
        found.reach.low / n,
        found.reach.high / n,
        found.card_order_right / n,
        found.floor / n,
    ) == figures
    assert found.verdict.outcome == "below"
