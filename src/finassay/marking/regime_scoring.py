"""Regimes over a study.  In: verdicts of several scorers.  Out: verdicts under a regime's name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from finassay._version import __version__
from finassay.errors import CellClashError
from finassay.marking.columns import OUTPUT_SCHEMA
from finassay.marking.combine import combine
from finassay.marking.consensus import CONSENSUS
from finassay.marking.parts import write_part
from finassay.marking.regimes import (
    HUMAN_REGIME,
    Regime,
    available,
    choose_base,
    choose_judge,
    regime,
    require_held,
)
from finassay.marking.rows import DIGESTS, KEYS, chosen_systems, item_columns, verdict_rows
from finassay.marking.scoring import ScoreReport, chunks_of_systems
from finassay.marking.table import newest_versions, version_key
from finassay.marking.waiting import Waiting
from finassay.records import JUDGE_PREFIX, SystemSpec, content_id
from finassay.scorers.composites import Composite, FirstScored, Imported
from finassay.scorers.registry import to_spec
from finassay.study.pieces import scan_pieces, slices
from finassay.study.snapshot import Snapshot
from finassay.study.study import Study

VERSION = "1"
_NOT_APPLICABLE = "not_applicable"

MOST_HELD = 500_000
"""Predictions of one system whose verdicts are combined at once."""

ABSENT_REASON = "the study holds no verdict on this reply"


def score_regimes(
    study: Study,
    *,
    names: Sequence[str] | None = None,
    base: str | None = None,
    judge: str | None = None,
) -> ScoreReport:
    """Mark a study under regimes, and return what was done.

    Systems without any verdict of the judge are left out of regimes that need one.  Where a part
    is silent on single predictions of a system, it counts as failed: the regime has a value there
    only if another part settles it.

    Args:
        study: an open study that holds verdicts already.
        names: regimes; by default all for which there are verdicts.
        base: scorer id of the string rule; `stored`, else the strict rule by default.
        judge: scorer id of the judge; the first by name by default.

    Raises:
        UnknownNameError: there is no such regime.
        MissingVerdictsError: the base, or the judge that a regime needs, holds no verdicts.
        CellClashError: a part holds several verdicts on one prediction.
    """
    snapshot = study.snapshot()
    held = snapshot.scan("verdicts").select("scorer_id").unique().collect()["scorer_id"].to_list()
    require_held(base, "base", held)
    require_held(judge, "judge", held)
    chosen = available(held, base=base, judge=judge) if names is None else tuple(names)
    if not chosen:
        return ScoreReport(
            scorers=(), systems=(), marked=0, up_to_date=0, without_item=0, redacted=0
        )
    rule, said = base or choose_base(held), judge or choose_judge(held)
    regimes = [regime(name, base=rule, judge=said) for name in chosen]
    items = item_columns(snapshot).select("item_id", "family", "item_digest")
    judged = {one.name: _judged_families(snapshot, items, _decider(one, said)) for one in regimes}
    for one in regimes:
        _record(study, one, judged[one.name])
    systems = chosen_systems(snapshot, None)
    waiting = Waiting(study)
    sizes = snapshot.rows_of_systems("predictions")
    for chunk in chunks_of_systems(snapshot, systems):
        for one in regimes:
            work = one, judged[one.name], items
            if sizes.get(chunk[0].system_id, 0) > MOST_HELD:
                _mark_large(waiting, snapshot, work, chunk[0].system_id)
                continue
            for system_id, verdicts in _mark_systems(snapshot, work, chunk):
                waiting.add(verdicts, (one.scorer_id, VERSION, system_id))
    waiting.commit()
    commits = waiting.commits
    return ScoreReport(
        scorers=tuple(one.scorer_id for one in regimes),
        systems=tuple(spec.name for spec in systems),
        marked=sum(commit.rows for commit in commits if commit.changed),
        up_to_date=sum(commit.rows for commit in commits if not commit.changed),
        without_item=0,
        redacted=0,
    )


def _decider(one: Regime, judge: str | None) -> str | None:
    """Return the scorer whose families a regime does not leave to its base."""
    return CONSENSUS if one.name == HUMAN_REGIME else judge


def _judged_families(snapshot: Snapshot, items: pl.DataFrame, judge: str | None) -> tuple[str, ...]:
    if judge is None:
        return ()
    applies = pl.col("status").ne(_NOT_APPLICABLE)
    said = snapshot.scan("verdicts").filter(pl.col("scorer_id").eq(judge), applies)
    said = said.select("item_id")
    judged = items.join(said.unique().collect(), on="item_id", how="semi")
    return tuple(sorted(judged["family"].unique().to_list()))


def _record(study: Study, one: Regime, judged: tuple[str, ...]) -> None:
    spec = {
        "regime": one.name,
        "composite": json.loads(to_spec(one.composite)),
        "base": one.base,
        "judged_families": list(judged) if one.name != "strict" else [],
    }
    study.add_scorer(
        one.scorer_id,
        VERSION,
        name=one.scorer_id,
        spec=json.dumps(spec, sort_keys=True),
        package_version=__version__,
    )


_Work = tuple[Regime, tuple[str, ...], pl.DataFrame]
"""A regime, the families that it does not leave to its base, and the items."""


def _mark_systems(
    snapshot: Snapshot, work: _Work, specs: Sequence[SystemSpec]
) -> list[tuple[str, pl.DataFrame]]:
    """Return (system id, verdicts) of the systems that every part of the regime has marked."""
    one = work[0]
    ids = [spec.system_id for spec in specs]
    verdicts = newest_versions(snapshot.frame("verdicts", system_id=ids, scorer_id=one.parts))
    held = set(verdicts.select("system_id", "scorer_id").unique().iter_rows())
    marked = [name for name in ids if all((name, part) in held for part in _needed(one))]
    predictions = snapshot.frame("predictions", system_id=marked).select(*KEYS, "text_digest")
    parts = _marked(work, predictions, verdicts).partition_by("system_id", as_dict=True)
    return sorted((str(key[0]), part) for key, part in parts.items())


def _mark_large(waiting: Waiting, snapshot: Snapshot, work: _Work, system_id: str) -> None:
    """Mark a system that is too large to be held, in slices, and commit it whole."""
    one = work[0]
    versions: dict[str, str] = {}
    for (scorer_id, version, of_system), _ in snapshot.files("verdicts"):
        if of_system == system_id and scorer_id in one.parts:
            known = versions.setdefault(scorer_id, version)
            versions[scorer_id] = max(known, version, key=version_key)
    if not all(part in versions for part in _needed(one)):
        return
    pairs = pl.LazyFrame(
        list(versions.items()),
        schema={"scorer_id": pl.String, "scorer_version": pl.String},
        orient="row",
    )
    own = pl.col("system_id").eq(system_id) & pl.col("scorer_id").is_in(list(versions))
    said = snapshot.scan("verdicts").filter(own).join(pairs, on=list(pairs.collect_schema()))
    files: list[Path] = []
    for pieces in slices(snapshot, "predictions", system_id, most=MOST_HELD):
        rows = scan_pieces(snapshot, "predictions", pieces).select(*KEYS, "text_digest").collect()
        keys = rows.select(KEYS).lazy()
        verdicts = said.join(keys, on=KEYS, how="semi").collect(engine="streaming")
        inputs = content_id(one.scorer_id, system_id, str(len(files)))
        part = write_part(snapshot.root, inputs, _marked(work, rows, verdicts), made=0)
        files.append(snapshot.root / part.name)
    waiting.commit_files(files, (one.scorer_id, VERSION, system_id))


def _needed(one: Regime) -> set[str]:
    return {part.name for part in one.composite.parts}


def _marked(work: _Work, predictions: pl.DataFrame, verdicts: pl.DataFrame) -> pl.DataFrame:
    """Return a regime's verdicts on predictions, of the verdicts of its parts on them."""
    one, judged, items = work
    rows = predictions.join(items, on="item_id", how="inner", maintain_order="left")
    # A judge that does not apply to an item leaves it to the base, as it leaves whole families.
    inapplicable = verdicts.filter(
        pl.col("scorer_id").str.starts_with(JUDGE_PREFIX), pl.col("status").eq(_NOT_APPLICABLE)
    ).select(*KEYS, applies=pl.lit(value=False))
    rows = rows.join(inapplicable, on=KEYS, how="left", maintain_order="left")
    is_judged = pl.col("family").is_in(list(judged)).fill_null(value=False)
    is_judged &= pl.col("applies").fill_null(value=True)
    base = FirstScored(parts=(Imported(name=one.base),))
    return pl.concat(
        [
            _combined(rows.filter(is_judged), verdicts, one.composite, one.scorer_id),
            _combined(rows.filter(~is_judged), verdicts, base, one.scorer_id),
        ]
    )


def _combined(
    rows: pl.DataFrame, verdicts: pl.DataFrame, composite: Composite, scorer_id: str
) -> pl.DataFrame:
    parts = [
        (part.name, _said(rows, verdicts.filter(pl.col("scorer_id").eq(part.name)), part.name))
        for part in composite.parts
    ]
    return verdict_rows(rows, combine(composite, parts), scorer_id, VERSION)


def _said(rows: pl.DataFrame, verdicts: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return what a scorer says of each row; failed where it says nothing of the present text.

    A gap must not read as "does not apply": with it, strict-or-judge would be wrong wherever the
    strict rule is and the judge was never asked.
    """
    doubled = verdicts.select(KEYS).is_duplicated()
    if doubled.any():
        first = verdicts.filter(doubled).row(0, named=True)
        raise CellClashError(
            f"{name!r} holds several verdicts on item {first['item_id']!r} of system "
            f"{first['system_id']!r}, trial {first['trial']}; a regime needs one for each "
            f"prediction: reduce the axis scorer_version or repeat to one first"
        )
    present = rows.select(*KEYS, *(pl.col(name).alias(f"{name}_now") for name in DIGESTS))
    said = (
        verdicts.select(*KEYS, *DIGESTS, *OUTPUT_SCHEMA.names())
        .join(present, on=KEYS)
        .filter(_is_current(name) for name in DIGESTS)
    )
    columns = rows.select(KEYS).join(said, on=KEYS, how="left", maintain_order="left")
    reason = f"{ABSENT_REASON} of {name}"
    return columns.select(
        pl.col("status").fill_null("failed"),
        "value",
        "label",
        "extracted",
        pl.col("flags").fill_null(pl.lit([], dtype=pl.List(pl.String))),
        pl.when(pl.col("status").is_null())
        .then(pl.lit(reason))
        .otherwise("reason")
        .alias("reason"),
    )


def _is_current(digest: str) -> pl.Expr:
    # Verdicts from outside may not say what they stand on; those are taken at their word.
    return pl.col(digest).fill_null("").eq("") | pl.col(digest).eq(pl.col(f"{digest}_now"))
