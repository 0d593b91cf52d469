"""Judges room: prompts that ask a model to mark, as derived items, and what its votes add up to."""

from finassay.judges.identity import JudgeId
from finassay.judges.protocol import Protocol
from finassay.judges.report import JudgingReport
from finassay.judges.request import JudgeRequest
from finassay.judges.running import judge_study, plan_judging

__all__ = [
    "JudgeId",
    "JudgeRequest",
    "JudgingReport",
    "Protocol",
    "judge_study",
    "plan_judging",
]
