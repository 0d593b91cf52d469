"""A study as analyses see it.  In: a snapshot.  Out: records, matrices and counts, no frames."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from finassay.errors import MissingVerdictsError
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.regimes import HUMAN_REGIME, REGIME_NAMES, REGIME_PREFIX
from finassay.marking.study_cells import Cells, replies_of
from finassay.marking.table import VerdictTable
from finassay.records import Item, ReportedScore, SystemSpec, Unscored
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
    cells = Cells(snapshot, _item_ids(snapshot), snapshot.systems())
    found = cells.of(scorer_id, 0)[0] if scorer_id in cells.scorer_ids else None
    if found is None:
        raise MissingVerdictsError(
            f"the study at {snapshot.root} holds no verdicts of {scorer_id!r}; there are: "
            f"{', '.join(snapshot.scorer_ids()) or 'none'}"
        )
    return found


def _item_ids(snapshot: Snapshot) -> list[str]:
    found = snapshot.scan("items").select("item_id").collect()["item_id"].to_list()
    return sorted(map(str, found))


def view_study(snapshot: Snapshot, *, trial: int = 0, needs_verdicts: bool = True) -> StudyView:
    """Return what analyses read of a study.

    Args:
        snapshot: pinned tables.
        trial: the trial to look at; where a system has several, `trials` says how many.
        needs_verdicts: False where a study without verdicts has something to say too.

    Raises:
        MissingVerdictsError: the study holds no verdicts, and they are needed.
    """
    items = tuple(sorted(snapshot.items(), key=lambda item: item.item_id))
    systems = tuple(snapshot.systems())
    cells = Cells(snapshot, [item.item_id for item in items], systems)
    if needs_verdicts and not cells.scorer_ids:
        raise MissingVerdictsError(
            f"the study at {snapshot.root} holds no verdicts; run `finassay score "
            f"{snapshot.root}` first, or import verdicts of judges and people"
        )
    laid: dict[str, VerdictMatrix] = {}
    baselines: dict[str, tuple[str, ...]] = {}
    for scorer_id in cells.scorer_ids:
        matrix, flagged = cells.of(scorer_id, trial)
        if matrix is not None:
            laid[scorer_id] = matrix
        if flagged:
            baselines[scorer_id] = flagged
    replies = replies_of(snapshot, {spec.system_id: spec.name for spec in systems}, trial=trial)
    return StudyView(
        name=snapshot.config.name,
        unscored=snapshot.config.unscored,
        items=items,
        systems=systems,
        matrices={k: m for k, m in laid.items() if not k.startswith(REGIME_PREFIX)},
        regimes=_regimes(laid),
        decided_by=_decided_by(snapshot, items),
        lengths=replies.lengths,
        empty_replies=replies.empty,
        error_replies=replies.errors,
        cut_references=replies.cut_references,
        trials=replies.trials,
        n_predictions=replies.count,
        reported=tuple(reported_from(snapshot.frame("reported"))),
        versions=tuple(sorted(snapshot.versions.items())),
        digests=tuple(sorted(snapshot.digests().items())),
        baselines=baselines,
    )


def _names(snapshot: Snapshot) -> pl.DataFrame:
    """Return the display name of each system id."""
    return pl.DataFrame(
        [(spec.system_id, spec.name) for spec in snapshot.systems()],
        schema={"system_id": pl.String, "system": pl.String},
        orient="row",
    )


def _regimes(laid: Mapping[str, VerdictMatrix]) -> dict[str, VerdictMatrix]:
    """Return the matrices of regimes by name: the known ones in their order, then others."""
    found = {name.removeprefix(REGIME_PREFIX) for name in laid if name.startswith(REGIME_PREFIX)}
    known = [name for name in (*REGIME_NAMES, HUMAN_REGIME) if name in found]
    return {name: laid[f"{REGIME_PREFIX}{name}"] for name in (*known, *sorted(found - set(known)))}


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
