"""The leaderboard page and its API: the same numbers as the library, sorted, filtered, saved."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient
from lxml import html

import web_boards
from finassay.analyses.results_audit import Audit
from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings
from finassay.reports.workflow import AuditSettings, audit_marked
from finassay.study import Study


@pytest.fixture(scope="module")
def boards_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("boards") / "study"
    web_boards.board_study(path)
    return path


@pytest.fixture(scope="module")
def boards(boards_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(WebSettings(study=boards_path, patience_s=60))) as opened:
        yield opened


@pytest.fixture(scope="module")
def audit(boards_path: Path) -> Audit:
    study = Study.open(boards_path)
    return audit_marked(study, study.snapshot(), AuditSettings())


def page_of(client: TestClient, query: str = "") -> html.HtmlElement:
    answer = client.get(f"/{query}")
    assert answer.status_code == 200, answer.text
    return html.fromstring(answer.text)


def cells(page: html.HtmlElement) -> list[list[str]]:
    """Return the texts of the rows of the leaderboard."""
    rows = page.xpath("//*[@id='t-leaderboard']//tbody/tr")
    return [[cell.text_content().strip() for cell in row.xpath("./th|./td")] for row in rows]


def column(page: html.HtmlElement, heading: str) -> list[str]:
    heads = [
        head.text_content().strip() for head in page.xpath("//*[@id='t-leaderboard']//thead//th")
    ]
    return [row[heads.index(heading)] for row in cells(page)]


def test_the_first_page_is_the_first_regime_of_the_audit(boards: TestClient, audit: Audit):
    expected = audit.regime_leaderboards[0]
    page = page_of(boards)
    assert "Systems under strict" in page.xpath("//h2[@id='board-h']")[0].text_content()
    shown = dict(zip(column(page, "System"), column(page, "Right / n"), strict=True))
    for row in expected.rows:
        name = f"{row.system} (baseline)" if row.kind == "baseline" else row.system
        assert shown[name] == f"{row.estimate.total:.0f}/{row.estimate.n}"


@pytest.mark.parametrize("at", [0, 1, 2])
def test_ranks_and_intervals_are_those_of_the_audit(boards: TestClient, audit: Audit, at: int):
    expected = audit.regime_leaderboards[at]
    page = page_of(boards, f"?regime={expected.rule}")
    assert column(page, "Rank")[: len(expected.rows)] == [
        str(row.ranks.competition) if row.ranks else "—¹" for row in expected.rows
    ]
    assert column(page, "95% interval")[: len(expected.rows)] == [
        f"{100 * (row.estimate.low or 0):.1f}–{100 * (row.estimate.high or 0):.1f}"
        for row in expected.rows
    ]


def test_a_task_counts_the_verdicts_of_its_items_alone(boards: TestClient, boards_path: Path):
    verdicts = (
        Study.open(boards_path)
        .snapshot()
        .frame("verdicts", scorer_id="regime/judge-only")
        .to_dicts()
    )
    ids = {spec.system_id: spec.name for spec in Study.open(boards_path).snapshot().systems()}
    right: dict[str, Fraction] = {}
    for row in verdicts:
        if row["item_id"].startswith("CON"):
            name = ids[row["system_id"]]
            right[name] = right.get(name, Fraction(0)) + Fraction(row["value"] or 0)
    body = boards.get("/api/leaderboard?regime=judge-only&task=CON").json()
    found = {
        row["system"]: row["score"]["right"]
        for row in body["rows"]
        if row["kind"] in {"model", "baseline"}
    }
    assert found == {name: float(right[name]) for name in found}
    assert body["n_items"] == web_boards.N_CHOICE
    assert len(found) == 5


def test_people_and_the_floor_stand_below_with_their_own_denominator(boards: TestClient):
    body = boards.get("/api/leaderboard").json()
    rows = {row["kind"]: row for row in body["rows"]}
    assert rows["person"]["system"] == "reader"
    assert rows["person"]["score"]["n"] == web_boards.N_READ
    assert rows["person"]["rank"] is None
    floor = dict(rows["floor"]["per_task"])
    # References of the task run Yes, No, No, ..., so "No" is six of ten.
    assert (floor["CON"]["right"], floor["CON"]["n"]) == (6.0, 10)
    assert rows["floor"]["score"] is None


@pytest.mark.parametrize(
    ("query", "heading", "descending"),
    [
        ("?sort=accuracy", "Accuracy, %", True),
        ("?sort=accuracy&order=asc", "Accuracy, %", False),
        ("?sort=task:NUM", "NUM", True),
        ("?sort=macro&order=asc", "Macro, %", False),
    ],
)
def test_a_column_sorts_by_its_numbers(
    boards: TestClient, query: str, heading: str, *, descending: bool
):
    page = page_of(boards, query)
    values = [float(text.partition("–")[0]) for text in column(page, heading)[:5]]
    assert values == sorted(values, reverse=descending)
    head = page.xpath("//*[@id='t-leaderboard']//th[@aria-sort]")
    assert [one.text_content().strip() for one in head] == [heading]
    assert head[0].get("aria-sort") == ("descending" if descending else "ascending")


def test_the_head_of_the_sorted_column_turns_the_order_round(boards: TestClient):
    page = page_of(boards, "?sort=accuracy&regime=judge-only")
    address = page.xpath("//th[@aria-sort]/a")[0].get("href")
    assert parse_qs(urlsplit(address).query) == {
        "sort": ["accuracy"],
        "order": ["asc"],
        "regime": ["judge-only"],
    }


def test_every_link_of_the_page_that_stays_on_it_answers(boards: TestClient):
    page = page_of(boards, "?regime=strict&kind=model")
    links = {link for link in page.xpath("//main//a/@href") if link.startswith("/?")}
    assert len(links) > 15
    for link in sorted(links):
        assert boards.get(link).status_code == 200, link


def test_a_filter_by_kind_and_name_keeps_references(boards: TestClient):
    page = page_of(boards, "?kind=baseline")
    assert [row[0] for row in cells(page)] == [
        "always yes (baseline)",
        "reader (person)",
        "Majority floor",
    ]
    page = page_of(boards, "?name=ALPH")
    assert cells(page)[0][0] == "alpha"


def test_a_filter_that_nothing_fits_says_so(boards: TestClient):
    assert "No system fits the filter." in boards.get("/?name=nobody").text


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("?regime=nonsense", 404, "no regime or rule"),
        ("?task=nonsense", 404, "no task"),
        ("?sort=nonsense", 400, "`sort` must be one of"),
        ("?order=up", 422, "order"),
        (f"?name={'x' * 201}", 422, "200"),
    ],
)
def test_what_does_not_exist_is_refused_with_words(
    boards: TestClient, query: str, status: int, said: str
):
    for path in ("/", "/api/leaderboard"):
        answer = boards.get(f"{path}{query}")
        assert answer.status_code == status
        assert said in html.fromstring(f"<p>{answer.text}</p>").text_content()


def test_hostile_names_are_shown_and_do_nothing(boards: TestClient):
    text = boards.get("/", params={"name": '"><img src=x onerror=alert(1)>'}).text
    assert "<img" not in text
    answer = boards.get("/").text
    assert web_boards.SCRIPT not in answer
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in answer


def test_names_asked_for_do_not_stay_in_memory(boards: TestClient):
    boards.get("/")
    desk = boards.app.state.desk  # type: ignore[attr-defined]
    before = len(desk._results)
    for number in range(20):
        boards.get(f"/?regime=guess{number}")
        boards.get(f"/?task=guess{number}")
    assert len(desk._results) == before


@pytest.mark.parametrize("query", ["", "?regime=judge-only&sort=task:NUM&order=asc&kind=model"])
def test_files_hold_exactly_what_the_page_shows(boards: TestClient, query: str):
    page = page_of(boards, query)
    shown = [name.removesuffix(" (baseline)") for name in column(page, "System")]
    links = {
        link.text_content(): (link.get("href"), link.get("download"))
        for link in page.xpath("//*[contains(@class, 'downloads')]/a")
    }
    assert sorted(links) == ["CSV", "JSON", "LaTeX"]
    table = boards.get(links["CSV"][0])
    rows = list(csv.DictReader(io.StringIO(table.text)))
    assert [row["system"].removeprefix("'") for row in rows] == [
        name.removesuffix(" (person)") for name in shown
    ]
    body = boards.get(links["JSON"][0]).json()
    assert [row["shown"] for row in body["rows"]] == [
        name.removesuffix(" (person)") for name in shown
    ]
    tex = boards.get(links["LaTeX"][0]).text
    assert tex.count("\\\\\n") == len(shown) + 1
    assert table.headers["content-disposition"] == f'attachment; filename="{links["CSV"][1]}"'
    assert links["CSV"][1].startswith("boards_tables-leaderboard-")


def test_no_cell_of_the_csv_begins_a_formula(boards: TestClient):
    rows = list(csv.reader(io.StringIO(boards.get("/api/leaderboard?format=csv").text)))
    cells = [cell for row in rows for cell in row]
    assert f"'{web_boards.FORMULA}" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "\t", "\r"))]


def test_the_api_describes_what_it_returns(boards: TestClient):
    described = boards.get("/api/openapi.json").json()
    schemas = described["components"]["schemas"]
    assert "Standing" in schemas
    body = boards.get("/api/leaderboard").json()
    assert set(schemas["Standings"]["required"]) <= set(body)


def test_the_accuracy_chart_of_the_api_is_the_one_of_the_page(boards: TestClient):
    body = boards.get("/api/charts/accuracy?regime=judge-only").json()
    assert body["title"] == "Accuracy under judge-only"
    page = page_of(boards, "?regime=judge-only")
    assert page.xpath("//figure[@id='accuracy']//p[@class='summary']")[0].text == body["summary"]


@pytest.mark.parametrize("name", ["nonsense", "..%2F..%2Fetc%2Fpasswd"])
def test_a_chart_that_does_not_exist_is_refused(boards: TestClient, name: str):
    assert boards.get(f"/api/charts/{name}").status_code in {404, 422}


def test_a_study_without_verdicts_is_told_what_to_do(tmp_path: Path):
    Study.create(tmp_path / "empty", name="empty")
    with TestClient(create_app(WebSettings(study=tmp_path / "empty", patience_s=60))) as client:
        answer = client.get("/api/leaderboard")
    assert answer.status_code == 409
    assert "finassay score" in answer.json()["error"]["message"]


def test_a_reader_who_has_the_page_open_gets_ranks_over_rules(boards: TestClient):
    assert "computes them" in boards.get("/").text
    answer = boards.get("/", headers={"hx-request": "true"})
    assert "being computed" in answer.text
    found = boards.get("/api/multiverse").json()
    page = page_of(boards)
    spans = {row["system"]: row["rule_rank"] for row in found["ranges"]}
    shown = dict(zip(column(page, "System"), column(page, "By rule"), strict=True))
    for system, ends in spans.items():
        low, high = (int(ends["low"]), int(ends["high"]))
        name = "always yes (baseline)" if system == "always yes" else system
        assert shown[name] == (str(low) if low == high else f"{low}–{high}")
