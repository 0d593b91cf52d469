"""What labels say of the population.  In: a draw and settled answers.  Out: scores and sides.

Judges count with the verdicts that were frozen in the draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from finassay.analyses.adjudication.results import ChangedVerdicts, DrawEstimate, SideShare
from finassay.analyses.adjudication.settling import RULE, Kind, SettledUnit
from finassay.analyses.few_labels import FewLabelSettings, estimate_few_labels
from finassay.analyses.kernels.designs import Stratum
from finassay.analyses.label_budget import next_labels
from finassay.analyses.label_sample import FrameUnit, LabelSample, LabelState
from finassay.analyses.results_few_labels import FewLabels
from finassay.errors import UnknownNameError
from finassay.marking.drawing.units import PopulationUnit
from finassay.records import JUDGE_PREFIX, RIGHT
from finassay.study.adjudication.draws import Draw, UnitKey
from finassay.study.label_records import NOT_SURE

NO_JUDGE = "no judge"
"""Name under which scores from labels alone stand, where a draw froze no verdicts."""

SETTLED_NAME = "settled"

REFERENCES = "references"


def estimate_draw(
    draw: Draw,
    settled: Mapping[str, SettledUnit],
    *,
    judges: Sequence[str] = (),
    now: Sequence[PopulationUnit] | None = None,
    next_batch: int | None = None,
    settings: FewLabelSettings | None = None,
) -> DrawEstimate:
    """Return the scores that people would give, from the labels of a draw.

    Args:
        draw: the draw.
        settled: what the answers on each unit come to.
        judges: scorers of the draw whose verdicts are used; by default its judges, or all of its
            scorers where none is a judge.
        now: the population as the study has it now, to find verdicts that changed; None where it
            cannot be told.
        next_batch: labels that can be given next: in which strata they help most, by the first
            judge.
        settings: level, and of what the scores are meant.

    Raises:
        UnknownNameError: a judge is not among the draw's scorers.
        UsageError: there is no label with a value yet.
    """
    chosen = settings or FewLabelSettings()
    names = _judges(draw, judges)
    kinds = Counter(unit.kind for unit in settled.values())
    labelled = sum(unit.value is not None for unit in settled.values())
    scores = tuple(estimate_few_labels(sample_of(draw, settled, name), chosen) for name in names)
    changed = () if now is None else changed_verdicts(draw, now)
    sample = sample_of(draw, settled, names[0])
    return DrawEstimate(
        draw=draw.name,
        task=draw.task,
        design=draw.design,
        population=draw.population,
        units=len(draw.units),
        labelled=labelled,
        unsure=kinds["unsure"],
        unlabelled=sum(unit.label is not None and unit.value is None for unit in settled.values()),
        conflicts=kinds["conflict"],
        open=kinds["open"],
        scores=scores,
        sides=_sides(draw, settled),
        changed=changed,
        rule=RULE,
        level=chosen.level,
        advice=None if next_batch is None else next_labels(sample, labels=next_batch),
        warnings=_warnings(draw, kinds, changed, scores, knows_now=now is not None),
    )


def _judges(draw: Draw, asked: Sequence[str]) -> tuple[str, ...]:
    for name in asked:
        if name not in draw.scorers:
            raise UnknownNameError(
                f"draw {draw.name!r} froze no verdicts of {name!r}; there are: "
                f"{', '.join(draw.scorers) or 'none'}; draw anew with it among --between"
            )
    own = tuple(name for name in draw.scorers if name.startswith(JUDGE_PREFIX))
    return tuple(dict.fromkeys(asked)) or own or draw.scorers or (NO_JUDGE,)


def sample_of(draw: Draw, settled: Mapping[str, SettledUnit], judge: str) -> LabelSample:
    """Return the population with the labels that count and the frozen verdicts of one judge.

    A label without a value ("not sure", or a reading that names no label) is not known; units that
    await answers, or a resolution, are waiting.

    Args:
        draw: the draw.
        settled: what the answers on each unit come to; units without an entry are waiting.
        judge: a scorer of the draw, or any other name for none.
    """
    names = dict(draw.systems)
    place = draw.scorers.index(judge) if judge in draw.scorers else None
    units = []
    for unit in draw.units:
        value = None if place is None else unit.verdicts[place].value
        state, label = _state(settled.get(unit.unit_id))
        units.append(
            FrameUnit(
                item_id=unit.key.item_id,
                system=_system(unit.key, names),
                stratum=unit.stratum,
                judge=value,
                state=state,
                label=label,
            )
        )
    units += [
        FrameUnit(
            item_id=rest.key.item_id,
            system=_system(rest.key, names),
            stratum=rest.stratum,
            judge=None if place is None else rest.values[place],
        )
        for rest in draw.rest
    ]
    units.sort(key=lambda unit: (unit.system, unit.item_id))
    strata = tuple(Stratum(name=one.name, size=one.size, take=one.take) for one in draw.strata)
    return LabelSample(judge=judge, units=tuple(units), strata=strata)


def _state(settled: SettledUnit | None) -> tuple[LabelState, float | None]:
    if settled is None or settled.kind in {"open", "conflict"}:
        return "waiting", None
    if settled.value is None:
        return "not sure", None
    return "labelled", settled.value


def _system(key: UnitKey, names: Mapping[str, str]) -> str:
    if key.kind == "item":
        return REFERENCES
    own = names.get(key.system_id, key.system_id)
    if key.kind == "pair":
        return f"{own} over {names.get(key.other_system_id, key.other_system_id)}"
    return own


def changed_verdicts(draw: Draw, now: Sequence[PopulationUnit]) -> tuple[ChangedVerdicts, ...]:
    """Return how many verdicts of each scorer of the draw differ now from the frozen ones.

    Args:
        draw: the draw.
        now: the population with the verdicts of the draw's scorers, in their order.
    """
    present = {unit.key: unit.verdicts for unit in now}
    frozen = {unit.key: tuple(said.value for said in unit.verdicts) for unit in draw.units}
    frozen |= {rest.key: rest.values for rest in draw.rest}
    out = []
    for at, scorer in enumerate(draw.scorers):
        both = [(values[at], present[key][at]) for key, values in frozen.items() if key in present]
        versions = {unit.verdicts[at].scorer_version for unit in draw.units} - {""}
        newest = {verdicts[at].scorer_version for verdicts in present.values()} - {""}
        out.append(
            ChangedVerdicts(
                scorer_id=scorer,
                changed=sum(then != verdict.value for then, verdict in both),
                n=len(both),
                version_then=", ".join(sorted(versions)),
                version_now=", ".join(sorted(newest)),
            )
        )
    return tuple(out)


def _sides(draw: Draw, settled: Mapping[str, SettledUnit]) -> tuple[SideShare, ...]:
    people = sorted(
        {
            answer.annotator
            for unit in settled.values()
            for answer in unit.answers
            if answer.role == "label"
        }
    )
    is_pair = draw.task == "pairwise"
    side: Callable[[float], float] = (lambda v: v) if is_pair else (lambda v: float(v >= RIGHT))
    return tuple(
        _side(draw, settled, (left, right), who, side)
        for left, right in combinations(draw.scorers, 2)
        for who in (*people, SETTLED_NAME)
    )


def _side(
    draw: Draw,
    settled: Mapping[str, SettledUnit],
    judges: tuple[str, str],
    who: str,
    side: Callable[[float], float],
) -> SideShare:
    places = [draw.scorers.index(judge) for judge in judges]
    n = with_left = with_right = 0
    weight = weight_left = 0.0
    for unit in draw.units:
        said = [unit.verdicts[place].value for place in places]
        label = _label_by(settled[unit.unit_id], who)
        if label is None or said[0] is None or said[1] is None:
            continue
        left, right, own = side(said[0]), side(said[1]), side(label)
        if left != right:
            n += 1
            with_left += own == left
            with_right += own == right
            weight += 1.0 / unit.probability
            weight_left += (own == left) / unit.probability
    return SideShare(
        left=judges[0],
        right=judges[1],
        people=who,
        n=n,
        left_share=with_left / n if n else None,
        right_share=with_right / n if n else None,
        weighted_left=weight_left / weight if n else None,
    )


def _label_by(unit: SettledUnit, who: str) -> float | None:
    if who == SETTLED_NAME:
        return unit.value
    for answer in unit.answers:
        if answer.annotator == who and answer.role == "label" and answer.label != NOT_SURE:
            return answer.value
    return None


def _warnings(
    draw: Draw,
    kinds: Mapping[Kind, int],
    changed: Sequence[ChangedVerdicts],
    scores: Sequence[FewLabels],
    *,
    knows_now: bool,
) -> tuple[str, ...]:
    out = [
        f"{one.scorer_id} says something else now on {one.changed} of {one.n} units than when the "
        f"draw was made; the frozen verdicts are used"
        for one in changed
        if one.changed
    ]
    if not knows_now:
        out.append(
            "whether verdicts changed since the draw cannot be told: the study holds none of a "
            "scorer any more"
        )
    if kinds["open"]:
        out.append(
            f"{kinds['open']} of {len(draw.units)} units have no settled answer yet; those that "
            f"have are taken as a random part of their stratum, so answer sheets in their order"
        )
    if kinds["conflict"]:
        out.append(
            f"{kinds['conflict']} conflicts are not settled and do not count; make a sheet of them "
            f"with `finassay adjudicate sheet --conflicts`"
        )
    out += [warning for found in scores for warning in found.warnings]
    return tuple(dict.fromkeys(out))
