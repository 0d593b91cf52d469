"""Several partitions in one commit."""

import polars as pl
import pytest

from finassay.errors import SchemaError, UsageError
from finassay.study import Study
from study_samples import OTHER, SYSTEM, marks, of_scorer

BLOCK = {"scorer_id": ["a", "b'c/é"], "scorer_version": "1", "system_id": SYSTEM.system_id}


def both(study: Study) -> pl.DataFrame:
    return pl.concat([marks(study, "a"), marks(study, "b'c/é")])


def held(study: Study) -> dict[tuple[str, str], int]:
    frame = study.snapshot().frame("verdicts")
    counts = frame.group_by("scorer_id", "system_id").len()
    return {(scorer, system): n for scorer, system, n in counts.iter_rows()}


def test_a_block_is_one_commit(study: Study):
    before = study.snapshot().versions["verdicts"]
    commit = study.commit("verdicts", both(study), partition=BLOCK)
    assert (commit.changed, commit.version) == (True, before + 1)
    assert study.snapshot().frame("verdicts", scorer_id="b'c/é").height == both(study).height / 2


def test_the_same_block_is_a_no_op_and_so_is_a_partition_of_it(study: Study):
    study.commit("verdicts", both(study), partition=BLOCK)
    assert not study.commit("verdicts", both(study).reverse(), partition=BLOCK).changed
    alone = marks(study, "a")
    assert not study.commit("verdicts", alone, partition=of_scorer("a")).changed


def test_a_partition_of_the_block_without_rows_becomes_empty(study: Study):
    study.commit("verdicts", both(study), partition=BLOCK)
    study.commit("verdicts", marks(study, "a"), partition=BLOCK)
    assert {key for key in held(study) if key[0] in BLOCK["scorer_id"]} == {("a", SYSTEM.system_id)}


def test_partitions_outside_the_block_stay(study: Study):
    other, second = of_scorer("a", OTHER), of_scorer("a", version="2")
    study.commit("verdicts", marks(study, "a", OTHER), partition=other)
    newer = marks(study, "a").with_columns(scorer_version=pl.lit("2"))
    study.commit("verdicts", newer, partition=second)
    study.commit("verdicts", both(study), partition=BLOCK)
    assert held(study)["a", OTHER.system_id] == marks(study, "a", OTHER).height
    assert set(study.snapshot().frame("verdicts", scorer_id="a")["scorer_version"]) == {"1", "2"}


def test_a_row_outside_the_block_is_refused(study: Study):
    with pytest.raises(SchemaError, match="column 'scorer_id' must equal the partition's 'a'"):
        study.commit("verdicts", both(study), partition=BLOCK | {"scorer_id": ["a"]})


@pytest.mark.parametrize("values", [[], [""], ["a", ""], ["a", 3]])
def test_a_block_needs_values_that_are_text(study: Study, values: list[object]):
    with pytest.raises(UsageError, match="must be text that is not empty"):
        study.commit("verdicts", both(study), partition=BLOCK | {"scorer_id": values})
