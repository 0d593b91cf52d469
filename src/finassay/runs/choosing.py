"""Which items are run.  In: a benchmark's name or file.  Out: items, in the study if there is one.

A benchmark that the study holds is taken as the study holds it, corrections included.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import polars as pl

from finassay.benchmarks.bundled import bundled_names, load_bundled
from finassay.errors import BadRowsError, UnknownNameError
from finassay.records import Item
from finassay.runs.importers.items import import_items
from finassay.runs.importers.options import ImportOptions
from finassay.study import Study
from finassay.study.rows import items_from


def items_to_run(study: Study | None, benchmark: str) -> tuple[Item, ...]:
    """Return the items of a benchmark by their ids, and add them to the study if it lacks them.

    Args:
        study: where they go; None leaves everything as it is.
        benchmark: one that the study holds, a bundled one, or a file of items.

    Raises:
        UnknownNameError: it is none of these.
        InputError: the file cannot be read (see also its subclasses), or a row of it is no item.
        KeyClashError: another benchmark of the study has an item of the same id.
    """
    held = _held(study, benchmark) if study else ()
    if held:
        return held
    if benchmark in bundled_names():
        # In the order in which a study holds them, so that the first ones are always the same.
        items = tuple(sorted(load_bundled(benchmark), key=lambda item: item.item_id))
        if study:
            study.add_items(items, benchmark=benchmark)
        return items
    path = Path(benchmark)
    if path.is_file():
        return _from_file(study, path)
    names = [*_benchmarks(study), *bundled_names()]
    raise UnknownNameError(
        f"no benchmark or file {benchmark!r}; expected a file of items, or one of "
        f"{', '.join(dict.fromkeys(names))}"
    )


def _from_file(study: Study | None, path: Path) -> tuple[Item, ...]:
    held = _held(study, path.stem) if study else ()
    if held:
        return held
    if study:
        _import_whole(study, path)
        return _held(study, path.stem)
    with tempfile.TemporaryDirectory(prefix="finassay-items-") as folder:
        return _from_file(Study.create(Path(folder) / "study"), path)


def _import_whole(study: Study, path: Path) -> None:
    try:
        import_items(study, path, benchmark=path.stem, options=ImportOptions(strict=True))
    except BadRowsError as error:
        # A row that is left out unseen would be missing from answers that were paid for.
        raise BadRowsError(
            f"{error}: `finassay import STUDY --items {path.name}` leaves them out, and the run "
            f"then takes the benchmark {path.stem!r} as the study holds it"
        ) from error


def _held(study: Study | None, benchmark: str) -> tuple[Item, ...]:
    if study is None:
        return ()
    frame = study.snapshot().frame("items", benchmark=benchmark)
    return tuple(items_from(frame))


def _benchmarks(study: Study | None) -> list[str]:
    if study is None:
        return []
    scan = study.snapshot().scan("items").select(pl.col("benchmark").unique())
    return sorted(scan.collect().to_series().to_list())
