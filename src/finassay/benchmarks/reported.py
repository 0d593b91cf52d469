"""Figures printed about public benchmarks.  In: a name.  Out: reported scores.

For IndiaFinBench: tables 2, 4, 5, 6, 11 and 13 and section 6.4 of arXiv 2604.19298v3.  Printed
percents are kept as fractions, with their printed digits beside them; ranks have the unit "rank".
Of its retrieval system: the ablation in the README of its repository, whose number of questions is
not printed.  For FinRisk-Ask: table 11 of arXiv 2608.25325v1, where the note names policies and the
evaluator.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from types import MappingProxyType

from finassay.benchmarks.reading import data_text
from finassay.errors import InputError, UnknownNameError
from finassay.records import ReportedScore

PRINTED_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "Gemini 2.5 Flash": "gemini",
        "Qwen3-32B": "qwen3_32b",
        "LLaMA-3.3-70B": "groq70b",
        "Llama 4 Scout 17B": "llama4scout",
        "Kimi K2": "kimi_k2",
        "Gemma 3 4B": "gemma3_4b",
        "LLaMA-3-8B": "llama3",
        "GPT-OSS 120B": "gpt_oss_120b",
        "GPT-OSS 20B": "gpt_oss_20b",
        "Gemini 2.5 Pro": "gemini25_pro",
        "Mistral-7B": "mistral",
        "DeepSeek-R1-Distill": "deepseek_r1_70b",
    }
)
"""Names printed in the tables of IndiaFinBench, and the systems of its released files.

The released file gemma4_e4b is an older one, whose totals differ from the printed Gemma row.
"""

_FILES = {
    "indiafinbench": "indiafinbench_reported.csv",
    "finrisk-ask": "finrisk_ask_reported.csv",
    "indiafinbench-retrieval": "indiafinbench_retrieval_reported.csv",
}
_COLUMNS = ("source", "table", "row", "column", "value", "printed", "unit", "n", "note")


def load_reported(name: str = "indiafinbench") -> tuple[ReportedScore, ...]:
    """Return the figures printed about a public benchmark, in the order of the printed tables.

    Rows are printed model names (see `PRINTED_NAMES`).  One row, of system gemma3_4b, repeats a
    printed figure under the names of the released files, so that the counts known of this system
    by family add up to the whole benchmark.

    Raises:
        UnknownNameError: no figures are known for a benchmark of that name.
        InputError: the file cannot be read; names the file, line and column.

    Example:
        >>> score = load_reported("indiafinbench")[0]
        >>> score.table, score.row, score.column, score.printed, score.n
        ('Table 2', 'Model-based', 'REG', '85.7', 53)
    """
    if name not in _FILES:
        raise UnknownNameError(
            f"no printed figures for {name!r}; expected one of {', '.join(_FILES)}"
        )
    return tuple(read_reported(data_text(_FILES[name]), file=_FILES[name]))


def read_reported(text: str, *, file: str) -> Iterator[ReportedScore]:
    """Yield the scores of a CSV text.

    Raises:
        InputError: the columns are not the expected ones, a number is none, or one figure (source,
            table, row, column) stands twice.
    """
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    if tuple(reader.fieldnames or ()) != _COLUMNS:
        raise InputError(
            f"{file}: expected the columns {list(_COLUMNS)}, got {reader.fieldnames!r}"
        )
    seen: set[tuple[str, ...]] = set()
    for row in reader:
        where = f"{file}:{reader.line_num}"
        key = tuple(row[name] for name in _COLUMNS[:4])
        if key in seen:
            raise InputError(
                f"{where}: the figure {key!r} stands twice; keep one row for each figure"
            )
        seen.add(key)
        yield _score(row, where)


def _score(row: Mapping[str, str], where: str) -> ReportedScore:
    value = _number(row["value"], "value", where)
    n = _number(row["n"], "n", where) if row["n"] else None
    return ReportedScore(
        source=row["source"],
        table=row["table"],
        row=row["row"],
        column=row["column"],
        value=float(value),
        printed=row["printed"],
        unit=row["unit"],
        n=None if n is None else int(n),
        note=row["note"],
    )


def _number(text: str, column: str, where: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise InputError(f"{where}: `{column}` must be a number, got {text!r}") from error
