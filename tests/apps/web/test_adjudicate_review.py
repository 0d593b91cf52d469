"""Conflicts, doubted references, agreement and exports: the pages of who reviews."""

import csv
import io
import re

from labelling_office import Office, disagreed, fields, next_page
from labelling_studies import TELLING, N


def test_conflicts_show_people_by_letters_and_are_settled_once(office: Office):
    disagreed(office)
    page = office.person("eve").get("/adjudicate/conflicts?draw=correctness").text
    assert "<dt>wait for a decision</dt><dd>4</dd>" in page
    assert 'scope="row">A</th>' in page
    assert 'scope="row">B</th>' in page
    assert [name for name in TELLING if name in page] == []
    form = fields(page)
    for _ in range(2):
        found = office.person("eve").post(
            "/adjudicate/conflicts",
            data={**form, "label": "CORRECT", "note": "as asked"},
            follow_redirects=False,
        )
        assert found.status_code == 303
    settled = [one for one in office.history("correctness") if one.answer.role == "resolution"]
    assert [(one.answer.annotator, one.answer.label) for one in settled] == [("eve", "CORRECT")]
    page = office.person("eve").get("/adjudicate/conflicts?draw=correctness").text
    assert "<dt>wait for a decision</dt><dd>3</dd>" in page


def test_whoever_labelled_a_unit_cannot_settle_it(office: Office):
    disagreed(office)
    office.join("eve", "correctness")
    for _ in range(N):
        office.label("eve", "correctness", "not sure")
    page = office.person("eve").get("/adjudicate/conflicts?draw=correctness").text
    assert "you labelled yourself" in page
    assert "No conflict waits for you" in page


def test_agreement_is_hidden_from_who_labels_while_a_draw_is_open(office: Office):
    office.join("ada", "correctness")
    hidden = office.person("ada").get("/adjudicate/agreement?draw=correctness").text
    assert "must not be led by how well people agree" in hidden
    shown = office.person("eve").get("/adjudicate/agreement?draw=correctness").text
    assert "Cohen" in shown or "Krippendorff" in shown
    disagreed(office)
    assert "Cohen" in office.person("ada").get("/adjudicate/agreement?draw=correctness").text


def test_agreement_is_refreshed_as_a_fragment(office: Office):
    disagreed(office)
    found = office.person("eve").get(
        "/adjudicate/agreement?draw=correctness", headers={"hx-request": "true"}
    )
    assert found.text.lstrip().startswith('<div id="agreed"')
    assert 'hx-trigger="every 5s"' in found.text


def test_a_doubted_reference_is_corrected_and_the_old_one_kept(office: Office):
    office.join("ada", "correctness")
    office.label(
        "ada", "correctness", "INCORRECT", reference_wrong="yes", correction="twelve", note="see 3"
    )
    page = office.person("eve").get("/adjudicate/references").text
    assert "twelve" in page
    assert "see 3" in page
    assert not re.search(r"\bada\b", page)
    form = dict(re.findall(r'name="(item|seen|proposed_by)" value="([^"]*)"', page))
    refused = office.post("eve", "/adjudicate/references", **form, decision="reject")
    assert refused.status_code == 400
    done = office.post(
        "eve",
        "/adjudicate/references",
        **form,
        decision="accept",
        reference="twelve",
        reason="s. 3",
    )
    assert done.status_code == 303
    items = {item.item_id: item for item in office.study.snapshot().items()}
    changed = items[form["item"]]
    assert (changed.reference, changed.erratum and changed.erratum.by) == ("twelve", "eve")
    after = office.person("eve").get("/adjudicate/references").text
    assert "finassay score" in after
    again = office.post(
        "eve", "/adjudicate/references", **form, decision="accept", reference="x", reason="y"
    )
    assert again.status_code == 409
    assert "changed since this page was shown" in again.text


def test_a_rejected_doubt_waits_no_longer_until_somebody_doubts_again(office: Office):
    office.join("ada", "correctness")
    office.label("ada", "correctness", "INCORRECT", reference_wrong="yes")
    page = office.person("eve").get("/adjudicate/references").text
    form = dict(re.findall(r'name="(item|seen|proposed_by)" value="([^"]*)"', page))
    office.post("eve", "/adjudicate/references", **form, decision="reject", reason="it is right")
    page = office.person("eve").get("/adjudicate/references").text
    assert "<dt>wait for a decision</dt><dd>0</dd>" in page
    assert "it is right" in page


def test_a_draw_is_opened_and_left_on_the_page_of_its_people(office: Office):
    office.post("eve", "/adjudicate/open", draw="rubric", people=2, overlap=0)
    for name in ("ada", "bob"):
        office.join(name, "rubric")
    page = office.person("eve").get("/adjudicate/people?draw=rubric").text
    assert "ada: 4 waiting" in page
    done = office.post("eve", "/adjudicate/withdraw", draw="rubric", annotator="ada", reason="away")
    assert done.status_code == 303
    page = office.person("eve").get("/adjudicate/people?draw=rubric").text
    assert "bob: 8 waiting" in page


def test_the_export_holds_every_revision_under_the_names_of_sheets(office: Office):
    office.join("ada", "rubric")
    office.label("ada", "rubric", "7", note="=1+1")
    page = next_page(office, "ada", "rubric")
    (back,) = re.findall(r'id="back" href="([^"]+)"', page)
    before = office.person("ada").get(back.replace("&amp;", "&")).text
    office.send("ada", fields(before), "8", note="=1+1")
    found = office.person("eve").get("/adjudicate/answers.csv?draw=rubric")
    assert found.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(found.text.lstrip("\ufeff"))))
    assert [(row["label"], row["revision"], row["counts"]) for row in rows] == [
        ("7", "0", ""),
        ("8", "1", "yes"),
    ]
    assert {"unit", "label", "reference is wrong", "correct reference", "note", "sheet"} <= set(
        rows[0]
    )
    assert rows[0]["note"] == "'=1+1"
    assert [name for name in TELLING if name in found.text] == []


def test_the_export_waits_until_its_reader_has_labelled(office: Office):
    office.join("eve", "rubric")
    found = office.person("eve").get("/adjudicate/answers.csv?draw=rubric")
    assert found.status_code == 409
    assert "units of this draw to label" in found.text
