import pytest

from finassay.errors import ConflictError
from finassay.study import Study, tables
from finassay.study import study as study_module
from study_processes import Child, run_together
from study_samples import SYSTEM, marks, of_scorer

TIMES = 3


@pytest.mark.parametrize("writers", [2, pytest.param(4, marks=pytest.mark.full)])
def test_writers_on_different_partitions_lose_nothing(study: Study, writers: int):
    before = study.snapshot().versions["verdicts"]
    run_together(Child("verdicts", study.root, f"scorer-{w}", w, TIMES) for w in range(writers))
    snapshot = study.snapshot()
    assert snapshot.versions["verdicts"] == before + writers * TIMES
    for w in range(writers):
        rows = snapshot.frame("verdicts", scorer_id=f"scorer-{w}")
        assert rows["reason"].to_list() == [f"{w}:{TIMES - 1}"] * 3


@pytest.mark.parametrize("writers", [2, pytest.param(4, marks=pytest.mark.full)])
def test_writers_on_one_partition_take_turns_and_lose_nothing(study: Study, writers: int):
    before = study.snapshot().versions["verdicts"]
    run_together(Child("verdicts", study.root, "same", w, TIMES) for w in range(writers))
    last = study.snapshot().versions["verdicts"]
    assert last == before + writers * TIMES
    seen = []
    for version in range(before + 1, last + 1):
        rows = study.snapshot({"verdicts": version}).frame("verdicts", scorer_id="same")
        assert rows.height == 3
        assert rows["reason"].n_unique() == 1
        seen.append(rows["reason"][0])
    assert sorted(seen) == sorted(f"{w}:{turn}" for w in range(writers) for turn in range(TIMES))


def test_systems_added_at_once_are_all_there(study: Study):
    run_together(Child("system", study.root, w, 3) for w in range(3))
    names = {spec.name for spec in study.snapshot().systems()}
    assert names == {"alpha", "beta"} | {f"w{w}-{turn}" for w in range(3) for turn in range(3)}


def test_a_writer_that_never_gets_its_turn_says_so(study: Study, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(study_module, "ATTEMPTS", 3)
    monkeypatch.setattr(study_module, "LONGEST_WAIT_S", 0.0)
    rival = Study.open(study.root)
    honest = tables.replace_partition
    turns = iter(range(100))

    def overtaken(table, schema, rows, partition, *, alone=False):  # noqa: ANN001, ANN202
        value = next(turns) / 100
        now = rival.snapshot()
        theirs = marks(rival, value=value).lazy()
        honest(tables.open_table(rival.root, "verdicts"), schema, theirs, partition)
        assert rival.snapshot().versions["verdicts"] == now.versions["verdicts"] + 1
        honest(table, schema, rows, partition, alone=alone)

    monkeypatch.setattr(study_module, "replace_partition", overtaken)
    mine = marks(study, value=0.5)
    with pytest.raises(ConflictError, match="committed first 3 times; nothing was written"):
        study.commit("verdicts", mine, partition=of_scorer("exact"))
    values = study.snapshot().frame("verdicts", system_id=SYSTEM.system_id)["value"].to_list()
    assert values == [0.02] * 3


def test_a_rewrite_sees_what_another_writer_committed_meanwhile(study: Study):
    rival = Study.open(study.root)
    seen = []

    def change(rows):  # noqa: ANN001, ANN202
        seen.append(rows["value"].to_list())
        if len(seen) == 1:
            rival.commit("verdicts", marks(rival, value=0.25), partition=of_scorer("exact"))
        return rows.with_columns(rows["value"] / 2)

    study.rewrite("verdicts", of_scorer("exact"), change)
    assert seen == [[1.0] * 3, [0.25] * 3]
    assert study.snapshot().frame("verdicts")["value"].to_list() == [0.125] * 3
