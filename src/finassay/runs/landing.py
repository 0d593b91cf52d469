"""From receipts to tables.  In: a journal.  Out: predictions and the record of their run."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata

from finassay._version import __version__
from finassay.records import Prediction, RunRecord, SystemSpec, content_digest, pairs
from finassay.runs.journal import Journal, Receipt
from finassay.runs.plan import Key, run_id_of
from finassay.study import Study
from finassay.study.rows import predictions_frame, predictions_from, runs_from

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
    earlier = predictions_from(snapshot.frame("predictions", **partition))
    rows: dict[Key, Prediction] = {(one.item_id, one.trial): one for one in earlier}
    taken: dict[Key, Receipt] = {}
    for receipt in journal.pending:
        key = receipt.item_id, receipt.trial
        if key not in rows or rows[key].finish == "error":
            rows[key] = _prediction(receipt, spec.system_id, run_id)
            taken[key] = receipt
    found = runs_from(snapshot.frame("runs", run_id=run_id))
    record = _record(found[0] if found else None, spec.system_id, rows, journal.pending)
    study.add_run(record)
    study.commit("predictions", predictions_frame(rows.values()), partition=partition)
    journal.clear()
    errors = sum(receipt.finish == "error" for receipt in taken.values())
    return Landed(answers=len(taken) - errors, errors=errors)


def _prediction(receipt: Receipt, system_id: str, run_id: str) -> Prediction:
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
        run_id=run_id,
        flags=receipt.flags,
    )


def _record(
    earlier: RunRecord | None,
    system_id: str,
    rows: Mapping[Key, Prediction],
    receipts: Sequence[Receipt],
) -> RunRecord:
    times = sorted(receipt.at for receipt in receipts if receipt.at)
    served = {receipt.served_model for receipt in receipts}
    retries = sum(max(receipt.tries - 1, 0) for receipt in receipts)
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
        ended=times[-1] if times else "",
        retries=retries,
        served_model=", ".join(sorted(served - {""})),
        packages=pairs(packages),
        environment=environment,
        prediction_digest=_digest(rows.values()),
    )


def _digest(predictions: Iterable[Prediction]) -> str:
    lines = sorted(
        f"{one.item_id}\0{one.trial}\0{one.finish}\0{one.text_digest}" for one in predictions
    )
    return content_digest(*lines)


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
