"""What judges said, summed up.  In: tallies.  Out: where verdicts go, and counts of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from finassay.judges.cases import Case
from finassay.judges.field import Field
from finassay.judges.identity import JURY_PREFIX, JudgeId
from finassay.judges.independence import Independence, names_itself
from finassay.judges.jury import JURY
from finassay.judges.landing import Desk, Spec
from finassay.judges.protocol import Protocol
from finassay.judges.report import Counts, Judged, JudgeShown, ProtocolShown
from finassay.judges.seats import Seat
from finassay.judges.votes import VOTES
from finassay.judges.voting import Outcome
from finassay.records import JUDGE_PREFIX, content_id
from finassay.scorers.judge_verdicts import READER_VERSION

_SPLITS = (VOTES, JURY)


def judge_id_of(seat: Seat, protocol: Protocol) -> JudgeId:
    """Return what a judge's verdicts under a protocol stand under."""
    return protocol.judge_id(seat.spec.name)


def desk_of(seat: Seat, protocol: Protocol) -> Desk:
    """Return where a judge's verdicts under a protocol go."""
    return Desk(
        scorer_id=str(judge_id_of(seat, protocol)),
        content=protocol.version(
            judge_system_id=seat.spec.system_id, reader_version=READER_VERSION
        ),
        spec=_spec_of(seat, protocol),
        pairwise=protocol.task == "pairwise",
    )


def _spec_of(seat: Seat, protocol: Protocol) -> Spec:
    return {
        **_protocol_spec(protocol),
        "judge": seat.spec.name,
        "system_id": seat.spec.system_id,
        "model": seat.spec.model,
        "family": family_of(seat.standing),
        "is_candidate": seat.standing.is_candidate,
        "own_systems": list(seat.standing.own),
        "kin_systems": list(seat.standing.kin),
    }


def _protocol_spec(protocol: Protocol) -> Spec:
    return {
        "task": protocol.task,
        "arm": protocol.arm,
        "prompt": protocol.prompt,
        "tolerance": protocol.tolerance,
        "votes": protocol.votes,
        "temperature": protocol.temperature,
        "prompt_hash": protocol.prompt_hash,
        "protocol_hash": protocol.content_hash,
        "reader_version": READER_VERSION,
    }


def jury_desk(
    jury: JudgeId, protocol: Protocol, jurors: Sequence[tuple[str, str]], families: Sequence[str]
) -> Desk:
    """Return where the verdicts of a jury go.

    Args:
        jury: its id.
        protocol: what its judges were asked.
        jurors: scorer id and version of each.
        families: of its judges.
    """
    spec: Spec = {
        **_protocol_spec(protocol),
        "judge": jury.name,
        "jurors": [name for name, _ in jurors],
        "juror_versions": [version for _, version in jurors],
        "family": ", ".join(sorted(set(families) - {""})),
    }
    return Desk(
        scorer_id=str(jury),
        content=content_id(*(part for juror in jurors for part in juror)),
        spec=spec,
        pairwise=protocol.task == "pairwise",
    )


def family_of(standing: Independence) -> str:
    """Return the families of a judge in words, "" where nothing tells them."""
    return ", ".join(standing.families)


def with_standing(outcomes: Iterable[Outcome], standing: Independence) -> list[Outcome]:
    """Return outcomes flagged with what the judge has in common with the systems judged."""
    return [replace(one, flags=(*one.flags, *_shared(one.case, standing))) for one in outcomes]


def _shared(case: Case, standing: Independence) -> tuple[str, ...]:
    sides = [case.candidate, *([case.other] if case.other else [])]
    flags = (flag for one in sides for flag in standing.flags_for(one.prediction.system_id))
    return tuple(dict.fromkeys(flags))


def shown_judge(seat: Seat, names: Mapping[str, str]) -> JudgeShown:
    """Return who a judge is, with display names of systems."""
    standing = seat.standing
    return JudgeShown(
        name=seat.spec.name,
        model=seat.spec.model,
        system_id=seat.spec.system_id,
        family=family_of(standing),
        is_candidate=standing.is_candidate,
        own=tuple(names[system_id] for system_id in standing.own),
        kin=tuple(names[system_id] for system_id in standing.kin),
        unknown=len(standing.unknown),
    )


def shown_protocol(protocol: Protocol) -> ProtocolShown:
    """Return how a judge was asked."""
    return ProtocolShown(
        task=protocol.task,
        arm=protocol.arm,
        prompt=protocol.prompt,
        tolerance=protocol.tolerance,
        votes=protocol.votes,
        temperature=protocol.temperature,
        content_hash=protocol.content_hash,
    )


def counted(outcomes: Sequence[Outcome], *, left: int, redacted: int) -> Counts:
    """Return verdicts counted.

    Args:
        outcomes: of the cases that are decided.
        left: cases that are not.
        redacted: cases that are not decided anew because a reply was masked.
    """
    applying = [one for one in outcomes if one.status != "not_applicable"]
    flags = [flag for one in applying for flag in one.flags]
    return Counts(
        wanted=len(applying) + left + redacted,
        left=left,
        redacted=redacted,
        statuses=ranked(one.status for one in applying),
        labels=ranked(one.told for one in applying if one.status == "scored"),
        unscored=ranked(
            f"{one.status}: {_kind(one.reason)}" for one in applying if one.status != "scored"
        ),
        not_applicable=ranked(one.reason for one in outcomes if one.status == "not_applicable"),
        splits=ranked(flag.partition(":")[2] for flag in flags if flag.startswith(_SPLITS)),
        flags=ranked(flag for flag in flags if not flag.startswith(_SPLITS)),
    )


def _kind(reason: str) -> str:
    """Return a reason without what it quotes of the single reply."""
    parts = [part for part in reason.split(": ") if not part.startswith(JUDGE_PREFIX)]
    return ": ".join(parts[:2])


def ranked(told: Iterable[str]) -> dict[str, int]:
    """Return how often each text is told, the most frequent first."""
    return dict(sorted(Counter(told).items(), key=lambda one: (-one[1], one[0])))


def shown_jury(name: str, seats: Sequence[Seat]) -> JudgeShown:
    """Return who a jury is; a judge has no vote in it on its own answers."""
    families = {family_of(seat.standing) for seat in seats} - {""}
    return JudgeShown(
        name=f"{JURY_PREFIX}{name}",
        model=", ".join(seat.spec.name for seat in seats),
        system_id="",
        family=", ".join(sorted(families)),
        is_candidate=False,
        own=(),
        kin=(),
        unknown=0,
    )


def findings_of(judged: Sequence[Judged], field: Field) -> tuple[str, ...]:
    """Return what is to be known before verdicts are used, in words."""
    found = [f"{one.scorer_id}: {said}" for one in judged for said in _unread(one)]
    judges = {one.judge.name: one.judge for one in judged}
    found += [f"{name}: {said}" for name, judge in judges.items() for said in _standing(judge)]
    named = _named(field)
    if named:
        told = ", ".join(f"{name} {count}" for name, count in named.items())
        found.append(f"answers that name the system that gave them, so that a judge may: {told}")
    dark = sum(field.redacted.values())
    if dark:
        found.append(f"{dark} answers were not judged, because their text or item was masked")
    return tuple(found)


def _unread(one: Judged) -> Iterator[str]:
    counts = one.counts
    missing = sum(n for reason, n in counts.unscored.items() if not reason.startswith("no_answer"))
    votes = sum(one.votes_unparsed.values()) + sum(one.votes_failed.values())
    if missing:
        yield (
            f"{missing} of {counts.wanted} verdicts have no value though there was an answer; "
            f"estimates show them both ways, left out and as wrong"
        )
    elif votes:
        yield f"{votes} single votes were not read or did not come, and decided nothing"


def _standing(judge: JudgeShown) -> Iterator[str]:
    if judge.is_candidate:
        yield f"the judge is among the systems judged: {', '.join(judge.own)}"
    if judge.kin:
        yield f"the judge is of the family of {', '.join(judge.kin)}"
    if judge.unknown:
        yield (
            f"whether the judge is of the family of {judge.unknown} of the systems judged is not "
            f"known"
        )


def _named(field: Field) -> dict[str, int]:
    specs = {spec.system_id: spec for spec in field.systems if spec.kind == "model"}
    return ranked(
        specs[system_id].name
        for system_id, listed in field.candidates.items()
        if system_id in specs
        for one in listed
        if names_itself(one.text, specs[system_id])
    )
