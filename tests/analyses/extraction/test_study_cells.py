"""Label cells of a study, from items and replies to the room in the report."""

from pathlib import Path

import pytest

import sample_audits
from finassay.analyses.audit import build_audit
from finassay.analyses.audit_inputs import AuditInputs
from finassay.analyses.estimates import Settings
from finassay.analyses.extraction.study_cells import (
    cells_of_study,
    extraction_findings,
    study_extraction,
)
from finassay.marking.choice_replies import ChoiceReply, choice_replies
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item, Prediction, SystemSpec
from finassay.reports.figures import figures
from finassay.reports.html import html
from finassay.reports.outline import outline
from finassay.reports.tables import shown_names, tables
from finassay.reports.workflow import demo_study
from finassay.study import Study
from finassay.study.rows import predictions_frame

CHOICES = ("No", "Yes")
ITEMS = (
    Item(item_id="1", task="t", reference="yes", choices=CHOICES),
    Item(item_id="2", task="t", reference="No", choices=CHOICES),
    Item(item_id="3", task="t", reference="No", choices=CHOICES),
    Item(item_id="4", family="f", reference="up", choices=("up", "down")),
    Item(item_id="5", task="open", reference="4.5%"),
    Item(item_id="6", task="t", reference="maybe", choices=CHOICES),
    Item(item_id="7", task="t", reference="yes", choices=("yes", "YES")),
)
ALPHA = SystemSpec(name="alpha", prompt_arm="zero-shot", budget="64 tokens")
BETA = SystemSpec(name="beta")
PERSON = SystemSpec(name="reader", kind="person")


def reply(system: SystemSpec, item_id: str, text: str) -> ChoiceReply:
    return ChoiceReply(item_id=item_id, system_id=system.system_id, text=text, finish="stop")


REPLIES = (
    reply(ALPHA, "1", "Yes, not no."),
    reply(ALPHA, "2", "No, not yes."),
    reply(ALPHA, "3", "No."),
    reply(ALPHA, "4", "It went up."),
    reply(BETA, "1", "No."),
    reply(PERSON, "1", "Yes."),
)


def audit_inputs() -> AuditInputs:
    matrix = VerdictMatrix.from_cells(
        [((item.item_id,), name, "scored", 1.0) for item in ITEMS for name in ("alpha", "beta")],
        row_names=("item_id",),
        column_name="system",
    )
    return AuditInputs(
        study="made",
        items=ITEMS,
        systems=(ALPHA, BETA),
        matrices={"exact": matrix},
        primary="exact",
        settings=Settings(policy="bounds"),
        label_cells=cells_of_study(ITEMS, (ALPHA, BETA, PERSON), REPLIES),
    )


def test_a_cell_is_a_task_and_a_system_and_people_are_left_out() -> None:
    made = cells_of_study(ITEMS, (ALPHA, BETA, PERSON), REPLIES)
    assert [(cell.task, cell.system, cell.n) for cell in made.cells] == [
        ("f", "alpha", 1),
        ("t", "alpha", 3),
        ("t", "beta", 1),
    ]
    assert (made.cells[1].arm, made.cells[1].budget) == ("zero-shot", "64 tokens")


def test_items_whose_reference_is_no_choice_are_left_out_and_counted() -> None:
    made = cells_of_study(ITEMS, (ALPHA,), REPLIES)
    assert made.warnings == ("2 items left out: the reference is none of the choices",)


def test_without_items_that_offer_choices_nothing_is_measured() -> None:
    assert study_extraction(cells_of_study(ITEMS[4:5], (ALPHA,), ())) is None


def test_the_sweep_of_a_study_shows_the_reachable_interval() -> None:
    sweep = study_extraction(cells_of_study(ITEMS, (ALPHA, BETA), REPLIES))
    assert sweep is not None
    row = sweep.rows[1]
    assert (row.low, row.high, row.floor, row.sub_state) == (1, 3, 2, "straddles")
    (finding,) = extraction_findings(sweep)
    assert "decides 1 comparison" in finding.title
    assert finding.link == "extraction"
    assert list(extraction_findings(None)) == []


def test_the_report_has_a_room_with_the_interval_of_every_cell() -> None:
    audit = build_audit(audit_inputs())
    assert audit.extraction is not None
    table = tables(audit)["extraction"]
    assert [(row[0], row[1], row[-1]) for row in table.rows] == [
        ("f", "alpha", "ties"),
        ("t", "alpha", "◆ undetermined: straddles"),
        ("t", "beta", "below"),
    ]
    drawn = figures(audit, shown_names(audit))["fig-extraction"]
    assert "1 is undetermined" in drawn.summary
    assert drawn.svg.startswith("<svg")
    assert "s-extraction" in [room.anchor for room in outline(audit).rooms]
    assert "Extraction freedom" in html(audit)


def test_a_report_without_label_items_has_no_such_room() -> None:
    audit = sample_audits.bare_audit()
    assert audit.extraction is None
    assert "s-extraction" not in [room.anchor for room in outline(audit).rooms]


def test_replies_to_items_with_choices_are_read_from_a_study(tmp_path: Path) -> None:
    study = Study.create(tmp_path / "study")
    study.add_items(ITEMS, benchmark="b")
    study.add_system(ALPHA)
    given = [
        Prediction(item_id="1", system_id=ALPHA.system_id, text="Yes.", finish="stop", run_id="r"),
        Prediction(
            item_id="1", system_id=ALPHA.system_id, trial=1, text="No.", finish="stop", run_id="r"
        ),
        Prediction(item_id="5", system_id=ALPHA.system_id, text="4.5%", finish="stop", run_id="r"),
    ]
    partition = {"system_id": ALPHA.system_id, "run_id": "r"}
    study.commit("predictions", predictions_frame(given), partition=partition)
    assert choice_replies(study.snapshot()) == (reply(ALPHA, "1", "Yes."),)


@pytest.mark.full
def test_the_bundled_demonstration_holds_cells_of_every_label_task(tmp_path: Path) -> None:
    study = demo_study(tmp_path / "demo")
    snapshot = study.snapshot()
    systems = snapshot.systems()
    sweep = study_extraction(cells_of_study(snapshot.items(), systems, choice_replies(snapshot)))
    assert sweep is not None
    assert {row.task for row in sweep.rows} == {
        "contradiction_detection",
        "obligation_detection",
        "sentiment_toward_firm",
        "topic_classification",
        "yes_no_applicability",
    }
    assert len(sweep.rows) == 5 * len(systems)
    assert {row.n for row in sweep.rows} == {18}
