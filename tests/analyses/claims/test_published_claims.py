"""The claims printed in arXiv 2604.19298v3, on the released files, from the file in the docs."""

from pathlib import Path

import pytest

from cli_runs import run
from finassay.analyses.claims.declared import read_claims
from finassay.analyses.claims.study_claims import study_claims
from finassay.analyses.results_claims import ClaimsReport, ClaimVerdict
from finassay.marking.regime_scoring import score_regimes
from finassay.marking.reply_facts import reply_facts
from finassay.marking.scoring import score_study
from finassay.marking.view import view_study
from finassay.study import Study
from real_data import data_root

pytestmark = [pytest.mark.data, pytest.mark.full]

FILE = Path(__file__).parents[3] / "docs" / "how-to" / "indiafinbench-claims.toml"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> ClaimsReport:
    root = tmp_path_factory.mktemp("claims") / "study"
    source = data_root() / "indiafinbench"
    assert run("fetch", "indiafinbench", "--from", source, "--study", root).code == 0
    study = Study.open(root)
    score_study(study, scorers=("strict/numbers-first", "strict/fuzzy-first"))
    score_regimes(study)
    snapshot = study.snapshot()
    view = view_study(snapshot)
    facts = reply_facts(snapshot, [item.item_id for item in view.items])
    return study_claims(view, read_claims(FILE), replies=facts)


def claim(report: ClaimsReport, words: str) -> ClaimVerdict:
    (found,) = (one for one in report.claims if words in one.text)
    return found


def test_no_positive_correspondence_holds_as_measured_and_as_printed(report: ClaimsReport):
    measured = claim(report, "no positive rank correspondence (as printed")
    assert measured.outcome == "holds"
    # Section 5 prints rho = -0.273 and tau = -0.168 for the twelve models.
    assert [check.found[:15] for check in measured.checks] == ["Spearman −0.273", "Kendall −0.168 "]
    assert report.claims[3].outcome == "holds"


def test_only_one_system_holds_its_rank(report: ClaimsReport):
    assert claim(report, "Only one of twelve").outcome == "holds"


def test_seven_of_twelve_move_four_ranks_under_one_convention_alone(report: ClaimsReport):
    found = claim(report, "Seven of twelve")
    assert found.outcome == "depends"
    said = {check.found: check.holds for check in found.checks}
    assert said["7 of 12 systems under dense ranks"] is True
    assert said["5 of 12 systems under competition ranks"] is False


def test_the_strict_leader_and_the_last_depend_on_which_strict_rule(report: ClaimsReport):
    lead = claim(report, "is the leader under strict")
    assert (lead.outcome, lead.base.holds) == ("depends", True)
    assert lead.nearest[0].rule == "strict/numbers-first"


def test_the_pair_on_the_boundary_fails_with_ties_counted(report: ClaimsReport):
    found = claim(report, "after Bonferroni correction")
    assert found.base.holds is False
    assert found.base.found.endswith("p 0.0008238")


def test_items_where_nobody_is_at_the_cap_are_190_and_the_strict_claims_hold(report: ClaimsReport):
    last = claim(report, "remains last under strict")
    assert (last.n_items, last.outcome) == (190, "holds")
    assert claim(report, "with 70.0%").outcome == "holds"
    assert claim(report, "reaches 98.4%").outcome == "holds"


def test_on_these_items_two_systems_stand_above_the_tie(report: ClaimsReport):
    assert claim(report, "a 5-way tie for the top rank").outcome == "fails"
    first = claim(report, "among the first under strict-or-judge")
    assert first.outcome == "fails"
    assert "99.5%" in first.checks[0].found
