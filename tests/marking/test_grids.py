"""Families of variants, peers, and their marks."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal
from unittest.mock import patch

import pytest

from finassay.errors import InputError, SpecError, UnknownNameError, UsageError
from finassay.marking.candidates import CandidateMarker
from finassay.marking.grids import THRESHOLDS, default_options, family_of, read_grid
from finassay.marking.peers import PEERS, peer_families
from finassay.marking.single import as_scorer, mark
from finassay.records import Item, Prediction, Verdict
from finassay.scorers.base import Rule, right_or_wrong
from labelled_tables import planted, table_of


@dataclass(frozen=True, kw_only=True)
class Choosy(Rule[str]):
    """A rule with policies of several kinds."""

    strict: bool = False
    unit: Literal["allow", "forbid", "flag"] = "allow"
    threshold: float = 0.5
    words: str = "plain"

    name: ClassVar[str] = "choosy"
    version: ClassVar[str] = "1"
    measure_name: ClassVar[str] = "choosy"
    decision_fields: ClassVar[frozenset[str]] = frozenset({"strict", "unit", "threshold", "words"})

    def measure(self, *, reference: str, item: Item, prediction: Prediction) -> str:
        return prediction.text

    def decide(self, measured: str) -> Verdict:
        return right_or_wrong(is_right=bool(measured), reason="")


@dataclass(frozen=True, kw_only=True)
class Declared(Choosy):
    """A rule that says what to try."""

    calibration_grid: ClassVar[dict[str, tuple[object, ...]]] = {"unit": ("forbid",)}


def test_the_default_grid_is_every_choice_and_the_thresholds():
    assert default_options(Choosy()) == {
        "strict": (False, True),
        "unit": ("allow", "forbid", "flag"),
        "threshold": THRESHOLDS,
    }
    assert default_options(as_scorer("includes")) == {}


def test_a_family_begins_with_the_scorer_and_holds_every_combination_once():
    family = family_of(Choosy(), {"strict": (False, True), "unit": ("forbid", "flag")})
    assert family.ids[0] == "choosy"
    assert len(set(family.ids)) == len(family.ids) == 6
    assert family.ids[-1] == 'choosy[strict=true,unit="flag"]'


def test_variants_stand_in_the_order_of_how_much_they_change():
    family = family_of(Choosy(), {"strict": (True,), "threshold": (0.1, 0.2)})
    changes = [one.count("=") for one in family.ids]
    assert changes == sorted(changes) == [0, 1, 1, 1, 2, 2]


def test_a_large_default_grid_varies_one_field_at_a_time():
    # 2 x 3 x 19 combinations are few enough; with finer thresholds they are not.
    assert len(family_of(Choosy()).ids) == 2 * 3 * 19
    assert len(family_of(Choosy(), {"strict": (True,), "threshold": THRESHOLDS}).ids) == 2 * 19
    with patch("finassay.marking.grids.MOST", 100):
        assert len(family_of(Choosy()).ids) == 1 + 1 + 2 + 18


def test_a_scorer_may_declare_its_own_grid():
    assert family_of(Declared()).ids == ("choosy", 'choosy[unit="forbid"]')


def test_the_financial_rule_says_what_to_try_and_keeps_its_guards():
    family = family_of(as_scorer("financial"))
    assert 100 < len(family.ids) < 600
    assert not any(word in one for one in family.ids for word in ("guards", "final_answer", "sign"))


def test_a_field_or_value_that_the_scorer_does_not_take_is_refused():
    with pytest.raises(SpecError, match="'choosy' has no field 'colour' to vary"):
        family_of(Choosy(), {"colour": ("red",)})
    with pytest.raises(SpecError, match=r"in \[0, 1\], got 1\.5"):
        family_of(as_scorer("token_set"), {"threshold": (1.5,)})
    with pytest.raises(UsageError, match="20001 variants, expected at most 20000"):
        family_of(Choosy(), {"words": tuple(map(str, range(20_000)))})


def test_imported_verdicts_cannot_be_calibrated():
    with pytest.raises(UsageError, match="imported, not computed"):
        family_of(as_scorer("judge/phi4"))


def test_a_grid_file_names_scorers_fields_and_values(tmp_path: Path):
    path = tmp_path / "grid.toml"
    path.write_text(
        "[token_set]\nthreshold = [0.5, 0.6]\n\n['exact[normaliser=\"words\"]']\n", "utf-8"
    )
    families = [family_of(scorer, options) for scorer, options in read_grid(path)]
    assert [family.ids for family in families] == [
        ("token_set", "token_set[threshold=0.5]", "token_set[threshold=0.6]"),
        ('exact[normaliser="words"]',),
    ]


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("", UsageError, "the grid is empty"),
        ("[token_set", InputError, "the grid is not TOML"),
        ("[token_set]\nthreshold = 0.5", UsageError, "must be a list of values, got 0.5"),
        ("[token_set]\nthreshold = []", UsageError, "must be a list of values"),
        ("token_set = 3", UsageError, "expected a table for the scorer 'token_set'"),
        ("[tokenset]", UnknownNameError, "no scorer 'tokenset'"),
    ],
)
def test_a_grid_file_that_cannot_be_used_says_why(
    tmp_path: Path, text: str, error: type[Exception], said: str
):
    path = tmp_path / "grid.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(error, match=said):
        read_grid(path)


def test_a_grid_file_that_is_missing_is_named(tmp_path: Path):
    with pytest.raises(InputError, match="the grid cannot be read"):
        read_grid(tmp_path / "none.toml")


def test_peers_are_computed_or_listed_with_the_reason():
    found, absent = peer_families()
    assert len(found) + len(absent) == len(PEERS)
    assert all(family.is_peer for family in found)
    assert len({family.name for family in found}) == len(found)
    assert all(reason for _, reason in absent)
    by_name = {family.name: family for family in found}
    assert len(by_name["strict/as-stated"].ids) == 1
    assert len(by_name["token_set"].ids) == 20


def test_marks_are_those_of_marking_one_by_one():
    table = planted(groups=5)
    scorers = family_of(as_scorer("token_f1"), {"threshold": (0.3, 0.7)}).scorers
    is_right, is_scored = CandidateMarker(table.rows).right(scorers)
    for at, scorer in enumerate(scorers):
        alone = [mark(scorer, reference=r.reference, reply=r.reply).value for r in table.rows]
        assert is_right[:, at].tolist() == [value >= 0.5 for value in alone]
    assert is_scored.all()


def test_a_verdict_without_a_value_marks_nothing_right():
    table = table_of([("q", "5", "none here", "right"), ("q", "5", "5", "right")])
    scorers = (as_scorer("number_set"),)
    is_right, is_scored = CandidateMarker(table.rows).right(scorers)
    assert is_right[:, 0].tolist() == [False, True]
    assert is_scored[:, 0].tolist() == [False, True]


def test_progress_counts_scorers():
    seen: list[tuple[int, int, str]] = []
    scorers = (as_scorer("exact"), as_scorer("includes"))
    CandidateMarker(planted(groups=2).rows).right(scorers, lambda *step: seen.append(step))
    assert seen == [(0, 2, "exact"), (1, 2, "includes")]
