"""How well passages are found: configurations of retrieval on one corpus, side by side."""

from finassay.analyses.retrieval.configurations import CONFIGURATIONS, Configuration, chosen
from finassay.analyses.retrieval.evaluation import EvaluationSettings, evaluate_retrieval
from finassay.analyses.retrieval.results import (
    ConfigurationScores,
    FamilyScores,
    RetrievalCorpus,
    RetrievalDifference,
    RetrievalEvaluation,
    RetrievalMeasure,
)

__all__ = [
    "CONFIGURATIONS",
    "Configuration",
    "ConfigurationScores",
    "EvaluationSettings",
    "FamilyScores",
    "RetrievalCorpus",
    "RetrievalDifference",
    "RetrievalEvaluation",
    "RetrievalMeasure",
    "chosen",
    "evaluate_retrieval",
]
