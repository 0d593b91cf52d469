"""Pages about judges, operations and asking: the numbers of the library, and what is missing."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page

from ask_studies import ask_study_at
from finassay.analyses.results import to_jsonable
from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings
from finassay.benchmarks.finriskatlas import SOURCE, load_finriskatlas
from finassay.reports.ask_workflow import AskRequest, ask_study
from finassay.reports.operations_workflow import operations_in
from finassay.reports.workflow import AuditSettings, audit_marked
from finassay.runs.importers.reported import commit_reported
from finassay.study import Study
from import_tables import twelve_items
from judged_samples import JUDGE, study_at

Serve = Callable[..., AbstractContextManager[str]]


def shown(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", page))


def opened(study: Path, **more: bool) -> TestClient:
    app = create_app(WebSettings(study=study, patience_s=100, **more))
    return TestClient(app, base_url="http://127.0.0.1")


def specs(page: str) -> dict[str, dict[str, object]]:
    """The specifications of the charts of a page, by key."""
    found = re.findall(r'<script type="application/json" id="([^"]+)-spec">(.*?)</script>', page)
    return {key: json.loads(text) for key, text in found}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return study_at(tmp_path_factory.mktemp("judged") / "study").root


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    study = ask_study_at(tmp_path_factory.mktemp("asking") / "study")
    ask_study(study, AskRequest())
    return study.root


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of nothing but the published scores of operations."""
    study = Study.create(tmp_path_factory.mktemp("printed") / "study", name="printed")
    for name, scores in load_finriskatlas().items():
        commit_reported(study, list(scores), source=SOURCE, table=name)
    return study.root


@pytest.fixture(scope="module")
def client(judged: Path) -> Iterator[TestClient]:
    with opened(judged) as made:
        yield made


def test_a_judge_that_fails_calibration_is_said_first(client: TestClient, judged: Path):
    page = client.get("/judges").text
    study = Study.open(judged)
    audit = audit_marked(study, study.snapshot(), AuditSettings())
    assert audit.judges is not None
    order = {"fails": 0, "not_calibrated": 1, "undetermined": 2, "open": 3, "passes": 4}
    standings = [order[one.standing] for one in audit.judges.judges if not one.identity.is_control]
    strip = re.findall(r"<li>(.*?)</li>", page.partition('class="strip"')[2].partition("</ol>")[0])
    assert len(strip) == len(standings)
    words = ("fails calibration", "not calibrated", "undetermined", "open", "passes")
    told = [next(at for at, word in enumerate(words) if word in line) for line in strip]
    assert told == sorted(standings)


def test_judges_as_json_are_those_of_the_audit(client: TestClient, judged: Path):
    study = Study.open(judged)
    audit = audit_marked(study, study.snapshot(), AuditSettings())
    told = client.get("/api/judges").json()
    assert told["judges"] == json.loads(json.dumps(to_jsonable(audit.judges)))
    assert {one["identity"]["scorer_id"] for one in told["judges"]["judges"]} >= {JUDGE}


def test_the_page_of_judges_draws_kappa_and_the_bound(client: TestClient):
    assert "judge-kappa" in specs(client.get("/judges").text)


def test_a_study_without_judges_says_what_to_run(asking: Path):
    with opened(asking) as client:
        page = shown(client.get("/judges").text)
        assert "No judge has marked the replies of this study." in page
        assert "finassay judge" in page
        assert client.get("/api/judges").json()["judges"] is None


def test_operations_are_those_of_the_library(printed: Path):
    with opened(printed) as client:
        told = client.get("/api/operations").json()
        page = client.get("/operations").text
    found = operations_in(Study.open(printed).snapshot())
    assert told == json.loads(json.dumps(to_jsonable(found)))
    regret = {row["operation"]: row["regret"][0] for row in told["operations"]}
    # The published table: 18.01 points of information extraction, none of institution matching.
    assert regret["information_extraction"] == pytest.approx(18.01)
    assert regret["institution_matching"] == 0
    assert {"fig-profiles", "fig-regret", "fig-correlations"} <= set(specs(page))


def test_a_study_without_knowledge_families_says_what_is_missing(judged: Path):
    with opened(judged) as client:
        page = client.get("/operations")
        told = client.get("/api/operations")
    assert page.status_code == 200
    assert "selection needs knowledge families and operations" in shown(page.text)
    assert 'name="knowledge"' in page.text
    # As where `/api/ask` lacks states: the request is right, and the study says too little.
    assert told.status_code == 409
    assert "knowledge: `?knowledge=FAMILY`" in told.json()["error"]["message"]
    assert "--knowledge" not in page.text + told.text
    assert str(judged) not in page.text + told.text


def test_a_choice_that_is_none_is_the_requests_fault_and_a_missing_one_the_studys(judged: Path):
    with opened(judged) as client:
        codes = {
            path: client.get(path).status_code
            for path in (
                *("/api/operations", "/api/ask", "/api/multiverse"),
                *("/api/operations?knowledge=none", "/api/compare?a=none&b=neither"),
            )
        }
    assert codes["/api/operations"] == codes["/api/ask"] == 409
    assert codes["/api/operations?knowledge=none"] == 400
    assert codes["/api/compare?a=none&b=neither"] == 404


def test_a_study_without_anything_says_what_operations_need(tmp_path: Path):
    with opened(Study.create(tmp_path / "study").root) as client:
        told = client.get("/api/operations")
        compared = client.get("/api/multiverse")
    assert told.status_code == compared.status_code == 409
    assert "the study holds neither verdicts nor printed scores" in told.text
    assert "the study holds no items; import some first" in compared.text


def test_asking_is_that_of_the_library(asking: Path):
    with opened(asking) as client:
        told = client.get("/api/ask").json()
        page = client.get("/ask").text
    report, _ = ask_study(Study.open(asking), AskRequest())
    assert told == json.loads(json.dumps(to_jsonable(report)))
    assert "fig-ask-recall" in specs(page)


def test_cases_show_what_was_hidden_and_what_was_said(asking: Path):
    with opened(asking) as client:
        page = shown(client.get("/ask").text)
        beyond = shown(client.get("/ask", params={"page": 99}).text)
    assert "Seen." in page
    assert "Lease of warehouse number" in page
    assert "Seen." in beyond


def test_no_case_is_shown_on_a_server_without_texts(asking: Path):
    with opened(asking, no_text=True) as client:
        page = client.get("/ask").text
    assert "Seen." not in page
    assert "warehouse" not in page


def test_a_study_without_states_says_where_there_are_some(client: TestClient, judged: Path):
    page = client.get("/ask")
    told = client.get("/api/ask")
    assert page.status_code == 200
    assert "demo-study-ask" in page.text
    assert told.status_code == 409
    assert str(judged) not in page.text + told.text


def test_a_study_of_items_alone_is_shown_too(tmp_path: Path):
    with opened(twelve_items(tmp_path / "study").root) as client:
        for path in ("/operations", "/ask", "/ask-the-rules"):
            assert client.get(path).status_code == 200


@pytest.mark.browser
@pytest.mark.full
@pytest.mark.parametrize(
    ("kind", "path", "charts"),
    [("judged", "/judges", 1), ("printed", "/operations", 3), ("asking", "/ask", 1)],
)
def test_charts_are_drawn_in_a_browser(
    kind: str, path: str, charts: int, request: pytest.FixtureRequest, page: Page, serve: Serve
):
    with serve(request.getfixturevalue(kind)) as address:
        page.goto(f"{address}{path}")
        figures = page.locator("figure.chart")
        assert figures.count() >= charts
        for at in range(figures.count()):
            figures.nth(at).scroll_into_view_if_needed()
            figures.nth(at).locator("svg, canvas").first.wait_for(timeout=30_000)
