import re
import xml.etree.ElementTree as ET
from importlib.resources import files

import altair as alt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sample_audits
from finassay.analyses.results import Audit
from finassay.reports import canvas
from finassay.reports.figures import Figure, figures
from finassay.reports.figures_ranks import slots
from finassay.reports.tables import shown_names

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def twelve() -> Audit:
    return sample_audits.made_audit()


@pytest.fixture(scope="module")
def drawn(twelve: Audit) -> dict[str, Figure]:
    return figures(twelve, shown_names(twelve))


def test_every_system_has_a_place_of_its_own_under_every_regime(twelve: Audit):
    assert twelve.regimes is not None
    for places in slots(twelve.regimes):
        assert sorted(places.values()) == list(range(12))


def test_places_follow_ranks_and_ties_are_neighbours(twelve: Audit):
    assert twelve.regimes is not None
    for places, regime in zip(slots(twelve.regimes), twelve.regimes.regimes, strict=True):
        ranks = {score.system: score.ranks.competition for score in regime.scores}
        in_order = [ranks[system] for system in sorted(places, key=places.__getitem__)]
        assert in_order == sorted(in_order)


def test_drawings_are_valid_vega_lite(drawn: dict[str, Figure]):
    for figure in drawn.values():
        spec = {key: value for key, value in figure.canvas.spec().items() if key != "$schema"}
        alt.LayerChart.from_dict(spec)


def test_drawings_are_plain_svg_with_title_and_description(drawn: dict[str, Figure]):
    for key, figure in drawn.items():
        root = ET.fromstring(figure.svg)
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert tags <= {"svg", "g", "path", "text", "line", "rect", "title", "desc"}
        assert root[0].get("id") == f"{key}-title"
        assert root[1].get("id") == f"{key}-desc"
        assert root[1].text == figure.summary


def test_the_style_sheet_knows_every_colour_of_the_figures(drawn: dict[str, Figure]):
    css = files("finassay.reports").joinpath("templates/report.css").read_text("utf-8")
    used = {
        colour
        for figure in drawn.values()
        for colour in re.findall(r'(?:fill|stroke)="(#\w+)"', figure.svg)
    }
    assert used <= set(canvas.COLOURS)
    assert all(f'[fill="{colour}"] {{ fill: var(' in css for colour in canvas.COLOURS)
    assert all(f'[stroke="{colour}"] {{ stroke: var(' in css for colour in canvas.COLOURS)


def test_an_audit_without_regimes_draws_only_its_leaderboard():
    audit = sample_audits.bare_audit()
    assert set(figures(audit, shown_names(audit))) == {"fig-leaderboard"}


@settings(deadline=None)
@given(st.text(max_size=300), st.floats(30, 400))
def test_fitted_text_fits(text: str, width: float):
    assert canvas.text_width(canvas.fitted(text, width, 12), 12) <= width
