"""What the page on the multiverse says of IndiaFinBench is what the command finds."""

import json
from pathlib import Path

import pytest

from cli_runs import run
from real_data import data_root

pytestmark = [pytest.mark.data, pytest.mark.long]

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "multiverse.md"


def test_the_example_of_the_page_is_what_the_command_prints(tmp_path: Path):
    root = tmp_path / "study"
    source = data_root() / "indiafinbench"
    assert run("fetch", "indiafinbench", "--from", source, "--study", root).code == 0
    found = {}
    for name, options in (("strings", ("--judge", "none")), ("judged", ())):
        target = tmp_path / f"{name}.json"
        assert run("multiverse", root, *options, "--draws", "100", "--json", target).code == 0
        found[name] = json.loads(target.read_text("utf-8"))
    strings, judged = found["strings"], found["judged"]

    def percent(result: dict, dimension: str) -> str:
        (share,) = (
            effect["accuracy"]
            for effect in result["decomposition"]["effects"]
            if effect["dimensions"] == [dimension]
        )
        return f"{100 * share:.0f}%"

    said = " ".join(PAGE.read_text("utf-8").split())
    for words in (
        f"tries {strings['n_rules']:,} rules, of which {strings['n_distinct']:,} mark differently",
        f"{percent(strings, 'scorer')} and {percent(strings, 'matcher')} of the variance",
        f"{len(judged['systems'])} systems, {judged['n_rules']:,} rules and no pair are left",
        f"the judge carries {percent(judged, 'judge')} of the variance of accuracy",
    ):
        assert words in said
