"""The published JSON Schemas.  In: the name of a result.  Out: the schema of its class."""

from __future__ import annotations

import json

from finassay.analyses.adjudication.results import DrawEstimate, DrawPlan, DrawsStatus
from finassay.analyses.extraction.audit import CellAudit
from finassay.analyses.extraction.fingerprints import ConstantFingerprint
from finassay.analyses.extraction.log_audits import LabelAudit
from finassay.analyses.extraction.streams import StreamAudit
from finassay.analyses.judges.results_compare import Judges
from finassay.analyses.operations.results import OperationsResult
from finassay.analyses.pairwise.results import PairwiseReport
from finassay.analyses.pairwise.results_people import PairwisePeople
from finassay.analyses.provenance.results import Provenance
from finassay.analyses.reference_audit.results import ReferenceAudit
from finassay.analyses.results import (
    Agreement,
    Attribution,
    ClaimsReport,
    Comparisons,
    Configuration,
    ItemAnalysis,
    Json,
    RankSets,
)
from finassay.analyses.results_arms import ArmsReport
from finassay.analyses.results_ask import AskReport, AskStates
from finassay.analyses.results_calibration import Calibration
from finassay.analyses.results_multiverse import MultiverseResult
from finassay.analyses.results_parity import Parity
from finassay.analyses.retrieval.results import RetrievalEvaluation
from finassay.benchmarks.operations.inventory import ContractInventory
from finassay.errors import UnknownNameError
from finassay.integrations.cited_answers import CitedAnswer
from finassay.judges.report import JudgingReport
from finassay.marking.contract_scores import ContractScores
from finassay.marking.explain import PredictionExplained
from finassay.marking.scoring import MarkingReport
from finassay.marking.single import MarkExplained
from finassay.reports.doctor.results import Examination
from finassay.reports.exports.export import ExportReport
from finassay.reports.json import schema, schema_of
from finassay.reports.sheets.write import SheetsWritten
from finassay.retrieval.from_files import IndexBuilt
from finassay.runs.importers.auto import TablesReport
from finassay.runs.importers.report import FetchReport
from finassay.runs.importers.sheets.importing import SheetsImported
from finassay.runs.report import RunReport
from finassay.scorers.catalogue import ScorerCatalogue
from finassay.scorers.operations.check import ContractCheck
from finassay.study.check import CheckReport
from finassay.study.clean import CleanReport
from finassay.study.redact import RedactReport
from finassay.study.summary import StudySummary

RESULTS: dict[str, type] = {
    "adjudicate-estimate": DrawEstimate,
    "adjudicate-import": SheetsImported,
    "adjudicate-plan": DrawPlan,
    "adjudicate-sheet": SheetsWritten,
    "adjudicate-status": DrawsStatus,
    "agree": Agreement,
    "arms": ArmsReport,
    "agree-pairwise": PairwiseReport,
    "agree-pairwise-people": PairwisePeople,
    "ask": AskReport,
    "ask-states": AskStates,
    "calibrate": Calibration,
    "attribution": Attribution,
    "claims": ClaimsReport,
    "compare": Comparisons,
    "configuration": Configuration,
    "contract-check": ContractCheck,
    "contract-scores": ContractScores,
    "contract-show": ContractInventory,
    "doctor": Examination,
    "explain": PredictionExplained,
    "export": ExportReport,
    "fetch": FetchReport,
    "import": TablesReport,
    "items": ItemAnalysis,
    "judges": Judges,
    "judge": JudgingReport,
    "labels-audit": LabelAudit,
    "labels-count": StreamAudit,
    "labels-demo": CellAudit,
    "labels-fingerprint": ConstantFingerprint,
    "mark": MarkExplained,
    "parity": Parity,
    "provenance": Provenance,
    "multiverse": MultiverseResult,
    "operations": OperationsResult,
    "rag-build": IndexBuilt,
    "rag-query": CitedAnswer,
    "rag-evaluate": RetrievalEvaluation,
    "ranks": RankSets,
    "references-audit": ReferenceAudit,
    "run": RunReport,
    "score": MarkingReport,
    "scorers": ScorerCatalogue,
    "study-check": CheckReport,
    "study-clean": CleanReport,
    "study-info": StudySummary,
    "study-redact": RedactReport,
}
"""Name in the `schema` field of a command's JSON -> class of the result."""


def schema_names() -> tuple[str, ...]:
    """Return the names of all published schemas."""
    return ("audit", *RESULTS)


def schema_object(name: str) -> dict[str, Json]:
    """Return the JSON Schema (draft 2020-12) of a result by name, such as "audit" or "mark".

    Raises:
        UnknownNameError: no result has this name.
    """
    if name == "audit":
        return schema(name)
    if name not in RESULTS:
        raise UnknownNameError(
            f"no schema is called {name!r}; there are: {', '.join(schema_names())}"
        )
    return schema_of(
        RESULTS[name], f"finassay/{name}/1", f"Result of `finassay {name.replace('-', ' ')}`"
    )


def schema_text(name: str) -> str:
    """Return the JSON Schema of a result as text.

    Raises:
        UnknownNameError: no result has this name.
    """
    return json.dumps(schema_object(name), ensure_ascii=False, indent=2)
