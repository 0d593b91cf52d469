"""Readers of logs with one way of writing them.  In: nothing.  Out: readers, in order."""

from __future__ import annotations

from finassay.runs.importers.logs.alpaca_eval import AlpacaEvalReader
from finassay.runs.importers.logs.base import LogReader
from finassay.runs.importers.logs.deepeval import DeepEvalReader
from finassay.runs.importers.logs.every_eval_ever import EveryEvalEverReader
from finassay.runs.importers.logs.fastchat import FastChatReader
from finassay.runs.importers.logs.flare_log import FlareReader
from finassay.runs.importers.logs.helm import HelmReader
from finassay.runs.importers.logs.openai_evals import OpenAiEvalsReader
from finassay.runs.importers.logs.opencompass import OpenCompassReader
from finassay.runs.importers.logs.promptfoo import PromptfooReader
from finassay.runs.importers.logs.simple_evals import SimpleEvalsReader

OTHER_READERS: tuple[LogReader, ...] = (
    HelmReader(),
    OpenCompassReader(),
    PromptfooReader(),
    OpenAiEvalsReader(),
    SimpleEvalsReader(),
    FastChatReader(),
    AlpacaEvalReader(),
    EveryEvalEverReader(),
    DeepEvalReader(),
    FlareReader(),
)
