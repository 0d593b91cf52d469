import re
from html.parser import HTMLParser

import pytest

import sample_audits
from finassay.reports.html import html


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def text() -> str:
    return html(sample_audits.made_audit())


@pytest.fixture(scope="module")
def hostile() -> str:
    return html(sample_audits.made_audit(8, names=sample_audits.HOSTILE))


def test_nothing_is_loaded_from_anywhere(text: str):
    page = Page(text)
    assert not page.all("script")
    assert not page.all("img")
    assert [link["href"] for link in page.all("link")] == ["data:,"]
    assert all((a["href"] or "").startswith("#") for a in page.all("a"))
    assert "url(" not in text
    assert "default-src 'none'" in text


def test_every_link_has_a_target_and_ids_are_unique(text: str):
    ids = [attributes["id"] for _, attributes in Page(text).tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {(a["href"] or "")[1:] for a in Page(text).all("a")} <= set(ids)


def test_links_of_a_bare_audit_have_targets_too():
    page = Page(html(sample_audits.bare_audit()))
    ids = {attributes.get("id") for _, attributes in page.tags}
    assert {(a["href"] or "")[1:] for a in page.all("a")} <= ids


def test_every_sentence_of_the_strip_links_to_its_evidence(text: str):
    strip = re.search(r'<ol class="strip">(.*?)</ol>', text, flags=re.DOTALL)
    assert strip is not None
    sentences = strip.group(1).count("<li>")
    assert sentences >= 2
    assert strip.group(1).count('<a href="#s-') == sentences


def test_tables_have_captions_and_scopes(text: str):
    page = Page(text)
    assert len(page.all("caption")) == len(page.all("table"))
    assert {th.get("scope") for th in page.all("th")} == {"col", "row"}


def test_each_figure_has_a_text_alternative_and_its_numbers(text: str):
    page = Page(text)
    drawings = page.all("svg")
    assert len(drawings) == 8
    assert {svg.get("role") for svg in drawings} == {"img"}
    assert all(svg.get("aria-labelledby") for svg in drawings)
    assert text.count(" Numbers: ") == 8


def test_hostile_names_stay_text(hostile: str):
    assert not Page(hostile).all("script")
    assert not Page(hostile).all("b")
    assert "&lt;script&gt;alert" in hostile
    assert "\u202e" not in hostile
    assert "\x00" not in hostile


def test_long_names_are_shortened_apart_and_listed_whole(hostile: str):
    assert "n" * 199 + "m" in hostile
    assert 'id="t-names"' in hostile
    body = hostile[: hostile.index('id="t-names"')]
    cells = re.findall(r"<t[dh][ >].*?</t[dh]>|<text.*?</text>", body)
    assert len(cells) > 500
    assert not [cell for cell in cells if "n" * 100 in re.sub("<title>.*?</title>", "", cell)]


def test_texts_of_sources_are_left_out_on_request():
    audit = sample_audits.made_audit(3)
    assert "as printed in the paper" in html(audit)
    assert "as printed in the paper" not in html(audit, no_text=True)


@pytest.mark.full
def test_a_page_for_thirty_five_systems_stays_small():
    assert len(html(sample_audits.made_audit(35)).encode()) < 3_000_000
