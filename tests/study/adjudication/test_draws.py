import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from finassay.errors import StudyError, UnknownNameError, UsageError
from finassay.study import Study
from finassay.study.adjudication.draw_files import (
    draw_names,
    read_draw,
    require_draw_name,
    units_of,
    write_draw,
)
from finassay.study.adjudication.draws import (
    Draw,
    DrawStratum,
    DrawUnit,
    FrozenVerdict,
    RestUnit,
    UnitKey,
    unit_id_of,
)


def sample(name: str = "first", seed: int = 0, n: int = 3) -> Draw:
    keys = [UnitKey(f"é{i}", "s1") for i in range(n)]
    verdict = FrozenVerdict(scorer_id="judge/a", scorer_version="1", status="scored", value=1.0)
    return Draw(
        name=name,
        task="correctness",
        design="simple",
        seed=seed,
        protocol="shown",
        scorers=("judge/a",),
        systems=(("s1", "alpha"),),
        strata=(DrawStratum(name="all", size=n + 1, take=n, by_system=(("s1", n + 1),)),),
        units=tuple(
            DrawUnit(
                unit_id=unit_id_of(key),
                key=key,
                stratum="all",
                probability=n / (n + 1),
                digests=("d",),
                item_digest="i",
                verdicts=(verdict,),
            )
            for key in keys
        ),
        rest=(RestUnit(UnitKey("rest", "s1"), "all", (None,)),),
        created="2026-01-01T00:00:00+00:00",
        created_by="lead",
    )


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return Study.create(tmp_path / "s")


def test_a_draw_comes_back_exactly(study: Study):
    draw = sample()
    assert write_draw(study, draw) is True
    assert read_draw(study, "first") == draw
    assert draw_names(study) == ("first",)


def test_the_same_draw_again_changes_nothing(study: Study):
    write_draw(study, sample())
    before = (study.root / "adjudication" / "first.json").read_bytes()
    assert write_draw(study, replace(sample(), created="later", created_by="other")) is False
    assert (study.root / "adjudication" / "first.json").read_bytes() == before


def test_another_draw_of_the_same_name_is_refused_and_the_first_stays(study: Study):
    write_draw(study, sample())
    with pytest.raises(UsageError, match=r"another draw named 'first'.*with 3 units"):
        write_draw(study, sample(seed=1))
    assert read_draw(study, "first").seed == 0


def test_writing_leaves_nothing_beside_the_draw(study: Study):
    write_draw(study, sample())
    assert [p.name for p in (study.root / "adjudication").iterdir()] == ["first.json"]


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["draw"]["units"].pop(),
        lambda d: d["draw"]["units"][0].update(probability=0.1),
        lambda d: d["draw"]["units"][0]["verdicts"][0].update(value=0.0),
        lambda d: d["draw"].update(created_by="somebody else"),
        lambda d: d["draw"].update(seed="x"),
        lambda d: d.pop("digest"),
    ],
)
def test_a_draw_that_was_changed_by_hand_is_refused(study: Study, change: Callable[[dict], object]):
    write_draw(study, sample())
    path = study.root / "adjudication" / "first.json"
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    with pytest.raises(StudyError, match="damaged or changed by hand"):
        read_draw(study, "first")


def test_a_cut_file_is_refused(study: Study):
    write_draw(study, sample())
    path = study.root / "adjudication" / "first.json"
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(StudyError, match="damaged"):
        read_draw(study, "first")


def test_a_draw_of_a_newer_layout_is_told(study: Study):
    write_draw(study, sample())
    path = study.root / "adjudication" / "first.json"
    path.write_text(path.read_text().replace('"finassay_draw":1', '"finassay_draw":2'))
    with pytest.raises(StudyError, match="has layout 2, expected 1"):
        read_draw(study, "first")


def test_an_unknown_draw_is_told_with_those_that_are_there(study: Study):
    write_draw(study, sample())
    with pytest.raises(UnknownNameError, match="no draw 'other'; there are: first"):
        read_draw(study, "other")


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "a b", "x" * 101, "a\n"])
def test_a_name_that_no_file_should_have_is_refused(name: str):
    with pytest.raises(UsageError, match="a draw's name"):
        require_draw_name(name)


def test_the_id_follows_from_the_content_and_not_from_who_and_when():
    assert sample().draw_id == replace(sample(), created="x", created_by="y").draw_id
    assert sample().draw_id != sample(seed=1).draw_id
    assert sample().draw_id != replace(sample(), rest=()).draw_id


def test_units_of_a_system_are_found_in_all_draws(study: Study):
    write_draw(study, sample())
    write_draw(study, sample("second", n=5))
    assert units_of(study, ["s1"]) == {unit_id_of(UnitKey(f"é{i}", "s1")) for i in range(5)}
    assert units_of(study, ["s2"]) == set()
