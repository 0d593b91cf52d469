"""Audits for tests of reports: one written out by hand, made ones of any size, and a real one."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import published_logs
from finassay.analyses.audit import AuditInputs, build_audit
from finassay.analyses.audit_inputs import PrintedRanks
from finassay.analyses.estimates import Settings
from finassay.analyses.results import (
    Audit,
    Claim,
    Estimate,
    Finding,
    Leaderboard,
    LeaderboardRow,
    Ranks,
)
from finassay.marking.matrix import VerdictMatrix
from finassay.records import Item, Prediction, ReportedScore, Status, SystemSpec, Unscored
from finassay.scorers.strict import AsStated, FuzzyFirst, NumbersFirst

FAMILIES = ("REG", "NUM", "TMP", "CON")
NAMES = (
    "Gemini 2.5 Flash",
    "Qwen3-32B",
    "LLaMA-3.3-70B",
    "Llama 4 Scout 17B-16E Instruct",
    "Kimi K2",
    "LLaMA-3-8B",
    "GPT-OSS 120B",
    "GPT-OSS 20B",
    "Gemini 2.5 Pro",
    "Mistral-7B",
    "DeepSeek-R1-Distill-Llama-70B",
    "Gemma 4 E4B",
)

HOSTILE = (
    "<script>alert('x')</script>",
    "\"quoted\" & 'single' <b>bold</b>",
    "مدل زبانی فارسی",
    "evil\u202eelif.exe\u202c name",
    "n" * 200,
    "n" * 199 + "m",
    "50% off_$pecial #1 {x} ~y ^z \\cmd | pipe `code` [a](b)",
    "two\nlines\tand\x00control",
)


def estimate(right: int, n: int, low: float, high: float) -> Estimate:
    value = right / n if n else None
    return Estimate(
        name="accuracy",
        value=value,
        low=low if n else None,
        high=high if n else None,
        level=0.95,
        method="wilson",
        n=n,
        total=float(right),
        n_unscored=0,
        n_failed=0,
        n_not_applicable=0,
        n_missing=0 if n else 4,
        policy="wrong",
        best=value,
        worst=value,
    )


def bare_board() -> Leaderboard:
    """Return a board of two systems and one that was never marked."""
    rows = (
        LeaderboardRow(
            system="Alpha",
            kind="model",
            complete=True,
            estimate=estimate(3, 4, 0.3006, 0.9544),
            ranks=Ranks(competition=1, dense=1, average=1.0, ordinal=1),
            rank_range=(1, 1),
            macro=0.75,
        ),
        LeaderboardRow(
            system="Beta",
            kind="model",
            complete=True,
            estimate=estimate(1, 4, 0.0456, 0.6994),
            ranks=Ranks(competition=2, dense=2, average=2.0, ordinal=2),
            rank_range=(2, 2),
            macro=0.25,
        ),
        LeaderboardRow(
            system="Gamma", kind="model", complete=False, estimate=estimate(0, 0, 0.0, 0.0)
        ),
    )
    return Leaderboard(
        rule="exact",
        policy="wrong",
        rank_convention="competition",
        rank_basis="value",
        n_items=4,
        families=(),
        difficulties=(),
        rows=rows,
        persons=(),
        reported=(),
        floors=(),
        level=0.95,
        method="Wilson intervals.",
    )


def bare_audit() -> Audit:
    """Return an audit of that board, with nothing else measured."""
    return Audit(
        study="hand-made",
        versions=(("items", 1),),
        digests=(("items", "ab" * 32),),
        packages=(("numpy", "2.4.0"),),
        commands=("finassay audit hand-made",),
        n_systems=2,
        n_persons=0,
        n_items=4,
        n_predictions=8,
        n_primary_verdicts=8,
        n_verdicts=8,
        n_unscored=0,
        scorers=("exact",),
        primary="exact",
        policy="wrong",
        rank_convention="competition",
        leaderboard=bare_board(),
        other_leaderboards=(),
        regimes=None,
        regime_leaderboards=(),
        overturns=None,
        thresholds=None,
        agreement=None,
        coverage=None,
        overlap=None,
        concordance=None,
        documents=None,
        truncation=None,
        recognition=(),
        categories=None,
        findings=(
            Finding(
                severity="high",
                title="Gamma was never marked",
                evidence="0 of 4 items have a verdict.",
                advice="Mark it, or leave it out.",
                link="leaderboard",
            ),
        ),
        strip=(Claim(text="Alpha scores above Beta under exact.", link="leaderboard"),),
    )


def names_for(systems: int) -> tuple[str, ...]:
    more = (f"Another model {i} with a rather long name (instruct, v{i})" for i in range(systems))
    return (*NAMES, *more)[:systems]


def _cells(
    items: Sequence[Item], names: Sequence[str], value: Callable[[int, int], float]
) -> VerdictMatrix:
    cells: list[tuple[tuple[str, ...], str, Status, float | None]] = []
    for column, name in enumerate(names):
        for row, item in enumerate(items):
            given = value(row, column)
            status: Status = "scored" if given >= 0 else "no_answer"
            cells.append(((item.item_id,), name, status, given if given >= 0 else None))
    return VerdictMatrix.from_cells(cells, row_names=("item_id",), column_name="system")


def made_items(n_items: int) -> tuple[Item, ...]:
    return tuple(
        Item(
            item_id=f"{FAMILIES[i % 4]}_{i:03}",
            family=FAMILIES[i % 4],
            task="contradiction_detection" if i % 4 == 3 else "open",
            difficulty=("easy", "medium", "hard")[i % 3],
            reference=("Yes", "No", "Yes")[i % 3] if i % 4 == 3 else f"ref {i}",
            documents=(f"document {i % 9}", f"document {(i + 1) % 9}")[: 1 + (i % 7 == 0)],
        )
        for i in range(n_items)
    )


class Draws:
    """Verdicts drawn with a fixed seed, and rules that turn a share of them."""

    def __init__(self, items: Sequence[Item], names: Sequence[str]) -> None:
        rng = random.Random(7)
        hard = [rng.random() for _ in items]
        skill = [0.95 - 0.5 * column / len(names) for column in range(len(names))]
        self.items, self.names = items, names
        self.base = [[float(rng.random() < s * (1.25 - h)) for s in skill] for h in hard]
        self.noise = [[rng.random() for _ in names] for _ in items]

    def stored(self) -> VerdictMatrix:
        """Return the base, with a few verdicts without an answer."""
        return _cells(
            self.items,
            self.names,
            lambda row, col: -1.0 if self.noise[row][col] > 0.985 else self.base[row][col],
        )

    def rule(self, rate: float) -> VerdictMatrix:
        """Return the base with a share of `rate` turned."""
        return _cells(
            self.items,
            self.names,
            lambda row, col: (
                1 - self.base[row][col] if self.noise[row][col] < rate else self.base[row][col]
            ),
        )

    def judge(self) -> VerdictMatrix:
        """Return a judge that is kinder to the systems that stand lower."""
        return _cells(
            self.items,
            self.names,
            lambda row, col: (
                1.0
                if self.noise[row][col] < 0.1 + 0.7 * col / len(self.names)
                else self.base[row][col]
            ),
        )


def printed_score(n: int) -> ReportedScore:
    return ReportedScore(
        source="a paper",
        table="2",
        row="Printed only",
        column="stored",
        value=0.7875,
        n=n,
        note="as printed in the paper",
    )


def made_audit(
    systems: int = 12,
    *,
    n_items: int = 80,
    names: Sequence[str] | None = None,
    policy: Unscored = "wrong",
) -> Audit:
    """Return the audit of verdicts drawn with a fixed seed, with every part present."""
    shown = tuple(names or names_for(systems))
    items = made_items(n_items)
    draws = Draws(items, shown)
    kept, judged, second = draws.stored(), draws.judge(), draws.rule(0.2)
    steady = range(50, 20 + n_items)
    return build_audit(
        AuditInputs(
            study="made study",
            items=items,
            systems=tuple(SystemSpec(name=name) for name in shown),
            matrices={
                "stored": kept,
                "strict/numbers-first": draws.rule(0.02),
                "strict/fuzzy-first": second,
                "token_sort@threshold=0.72": draws.rule(0.3),
                "judge/small": judged,
            },
            primary="stored",
            settings=Settings(policy=policy),
            versions=(("items", 1), ("verdicts", 12)),
            digests=(("items", "0f" * 32), ("verdicts", "a1" * 32)),
            packages=(("numpy", "2.4.0"), ("rapidfuzz", "3.14.0")),
            commands=("finassay audit made-study --judge judge/small",),
            regimes={"strict": kept, "judge-only": judged, "judge-augmented": second},
            decided_by={"strict": (("REG", "stored"), ("CON", "stored"))},
            thresholds={t: draws.rule(t - 0.5) for t in (0.6, 0.72, 0.85)},
            base_threshold=0.72,
            lengths={n: (*steady, *([200 if k == 1 else 90] * 30)) for k, n in enumerate(shown)},
            cut_references={shown[0]: 5},
            empty_replies={shown[-1]: (items[0].item_id,)},
            reported=(printed_score(n_items),),
            printed_ranks=(
                PrintedRanks(
                    source="a paper",
                    column="judge-only",
                    rows=(("a", "0.9", 1.0), ("b", "0.8", 2.0), ("c", "0.8", 2.0), ("d", "0.7", 3)),
                    claimed="competition",
                ),
            ),
            stored="stored",
            judge="judge/small",
        )
    )


def _person(items: Sequence[Item]) -> dict[str, float]:
    """Return the second annotator's answers under the numbers-first rule."""
    rule = NumbersFirst()
    asked = {item.item_id: item for item in items}
    found = {}
    for row in published_logs.rows(published_logs.folder() / "second_annotator_60.csv"):
        item = asked[row["id"]]
        verdict = rule.score(item=item, prediction=Prediction(text=row["your_answer"]))
        found[item.item_id] = verdict.value or 0.0
    return found


def marked(rule: NumbersFirst | FuzzyFirst | AsStated) -> VerdictMatrix:
    """Return the published predictions of the eleven under a rule."""
    by_id = {item.item_id: item for item in published_logs.items()}
    cells = []
    for name in published_logs.ELEVEN:
        path = published_logs.folder() / "predictions" / f"{name}.csv"
        for row in published_logs.rows(path):
            verdict = rule.score(
                item=by_id[row["id"]], prediction=Prediction(text=row["prediction"])
            )
            cells.append(((row["id"],), name, verdict.status, verdict.value))
    return VerdictMatrix.from_cells(cells, row_names=("item_id",), column_name="system")


def stored_with_person() -> VerdictMatrix:
    """Return the stored verdicts of the eleven, and the second annotator on their own items."""
    stored, items = published_logs.stored(), published_logs.items()
    person = [
        ((item,), "second annotator", "scored", value) for item, value in _person(items).items()
    ]
    cells = [
        (row, name, "scored", float(stored.values[i, j]))
        for i, row in enumerate(stored.rows)
        for j, name in enumerate(stored.columns)
    ]
    return VerdictMatrix.from_cells([*cells, *person], row_names=("item_id",), column_name="system")


def published_audit() -> Audit:
    """Return the audit of the published logs, with three rules, three thresholds and the judge."""
    items, names = published_logs.items(), published_logs.ELEVEN
    return build_audit(
        AuditInputs(
            study="IndiaFinBench, published logs",
            items=items,
            systems=(
                *(SystemSpec(name=name) for name in names),
                SystemSpec(name="second annotator", kind="person"),
            ),
            matrices={
                "stored": stored_with_person(),
                "strict/numbers-first": marked(NumbersFirst()),
                "strict/fuzzy-first": marked(FuzzyFirst()),
                "strict/as-stated": marked(AsStated()),
                "judge/phi4-mini": published_logs.judge(),
            },
            primary="stored",
            settings=Settings(policy="wrong"),
            commands=("finassay audit indiafinbench",),
            regimes={
                "strict": published_logs.stored(),
                "judge-only": published_logs.judge_only(),
                "judge-augmented": published_logs.augmented(),
            },
            thresholds={t: marked(NumbersFirst(threshold=t)) for t in (0.6, 0.72, 0.85)},
            base_threshold=0.72,
            lengths={name: published_logs.lengths(name) for name in names},
            empty_replies={name: published_logs.empty_replies(name) for name in names},
            stored="stored",
            judge="judge/phi4-mini",
        )
    )
