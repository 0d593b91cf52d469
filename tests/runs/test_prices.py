"""Price tables and limits on what is spent."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finassay.errors import InputError, UsageError
from finassay.runs.limits import LimitReachedError, Limits, worst_cost
from finassay.runs.prices import Price, read_prices
from finassay.runs.requests import Effort


def test_a_table_names_dollars_for_a_million_tokens(tmp_path: Path):
    path = tmp_path / "prices.toml"
    path.write_text('["openai/m"]\ninput = 2\noutput = 8.5\n', encoding="utf-8")
    assert read_prices(path) == {"openai/m": Price(input=2.0, output=8.5)}
    assert read_prices(path)["openai/m"].cost(1_000_000, 2_000_000) == 19.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[m]\ninput = 1\n", r"\['m'\] must hold exactly `input` and `output`"),
        ("[m]\ninput = -1\noutput = 1\n", "`input` must be a number of at least 0, got -1"),
        ("[m]\ninput = nan\noutput = 1\n", "`input` must be a number of at least 0, got nan"),
        ("[m]\ninput = true\noutput = 1\n", "`input` must be a number"),
        ("m = 1\n", "must hold exactly"),
        ("[m\n", "the price table cannot be read"),
    ],
)
def test_a_table_that_says_something_else_is_refused(tmp_path: Path, text: str, said: str):
    path = tmp_path / "prices.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_prices(path)


def test_a_table_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match="the price table cannot be read"):
        read_prices(tmp_path / "none.toml")


def test_a_limit_on_cost_needs_every_price():
    limits = Limits(Effort(max_cost_usd=1.0, prices={"a/b": Price(input=1.0, output=1.0)}))
    limits.require_prices(("a/b",))
    with pytest.raises(UsageError, match="the price of every model, and 'c/d' has none"):
        limits.require_prices(("a/b", "c/d"))


@given(
    st.lists(
        st.tuples(st.floats(min_value=0.01, max_value=3.0), st.floats(min_value=0, max_value=1)),
        max_size=40,
    ),
    st.integers(min_value=1, max_value=8),
)
@settings(deadline=None)
def test_a_limit_on_cost_holds_whatever_replies_cost_up_to_their_worst(
    requests: list[tuple[float, float]], at_once: int
):
    limits = Limits(Effort(max_cost_usd=10.0))
    under_way: list[tuple[int, float]] = []
    spent = 0.0
    for worst, share in requests:
        try:
            under_way.append((limits.send(worst), worst * share))
        except LimitReachedError:
            break
        if len(under_way) >= at_once:
            ticket, cost = under_way.pop(0)
            limits.came(ticket, cost)
            spent += cost
        assert spent + sum(cost for _, cost in under_way) <= 10.0 + 1e-9


def test_a_request_waits_while_those_under_way_may_turn_out_cheaper():
    limits = Limits(Effort(max_cost_usd=10.0))
    ticket = limits.send(8.0)
    assert limits.must_wait(4.0)
    limits.came(ticket, 2.0)
    assert not limits.must_wait(4.0)
    limits.send(4.0)
    assert not limits.must_wait(9.0)
    with pytest.raises(LimitReachedError, match="10 USD is reached"):
        limits.send(9.0)


def test_the_worst_cost_is_unknown_without_a_price():
    assert worst_cost(None, 100, 512) is None
    assert worst_cost(Price(input=1.0, output=1.0), 998, 500) == 1000 / 1e6


def test_a_new_model_forgets_failures_but_no_limit():
    limits = Limits(Effort(connections=1, retries=0, max_requests=6))
    for _ in range(5):
        limits.failed(limits.send(None))
    with pytest.raises(LimitReachedError, match="fails again and again"):
        limits.send(None)
    limits.next_model()
    limits.came(limits.send(None), None)
    with pytest.raises(LimitReachedError, match="limit of 6 requests"):
        limits.send(None)
    limits.next_model()
    with pytest.raises(LimitReachedError, match="limit of 6 requests"):
        limits.send(None)
