import csv
import io
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx import Response

from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings
from finassay.study import Study
from finassay.study.adjudication.draw_files import read_draw
from finassay.study.adjudication.ledger import Ledger
from finassay.study.labels import LabelStore
from labelling_studies import TASKS, TELLING, N, study_to_label
from web_clients import form_token, log_in, token_of

PEOPLE = {"ada": ("label",), "bob": ("label",), "eve": ("label", "review"), "sam": ("submit",)}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    study = study_to_label(tmp_path_factory.mktemp("pages") / "s")
    return study.root, {name: token_of(study.root, name, *PEOPLE[name]) for name in PEOPLE}


class Office:
    """A server over a study of its own, and people who use it."""

    def __init__(self, root: Path, tokens: dict[str, str]) -> None:
        self.study = Study.open(root)
        self.app = create_app(WebSettings(study=root))
        self._tokens = tokens
        self._clients: dict[str, TestClient] = {}

    def person(self, name: str) -> TestClient:
        if name not in self._clients:
            self._clients[name] = TestClient(self.app)
            log_in(self._clients[name], self._tokens[name])
        return self._clients[name]

    def header(self, name: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self._tokens[name]}"}

    def post(self, name: str, path: str, **data: object) -> Response:
        client = self.person(name)
        token = form_token(client.get("/adjudicate").text)
        return client.post(path, data={"csrf": token, **data}, follow_redirects=False)

    def join(self, name: str, draw: str) -> None:
        assert self.post(name, "/adjudicate/join", draw=draw).status_code == 303

    def label(self, name: str, draw: str, label: str, **more: object) -> Response:
        """Answer the next unit of a person with the fields that its form has."""
        page = self.person(name).get("/adjudicate/label", params={"draw": draw})
        return self.send(name, fields(page.text), label, **more)

    def send(self, name: str, form: dict[str, str], label: str, **more: object) -> Response:
        sent = {**form, "label": label, **more}
        return self.person(name).post("/adjudicate/label", data=sent, follow_redirects=False)

    def history(self, draw: str) -> list:
        with LabelStore.of(self.study) as store:
            return Ledger(store, read_draw(self.study, draw).draw_id).history()


def fields(page: str) -> dict[str, str]:
    form = page[page.index("<form id=") :]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))


@pytest.fixture
def office(template: tuple[Path, dict[str, str]], tmp_path: Path) -> Iterator[Office]:
    shutil.copytree(template[0], tmp_path / "s")
    made = Office(tmp_path / "s", template[1])
    with TestClient(made.app):
        yield made


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
    menu = re.findall(r'name="label" value="([^"]+)"', _next(office, "bob", task))
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


def _next(office: Office, name: str, draw: str) -> str:
    return office.person(name).get("/adjudicate/label", params={"draw": draw}).text


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


def disagreed(office: Office, draw: str = "correctness") -> None:
    """Ada and bob answer all units of a draw, and differ on every second."""
    for name in ("ada", "bob"):
        office.join(name, draw)
    units = sorted(read_draw(office.study, draw).by_unit)
    for name in ("ada", "bob"):
        for _ in range(N):
            page = _next(office, name, draw)
            form = fields(page)
            differs = name == "bob" and units.index(form["unit"]) % 2
            office.send(name, form, "INCORRECT" if differs else "CORRECT", note=f"of {name}")


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
    page = _next(office, "ada", "rubric")
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


def test_hostile_text_is_shown_as_text(office: Office):
    office.join("ada", "correctness")
    office.label("ada", "correctness", "INCORRECT", note="<script>alert(1)</script>\u202ex")
    page = _next(office, "ada", "correctness")
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
