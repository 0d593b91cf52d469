"""Facts about replies, and replies that are cut and marked again."""

from __future__ import annotations

from pathlib import Path

import pytest

from finassay.errors import UsageError
from finassay.marking.cut_replies import marked_when_cut
from finassay.marking.reply_facts import reply_digests, reply_facts
from finassay.records import FINISHES, Item, Prediction, RunRecord, SystemSpec
from finassay.study import Study
from finassay.study.rows import predictions_frame

ADA, BOB = SystemSpec(name="ada"), SystemSpec(name="bob")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    made = Study.create(tmp_path_factory.mktemp("facts") / "study", name="small")
    items = [Item(item_id=name, benchmark="small", reference="ten") for name in ("x", "y", "z")]
    made.add_items(items, benchmark="small")
    replies = {
        ADA: [
            Prediction(item_id="x", text="ten", finish="stop", tokens_out=7),
            Prediction(item_id="y", text="it is ten", finish="truncated"),
            Prediction(item_id="y", text="trial", trial=1),
        ],
        BOB: [Prediction(item_id="x", text="ten"), Prediction(item_id="gone", text="a")],
    }
    for spec, said in replies.items():
        made.add_system(spec)
        run = f"run-{spec.name}"
        made.add_run(RunRecord(run_id=run, system_id=spec.system_id))
        rows = predictions_frame(
            Prediction(
                item_id=one.item_id,
                system_id=spec.system_id,
                trial=one.trial,
                text=one.text,
                finish=one.finish,
                tokens_out=one.tokens_out,
                run_id=run,
            )
            for one in said
        )
        made.commit("predictions", rows, partition={"system_id": spec.system_id, "run_id": run})
    return made


def test_facts_stand_by_item_and_system(study: Study):
    facts = reply_facts(study.snapshot(), ["x", "y", "z"])
    assert facts.systems == ("ada", "bob")
    assert facts.present.tolist() == [[True, True], [True, False], [False, False]]
    assert facts.lengths.tolist() == [[3, 3], [9, 0], [0, 0]]
    assert FINISHES[facts.finish[1, 0]] == "truncated"
    assert (facts.tokens[0, 0], facts.has_tokens.sum()) == (7, 1)


def test_another_trial_has_facts_of_its_own(study: Study):
    facts = reply_facts(study.snapshot(), ["x", "y"], trial=1)
    assert facts.systems == ("ada",)
    assert facts.lengths.tolist() == [[0], [5]]


def test_equal_replies_have_equal_digests(study: Study):
    digests = reply_digests(study.snapshot())
    assert digests["ada"]["x"] == digests["bob"]["x"]
    assert digests["ada"]["y"] != digests["ada"]["x"]


def test_cut_replies_are_marked_again_and_nothing_is_written(study: Study, tmp_path: Path):
    before = dict(study.snapshot().versions)
    found = marked_when_cut(study.snapshot(), "includes", [2, 6, 9], systems=["ada"])
    assert {length: matrix.values[:, 0].tolist() for length, matrix in found.items()} == {
        2: [0.0, 0.0],
        6: [1.0, 0.0],
        9: [1.0, 1.0],
    }
    assert dict(study.snapshot().versions) == before


def test_a_length_below_one_is_refused(study: Study):
    with pytest.raises(UsageError, match="cut to at least 1 character, got 0"):
        marked_when_cut(study.snapshot(), "includes", [0], systems=["ada"])
