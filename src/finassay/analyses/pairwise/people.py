"""Pairwise judges beside people.  In: comparisons, labels and graded scorers.  Out: agreement.

Pairs are built from labels: two answers to one item of which people call one correct and the other
incorrect.  A judge decides a pair by both orders; a baseline by the higher value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from finassay.analyses.judges.board import label_codes, widened
from finassay.analyses.judges.figures import figure
from finassay.analyses.judges.identity import identities
from finassay.analyses.judges.own_answers import asked_warnings
from finassay.analyses.judges.results import Figure, JudgeIdentity
from finassay.analyses.kernels import pairwise_tables as tables
from finassay.analyses.kernels.block_bootstrap import Block, Values, resample, sample
from finassay.analyses.kernels.judge_tables import Treatment
from finassay.analyses.kernels.pairwise_tables import MISSING, NEITHER, OTHER, SAME
from finassay.analyses.pairwise.candidate_pairs import (
    PairCodes,
    candidate_pairs,
    codes_of_judge,
    codes_of_scores,
    judged,
)
from finassay.analyses.pairwise.pair_board import PairBoard, VoiceCodes
from finassay.analyses.pairwise.people_inputs import PairInputs, PairPlan
from finassay.analyses.pairwise.people_tests import comparisons, conditional, known_of
from finassay.analyses.pairwise.report import order_effect
from finassay.analyses.pairwise.results import OrderEffect
from finassay.analyses.pairwise.results_people import (
    PairAgreement,
    PairVoice,
    PairwisePeople,
    TreatedPairs,
    VoiceKind,
)
from finassay.analyses.units import units_of
from finassay.errors import MissingVerdictsError, UsageError
from finassay.marking.consensus import NO_LABEL, settle

Codes = NDArray[np.int64]
Bools = NDArray[np.bool_]

METHOD = (
    "pairs: every correct and incorrect answer to one item; both orders of a pair make one "
    "decision; of baselines the higher value wins; Cohen's kappa over both arrangements of every "
    "pair, so that names do not matter; BCa bootstrap that draws whole clusters of items; variants "
    "of a judge are compared on common pairs; p by centred bootstrap, Holm within each family"
)


def pairwise_people(inputs: PairInputs, plan: PairPlan) -> PairwisePeople:
    """Return how far pairwise judges and baselines side with people.

    Raises:
        MissingVerdictsError: the labels make no pair.
        UnknownNameError: a declared candidate does not exist.
        UsageError: no item has a field to cut by.
    """
    who = identities(
        tuple(inputs.judges),
        systems=inputs.systems,
        specs=inputs.specs,
        declared=inputs.candidates,
    )
    board, effects = _board(inputs, plan, who)
    parts = _parts(inputs, plan, board)
    found = _agreements(board, parts, plan)
    halves, one_family = conditional(board, who, inputs, plan)
    compared, families = comparisons(board, who, inputs, plan)
    used = {name for pair in board.pairs for name in (pair.left, pair.right)}
    return PairwisePeople(
        study=inputs.study,
        against=tuple(inputs.labels),
        consensus=plan.consensus.text(len(inputs.labels)),
        n_pairs=len(board.pairs),
        n_items=len({pair.item for pair in board.pairs}),
        n_systems=len(used),
        rule=plan.rule,
        primary=plan.primary,
        voices=tuple(
            _voice(name, found[name], who, effects, inputs, board) for name in board.voices
        ),
        conditional=halves,
        comparisons=compared,
        families=(one_family, *families) if halves else families,
        level=plan.level,
        draws=plan.resampling.draws,
        seed=plan.resampling.seed,
        resampled=board.units.name,
        method=METHOD,
        warnings=_warnings(board, who, inputs, plan),
    )


def _warnings(
    board: PairBoard, who: Sequence[JudgeIdentity], inputs: PairInputs, plan: PairPlan
) -> tuple[str, ...]:
    out = list(board.units.warnings())
    if not inputs.judges:
        out.append("the study holds no comparisons of a judge: only baselines are shown")
    for one in who:
        out += asked_warnings(inputs.asked, one, known_of(board, one, inputs, plan))
    return tuple(out)


def _board(
    inputs: PairInputs, plan: PairPlan, who: Sequence[JudgeIdentity]
) -> tuple[PairBoard, dict[str, OrderEffect]]:
    names = {name for matrix in inputs.labels.values() for name in matrix.columns}
    systems = tuple(sorted(names))
    truth = _truth(inputs, plan, systems)
    pairs = candidate_pairs(truth, [item.item_id for item in inputs.items], systems)
    if not pairs:
        raise MissingVerdictsError(
            f"the labels of {', '.join(inputs.labels)} make no pair: no item has an answer that "
            f"is called correct and another that is called incorrect; label more answers"
        )
    voices: dict[str, VoiceCodes] = {}
    effects = {}
    for one in who:
        said = judged(pairs, inputs.judges[one.scorer_id], one.name)
        effects[one.scorer_id] = order_effect([s for s in said if s is not None], plan.level)
        own = np.array([bool({pair.left, pair.right} & set(one.own)) for pair in pairs])
        voices[one.scorer_id] = _voice_codes(
            "judge", codes_of_judge(said, plan.rule), own, with_own=plan.with_own
        )
    for name, matrix in inputs.baselines.items():
        none = np.zeros(len(pairs), dtype=np.bool_)
        codes = codes_of_scores(pairs, matrix)
        voices[name] = _voice_codes("baseline", codes, none, with_own=True)
    units = units_of(inputs.items, plan.resampling.cluster)
    board = PairBoard(pairs=pairs, truth=truth, systems=systems, units=units, voices=voices)
    return board, effects


def _voice_codes(kind: VoiceKind, found: PairCodes, own: Bools, *, with_own: bool) -> VoiceCodes:
    hidden = np.zeros_like(own) if with_own else own
    return VoiceCodes(
        kind=kind,
        codes=np.where(hidden, MISSING, found.codes),
        unread=found.unread & ~hidden,
        n_own=int((own & (found.codes != MISSING)).sum()),
        n_missing=int((found.codes == MISSING).sum()),
    )


def _truth(inputs: PairInputs, plan: PairPlan, systems: Sequence[str]) -> Codes:
    shape = len(inputs.items), len(systems)
    labels = np.full((*shape, len(inputs.labels)), NO_LABEL, dtype=np.int8)
    for r, matrix in enumerate(inputs.labels.values()):
        labels[:, :, r] = label_codes(widened(matrix, inputs.items, systems))
    settled = settle(labels.reshape(-1, len(inputs.labels)), plan.consensus)
    return settled.label.astype(np.int64).reshape(shape)


Part = tuple[str, str, Bools]


def _parts(inputs: PairInputs, plan: PairPlan, board: PairBoard) -> list[Part]:
    every = np.ones(len(board.pairs), dtype=np.bool_)
    out: list[Part] = [("", "", every)]
    for name in plan.by:
        values = [
            str(getattr(item, name, "") or dict(item.strata).get(name, "")) for item in inputs.items
        ]
        column = np.array([values[pair.item] for pair in board.pairs], dtype=object)
        known = [value for value in dict.fromkeys(column.tolist()) if value]
        if not known:
            raise UsageError(
                f"--by {name}: no item of a pair has it; expected family, task, difficulty, "
                f"language, split or a stratum of the items"
            )
        out += [(name, value, np.asarray(column == value)) for value in known]
    return out


def _agreements(
    board: PairBoard, parts: Sequence[Part], plan: PairPlan
) -> dict[str, tuple[PairAgreement, ...]]:
    """Return agreement of every voice over every part, all from the same resamples."""
    blocks = [
        board.block(voice.codes, mask) for voice in board.voices.values() for _, _, mask in parts
    ]
    rng = np.random.default_rng(plan.resampling.seed)
    drawn = iter(resample(blocks, draws=plan.resampling.draws, rng=rng))
    return {
        name: tuple(
            _agreement(next(drawn), (name, by, stratum), board, mask, plan)
            for by, stratum, mask in parts
        )
        for name in board.voices
    }


def _agreement(
    block: Block,
    named: tuple[str, str, str],
    board: PairBoard,
    mask: Bools,
    plan: PairPlan,
) -> PairAgreement:
    name, by, stratum = named
    voice = board.voices[name]
    counts = block.whole[0].astype(int)
    used = mask & (voice.codes != MISSING)
    unread = int((voice.unread & used).sum())
    return PairAgreement(
        scorer_id=name,
        kind=voice.kind,
        by=by,
        stratum=stratum,
        n=int(counts.sum()),
        n_items=len(np.unique(board.clusters[used])),
        n_same=int(counts[SAME]),
        n_other=int(counts[OTHER]),
        n_tied=int(counts[NEITHER]) - unread,
        n_unread=unread,
        treated=tuple(_treated(block, one, plan.level) for one in plan.treatments),
    )


def _treated(block: Block, treatment: Treatment, level: float) -> TreatedPairs:
    def of(values: Values) -> Figure:
        return figure(sample(block, values), level)

    counts = block.whole[0]
    dropped = counts[NEITHER] if treatment == "dropped" else 0.0
    return TreatedPairs(
        treatment=treatment,
        n=int(counts.sum() - dropped),
        kappa=of(lambda sums: tables.kappa(sums, treatment)),
        f1=of(lambda sums: tables.f1(sums, treatment)),
        accuracy=of(lambda sums: tables.accuracy(sums, treatment)),
    )


def _voice(
    name: str,
    found: tuple[PairAgreement, ...],
    who: Sequence[JudgeIdentity],
    effects: Mapping[str, OrderEffect],
    inputs: PairInputs,
    board: PairBoard,
) -> PairVoice:
    voice = board.voices[name]
    return PairVoice(
        scorer_id=name,
        kind=voice.kind,
        identity=next((one for one in who if one.scorer_id == name), None),
        agreement=found[0] if found[0].n else None,
        strata=tuple(part for part in found[1:] if part.n),
        order=effects.get(name),
        n_missing=voice.n_missing,
        n_own=voice.n_own,
        n_stale=inputs.stale.get(name, 0),
    )
