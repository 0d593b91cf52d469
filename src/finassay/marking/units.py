"""The unit of marking.  In: some predictions and rules.  Out: verdict partitions, or parts of them.

`mark_unit` is all that an engine runs, wherever it runs it: it reads its own rows of a pinned
study, and writes nothing but files aside.  What it returns depends on nothing else, so any number
of workers makes the same table.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import polars as pl

from finassay._version import __version__
from finassay.errors import MarkingError, SpecError, UnknownNameError
from finassay.marking.batch import Batch
from finassay.marking.parts import PartFile, find_part, write_part
from finassay.marking.rows import DIGESTS, IS_REDACTED, KEYS, item_columns, verdict_rows
from finassay.marking.rowwise import Marker
from finassay.marking.there import Versions, snapshot_there
from finassay.marking.waiting import Of
from finassay.records import content_id
from finassay.scorers.base import Scorer
from finassay.scorers.registry import from_spec, scorer_id_of, to_spec
from finassay.study.pieces import Piece, scan_pieces
from finassay.study.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What one task marks.

    Attributes:
        label: display name of the first system.
        systems: ids of systems marked together.
        pieces: the rows to mark of the one system; all rows of all systems if None.
        rules: numbers of the rules to mark with.
    """

    label: str
    systems: tuple[str, ...]
    pieces: tuple[Piece, ...] | None = None
    rules: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Numbers of verdicts and predictions, as `scoring.ScoreReport` has them."""

    marked: int = 0
    up_to_date: int = 0
    without_item: int = 0
    redacted: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            marked=self.marked + other.marked,
            up_to_date=self.up_to_date + other.up_to_date,
            without_item=self.without_item + other.without_item,
            redacted=self.redacted + other.redacted,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a unit came to.

    Attributes:
        partitions: whole partitions of verdicts.
        files: parts of partitions, in files beside the tables.
        tally: what was counted.
    """

    partitions: tuple[tuple[Of, pl.DataFrame], ...] = ()
    files: tuple[tuple[Of, PartFile], ...] = ()
    tally: Tally = Tally()


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What a large system needs.

    Attributes:
        stale: numbers of the rules whose verdicts do not stand on the present texts.
        tally: what stands already, and what cannot be marked.
    """

    stale: tuple[int, ...]
    tally: Tally


class Bench:
    """A pinned study with rules to mark it.

    Attributes:
        snapshot: pinned tables.
        rules: the rules.
    """

    def __init__(self, snapshot: Snapshot, rules: Sequence[Scorer]) -> None:
        self.snapshot = snapshot
        self.rules = tuple(rules)

    @cached_property
    def items(self) -> pl.DataFrame:
        """The columns of the items that marking reads."""
        return item_columns(self.snapshot)

    @cached_property
    def held(self) -> dict[Of, tuple[str, ...]]:
        """Data files of each partition of verdicts."""
        found: dict[Of, tuple[str, ...]] = {}
        for partition, path in sorted(self.snapshot.files("verdicts")):
            scorer_id, version, system_id = partition
            of = scorer_id, version, system_id
            found[of] = (*found.get(of, ()), path)
        return found

    @cached_property
    def item_files(self) -> list[str]:
        """Data files of the items."""
        return sorted(path for _, path in self.snapshot.files("items"))

    def of(self, rule: int, system_id: str) -> Of:
        """Return what the verdicts of a rule on a system are filed under."""
        return scorer_id_of(self.rules[rule]), self.rules[rule].version, system_id

    def inputs(self, rule: int, system_id: str, pieces: Sequence[Piece]) -> str:
        """Return the digest of all that the verdicts of a rule on some rows follow from."""
        of = self.of(rule, system_id)
        rows = [(piece.path, piece.offset, piece.rows) for piece in pieces]
        read = [rows, self.item_files, self.held.get(of, ())]
        return content_id(*of, to_spec(self.rules[rule]), __version__, json.dumps(read))


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkingJob:
    """A bench in words, as a process elsewhere sets it up.

    Attributes:
        root: absolute path of the study's directory.
        versions: versions of the tables.
        specs: specs of the rules.
    """

    root: str
    versions: Versions
    specs: tuple[str, ...]


@lru_cache(maxsize=2)
def bench_of(job: MarkingJob) -> Bench:
    """Return the bench of a job, set up once a process.

    Raises:
        MarkingError: this machine does not see the study, or cannot build a rule.
    """
    snapshot = snapshot_there(job.root, job.versions)
    rules = []
    for spec in job.specs:
        try:
            rules.append(from_spec(spec))
        except (SpecError, UnknownNameError) as error:
            name = json.loads(spec)["name"]
            raise MarkingError(
                f"the worker on {socket.gethostname()!r} cannot build the scorer {name!r}: "
                f"{error}; install the packages there that are installed here, in the same versions"
            ) from error
    return Bench(snapshot, rules)


def mark_there(job: MarkingJob, unit: Unit) -> Made:
    """Return what `mark_unit` makes, for a process that has only the job."""
    return mark_unit(bench_of(job), unit)


def look_there(job: MarkingJob, system_id: str) -> Looked:
    """Return what `look` finds, for a process that has only the job."""
    return look(bench_of(job), system_id)


def mark_unit(bench: Bench, unit: Unit) -> Made:
    """Return the verdicts of a unit: whole partitions, or parts in files beside the tables."""
    if unit.pieces is None:
        return _whole(bench, unit.systems)
    return _slice(bench, unit, unit.pieces)


def _whole(bench: Bench, ids: Sequence[str]) -> Made:
    """Return the partitions of systems that are small enough to be held."""
    predictions = bench.snapshot.frame("predictions", system_id=ids)
    known, rows = _markable(predictions, bench.items)
    asked = [scorer_id_of(rule) for rule in bench.rules]
    held = bench.snapshot.frame("verdicts", system_id=ids, scorer_id=asked)
    markers: dict[frozenset[str], tuple[pl.DataFrame, Marker]] = {}
    partitions: list[tuple[Of, pl.DataFrame]] = []
    marked = up_to_date = 0
    for rule in bench.rules:
        scorer_id = scorer_id_of(rule)
        before = held.filter(
            pl.col("scorer_id").eq(scorer_id), pl.col("scorer_version").eq(rule.version)
        )
        stale = _stale_systems(before, known, rows)
        is_stale = pl.col("system_id").is_in(list(stale))
        up_to_date += before.filter(~is_stale).height
        if not stale:
            continue
        if stale not in markers:
            own = rows.filter(is_stale)
            markers[stale] = own, Marker(Batch(own))
        own, marker = markers[stale]
        made = verdict_rows(own, marker.mark(rule), scorer_id, rule.version)
        whole = _with_kept(made, before.filter(is_stale), known)
        partitions += [
            ((scorer_id, rule.version, system_id), whole.filter(system_id=system_id))
            for system_id in sorted(stale)
        ]
        marked += made.height
    counts = {"without_item": predictions.height - known.height}
    counts |= {"redacted": known.height - rows.height}
    tally = Tally(marked=marked, up_to_date=up_to_date, **counts)
    return Made(partitions=tuple(partitions), tally=tally)


def _markable(predictions: pl.DataFrame, items: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the predictions whose items are known, and those of them that are not redacted."""
    known = predictions.join(items, on="item_id", how="inner", maintain_order="left")
    return known, known.filter(~IS_REDACTED & ~pl.col("item_is_redacted"))


def _with_kept(made: pl.DataFrame, before: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """Return verdicts with the earlier ones on predictions that are still there but redacted."""
    kept = before.join(made, on=KEYS, how="anti").join(known, on=KEYS, how="semi")
    return pl.concat([made, kept.select(made.columns)])


def _stale_systems(before: pl.DataFrame, known: pl.DataFrame, rows: pl.DataFrame) -> frozenset[str]:
    """Return the systems of which a verdict is missing, stands on an older text, or on nothing."""
    columns = [*KEYS, *DIGESTS]
    missing = rows.select(columns).join(before.select(columns), on=columns, how="anti")
    strays = before.join(known, on=KEYS, how="anti")
    return frozenset([*missing["system_id"], *strays["system_id"]])


def _slice(bench: Bench, unit: Unit, pieces: Sequence[Piece]) -> Made:
    """Return the parts of some rows of a large system; those that are there are taken over."""
    (system_id,) = unit.systems
    inputs = {rule: bench.inputs(rule, system_id, pieces) for rule in unit.rules}
    root = bench.snapshot.root
    found = {rule: find_part(root, digest) for rule, digest in inputs.items()}
    missing = [rule for rule, part in found.items() if part is None]
    if missing:
        predictions = scan_pieces(bench.snapshot, "predictions", pieces).collect()
        for rule, made, whole in _parts(bench, system_id, predictions, missing):
            found[rule] = write_part(root, inputs[rule], whole, made=made)
    files = tuple((bench.of(rule, system_id), part) for rule, part in found.items() if part)
    return Made(files=files, tally=Tally(marked=sum(part.made for _, part in files)))


def _parts(
    bench: Bench, system_id: str, predictions: pl.DataFrame, rules: Sequence[int]
) -> Iterator[tuple[int, int, pl.DataFrame]]:
    """Yield (rule, verdicts made, these and those kept) over some rows of a system."""
    known, rows = _markable(predictions, bench.items)
    marker = Marker(Batch(rows))
    for rule in rules:
        of = bench.of(rule, system_id)
        made = verdict_rows(rows, marker.mark(bench.rules[rule]), of[0], of[1])
        whole = made
        if known.height > rows.height and of in bench.held:
            masked = known.join(rows, on=KEYS, how="anti").select(KEYS)
            before = _held(bench, of).join(masked.lazy(), on=KEYS, how="semi").collect()
            whole = _with_kept(made, before, known)
        yield rule, made.height, whole


def _held(bench: Bench, of: Of) -> pl.LazyFrame:
    scorer_id, version, system_id = of
    return bench.snapshot.scan("verdicts").filter(
        pl.col("scorer_id").eq(scorer_id),
        pl.col("scorer_version").eq(version),
        pl.col("system_id").eq(system_id),
    )


_HASHED = pl.struct(*KEYS, *DIGESTS).hash()
_PRINT = (
    (_HASHED % 2**32).sum().alias("low"),
    (_HASHED // 2**32).sum().alias("high"),
    pl.len().alias("n"),
)
"""Two sums of 32 bits of each row's hash: equal where the rows are, in whatever order."""


def look(bench: Bench, system_id: str) -> Looked:
    """Return which rules have to mark a large system, without holding its rows."""
    items = bench.items.lazy().select("item_id", "item_digest", "item_is_redacted")
    own = pl.col("system_id").eq(system_id)
    rows = bench.snapshot.scan("predictions").filter(own).select(*KEYS, "text_digest", "flags")
    known = rows.join(items, on="item_id", how="inner")
    ready = known.filter(~IS_REDACTED & ~pl.col("item_is_redacted"))
    lazy = [rows.select(pl.len()), known.select(pl.len()), ready.select(_PRINT)]
    every, with_item, present = (frame.collect(engine="streaming").row(0) for frame in lazy)
    n, n_known, n_ready = every[0], with_item[0], present[2]
    stale: list[int] = []
    up_to_date = 0
    for rule in range(len(bench.rules)):
        of = bench.of(rule, system_id)
        if of not in bench.held:
            stale.append(rule)
            continue
        before = _held(bench, of)
        printed = before.select(_PRINT).collect(engine="streaming").row(0)
        is_same = printed == present
        if not is_same and n_known > n_ready:
            is_same = not _is_stale(before, known, ready)
        if is_same:
            up_to_date += printed[2]
        else:
            stale.append(rule)
    counted = Tally(up_to_date=up_to_date, without_item=n - n_known, redacted=n_known - n_ready)
    return Looked(stale=tuple(stale), tally=counted)


def _is_stale(before: pl.LazyFrame, known: pl.LazyFrame, ready: pl.LazyFrame) -> bool:
    columns = [*KEYS, *DIGESTS]
    missing = ready.join(before.select(columns), on=columns, how="anti")
    strays = before.join(known.select(KEYS), on=KEYS, how="anti")
    return any(
        frame.select(pl.len()).collect(engine="streaming").item() for frame in (missing, strays)
    )
