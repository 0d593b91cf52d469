"""Flips between two judgings, in both directions."""

from __future__ import annotations

from finassay.judges.changes import changes, to_judge_again
from finassay.records import Verdict


def worth(value: float | None) -> Verdict:
    if value is None:
        return Verdict(status="unparsed", reason="no verdict")
    return Verdict(status="scored", value=value)


BEFORE = {"a": 1.0, "b": 0.0, "c": None, "d": 1.0, "e": 1.0, "f": 0.5, "g": None, "h": 0.0}
AFTER = {"a": 0.0, "b": 1.0, "c": 1.0, "d": None, "e": 1.0, "f": 1.0, "g": None, "i": 1.0}


def test_every_answer_is_told_once_by_what_became_of_it():
    found = changes(
        {key: worth(value) for key, value in BEFORE.items()},
        {key: worth(value) for key, value in AFTER.items()},
    )
    assert (found.to_wrong, found.to_right) == (("a",), ("b",))
    assert (found.gained, found.lost) == (("c",), ("d",))
    assert (found.same, found.regraded) == (("e", "g"), ("f",))
    assert (found.new, found.gone) == (("i",), ("h",))
    assert (found.n_flips, found.n_common) == (2, 7)


def test_nothing_judged_changes_nothing():
    assert changes({}, {}).n_common == 0


def test_only_what_enters_the_prompt_differently_is_judged_again():
    before = {"p": "1", "q": "2", "r": "3"}
    assert to_judge_again(before, {"p": "1", "q": "9", "s": "4"}) == ("q", "s")
