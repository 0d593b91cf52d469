"""The demonstration as it is served for pictures: studies, a judge, labels of people, an index.

Everything is made from the data that ship with the package; the judges are made up, with faults
that are declared here.
"""

from __future__ import annotations

import csv
import hashlib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from finassay.analyses.adjudication.from_study import PlanRequest, plan_in_study
from finassay.analyses.adjudication.plan import PlanSettings
from finassay.analyses.operations.from_study import StudyRequest, operations_of_study
from finassay.benchmarks.operations.shelf import BENCHMARK
from finassay.marking.scoring import score_study
from finassay.marking.view import view_study
from finassay.reports.ask_workflow import AskRequest, ask_demo_study, ask_study
from finassay.reports.sheets.write import SheetOptions, write_sheets
from finassay.reports.workflow import AuditSettings, audit_study, demo_study
from finassay.retrieval.building import build_index
from finassay.runs.importers.sheets.importing import import_sheets
from finassay.study import Study
from finassay.study.adjudication.draw_files import read_draw
from finassay.study.adjudication.tasks import task_named
from finassay.study.people import People, store_for
from finassay.study.schemas import VERDICTS
