"""Reading states: JSON Lines and YAML give the same, and errors name file, line and key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ask_samples import STATES_FILE
from finassay.benchmarks.ask.reading import read_states
from finassay.benchmarks.ask.states import Need
from finassay.errors import InputError

FLAT = {
    "state_id": "F1",
    "trajectory_id": "T",
    "context": "Seen.",
    "action": "ask",
    "needs": ["The invoice"],
    "later": ["It came."],
}
STEP = {"open": "o", "action": "ask", "note": "n", "observed": "s"}
WHOLE = {"trajectory_id": "T", "domain": "d", "language": "en", "case": "c", "steps": [STEP]}


def written(folder: Path, *records: object, name: str = "states.jsonl") -> Path:
    file = folder / name
    file.write_text("".join(f"{json.dumps(one)}\n" for one in records), encoding="utf-8")
    return file


def test_trajectories_and_states_stand_in_one_file(tmp_path: Path):
    file = tmp_path / "s.jsonl"
    file.write_text(STATES_FILE, encoding="utf-8")
    states = read_states(file)
    assert [one.state_id for one in states] == ["T1-1", "T1-2", "F1"]
    assert states[2].needs == (Need(text="The invoice for the goods"),)
    assert states[2].later == ("Invoice 7 came in.",)


def test_yaml_gives_the_same_states(tmp_path: Path):
    records = [json.loads(line) for line in STATES_FILE.splitlines()]
    jsonl = written(tmp_path, *records)
    yaml = tmp_path / "states.yaml"
    # JSON is YAML, so a list of the same objects is a YAML file.
    yaml.write_text("\n".join(f"- {json.dumps(one)}" for one in records), encoding="utf-8")
    assert read_states(yaml) == read_states(jsonl)


def test_a_need_of_a_state_without_later_observations_is_not_supported(tmp_path: Path):
    (state,) = read_states(written(tmp_path, {**FLAT, "later": []}))
    assert state.needs == (Need(text="The invoice", is_supported=False),)


def test_a_need_may_say_that_nobody_verified_it(tmp_path: Path):
    needs = [{"need": "The invoice", "verified": False}]
    (state,) = read_states(written(tmp_path, {**FLAT, "needs": needs}))
    assert state.needs == (Need(text="The invoice", is_verified=False),)


@pytest.mark.parametrize("key", ["state_id", "trajectory_id", "context", "action"])
def test_a_missing_key_is_named_with_its_line(tmp_path: Path, key: str):
    bad = {name: value for name, value in FLAT.items() if name != key}
    with pytest.raises(InputError, match=rf"states\.jsonl:2: .*missing \['{key}'\]"):
        read_states(written(tmp_path, {**FLAT, "state_id": "F0"}, bad))


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({**FLAT, "answer": "x"}, r"unknown \['answer'\]"),
        ({**FLAT, "context": 7}, "`context` must be text"),
        ({**FLAT, "needs": "x"}, "`needs` must be a list"),
        ({**FLAT, "needs": [{"text": "x"}]}, r"need 1: expected the keys \['need'\]"),
        ({**FLAT, "needs": [{"need": "x", "verified": "yes"}]}, "`verified` must be true or"),
        ({**WHOLE, "steps": [{**STEP, "note": None}]}, "step 1: `note` must be text"),
        ({**WHOLE, "steps": [STEP, {"open": "o"}]}, "step 2: expected the keys"),
        (
            {**WHOLE, "steps": [{**STEP, "needs": [{"need": "x", "observed_in": ["1"]}]}]},
            "step 1, need 1: `observed_in` must list step numbers",
        ),
        ([], r"expected a JSON object, got \[\]"),
    ],
)
def test_a_wrong_record_is_named(tmp_path: Path, record: object, said: str):
    with pytest.raises(InputError, match=rf"states\.jsonl:1: .*{said}|states\.jsonl:1: {said}"):
        read_states(written(tmp_path, record))


def test_a_broken_line_is_named(tmp_path: Path):
    file = tmp_path / "s.jsonl"
    file.write_text(f"{json.dumps(FLAT)}\n\n{{broken\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"s\.jsonl:3: expected a JSON object"):
        read_states(file)


def test_a_state_id_must_not_stand_twice(tmp_path: Path):
    with pytest.raises(InputError, match=r"states\.jsonl:2: the state id 'F1' stands at .*:1"):
        read_states(written(tmp_path, FLAT, FLAT))


def test_an_entry_of_yaml_is_named_by_its_line(tmp_path: Path):
    file = tmp_path / "s.yaml"
    file.write_text(
        "# two states\n- state_id: A\n  trajectory_id: T\n  context: c\n  action: proceed\n"
        "- state_id: B\n  context: c\n",
        encoding="utf-8",
    )
    with pytest.raises(InputError, match=r"s\.yaml:6: .*missing \['action', 'trajectory_id'\]"):
        read_states(file)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("state_id: A\n", r"s\.yml:1: expected a list of states"),
        ("", r"s\.yml:1: expected a list of states"),
        ("- [", r"s\.yml: expected YAML"),
        ("- 7\n", r"s\.yml:1: expected a JSON object, got 7"),
    ],
)
def test_yaml_that_is_no_list_of_states_is_refused(tmp_path: Path, text: str, said: str):
    file = tmp_path / "s.yml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_states(file)


def test_another_kind_of_file_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match=r"states are read from \.jsonl, \.yaml, \.yml"):
        read_states(tmp_path / "s.csv")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path):
    with pytest.raises(InputError, match=r"gone\.jsonl': the states cannot be read"):
        read_states(tmp_path / "gone.jsonl")
