"""The audit on forty references of a model that two readers labelled before it was written."""

import csv
from pathlib import Path

import pytest

from finassay.analyses.reference_audit.audit import SUSPECT, audit_references
from finassay.analyses.reference_audit.inputs import read_references
from real_data import data_root

pytestmark = pytest.mark.data

LABELS = Path(__file__).parents[1] / "docs" / "reference"
MODEL, FILE, CORRECTED = "gpt4_reference", "question_file_reference", "corrected_reference"


def labelled(name: str, source: str) -> dict[tuple[str, int], str]:
    path = LABELS / f"mt_bench_reference_labels_{name}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["question_id"], int(row["turn"])): row[source] for row in csv.DictReader(file)}


def test_the_two_readings_are_of_forty_references_and_alike():
    for source, counts in ((MODEL, (27, 13)), (FILE, (37, 0))):
        a, b = labelled("a", source), labelled("b", source)
        assert (len(a), a) == (40, b)
        assert (list(a.values()).count("right"), list(a.values()).count("wrong")) == counts


@pytest.mark.parametrize(
    ("sources", "hits", "alarms", "false_on_file"),
    [((MODEL,), 3, 3, 0), ((MODEL, FILE), 12, 12, 9), ((MODEL, FILE, CORRECTED), 11, 11, 2)],
)
def test_precision_and_recall_are_those_of_the_page(
    sources: tuple[str, ...], hits: int, alarms: int, false_on_file: int
):
    items = read_references(
        data_root() / "mt_bench_references" / "references.jsonl", sources=sources
    )
    found = audit_references(items, trusted=CORRECTED if CORRECTED in sources else "").findings
    raised = {
        source: {
            (one.item_id, one.turn)
            for one in found
            if one.source == source and one.severity in SUSPECT and one.kind != "empty"
        }
        for source in (MODEL, FILE)
    }
    wrong = {place for place, label in labelled("a", MODEL).items() if label == "wrong"}
    assert (len(raised[MODEL] & wrong), len(raised[MODEL])) == (hits, alarms)
    assert len(raised[FILE]) == false_on_file
