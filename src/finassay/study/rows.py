"""Records as rows and back.  In: records or frames.  Out: frames or records, nothing lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

import polars as pl

from finassay.errors import EncodingError
from finassay.records import (
    AnswerContract,
    Erratum,
    Finish,
    Item,
    Prediction,
    ReportedScore,
    RunRecord,
    SystemKind,
    SystemSpec,
    Verdict,
)
from finassay.study.schemas import (
    ITEMS,
    PREDICTIONS,
    REPORTED,
    RUNS,
    SYSTEMS,
    TableSchema,
)

_CONTRACT = ("type", "unit", "scale", "decimals", "comparator", "percent")


def _frame(schema: TableSchema, rows: Iterable[Mapping[str, object]]) -> pl.DataFrame:
    listed = list(rows)
    try:
        return pl.DataFrame(
            {
                name: _series([row[name] for row in listed], schema.columns[name])
                for name in schema.columns
            }
        )
    except UnicodeEncodeError as error:
        raise EncodingError(
            f"a row for {schema.name} holds text that is not Unicode (a lone surrogate): {error}; "
            f"expected text that can be written as UTF-8; decode the source with its own encoding"
        ) from error


def _series(cells: list[object], dtype: pl.DataType) -> pl.Series:
    # Lists are slow to build one by one, and nearly always all empty.
    if isinstance(dtype, pl.List) and cells and not any(cells):
        return pl.Series([[]], dtype=dtype).new_from_index(0, len(cells))
    return pl.Series(cells, dtype=dtype)


def _as_pairs(pairs: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"key": key, "value": value} for key, value in pairs]


def _from_pairs(cell: object) -> tuple[tuple[str, str], ...]:
    listed = cast("list[dict[str, str]]", cell or [])
    return tuple((pair["key"], pair["value"]) for pair in listed)


def _texts(cell: object) -> tuple[str, ...]:
    return tuple(cast("list[str]", cell or []))


def _text(cell: object) -> str:
    return "" if cell is None else cast("str", cell)


def _records(frame: pl.DataFrame) -> Iterator[dict[str, object]]:
    return frame.iter_rows(named=True)


def _item_row(item: Item, digest: str) -> dict[str, object]:
    erratum = item.erratum
    row: dict[str, object] = {
        "benchmark": item.benchmark,
        "item_id": item.item_id,
        "family": item.family,
        "task": item.task,
        "difficulty": item.difficulty,
        "language": item.language,
        "split": item.split,
        "question": item.question,
        "context": item.context,
        "contexts": list(item.contexts),
        "reference": item.reference,
        "alternatives": list(item.alternatives),
        "choices": list(item.choices),
        "contract_id": item.contract_id,
        "documents": list(item.documents),
        "strata": _as_pairs(item.strata),
        "erratum_old_reference": erratum.old_reference if erratum else None,
        "erratum_by": erratum.by if erratum else None,
        "erratum_reason": erratum.reason if erratum else None,
        "item_digest": digest,
        "flags": [],
    }
    return row | {f"contract_{name}": getattr(item.contract, name) for name in _CONTRACT}


def _erratum(row: Mapping[str, object]) -> Erratum | None:
    if row["erratum_by"] is None:
        return None
    return Erratum(
        old_reference=_text(row["erratum_old_reference"]),
        by=_text(row["erratum_by"]),
        reason=_text(row["erratum_reason"]),
    )


def _item(row: Mapping[str, object]) -> Item:
    contract = {name: row[f"contract_{name}"] for name in _CONTRACT}
    return Item(
        item_id=_text(row["item_id"]),
        benchmark=_text(row["benchmark"]),
        family=_text(row["family"]),
        task=_text(row["task"]),
        difficulty=_text(row["difficulty"]),
        language=_text(row["language"]),
        split=_text(row["split"]),
        question=_text(row["question"]),
        context=_text(row["context"]),
        contexts=_texts(row["contexts"]),
        reference=cast("str | None", row["reference"]),
        alternatives=_texts(row["alternatives"]),
        choices=_texts(row["choices"]),
        contract_id=_text(row["contract_id"]),
        contract=AnswerContract(**contract),  # type: ignore[arg-type]
        documents=_texts(row["documents"]),
        strata=_from_pairs(row["strata"]),
        erratum=_erratum(row),
    )


def items_frame(
    items: Iterable[Item], *, item_digests: Iterable[str] | None = None
) -> pl.DataFrame:
    """Return items as rows of the table `items`, in the order given.

    Args:
        items: the records.
        item_digests: the digest of each, from a caller who has worked them out already.

    Raises:
        EncodingError: a text holds a lone surrogate, which no table can hold.
    """
    listed = list(items)
    digests = (one.item_digest for one in listed) if item_digests is None else item_digests
    rows = (_item_row(one, digest) for one, digest in zip(listed, digests, strict=True))
    return _frame(ITEMS, rows)


def items_from(frame: pl.DataFrame) -> list[Item]:
    """Return rows of the table `items` as records, in row order; the inverse of `items_frame`."""
    return [_item(row) for row in _records(frame)]


def _system_row(spec: SystemSpec) -> dict[str, object]:
    return {
        "system_id": spec.system_id,
        "name": spec.name,
        "kind": spec.kind,
        "model": spec.model,
        "provider": spec.provider,
        "decoding": _as_pairs(spec.decoding),
        "budget": spec.budget,
        "stop": list(spec.stop),
        "prompt_arm": spec.prompt_arm,
        "prompt_hash": spec.prompt_hash,
        "few_shot": list(spec.few_shot),
        "model_family": spec.model_family,
    }


def _system(row: Mapping[str, object]) -> SystemSpec:
    return SystemSpec(
        name=_text(row["name"]),
        kind=cast("SystemKind", row["kind"]),
        model=_text(row["model"]),
        provider=_text(row["provider"]),
        decoding=_from_pairs(row["decoding"]),
        budget=_text(row["budget"]),
        stop=_texts(row["stop"]),
        prompt_arm=_text(row["prompt_arm"]),
        prompt_hash=_text(row["prompt_hash"]),
        few_shot=_texts(row["few_shot"]),
        model_family=_text(row["model_family"]),
    )


def systems_frame(specs: Iterable[SystemSpec]) -> pl.DataFrame:
    """Return systems as rows of the table `systems`, in the order given.

    Raises:
        EncodingError: a text holds a lone surrogate, which no table can hold.
    """
    return _frame(SYSTEMS, (_system_row(spec) for spec in specs))


def systems_from(frame: pl.DataFrame) -> list[SystemSpec]:
    """Return rows of the table `systems` as records, in row order."""
    return [_system(row) for row in _records(frame)]


def _run_row(run: RunRecord) -> dict[str, object]:
    return {
        "run_id": run.run_id,
        "system_id": run.system_id,
        "started": run.started,
        "ended": run.ended,
        "retries": run.retries,
        "served_model": run.served_model,
        "packages": _as_pairs(run.packages),
        "environment": run.environment,
        "prediction_digest": run.prediction_digest,
    }


def runs_frame(runs: Iterable[RunRecord]) -> pl.DataFrame:
    """Return runs as rows of the table `runs`, in the order given.

    Raises:
        EncodingError: a text holds a lone surrogate, which no table can hold.
    """
    return _frame(RUNS, (_run_row(run) for run in runs))


def _run(row: Mapping[str, object]) -> RunRecord:
    return RunRecord(
        run_id=_text(row["run_id"]),
        system_id=_text(row["system_id"]),
        started=_text(row["started"]),
        ended=_text(row["ended"]),
        retries=cast("int", row["retries"] or 0),
        served_model=_text(row["served_model"]),
        packages=_from_pairs(row["packages"]),
        environment=_text(row["environment"]),
        prediction_digest=_text(row["prediction_digest"]),
    )


def runs_from(frame: pl.DataFrame) -> list[RunRecord]:
    """Return rows of the table `runs` as records, in row order."""
    return [_run(row) for row in _records(frame)]


def _prediction_row(prediction: Prediction, text_digest: str) -> dict[str, object]:
    return {
        "item_id": prediction.item_id,
        "system_id": prediction.system_id,
        "trial": prediction.trial,
        "prediction_id": prediction.prediction_id,
        "text": prediction.text,
        "text_digest": text_digest,
        "reasoning": prediction.reasoning,
        "finish": prediction.finish,
        "tool_extracted": prediction.tool_extracted,
        "tokens_in": prediction.tokens_in,
        "tokens_out": prediction.tokens_out,
        "latency_s": prediction.latency_s,
        "cost_usd": prediction.cost_usd,
        "run_id": prediction.run_id,
        "flags": list(prediction.flags),
    }


def _prediction(row: Mapping[str, object]) -> Prediction:
    return Prediction(
        item_id=_text(row["item_id"]),
        system_id=_text(row["system_id"]),
        trial=cast("int", row["trial"]),
        text=_text(row["text"]),
        reasoning=_text(row["reasoning"]),
        finish=cast("Finish", row["finish"]),
        tool_extracted=cast("str | None", row["tool_extracted"]),
        tokens_in=cast("int | None", row["tokens_in"]),
        tokens_out=cast("int | None", row["tokens_out"]),
        latency_s=cast("float | None", row["latency_s"]),
        cost_usd=cast("float | None", row["cost_usd"]),
        run_id=_text(row["run_id"]),
        flags=_texts(row["flags"]),
    )


def predictions_frame(
    predictions: Iterable[Prediction], *, text_digests: Iterable[str] | None = None
) -> pl.DataFrame:
    """Return predictions as rows of the table `predictions`, in the order given.

    Args:
        predictions: the records.
        text_digests: the digest of each one's text, from a caller who has worked them out already.

    Raises:
        EncodingError: a text holds a lone surrogate, which no table can hold.
    """
    listed = list(predictions)
    digests = (one.text_digest for one in listed) if text_digests is None else text_digests
    rows = (_prediction_row(one, text) for one, text in zip(listed, digests, strict=True))
    return _frame(PREDICTIONS, rows)


def predictions_from(frame: pl.DataFrame) -> list[Prediction]:
    """Return rows of the table `predictions` as records, in row order."""
    return [_prediction(row) for row in _records(frame)]


def verdict_row(
    verdict: Verdict,
    *,
    item_id: str,
    trial: int,
    text_digest: str | None,
    item_digest: str | None,
    revision: int = 0,
) -> dict[str, object]:
    """Return a verdict from outside as the columns that vary in a partition of `verdicts`.

    The digests are of what it stands on, None where that is not known; it has no repeats.
    """
    return {
        "item_id": item_id,
        "trial": trial,
        "repeat": 0,
        "status": verdict.status,
        "value": verdict.value,
        "label": verdict.label,
        "extracted": verdict.extracted,
        "flags": list(verdict.flags),
        "reason": verdict.reason,
        "evidence_id": verdict.evidence_id,
        "revision": revision,
        "text_digest": text_digest,
        "item_digest": item_digest,
    }


def _reported_row(score: ReportedScore) -> dict[str, object]:
    return {
        "source": score.source,
        "table": score.table,
        "row": score.row,
        "column": score.column,
        "value": score.value,
        "printed": score.printed,
        "unit": score.unit,
        "n": score.n,
        "note": score.note,
    }


def _reported(row: Mapping[str, object]) -> ReportedScore:
    return ReportedScore(
        source=_text(row["source"]),
        table=_text(row["table"]),
        row=_text(row["row"]),
        column=_text(row["column"]),
        value=cast("float", row["value"]),
        printed=_text(row["printed"]),
        unit=_text(row["unit"]),
        n=cast("int | None", row["n"]),
        note=_text(row["note"]),
    )


def reported_frame(scores: Iterable[ReportedScore]) -> pl.DataFrame:
    """Return printed scores as rows of the table `reported`, in the order given.

    Raises:
        EncodingError: a text holds a lone surrogate, which no table can hold.
    """
    return _frame(REPORTED, (_reported_row(score) for score in scores))


def reported_from(frame: pl.DataFrame) -> list[ReportedScore]:
    """Return rows of the table `reported` as records, in row order."""
    return [_reported(row) for row in _records(frame)]
