"""Labelling with keys, with fingers and without a script, in a real Chromium."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from finassay.study import Study
from finassay.study.adjudication.draw_files import read_draw
from finassay.study.adjudication.ledger import AnswerRevision, Ledger
from finassay.study.labels import LabelStore
from killable_server import KillableServer, free_port, killable_server
from labelling_studies import TASKS, N, study_to_label
from web_clients import token_of

pytestmark = [pytest.mark.browser, pytest.mark.full]

PEOPLE = {
    **dict.fromkeys(("keys", "hands", "plain", "mouse", "late"), ("label",)),
    "eve": ("label", "review"),
}

KEYS: dict[str, dict[str, str]] = {
    "correctness": {"c": "CORRECT", "i": "INCORRECT", "u": "not sure"},
    "pairwise": {"a": "A", "b": "B", "t": "tie"},
    "rubric": {"0": "0", "5": "5", "x": "10"},
    "reference": {"r": "RIGHT", "w": "WRONG", "u": "not sure"},
    "alignment": {"0": "0", "5": "0.5", "1": "1"},
    "reading": {"1": "high", "2": "low", "0": "names no label"},
}

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


@dataclass(frozen=True)
class Place:
    """A served study with a draw of every task."""

    server: KillableServer
    study: Study
    tokens: dict[str, str]

    def history(self, draw: str, name: str) -> list[AnswerRevision]:
        with LabelStore.of(self.study) as store:
            every = Ledger(store, read_draw(self.study, draw).draw_id).history()
        return [one for one in every if one.answer.annotator == name]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    study = study_to_label(tmp_path_factory.mktemp("browser") / "s")
    tokens = {name: token_of(study.root, name, *roles) for name, roles in PEOPLE.items()}
    with killable_server(study.root, free_port()) as server:
        server.wait_until_up()
        yield Place(server, study, tokens)


@contextmanager
def somebody(browser: Browser, place: Place, name: str, **how: object) -> Iterator[Page]:
    """Yield a page of somebody who is logged in; what the browser finds wrong fails the test."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **how})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda one: (
            faults.append(one.text)
            if one.type == "error" and "ERR_CONNECTION" not in one.text
            else None
        ),
    )
    # A server of a busy machine answers late, and late is no fault here.
    page.set_default_timeout(120_000)
    page.goto(f"{place.server.address}/login?next=/adjudicate")
    page.fill("input[name=token]", place.tokens[name])
    page.press("input[name=token]", "Enter")
    page.wait_for_selector("article.draw")
    yield page
    context.close()
    assert faults == []


def join(page: Page, draw: str) -> None:
    page.click(f"article[data-draw={draw}] form button")
    page.wait_for_selector("#unit[data-unit]")


def unit_of(page: Page) -> str | None:
    return page.get_attribute("#unit", "data-unit")


def press(page: Page, key: str) -> str:
    """Press a key and return the unit that it answered, once the next is there."""
    page.wait_for_selector("body[data-keys=on]")
    here = unit_of(page)
    assert here is not None
    # A key pressed twice at once is taken for a slip.
    page.wait_for_timeout(90)
    page.keyboard.press(key)
    page.wait_for_function("u => document.getElementById('unit').dataset.unit !== u", arg=here)
    return here


def word_of(one: AnswerRevision) -> str:
    said = one.answer
    if said.label in {"left", "right"}:
        return "A" if (said.label == "left") != said.swapped else "B"
    return said.label


@pytest.mark.parametrize("task", TASKS)
def test_one_key_a_decision_from_the_first_unit_to_the_last(
    browser: Browser, place: Place, task: str
):
    with somebody(browser, place, "keys") as page:
        join(page, task)
        keys = list(KEYS[task])
        pressed = {press(page, keys[at % 3]): KEYS[task][keys[at % 3]] for at in range(N)}
        expect(page.locator("#unit")).to_contain_text("Nothing waits for you here")
    history = place.history(task, "keys")
    assert {one.answer.unit_id: word_of(one) for one in history} == pressed
    assert [one.revision for one in history] == [0] * N


def test_notes_flags_arrows_and_going_back_need_no_mouse(browser: Browser, place: Place):
    with somebody(browser, place, "hands") as page:
        join(page, "correctness")
        first = unit_of(page)
        page.wait_for_selector("body[data-keys=on]")
        page.keyboard.press("f")
        page.keyboard.type("ci 12 percent")
        page.keyboard.press("Escape")
        page.keyboard.press("n")
        page.keyboard.type("c is a letter here")
        page.keyboard.press("Escape")
        assert press(page, "i") == first
        page.keyboard.press("z")
        page.wait_for_function("u => document.getElementById('unit').dataset.unit === u", arg=first)
        assert page.input_value("#note") == "c is a letter here"
        assert page.is_checked("#flag")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.wait_for_selector("#unit[data-outcome=revised]")
        page.keyboard.press("?")
        expect(page.locator("#help")).to_have_attribute("open", "")
        expect(page.locator("#unit")).to_have_attribute("data-place", "2")
    wrong, right = place.history("correctness", "hands")
    assert (wrong.answer.label, wrong.answer.correction) == ("INCORRECT", "ci 12 percent")
    assert (right.answer.label, right.previous) == ("CORRECT", 0)
    assert right.answer.note == "c is a letter here"


def test_a_phone_labels_with_buttons_that_a_thumb_finds(browser: Browser, place: Place):
    with somebody(browser, place, "hands", **PHONE) as page:
        join(page, "rubric")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        button = page.locator(".options button", has_text=re.compile(r"^7$"))
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
        assert box["y"] + box["height"] <= 844
        here = unit_of(page)
        button.tap()
        page.wait_for_function("u => document.getElementById('unit').dataset.unit !== u", arg=here)
    (only,) = place.history("rubric", "hands")
    assert only.answer.label == "7"


def test_without_a_script_the_same_forms_work(browser: Browser, place: Place):
    with somebody(browser, place, "plain", java_script_enabled=False) as page:
        join(page, "correctness")
        for at in range(3):
            page.locator(".options button", has_text="INCORRECT").click()
            expect(page.locator("#unit")).to_have_attribute("data-place", str(at + 2))
        page.click("#back")
        expect(page.locator("#unit")).to_contain_text("You answered INCORRECT")
    assert [one.answer.label for one in place.history("correctness", "plain")] == ["INCORRECT"] * 3


def test_a_double_click_answers_one_unit(browser: Browser, place: Place):
    with somebody(browser, place, "mouse") as page:
        join(page, "correctness")
        page.wait_for_selector("body[data-keys=on]")
        page.locator(".options button", has_text="INCORRECT").dblclick()
        page.wait_for_selector("#unit[data-recorded]")
        page.wait_for_timeout(300)
        expect(page.locator("#unit")).to_have_attribute("data-place", "2")
    assert len(place.history("correctness", "mouse")) == 1


def test_a_decision_outlives_the_server_and_the_page(browser: Browser, place: Place):
    with somebody(browser, place, "late") as page:
        join(page, "correctness")
        page.wait_for_selector("body[data-keys=on]")
        here = unit_of(page)
        place.server.kill()
        page.keyboard.press("i")
        expect(page.locator("#trouble")).to_contain_text("Your decision is kept")
        place.server.start()
        page.wait_for_function("u => document.getElementById('unit').dataset.unit !== u", arg=here)
        expect(page.locator("#trouble")).to_be_hidden()
        # Even where the page is gone before the server is back, the window still has the decision.
        here, way = unit_of(page), page.url
        place.server.kill()
        page.keyboard.press("c")
        expect(page.locator("#trouble")).to_contain_text("Your decision is kept")
        with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
            page.reload()
        place.server.start()
        place.server.wait_until_up()
        page.goto(way)
        page.wait_for_function("u => document.getElementById('unit').dataset.unit !== u", arg=here)
    labels = [one.answer.label for one in place.history("correctness", "late")]
    assert sorted(labels) == ["CORRECT", "INCORRECT"]


def test_a_reviewer_settles_a_conflict_and_sees_agreement_move(browser: Browser, place: Place):
    with somebody(browser, place, "mouse") as page:
        join(page, "reading")
        for at in range(N):
            press(page, "12"[at % 2])
    with somebody(browser, place, "eve") as page:
        page.goto(f"{place.server.address}/adjudicate/agreement?draw=reading")
        expect(page.locator("#agreed")).to_contain_text("Cohen")
        page.goto(f"{place.server.address}/adjudicate/conflicts?draw=reading")
        waiting = page.locator("dl.facts dd").first
        before = int(waiting.inner_text())
        assert before > 0
        page.wait_for_selector("body[data-keys=on]")
        page.keyboard.press("n")
        page.keyboard.type("as the text says")
        page.keyboard.press("Escape")
        page.keyboard.press("1")
        expect(waiting).to_have_text(str(before - 1))
    (settled,) = place.history("reading", "eve")
    assert (settled.answer.role, settled.answer.label) == ("resolution", "high")
    assert settled.answer.note == "as the text says"
