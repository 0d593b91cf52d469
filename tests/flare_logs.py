"""The published FLARE logs, where the data folder is here."""

from functools import cache
from pathlib import Path

from finassay.runs.importers.label_logs import LabelLog, read_label_log
from real_data import data_root

LLAMA = "llama2-chat__flare_customs2_desc_write_out_info.json"
CHATGLM = "chatglm__flare_customs2_desc_write_out_info.json"
GPT4_FRAUD = "gpt4__flare_ccfraud_desc_write_out_info.json"
GPT4_GERMAN = "gpt4__flare_german_desc_write_out_info.json"
CALM_GERMAN = "calm__flare_german_desc_write_out_info.json"

CONSISTENT = (LLAMA, CHATGLM, GPT4_GERMAN, CALM_GERMAN)
"""Logs in which no row contradicts itself."""


def path_of(name: str) -> Path:
    return data_root() / "flare_logs" / name


@cache
def log_of(name: str) -> LabelLog:
    return read_label_log(path_of(name))
