from collections.abc import Callable
from pathlib import Path

import pytest

from finassay.errors import UsageError
from finassay.study import Study
from finassay.study.check import check
from study_samples import small_study


@pytest.mark.parametrize("name", ["with space", "ünï çødé", "p+q#r", "a&b;c", "q?a"])
def test_a_study_stands_in_any_directory_that_the_storage_can_take(tmp_path: Path, name: str):
    small_study(tmp_path / name)
    opened = Study.open(tmp_path / name)
    assert opened.snapshot().frame("predictions").height == 6
    assert opened.snapshot().frame("verdicts", scorer_id="exact").height == 3
    assert check(opened).is_clean


@pytest.mark.parametrize("name", ["a%20b", "a[1]", "a=1", "a^b", "a|b", "a\\b", "a\tb"])
def test_a_path_that_the_storage_would_misread_is_refused(tmp_path: Path, name: str):
    with pytest.raises(UsageError, match="a study cannot stand at"):
        Study.create(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("address", ["s3://bucket/study", "gs://bucket/a", "https://host/study"])
@pytest.mark.parametrize("way", [Study.open, Study.create, Study.open_or_create])
def test_the_address_of_an_object_store_is_refused(address: str, way: Callable[[Path], Study]):
    with pytest.raises(UsageError, match="a study is a directory of a file system, got the addres"):
        way(Path(address))


def test_a_study_is_moved_as_a_directory(tmp_path: Path):
    small_study(tmp_path / "old place").root.rename(tmp_path / "neuer Ört")
    assert Study.open(tmp_path / "neuer Ört").snapshot().frame("predictions").height == 6


def test_a_file_is_no_study(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="a study is a directory, got the file"):
        Study.create(tmp_path / "file")
