"""Replies on their way: nothing that came is lost, whatever ended the process."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finassay.errors import ConflictError, StudyError
from finassay.records import FINISHES
from finassay.runs.journal import JOURNALS, Receipt, open_journal

SYSTEM = "0123456789abcdef"

receipts = st.builds(
    Receipt,
    item_id=st.text(min_size=1, max_size=8),
    trial=st.integers(0, 3),
    text=st.text(max_size=30),
    reasoning=st.text(max_size=10),
    finish=st.sampled_from(FINISHES),
    flags=st.lists(st.sampled_from(["a", "b:1"]), max_size=2).map(tuple),
    tokens_in=st.none() | st.integers(0, 9),
    tokens_out=st.none() | st.integers(0, 9),
    latency_s=st.none() | st.floats(0, 9),
    cost_usd=st.none() | st.floats(0, 9),
)


def journal_file(root: Path) -> Path:
    return root / JOURNALS / f"{SYSTEM}.jsonl"


def fill(root: Path, listed: list[Receipt]) -> bytes:
    with open_journal(root, SYSTEM) as journal:
        journal.clear()
        for one in listed:
            journal.add(one)
    return journal_file(root).read_bytes() if listed else b""


@given(listed=st.lists(receipts, min_size=1, max_size=4), data=st.data())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_journal_cut_at_any_byte_gives_every_receipt_that_was_finished(
    tmp_path: Path, listed: list[Receipt], data: st.DataObject
):
    content = fill(tmp_path, listed)
    size = data.draw(st.integers(0, len(content)))
    journal_file(tmp_path).write_bytes(content[:size])
    whole = content[:size].count(b"\n")
    with open_journal(tmp_path, SYSTEM) as journal:
        assert journal.pending == listed[:whole]
        journal.add(listed[0])
    with open_journal(tmp_path, SYSTEM) as journal:
        assert journal.pending == [*listed[:whole], listed[0]]


def test_texts_that_no_encoding_holds_are_kept(tmp_path: Path):
    odd = Receipt(item_id="a", trial=0, text="\ud800 \u2028 \0", finish="stop")
    fill(tmp_path, [odd])
    with open_journal(tmp_path, SYSTEM) as journal:
        assert journal.pending == [odd]


def test_a_full_disk_leaves_the_journal_as_it_was(tmp_path: Path):
    first, second = (Receipt(item_id=name, trial=0, finish="stop") for name in "ab")
    write = os.write

    def half(handle: int, content: bytes) -> int:
        if not content.startswith(b"{"):
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, content[:20])

    with open_journal(tmp_path, SYSTEM) as journal:
        journal.add(first)
        with (
            patch("finassay.runs.journal.os.write", half),
            pytest.raises(OSError, match="No space left"),
        ):
            journal.add(second)
        assert journal.pending == [first]
        journal.add(second)
    with open_journal(tmp_path, SYSTEM) as journal:
        assert journal.pending == [first, second]


def test_an_empty_journal_leaves_no_file(tmp_path: Path):
    with open_journal(tmp_path, SYSTEM) as journal:
        journal.add(Receipt(item_id="a", trial=0, finish="stop"))
        assert journal_file(tmp_path).exists()
        journal.clear()
    assert not journal_file(tmp_path).exists()


def test_an_interrupt_leaves_no_empty_file_and_no_receipt_behind(tmp_path: Path):
    kept = Receipt(item_id="a", trial=0, finish="stop")
    with pytest.raises(KeyboardInterrupt), open_journal(tmp_path, SYSTEM):
        raise KeyboardInterrupt
    assert not journal_file(tmp_path).exists()

    def interrupted() -> None:
        with open_journal(tmp_path, SYSTEM) as journal:
            journal.add(kept)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with open_journal(tmp_path, SYSTEM) as journal:
        assert journal.pending == [kept]


def test_a_journal_is_for_its_owner_only(tmp_path: Path):
    fill(tmp_path, [Receipt(item_id="a", trial=0, finish="stop")])
    assert journal_file(tmp_path).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b"[]",
        b'{"item_id": "a"}',
        b"\xff",
        json.dumps({"item_id": "a", "trial": "0"}).encode(),
    ],
)
def test_a_damaged_line_is_refused_with_its_place(tmp_path: Path, line: bytes):
    content = fill(tmp_path, [Receipt(item_id="a", trial=0, finish="stop")])
    journal_file(tmp_path).write_bytes(content + line + b"\n" + content)
    with (
        pytest.raises(StudyError, match=rf"{SYSTEM}\.jsonl:2: this line is no receipt"),
        open_journal(tmp_path, SYSTEM),
    ):
        pass


@pytest.mark.parametrize(
    ("field", "value"),
    [("trial", "0"), ("text", None), ("finish", "fine"), ("flags", "a"), ("tokens_in", "7")],
)
def test_a_receipt_with_a_field_of_another_type_is_refused(
    tmp_path: Path, field: str, value: object
):
    content = json.loads(fill(tmp_path, [Receipt(item_id="a", trial=0, finish="stop")]))
    journal_file(tmp_path).write_text(json.dumps(content | {field: value}) + "\n")
    with (
        pytest.raises(StudyError, match=r":1: this line is no receipt"),
        open_journal(tmp_path, SYSTEM),
    ):
        pass


def test_a_journal_that_is_held_is_refused_to_another_process(tmp_path: Path):
    code = (
        "import sys; from pathlib import Path; from finassay.runs.journal import open_journal\n"
        f"with open_journal(Path(sys.argv[1]), {SYSTEM!r}): pass"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    with open_journal(tmp_path, SYSTEM):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "ConflictError: another process is asking this system" in done.stderr
    assert subprocess.run(command, check=False).returncode == 0


def test_a_journal_is_held_once_within_a_process_too(tmp_path: Path):
    with (
        open_journal(tmp_path, SYSTEM),
        pytest.raises(ConflictError, match="wait for it, or stop it"),
        open_journal(tmp_path, SYSTEM),
    ):
        pass


def test_a_lock_goes_with_the_process_that_held_it(tmp_path: Path):
    code = (
        "import os, sys; from pathlib import Path; from finassay.runs import journal as j\n"
        f"with j.open_journal(Path(sys.argv[1]), {SYSTEM!r}) as one:\n"
        "    one.add(j.Receipt(item_id='a', trial=0, text='kept', finish='stop'))\n"
        "    os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert done.returncode == -9
    with open_journal(tmp_path, SYSTEM) as journal:
        assert [one.text for one in journal.pending] == ["kept"]
    assert os.listdir(tmp_path / JOURNALS) == [f"{SYSTEM}.jsonl"]  # noqa: PTH208 - names alone
