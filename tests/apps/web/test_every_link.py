"""Every link of every page, followed: it answers, and without texts nothing of any text is told."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from posixpath import join, normpath
from urllib.parse import unquote, unquote_plus, urldefrag

import pytest
from fastapi.testclient import TestClient

from finassay.apps.web import boards, guards
from finassay.apps.web.app import create_app
from finassay.apps.web.desk import Desk, NeedsMoreError
from finassay.apps.web.settings import WebSettings
from finassay.apps.web.static_site import SiteOptions, export_site
from finassay.records import Item, Prediction, RunRecord, SystemSpec
from finassay.reports.workflow import AuditSettings, audit_study
from finassay.study import Study
from finassay.study.rows import predictions_frame
from web_clients import log_in, token_of
from web_crawl import Visited, crawl
from web_page_checks import read_page

GOOD = {200, 303, 307}

API = (
    *("leaderboard", "rules", "multiverse", "findings", "items", "example", "difficulty"),
    *("compare", "judges", "operations", "ask", "health", "rag?question=fee"),
    *(f"charts/{name}" for name in ("accuracy", "ranks", "reachable", "curve", "effects")),
    *("leaderboard?format=csv", "leaderboard?format=tex"),
)

LONG = "n" * 500
IDS = (
    *("../x", "a/b", "%2e%2e", "..", ".", "/", "\\", "😀", "a b", "a?b=c&d#e", "+", "%", "-"),
    *("X", "x", "é", "e\u0301", "  padded  ", LONG, f"{LONG}m", "con", "a\tb"),
)
SYSTEMS = ("Alpha", "alpha", "../alpha", "a/b", "%2e%2e", "😀 b", f"{LONG}s", f"{LONG}t", "a&b=c#d")
FAMILIES = ("open/../x", f"{LONG}f", "a&b")


def made(path: Path, systems: tuple[str, ...], items: list[Item], *, mark: str = "") -> Path:
    """A marked study in which every system answers every item, most of them right."""
    study = Study.create(path, name=f"odd {LONG}/../\"'é")
    study.add_items(items, benchmark="terms")
    for at, name in enumerate(systems):
        system, run = SystemSpec(name=name, model=name), f"run-{at}"
        study.add_system(system)
        study.add_run(RunRecord(run_id=run, system_id=system.system_id))
        rows = predictions_frame(
            Prediction(
                item_id=item.item_id,
                system_id=system.system_id,
                text=f"{n + 1 + (n + at) % 3} rupees" + (f" {mark}reply{at}x{n}" if mark else ""),
                reasoning=f"{mark}thought{at}x{n}" if mark else None,
                run_id=run,
            )
            for n, item in enumerate(items)
        )
        study.commit("predictions", rows, partition={"system_id": system.system_id, "run_id": run})
    audit_study(study, AuditSettings(scorers=("strict/numbers-first", "includes")))
    return path


def item(name: str, n: int, **more: object) -> Item:
    family = FAMILIES[n % 3]
    told = {
        "question": f"What is fee {n}?",
        "context": "A fee.",
        "reference": f"{n + 1} rupees",
        "family": family,
        "task": family,
        "difficulty": ("easy", "hard")[n % 2],
    }
    return Item(item_id=name, **told | more)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    items = [item(name, n) for n, name in enumerate(IDS)]
    return made(tmp_path_factory.mktemp("odd") / "s", SYSTEMS, items)


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "REQUESTS", 1_000_000)


@contextmanager
def client_of(study: Path, *, no_text: bool = False, who: str = "") -> Iterator[TestClient]:
    settings = WebSettings(study=study, patience_s=60, no_text=no_text)
    with TestClient(create_app(settings), follow_redirects=False) as opened:
        if who:
            log_in(opened, token_of(study, who, "label", "review", "submit"))
        yield opened


def refused(found: dict[str, Visited]) -> dict[str, tuple[int, str]]:
    return {url: (one.status, one.found_on) for url, one in found.items() if one.status not in GOOD}


def test_no_page_of_a_study_with_odd_names_leads_to_one_that_does_not_answer(
    odd: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards, "FEW", 0)
    with client_of(odd) as client:
        found = crawl(client, a_kind=1, but=("/rules?start=true",))
    assert refused(found) == {}
    assert len(found) > 40


def test_every_item_and_every_system_has_its_own_page_whatever_its_name(odd: Path) -> None:
    with client_of(odd) as client:
        listed = client.get("/items").text
        linked = {unquote_plus(one) for one in re.findall(r'href="/item\?id=([^"&]*)', listed)}
        assert linked == set(IDS)
        for name in IDS:
            told = client.get("/api/item", params={"id": name}).json()
            assert told["item"]["item_id"] == name
            assert client.get("/item", params={"id": name}).status_code == 200
        for name in SYSTEMS:
            assert client.get("/difficulty", params={"system": name}).status_code == 200
            reason = client.get("/why", params={"id": "a/b", "system": name})
            assert reason.status_code == 200


@pytest.mark.long
def test_no_page_of_the_demonstration_leads_to_one_that_does_not_answer(
    own_study: Path,
) -> None:
    with client_of(own_study, who="eve") as client:
        assert refused(crawl(client, a_kind=40)) == {}


@pytest.mark.full
def test_no_kind_of_link_of_the_demonstration_leads_nowhere(client: TestClient) -> None:
    found = crawl(client, a_kind=1)
    assert refused(found) == {}
    assert {url.partition("?")[0] for url in found} >= {"/", "/rules", "/item", "/why", "/compare"}


@pytest.mark.full
def test_a_site_of_odd_names_stays_in_its_folder_and_every_link_leads_to_a_file(
    odd: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def none(_self: object) -> None:
        raise NeedsMoreError("not tried here")

    monkeypatch.setattr(Desk, "multiverse", none)
    site = tmp_path / "within" / "site"
    export_site(odd, site, SiteOptions())
    assert [path.name for path in tmp_path.iterdir()] == ["within"]
    assert [path.name for path in site.parent.iterdir()] == ["site"]
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    # File systems that do not tell letters of two cases apart would keep one of two such files.
    assert len({name.casefold() for name in files}) == len(files)
    assert not [name for name in files if not re.fullmatch(r"[A-Za-z0-9_./-]{1,180}", name)]
    pages = {name: read_page((site / name).read_text()) for name in files if name.endswith(".html")}
    assert len([name for name in pages if name.startswith("item/")]) >= len(IDS)
    for name, read in pages.items():
        for link in read.links():
            way = urldefrag(link).url
            target = normpath(join(name, "..", unquote(way))) if way else name
            assert target in files, f"{name} leads to {link!r}"


SECRET = "zqvx"
"""Begins every text of a study whose texts must not be told."""


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    items = [
        item(
            f"i{n}",
            n,
            question=f"{SECRET}question{n} What fee?",
            context=f"{SECRET}passage{n} A fee of {n} rupees.",
            reference=f"{n + 1} rupees {SECRET}reference{n}",
            alternatives=(f"{SECRET}other{n}",),
        )
        for n in range(4)
    ]
    return made(tmp_path_factory.mktemp("secret") / "s", ("a", "b", "c"), items, mark=SECRET)


def test_without_texts_no_page_and_no_answer_of_the_api_tells_any(secret: Path) -> None:
    told = [f"/api/{name}" for name in API]
    told += [f"/api/item?id=i{n}" for n in range(4)] + ["/api/items/i0", "/api/openapi.json"]
    told += ["/items?q=fee", f"/api/items?q={SECRET}question1", "/items?order=disagreement"]
    with client_of(secret, no_text=True, who="eve") as client:
        found = crawl(client, "/", *told, a_kind=1)
    assert not any(one.status >= 500 for one in found.values())
    assert len(found) > 50
    # What was asked for comes back in the message that refuses it.
    leaks = {
        url: re.findall(rf"{SECRET}\w+", one.text)
        for url, one in found.items()
        if SECRET in one.text and SECRET not in url
    }
    assert leaks == {}


def test_with_texts_the_same_walk_meets_every_kind_of_text(secret: Path, tmp_path: Path) -> None:
    shutil.copytree(secret, tmp_path / "s")
    with client_of(tmp_path / "s") as client:
        found = crawl(client, "/items", "/api/item?id=i0", a_kind=1, but=("/rules",))
    shown = "\n".join(one.text for one in found.values())
    for kind in ("question", "passage", "reference", "other", "reply", "thought"):
        assert f"{SECRET}{kind}" in shown, kind


HOSTILE = (
    'a"; filename="evil.exe',
    "a\r\nSet-Cookie: taken=1",
    "é😀\u202egpj.exe",
    "x" * 300,
    "../../etc/passwd",
    "..",
    "a;b=c",
)


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    items = [
        item(f"i{n}", n, family=HOSTILE[n % len(HOSTILE)].replace("\r\n", " "))
        for n in range(2 * len(HOSTILE))
    ]
    return made(tmp_path_factory.mktemp("named") / "s", ("a", "b"), items)


def test_names_of_files_to_save_are_plain_whatever_was_asked_for(named: Path) -> None:
    plain = re.compile(r'attachment; filename="[A-Za-z0-9][A-Za-z0-9._-]{0,124}\.(?:csv|tex)"')
    with client_of(named, who="eve") as client:
        tasks = client.get("/api/leaderboard").json()["tasks"]
        asked = [{"task": task, "format": form} for task in tasks for form in ("csv", "tex")]
        asked += [{"regime": name, "format": "csv"} for name in HOSTILE]
        asked += [{"format": name} for name in HOSTILE]
        answers = [client.get("/api/leaderboard", params=one) for one in asked]
        answers += [client.get("/adjudicate/answers.csv", params={"draw": n}) for n in HOSTILE]
    saved = [one.headers["content-disposition"] for one in answers if one.status_code == 200]
    assert len(saved) == 2 * len(tasks) >= 12
    assert not [name for name in saved if not plain.fullmatch(name)]
    for one in answers:
        assert "set-cookie" not in one.headers
        assert one.status_code in {200, 404, 422}
