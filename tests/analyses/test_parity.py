"""Tools' verdicts beside ours, against counts made by hand and a textbook's kappa."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import harness_logs
from finassay.analyses.parity import conventions, parity, parity_of_study, rule_parity
from finassay.analyses.results_parity import Parity
from finassay.errors import UnknownNameError
from finassay.marking.matrix import STATUS_CODES
from finassay.marking.parity import MarkedVerdicts, ToolVerdicts
from finassay.marking.tool_rules import TOOL_RULES, ToolRule, tool_of, tool_rule
from finassay.records import ReportedScore, Status
from finassay.runs.importers.logs.importing import find_logs, import_logs
from finassay.scorers.registry import load_scorer
from finassay.study import Study

Said = tuple[Status, float | None]

_STATUSES: tuple[Status, ...] = ("scored", "no_answer", "failed")


def _codes(said: list[Said]) -> tuple[np.ndarray, np.ndarray]:
    values = np.array([0.0 if value is None else value for _, value in said])
    return values, np.array([STATUS_CODES[status] for status, _ in said], dtype=np.int8)


def _tool(said: list[Said], scorer: str = "imported/helm/exact_match") -> ToolVerdicts:
    values, status = _codes(said)
    n = len(said)
    return ToolVerdicts(
        scorer=scorer,
        items=tuple(f"i{at:03d}" for at in range(n)),
        systems=tuple("AB"[at % 2] for at in range(n)),
        benchmarks=("rates",) * n,
        trials=np.zeros(n, dtype=np.int64),
        values=values,
        status=status,
    )


def _marked(theirs: list[Said], ours: list[Said], tolerance: float = 1e-6) -> MarkedVerdicts:
    values, status = _codes(ours)
    return MarkedVerdicts(
        tool=_tool(theirs),
        rule=ToolRule(tool="helm", metric="exact_match", scorer="exact", tolerance=tolerance),
        scorer="exact",
        values=values,
        status=status,
        digests=tuple((f"t{at}", f"e{at}", f"r{at}") for at in range(len(ours))),
        other_reference=2,
        unmarked=1,
    )


def _kappa(pairs: list[tuple[bool, bool]]) -> Fraction | None:
    """Return Cohen's kappa by its definition: (observed - chance) / (1 - chance)."""
    n = len(pairs)
    if not n:
        return None
    observed = Fraction(sum(a == b for a, b in pairs), n)
    chance = sum(
        Fraction(sum(a == c for a, _ in pairs), n) * Fraction(sum(b == c for _, b in pairs), n)
        for c in (False, True)
    )
    return None if chance == 1 else (observed - chance) / (1 - chance)


def test_verdicts_are_counted_by_who_scores_and_who_agrees():
    theirs: list[Said] = [("scored", 1.0), ("scored", 0.0), ("scored", 0.0), ("failed", None),
                          ("failed", None), ("scored", 1.0)]  # fmt: skip
    ours: list[Said] = [("scored", 1.0), ("scored", 1.0), ("no_answer", None), ("scored", 0.0),
                        ("failed", None), ("scored", 1.0)]  # fmt: skip
    found = rule_parity(_marked(theirs, ours))
    assert (found.n, found.both_scored, found.agree) == (6, 3, 2)
    assert (found.tool_only, found.ours_only, found.neither) == (1, 1, 1)
    assert found.share == pytest.approx(2 / 3)
    assert (found.other_reference, found.unmarked) == (2, 1)
    assert [one.item_id for one in found.differing] == ["i002", "i001", "i003"]
    first = next(one for one in found.differing if one.item_id == "i001")
    assert (first.tool_value, first.value, first.system) == (0.0, 1.0, "B")
    assert (first.text_digest, first.read_digest, first.reference_digest) == ("t1", "e1", "r1")


_said = st.one_of(
    st.tuples(st.just("scored"), st.sampled_from([0.0, 0.25, 0.5, 1.0])),
    st.tuples(st.sampled_from(["no_answer", "failed"]), st.none()),
)


@settings(deadline=None)
@given(pairs=st.lists(st.tuples(_said, _said), max_size=30))
def test_kappa_and_counts_are_the_textbooks(pairs: list[tuple[Said, Said]]):
    found = rule_parity(_marked([a for a, _ in pairs], [b for _, b in pairs]))
    both = [(a[1], b[1]) for a, b in pairs if a[1] is not None and b[1] is not None]
    assert found.both_scored == len(both)
    assert found.agree == sum(a == b for a, b in both)
    expected = _kappa([(a >= 0.5, b >= 0.5) for a, b in both])
    assert found.kappa == (None if expected is None else pytest.approx(float(expected)))
    assert found.n == found.both_scored + found.tool_only + found.ours_only + found.neither
    assert found.n_differing == len(both) - found.agree + found.tool_only + found.ours_only


def test_a_tools_rounding_is_no_difference():
    theirs: list[Said] = [("scored", 0.67)]
    ours: list[Said] = [("scored", 2 / 3)]
    assert rule_parity(_marked(theirs, ours)).agree == 0
    assert rule_parity(_marked(theirs, ours, tolerance=0.005001)).agree == 1


@settings(deadline=None)
@given(said=st.lists(_said, max_size=20))
def test_both_conventions_are_sums_over_two_denominators(said: list[Said]):
    for row in conventions(_tool(said), {}):
        own = [value for at, (_, value) in enumerate(said) if "AB"[at % 2] == row.system]
        scored = [value for value in own if value is not None]
        assert (row.n, row.scored, row.unscored) == (len(own), len(scored), own.count(None))
        assert row.wrong == pytest.approx(sum(scored) / len(own))
        assert row.excluded == (pytest.approx(sum(scored) / len(scored)) if scored else None)
        assert sum(count for _, count in row.reasons) == row.unscored


def test_what_the_tool_printed_stands_beside():
    printed = ReportedScore(
        source="helm v1/x", table="rates", row="A", column="c", value=0.5, printed="0.5"
    )
    (row,) = conventions(
        _tool([("scored", 1.0)]), {("imported/helm/exact_match", "A", "rates"): [printed]}
    )
    assert [(one.value, one.source) for one in row.printed] == [(0.5, "helm v1/x")]


def test_nothing_gives_nothing_and_says_so():
    found = parity([], [])
    assert (found.rules, found.conventions) == ((), ())
    assert found.warnings == ("The study holds no verdicts of a tool.",)
    empty = rule_parity(_marked([], []))
    assert (empty.n, empty.share, empty.kappa) == (0, None, None)


# The table of rules


def test_every_rule_names_a_scorer_that_there_is():
    for rule in TOOL_RULES:
        assert load_scorer(rule.scorer).name


@pytest.mark.parametrize(
    ("scorer_id", "said"),
    [
        ("imported/helm/exact_match", ("helm", "exact_match")),
        ("imported/lm-eval/exact_match/strict-match", ("lm-eval", "exact_match")),
        ("imported/verdict", None),
        ("stored", None),
        ("exact", None),
    ],
)
def test_an_id_says_tool_and_metric(scorer_id: str, said: tuple[str, str] | None):
    assert tool_of(scorer_id) == said


def test_a_filter_does_not_matter_and_another_metric_has_no_rule():
    found = tool_rule("imported/lm-eval/exact_match/strict-match")
    assert found is not None
    assert (found.scorer, found.reads) == ("exact", "extracted")
    assert tool_rule("imported/lm-eval/bleu/none") is None


# On logs


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("parity")
    study = Study.create(folder / "study")
    for builder in (harness_logs.helm, harness_logs.opencompass, harness_logs.promptfoo_table):
        builder().write(folder / "log")
    import_logs(study, find_logs([folder / "log"]).sources)
    return study


@pytest.fixture(scope="module")
def found(filled: Study) -> Parity:
    return parity_of_study(filled.snapshot())


def test_our_rules_repeat_the_tools_on_their_logs(found: Parity):
    rules = {rule.scorer: rule for rule in found.rules}
    # By hand: three of four answers have a text, " 6.50%" is right, " It is 4.5" and " 6.5" wrong.
    helm = rules["imported/helm/exact_match"]
    assert (helm.n, helm.both_scored, helm.agree, helm.tool_only) == (4, 3, 3, 1)
    assert helm.kappa == 1.0
    # The extracted answers "6.50", "none" and "B" against "6.50", "0" and "A".
    compass = rules["imported/opencompass/accuracy"]
    assert (compass.n, compass.agree, compass.reads) == (3, 3, "extracted")
    equals = rules["imported/promptfoo/equals"]
    assert (equals.n, equals.agree) == (3, 3)


def test_a_failed_call_that_the_tool_marks_wrong_is_listed(found: Parity):
    (rule,) = [one for one in found.rules if one.scorer == "imported/helm/exact_match"]
    (one,) = rule.differing
    assert (one.tool_value, one.value, one.status) == (0.0, None, "failed")


def test_scores_stand_beside_what_was_printed(found: Parity):
    rows = {(row.scorer, row.benchmark): row for row in found.conventions}
    helm = rows["imported/helm/exact_match", "rates:subject=repo"]
    assert helm.excluded == pytest.approx(1 / 3)
    assert [score.value for score in helm.printed] == [pytest.approx(1 / 3)]
    compass = rows["imported/opencompass/accuracy", "rates"]
    assert [(one.value, one.unit) for one in compass.printed] == [(0.5, "fraction")]


def test_scorers_without_a_rule_are_named(found: Parity):
    assert "imported/promptfoo/success" in found.without_rule


def test_a_scorer_may_be_chosen_and_must_be_there(filled: Study):
    snapshot = filled.snapshot()
    only = parity_of_study(snapshot, scorers=["imported/opencompass/accuracy"])
    assert [rule.scorer for rule in only.rules] == ["imported/opencompass/accuracy"]
    with pytest.raises(UnknownNameError, match="no verdicts of a tool under 'exact'"):
        parity_of_study(snapshot, scorers=["exact"])


def test_a_changed_verdict_of_the_tool_is_found(tmp_path: Path):
    log = harness_logs.opencompass().copy()
    details = log.documents[f"{harness_logs.COMPASS}/results/bank-1/rates.json"]
    details["details"][1]["correct"] = [True]  # type: ignore[index]
    study = Study.create(tmp_path / "study")
    import_logs(study, find_logs([log.write(tmp_path / "log")]).sources)
    (rule,) = parity_of_study(study.snapshot()).rules
    assert [(one.item_id, one.tool_value, one.value) for one in rule.differing] == [
        ("rates/1", 1.0, 0.0)
    ]


def test_the_documentation_names_every_rule():
    page = Path(__file__).parents[2] / "docs" / "how-to" / "bring-your-logs.md"
    text = page.read_text(encoding="utf-8")
    for rule in TOOL_RULES:
        given = "the extraction" if rule.reads == "extracted" else "the reply"
        row = f"| `imported/{rule.tool}/{rule.metric}` | `{rule.scorer}` | {given} | {rule.note} |"
        assert row in text
