"""A study as analyses see it.  In: a snapshot.  Out: records, matrices and counts, no frames."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from finassay.errors import MissingVerdictsError
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.regimes import HUMAN_REGIME, REGIME_NAMES, REGIME_PREFIX
from finassay.marking.reply_matrix import ERROR_LIKE
from finassay.marking.table import VerdictTable, newest_versions
from finassay.records import (
    COVERAGE_BASELINE,
    REFERENCE_CUT,
    Item,
    ReportedScore,
    SystemSpec,
    Unscored,
)
from finassay.study.rows import reported_from
from finassay.study.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyView:
    """What the analyses read of a study, from one pinned version of each table.

    Attributes:
        name: name of the study.
        unscored: its default policy for verdicts without a value.
        items: every item, sorted by id.
        systems: every system, sorted by display name.
        matrices: scorer id -> items x systems (display names) verdicts, of the newest version of
            each scorer, first trial and first repeat.
        regimes: regime name -> the same.
        decided_by: regime name -> (family, scorer id that decides it).
        lengths: system -> characters of each reply.
        empty_replies: system -> ids of items with an empty reply.
        error_replies: system -> ids of items whose reply looks like a transport error.
        cut_references: system -> predictions logged beside a cut copy of the reference.
        trials: system -> trials per item, where there are several.
        n_predictions: predictions in the study, of all systems and trials.
        reported: scores known only as printed.
        versions: (table, pinned version).
        digests: (table, canonical digest).
        baselines: scorer id, or regime/NAME -> ids of items with a verdict that is a baseline of
            coverage only, sorted; those without any are left out.
    """

    name: str
    unscored: Unscored
    items: tuple[Item, ...]
    systems: tuple[SystemSpec, ...]
    matrices: Mapping[str, VerdictMatrix]
    regimes: Mapping[str, VerdictMatrix]
    decided_by: Mapping[str, tuple[tuple[str, str], ...]]
    lengths: Mapping[str, tuple[int, ...]]
    empty_replies: Mapping[str, tuple[str, ...]]
    error_replies: Mapping[str, tuple[str, ...]]
    cut_references: Mapping[str, int]
    trials: Mapping[str, int]
    n_predictions: int
    reported: tuple[ReportedScore, ...]
    versions: tuple[tuple[str, int], ...]
    digests: tuple[tuple[str, str], ...]
    baselines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def load_verdicts(snapshot: Snapshot) -> VerdictTable:
    """Return all verdicts of a study with the systems' display names."""
    named = snapshot.frame("verdicts").join(_names(snapshot), on="system_id", how="left")
    return VerdictTable(named)


def scorer_matrix(snapshot: Snapshot, scorer_id: str) -> VerdictMatrix:
    """Return items x systems (display names) of the newest verdicts of one scorer, first trials.

    Raises:
        MissingVerdictsError: the study holds no verdicts of it.
    """
    own = _said(snapshot, scorer_id, 0, _names(snapshot))
    if not len(own):
        raise MissingVerdictsError(
            f"the study at {snapshot.root} holds no verdicts of {scorer_id!r}; there are: "
            f"{', '.join(snapshot.scorer_ids()) or 'none'}"
        )
    return _matrix(own, sorted(snapshot.items(), key=lambda item: item.item_id))


def view_study(snapshot: Snapshot, *, trial: int = 0, needs_verdicts: bool = True) -> StudyView:
    """Return what analyses read of a study.

    Args:
        snapshot: pinned tables.
        trial: the trial to look at; where a system has several, `trials` says how many.
        needs_verdicts: False where a study without verdicts has something to say too.

    Raises:
        MissingVerdictsError: the study holds no verdicts, and they are needed.
    """
    scorers = snapshot.scorer_ids()
    if needs_verdicts and not scorers:
        raise MissingVerdictsError(
            f"the study at {snapshot.root} holds no verdicts; run `finassay score "
            f"{snapshot.root}` first, or import verdicts of judges and people"
        )
    items = tuple(sorted(snapshot.items(), key=lambda item: item.item_id))
    shown = _names(snapshot)
    said = {scorer_id: _said(snapshot, scorer_id, trial, shown) for scorer_id in scorers}
    laid = {name: _matrix(table, items) for name, table in said.items() if len(table)}
    everything = _replies(snapshot)
    replies = everything.filter(pl.col("trial").eq(trial))
    names = {spec.system_id: spec.name for spec in snapshot.systems()}
    return StudyView(
        name=snapshot.config.name,
        unscored=snapshot.config.unscored,
        items=items,
        systems=tuple(snapshot.systems()),
        matrices={k: m for k, m in laid.items() if not k.startswith(REGIME_PREFIX)},
        regimes=_regimes(laid),
        decided_by=_decided_by(snapshot, items),
        lengths={name: tuple(part["length"]) for name, part in _by_system(replies, names)},
        empty_replies=_ids_where(replies, names, "is_empty"),
        error_replies=_ids_where(replies, names, "is_error"),
        cut_references={
            name: int(part["is_cut"].sum())
            for name, part in _by_system(replies, names)
            if part["is_cut"].any()
        },
        trials=_trials(everything, names),
        n_predictions=everything.height,
        reported=tuple(reported_from(snapshot.frame("reported"))),
        versions=tuple(sorted(snapshot.versions.items())),
        digests=tuple(sorted(snapshot.digests().items())),
        baselines={name: ids for name, table in said.items() if (ids := _baselines(table))},
    )


_READ = (
    "item_id",
    "system_id",
    "trial",
    "scorer_id",
    "scorer_version",
    "repeat",
    "status",
    "value",
)
"""Columns of verdicts that an analysis reads; reasons and what was extracted stay on disk."""


def _said(snapshot: Snapshot, scorer_id: str, trial: int, names: pl.DataFrame) -> VerdictTable:
    """Return the newest verdicts of one scorer in one trial, with the systems' display names."""
    flagged = pl.col("flags").list.contains(COVERAGE_BASELINE).fill_null(value=False)
    rows = (
        snapshot.scan("verdicts")
        .filter(pl.col("scorer_id").eq(scorer_id), pl.col("trial").eq(trial))
        .filter(pl.col("repeat").eq(0))
        .select(*_READ, is_baseline=flagged)
        .collect()
    )
    return VerdictTable(newest_versions(rows.join(names, on="system_id", how="left")))


def _names(snapshot: Snapshot) -> pl.DataFrame:
    """Return the display name of each system id."""
    return pl.DataFrame(
        [(spec.system_id, spec.name) for spec in snapshot.systems()],
        schema={"system_id": pl.String, "system": pl.String},
        orient="row",
    )


def _baselines(table: VerdictTable) -> tuple[str, ...]:
    flagged = table.frame.filter("is_baseline")["item_id"].unique().sort()
    return tuple(flagged.to_list())


def _matrix(table: VerdictTable, items: Sequence[Item]) -> VerdictMatrix:
    """Return items x systems (display names) of the verdicts of one scorer."""
    rows = [(item.item_id,) for item in items]
    return table.matrix(rows=("item_id",), columns="system", row_order=rows)


def _regimes(laid: Mapping[str, VerdictMatrix]) -> dict[str, VerdictMatrix]:
    """Return the matrices of regimes by name: the known ones in their order, then others."""
    found = {name.removeprefix(REGIME_PREFIX) for name in laid if name.startswith(REGIME_PREFIX)}
    known = [name for name in (*REGIME_NAMES, HUMAN_REGIME) if name in found]
    return {name: laid[f"{REGIME_PREFIX}{name}"] for name in (*known, *sorted(found - set(known)))}


def _replies(snapshot: Snapshot) -> pl.DataFrame:
    text = pl.col("text")
    flags = pl.col("flags").list.contains(REFERENCE_CUT).fill_null(value=False)
    return (
        snapshot.scan("predictions")
        .select(
            "item_id",
            "system_id",
            "trial",
            length=text.str.len_chars(),
            is_empty=text.str.strip_chars().eq(""),
            is_error=text.str.contains(ERROR_LIKE),
            is_cut=flags,
        )
        .sort("system_id", "item_id", "trial")
        .collect()
    )


def _by_system(replies: pl.DataFrame, names: Mapping[str, str]) -> list[tuple[str, pl.DataFrame]]:
    parts = replies.partition_by("system_id", as_dict=True, maintain_order=True)
    return sorted((names[str(key[0])], part) for key, part in parts.items())


def _ids_where(
    replies: pl.DataFrame, names: Mapping[str, str], column: str
) -> dict[str, tuple[str, ...]]:
    found = {
        name: tuple(part.filter(pl.col(column))["item_id"].to_list())
        for name, part in _by_system(replies, names)
    }
    return {name: ids for name, ids in found.items() if ids}


def _trials(replies: pl.DataFrame, names: Mapping[str, str]) -> dict[str, int]:
    counts = {name: part["trial"].n_unique() for name, part in _by_system(replies, names)}
    return {name: count for name, count in counts.items() if count > 1}


def _decided_by(
    snapshot: Snapshot, items: Sequence[Item]
) -> dict[str, tuple[tuple[str, str], ...]]:
    families = sorted({item.family for item in items})
    known = {}
    for row in snapshot.frame("scorers").iter_rows(named=True):
        if row["scorer_id"].startswith(REGIME_PREFIX):
            spec = json.loads(row["spec"])
            known[spec["regime"]] = tuple((name, _decider(spec, name)) for name in families)
    return known


def _decider(spec: Mapping[str, object], family: str) -> str:
    judged, composite = spec["judged_families"], spec["composite"]
    if not isinstance(judged, list) or not isinstance(composite, dict) or family not in judged:
        return str(spec["base"])
    parts = [part["name"] for part in composite["parameters"]["parts"]]
    return f" {_JOINTS[composite['name']]} ".join(parts)


_JOINTS = {"any_of": "or", "all_of": "and", "first_scored": "else"}
