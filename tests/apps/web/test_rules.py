"""The page about rules and its API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from lxml import html

import web_boards
from finassay.analyses.multiverse.from_study import multiverse_of_study
from finassay.analyses.results_multiverse import MultiverseResult
from finassay.apps.web.app import create_app
from finassay.apps.web.settings import WebSettings
from finassay.scorers.registry import from_spec, scorer_id_of
from finassay.study import Study


@pytest.fixture(scope="module")
def boards_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rules") / "study"
    web_boards.board_study(path)
    return path


@pytest.fixture(scope="module")
def boards(boards_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(WebSettings(study=boards_path, patience_s=60))) as opened:
        yield opened


@pytest.fixture(scope="module")
def every_rule(boards: TestClient, boards_path: Path) -> MultiverseResult:
    first = boards.get("/rules")
    assert first.status_code == 200
    page = html.fromstring(first.text)
    # The page answers at once, says how far it is, and asks again by itself.
    assert page.xpath("//*[@id='multiverse']")[0].get("hx-get") == "/rules"
    assert "being marked under every rule" in first.text
    assert page.xpath("//section[@id='specs']")
    assert boards.get("/api/multiverse").status_code == 200
    return multiverse_of_study(Study.open(boards_path).snapshot())


def test_the_api_returns_what_the_library_computes(
    boards: TestClient, every_rule: MultiverseResult
):
    body = boards.get("/api/multiverse").json()
    assert body["n_rules"] == every_rule.n_rules
    assert [row["system"] for row in body["ranges"]] == [one.system for one in every_rule.ranges]
    assert body["accuracy"] == [list(row) for row in every_rule.accuracy]


def test_the_page_shows_every_chart_with_its_numbers(
    boards: TestClient, every_rule: MultiverseResult
):
    page = html.fromstring(boards.get("/rules").text)
    assert page.xpath("//figure/@id") == ["curve", "rank-intervals", "effects", "reachable"]
    for name in page.xpath("//figure/@id"):
        spec = json.loads(page.get_element_by_id(f"{name}-spec").text)
        assert spec == boards.get(f"/api/charts/{name}").json()["spec"]
    assert not page.xpath("//*[@id='multiverse']/@hx-get")
    facts = dict(
        zip(
            (one.text for one in page.xpath("//*[@id='multiverse']//dt")),
            (one.text for one in page.xpath("//*[@id='multiverse']//dd")),
            strict=True,
        )
    )
    assert facts["Rules"] == f"{every_rule.n_rules:,}"


def test_no_two_elements_of_the_page_share_an_id(boards: TestClient, every_rule: MultiverseResult):
    for path in ("/rules", "/"):
        ids = html.fromstring(boards.get(path).text).xpath("//@id")
        assert sorted(ids) == sorted(set(ids))


def test_every_place_on_the_page_that_a_link_names_is_there(
    boards: TestClient, every_rule: MultiverseResult
):
    page = html.fromstring(boards.get("/rules").text)
    ids = set(page.xpath("//@id"))
    named = {link[1:] for link in page.xpath("//main//a/@href") if link.startswith("#")}
    other = html.fromstring(boards.get("/").text)
    named |= {
        link.partition("#")[2]
        for link in other.xpath("//main//a/@href")
        if link.startswith("/rules#")
    }
    assert named
    assert named <= ids


def test_every_spec_makes_the_rule_that_it_stands_beside(boards: TestClient):
    rules = boards.get("/api/rules").json()
    kinds = {row["scorer_id"]: row["kind"] for row in rules}
    assert kinds[web_boards.JUDGE] == "judge"
    assert kinds["regime/judge-only"] == "regime"
    computed = [row for row in rules if row["kind"] == "rule"]
    assert {row["scorer_id"] for row in computed} == set(web_boards.RULES)
    for row in computed:
        assert scorer_id_of(from_spec(row["spec"])) == row["scorer_id"]
        assert row["says"]


def test_verdicts_of_a_rule_are_counted(boards: TestClient):
    rules = {row["scorer_id"]: row for row in boards.get("/api/rules").json()}
    systems = len(web_boards.SYSTEMS) - 1
    every = systems * (web_boards.N_OPEN + web_boards.N_CHOICE) + web_boards.N_READ
    assert rules["strict/numbers-first"]["n_verdicts"] == every
    assert rules[web_boards.JUDGE]["n_verdicts"] == systems * web_boards.N_OPEN


def test_findings_come_with_the_sentences_to_quote(boards: TestClient):
    body = boards.get("/api/findings").json()
    assert set(body) == {"strip", "audit", "provenance"}
    page = html.fromstring(boards.get("/").text)
    said = [one.text.strip() for one in page.xpath("//ol[@class='strip']/li")]
    assert body["strip"][0]["text"] == said[0]
    severities = [one["severity"] for one in body["audit"]]
    order = ["high", "medium", "low", "note"]
    assert severities == sorted(severities, key=order.index)


def test_a_chart_without_numbers_is_not_found(tmp_path: Path):
    web_boards.board_study(tmp_path / "study", judged=False)
    with TestClient(create_app(WebSettings(study=tmp_path / "study", patience_s=60))) as client:
        answer = client.get("/api/charts/ranks")
    assert answer.status_code == 404
    assert "no numbers for the chart 'ranks'" in answer.json()["error"]["message"]
