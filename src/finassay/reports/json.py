"""The report as JSON, and its published schema.  In: an audit.  Out: text and mappings."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from importlib.resources import files
from types import NoneType, UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

from finassay.analyses.results import Audit, Json, Leaderboard, to_jsonable
from finassay.errors import UnknownNameError

AUDIT_SCHEMA = "finassay/audit/1"
SCHEMAS = ("audit",)


def without_texts(audit: Audit) -> Audit:
    """Return the audit without free text of its inputs (notes of reported rows)."""

    def bare(board: Leaderboard) -> Leaderboard:
        return replace(board, reported=tuple(replace(r, note="") for r in board.reported))

    turned = audit.overturns
    if turned is not None:
        turned = replace(turned, reported=tuple(replace(r, note="") for r in turned.reported))
    return replace(
        audit,
        overturns=turned,
        leaderboard=bare(audit.leaderboard),
        other_leaderboards=tuple(bare(board) for board in audit.other_leaderboards),
        regime_leaderboards=tuple(bare(board) for board in audit.regime_leaderboards),
    )


def audit_object(audit: Audit, *, no_text: bool = False) -> dict[str, Json]:
    """Return the audit as plain JSON types: rates are fractions, no value is null."""
    plain = to_jsonable(without_texts(audit) if no_text else audit)
    if not isinstance(plain, dict):
        raise TypeError(f"an audit becomes an object, got {type(plain).__name__}")
    return {"schema": AUDIT_SCHEMA, **plain}


def audit_json(audit: Audit, *, no_text: bool = False) -> str:
    """Return the audit as JSON text with keys in the order of the published schema."""
    plain = audit_object(audit, no_text=no_text)
    # Without indentation the encoder written in C is used, ten times as fast on a large audit.
    return json.dumps(plain, ensure_ascii=False, allow_nan=False) + "\n"


def schema(name: str) -> dict[str, Json]:
    """Return a published JSON Schema (draft 2020-12) by name, for instance "audit".

    Raises:
        UnknownNameError: there is no schema of that name.
    """
    if name not in SCHEMAS:
        raise UnknownNameError(f"no schema is called {name!r}; there are: {', '.join(SCHEMAS)}")
    text = files("finassay.reports").joinpath("schemas", f"{name}.json").read_text("utf-8")
    loaded: dict[str, Json] = json.loads(text)
    return loaded


def schema_of_audit() -> dict[str, Json]:
    """Return the schema that the result classes imply; the published file must equal it."""
    return schema_of(Audit, AUDIT_SCHEMA, "Audit of a leaderboard")


def schema_of(record: type, name: str, title: str) -> dict[str, Json]:
    """Return the JSON Schema of a result class, with a first field `schema` that holds a name.

    Args:
        record: a dataclass whose fields have JSON forms.
        name: what the field `schema` holds, for instance "finassay/audit/1".
        title: title of the schema.
    """
    definitions: dict[str, Json] = {}
    body = _object(record, definitions)
    properties: dict[str, Json] = {"schema": {"const": name}}
    inner, required = body["properties"], body["required"]
    if isinstance(inner, dict) and isinstance(required, list):
        properties |= inner
        required = ["schema", *required]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **body,
        "properties": properties,
        "required": required,
        "$defs": dict(sorted(definitions.items())),
    }


def _object(record: type, definitions: dict[str, Json]) -> dict[str, Json]:
    hints = get_type_hints(record)
    said = _attributes(record.__doc__ or "")
    properties: dict[str, Json] = {}
    for field in fields(record):
        kind = _kind(hints[field.name], definitions)
        if field.name in said:
            kind = {"description": said[field.name], **kind}
        properties[field.name] = kind
    first = (record.__doc__ or "").partition("\n")[0]
    return {
        "description": first,
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _attributes(doc: str) -> dict[str, str]:
    """Return the descriptions below "Attributes:" of a docstring, by field."""
    block = doc.partition("Attributes:\n")[2]
    found = re.findall(r"^ {8}(\w+): (.*(?:\n {12}.*)*)", block, flags=re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in found}


def _kind(hint: object, definitions: dict[str, Json]) -> dict[str, Json]:
    origin = get_origin(hint)
    if origin in {Union, UnionType}:
        return _optional(get_args(hint), definitions)
    if origin is Literal:
        return {"enum": list(get_args(hint))}
    if origin is tuple:
        return _tuple(get_args(hint), definitions)
    if origin in {dict, Mapping}:
        return {"type": "object", "additionalProperties": _kind(get_args(hint)[1], definitions)}
    if isinstance(hint, type) and is_dataclass(hint):
        if hint.__name__ not in definitions:
            definitions[hint.__name__] = {}
            definitions[hint.__name__] = _object(hint, definitions)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    plain = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}
    for known, name in plain.items():
        if hint is known:
            return {"type": name}
    raise TypeError(f"a result field has no JSON Schema: {hint!r}")


def _optional(parts: tuple[object, ...], definitions: dict[str, Json]) -> dict[str, Json]:
    return {"anyOf": [_kind(part, definitions) for part in parts]}


def _tuple(parts: tuple[object, ...], definitions: dict[str, Json]) -> dict[str, Json]:
    if len(parts) == 2 and parts[1] is Ellipsis:
        return {"type": "array", "items": _kind(parts[0], definitions)}
    kinds: list[Json] = [_kind(part, definitions) for part in parts]
    size = len(kinds)
    return {"type": "array", "prefixItems": kinds, "minItems": size, "maxItems": size}
