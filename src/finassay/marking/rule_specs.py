"""The rules that a study holds verdicts of.  In: a snapshot.  Out: what each is, exactly."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import polars as pl

from finassay.errors import UsageError
from finassay.marking.regimes import REGIME_PREFIX
from finassay.records import JUDGE_PREFIX, PERSON_PREFIX
from finassay.scorers.registry import is_imported, scorer_class
from finassay.study.snapshot import Snapshot

RuleKind = Literal["rule", "judge", "person", "imported", "regime"]
"""Where the verdicts come from: computed, a judge, a person, a source, or several combined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSpec:
    """A rule with verdicts in a study.

    Attributes:
        scorer_id: its id, as commands take it.
        version: version of the rule that made the verdicts.
        kind: where the verdicts come from.
        says: what it does, in one sentence; "" where nobody said.
        parameters: (name, value as JSON) of every parameter that its spec gives.
        spec: the whole spec as JSON text; "" where the study holds none.
        package_version: version of the package that made the verdicts; "" where unknown.
        n_verdicts: verdicts in the study, of all versions.
        n_scored: those among them with a value.
    """

    scorer_id: str
    version: str
    kind: RuleKind
    says: str
    parameters: tuple[tuple[str, str], ...]
    spec: str
    package_version: str
    n_verdicts: int
    n_scored: int


def rule_specs(snapshot: Snapshot) -> tuple[RuleSpec, ...]:
    """Return every rule with verdicts: computed ones, then judges, people, imports, regimes."""
    counted = (
        snapshot.scan("verdicts")
        .group_by("scorer_id", "scorer_version")
        .agg(n=pl.len(), scored=pl.col("status").eq("scored").sum())
        .collect()
    )
    known = {
        (row["scorer_id"], row["scorer_version"]): row
        for row in snapshot.frame("scorers").iter_rows(named=True)
    }
    made = [
        _spec(scorer_id, version, known.get((scorer_id, version), {}), counts=(n, scored))
        for scorer_id, version, n, scored in counted.iter_rows()
    ]
    order = ("rule", "judge", "person", "imported", "regime")
    return tuple(sorted(made, key=lambda one: (order.index(one.kind), one.scorer_id, one.version)))


def _spec(
    scorer_id: str, version: str, row: Mapping[str, str], *, counts: tuple[int, int]
) -> RuleSpec:
    text = row.get("spec", "")
    kind = rule_kind(scorer_id)
    return RuleSpec(
        scorer_id=scorer_id,
        version=version,
        kind=kind,
        says=_says(row.get("name", ""), kind),
        parameters=_parameters(text),
        spec=text,
        package_version=row.get("package_version", ""),
        n_verdicts=counts[0],
        n_scored=counts[1],
    )


def rule_kind(scorer_id: str) -> RuleKind:
    """Return where the verdicts under a scorer id come from."""
    if scorer_id.startswith(REGIME_PREFIX):
        return "regime"
    if scorer_id.startswith(JUDGE_PREFIX):
        return "judge"
    if scorer_id.startswith(PERSON_PREFIX):
        return "person"
    return "imported" if is_imported(scorer_id) else "rule"


_SAID: Mapping[RuleKind, str] = {
    "judge": "What a judge said of the reply.",
    "person": "What a person said of the reply.",
    "imported": "The verdicts that came with the predictions.",
    "regime": "One rule for each family of items, chosen by the regime.",
}


def _says(name: str, kind: RuleKind) -> str:
    """Return the first line of the documentation of a rule's class."""
    if kind != "rule" or not name:
        return _SAID.get(kind, "")
    try:
        doc = scorer_class(name).__doc__ or ""
    except UsageError:
        return ""
    return " ".join(doc.strip().partition("\n\n")[0].split())


def _parameters(text: str) -> tuple[tuple[str, str], ...]:
    try:
        spec = json.loads(text) if text else {}
    except ValueError:
        return ()
    given = spec.get("parameters") if isinstance(spec, dict) else None
    if not isinstance(given, dict):
        given = {k: v for k, v in spec.items() if k != "name"} if isinstance(spec, dict) else {}
    return tuple((key, json.dumps(value, ensure_ascii=False)) for key, value in given.items())
