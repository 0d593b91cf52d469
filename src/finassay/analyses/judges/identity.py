"""Who a judge is.  In: scorer ids, records and systems.  Out: identities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from finassay.analyses.judges.results import CandidateSource, JudgeIdentity
from finassay.errors import UnknownNameError
from finassay.judges.identity import JudgeId
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
    same = sorted(s.name for s in models if spec.model and _same_model(s.model, spec.model))
    candidate, source = _candidate(one, same, models, declared)
    own = {candidate, *same}
    family = spec.model_family or _family_of(candidate, models)
    return JudgeIdentity(
        scorer_id=one.scorer_id,
        name=one.name,
        task=one.task,
        arm=one.arm,
        prompt=one.prompt,
        tolerance=one.tolerance,
        model=spec.model,
        model_family=family,
        votes=spec.votes,
        candidate=candidate,
        candidate_from=source,
        same_model=tuple(name for name in same if name != candidate),
        relatives=tuple(
            sorted(
                s.name
                for s in models
                if family and s.name not in own and s.model_family.casefold() == family.casefold()
            )
        ),
    )


def _candidate(
    one: JudgeIdentity,
    same: Sequence[str],
    models: Sequence[SystemSpec],
    declared: Mapping[str, str],
) -> tuple[str | None, CandidateSource]:
    told = declared.get(one.scorer_id, declared.get(one.name))
    if told is not None:
        return told, "declared"
    if one.name in {system.name for system in models}:
        return one.name, "name"
    return (same[0], "spec") if same else (None, "")


def _same_model(left: str, right: str) -> bool:
    # One model is served under several addresses: only the last part of its name is its own.
    return left.rpartition("/")[2].casefold() == right.rpartition("/")[2].casefold()


def _family_of(candidate: str | None, models: Sequence[SystemSpec]) -> str:
    return next((system.model_family for system in models if system.name == candidate), "")
