"""Two people label in two browsers while the server is killed again and again."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from adjudication_studies import frozen, judged_study
from finassay.study import Study
from finassay.study.adjudication.draw_files import read_draw
from finassay.study.adjudication.ledger import Ledger
from finassay.study.labels import LabelStore
from finassay.study.people import People, store_for
from killable_server import KillableServer, free_port, killable_server
from postgres_server import throw_away_server

SHORT, LONG = (100, 3), (500, 10)
"""Labels of each person, and kills."""

PATIENCE_S = 3_600
"""Longest wait: this is about what is stored, and a busy machine needs its time."""
PEOPLE = ("ada", "bob")
KEYS = {"c": "CORRECT", "i": "INCORRECT", "u": "not sure"}

PRESS = """
async (n) => {
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const unit = () => document.getElementById("unit").dataset.unit;
  window.log = window.log ?? [];
  window.isDone = false;
  (async () => {
    for (let at = 0; at < n && unit(); at += 1) {
      const here = unit();
      const key = at % 7 === 6 ? "u" : "ci"[at % 2];
      window.log.push([here, key]);
      document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      while (unit() === here) await pause(4);
    }
    window.isDone = true;
  })();
}
"""
"""Presses keys in the page as fast as units come, and writes down what was pressed on what."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with throw_away_server() as url:
        yield url


@pytest.fixture(
    params=["sqlite", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.long])]
)
def labels_url(request: pytest.FixtureRequest) -> str:
    return "" if request.param == "sqlite" else str(request.getfixturevalue("server"))


def joined(context: BrowserContext, address: str, token: str, faults: list[str]) -> Page:
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.set_default_timeout(120_000)
    page.goto(f"{address}/login?next=/adjudicate")
    page.fill("input[name=token]", token)
    page.press("input[name=token]", "Enter")
    page.click("article[data-draw=first] form button")
    page.wait_for_selector("body[data-keys=on] #unit[data-unit]")
    return page


def label_all(pages: list[Page], server: KillableServer, each: int, kills: int) -> None:
    """Press keys in all pages until nothing waits, and kill the server on the way."""
    # The first few as a hand does it, the rest from within the page: that is faster.
    for page in pages:
        for key in "ci":
            here = page.get_attribute("#unit", "data-unit")
            page.evaluate("one => (window.log ??= []).push(one)", [here, key])
            page.keyboard.press(key)
            page.wait_for_function(
                "u => document.getElementById('unit').dataset.unit !== u", arg=here
            )
    for page in pages:
        page.evaluate(PRESS, each)
    due = [each * len(pages) * (at + 1) // (kills + 1) for at in range(kills)]
    end = time.monotonic() + PATIENCE_S
    while not all(page.evaluate("window.isDone") for page in pages):
        pressed = sum(page.evaluate("window.log.length") for page in pages)
        if due and pressed >= due[0]:
            del due[0]
            server.kill()
            server.start()
        assert time.monotonic() < end, f"{pressed} labels after {PATIENCE_S} s"
        pages[0].wait_for_timeout(5)
    assert not due


@pytest.mark.parametrize(
    ("each", "kills"), [SHORT, pytest.param(*LONG, marks=pytest.mark.long)], ids=["short", "long"]
)
@pytest.mark.full
@pytest.mark.browser
def test_no_label_is_lost_or_doubled_when_the_server_is_killed_again_and_again(
    tmp_path: Path, labels_url: str, browser: Browser, each: int, kills: int
):
    study = judged_study(tmp_path / "s", n=each // 2)
    draw = frozen(study, labels=each)
    with store_for(study, url=labels_url or None) as store:
        tokens = {name: People(store).add(name).token for name in PEOPLE}
    faults: list[str] = []
    with killable_server(study.root, free_port(), labels_url) as server:
        server.wait_until_up()
        contexts = [browser.new_context() for _ in PEOPLE]
        pages = [
            joined(context, server.address, tokens[name], faults)
            for context, name in zip(contexts, PEOPLE, strict=True)
        ]
        label_all(pages, server, each, kills)
        pressed = {
            name: page.evaluate("window.log") for name, page in zip(PEOPLE, pages, strict=True)
        }
        for context in contexts:
            context.close()
        assert server.kills == kills
    assert faults == []
    check_store(Study.open(study.root), draw.name, labels_url, pressed, each)


def check_store(
    study: Study,
    name: str,
    labels_url: str,
    pressed: dict[str, list[tuple[str, str]]],
    each: int,
) -> None:
    with LabelStore.of(study, url=labels_url or None) as store:
        ledger = Ledger(store, read_draw(study, name).draw_id)
        history = ledger.history()
        assigned = ledger.assignments()
        labels = store.history()
    # None lost, none doubled: one first answer for every unit of everybody, and no revision.
    assert len(history) == len(labels) == each * len(PEOPLE)
    assert {one.revision for one in history} == {one.revision for one in labels} == {0}
    for person in PEOPLE:
        theirs = sorted(
            (one for one in history if one.answer.annotator == person), key=lambda one: one.at
        )
        order = [one.answer.unit_id for one in theirs]
        # Order kept: shown, pressed and stored in the order of the queue, with the key's label.
        assert tuple(order) == assigned[person, "label"]
        assert order == [unit for unit, _ in pressed[person]]
        assert [one.answer.label for one in theirs] == [KEYS[key] for _, key in pressed[person]]
