"""Caps of replies, and what the items say on which nobody is at one."""

import numpy as np
import pytest

from claim_boards import replies, view
from finassay.analyses.configuration.caps import at_cap, below_cap, caps_of
from finassay.analyses.configuration.truncation import cap_rows, free_boards, free_families
from finassay.errors import UnknownNameError
from finassay.records import FINISHES
from small_boards import items

PILE = [60] * 6 + [59, 30]
TAIL = [10, 20, 30, 40, 50, 60, 70, 80]


def test_a_cap_is_where_replies_pile_up_and_a_tail_has_none():
    caps = caps_of(replies({"cut": PILE, "whole": TAIL}))
    assert dict(caps.caps) == {"cut": 60, "whole": None}
    assert caps.declared == frozenset()
    assert below_cap(replies({"cut": PILE, "whole": TAIL}), caps).tolist() == [False] * 6 + [
        True,
        True,
    ]


def test_a_declared_cap_goes_before_what_the_lengths_show():
    facts = replies({"cut": PILE, "whole": TAIL})
    caps = caps_of(facts, declared={"cut": None, "whole": 70})
    assert dict(caps.caps) == {"cut": None, "whole": 70}
    assert at_cap(facts, caps)[:, 1].tolist() == [False] * 6 + [True, True]


def test_only_the_systems_asked_for_count():
    facts = replies({"cut": PILE, "whole": TAIL})
    assert below_cap(facts, caps_of(facts, systems=["whole"])).all()


def test_a_cap_of_a_system_without_replies_is_refused():
    with pytest.raises(UnknownNameError, match=r"declared for 'cutt'.*did you mean 'cut'\?"):
        caps_of(replies({"cut": PILE}), declared={"cutt": 3})


def test_rows_count_replies_at_the_cap_by_family_and_how_they_ended():
    facts = replies({"cut": PILE})
    facts.finish[0, 0] = FINISHES.index("truncated")
    facts.tokens[:3, 0] = [7, 9, 9]
    facts.has_tokens[:3, 0] = True
    made = items(["N"] * 4 + ["R"] * 4)
    (row,) = cap_rows(facts, caps_of(facts), items=made, rows=np.ones(8, dtype=bool))
    assert (row.at_cap.k, row.at_cap.n) == (6, 8)
    assert [(name, rate.k, rate.n) for name, rate in row.families] == [("N", 4, 4), ("R", 2, 4)]
    assert dict(row.finishes) == {"stop": 7, "truncated": 1}
    assert (row.n_tokens, row.most_tokens, row.at_most_tokens) == (3, 9, 2)
    free = below_cap(facts, caps_of(facts))
    assert free_families(made, np.ones(8, dtype=bool), free) == (("N", 0, 4), ("R", 2, 4))


def test_a_system_that_answered_nothing_has_no_rate():
    facts = replies({"cut": PILE})
    facts.present[:] = False
    (row,) = cap_rows(
        facts,
        caps_of(facts, declared={"cut": 9}),
        items=items("N" * 8),
        rows=np.ones(8, dtype=bool),
    )
    assert (row.at_cap.rate, row.at_cap.n, row.most_tokens) == (None, 0, None)


def test_a_board_below_the_caps_counts_and_ranks_on_these_items_alone():
    study = view({"stored": {"ada": "1110", "bob": "0111", "eve": "11.1"}})
    (board,) = free_boards(
        {"stored": study.matrices["stored"]},
        items=study.items,
        systems=["ada", "bob", "eve"],
        policy="wrong",
        rows=np.array([True, True, True, True]),
        free=np.array([True, True, False, False]),
    )
    assert (board.n_all, board.n_free, board.left_out) == (4, 2, ("eve",))
    assert [(r.system, r.score_free.k, r.rank_free, r.rank_all) for r in board.rows] == [
        ("ada", 2, 1, 1),
        ("bob", 1, 2, 1),
    ]
    assert (board.leaders_all, board.leaders_free) == (("ada", "bob"), ("ada",))


def test_there_is_no_board_without_an_item_below_the_caps():
    study = view({"stored": {"ada": "11", "bob": "01"}})
    none = np.zeros(2, dtype=bool)
    assert (
        free_boards(
            {"stored": study.matrices["stored"]},
            items=study.items,
            systems=["ada", "bob"],
            policy="wrong",
            rows=~none,
            free=none,
        )
        == ()
    )
