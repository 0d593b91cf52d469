"""A study as a site of files: whole, relative, the same each time, and without texts if asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from posixpath import join, normpath
from urllib.parse import unquote, urldefrag

import pytest
from playwright.sync_api import Browser, Page, Request

from cli_runs import apart, run
from finassay.apps.web.site import PAGES, target_of
from finassay.apps.web.static_plan import Plan, PlannedLinks
from finassay.apps.web.static_site import SiteOptions
from finassay.errors import StudyError, UsageError
from finassay.reports.workflow import AuditSettings, audit_study, demo_study
from finassay.study import Study
from study_samples import small_study
from web_page_checks import Read, read_page

UNDER = "projects/audit"
"""Path below the root of the file server, as a project's pages have one."""

WORDS = 5
"""Words in a row that would show that a text was left in."""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration under two rules; a site has pages for each."""
    path = tmp_path_factory.mktemp("published") / "study"
    audit_study(demo_study(path), AuditSettings(scorers=("strict/numbers-first", "includes")))
    return path


@pytest.fixture(scope="session")
def site(study: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration as a site, with pages of three items."""
    out = tmp_path_factory.mktemp("site") / UNDER
    ran = apart("export-site", study, "--out", out, "--max-items", "3")
    assert ran.code == 0, ran.err
    assert "items have no page: --max-items leaves them out" in ran.out
    return out


@pytest.fixture(scope="session")
def wordless(study: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same without texts, and with an address of its own."""
    out = tmp_path_factory.mktemp("wordless") / "site"
    told = ("--no-text", "--max-items", "6", "--base-url", "https://example.org/audit/")
    ran = apart("export-site", study, "--out", out, *told)
    assert ran.code == 0, ran.err
    return out


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[str, Read]:
    """Every page of the site, read."""
    return {name: read_page((site / name).read_text()) for name in listed(site)}


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Where a plain file server shows the site."""
    root = site.parents[UNDER.count("/")]
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{UNDER}"
        server.shutdown()


def listed(site: Path) -> list[str]:
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))


@pytest.mark.full
def test_every_kind_of_page_that_only_reads_is_there(site: Path) -> None:
    kinds = {name.partition("/")[0].removesuffix(".html") for name in listed(site)}
    wanted = {page.key for page in PAGES if page.is_exportable} - {"leaderboard"}
    assert kinds - {"leaderboard"} == {*wanted, "index"}


@pytest.mark.full
def test_every_link_leads_to_a_file_of_the_site_and_every_anchor_to_a_place(
    site: Path, pages: dict[str, Read]
) -> None:
    for name, read in pages.items():
        for link in read.links():
            path, anchor = urldefrag(link)
            target = normpath(join(name, "..", unquote(path))) if path else name
            assert not link.startswith(("/", "data:")), f"{name} leads to {link[:80]!r}"
            assert (site / target).is_file(), f"{name} leads to {link!r}"
            if anchor and target in pages:
                assert unquote(anchor) in pages[target].ids, f"{name} leads to {link!r}"


@pytest.mark.full
def test_nothing_in_the_site_can_run_or_write(pages: dict[str, Read]) -> None:
    for name, read in pages.items():
        assert read.faults == [], name
        assert not [tag for tag, _ in read.elements if tag == "form"], name
        policies = [told for _, told in read.elements if "http-equiv" in told]
        assert "script-src 'self'" in policies[0]["content"]


@pytest.mark.full
def test_the_list_of_the_site_names_every_file(site: Path) -> None:
    told = json.loads((site / "site.json").read_text())
    there = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert set(told["files"]) | {"site.json"} == there
    assert ".nojekyll" in there
    assert {name for name in there if name.startswith("data/")}
    about = read_page((site / "about.html").read_text())
    assert {link for link in about.links() if link.endswith(".html")} >= set(listed(site))


@pytest.mark.full
@pytest.mark.browser
def test_every_chart_is_drawn_from_a_plain_file_server(
    address: str, pages: dict[str, Read], page: Page
) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    page.set_default_timeout(120_000)
    drawn = 0
    for name in kinds_of(pages):
        answer = page.goto(f"{address}/{name}")
        assert answer is not None
        assert answer.ok
        for chart in page.locator("[data-chart]").all():
            chart.scroll_into_view_if_needed()
            chart.locator("svg").first.wait_for()
            drawn += 1
    assert drawn >= 8
    assert [url for url in asked if not url.startswith((f"{address}/", "blob:", "data:"))] == []


def kinds_of(pages: dict[str, Read]) -> list[str]:
    """Return the first two pages of each kind."""
    found: dict[str, list[str]] = {}
    for name in pages:
        found.setdefault(name.partition("/")[0], []).append(name)
    return [name for names in found.values() for name in islice(names, 2)]


@pytest.mark.full
@pytest.mark.browser
def test_a_site_can_be_walked_by_clicks(address: str, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/index.html")
    page.get_by_role("link", name="Items", exact=True).first.click()
    assert page.url == f"{address}/items.html"
    page.locator("main a[href*='item/']").first.click()
    assert "/item/" in page.url
    page.get_by_role("navigation", name="Where").get_by_role("link").click()
    assert page.url == f"{address}/items.html"
    context.close()


@pytest.mark.full
def test_without_texts_no_run_of_words_of_any_text_is_left(wordless: Path, study: Path) -> None:
    runs: set[tuple[str, ...]] = set()
    snapshot = Study.open(study).snapshot()
    for item in snapshot.items():
        for text in (item.question, item.context or "", *item.contexts):
            runs.update(runs_of(text))
    for text in snapshot.frame("predictions")["text"].to_list():
        runs.update(runs_of(text or ""))
    assert len(runs) > 5_000
    for path in sorted(path for path in wordless.rglob("*") if path.is_file()):
        if path.parent.name != "static":
            left = runs & set(runs_of(path.read_text()))
            assert not left, f"{path.name} says {sorted(left)[:3]}"


def runs_of(text: str) -> Iterator[tuple[str, ...]]:
    words = "".join(mark if mark.isalnum() else " " for mark in text.casefold()).split()
    yield from zip(*(words[at:] for at in range(WORDS)), strict=False)


@pytest.mark.full
def test_an_address_gives_every_page_its_own_and_a_list_for_search_engines(wordless: Path) -> None:
    assert (
        '<link rel="canonical" href="https://example.org/audit/rules.html">'
        in (wordless / "rules.html").read_text()
    )
    listing = (wordless / "sitemap.xml").read_text()
    for name in listed(wordless):
        assert f"<loc>https://example.org/audit/{name}</loc>" in listing


@pytest.mark.long
def test_the_same_study_gives_the_same_bytes(wordless: Path, study: Path, tmp_path: Path) -> None:
    told = ("--no-text", "--max-items", "6", "--base-url", "https://example.org/audit/")
    ran = apart("export-site", study, "--out", tmp_path / "again", *told)
    assert ran.code == 0, ran.err
    before, after = (
        json.loads((one / "site.json").read_text()) for one in (wordless, tmp_path / "again")
    )
    assert before == after


def test_a_directory_with_something_else_is_refused_before_anything_is_computed(
    tmp_path: Path,
) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    ran = run("export-site", tmp_path / "no-study", "--out", tmp_path)
    assert ran.code == 2
    assert "holds what no site put there: 'thesis.tex'" in ran.err


@pytest.mark.parametrize("base_url", ["example.org", "ftp://example.org", "https://", "/audit"])
def test_an_address_that_is_none_is_refused(base_url: str) -> None:
    with pytest.raises(UsageError, match="`base_url` must be an address"):
        SiteOptions(base_url=base_url)


def test_a_number_of_items_below_nought_is_refused() -> None:
    with pytest.raises(UsageError, match="`max_items` must be at least 0"):
        SiteOptions(max_items=-1)


def test_a_page_that_cannot_be_written_is_named_with_what_was_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_words: object, **_more: object) -> None:
        raise StudyError("table 'items' of the study is damaged: <half> a file; restore it")

    monkeypatch.setattr("finassay.apps.web.pages.items.list_items", lost)
    ran = run("export-site", small_study(tmp_path / "study").root, "--out", tmp_path / "site")
    assert ran.code != 0
    assert "the page '/items" in ran.err
    told = " ".join(ran.err.split())
    assert "answers 503, \"table 'items' of the study is damaged: <half> a file" in told
    assert "nothing was written" in told
    assert not (tmp_path / "site").exists()


def links(plan: Plan) -> PlannedLinks:
    return PlannedLinks(target_of("leaderboard", {}), is_static=True, plan=plan)


def test_a_site_follows_one_choice_at_a_time_with_page_numbers() -> None:
    made = links(Plan())
    assert made.link("items", task="a", page=2)
    assert made.link("items", order="hardest")
    assert made.link("items", task="a", order="hardest") == ""


def test_an_item_has_one_page_whatever_list_led_to_it() -> None:
    made = links(Plan())
    assert made.link("item", id="q1", task="a", order="hardest") == made.link("item", id="q1")
    assert made.link("item", id="q1", page=2) != made.link("item", id="q1")


def test_items_beyond_the_room_have_no_address_and_are_counted() -> None:
    plan = Plan(max_items=1)
    made = links(plan)
    assert made.link("item", id="q1")
    assert made.link("item", id="q2") == ""
    assert made.link("item", id="q1", page=2)
    assert plan.left_out == {"q2"}


def test_pages_for_writing_are_not_in_a_site() -> None:
    made = links(Plan())
    assert [page.key for page in PAGES if not page.is_exportable and made.link(page.key)] == []
