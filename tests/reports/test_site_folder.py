"""A site on disk is whole or not there, and nothing else is ever replaced."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from finassay.errors import InputError, UsageError
from finassay.reports.site_folder import MANIFEST, site_folder


def write(directory: Path, then: Callable[[], None] = lambda: None, **files: str) -> None:
    with site_folder(directory, {"study": "s"}) as folder:
        for name, text in files.items():
            folder.write(f"{name}.html", text.encode())
        then()


def put(directory: Path, *names: str) -> None:
    with site_folder(directory, {}) as folder:
        for name in names:
            folder.write(name, b"x")


def fail() -> None:
    raise RuntimeError("half way")


def names(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*")}


def test_a_site_holds_its_files_and_a_list_of_them(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "site"
    with site_folder(out, {"study": "s"}) as folder:
        folder.write("index.html", b"<p>one</p>")
        folder.write("item/a.html", b"<p>two</p>")
    assert names(out) == {"index.html", "item", "item/a.html", MANIFEST}
    told = json.loads((out / MANIFEST).read_text())
    assert told["study"] == "s"
    assert list(told["files"]) == ["index.html", "item/a.html"]
    assert names(out.parent) - {f"site/{name}" for name in names(out)} == {"site"}


def test_a_later_site_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    write(tmp_path / "site", index="old", gone="old")
    write(tmp_path / "site", index="new")
    assert names(tmp_path) == {"site", "site/index.html", f"site/{MANIFEST}"}
    assert (tmp_path / "site" / "index.html").read_text() == "new"


def test_an_empty_directory_may_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    write(tmp_path / "site", index="new")
    assert (tmp_path / "site" / "index.html").read_text() == "new"


def test_an_error_leaves_the_earlier_site_and_nothing_beside_it(tmp_path: Path) -> None:
    write(tmp_path / "site", index="old")
    with pytest.raises(RuntimeError, match="half way"):
        write(tmp_path / "site", fail, index="new")
    assert (tmp_path / "site" / "index.html").read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"site"}


@pytest.mark.parametrize("name", ["thesis.tex", "index.html", "item/notes.txt", ".git/HEAD"])
def test_a_directory_with_something_else_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "site" / name
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    with pytest.raises(UsageError, match="holds what no site put there"):
        write(tmp_path / "site", index="new")
    assert path.read_text() == "mine"


def test_a_file_that_somebody_added_to_a_site_is_not_lost(tmp_path: Path) -> None:
    write(tmp_path / "site", index="old")
    (tmp_path / "site" / "CNAME").write_text("example.org")
    with pytest.raises(UsageError, match="'CNAME'"):
        write(tmp_path / "site", index="new")
    assert (tmp_path / "site" / "index.html").read_text() == "old"


def test_what_comes_in_while_the_site_is_written_is_not_lost(tmp_path: Path) -> None:
    def come_in() -> None:
        (tmp_path / "site").mkdir()
        (tmp_path / "site" / "late.txt").write_text("mine")

    with pytest.raises(UsageError, match=r"'late\.txt'"):
        write(tmp_path / "site", come_in, index="new")
    assert (tmp_path / "site" / "late.txt").read_text() == "mine"


def test_an_empty_directory_of_somebody_elses_counts(tmp_path: Path) -> None:
    (tmp_path / "site" / "figures").mkdir(parents=True)
    with pytest.raises(UsageError, match="'figures'"):
        write(tmp_path / "site", index="new")


def test_a_file_is_no_directory(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("mine")
    with pytest.raises(UsageError, match="got the file"):
        write(tmp_path / "site", index="new")


def test_a_manifest_of_something_else_protects_what_it_lists(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.html").write_text("mine")
    (tmp_path / "site" / MANIFEST).write_text('{"made_by": "me", "files": {"a.html": ""}}')
    with pytest.raises(UsageError, match=r"'a\.html', 'site\.json'"):
        write(tmp_path / "site", index="new")


def test_a_manifest_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / MANIFEST).write_text("{")
    with pytest.raises(InputError, match="cannot be read"):
        write(tmp_path / "site", index="new")


@pytest.mark.parametrize("name", ["../out.html", "/etc/x", "a//b", "", "a/./b", "..\\x"])
def test_no_file_is_written_outside_the_site(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="relative name of its own"):
        put(tmp_path / "site", name)
    assert list(tmp_path.iterdir()) == []


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="relative name of its own"):
        put(tmp_path / "site", "a.html", "a.html")
