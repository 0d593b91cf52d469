"""One system that was marked by another rule: present, absent, and from totals alone."""

from __future__ import annotations

import numpy as np
import pytest

from finassay.analyses.provenance.results import Provenance
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item
from provenance_samples import cell, inputs, marked, only, questions, trace, verdicts

N = 40
ITEMS = questions([f"Rs. {100 + at} crore" for at in range(N)])
STRICT, INCLUDES = "strict/numbers-first", "includes"


def replies(system: int) -> list[str]:
    """Return replies that numbers-first accepts and `includes` does not, but for every fourth."""
    return [
        f"Rs. {100 + at} crore" if (at + system) % 4 == 0 else f"about {100 + at} as of now"
        for at in range(N)
    ]


TEXTS = {f"s{at}": replies(at) for at in range(6)}


def mixed(odd: str | None, rule: str = INCLUDES) -> VerdictMatrix:
    """Return verdicts of numbers-first, with one column by another rule."""
    own, other = marked(ITEMS, TEXTS, STRICT), marked(ITEMS, TEXTS, rule)
    columns = {name: (other if name == odd else own) for name in TEXTS}
    return verdicts(
        ITEMS,
        {
            name: table.values[:, table.columns.index(name)].tolist()
            for name, table in columns.items()
        },
    )


@pytest.fixture(scope="module")
def found() -> Provenance:
    return trace(inputs(ITEMS, TEXTS, stored=mixed("s2"), candidates=(STRICT, INCLUDES)))


def test_the_odd_system_is_named_with_both_rules(found: Provenance):
    finding = only(found, "mixed_rule")
    assert finding.systems == ("s2",)
    assert finding.severity == "high"
    assert "0 mismatches with includes" in finding.evidence
    assert "30 with strict/numbers-first" in finding.evidence
    assert finding.p == pytest.approx(2 * 0.5**30)
    assert found.rules is not None
    assert found.rules.common_rule == STRICT


def test_witnesses_are_the_items_on_which_the_rules_part(found: Provenance):
    finding = only(found, "mixed_rule")
    parted = [f"q{at}" for at in range(N) if (at + 2) % 4]
    assert finding.n_witnesses == len(parted) == 30
    assert list(finding.witnesses) == parted[:20]


def test_three_boards_stand_side_by_side(found: Provenance):
    assert found.rules is not None
    right = [{r.system: (r.right, r.rank) for r in b.rows} for b in found.rules.boards]
    assert [b.name for b in found.rules.boards] == [
        "stored",
        "odd rows marked again",
        "all rows marked again",
    ]
    assert [board["s2"] for board in right] == [(10, 6), (40, 1), (40, 1)]
    assert right[1]["s0"] == right[2]["s0"] == (40, 1)


def test_the_effect_says_what_marking_again_does(found: Provenance):
    effect = only(found, "mixed_rule").effect
    assert effect is not None
    move = next(m for m in effect.moves if m.system == "s2")
    assert (move.right_before, move.rank_before, move.right_after, move.rank_after) == (
        10,
        6,
        40,
        1,
    )
    assert effect.n_moved == 1


def test_every_board_says_how_it_goes_with_the_judge():
    judge = verdicts(
        ITEMS, {f"s{at}": [float(q < 20 + 2 * at) for q in range(N)] for at in range(6)}
    )
    given = inputs(ITEMS, TEXTS, stored=mixed("s5"), more={"judge/j": judge})
    boards = trace(given).rules
    assert boards is not None
    first, alone, _ = boards.boards
    assert first.with_judge is not None
    assert first.with_judge.n == 6
    # the odd row is the judge's best and the worst as stored
    assert first.with_judge.spearman is not None
    assert first.with_judge.spearman < 0
    # marked again all rows are equal: there is nothing to correlate
    assert alone.with_judge is not None
    assert alone.with_judge.spearman is None
    assert {row.system: row.right for row in first.judged}["s5"] == 30


def test_no_system_is_odd_where_all_follow_one_rule():
    found = trace(inputs(ITEMS, TEXTS, stored=mixed(None)))
    assert found.of("mixed_rule") == ()
    assert found.rules is not None
    assert found.rules.boards == ()


def test_a_system_as_noisy_as_the_rest_is_not_odd():
    rng = np.random.default_rng(4)
    own = marked(ITEMS, TEXTS, STRICT).values
    noisy = np.where(rng.random(own.shape) < 0.1, 1 - own, own)
    stored = verdicts(ITEMS, dict(zip(TEXTS, noisy.T.tolist(), strict=True)))
    assert trace(inputs(ITEMS, TEXTS, stored=stored)).of("mixed_rule") == ()


def test_without_stored_verdicts_the_audit_says_so():
    found = trace(inputs(ITEMS, TEXTS, stored=None))
    assert found.rules is None
    assert any("holds no verdicts of 'stored'" in text for text in found.warnings)


FAMILIES = ["A"] * 20 + ["B"] * 20


def printed(odd: str | None) -> list:
    items = questions([f"Rs. {100 + at} crore" for at in range(N)], families=FAMILIES)
    table = mixed(odd)
    out = []
    for j, name in enumerate(table.columns):
        for family in ("A", "B"):
            rows = [at for at, item in enumerate(items) if item.family == family]
            out.append(cell(name, family, f"{5 * table.right[rows, j].sum():.1f}", 20))
    return out


def of_families() -> tuple[Item, ...]:
    return questions([f"Rs. {100 + at} crore" for at in range(N)], families=FAMILIES)


def test_totals_alone_name_the_odd_row():
    found = trace(
        inputs(
            of_families(), TEXTS, stored=None, reported=printed("s4"), candidates=(STRICT, INCLUDES)
        )
    )
    finding = only(found, "mixed_rule_totals")
    assert finding.systems == ("s4",)
    assert "its totals are 0 answers from those of includes" in finding.evidence
    (traced,) = found.totals
    assert (traced.common_rule, traced.odd) == (STRICT, ("s4",))
    assert {row.row: dict(row.distances)[STRICT] for row in traced.rows} == {
        **dict.fromkeys(TEXTS, 0),
        "s4": 30,
    }


def test_totals_of_one_rule_have_no_odd_row():
    found = trace(
        inputs(
            of_families(), TEXTS, stored=None, reported=printed(None), candidates=(STRICT, INCLUDES)
        )
    )
    assert found.of("mixed_rule_totals") == ()
    assert found.totals[0].common_rule == STRICT


def test_few_rows_say_nothing_of_totals():
    rows = [score for score in printed("s3") if score.row in {"s0", "s1", "s2", "s3"}]
    found = trace(inputs(of_families(), TEXTS, stored=None, reported=rows))
    assert found.totals == ()
