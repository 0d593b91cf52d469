"""One made-up log of 200 replies without a label, three scores."""

import pytest

from finassay.analyses.extraction.audit import CellAudit, Settings, audit_cell
from finassay.analyses.extraction.demonstration import DEMONSTRATION_RULES, demonstration_cell


@pytest.fixture(scope="module")
def shown() -> CellAudit:
    return audit_cell(demonstration_cell(), Settings(rules=DEMONSTRATION_RULES))


def right(shown: CellAudit, rule: str) -> int:
    (found,) = [audited.score.right for audited in shown.rules if audited.score.rule == rule]
    return found


def test_no_reply_names_a_label_so_selecting_rules_score_nothing(shown: CellAudit) -> None:
    assert (shown.n, shown.counts.covered, shown.verdict.high) == (200, 0, 0)
    assert right(shown, "labels/card-order") == right(shown, "labels/text-order") == 0


def test_a_default_makes_the_majority_share_of_nothing(shown: CellAudit) -> None:
    assert right(shown, 'labels/default-fill[default="good"]') == 132
    assert right(shown, "labels/override") == 132
    filled = {audited.score.rule: audited.score.default_filled for audited in shown.rules}
    assert filled['labels/default-fill[default="good"]'] == filled["labels/override"] == 200


def test_a_bare_letter_makes_another_score_and_a_boundary_unmakes_it(shown: CellAudit) -> None:
    assert right(shown, "labels/letter-fallback") == 131
    assert right(shown, "labels/letter-fallback[boundary=true]") == 0


def test_the_certificate_of_silence_is_vacuous(shown: CellAudit) -> None:
    assert shown.certificate is not None
    assert shown.certificate.is_vacuous
    outside = {a.score.rule for a in shown.rules if not a.membership.is_member}
    assert {'labels/default-fill[default="good"]', "labels/letter-fallback"} <= outside
