"""Scores under contracts.  In: a study marked by `contract`.  Out: a score for system and family.

S(m, f) = sum of credits / N, where a malformed answer earns none and stays in N; beside it the
mean over the answers that could be read.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from finassay.errors import MissingVerdictsError
from finassay.marking.table import newest_versions
from finassay.study.snapshot import Snapshot

DEFAULT = "contract"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractScore:
    """The score of one system in one family.

    Attributes:
        system: display name.
        contract: contract of the family.
        n: answers that count, those that are malformed among them.
        malformed: answers without a value (unparsed, or none given); they earn no credit.
        failed: items on which no reply was obtained; they are left out of `n` and counted here.
        score: share of credit over `n`, in [0, 1]; None where `n` is 0.
        valid_only: share of credit over the answers that could be read; None where there are none.
    """

    system: str
    contract: str
    n: int
    malformed: int
    failed: int
    score: float | None
    valid_only: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractScores:
    """Scores of all systems in all families of a study.

    Attributes:
        scorer: id of the scorer.
        version: its version, which holds the digest of the contracts.
        scores: by contract and system.
    """

    scorer: str
    version: str
    scores: tuple[ContractScore, ...]

    def to_lines(self) -> list[str]:
        """Return the scores in plain lines, a family at a time."""
        lines = [f"scorer {self.scorer}, version {self.version}"]
        contract = ""
        for one in self.scores:
            if one.contract != contract:
                contract = one.contract
                lines.append(f"{contract} (malformed counts as wrong; over valid answers)")
            failed = f", {one.failed} failed" if one.failed else ""
            lines.append(
                f"  {one.system}: {_percent(one.score)}  {_percent(one.valid_only)}  "
                f"({one.malformed} of {one.n} malformed{failed})"
            )
        return lines


def contract_scores(snapshot: Snapshot, scorer: str = DEFAULT) -> ContractScores:
    """Return the score of each system in each family, with the valid-only score beside it.

    Args:
        snapshot: a study, pinned.
        scorer: id of the scorer whose verdicts are read.

    Raises:
        MissingVerdictsError: the study holds no verdicts of that scorer.
    """
    verdicts = newest_versions(snapshot.frame("verdicts", scorer_id=[scorer]))
    if not verdicts.height:
        raise MissingVerdictsError(
            f"the study holds no verdicts of {scorer!r}; run `finassay score STUDY --scorer "
            f"{scorer}` first"
        )
    named = pl.when(pl.col("contract_id") != "").then("contract_id").otherwise("task")
    items = snapshot.frame("items").select("item_id", contract_id=named)
    names = {spec.system_id: spec.name for spec in snapshot.systems()}
    applicable = verdicts.join(items, on="item_id").filter(pl.col("status") != "not_applicable")
    failed = pl.col("status") == "failed"
    counted = (
        applicable.group_by("contract_id", "system_id")
        .agg(
            n=(~failed).sum(),
            failed=failed.sum(),
            read=pl.col("value").count(),
            credit=pl.col("value").sum(),
        )
        .sort("contract_id", "system_id")
    )
    scores = [_score(row, names) for row in counted.iter_rows(named=True)]
    scores.sort(key=lambda one: (one.contract, -(one.score or 0.0), one.system))
    return ContractScores(
        scorer=scorer, version=str(verdicts["scorer_version"][0]), scores=tuple(scores)
    )


def _score(row: dict[str, str | int | float], names: dict[str, str]) -> ContractScore:
    n, read, credit = int(row["n"]), int(row["read"]), float(row["credit"])
    return ContractScore(
        system=names[str(row["system_id"])],
        contract=str(row["contract_id"]),
        n=n,
        malformed=n - read,
        failed=int(row["failed"]),
        score=credit / n if n else None,
        valid_only=credit / read if read else None,
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
