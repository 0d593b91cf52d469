import re
import shutil
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings
from finassay.study.adjudication.draw_files import read_draw
from finassay.study.adjudication.ledger import Ledger
from finassay.study.labels import LabelStore
from labelling_office import Office, fields, next_page
from labelling_studies import TASKS, TELLING, N


def test_whoever_is_not_logged_in_is_sent_to_the_login(office: Office):
    found = TestClient(office.app).get("/adjudicate", follow_redirects=False)
    assert (found.status_code, found.headers["location"]) == (303, "/login?next=%2Fadjudicate")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/adjudicate/label?draw=rubric", "sam"),
        ("/adjudicate/conflicts?draw=rubric", "ada"),
        ("/adjudicate/references", "ada"),
        ("/adjudicate/people?draw=rubric", "ada"),
        ("/adjudicate/answers.csv?draw=rubric", "ada"),
    ],
)
def test_pages_need_the_role_that_they_are_for(office: Office, path: str, name: str):
    found = office.person(name).get(path)
    assert found.status_code == 403
    assert "needs the role" in found.text


@pytest.mark.parametrize(
    "path",
    ["/adjudicate/join", "/adjudicate/label", "/adjudicate/open", "/adjudicate/withdraw"],
)
def test_a_form_of_another_session_changes_nothing(office: Office, path: str):
    found = office.person("eve").post(path, data={"draw": "rubric", "csrf": "0" * 64})
    assert found.status_code == 403


def test_without_the_script_the_form_leads_to_the_next_unit(office: Office):
    office.join("ada", "correctness")
    first = office.label("ada", "correctness", "CORRECT", note="plain")
    assert first.status_code == 303
    assert first.headers["location"] == "/adjudicate/label?draw=correctness"
    page = office.person("ada").get(first.headers["location"]).text
    assert f"1 of {N} answered, this is number 2" in page
    (only,) = office.history("correctness")
    assert (only.answer.label, only.answer.note, only.answer.source) == ("CORRECT", "plain", "page")


def test_the_script_gets_the_next_unit_alone_once_the_answer_is_stored(office: Office):
    office.join("ada", "rubric")
    ada = office.person("ada")
    form = fields(ada.get("/adjudicate/label?draw=rubric").text)
    found = ada.post("/adjudicate/label", data={**form, "label": "7"}, headers={"x-fragment": "u"})
    assert found.headers["x-fragment"] == "unit"
    assert found.text.lstrip().startswith('<section id="unit"')
    assert "<html" not in found.text
    assert len(office.history("rubric")) == 1


def test_a_server_without_texts_lets_nobody_label(template: tuple[Path, dict[str, str]]):
    app = create_app(WebSettings(study=template[0], no_text=True))
    header = {"authorization": f"Bearer {template[1]['ada']}"}
    with TestClient(app, headers=header) as client:
        for path in ("/adjudicate", "/adjudicate/label?draw=rubric", "/api/adjudicate/rubric/next"):
            found = client.get(path)
            assert found.status_code == 403
            assert "--no-text" in found.text


def test_a_double_click_and_a_form_sent_again_count_once(office: Office):
    office.join("ada", "rubric")
    form = fields(office.person("ada").get("/adjudicate/label?draw=rubric").text)
    for _ in range(3):
        assert office.send("ada", form, "7").status_code == 303
    assert [one.revision for one in office.history("rubric")] == [0]


def test_a_window_left_open_is_told_and_shows_what_was_said_since(office: Office):
    office.join("ada", "rubric")
    page = office.person("ada").get("/adjudicate/label?draw=rubric").text
    other = office.person("ada").get("/adjudicate/label?draw=rubric").text
    office.send("ada", fields(page), "7")
    found = office.send("ada", fields(other), "2")
    assert found.status_code == 409
    assert "You answered <strong>7</strong>" in found.text
    assert "nothing was recorded" in found.text
    assert [one.answer.label for one in office.history("rubric")] == ["7"]
    assert office.send("ada", fields(found.text), "2").status_code == 303
    assert [one.answer.label for one in office.history("rubric")] == ["7", "2"]


def test_going_back_shows_the_answer_and_keeps_it_beside_the_new_one(office: Office):
    office.join("ada", "rubric")
    office.label("ada", "rubric", "7", note="first thought")
    page = office.person("ada").get("/adjudicate/label?draw=rubric").text
    (back,) = re.findall(r'id="back" href="([^"]+)"', page)
    before = office.person("ada").get(back.replace("&amp;", "&")).text
    assert "first thought" in before
    assert 'value="7" data-key="7" aria-keyshortcuts="7"' in before
    assert office.send("ada", fields(before), "8").status_code == 303
    assert [(one.answer.label, one.previous) for one in office.history("rubric")] == [
        ("7", None),
        ("8", 0),
    ]


def test_what_is_not_on_the_menu_is_refused_in_words(office: Office):
    office.join("ada", "rubric")
    found = office.label("ada", "rubric", "11")
    assert found.status_code == 400
    assert "must be one of" in found.text
    assert office.history("rubric") == []


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/adjudicate/label?draw=nothing", 404),
        ("/adjudicate/label?draw=../x", 422),
        ("/adjudicate/label?draw=rubric&unit=u000000000000", 400),
        ("/adjudicate/label?draw=rubric&unit=x", 422),
        ("/adjudicate/conflicts?draw=rubric&unit=u000000000000", 400),
    ],
)
def test_addresses_that_lead_nowhere_are_refused(office: Office, path: str, status: int):
    assert office.person("eve").get(path).status_code == status


@pytest.mark.parametrize("task", TASKS)
def test_nothing_that_is_sent_tells_the_system_a_judge_or_others(office: Office, task: str):
    word = "ONLYBOBSAYSTHIS"
    office.join("bob", task)
    menu = re.findall(r'name="label" value="([^"]+)"', next_page(office, "bob", task))
    for at in range(N):
        office.label("bob", task, menu[at % 2], note=word)
    office.join("ada", task)
    sent = [office.person("ada").get("/adjudicate").text]
    for at in range(N):
        page = office.person("ada").get("/adjudicate/label", params={"draw": task})
        again = office.person("ada").get(
            "/adjudicate/label", params={"draw": task}, headers={"x-fragment": "u"}
        )
        api = TestClient(office.app).get(
            f"/api/adjudicate/{task}/next", headers=office.header("ada")
        )
        done = office.send("ada", fields(page.text), menu[at % 2])
        sent += [page.text, again.text, api.text, done.text, str(dict(page.headers))]
    for text in sent:
        assert [word for word in (*TELLING, word) if word in text] == []
    # "bob" stands nowhere either: neither as a name nor in an address.
    assert not any(re.search(r"\bbob\b", text) for text in sent)


def test_the_order_of_a_queue_tells_nothing_of_systems_or_judges(office: Office):
    draw = read_draw(office.study, "correctness")
    order = [draw.by_unit[unit] for unit in _order(office, "ada", "correctness")]
    systems = [unit.key.system_id for unit in order]
    verdicts = [unit.verdicts[0].value for unit in order]
    assert systems not in (sorted(systems), sorted(systems, reverse=True))
    assert verdicts != sorted(verdicts, key=str)


def _order(office: Office, name: str, draw: str) -> tuple[str, ...]:
    office.join(name, draw)
    with LabelStore.of(office.study) as store:
        ledger = Ledger(store, read_draw(office.study, draw).draw_id)
        return ledger.assignments()[name, "label"]


def test_labels_are_verdicts_when_the_server_has_ended(
    template: tuple[Path, dict[str, str]], tmp_path: Path
):
    shutil.copytree(template[0], tmp_path / "s")
    made = Office(tmp_path / "s", template[1])
    with TestClient(made.app):
        for task, label in (("correctness", "CORRECT"), ("rubric", "7"), ("pairwise", "A")):
            made.join("ada", task)
            made.label("ada", task, label)
    snapshot = made.study.snapshot()
    said = snapshot.frame("verdicts", scorer_id=["person/ada", "imported/person/ada/rubric"])
    assert sorted(said.select("scorer_id", "value").rows()) == [
        ("imported/person/ada/rubric", 0.7),
        ("person/ada", 1.0),
    ]
    assert snapshot.frame("comparisons", scorer_id="person/ada").height == 1


def test_hostile_text_is_shown_as_text(office: Office):
    office.join("ada", "correctness")
    office.label("ada", "correctness", "INCORRECT", note="<script>alert(1)</script>\u202ex")
    page = next_page(office, "ada", "correctness")
    (back,) = re.findall(r'id="back" href="([^"]+)"', page)
    before = office.person("ada").get(back.replace("&amp;", "&")).text
    assert "<script>alert" not in before
    assert "&lt;script&gt;alert(1)" in before


class TestApi:
    """The same steps for programs."""

    def test_a_program_labels_to_the_end(self, office: Office):
        client = TestClient(office.app, headers=office.header("ada"))
        joined = client.post("/api/adjudicate/correctness/join").json()
        assert joined == {"assigned": N, "answered": 0, "passed_over": 0, "waiting": N}
        at = client.get("/api/adjudicate/correctness/next").json()
        while (unit := at["unit"]) is not None:
            sent = {name: unit[name] for name in ("unit", "submission", "seen")}
            answer = {**sent, "label": unit["menu"][0]["label"]}
            done = client.post("/api/adjudicate/correctness/answers", json=answer).json()
            assert (done["outcome"], done["revision"]) == ("new", 0)
            again = client.post("/api/adjudicate/correctness/answers", json=answer).json()
            assert again["outcome"] == "repeated"
            at = done["next"]
        assert client.get("/api/adjudicate/correctness/progress").json()["waiting"] == 0
        assert len(office.history("correctness")) == N

    def test_an_answered_unit_can_be_looked_at_again(self, office: Office):
        client = TestClient(office.app, headers=office.header("ada"))
        client.post("/api/adjudicate/rubric/join")
        unit = client.get("/api/adjudicate/rubric/next").json()["unit"]
        sent = {"unit": unit["unit"], "submission": unit["submission"], "label": "7"}
        client.post("/api/adjudicate/rubric/answers", json=sent)
        again = client.get(f"/api/adjudicate/rubric/units/{unit['unit']}").json()["unit"]
        assert (again["said"]["label"], again["seen"]) == ("7", 0)

    @pytest.mark.parametrize(
        ("change", "status", "told"),
        [
            ({"label": "11"}, 400, "must be one of"),
            ({"unit": "u000000000000"}, 400, "has no unit"),
            ({"unit": "x"}, 422, "unit"),
            ({"submission": "--"}, 422, "submission"),
            ({"seen": 5}, 409, "another answer of yours"),
        ],
    )
    def test_faults_are_told_as_json(
        self, office: Office, change: dict[str, object], status: int, told: str
    ):
        client = TestClient(office.app, headers=office.header("ada"))
        client.post("/api/adjudicate/rubric/join")
        unit = client.get("/api/adjudicate/rubric/next").json()["unit"]
        sent = {"unit": unit["unit"], "submission": unit["submission"], "label": "7", **change}
        found = client.post("/api/adjudicate/rubric/answers", json=sent)
        assert found.status_code == status
        assert told in found.json()["error"]["message"]
        assert office.history("rubric") == []

    def test_a_program_without_a_token_is_refused(self, office: Office):
        found = TestClient(office.app).get("/api/adjudicate")
        assert found.status_code == 401
        assert found.json()["error"]["code"] == 401

    def test_draws_are_listed_with_the_progress_of_the_asker(self, office: Office):
        office.join("ada", "rubric")
        found = TestClient(office.app).get("/api/adjudicate", headers=office.header("ada")).json()
        known = {one["draw"]: one["progress"] and one["progress"]["waiting"] for one in found}
        assert known == dict.fromkeys(TASKS) | {"rubric": N}
