"""Tables of findings and methods.  In: an audit.  Out: tables."""

from __future__ import annotations

from finassay.analyses.results import Audit
from finassay.reports import numbers as num
from finassay.reports.table import Gaps, Table, lefts, rights
from finassay.reports.tables_scores import POLICY_WORDS


def findings(audit: Audit, names: dict[str, str]) -> Table:
    """Return the findings, most severe first."""
    return Table(
        key="findings",
        caption="What a reader must know before quoting a number",
        columns=lefts("Finding", "Severity", "Evidence", "What to do"),
        rows=tuple(
            (
                num.clean(f.title),
                f.severity,
                num.sentence(f.evidence, names),
                num.sentence(f.advice),
            )
            for f in audit.findings
        ),
    )


def settings(audit: Audit) -> Table:
    """Return what was counted and the settings under which every number was made."""
    board = audit.leaderboard
    rows = (
        ("Study", num.clean(audit.study)),
        ("Systems", num.count(audit.n_systems)),
        ("People marked by the primary rule", num.count(audit.n_persons)),
        ("Items", num.count(audit.n_items)),
        (
            "Predictions",
            "not counted" if audit.n_predictions is None else num.count(audit.n_predictions),
        ),
        ("Verdicts, primary rule", num.count(audit.n_primary_verdicts)),
        ("Verdicts, all rules", num.count(audit.n_verdicts)),
        ("Unscored under the primary rule", num.count(audit.n_unscored)),
        ("Primary rule", num.clean(audit.primary)),
        ("Unscored verdicts", POLICY_WORDS[audit.policy]),
        ("Ranks", f"{audit.rank_convention}, by {board.rank_basis}"),
        ("Intervals", num.clean(board.method)),
        ("Rules", ", ".join(num.clean(name) for name in audit.scorers)),
    )
    return Table(key="settings", caption="Settings", columns=lefts("Setting", "Value"), rows=rows)


def systems(audit: Audit, names: dict[str, str]) -> Table | None:
    """Return what each system is; None when the study says nothing of any."""
    told = [s for s in audit.systems if s.description or s.provider or s.prompt_arm]
    if not told:
        return None
    gaps = Gaps()
    return Table(
        key="systems",
        caption="What the systems are, as the study says",
        columns=lefts("System", "Kind", "Model or method", "Provider", "Prompt"),
        rows=tuple(
            (
                names.get(system.name, num.clean(system.name)),
                system.kind,
                *(
                    num.clean(text) or gaps.dash("not recorded")
                    for text in (system.description, system.provider, system.prompt_arm)
                ),
            )
            for system in told
        ),
        notes=gaps.notes(),
    )


def inputs(audit: Audit) -> Table:
    """Return the version and digest of each table that was read."""
    versions, digests = dict(audit.versions), dict(audit.digests)
    return Table(
        key="inputs",
        caption="Tables of the study, pinned",
        columns=(*lefts("Table"), *rights("Version"), *lefts("Canonical digest")),
        rows=tuple(
            (
                num.clean(name),
                num.count(versions[name]) if name in versions else "not versioned",
                num.clean(digests.get(name, "not recorded")),
            )
            for name in dict.fromkeys((*versions, *digests))
        ),
    )


def packages(audit: Audit) -> Table:
    """Return the packages that made the numbers."""
    return Table(
        key="packages",
        caption="Packages",
        columns=lefts("Package", "Version"),
        rows=tuple((num.clean(name), num.clean(version)) for name, version in audit.packages),
    )


def full_names(names: dict[str, str]) -> Table | None:
    """Return the whole of every name that is shown otherwise; None when all are shown whole."""
    cut = [(shown, num.clean(name)) for name, shown in names.items() if shown != num.clean(name)]
    if not cut:
        return None
    return Table(
        key="names",
        caption="Names shown shortened",
        columns=lefts("Shown", "Whole name"),
        rows=tuple(cut),
    )
