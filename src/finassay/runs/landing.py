"""From receipts to tables.  In: a journal.  Out: predictions and the record of their run."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata

import polars as pl

from finassay._version import __version__
from finassay.records import Prediction, RunRecord, SystemSpec, content_digest, pairs
from finassay.runs.journal import Journal, Receipt
from finassay.runs.plan import Key, run_id_of
from finassay.study import Study
from finassay.study.rows import predictions_frame, runs_from

PACKAGES = ("inspect-ai", "openai")
"""Packages beside our own whose versions a run records, where they are installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """What came into the tables.

    Attributes:
        answers: replies that came into the tables.
        errors: items whose error is recorded.
    """

    answers: int = 0
    errors: int = 0


def land(study: Study, spec: SystemSpec, journal: Journal) -> Landed:
    """Move the receipts of a journal into the study, and return how many came in.

    An answer never gives way to an error, and the first of two answers stays, so landing twice
    what was landed already changes nothing.

    Raises:
        ConflictError: other writers kept committing first.
        UsageError: another system of the study has the display name.
    """
    if not journal.pending:
        return Landed()
    study.add_system(spec)
    run_id = run_id_of(spec.system_id)
    partition = {"system_id": spec.system_id, "run_id": run_id}
    snapshot = study.snapshot()
    # Rows and no records: what was redacted must keep the digests of what it was.
    earlier = snapshot.frame("predictions", **partition)
    fates = {
        (item_id, trial): finish
        for item_id, trial, finish in earlier.select("item_id", "trial", "finish").iter_rows()
    }
    taken: dict[Key, Receipt] = {}
    for receipt in journal.pending:
        key = receipt.item_id, receipt.trial
        fate = taken[key].finish if key in taken else fates.get(key, "error")
        if fate == "error":
            taken[key] = receipt
    rows = _joined_rows(earlier, [_prediction(one, spec.system_id) for one in taken.values()])
    found = runs_from(snapshot.frame("runs", run_id=run_id))
    study.add_run(_record(found[0] if found else None, spec.system_id, rows, journal.pending))
    study.commit("predictions", rows, partition=partition)
    journal.clear()
    errors = sum(receipt.finish == "error" for receipt in taken.values())
    return Landed(answers=len(taken) - errors, errors=errors)


def _joined_rows(earlier: pl.DataFrame, predictions: Sequence[Prediction]) -> pl.DataFrame:
    new = predictions_frame(predictions)
    kept = earlier.join(new, on=["item_id", "trial"], how="anti")
    return pl.concat([kept, new])


def _prediction(receipt: Receipt, system_id: str) -> Prediction:
    return Prediction(
        item_id=receipt.item_id,
        system_id=system_id,
        trial=receipt.trial,
        text=receipt.text,
        reasoning=receipt.reasoning,
        finish=receipt.finish,
        tokens_in=receipt.tokens_in,
        tokens_out=receipt.tokens_out,
        latency_s=receipt.latency_s,
        cost_usd=receipt.cost_usd,
        run_id=run_id_of(system_id),
        flags=receipt.flags,
    )


def _record(
    earlier: RunRecord | None,
    system_id: str,
    rows: pl.DataFrame,
    receipts: Sequence[Receipt],
) -> RunRecord:
    times = sorted(receipt.at for receipt in receipts if receipt.at)
    served = {receipt.served_model for receipt in receipts}
    # What a killed process landed and did not forget yet was counted then.
    last = earlier.ended if earlier is not None else ""
    retries = sum(max(receipt.tries - 1, 0) for receipt in receipts if receipt.at > last)
    packages = package_versions()
    started, environment = times[0] if times else "", _environment()
    if earlier is not None:
        served |= set(earlier.served_model.split(", "))
        retries += earlier.retries
        packages = _joined(dict(earlier.packages), packages)
        started = min(filter(None, (earlier.started, started)), default="")
        environment = _both(earlier.environment, environment)
    return RunRecord(
        run_id=run_id_of(system_id),
        system_id=system_id,
        started=started,
        ended=max(last, *times[-1:]),
        retries=retries,
        served_model=", ".join(sorted(served - {""})),
        packages=pairs(packages),
        environment=environment,
        prediction_digest=_digest(rows),
    )


def _digest(rows: pl.DataFrame) -> str:
    told = rows.select("item_id", "trial", "finish", "text_digest").sort("item_id", "trial")
    return content_digest(*("\0".join(map(str, row)) for row in told.iter_rows()))


def package_versions() -> dict[str, str]:
    """Return the versions of the packages that a run depends on."""
    found = {"finassay": __version__}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _environment() -> str:
    """Return what a run depends on beside packages, without naming the machine."""
    return f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"


def _joined(earlier: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    names = sorted({*earlier, *now})
    return {name: _both(earlier.get(name, ""), now.get(name, "")) for name in names}


def _both(earlier: str, now: str) -> str:
    """Return both texts where a run went on under something else than it began with."""
    parts = dict.fromkeys(part for text in (earlier, now) for part in text.split("; ") if part)
    return "; ".join(parts)
