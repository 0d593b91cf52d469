"""The documentation claims no speed that the benchmark book does not measure."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))

from book import Claim, at, page_table, read_book, row_of

ROOT = Path(__file__).resolve().parent.parent
SPEED = re.compile(
    r"\d[\d.,]*\s?[x×](?=[\s.,;)|*\"]|$)(?!\s?\d)"
    r"|\btimes (?:as (?:fast|long)|faster|slower|Math-Verify)"
    r"|\d[^.|]{0,25}\b(?:a|per) second\b(?! (?:time|reading|one|half|model|person))"
    r"|\d\s?(?:MB|GB|rows|predictions|pairs|lines)/s\b"
)
"""What reads like a claim of speed: "12x", "times as fast", "900 a second", "12 MB/s"."""

BOOK_PAGE = ROOT / "docs" / "reference" / "benchmark-book.md"
PAGES = [ROOT / "README.md", *sorted(set((ROOT / "docs").glob("[!_]*/*.md")) - {BOOK_PAGE})]
PROGRAMS, CLAIMS, OTHERS = read_book()


def prose(page: Path) -> str:
    return " ".join(page.read_text(encoding="utf-8").split())


def test_every_speed_that_a_page_claims_is_measured_or_said_to_be_no_claim():
    unknown: list[str] = []
    for page in PAGES:
        name = page.relative_to(ROOT).as_posix()
        text = prose(page)
        allowed = [(claim.page, claim.says) for claim in CLAIMS if claim.says]
        allowed += [(other["page"], other["words"]) for other in OTHERS]
        spans = [
            (text.find(words), text.find(words) + len(words))
            for where, words in allowed
            if where == name and words in text
        ]
        unknown += [
            f"{name}: {text[max(0, found.start() - 60) : found.end() + 30]}"
            for found in SPEED.finditer(text)
            if not any(a <= found.end() and found.start() <= b for a, b in spans)
        ]
    assert unknown == []


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_claim_stands_on_its_page_in_the_words_of_the_book(claim: Claim):
    page = ROOT / claim.page
    assert claim.says in prose(page)
    assert claim.says or claim.id in page.read_text(encoding="utf-8")
    assert (claim.at_least is None) != (claim.at_most is None)
    assert claim.program in {program.file for program in PROGRAMS}
    assert (ROOT / "benchmarks" / claim.program).is_file()


@pytest.mark.parametrize("other", OTHERS, ids=lambda other: other["words"][:30])
def test_words_that_are_no_claim_still_stand_on_their_page(other: dict[str, str]):
    assert other["words"] in prose(ROOT / other["page"])
    assert other["why"]


def test_the_page_of_the_book_lists_the_claims_as_they_are():
    assert page_table(CLAIMS) in BOOK_PAGE.read_text(encoding="utf-8")


def test_every_measurement_is_in_the_book_or_a_part_of_one():
    files = {path.name for path in (ROOT / "benchmarks").glob("*.py")} - {"book.py"}
    listed = {program.file for program in PROGRAMS}
    # A study that another measurement makes is none itself; what sizes cost has a page of its own.
    scale = {name for name in files if name.startswith("scale")}
    assert files - listed <= {"web_study.py", *scale}
    assert listed <= files
    assert {claim.program for claim in CLAIMS} == listed


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("it is 12x faster", True),
        ("3.5 times as fast as the peer", True),
        ("900 comparisons a second", True),
        ("reads 40 MB/s", True),
        ("a second reading of 30 items", False),
        ("a table of 12 x 406 predictions", False),
        ("it is fast", False),
    ],
)
def test_a_claim_of_speed_is_known_by_its_form(text: str, *, claims: bool):
    assert bool(SPEED.search(text)) == claims


@pytest.mark.parametrize(
    ("bounds", "ratio", "holds"),
    [({"at_least": 5.0}, 5.1, True), ({"at_least": 5.0}, 4.9, False),
     ({"at_most": 2.5}, 2.6, False), ({"at_most": 2.5}, 2.4, True)],
)  # fmt: skip
def test_a_ratio_beyond_its_bound_fails(bounds: dict[str, float], ratio: float, *, holds: bool):
    claim = Claim(
        id="c",
        what="",
        program="p.py",
        page="",
        ours="a",
        peer="b",
        ratio="r.0",
        unit="s",
        **bounds,
    )
    row = row_of(claim, {"a": 1.0, "b": 2.0, "r": [ratio]}, "", is_short=False)
    assert (row.holds, row.ratio) == (holds, ratio)
    lost = row_of(claim, {"a": 1.0}, "", is_short=False)
    assert not lost.holds
    assert "gives no figure 'r.0'" in lost.fault


def test_figures_are_found_by_their_paths():
    assert at({"a": {"b": [1, 2.5]}}, "a.b.-1") == 2.5
    assert at({"a": None}, "a.b") is None


@pytest.mark.full
def test_the_short_form_of_the_book_holds():
    command = [sys.executable, str(ROOT / "benchmarks" / "book.py"), "--short"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all hold" in done.stdout
