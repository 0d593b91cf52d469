"""Odd streams, locales and texts: what is typed is marked, and nothing steers a terminal."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from finassay.apps.cli.show import harmless, write_json
from finassay.errors import DiskError

FINASSAY = [sys.executable, "-m", "finassay"]
C_LOCALE = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def marked(reference: bytes, reply: bytes) -> subprocess.CompletedProcess[bytes]:
    command = [*map(os.fsencode, FINASSAY), b"mark", b"exact", b"--reference", reference]
    return subprocess.run(
        [*command, b"--reply", reply], capture_output=True, check=False, env=C_LOCALE
    )


@pytest.mark.parametrize(("reply", "value"), [("₹5", b"value 1"), ("€5", b"value 0")])
def test_texts_are_the_same_in_every_locale(reply: str, value: bytes):
    assert value in marked("₹5".encode(), reply.encode()).stdout


def test_an_argument_that_is_no_text_is_refused():
    done = marked(b"\xff", b"\xff")
    assert done.returncode == 2
    assert b"is not UTF-8" in done.stderr


def test_closed_streams_end_quietly():
    for arguments in ("version", "scorers --json -"):
        shell = f"exec '{sys.executable}' -m finassay {arguments} >&-"
        done = subprocess.run(["sh", "-c", shell], capture_output=True, check=False)
        assert b"Traceback" not in done.stderr


def test_a_link_is_followed_and_a_pipe_is_written_to(tmp_path: Path):
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("old")
    link.symlink_to(target.name)
    write_json({"a": 1}, str(link))
    assert link.is_symlink()
    assert '"a": 1' in target.read_text()
    write_json({"a": 1}, os.devnull)
    assert Path(os.devnull).is_char_device()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x07", "<U+001B>[31mred<U+0007>"),
        ("a\u202eb\u200b", "a<U+202E>b<U+200B>"),
        ("plain ₹5 दिन\nnext", "plain ₹5 दिन\nnext"),
    ],
)
def test_what_could_steer_a_terminal_is_shown_as_its_code(text: str, shown: str):
    assert harmless(text) == shown


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_device_that_takes_nothing_more_is_named():
    with pytest.raises(
        DiskError, match=r"cannot write '/dev/full': .*; name a file on another disk"
    ):
        write_json({}, "/dev/full")
