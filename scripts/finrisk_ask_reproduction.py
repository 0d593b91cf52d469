"""Write docs/reference/finrisk-ask-reproduction.md: claims about FinRisk-Ask, printed and ours.

Run without arguments to rewrite the page; --check compares it with what stands there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from finassay.analyses.ask.comparisons import ask_ranks, near_pairs, recall_asymmetry
from finassay.analyses.ask.printed import exact_metrics
from finassay.analyses.ask.report import AskSettings, printed_rows, report_of_table
from finassay.analyses.kernels.correlation import spearman
from finassay.analyses.results_ask import AskReport, AskScores
from finassay.benchmarks.reported import load_reported
from finassay.reports.ask_workflow import published_table
from finassay.reports.markdown import markdown_table
from finassay.reports.tables_ask import identities, printing

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "finrisk-ask-reproduction.md"
HEAD = """\
# FinRisk-Ask: claims and what its table says

FinRisk-Ask is the ask-or-proceed part of FinRiskAtlas (arXiv 2608.25325, version 1). Its states
are not public; its Table 11 prints eight metrics of 33 systems, and every claim below is computed
again from these digits. "Agrees" means equal at the digits that the paper prints.

Run it on the table: `finassay ask finrisk_ask.csv`, with the columns `model`, `ERA`, `BAcc`,
`AskR`, `ProceedR`, `RAA`, `CRA`, `DEH`, `REH`. The page is written by
`scripts/finrisk_ask_reproduction.py`.

"""
UNCHECKED = """
## What the table cannot tell

- That the states come from 104 trajectories (abstract, 3.4, C.1): the table is state-weighted, and
  intervals over trajectories would need the states.
- That 10 ask states were dropped for want of an admissible target (C.1): they are in no table.
- The alignment of each request (C.4): no request and no verdict is released; the evaluator is one
  model, and no agreement with people is printed.
"""
READING = """
## How the numbers were shortened

The paper does not say. The digits do: 583 and 97 are the smallest numbers of states of which every
printed share can be a share, so the counts behind each row follow, and with them the exact values.
BAcc, AskR, ProceedR and RAA were rounded. ERA, DEH and REH were cut, but for the first one or two
rows. CRA is neither: it is the ERA as printed, after cutting, over the exact ask recall, rounded,
in all 33 rows, so 12 rows print a CRA that the counts do not give. The differences are in the last
digit; {changes}

"""


class Claim(NamedTuple):
    """A claim, where it stands, what is printed, and what the table gives."""

    text: str
    where: str
    printed: str
    ours: str

    @property
    def row(self) -> str:
        """Return the claim as a row of the page."""
        agrees = "agrees" if self.printed == self.ours else "differs"
        return f"| {self.text} | {self.where} | {self.printed} | {self.ours} | {agrees} |"


def percent(value: float | None) -> str:
    """Return a fraction as a percent with two decimals."""
    return "–" if value is None else f"{100 * value:.2f}"


def scores(report: AskReport) -> dict[str, AskScores]:
    """Return the scores of every row."""
    return {row.system: row.scores for row in report.rows}


def claims(report: AskReport) -> Iterator[Claim]:
    """Yield every numeric claim about FinRisk-Ask that the table can check."""
    yield from _sizes(report)
    yield from _pairs(report)
    yield from _leaders(report)
    yield from _recalls(report)
    yield from _ranks(report)
    yield from _operations(report)


def _sizes(report: AskReport) -> Iterator[Claim]:
    own = scores(report)
    systems = [row for row in report.rows if not row.is_policy]
    both = (report.n_ask or 0) + (report.n_proceed or 0)
    yield Claim("configurations evaluated", "4.1", "33", str(len(systems)))
    yield Claim("configurations compared", "4.1", "32", str(len(report.compared)))
    yield Claim("ask states (from the digits)", "3.4, C.1", "583", str(report.n_ask))
    yield Claim("proceed states (from the digits)", "3.4, C.1", "97", str(report.n_proceed))
    yield Claim("states", "abstract, 3.4, C.1", "680", str(both))
    for name, raa in (("Always-Ask", "85.74"), ("Always-Proceed", "14.26")):
        yield Claim(f"RAA of {name}", "Table 11", raa, percent(own[name].raa))
        yield Claim(f"BAcc of {name}", "Table 11", "50.00", percent(own[name].bacc))
        yield Claim(f"ERA and CRA of {name}", "Table 11", "–", percent(own[name].era))


def _pairs(report: AskReport) -> Iterator[Claim]:
    pair = report.near_pairs.largest
    if pair is None:
        return
    told = "largest ERA difference of a pair within 0.1 points of BAcc"
    yield Claim(told, "4.4, figure 4(a)", "28.31", percent(pair.era_difference))
    apart = percent(pair.bacc_difference)
    yield Claim(
        f"BAcc difference of this pair ({pair.high}, {pair.low})", "figure 4(a)", "0.07", apart
    )


def _leaders(report: AskReport) -> Iterator[Claim]:
    ranks = {one.system: one for one in report.ranks}
    by_era = next(name for name, one in ranks.items() if one.era == 1)
    by_cra = next(name for name, one in ranks.items() if one.cra == 1)
    yield Claim("highest ERA", "4.4, figure 4", "Ling-2.6-1T", by_era)
    yield Claim("highest CRA", "4.4, figure 4", "Qwen3.7-Max", by_cra)
    yield Claim("rank of Kimi-K3 by CRA", "figure 4(b)", "2", str(ranks["Kimi-K3"].cra))
    yield Claim("rank of Qwen3-8B by BAcc", "figure 4(a)", "2", str(ranks["Qwen3-8B"].bacc))
    own = scores(report)
    for system, field, name, printed in (
        ("Ling-2.6-1T", "ask_recall", "AskR", "96.57"),
        ("Ling-2.6-1T", "cra", "CRA", "82.58"),
        ("Kimi-K3", "era", "ERA", "77.10"),
        ("Claude-Opus-4.7", "era", "ERA", "75.98"),
        ("Qwen3.7-Max", "cra", "CRA", "87.67"),
        ("Qwen3.7-Max", "ask_recall", "AskR", "57.80"),
        ("Qwen3.7-Max", "era", "ERA", "50.68"),
    ):
        yield Claim(f"{name} of {system}", "4.4", printed, percent(getattr(own[system], field)))


def _recalls(report: AskReport) -> Iterator[Claim]:
    told = report.asymmetry
    yield Claim("systems with AskR above ProceedR", "4.4", "32", str(told.n_ask_higher))
    yield Claim("median gap of the recalls", "4.4", "46.26", percent(told.median_gap))
    yield Claim("systems with a gap above 20", "4.4", "24", str(told.n_above))


def _ranks(report: AskReport) -> Iterator[Claim]:
    ranks = {one.system: one for one in report.ranks}
    for name, printed in (
        ("Ling-2.6-1T", "18, 1"),
        ("GPT-5.6-Luna", "13, 2"),
        ("Kimi-K3", "1, 3"),
        ("Claude-Opus-4.7", "5, 4"),
        ("Qwen3-8B", "2, 22"),
    ):
        one = ranks[name]
        told = f"ranks of {name} by BAcc and ERA"
        yield Claim(told, "figure 6(d)", printed, f"{one.bacc}, {one.era}")


def _operations(report: AskReport) -> Iterator[Claim]:
    cells = {(one.row, one.column): one.value for one in load_reported("finrisk-ask")}
    for operation, name, metric, printed in (
        ("legal_judgment_generation", "legal judgment", "CRA", "0.78"),
        ("legal_judgment_generation", "legal judgment", "BAcc", "0.14"),
        ("decision_view_generation", "decision view", "CRA", "0.79"),
        ("decision_view_generation", "decision view", "BAcc", "0.07"),
    ):
        x = np.array([cells[system, operation] for system in report.compared])
        y = np.array([cells[system, metric] for system in report.compared])
        rho, _, _ = spearman(x, y)
        told = f"Spearman of {name} (Table 10) and {metric}"
        yield Claim(told, "D.2", printed, "–" if rho is None else f"{rho:.2f}")


def sentences(report: AskReport) -> str:
    """Return claims in words, with the numbers that bear on them."""
    rho = {(one.left, one.right): one for one in report.correlations}
    asks, ends = rho["AskR", "CRA"], rho["AskR", "ERA"]
    return f"""
## Claims in words

"Entering the Ask branch more frequently does not necessarily improve request targeting or
end-to-end evidence acquisition" (abstract). Over the 32 systems, ask recall and alignment where
asked (CRA) have a rank correlation of {asks.rho:.2f} (p = {asks.p:.2f}), so the first half agrees.
Ask recall and ERA have {ends.rho:.2f} (p < 0.001): ERA counts a state without a question as 0, so
asking more often goes with more evidence here, although single systems (Qwen3-1.7B: AskR 94.51,
ERA 31.38) do ask often and find little.

RAA of Always-Ask is 85.74, and no system prints a higher one: with 86% ask states, RAA rewards
asking. BAcc of most systems lies near the 50 of either policy.
"""


def changes(report: AskReport) -> str:
    """Return what the comparisons would be on the exact values behind the digits."""
    exact = {}
    for row in printed_rows(published_table()):
        values = exact_metrics(row, report.n_ask or 0, report.n_proceed or 0)
        if row.system in report.compared and values is not None:
            exact[row.system] = values
    near, told = near_pairs(exact), recall_asymmetry(exact)
    ranks = {one.system: one for one in ask_ranks(exact)}
    moved = sum(one != ranks[one.system] for one in report.ranks)
    largest = None if near.largest is None else near.largest.era_difference
    return (
        f"on the exact values the largest difference of a near pair\nis {percent(largest)} "
        f"(of {near.n_pairs} such pairs, not {report.near_pairs.n_pairs}), the median gap "
        f"{percent(told.median_gap)} with {told.n_above} gaps above 20, and {moved}\nsystems have "
        f"another rank, since printed ties are none."
    )


def page() -> str:
    """Return the whole page as it should stand."""
    report = report_of_table(published_table(), AskSettings())
    rows = "\n".join(claim.row for claim in claims(report))
    table = f"| claim | where | printed | from the table | |\n|---|---|---|---|---|\n{rows}\n"
    if report.printed is None:
        raise ValueError("a report on a table checks its digits")
    checks = f"{markdown_table(identities(report.printed))}\n\n"
    checks += f"{markdown_table(printing(report.printed))}\n"
    reading = READING.format(changes=changes(report))
    return f"{HEAD}{table}{sentences(report)}{reading}{checks}{UNCHECKED}".rstrip() + "\n"


def main() -> int:
    """Write the page, or compare it, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if the page is out of date")
    made = page()
    if not parser.parse_args().check:
        PAGE.write_text(made, encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == made:
        return 0
    print(f"{PAGE.name} is not what the table says; run {Path(__file__).name}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
