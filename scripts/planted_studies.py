"""Studies in which one known thing is wrong, for the provenance simulation.

In: a made-up study.  Out: what an audit of provenance reads, clean or with one thing planted; all
verdicts are by the real rules.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from made_up_studies import Study

from finassay.analyses.provenance.inputs import ProvenanceInputs
from finassay.marking.batch import Batch
from finassay.marking.matrix import STATUS_CODES, VerdictMatrix
from finassay.marking.reply_matrix import ReplyMatrix, replies_from
from finassay.marking.rowwise import Marker
from finassay.marking.scoring import DEFAULT_SCORERS
from finassay.marking.single import as_scorer
from finassay.records import ReportedScore

JUDGE = "judge/made-up"
COMMON = "strict/numbers-first"
OTHER_RULES = ("strict/fuzzy-first", "includes", "token_f1", "token_sort")

LEAST_SHARE = 0.1
"""Share of a system's verdicts that another rule must change to be planted."""


def marked(study: Study, texts: Mapping[str, Mapping[str, str]]) -> dict[str, VerdictMatrix]:
    """Return the verdicts of every candidate rule on all replies."""
    cells = [(item, system) for item in study.items for system in texts]
    frame = pl.DataFrame(
        {
            "reference": [item.reference for item, _ in cells],
            "reply": [texts[system][item.item_id] for item, system in cells],
            "task": [item.task for item, _ in cells],
        }
    )
    marker = Marker(Batch.from_rows(frame))
    found = {rule: marker.mark(as_scorer(rule)) for rule in DEFAULT_SCORERS}
    shape = len(study.items), len(texts)
    return {
        rule: VerdictMatrix(
            values=columns["value"].fill_null(0.0).to_numpy().reshape(shape).copy(),
            status=np.array([STATUS_CODES[s] for s in columns["status"]], np.int8).reshape(shape),
            row_names=("item_id",),
            rows=tuple((item.item_id,) for item in study.items),
            column_name="system",
            columns=tuple(texts),
        )
        for rule, columns in found.items()
    }


def matrix(study: Study, systems: Sequence[str], right: np.ndarray) -> VerdictMatrix:
    """Return (R, C) booleans as verdicts."""
    return VerdictMatrix.from_cells(
        (
            ((item.item_id,), system, "scored", float(right[i, j]))
            for i, item in enumerate(study.items)
            for j, system in enumerate(systems)
        ),
        row_names=("item_id",),
        column_name="system",
    )


def clean_inputs(study: Study, seed: int) -> ProvenanceInputs:
    """Return a study in which nothing is wrong.

    The verdicts of the source are those of one rule; the judge errs on one reply in twenty, long or
    short; the printed table says what the verdicts say.
    """
    candidates = marked(study, study.texts)
    stored = candidates[COMMON]
    flips = draws(study, seed) < 0.05
    judged = matrix(study, study.systems, study.truth ^ flips)
    return ProvenanceInputs(
        study=f"made up {seed}",
        items=study.items,
        matrices={"stored": stored, JUDGE: judged},
        candidates=candidates,
        replies=_replies(study, study.texts),
        reported=printed_table(study, stored),
        judge=JUDGE,
    )


def draws(study: Study, seed: int) -> np.ndarray:
    """Return (R, C) numbers in [0, 1), the same for the same reply to an item."""
    return np.array(
        [
            [
                random.Random(f"{seed} {i.item_id} {study.texts[s][i.item_id]}").random()
                for s in study.systems
            ]
            for i in study.items
        ]
    )


def _replies(study: Study, texts: Mapping[str, Mapping[str, str]]) -> ReplyMatrix:
    ids = [item.item_id for item in study.items]
    return replies_from(list(texts), ids, lambda system, item: texts[system][item])


def printed_table(study: Study, stored: VerdictMatrix) -> tuple[ReportedScore, ...]:
    """Return the table that a paper would print: percents by family and overall, one decimal."""
    families = {f: [i.family == f for i in study.items] for f in ("REG", "NUM", "TMP", "CON")}
    families["Overall"] = [True] * len(study.items)
    out = []
    for j, system in enumerate(stored.columns):
        for family, mask in families.items():
            rows = np.array(mask)
            n, k = int(rows.sum()), int(stored.right[rows, j].sum())
            text = f"{100 * k / n:.1f}"
            out.append(score(system, family, text, n))
    return tuple(out)


def score(row: str, column: str, text: str, n: int) -> ReportedScore:
    """Return one printed cell."""
    value = float(text) / 100
    return ReportedScore(
        source="paper", table="Table 1", row=row, column=column, value=value, printed=text, n=n
    )


def plant_noise(study: Study, clean: ProvenanceInputs, seed: int) -> ProvenanceInputs:
    """Return the study with one to five in a hundred verdicts of the source changed by hand."""
    share = random.Random(seed).uniform(0.01, 0.05)
    right = clean.matrices["stored"].right ^ (draws(study, seed + 1) < share)
    stored = matrix(study, study.systems, right)
    return _with_stored(study, clean, stored)


def _with_stored(study: Study, clean: ProvenanceInputs, stored: VerdictMatrix) -> ProvenanceInputs:
    matrices = {**clean.matrices, "stored": stored}
    return replace(clean, matrices=matrices, reported=printed_table(study, stored))


def plant_mixed_rule(study: Study, clean: ProvenanceInputs, seed: int) -> ProvenanceInputs:
    """Return the study with one system's verdicts made by another rule, among noise."""
    noisy = plant_noise(study, clean, seed)
    stored, differs = clean.matrices["stored"], {}
    for rule in OTHER_RULES:
        for at, count in enumerate((clean.candidates[rule].right ^ stored.right).sum(axis=0)):
            differs[rule, at] = int(count)
    enough = [pair for pair, count in differs.items() if count >= LEAST_SHARE * len(study.items)]
    rule, at = random.Random(seed).choice(enough or [max(differs, key=differs.__getitem__)])
    right = noisy.matrices["stored"].right.copy()
    right[:, at] = clean.candidates[rule].right[:, at]
    return _with_stored(study, noisy, matrix(study, study.systems, right))


def plant_verbosity(study: Study, clean: ProvenanceInputs, seed: int) -> ProvenanceInputs:
    """Return the study with a judge that credits wrong replies the longer they are.

    From 40 characters on, every doubling of the length adds 20 points to the chance, up to 90.
    """
    chance = np.array(
        [
            [
                min(0.9, 0.2 * np.log2(max(1, len(study.texts[s][i.item_id])) / 40))
                for s in study.systems
            ]
            for i in study.items
        ]
    )
    right = clean.matrices[JUDGE].right | (draws(study, seed + 2) < chance)
    judged = matrix(study, study.systems, right)
    return replace(clean, matrices={**clean.matrices, JUDGE: judged})


def plant_copy(study: Study, clean: ProvenanceInputs, seed: int) -> ProvenanceInputs:
    """Return the study with one file that is another's under a new name, a few rows edited."""
    rng = random.Random(seed)
    source = rng.choice(study.systems)
    twin = f"{source}-v2"
    edited = {
        item.item_id: text if rng.random() > 0.04 else f"{text} Noted."
        for item in study.items
        for text in [study.texts[source][item.item_id]]
    }
    texts = {**study.texts, twin: edited}
    return _marked_again(study, clean, texts, [twin])


def plant_cut(study: Study, clean: ProvenanceInputs, seed: int) -> ProvenanceInputs:
    """Return the study with one system's replies cut when they were logged, after marking."""
    rng = random.Random(seed)
    longest = max(
        study.systems,
        key=lambda s: sorted(map(len, study.texts[s].values()))[len(study.items) // 2],
    )
    lengths = sorted(map(len, study.texts[longest].values()))
    cap = max(80, lengths[int(len(lengths) * rng.uniform(0.55, 0.85))] // 10 * 10)
    texts = {**study.texts, longest: {i: t[:cap] for i, t in study.texts[longest].items()}}
    return _marked_again(study, clean, texts, [longest], keep_stored=True)


def _marked_again(
    study: Study,
    clean: ProvenanceInputs,
    texts: Mapping[str, Mapping[str, str]],
    systems: Sequence[str],
    *,
    keep_stored: bool = False,
) -> ProvenanceInputs:
    part = marked(study, {system: texts[system] for system in systems})
    candidates = {
        rule: _joined(old, part[rule], list(texts)) for rule, old in clean.candidates.items()
    }
    stored = clean.matrices["stored"] if keep_stored else candidates[COMMON]
    judged = clean.matrices[JUDGE]
    return replace(
        clean,
        candidates=candidates,
        replies=_replies(study, texts),
        matrices={"stored": stored, JUDGE: judged},
        reported=printed_table(study, stored),
    )


def _joined(old: VerdictMatrix, new: VerdictMatrix, systems: Sequence[str]) -> VerdictMatrix:
    """Return some systems of both, those of the second first."""
    columns = dict.fromkeys(old.columns, old) | dict.fromkeys(new.columns, new)
    stacked = [columns[s].status[:, columns[s].columns.index(s)] for s in systems]
    values = [columns[s].values[:, columns[s].columns.index(s)] for s in systems]
    return VerdictMatrix(
        values=np.array(values).T.copy(),
        status=np.array(stacked).T.copy(),
        row_names=("item_id",),
        rows=old.rows,
        column_name="system",
        columns=tuple(systems),
    )


def plant_impossible(_study: Study, clean: ProvenanceInputs, seed: int) -> ProvenanceInputs:
    """Return the study with one printed percent that no count of its items gives."""
    rng = random.Random(seed)
    cells = list(clean.reported)
    at = rng.choice([i for i, cell in enumerate(cells) if cell.column != "Overall"])
    cell = cells[at]
    n = cell.n or 1
    possible = {f"{100 * k / n:.1f}" for k in range(n + 1)}
    near = [round(float(cell.printed) + d / 10, 1) for d in range(-40, 41)]
    texts = [f"{x:.1f}" for x in near if 0 < x < 100 and f"{x:.1f}" not in possible]
    cut = {f"{int(1000 * k / n) / 10:.1f}" for k in range(n + 1)}
    cells[at] = score(cell.row, cell.column, rng.choice([t for t in texts if t not in cut]), n)
    return replace(clean, reported=tuple(cells))
