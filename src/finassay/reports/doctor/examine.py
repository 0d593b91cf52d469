"""The whole examination.  In: an environment and perhaps a study.  Out: the result."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from pathlib import Path

from finassay._version import __version__
from finassay.reports.doctor.environment import examine_environment, examine_programs
from finassay.reports.doctor.machine import examine_machine
from finassay.reports.doctor.of_study import examine_study
from finassay.reports.doctor.packages import examine_packages
from finassay.reports.doctor.results import Examination, Finding


def examine(
    study: Path | None = None,
    *,
    environment: Mapping[str, str],
    labels_url: str | None = None,
) -> Examination:
    """Return what was found on this machine and, where one is given, in a study.

    Nothing is changed: a probe file is written into folders and removed.

    Args:
        study: directory of a study.
        environment: the environment variables.
        labels_url: database of labels; by default the study's own SQLite file.
    """
    findings: list[Finding] = [
        *examine_packages(),
        *examine_environment(environment),
        *examine_programs(labels_url),
        *examine_machine(),
        *(() if study is None else examine_study(study, labels_url)),
    ]
    return Examination(
        version=__version__,
        python=platform.python_version(),
        platform=f"{platform.system()} on {platform.machine()}",
        study=None if study is None else str(study),
        findings=tuple(findings),
    )
