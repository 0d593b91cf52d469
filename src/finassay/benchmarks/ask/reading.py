"""Reading states and trajectories.  In: JSON Lines or YAML.  Out: state records, places in errors.

A record with the key `steps` is a trajectory and is replayed; any other is one state.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from finassay.benchmarks.ask.states import Need, StateRecord, Step, StepNeed, Trajectory, replay
from finassay.benchmarks.reading import (
    Record,
    as_record,
    list_of,
    optional_text_of,
    record_from,
    require_keys,
    text_of,
    texts_of,
)
from finassay.errors import InputError

YAML_SUFFIXES = frozenset({".yaml", ".yml"})
SUFFIXES = frozenset({".jsonl", *YAML_SUFFIXES})

_TRAJECTORY = ("trajectory_id", "domain", "language", "case", "steps")
_STEP = ("open", "action", "note", "observed")
_STATE = ("state_id", "trajectory_id", "context", "action")
_STATE_OPTIONAL = ("needs", "later", "domain", "language")

Placed = tuple[Record, str]
"""A record and where it stands."""


def read_states(path: str | os.PathLike[str]) -> tuple[StateRecord, ...]:
    """Return the states of a file, in order, before the retention rules.

    Args:
        path: JSON Lines (`.jsonl`), or YAML (`.yaml`, `.yml`) that holds a list of records.

    Raises:
        InputError: the file cannot be read, a record lacks a key or has an unknown one, or an id
            stands twice; the message names file, line and key.
    """
    file = Path(path)
    if file.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"{str(file)!r}: states are read from {', '.join(sorted(SUFFIXES))}, got "
            f"{file.suffix!r}; rename or convert the file"
        )
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{str(file)!r}: the states cannot be read: {error}"
            "; name a file of states in UTF-8 (.jsonl or .yaml)"
        ) from error
    is_yaml = file.suffix.lower() in YAML_SUFFIXES
    placed = yaml_records(text, file.name) if is_yaml else jsonl_records(text, file.name)
    return states_from(placed)


def states_from(placed: Iterator[Placed]) -> tuple[StateRecord, ...]:
    """Return the states of records, each trajectory replayed.

    Raises:
        InputError: a record cannot be used, or a state id stands twice.
    """
    found: list[StateRecord] = []
    seen: dict[str, str] = {}
    for record, where in placed:
        for state in _states(record, where):
            if state.state_id in seen:
                raise InputError(
                    f"{where}: the state id {state.state_id!r} stands at "
                    f"{seen[state.state_id]} already; give every state an id of its own"
                )
            seen[state.state_id] = where
            found.append(state)
    return tuple(found)


def jsonl_records(text: str, file: str) -> Iterator[Placed]:
    """Yield (object, "FILE:LINE") for each line that is not blank.

    Raises:
        InputError: a line is not a JSON object.
    """
    # Not splitlines(): JSON texts may hold U+2028 and other characters that it splits at.
    for line, content in enumerate(text.removesuffix("\n").split("\n"), start=1):
        if content.strip():
            yield record_from(content, f"{file}:{line}"), f"{file}:{line}"


def yaml_records(text: str, file: str) -> Iterator[Placed]:
    """Yield (mapping, "FILE:LINE") for each entry of the list that a YAML text holds.

    Raises:
        InputError: the text is not YAML, or not a list of mappings.
    """
    import yaml  # noqa: PLC0415 - slow to load

    loader = yaml.SafeLoader(text)
    try:
        root = loader.get_single_node()
        nodes = root.value if isinstance(root, yaml.SequenceNode) else []
        made = [
            (loader.construct_object(node, deep=True), node.start_mark.line + 1) for node in nodes
        ]
    except yaml.YAMLError as error:
        raise InputError(f"{file}: expected YAML: {error}") from error
    finally:
        loader.dispose()
    if not made:
        raise InputError(f"{file}:1: expected a list of states or trajectories, each after a '-'")
    for value, line in made:
        yield as_record(value, f"{file}:{line}"), f"{file}:{line}"


def _states(record: Record, where: str) -> tuple[StateRecord, ...]:
    if "steps" in record:
        return replay(_trajectory(record, where))
    return (_state(record, where),)


def _state(record: Record, where: str) -> StateRecord:
    require_keys(record, _STATE, where, optional=_STATE_OPTIONAL)
    later = texts_of(record, "later", where) if "later" in record else ()
    listed = list_of(record, "needs", where) if "needs" in record else []
    return StateRecord(
        state_id=text_of(record, "state_id", where),
        trajectory_id=text_of(record, "trajectory_id", where),
        context=text_of(record, "context", where),
        action=text_of(record, "action", where),
        needs=tuple(
            _need(value, f"{where}: need {at}", has_later=bool(later))
            for at, value in enumerate(listed, start=1)
        ),
        later=later,
        domain=text_of(record, "domain", where) if "domain" in record else "",
        language=text_of(record, "language", where) if "language" in record else "en",
    )


def _need(value: object, where: str, *, has_later: bool) -> Need:
    if isinstance(value, str):
        return Need(text=value, is_supported=has_later)
    record = as_record(value, where)
    require_keys(record, ("need",), where, optional=("verified",))
    return Need(
        text=text_of(record, "need", where),
        is_verified=_flag(record, "verified", where),
        is_supported=has_later,
    )


def _trajectory(record: Record, where: str) -> Trajectory:
    require_keys(record, _TRAJECTORY, where)
    steps = list_of(record, "steps", where)
    return Trajectory(
        trajectory_id=text_of(record, "trajectory_id", where),
        domain=text_of(record, "domain", where),
        language=text_of(record, "language", where),
        case=text_of(record, "case", where),
        steps=tuple(
            _step(as_record(step, f"{where}: step {at}"), f"{where}: step {at}")
            for at, step in enumerate(steps, start=1)
        ),
    )


def _step(record: Record, where: str) -> Step:
    require_keys(record, _STEP, where, optional=("needs",))
    needs = list_of(record, "needs", where) if "needs" in record else []
    return Step(
        open=text_of(record, "open", where),
        action=text_of(record, "action", where),
        note=text_of(record, "note", where),
        observed=optional_text_of(record, "observed", where),
        needs=tuple(
            _step_need(as_record(need, f"{where}, need {at}"), f"{where}, need {at}")
            for at, need in enumerate(needs, start=1)
        ),
    )


def _step_need(record: Record, where: str) -> StepNeed:
    require_keys(record, ("need", "observed_in"), where, optional=("verified",))
    numbers = list_of(record, "observed_in", where)
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers):
        raise InputError(f"{where}: `observed_in` must list step numbers from 1, got {numbers!r}")
    return StepNeed(
        text=text_of(record, "need", where),
        observed_in=tuple(number for number in numbers if isinstance(number, int)),
        is_verified=_flag(record, "verified", where),
    )


def _flag(record: Record, key: str, where: str) -> bool:
    value = record.get(key, True)
    if not isinstance(value, bool):
        raise InputError(f"{where}: `{key}` must be true or false, got {value!r}")
    return value
