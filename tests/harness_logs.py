"""Logs of other harnesses, after what the tools write: small, and right in shape."""

from event_logs import alpaca_eval, fastchat, openai_evals, simple_evals, simple_evals_page
from harness_files import Log
from helm_logs import HELM_FOLDER, HELM_RUN, helm, helm_compact, helm_instance, helm_separate
from opencompass_logs import COMPASS, opencompass
from promptfoo_logs import PROMPTFOO, promptfoo, promptfoo_lines, promptfoo_table
from record_logs import deepeval, every_eval_ever, flare

__all__ = [
    "ALL",
    "COMPASS",
    "HELM_FOLDER",
    "HELM_RUN",
    "PROMPTFOO",
    "Log",
    "alpaca_eval",
    "deepeval",
    "every_eval_ever",
    "fastchat",
    "flare",
    "helm",
    "helm_compact",
    "helm_instance",
    "helm_separate",
    "openai_evals",
    "opencompass",
    "promptfoo",
    "promptfoo_lines",
    "promptfoo_table",
    "simple_evals",
    "simple_evals_page",
]

ALL = (
    *(helm, helm_compact, helm_separate, opencompass, openai_evals, simple_evals, fastchat),
    *(alpaca_eval, every_eval_ever, deepeval, flare, promptfoo, promptfoo_lines, promptfoo_table),
)
"""One builder for each log."""
