"""What holds for fetching a benchmark, against a server on this machine."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from finassay.benchmarks.fetching import fetch_files, fetch_indiafinbench
from finassay.benchmarks.manifests import (
    DerivedTable,
    Location,
    Manifest,
    Part,
    Pin,
    SourceFile,
    load_manifest,
)
from finassay.errors import FetchError, UsageError
from loopback import Answer, serving
from real_data import data_root

COMMIT = "a" * 40
ONE = b"id,answer\nREG_001,yes\n"
TWO = b"id,answer\nREG_001,no\n"
TABLE = b"item_id,judge,system\nREG_001,0,beta\nREG_001,1,alpha\n"
JUDGED = {
    "alpha": b"id,judge_verdict,judge_reason\nREG_001,1,fine\n",
    "beta": b"id,judge_verdict,judge_reason\nREG_001,0,wrong\n",
}


def pin(target: str, content: bytes) -> Pin:
    return Pin(target=target, sha256=sha256(content).hexdigest(), size=len(content))


def source(target: str, path: str, content: bytes) -> SourceFile:
    return SourceFile(pin=pin(target, content), location=Location(path=path, commit=COMMIT))


def manifest(home: str = "http://127.0.0.1:9") -> Manifest:
    table = DerivedTable(
        pin=pin("judge.csv", TABLE),
        form="csv",
        columns=(("item_id", "id"), ("judge", "judge_verdict")),
        parts=tuple(
            Part(location=Location(path=f"judged/{n}.csv", commit=COMMIT), about=40, label=n)
            for n in JUDGED
        ),
        label="system",
    )
    return Manifest(
        name="small",
        home=home,
        files=(source("predictions/one.csv", "results/one.csv", ONE), source("two.csv", "2", TWO)),
        derived=(table,),
    )


def home_answers() -> dict[str, Answer | list[Answer]]:
    return {
        f"/{COMMIT}/results/one.csv": Answer(body=ONE),
        f"/{COMMIT}/2": Answer(body=TWO),
        **{f"/{COMMIT}/judged/{n}.csv": Answer(body=b) for n, b in JUDGED.items()},
    }


def names(root: Path) -> set[str]:
    return {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()}


def test_every_file_arrives_verified_in_its_place(tmp_path: Path):
    with serving(home_answers()) as home:
        paths = fetch_files(manifest(home.url), tmp_path)
    assert paths == tuple(tmp_path / n for n in ("predictions/one.csv", "two.csv", "judge.csv"))
    assert [path.read_bytes() for path in paths] == [ONE, TWO, TABLE]
    assert names(tmp_path) == {"predictions/one.csv", "two.csv", "judge.csv"}


def test_another_home_may_be_named(tmp_path: Path):
    with serving(home_answers()) as home:
        fetch_files(manifest(), tmp_path, base_url=f"{home.url}/")
    assert (tmp_path / "two.csv").read_bytes() == TWO


def test_a_path_with_blanks_is_asked_for_in_quotes(tmp_path: Path):
    small = Manifest(name="m", home="", files=(source("a", "x y/(1).csv", ONE),))
    with serving({f"/{COMMIT}/x%20y/%281%29.csv": Answer(body=ONE)}) as home:
        fetch_files(small, tmp_path, base_url=home.url)
    assert (tmp_path / "a").read_bytes() == ONE


def test_line_ends_of_the_home_do_not_matter(tmp_path: Path):
    answers = home_answers()
    answers[f"/{COMMIT}/2"] = Answer(body=TWO.replace(b"\n", b"\r\n"))
    with serving(answers) as home:
        fetch_files(manifest(home.url), tmp_path)
    assert (tmp_path / "two.csv").read_bytes() == TWO


def test_progress_ends_at_the_whole(tmp_path: Path):
    told: list[tuple[int, int | None]] = []
    with serving(home_answers()) as home:
        fetch_files(manifest(home.url), tmp_path, progress=lambda *step: told.append(step))
    total = len(ONE) + len(TWO) + 80
    assert told == [(len(ONE), total), (len(ONE) + len(TWO), total), (total, total)]


def test_good_files_are_kept_and_not_asked_for_again(tmp_path: Path):
    with serving(home_answers()) as home:
        fetch_files(manifest(home.url), tmp_path)
        (tmp_path / "two.csv").unlink()
        home.asked.clear()
        fetch_files(manifest(home.url), tmp_path)
        assert home.asked == [f"/{COMMIT}/2"]
    assert (tmp_path / "two.csv").read_bytes() == TWO


@pytest.mark.parametrize("found", [TWO[:-1], TWO.replace(b"no", b"so"), b""])
def test_a_file_with_another_content_is_replaced(tmp_path: Path, found: bytes):
    (tmp_path / "two.csv").write_bytes(found)
    with serving(home_answers()) as home:
        fetch_files(manifest(home.url), tmp_path)
    assert (tmp_path / "two.csv").read_bytes() == TWO


def test_a_wrong_digest_says_what_was_expected_and_what_to_do(tmp_path: Path):
    wrong = TWO.replace(b"no", b"so")
    answers = {**home_answers(), f"/{COMMIT}/2": Answer(body=wrong)}
    expected, got = sha256(TWO).hexdigest(), sha256(wrong).hexdigest()
    said = rf"two\.csv: .*/2 is not the pinned one: .*{expected}, got .*{got}; .*--from DIR"
    with serving(answers) as home, pytest.raises(FetchError, match=said):
        fetch_files(manifest(home.url), tmp_path)
    assert names(tmp_path) == {"predictions/one.csv"}


def test_a_wrong_verdict_in_a_derived_table_is_an_error(tmp_path: Path):
    flipped = Answer(body=JUDGED["beta"].replace(b",0,", b",1,"))
    answers = {**home_answers(), f"/{COMMIT}/judged/beta.csv": flipped}
    said = r"judge\.csv: .*alpha\.csv and 1 more is not the pinned one"
    with serving(answers) as home, pytest.raises(FetchError, match=said):
        fetch_files(manifest(home.url), tmp_path)
    assert "judge.csv" not in names(tmp_path)


def test_another_reason_in_a_judged_file_changes_nothing(tmp_path: Path):
    reworded = Answer(body=JUDGED["beta"].replace(b"wrong", b"not so"))
    with serving({**home_answers(), f"/{COMMIT}/judged/beta.csv": reworded}) as home:
        fetch_files(manifest(home.url), tmp_path)
    assert (tmp_path / "judge.csv").read_bytes() == TABLE


def test_a_server_that_sends_too_much_cannot_fill_the_disk(tmp_path: Path):
    answers = {**home_answers(), f"/{COMMIT}/2": Answer(body=b"x" * 100_000, declared=-1)}
    with serving(answers) as home, pytest.raises(FetchError, match="expected at most"):
        fetch_files(manifest(home.url), tmp_path)
    assert names(tmp_path) == {"predictions/one.csv"}


def test_a_part_of_a_table_that_is_far_too_large_is_refused(tmp_path: Path):
    answers = {**home_answers(), f"/{COMMIT}/judged/beta.csv": Answer(body=b"x" * 161)}
    with serving(answers) as home, pytest.raises(FetchError, match="expected at most 160 bytes"):
        fetch_files(manifest(home.url), tmp_path)


def test_a_missing_file_leaves_nothing_under_its_name(tmp_path: Path):
    answers = {**home_answers(), f"/{COMMIT}/2": Answer(status=404)}
    with serving(answers) as home, pytest.raises(FetchError, match="answered 404"):
        fetch_files(manifest(home.url), tmp_path)
    assert names(tmp_path) == {"predictions/one.csv"}


def test_a_passing_failure_does_not_stop_the_fetch(tmp_path: Path, waits: list[float]):
    busy = Answer(status=429, headers={"Retry-After": "3"})
    answers = {**home_answers(), f"/{COMMIT}/2": [busy, Answer(status=502), Answer(body=TWO)]}
    with serving(answers) as home:
        fetch_files(manifest(home.url), tmp_path)
    assert waits == [3.0, 1.0]


def test_the_number_of_retries_may_be_chosen(tmp_path: Path, waits: list[float]):
    answers = {**home_answers(), f"/{COMMIT}/2": Answer(status=502)}
    with serving(answers) as home, pytest.raises(FetchError, match="in 2 tries"):
        fetch_files(manifest(home.url), tmp_path, retries=1)
    assert waits == [0.5]


@pytest.mark.parametrize("url", ["file:///tmp", "ftp://127.0.0.1", "/tmp/copy"])
def test_only_an_http_home_is_taken(tmp_path: Path, url: str):
    with pytest.raises(UsageError, match="must start with http"):
        fetch_files(manifest(), tmp_path, base_url=url)
    assert names(tmp_path) == set()


def test_an_interrupted_write_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with serving(home_answers()) as home, pytest.raises(KeyboardInterrupt):
        fetch_files(manifest(home.url), tmp_path)
    assert names(tmp_path) == set()


def test_a_full_disk_is_said_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    said = r"one\.csv: .*No space left on device.*space left"
    with serving(home_answers()) as home, pytest.raises(FetchError, match=said):
        fetch_files(manifest(home.url), tmp_path)
    assert names(tmp_path) == set()


def test_a_directory_in_the_place_of_a_file_is_named(tmp_path: Path):
    (tmp_path / "two.csv" / "x").mkdir(parents=True)
    with serving(home_answers()) as home, pytest.raises(FetchError, match=r"two\.csv: cannot be"):
        fetch_files(manifest(home.url), tmp_path)


KILLED = """
import sys
sys.path[:0] = sys.argv[3:]
from test_fetching import manifest
from finassay.benchmarks.fetching import fetch_files
fetch_files(manifest(sys.argv[1]), sys.argv[2])
"""


def test_a_killed_fetch_leaves_whole_files_and_goes_on(tmp_path: Path):
    here = Path(__file__).parent
    stuck = Answer(body=TWO[:5], declared=len(TWO), hang=True)
    with serving({**home_answers(), f"/{COMMIT}/2": stuck}) as home:
        command = [sys.executable, "-c", KILLED, home.url, tmp_path, here, here.parent]
        with subprocess.Popen([str(part) for part in command]) as process:
            assert home.hanging.wait(30)
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
    assert names(tmp_path) == {"predictions/one.csv"}
    assert (tmp_path / "predictions/one.csv").read_bytes() == ONE
    with serving(home_answers()) as home:
        fetch_files(manifest(home.url), tmp_path)
        assert f"/{COMMIT}/results/one.csv" not in home.asked
    assert names(tmp_path) == {"predictions/one.csv", "two.csv", "judge.csv"}


def published() -> Path:
    return data_root() / "indiafinbench"


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")))


def as_csv(listed: list[dict[str, str]]) -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, list(listed[0]), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(listed)
    return stream.getvalue().encode("utf-8")


def part_of(table: DerivedTable, part: Part, kept: bytes) -> bytes:
    """Return what a part of a derived table may look like at home: more columns, other names."""
    if table.form == "json":
        return json.dumps([{**one, "checked": True} for one in json.loads(kept)]).encode("utf-8")
    return as_csv(
        [
            {"why": "so, it is", **{there: row[here] for here, there in table.columns}}
            for row in rows(kept)
            if table.label is None or row[table.label] == part.label
        ]
    )


def published_answers(root: Path) -> Mapping[str, Answer]:
    known = load_manifest("indiafinbench")
    answers = {
        f"/{one.location.commit}/{one.location.path}": (root / one.pin.target).read_bytes()
        for one in known.files
    }
    for table in known.derived:
        kept = (root / table.pin.target).read_bytes()
        for part in table.parts:
            where = f"/{part.location.commit}/{part.location.path}"
            answers[where] = part_of(table, part, kept)
    return {where: Answer(body=body) for where, body in answers.items()}


@pytest.mark.data
def test_the_published_files_are_the_pinned_ones(tmp_path: Path):
    root = published()
    with serving(published_answers(root)) as home:
        assert fetch_indiafinbench(tmp_path / "copy", base_url=home.url) == tmp_path / "copy"
    assert names(tmp_path / "copy") == names(root)
    for name in names(root):
        fetched, held = (tmp_path / "copy" / name).read_bytes(), (root / name).read_bytes()
        if name.startswith(("judge_verdicts", "metadata")):
            key = sorted(rows(held)[0])
            mine, theirs = (
                sorted(tuple(row[k] for k in key) for row in rows(content))
                for content in (fetched, held)
            )
            assert mine == theirs
        else:
            assert fetched == held


@pytest.mark.data
def test_one_flipped_judge_verdict_is_noticed(tmp_path: Path):
    answers = dict(published_answers(published()))
    where = next(path for path in answers if path.endswith("phi4/mistral_results.csv"))
    body = answers[where].body
    last = rows(body)[-1]["judge_verdict"]
    flipped = body[: body.rindex(last.encode())] + (b"0" if last == "1" else b"1") + b"\r\n"
    answers[where] = replace(answers[where], body=flipped)
    said = r"judge_verdicts\.csv: .*is not the pinned one"
    with serving(answers) as home, pytest.raises(FetchError, match=said):
        fetch_indiafinbench(tmp_path, base_url=home.url)
    assert "judge_verdicts.csv" not in names(tmp_path)
