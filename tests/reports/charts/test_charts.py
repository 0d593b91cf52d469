"""Charts: valid, drawable, with the numbers of the results they are made from."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import altair as alt
import jsonschema
import pytest
import vl_convert

import multiverse_results
import sample_audits
from finassay.analyses.extraction.results_sweep import LabelSweep, SweepRow
from finassay.analyses.results import Audit
from finassay.analyses.rule_boards import RuleBoard
from finassay.reports.canvas import COLOURS
from finassay.reports.charts import catalogue, curve, labels, ranks
from finassay.reports.charts.chart import (
    COLOUR_VARIABLES,
    Chart,
    layer,
    pointing,
    specification,
    tip,
)
from finassay.reports.charts.scores import accuracy
from finassay.reports.standings.build import standings
from finassay.reports.standings.order import Wanted, arranged
from finassay.reports.standings.records import Standings
from finassay.reports.tables import shown_names


@cache
def audit() -> Audit:
    return sample_audits.made_audit(12, n_items=40)


@cache
def hostile() -> Audit:
    return sample_audits.made_audit(8, names=sample_audits.HOSTILE, n_items=16)


def board(made: Audit) -> Standings:
    given = RuleBoard(
        name=made.primary,
        is_regime=False,
        task="",
        board=made.leaderboard,
        ranks=made.rank_sets,
        is_primary=True,
    )
    return standings(made, given)


def sweep(*rows: SweepRow) -> LabelSweep:
    return LabelSweep(matcher="word", rows=rows, tallies=(), changing=(), arms=())


def cell(system: str, *, low: int, high: int, outcome: str) -> SweepRow:
    return SweepRow(
        task="sentiment",
        system=system,
        arm="",
        budget="",
        split="",
        answers="free",
        n=100,
        k=3,
        covered=100,
        ambiguous=high - low,
        contested=high - low,
        low=low,
        high=high,
        text_low=low,
        text_high=high,
        floor=50,
        is_stratified=False,
        outcome=outcome,  # type: ignore[arg-type]
        sub_state=None,
        rules=(),
        changes_side=False,
        certificate=(),
        digest="",
    )


CELLS = sweep(
    cell("sure", low=60, high=80, outcome="clears"),
    cell("open", low=40, high=70, outcome="undetermined"),
)


def every_chart(made: Audit) -> Iterator[Chart]:
    drawn = accuracy(board(made))
    assert drawn is not None
    yield drawn
    yield from catalogue.audit_charts(made).values()
    names = [row.system for row in made.leaderboard.rows]
    yield from catalogue.rule_charts(multiverse_results.drawn(len(names), names=names)).values()
    reached = labels.reachable(CELLS, {"sure": "sure", "open": "open"})
    assert reached is not None
    yield reached


@cache
def charts() -> dict[str, Chart]:
    return {chart.key: chart for chart in every_chart(audit())}


@cache
def validator() -> jsonschema.Draft7Validator:
    folder = Path(alt.__file__).parent / "vegalite" / "v6" / "schema"
    return jsonschema.Draft7Validator(json.loads((folder / "vega-lite-schema.json").read_text()))


KEYS = ("accuracy", "ranks", "curve", "rank-intervals", "effects", "reachable")


def test_there_is_a_chart_of_every_kind():
    assert sorted(charts()) == sorted(KEYS)


@pytest.mark.parametrize("key", KEYS)
def test_every_specification_is_valid(key: str):
    assert [error.message for error in validator().iter_errors(charts()[key].spec)] == []


@pytest.mark.parametrize("key", KEYS)
def test_every_specification_is_as_wide_as_its_place(key: str):
    assert charts()[key].spec["width"] == "container"


@pytest.mark.full
@pytest.mark.parametrize("width", [320, 1100])
@pytest.mark.parametrize("key", KEYS)
def test_every_chart_is_drawn_without_a_warning(
    key: str, width: int, capfd: pytest.CaptureFixture[str]
):
    spec = {**copy.deepcopy(dict(charts()[key].spec)), "width": width}
    drawn = vl_convert.vegalite_to_svg(spec)
    assert drawn.count("<path") > 10
    assert "NaN" not in drawn
    assert "WARN" not in capfd.readouterr().err


def strings(part: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every text of a specification with the keys that lead to it."""
    if isinstance(part, str):
        yield path, part
    elif isinstance(part, dict):
        for key, one in part.items():
            yield from strings(one, (*path, key))
    elif isinstance(part, list):
        for one in part:
            yield from strings(one, path)


@pytest.mark.parametrize("key", KEYS)
def test_every_colour_has_a_variable_that_a_dark_page_sets(key: str):
    found = {text for _, text in strings(charts()[key].spec) if text.startswith("#")}
    assert found
    assert found <= set(COLOUR_VARIABLES)
    assert set(COLOUR_VARIABLES) == set(COLOURS)


@pytest.mark.parametrize("chart", list(every_chart(hostile())), ids=lambda chart: chart.key)
def test_names_stand_in_data_only_and_never_in_an_expression(chart: Chart):
    data = {"datasets", "values", "usermeta", "sort", "domain", "description"}
    names = set(shown_names(hostile()).values())
    for path, text in strings(chart.spec):
        if not data & set(path):
            assert not any(name in text for name in names if len(name) > 3), path
    assert not {"url", "href", "loader"} & {key for path, _ in strings(chart.spec) for key in path}


@pytest.mark.parametrize("key", KEYS)
def test_the_text_alternative_holds_numbers(key: str):
    assert any(character.isdigit() for character in charts()[key].summary)
    assert charts()[key].reading.endswith((".", "!"))


@pytest.mark.parametrize("key", KEYS)
def test_the_arrow_keys_stop_at_every_row_once(key: str):
    meta = charts()[key].spec["usermeta"]
    assert isinstance(meta, dict)
    stops = [value for value, _ in meta["steps"]]
    assert len(stops) == len(set(stops)) > 0
    lit = {
        str(row["system"])
        for rows in datasets(charts()[key]).values()
        for row in rows
        if "system" in row
    }
    assert set(stops) <= lit


def datasets(chart: Chart) -> dict[str, list[dict[str, object]]]:
    found = chart.spec["datasets"]
    assert isinstance(found, dict)
    return found


def rows_with(chart: Chart, column: str) -> list[dict[str, object]]:
    return next(rows for rows in datasets(chart).values() if rows and column in rows[0])


def test_accuracy_stands_where_the_leaderboard_has_it():
    rows = {str(row["system"]): row for row in rows_with(charts()["accuracy"], "worst")}
    for row in audit().leaderboard.rows:
        assert row.ranks is not None
        drawn = rows[f"{row.ranks.competition}  {row.system}"]
        assert drawn["value"] == row.estimate.value
        assert (drawn["low"], drawn["high"]) == (row.estimate.low, row.estimate.high)
        assert drawn["of"] == f"{row.estimate.total:.0f}/{row.estimate.n}"


def test_only_what_is_ranked_is_filled():
    rows = rows_with(charts()["accuracy"], "worst")
    assert [row["kind"] for row in rows if not row["is_ranked"]] == ["reported"]


def test_the_chart_follows_the_order_and_the_filter_of_the_table():
    shown = arranged(board(audit()), Wanted(sort="system", name="llama"))
    chart = accuracy(shown)
    assert chart is not None
    names = [str(row["system"]).split("  ")[-1] for row in rows_with(chart, "worst")]
    assert names[:-1] == sorted(names[:-1], key=str.casefold)
    assert all("llama" in name.casefold() for name in names[:-1])


def test_sorting_by_a_task_draws_that_task():
    chart = accuracy(arranged(board(audit()), Wanted(sort="task:NUM")))
    assert chart is not None
    first = rows_with(chart, "worst")[0]
    best = max(dict(row.per_family)["NUM"].value or 0.0 for row in audit().leaderboard.rows)
    assert first["value"] == best
    assert "NUM" in chart.title


def test_ranks_of_the_bump_chart_are_those_of_the_comparison():
    comparison = audit().regimes
    assert comparison is not None
    rows = rows_with(charts()["ranks"], "place")
    drawn = {(row["regime"], row["system"]): row["rank"] for row in rows}
    expected = {
        (regime.regime, score.system): str(score.ranks.competition)
        for regime in comparison.regimes
        for score in regime.scores
    }
    assert drawn == expected


def test_systems_that_tie_are_joined_by_one_bar():
    comparison = audit().regimes
    assert comparison is not None
    tied = sum(
        1
        for regime in comparison.regimes
        for rank in {score.ranks.competition for score in regime.scores}
        if sum(score.ranks.competition == rank for score in regime.scores) > 1
    )
    bars = [
        row
        for row in rows_with(charts()["ranks"], "place")
        if row["upper"] != row["lower"] and row["place"] == row["upper"]
    ]
    assert len(bars) == tied > 0


def test_one_regime_makes_no_bump_chart():
    comparison = audit().regimes
    assert comparison is not None
    one = replace(comparison, regimes=comparison.regimes[:1])
    assert ranks.bump(one, shown_names(audit())) is None


def test_the_curve_covers_every_rule_in_rising_order():
    found = multiverse_results.drawn(5)
    chart = curve.specification_curve(found, {name: name for name in found.systems})
    assert chart is not None
    band = rows_with(chart, "mean")
    assert [row["from"] for row in band] == list(range(27))
    line = [row for row in rows_with(chart, "spread") if row["role"] == "mean"]
    values = [float(str(row["value"])) for row in line]
    assert values == sorted(values)
    means = sorted(sum(a or 0.0 for a in row) / len(row) for row in found.accuracy)
    assert values == pytest.approx(means, abs=1e-5)


def test_each_dimension_of_the_curve_accounts_for_every_rule():
    found = multiverse_results.drawn(3)
    chart = curve.specification_curve(found, {name: name for name in found.systems})
    assert chart is not None
    runs = rows_with(chart, "shade")
    for one in found.dimensions:
        covered = sum(
            int(str(row["to"])) - int(str(row["from"]))
            for row in runs
            if str(row["choice"]).startswith(f"{one.name}: ")
        )
        assert covered == found.n_rules


def test_many_systems_are_thinned_and_the_reader_is_told():
    found = multiverse_results.drawn(60)
    chart = curve.specification_curve(found, {name: name for name in found.systems})
    assert chart is not None
    named = {str(row["system"]) for row in rows_with(chart, "spread")}
    assert len(named) == curve.MOST_LINES + 1
    assert {found.systems[0], found.systems[-1]} <= named
    assert "20 systems between them have no line" in chart.reading


def test_an_undetermined_cell_differs_in_shape_width_and_words():
    layers = charts()["reachable"].spec["layer"]
    assert isinstance(layers, list)
    shapes = {
        layer["mark"]["shape"]: layer["data"]["name"]
        for layer in layers
        if layer["mark"]["type"] == "point"
    }
    rows = datasets(charts()["reachable"])
    assert [row["system"] for row in rows[shapes["diamond"]]] == ["◆ sentiment: open"]
    assert [row["system"] for row in rows[shapes["circle"]]] == ["sentiment: sure"]
    widths = [layer["mark"]["strokeWidth"] for layer in layers if layer["mark"]["type"] == "rule"]
    assert widths == [3.0, 6.0]
    assert "1 is undetermined" in charts()["reachable"].summary


def test_a_long_list_of_systems_keeps_every_name_apart():
    made = [replace(row, system=f"{'model ' * 12}{i}") for i, row in enumerate(board200().rows)]
    shown = replace(board200(), rows=tuple(replace(row, shown=row.system) for row in made))
    chart = accuracy(shown)
    assert chart is not None
    assert len({str(row["system"]) for row in rows_with(chart, "worst")}) == 200
    assert [error.message for error in validator().iter_errors(chart.spec)] == []
    assert int(str(chart.spec["height"])) <= 200 * 16


@cache
def board200() -> Standings:
    given = board(audit())
    systems = [row for row in given.rows if row.kind == "model"]
    rows = tuple(
        replace(systems[i % len(systems)], system=f"s{i}", shown=f"s{i}") for i in range(200)
    )
    return replace(given, rows=rows)


def test_the_nearest_mark_tells_its_own_numbers():
    rows = [{"system": "a", "x": 0.0, "rate": "5%"}, {"system": "b", "x": 1.0, "rate": "6%"}]
    place = {"x": {"field": "x", "type": "quantitative"}}
    made = layer(
        {"type": "point"},
        rows,
        {**place, "tooltip": tip(("rate", "Rate"))},
        params=pointing(nearest=True),
    )
    spec = specification([made], title="near", height=40)
    assert [error.message for error in validator().iter_errors(spec)] == []
    compiled = vl_convert.vegalite_to_vega({**spec, "width": 200})
    nearest = next(mark for mark in compiled["marks"] if mark["name"].endswith("_voronoi"))
    # The datum of a cell is the mark, whose datum is the row.
    told = nearest["encode"]["update"]["tooltip"]["signal"]
    assert told == '{"Rate": (datum.datum || datum)["rate"]}'
