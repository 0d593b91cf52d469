"""Audits of whole logs: published FLARE logs, plain tables, many at once."""

import json
from pathlib import Path

import jsonschema
import pytest

from finassay.analyses.extraction.audit import Settings
from finassay.analyses.extraction.label_lines import label_audit_lines
from finassay.analyses.extraction.log_audits import LabelAudit, audit_label_logs
from finassay.analyses.results import to_jsonable
from finassay.errors import UsageError
from finassay.reports.schemas import schema_object
from finassay.runs.importers.label_cells import CellSpec
from flare_logs import CHATGLM, CONSISTENT, GPT4_FRAUD, LLAMA, path_of

pytestmark = pytest.mark.full

CUSTOMS = ("no", "yes")


def table(folder: Path, text: str, name: str = "log.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def spec(path: Path, **named: str | tuple[str, ...]) -> CellSpec:
    return CellSpec(file=path, system=path.stem, **named)  # type: ignore[arg-type]


def accuracies(audit: LabelAudit) -> dict[str, float]:
    return {
        found.score.rule.partition("[")[0]: found.score.accuracy
        for found in audit.logs[0].cell.rules
    }


def test_labels_are_declared_or_offered_or_seen(tmp_path: Path) -> None:
    path = table(tmp_path, "reply,gold,choices\nYes.,yes,no|yes\nNo.,no,no|yes\n")
    declared = audit_label_logs([spec(path, choices=("yes", "no"))]).logs[0]
    offered = audit_label_logs([spec(path)]).logs[0]
    assert (declared.choices_from, declared.cell.labels) == ("declared", ("yes", "no"))
    assert (offered.choices_from, offered.cell.labels) == ("table", ("no", "yes"))
    bare = table(tmp_path, "reply,gold\nYes.,yes\nNo.,no\n", "bare.csv")
    seen = audit_label_logs([spec(bare)]).logs[0]
    assert (seen.choices_from, seen.cell.labels) == ("log", ("no", "yes"))
    assert any("alphabetical order" in warning for warning in seen.warnings)


def test_rows_may_offer_different_labels(tmp_path: Path) -> None:
    path = table(tmp_path, "reply,gold,choices\nYes.,yes,no|yes\nUp.,up,up|down\n")
    audit = audit_label_logs([spec(path)]).logs[0]
    assert (audit.cell.n, audit.cell.counts.forced_correct) == (2, 2)


def test_a_card_order_that_the_marks_give_away_is_used_and_checked(tmp_path: Path) -> None:
    text = 'reply,gold,acc\n"yes, not no",no,1\n"yes, not no",yes,0\nNo.,no,1\n'
    path = table(tmp_path, text)
    inferred = audit_label_logs([spec(path)]).logs[0]
    assert (inferred.choices_from, inferred.cell.labels) == (
        "log, in inferred card order",
        CUSTOMS,
    )
    other = audit_label_logs([spec(path, choices=("yes", "no"))]).logs[0]
    assert any("does not give the logged marks" in warning for warning in other.warnings)
    assert other.logged is not None
    assert (other.logged.reproduced, other.logged.n) == (1, 3)


def test_a_column_of_human_readings_is_compared_with_every_rule(tmp_path: Path) -> None:
    path = table(tmp_path, 'reply,gold,human\n"yes, not no",yes,yes\nNo.,no,no\n')
    audit = audit_label_logs([spec(path, choices=CUSTOMS)] * 2)
    human = audit.logs[0].human
    assert {found.rule.partition("[")[0]: (found.same, found.n) for found in human} == {
        "labels/card-order": (1, 2),
        "labels/text-order": (2, 2),
        "labels/last": (1, 2),
        "labels/longest": (2, 2),
    }


def test_agreement_with_people_is_pooled_over_cells(tmp_path: Path) -> None:
    read = table(tmp_path, 'reply,gold,human\n"yes, not no",yes,yes\nNo.,no,no\n')
    bare = table(tmp_path, "reply,gold\nNo.,no\n", "bare.csv")
    specs = [spec(path, choices=CUSTOMS) for path in (read, bare, read)]
    card, text, *_ = audit_label_logs(specs).sweep.human
    assert (card.rule.partition("[")[0], card.same, card.n) == ("labels/card-order", 2, 4)
    assert (text.same, text.share) == (4, 1.0)


def test_names_of_rows_that_repeat_are_numbered_and_said(tmp_path: Path) -> None:
    path = table(tmp_path, "id,reply,gold\n1,Yes.,yes\n1,No.,no\n")
    audit = audit_label_logs([spec(path, choices=CUSTOMS)]).logs[0]
    assert "names of rows repeat, so they are numbered" in audit.warnings


def test_an_accepted_label_outside_the_choices_is_an_error(tmp_path: Path) -> None:
    path = table(tmp_path, "reply,gold\nYes.,yes\nMaybe.,maybe\n")
    with pytest.raises(UsageError, match=r"'maybe'.*none of its choices"):
        audit_label_logs([spec(path, choices=CUSTOMS)])


def test_nothing_to_audit_is_refused() -> None:
    with pytest.raises(UsageError, match="nothing to audit"):
        audit_label_logs([])


def test_without_a_declared_budget_nothing_is_certified(tmp_path: Path) -> None:
    path = table(tmp_path, "reply,gold\nYes.,yes\nNo.,no\n")
    bare = audit_label_logs([spec(path, arm="a", choices=CUSTOMS)]).logs[0].cell
    assert bare.certificate is None
    assert "budget" in bare.uncertified
    told = audit_label_logs([spec(path, arm="a", budget="b", choices=CUSTOMS)]).logs[0].cell
    assert told.certificate is not None


def test_the_result_fits_its_published_schema_and_is_told_in_lines(tmp_path: Path) -> None:
    path = table(tmp_path, 'reply,gold,acc,human\n"yes, not no",yes,1,yes\nNo.,no,1,no\n')
    audit = audit_label_logs([spec(path, choices=CUSTOMS), spec(path, choices=CUSTOMS)])
    plain = to_jsonable(audit)
    assert isinstance(plain, dict)
    document = json.loads(json.dumps({**plain, "schema": "finassay/labels-audit/1"}))
    jsonschema.Draft202012Validator(schema_object("labels-audit")).validate(document)
    lines = label_audit_lines(audit)
    assert any("contested M* 0.5000 (1/2)" in line for line in lines)
    assert any(line.startswith("2 cells side by side") for line in lines)


@pytest.mark.data
def test_llama2_chat_customs2_has_the_known_figures() -> None:
    audit = audit_label_logs([spec(path_of(LLAMA))])
    cell = audit.logs[0].cell
    assert (cell.ambiguity.value, cell.contested.value) == (0.108, 0.108)
    assert (cell.verdict.low / cell.n, cell.verdict.high / cell.n) == (0.211, 0.319)
    assert (cell.floor.value, cell.verdict.text) == (0.778, "below")
    assert accuracies(audit)["labels/card-order"] == 0.2895
    assert accuracies(audit)["labels/text-order"] == 0.2405
    assert audit.logs[0].choices_from == "log, in inferred card order"


@pytest.mark.data
def test_chatglm_covers_almost_nothing() -> None:
    cell = audit_label_logs([spec(path_of(CHATGLM), choices=CUSTOMS)]).logs[0].cell
    assert cell.coverage.value == 0.0065
    assert (cell.verdict.low / cell.n, cell.verdict.high / cell.n) == (0.005, 0.005)


@pytest.mark.data
def test_gpt4_ccfraud_has_the_known_figures() -> None:
    audit = audit_label_logs([spec(path_of(GPT4_FRAUD), choices=("good", "bad"))])
    log, cell = audit.logs[0], audit.logs[0].cell
    assert (cell.coverage.value, cell.contested.value) == (0.79, 0.05)
    assert (cell.verdict.low, cell.verdict.high, cell.floor.count) == (49, 54, 71)
    assert accuracies(audit)["labels/card-order"] == accuracies(audit)["labels/text-order"] == 0.51
    assert len(log.contradictions) == 7
    assert log.logged is not None
    assert (log.logged.reproduced, log.logged.n) == (93, 100)


@pytest.mark.data
def test_all_public_logs_lie_below_their_floor_whatever_selecting_rule_reads_them() -> None:
    specs = [spec(path_of(name)) for name in (*CONSISTENT, GPT4_FRAUD)]
    sweep = audit_label_logs(specs, settings=Settings(limit=1)).sweep
    assert [row.outcome for row in sweep.rows] == ["below"] * 5
    assert sweep.changing == ()
