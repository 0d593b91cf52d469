import pytest

from finassay.errors import UnknownNameError, UsageError
from finassay.records import SystemSpec
from finassay.study import Study
from study_samples import OTHER, SYSTEM, in_run


def test_rows_are_sorted_by_key_and_filtered_by_columns(study: Study):
    snapshot = study.snapshot()
    rows = snapshot.frame("predictions", item_id=["02", "00"], trial=0)
    assert rows.equals(rows.sort("item_id", "system_id", "trial"))
    assert rows["item_id"].to_list() == ["00", "00", "02", "02"]


def test_only_the_files_of_the_asked_partition_are_read(study: Study):
    snapshot = study.snapshot()
    other = next((study.root / "predictions").glob(f"system_id={OTHER.system_id}/*/*.parquet"))
    content = other.read_bytes()
    # Size, first and last bytes stay, so that only who reads the rows can notice.
    other.write_bytes(content[:4] + b"\xff" * (len(content) - 8) + content[-4:])
    assert snapshot.frame("predictions", system_id=SYSTEM.system_id).height == 3
    with pytest.raises(Exception, match=r"(?i)parquet|metadata|thrift|footer"):
        snapshot.frame("predictions")


def test_an_unknown_table_or_column_is_refused(study: Study):
    snapshot = study.snapshot()
    with pytest.raises(UnknownNameError, match="no table 'score'"):
        snapshot.frame("score")
    with pytest.raises(UsageError, match="table 'items' has no column 'id'"):
        snapshot.frame("items", id="00")
    with pytest.raises(UnknownNameError, match="no table 'score'"):
        study.snapshot({"score": 1})


def test_a_system_is_found_by_name_id_and_beginning_of_id(study: Study):
    snapshot = study.snapshot()
    for name in ("alpha", SYSTEM.system_id, SYSTEM.system_id[:4]):
        assert snapshot.resolve_system(name) == SYSTEM.system_id


def test_an_unknown_system_is_answered_with_near_names(study: Study):
    with pytest.raises(UnknownNameError, match="no system 'alhpa' among 2; near names: alpha"):
        study.snapshot().resolve_system("alhpa")
    with pytest.raises(UnknownNameError, match="known: alpha, beta"):
        study.snapshot().resolve_system(SYSTEM.system_id[:3])


def test_a_study_without_systems_says_so(tmp_path):  # noqa: ANN001
    with pytest.raises(UnknownNameError, match="holds no systems"):
        Study.create(tmp_path / "s").snapshot().resolve_system("alpha")


def test_an_ambiguous_beginning_is_refused(study: Study):
    # Two names whose ids begin alike; found by trying names in turn.
    seen: dict[str, SystemSpec] = {}
    number = 0
    while True:
        spec = SystemSpec(name=f"m{number}")
        number += 1
        twin = seen.setdefault(spec.system_id[:4], spec)
        if twin is not spec:
            break
    study.add_system(twin)
    study.add_system(spec)
    with pytest.raises(UnknownNameError, match=rf"ids of 2 systems.*\({spec.name}\)"):
        study.snapshot().resolve_system(spec.system_id[:4])


def test_a_display_name_wins_over_an_id(study: Study):
    odd = SystemSpec(name=SYSTEM.system_id)
    study.add_system(odd)
    assert study.snapshot().resolve_system(SYSTEM.system_id) == odd.system_id


def test_digests_name_every_table_and_follow_content(study: Study):
    before = study.snapshot().digests()
    assert set(before) == set(study.snapshot().versions)
    study.drop("reported", {"source": "nowhere"})
    assert study.snapshot().digests() == before
    study.drop("runs", {"run_id": "run-2"})
    after = study.snapshot().digests()
    assert [name for name in before if before[name] != after[name]] == ["runs"]


def test_a_snapshot_knows_whether_a_table_moved_on(study: Study):
    before = study.snapshot()
    assert before.is_newest
    study.add_system(SystemSpec(name="gamma"))
    assert not before.is_newest
    assert study.snapshot().is_newest


def test_files_of_a_table_are_told_with_their_partition(study: Study):
    listed = study.snapshot().files("predictions")
    on_disk = {path.name for path in (study.root / "predictions").rglob("*.parquet")}
    assert {name.rpartition("/")[2] for _, name in listed} <= on_disk
    assert {values[0] for values, _ in listed} == {SYSTEM.system_id, OTHER.system_id}


@pytest.mark.parametrize(("most", "sizes"), [(1, [1, 1]), (5, [1, 1]), (6, [2])])
def test_blocks_hold_every_system_once_and_fit(study: Study, most: int, sizes: list[int]):
    blocks = list(study.snapshot().blocks("predictions", most=most))
    assert [len(block) for block in blocks] == sizes
    named = [system_id for block in blocks for system_id in block]
    assert sorted(named) == sorted([SYSTEM.system_id, OTHER.system_id])


def test_systems_whose_rows_were_dropped_are_in_no_block(study: Study):
    study.drop("predictions", in_run())
    assert list(study.snapshot().blocks("predictions")) == [[OTHER.system_id]]
    assert list(study.snapshot().blocks("verdicts")) == [[SYSTEM.system_id]]
