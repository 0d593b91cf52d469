"""Who a judge is.  In: scorer ids, records and systems.  Out: identities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from finassay.analyses.judges.results import CandidateSource, JudgeIdentity
from finassay.errors import UnknownNameError
from finassay.judges.identity import JURY_PREFIX, JudgeId
from finassay.judges.independence import independence
from finassay.marking.outside import JudgeSpec
from finassay.records import JUDGE_PREFIX, SystemSpec

PAIRWISE = "pairwise"


def identities(
    scorer_ids: Sequence[str],
    *,
    systems: Sequence[SystemSpec],
    specs: Mapping[str, JudgeSpec],
    declared: Mapping[str, str],
) -> tuple[JudgeIdentity, ...]:
    """Return what each judge is, in order.

    Args:
        scorer_ids: ids of judges; one that does not say its parts has only a name.
        systems: every system of the study.
        specs: what the records of judges say.
        declared: judge (scorer id or name) -> display name of the judged system that it is.

    Raises:
        UnknownNameError: a declared system does not exist, or a declared judge does not.
    """
    made = [_parts(scorer_id) for scorer_id in scorer_ids]
    _check(declared, [one.scorer_id for one in made] + [one.name for one in made], systems)
    return tuple(
        _placed(
            one, specs.get(one.scorer_id, JudgeSpec(scorer_id=one.scorer_id)), systems, declared
        )
        for one in made
    )


def _check(
    declared: Mapping[str, str], judges: Sequence[str], systems: Sequence[SystemSpec]
) -> None:
    names = {system.name for system in systems}
    for judge, system in declared.items():
        if judge not in judges:
            raise UnknownNameError(
                f"no judge is called {judge!r}; expected a scorer id or name of one of: "
                f"{', '.join(dict.fromkeys(judges)) or 'none'}"
            )
        if system not in names:
            raise UnknownNameError(
                f"the judge {judge!r} is said to be the system {system!r}, which the study does "
                f"not hold; expected one of: {', '.join(sorted(names))}"
            )


def _parts(scorer_id: str) -> JudgeIdentity:
    found = JudgeId.parse(scorer_id)
    if found is None:
        name = scorer_id.removeprefix(JUDGE_PREFIX)
        return JudgeIdentity(
            scorer_id=scorer_id, name=name, task="", arm="", prompt="", tolerance=""
        )
    return JudgeIdentity(
        scorer_id=scorer_id,
        name=found.name,
        task=found.task,
        arm=found.arm,
        prompt=found.prompt,
        tolerance=found.tolerance or "",
    )


def is_pairwise(scorer_id: str) -> bool:
    """Return whether a judge compares replies instead of marking them."""
    found = JudgeId.parse(scorer_id)
    return found is not None and found.task == PAIRWISE


def _placed(
    one: JudgeIdentity,
    spec: JudgeSpec,
    systems: Sequence[SystemSpec],
    declared: Mapping[str, str],
) -> JudgeIdentity:
    models = [system for system in systems if system.kind == "model"]
    names = {system.system_id: system.name for system in models}
    kinships = [independence(judge, models) for judge in _as_systems(one, spec)]
    # A judge of which nothing is recorded is taken for the system that has its very name.
    namesakes = {s.name for s in models if not spec.model and s.name == one.name}
    same = sorted({names[key] for kin in kinships for key in kin.own} | namesakes)
    candidate, source = _candidate(one, spec, same, declared)
    own = {candidate, *same}
    kin = {names[key] for kinship in kinships for key in kinship.kin}
    return replace(
        one,
        model=spec.model,
        model_family=spec.model_family or ", ".join(kinships[0].families),
        votes=spec.votes,
        candidate=candidate,
        candidate_from=source,
        same_model=tuple(name for name in same if name != candidate),
        relatives=tuple(sorted(kin - own)),
    )


def _as_systems(one: JudgeIdentity, spec: JudgeSpec) -> list[SystemSpec]:
    """Return a judge as systems to compare with the judged ones: a jury has several families."""
    families = [part.strip() for part in spec.model_family.split(",")]
    is_jury = one.name.startswith(JURY_PREFIX)
    return [
        SystemSpec(name=one.name, model="" if is_jury else spec.model, model_family=family)
        for family in families
    ]


def _candidate(
    one: JudgeIdentity, spec: JudgeSpec, same: Sequence[str], declared: Mapping[str, str]
) -> tuple[str | None, CandidateSource]:
    told = declared.get(one.scorer_id, declared.get(one.name))
    if told is not None:
        return told, "declared"
    if one.name in same:
        return one.name, "name"
    if not same:
        return None, ""
    return same[0], "spec" if spec.model else "name"
