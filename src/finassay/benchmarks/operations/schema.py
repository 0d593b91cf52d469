"""The schema of a contract.  In: YAML.  Out: a contract, or every problem with its line.

`CONTRACT_KEYS` and the functions below are the schema; docs/reference/operation-contracts.md says
it in words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from yaml.nodes import MappingNode, Node

from finassay.benchmarks.operations.contract import (
    CLOSED_KINDS,
    FIELDS,
    KINDS,
    LANGUAGES,
    LAYERS,
    Artifact,
    Criterion,
    Information,
    Kind,
    Layer,
    OperationContract,
    Scoring,
)
from finassay.benchmarks.operations.nodes import YamlReader
from finassay.benchmarks.operations.problems import ContractProblem, quoted, refuse
from finassay.errors import InputError

CONTRACT_KEYS = (
    *("contract", "version", "title", "layer", "group", "capability", "information", "decision"),
    *("artifact", "scoring", "unscored", "provenance"),
)
"""Keys of a contract; all are required."""

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

Found = tuple[OperationContract | None, tuple[ContractProblem, ...]]
"""A contract, None where it cannot be used, and its problems."""


def read_contract(text: str, *, file: str) -> Found:
    """Return the contract that a text says, and every problem with it.

    Args:
        text: YAML.
        file: name of the file, for messages.
    """
    reader = YamlReader(file)
    root = reader.compose(text)
    if root is None:
        return None, tuple(reader.problems)
    entries = reader.mapping(root, "", CONTRACT_KEYS)
    contract = OperationContract(
        name=_name(reader, entries),
        version=_version(reader, entries),
        title=reader.text(entries, "title"),
        layer=cast("Layer", reader.one_of(entries, "layer", LAYERS)),
        group=reader.text(entries, "group"),
        capability=reader.text(entries, "capability"),
        information=_information(reader, entries.get("information")),
        decision=reader.text(entries, "decision"),
        artifact=_artifact(reader, entries.get("artifact")),
        scoring=_scoring(reader, entries),
        provenance=reader.text(entries, "provenance"),
    )
    reader.one_of(entries, "unscored", ("wrong",))
    problems = tuple(sorted(reader.problems, key=lambda problem: problem.line))
    return (None if problems else contract), problems


def load_contract(path: str | Path) -> OperationContract:
    """Return the contract in a file.

    Raises:
        InputError: the file cannot be read; or the contract cannot be used, with every problem,
            one a line.
    """
    contract, problems = read_contract(contract_text(path), file=Path(path).name)
    refuse(problems)
    if contract is None:
        raise InputError(
            f"{path}: expected a contract; write one with `finassay contract new NAME`"
        )
    return contract


def contract_text(path: str | Path) -> str:
    """Return the text of a file.

    Raises:
        InputError: it cannot be read, or is not UTF-8.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{str(path)!r}: cannot be read ({error}); expected a text file in UTF-8"
        ) from error


def _name(reader: YamlReader, entries: Mapping[str, Node]) -> str:
    name = reader.text(entries, "contract")
    if name and not _NAME.fullmatch(name):
        expected = "small letters and digits, joined by single hyphens"
        advice = "as in legal-outcome"
        reader.report(entries["contract"], "contract", expected, quoted(name), advice)
    return name


def _version(reader: YamlReader, entries: Mapping[str, Node]) -> str:
    version = reader.text(entries, "version")
    if version and not (version.isascii() and version.isdecimal() and version.strip("0")):
        expected, advice = (
            "a whole number from 1",
            "raise it by one whenever a verdict could change",
        )
        reader.report(entries["version"], "version", expected, quoted(version), advice)
    return version


def _information(reader: YamlReader, node: Node | None) -> Information:
    if node is None:
        return Information(sources=(), fields=(), boundary="")
    entries = reader.mapping(node, "information", ("sources", "fields", "boundary"))
    fields = reader.texts(entries, "fields", "information")
    for field in fields:
        if field not in FIELDS:
            expected = f"parts of an item: {', '.join(FIELDS)}"
            advice = "name the parts that a system is shown"
            reader.report(entries["fields"], "information.fields", expected, quoted(field), advice)
    return Information(
        sources=reader.texts(entries, "sources", "information"),
        fields=fields,
        boundary=reader.text(entries, "boundary", "information"),
    )


def _artifact(reader: YamlReader, node: Node | None) -> Artifact:
    if node is None:
        return Artifact(kind="label", schema="")
    keys = ("kind", "schema", "instructions")
    entries = reader.mapping(node, "artifact", keys, ("labels",))
    kind = reader.one_of(entries, "kind", KINDS, "artifact")
    labels = entries.get("labels")
    if labels is not None and kind and kind not in CLOSED_KINDS:
        expected = f"no labels for {kind}"
        reader.report(labels, "artifact.labels", expected, "some", "remove the key")
    return Artifact(
        kind=cast("Kind", kind or "label"),
        schema=reader.text(entries, "schema", "artifact"),
        labels=() if labels is None else _labels(reader, labels),
        instructions=_instructions(reader, entries.get("instructions")),
    )


def _labels(reader: YamlReader, node: Node) -> tuple[tuple[str, tuple[str, ...]], ...]:
    entries = reader.entries(node, "artifact.labels")
    return tuple((label, reader.texts(entries, label, "artifact.labels")) for label in entries)


def _instructions(reader: YamlReader, node: Node | None) -> tuple[tuple[str, str], ...]:
    if node is None:
        return ()
    field = "artifact.instructions"
    entries = reader.mapping(node, field, ("en",), LANGUAGES[1:])
    return tuple((language, reader.text(entries, language, field)) for language in entries)


def _scoring(reader: YamlReader, contract: Mapping[str, Node]) -> Scoring:
    node = contract.get("scoring")
    if node is None:
        return Scoring(scorer="", credit="")
    entries = reader.mapping(node, "scoring", ("scorer", "credit"), ("judge", "rubric"))
    rubric = entries.get("rubric")
    if _kind_said(contract) == "rubric_text" and rubric is None:
        advice = "list criteria with weights"
        reader.report(node, "scoring.rubric", "a rubric for rubric_text", "nothing", advice)
    return Scoring(
        scorer=reader.text(entries, "scorer", "scoring"),
        credit=reader.text(entries, "credit", "scoring"),
        judge=reader.text(entries, "judge", "scoring"),
        rubric=() if rubric is None else _rubric(reader, rubric),
    )


def _kind_said(contract: Mapping[str, Node]) -> str:
    artifact = contract.get("artifact")
    if not isinstance(artifact, MappingNode):
        return ""
    return next((str(value.value) for key, value in artifact.value if key.value == "kind"), "")


def _rubric(reader: YamlReader, node: Node) -> tuple[Criterion, ...]:
    found = []
    for at, one in enumerate(reader.items(node, "scoring.rubric")):
        field = f"scoring.rubric[{at}]"
        entries = reader.mapping(one, field, ("criterion", "weight", "asks"))
        found.append(
            Criterion(
                criterion=reader.text(entries, "criterion", field),
                weight=reader.weight(entries, "weight", field),
                asks=reader.text(entries, "asks", field),
            )
        )
    return tuple(found)
