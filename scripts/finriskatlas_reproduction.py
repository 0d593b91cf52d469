"""Recompute what FinRiskAtlas says of its tables, and write a page of claims.

    python scripts/finriskatlas_reproduction.py

Writes docs/reference/finriskatlas-reproduction.md from the bundled tables 8 to 11.
tests/test_finriskatlas_reproduction.py checks that the page is up to date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from finassay.analyses.operations.printed import operations_of_tables
from finassay.analyses.operations.results import OperationSelection, OperationsResult
from finassay.analyses.operations.results_ask import AskAssociation, AskComparison, AskStanding
from finassay.benchmarks.finriskatlas import load_finriskatlas

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "finriskatlas-reproduction.md"

GEMINI, KIMI = "Gemini-3-Flash-preview", "Kimi-K3"

FAMILIES = {
    "risk_compliance": 20,
    "trade": 14,
    "fintech_security": 4,
    "commerce_payment": 2,
    "finance_law": 2,
}
"""Knowledge families of each printed group, summed from table 4 of the paper."""

STATES = {"ask": 583, "proceed": 97}
"""Recorded states, from table 3 of the paper."""

TITLE = "# FinRiskAtlas, recomputed"

INTRODUCTION = (
    "What arXiv 2608.25325 says in its sections 4.1 to 4.4 and D, and in the text of figures 4 to "
    "6, beside what `finassay operations finriskatlas` computes from its tables 8 to 11. "
    "*Published* is what is printed there; *ours* has as many digits. Written by "
    "`scripts/finriskatlas_reproduction.py`; the definitions stand in "
    "[Which system for which operation](../explanation/operations.md)."
)

NO_ITEMS = (
    "Printed scores have no items behind them: none of these figures can be given an interval."
)


@dataclass(frozen=True, slots=True)
class Row:
    """One claim.

    Attributes:
        where: section or figure.
        claim: what is said.
        published: as printed, without units.
        ours: computed, with as many digits.
    """

    where: str
    claim: str
    published: str
    ours: str

    @property
    def agrees(self) -> bool:
        """Whether both are the same."""
        return self.published == self.ours


class Atlas:
    """The recomputed result, with rows looked up by name."""

    def __init__(self) -> None:
        self.tables = load_finriskatlas()
        self.result: OperationsResult = operations_of_tables(self.tables)
        self.cells = {
            (score.row, score.column): Decimal(score.printed)
            for scores in self.tables.values()
            for score in scores
        }
        self.operations = {row.operation: row for row in self.result.operations}

    @property
    def ask(self) -> AskComparison:
        """Return the comparison with ask or proceed."""
        if self.result.ask is None:
            raise LookupError("the tables hold no metrics on ask or proceed")
        return self.result.ask

    def operation(self, name: str) -> OperationSelection:
        """Return one operation."""
        return self.operations[name]

    def asked(self, system: str) -> AskStanding:
        """Return one system's standing on ask or proceed."""
        return next(row for row in self.ask.rows if row.system == system)

    def associated(self, name: str) -> AskAssociation:
        """Return the correlations of one score with ask metrics."""
        return next(row for row in self.ask.associations if row.score == name)

    def difference(self, column: str, left: str, right: str) -> str:
        """Return a difference of printed numbers."""
        return str(self.cells[left, column] - self.cells[right, column])


def two(value: float | None) -> str:
    """Return a number with two decimals."""
    return "none" if value is None else f"{value:.2f}".replace("-", "−")


def one(value: float | None) -> str:
    """Return a number with one decimal."""
    return "none" if value is None else f"{value:.1f}"


def section_2(atlas: Atlas) -> Iterator[Row]:
    """Yield the claims of section 4.2: operations rank systems differently."""
    given, where = atlas.result.agreement, "4.2"
    yield Row(where, "systems in the correlation matrix", "32", str(given.n_systems))
    yield Row(where, "mean correlation of pairs of operations", "0.42", two(given.mean))
    yield Row(where, "pairs of operations", "55", str(given.n_pairs))
    yield Row(where, "pairs below 0.5", "37", str(given.n_below))
    rho = given.matrix[given.operations.index("institution_matching")][
        given.operations.index("risk_classification")
    ]
    yield Row(where, "institution matching and risk classification", "−0.03", two(rho))
    yield Row(where, "share of the leading eigenvalue, %", "49.9", one(100 * given.explained[0]))
    yield Row(where, "share of the first five, %", "85.0", one(100 * given.cumulative[4]))
    known = sorted(atlas.result.operations, key=lambda row: row.correlation or 0.0)
    low, high = known[0], known[-1]
    yield Row(
        where,
        "lowest correlation with knowledge",
        "institution_matching 0.33",
        f"{low.operation} {two(low.correlation)}",
    )
    yield Row(
        where,
        "highest correlation with knowledge",
        "case_classification 0.89",
        f"{high.operation} {two(high.correlation)}",
    )
    overall = atlas.difference("overall", GEMINI, KIMI)
    yield Row(where, f"knowledge of {GEMINI} above {KIMI}", "0.01", overall)
    provision = atlas.difference("provision_selection", GEMINI, KIMI)
    yield Row(where, f"provision selection, {GEMINI} above {KIMI}", "14.10", provision)
    outcome = atlas.difference("legal_outcome_prediction", KIMI, GEMINI)
    yield Row(where, f"legal outcome, {KIMI} above {GEMINI}", "8.47", outcome)
    near = atlas.result.profiles.near_median_gap
    yield Row(where, "median profile gap of near pairs", "25.5", one(near))
    leaders = atlas.result.shortlists.n_distinct_leaders
    yield Row(where, "systems that lead some operation", "9", str(leaders))


REGRETS = {
    "institution_matching": "0.00",
    "risk_classification": "0.00",
    "information_extraction": "18.01",
    "quantitative_reasoning": "11.21",
    "legal_outcome_prediction": "8.47",
}
"""Printed regret of a shortlist of one."""

MEAN_REGRETS = {1: "5.35", 3: "2.59", 10: "0.90", 23: "0.00"}
"""Printed mean regret by size of the shortlist, figure 4c."""


def section_3(atlas: Atlas) -> Iterator[Row]:
    """Yield the claims of section 4.3: what screening by knowledge forgoes."""
    eligible = {row.n_eligible for row in atlas.result.operations if not row.is_judged}
    yield Row("4.1", "systems in structured operations", "33", listed(eligible))
    judged = {row.n_eligible for row in atlas.result.operations if row.is_judged}
    yield Row("4.1", "systems in judged operations", "32", listed(judged))
    for name, printed in REGRETS.items():
        regret = atlas.operation(name).regret[0]
        yield Row("4.3", f"regret of one, {name.replace('_', ' ')}", printed, two(regret))
    late = atlas.operation("decision_view_generation").regret[14]
    yield Row("4.3", "regret of fifteen, decision view generation", "6.70", two(late))
    for size, printed in MEAN_REGRETS.items():
        ours = two(atlas.result.shortlists.mean_regret[size - 1])
        yield Row("figure 4c", f"mean regret of {size}", printed, ours)


def listed(values: set[int]) -> str:
    """Return numbers in order."""
    return ", ".join(map(str, sorted(values)))


def section_4(atlas: Atlas) -> Iterator[Row]:
    """Yield the claims of section 4.4: when to ask, and what for."""
    ask = atlas.ask
    pair = ask.widest
    widest = "none" if pair is None else two(pair.era)
    yield Row("4.4", "largest ERA difference of pairs within 0.1 BAcc", "28.31", widest)
    bacc = "none" if pair is None else two(pair.bacc)
    yield Row("figure 4a", "BAcc difference of that pair", "0.07", bacc)
    first = ask.rows[0]
    told = f"{first.system} {two(first.ask_recall)} {two(first.cra)}"
    yield Row("4.4", "highest ERA, its AskR and CRA", "Ling-2.6-1T 96.57 82.58", told)
    yield Row("4.4", f"ERA of {KIMI}", "77.10", two(atlas.asked(KIMI).era))
    yield Row("4.4", "ERA of Claude-Opus-4.7", "75.98", two(atlas.asked("Claude-Opus-4.7").era))
    best = next(row for row in ask.rows if row.cra_rank == 1)
    told = f"{best.system} {two(best.cra)} {two(best.ask_recall)} {two(best.era)}"
    yield Row("4.4", "highest CRA, its AskR and ERA", "Qwen3.7-Max 87.67 57.80 50.68", told)
    yield Row("figure 4b", f"CRA rank of {KIMI}", "2", str(atlas.asked(KIMI).cra_rank))
    yield Row("4.4", "systems with AskR above ProceedR", "32", str(ask.n_ask_above))
    yield Row("4.4", "systems compared", "32", str(ask.n_systems))
    yield Row("4.4", "median recall gap", "46.26", two(ask.median_recall_gap))
    yield Row("4.4", "systems with a gap above 20", "24", str(ask.n_wide))
    agreed = 100 * STATES["ask"] / sum(STATES.values())
    yield Row("table 11", "RAA of always asking, 583 of 680 states", "85.74", two(agreed))


LEADERS = {
    "case_classification": "Kimi-K2.5",
    "information_extraction": "GPT-5.6-Luna",
    "institution_matching": GEMINI,
    "person_matching": KIMI,
    "quantitative_reasoning": "Ling-2.6-1T",
    "risk_classification": GEMINI,
    "legal_outcome_prediction": KIMI,
    "provision_selection": "GPT-5.6-Sol",
    "legal_judgment_generation": "GPT-5.4",
    "decision_view_generation": "DeepSeek-V3-0324",
    "disputed_issue_generation": "DeepSeek-V4-Pro",
}
"""Leaders as listed in figure 5d, in the order of its rows."""

RECOVERED = {1: ("D.1", "2"), 3: ("figure 5c", "4"), 10: ("D.1", "8"), 23: ("D.1", "11")}
"""Size of a shortlist -> where it is printed, and leaders recovered."""


def section_d1(atlas: Atlas) -> Iterator[Row]:
    """Yield the claims of section D.1: profiles, spectrum, leaders."""
    gaps, given = atlas.result.profiles, atlas.result.agreement
    yield Row("D.1", "pairs of systems", "496", str(gaps.n_pairs))
    yield Row("D.1", "pairs within 0.5 points of knowledge", "30", str(gaps.n_near))
    yield Row("figure 5a", "other pairs", "466", str(gaps.n_pairs - gaps.n_near))
    yield Row("D.1", "median profile gap of near pairs", "25.5", one(gaps.near_median_gap))
    yield Row("D.1", "median profile gap of all pairs", "34.2", one(gaps.median_gap))
    pair = next(pair for pair in gaps.near_pairs if {pair.left, pair.right} == {GEMINI, KIMI})
    yield Row("figure 5a", f"profile gap of {KIMI} and {GEMINI}", "26.0", one(pair.gap))
    yield Row("D.1", "share of the leading eigenvalue, %", "49.9", one(100 * given.explained[0]))
    yield Row("figure 5b", "share of the first two, %", "61.2", one(100 * given.cumulative[1]))
    crossed = 1 + sum(share < 0.8 for share in given.cumulative)
    yield Row("figure 5b", "components to cross 80%", "5", str(crossed))
    yield Row("D.1", "share of the first five, %", "85.0", one(100 * given.cumulative[4]))
    ranks = [row.leader_knowledge_rank for row in atlas.result.operations]
    yield Row("D.1", "knowledge ranks of leaders", "1 to 23", f"{min(ranks)} to {max(ranks)}")
    for size, (where, printed) in RECOVERED.items():
        ours = str(atlas.result.shortlists.recovered[size - 1])
        yield Row(where, f"leaders in a shortlist of {size}", printed, ours)
    whole = str(atlas.result.shortlists.all_recovered_at)
    yield Row("D.1", "smallest shortlist with every leader", "23", whole)
    for name, leader in LEADERS.items():
        ours = ", ".join(atlas.operation(name).leaders)
        yield Row("figure 5d", f"leader of {name.replace('_', ' ')}", leader, ours)


MOVED = {
    "Ling-2.6-1T": "18 to 1",
    "GPT-5.6-Luna": "13 to 2",
    KIMI: "1 to 3",
    "Claude-Opus-4.7": "5 to 4",
    "Qwen3-8B": "2 to 22",
}
"""Rank by BAcc and by ERA, figure 6d."""


def section_d2(atlas: Atlas) -> Iterator[Row]:
    """Yield the claims of section D.2: static scores beside ask or proceed."""
    for name, cra, bacc in (
        ("legal_judgment_generation", "0.78", "0.14"),
        ("decision_view_generation", "0.79", "0.07"),
    ):
        found, said = atlas.associated(name), name.replace("_", " ")
        yield Row("D.2", f"{said} and CRA", cra, two(found.cra))
        yield Row("D.2", f"{said} and BAcc", bacc, two(found.bacc))
    for system, printed in MOVED.items():
        row = atlas.asked(system)
        ours = f"{row.bacc_rank} to {row.era_rank}"
        yield Row("figure 6d", f"rank by BAcc and by ERA, {system}", printed, ours)


SECTIONS: dict[str, Callable[[Atlas], Iterator[Row]]] = {
    "4.2, operations rank systems differently": section_2,
    "4.1 and 4.3, what screening by knowledge forgoes": section_3,
    "4.4, when to ask and what for": section_4,
    "D.1, profiles and leaders": section_d1,
    "D.2, static scores beside ask or proceed": section_d2,
}


def rows(atlas: Atlas) -> dict[str, list[Row]]:
    """Return the claims by section."""
    return {title: list(made(atlas)) for title, made in SECTIONS.items()}


def deviations(atlas: Atlas) -> list[Decimal]:
    """Return the mean over 42 families, from the groups, minus the printed one, of each system."""
    systems = {system for system, column in atlas.cells if column == "overall"}
    total = sum(FAMILIES.values())
    return [
        sum((atlas.cells[s, group] * n for group, n in FAMILIES.items()), Decimal(0)) / total
        - atlas.cells[s, "overall"]
        for s in sorted(systems)
    ]


def more(atlas: Atlas) -> str:
    """Return what the tables say beyond the claims."""
    weights = ":".join(map(str, FAMILIES.values()))
    off = deviations(atlas)
    ends = " to ".join(f"{value:+.4f}".replace("-", "−") for value in (min(off), max(off)))
    applied = [
        atlas.associated(row.operation) for row in atlas.result.operations if row.layer == "review"
    ]
    closer = sum(
        one.cra is not None and one.bacc is not None and one.cra > one.bacc for one in applied
    )
    families = (
        f"The groups hold {weights} of the 42 knowledge families (table 4). A mean with these "
        f"weights differs from the printed `overall` by {ends}; rounding explains up to 0.01 "
        f"either way, so tables 4 and 8 fit each other."
    )
    nearer = (
        f"{closer} of the {len(applied)} applied review operations go with CRA more than with "
        f"BAcc; D.2 says several."
    )
    said = [f"{one.title}: {one.evidence}." for one in atlas.result.findings]
    return "\n".join(f"- {text}" for text in (*said, families, nearer))


def page(atlas: Atlas) -> str:
    """Return the page."""
    found = rows(atlas)
    every = [row for part in found.values() for row in part]
    agreed = sum(row.agrees for row in every)
    blocks = [
        TITLE,
        INTRODUCTION,
        f"**{agreed} of {len(every)} claims agree.** {NO_ITEMS}",
    ]
    for title, part in found.items():
        lines = ["| where | claim | published | ours | agrees |", "|:---|:---|---:|---:|:---|"]
        lines += [
            f"| {row.where} | {row.claim} | {shown(row.published)} | {shown(row.ours)} | "
            f"{'yes' if row.agrees else '**no**'} |"
            for row in part
        ]
        blocks += [f"## {title}", "\n".join(lines)]
    blocks += ["## What the tables say beyond the claims", more(atlas)]
    return "\n\n".join(block.rstrip() for block in blocks) + "\n"


def shown(text: str) -> str:
    """Return a value with names of operations as words."""
    return text.replace("_", " ")


def main() -> None:
    text = page(Atlas())
    PAGE.write_text(text, encoding="utf-8")
    print(next(line for line in text.splitlines() if line.startswith("**")))


if __name__ == "__main__":
    main()
