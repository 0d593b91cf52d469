"""Cells of a sweep from a TOML file.  In: a path.  Out: what is declared of each log.

::

    [defaults]
    budget = "10 new tokens"

    [[cells]]
    file = "llama2-chat.json"  # beside the TOML file
    task = "customs2"
    system = "llama2-chat"
    arm = "zero-shot"
    choices = ["no", "yes"]  # in card order
    answers = "free"  # or "exact": the arm that asks for the label alone
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Literal, get_args

from finassay.errors import InputError, MappingError

Answers = Literal["free", "exact"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellSpec:
    """What is declared of one log; an empty arm or budget is undeclared.

    Attributes:
        file: the log.
        task: the dataset and its question.
        system: the model with its decoding.
        arm: prompt arm, a template's name or digest.
        budget: generation budget: most new tokens, stop strings, context limit.
        split: part of the dataset.
        choices: labels in card order; () takes those that the log shows.
        stratum: column of the declared subgroups; "" for none.
        answers: whether the prompt leaves the form of the answer free, or asks for a label alone.
    """

    file: Path
    task: str = ""
    system: str = ""
    arm: str = ""
    budget: str = ""
    split: str = ""
    choices: tuple[str, ...] = ()
    stratum: str = ""
    answers: Answers = "free"


_KEYS = tuple(field.name for field in fields(CellSpec))
_SHARED = tuple(key for key in _KEYS if key != "file")


def load_cell_specs(path: str | Path) -> tuple[CellSpec, ...]:
    """Return the cells of a TOML file, in its order; files are looked for beside it.

    Raises:
        InputError: the file cannot be read.
        MappingError: it is not TOML, declares no cell, or a key or value cannot be used.
    """
    where = Path(path)
    try:
        table: dict[str, object] = tomllib.loads(where.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{where}: the file of cells cannot be read: {error}; name a TOML file in UTF-8"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise MappingError(
            f"{where}: the file of cells is not TOML: {error}; correct that line"
        ) from error
    unknown = sorted(set(table) - {"defaults", "cells"})
    cells, defaults = table.get("cells"), table.get("defaults", {})
    if unknown or not isinstance(cells, list) or not cells or not isinstance(defaults, dict):
        raise MappingError(
            f"{where}: expected a list `[[cells]]` and maybe a table `[defaults]`, got "
            f"{sorted(table)!r}"
        )
    made = []
    for number, cell in enumerate(cells, start=1):
        if not isinstance(cell, dict) or "file" not in cell:
            raise MappingError(f"{where}: cell {number} must name its `file`, got {cell!r}")
        base = CellSpec(file=where.parent / str(cell["file"]))
        values = {**defaults, **{key: cell[key] for key in cell if key != "file"}}
        made.append(_filled(base, values, f"{where}: cell {number}"))
    return tuple(made)


def _filled(base: CellSpec, values: Mapping[str, object], where: str) -> CellSpec:
    """Return the spec with the values of a table."""
    for key, value in values.items():
        if key not in _SHARED:
            raise MappingError(f"{where}: no key {key!r}; expected some of {sorted(_KEYS)}")
        if key == "choices":
            base = replace(base, choices=_labels(value, where))
        elif not isinstance(value, str):
            raise MappingError(f"{where}: `{key}` must be a text, got {value!r}")
        elif key == "answers" and value not in get_args(Answers):
            raise MappingError(f"{where}: `answers` must be 'free' or 'exact', got {value!r}")
        else:
            base = _with(base, key, value)
    return base


def _with(base: CellSpec, key: str, value: str) -> CellSpec:
    texts = {name: getattr(base, name) for name in _KEYS} | {key: value}
    return CellSpec(**texts)


def _labels(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(label, str) for label in value):
        raise MappingError(f"{where}: `choices` must be a list of texts, got {value!r}")
    return tuple(str(label) for label in value)
