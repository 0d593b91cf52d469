"""Verdicts of judges on their way into a study.  In: outcomes.  Out: commits, and what changed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from finassay._version import __version__
from finassay.judges.changes import changes
from finassay.judges.report import SHOWN_FLIPS, Flip, Rejudged
from finassay.judges.voting import Outcome
from finassay.records import STATUSES, Status, Verdict
from finassay.study import Snapshot, Study
from finassay.study.filing import file_comparisons, file_verdicts
from finassay.study.nested import EVIDENCE, JUDGING
from finassay.study.rows import verdict_row

Spec = Mapping[str, str | int | float | bool | Sequence[str] | None]
Key = tuple[str, ...]

_SIDES = {"left": 1.0, "tie": 0.5, "right": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Where the verdicts of one judge under one protocol go.

    Attributes:
        scorer_id: what they stand under.
        content: hash of all that may change one.
        spec: how they came about.
        pairwise: whether they are comparisons.
    """

    scorer_id: str
    content: str
    spec: Spec
    pairwise: bool

    @property
    def table(self) -> str:
        """The table that they go to."""
        return "comparisons" if self.pairwise else "verdicts"


def version_of(snapshot: Snapshot, desk: Desk) -> str:
    """Return the version of a judge's verdicts: how many ways of asking came before, and a hash.

    What was asked in the same way before has its version again.
    """
    rows = snapshot.frame("scorers", scorer_id=desk.scorer_id)
    held: list[str] = rows["scorer_version"].to_list()
    same = [version for version in held if version.partition(".")[2] == desk.content]
    if same:
        return max(same, key=_ordinal)
    return f"{max(map(_ordinal, held), default=0) + 1}.{desk.content}"


def _ordinal(version: str) -> int:
    first = version.partition(".")[0]
    return int(first) if first.isdecimal() else 0


def land(
    study: Study, desk: Desk, outcomes: Sequence[Outcome], names: Mapping[str, str]
) -> tuple[str, Rejudged | None]:
    """File outcomes, and return their version and what is new beside an earlier judging.

    Args:
        study: it holds what was judged.
        desk: where they go.
        outcomes: what cases came to; cases that are not decided are left as they are.
        names: display names of systems by id.

    Raises:
        ConflictError: other writers kept committing first.
    """
    snapshot = study.snapshot()
    version = version_of(snapshot, desk)
    before = _held(snapshot, desk, outcomes)
    spec = json.dumps({**desk.spec, EVIDENCE: JUDGING}, sort_keys=True, ensure_ascii=False)
    study.add_scorer(
        desk.scorer_id, version, name=desk.scorer_id, spec=spec, package_version=__version__
    )
    scorer = (desk.scorer_id, version)
    if desk.pairwise:
        file_comparisons(study, [_comparison(one) for one in outcomes], scorer=scorer)
    else:
        for system_id, own in _by_system(outcomes).items():
            file_verdicts(study, [_row(one) for one in own], scorer=scorer, system_id=system_id)
    return version, _rejudged(before, outcomes, names, (desk.table, snapshot.versions[desk.table]))


def _by_system(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    found: dict[str, list[Outcome]] = {}
    for one in outcomes:
        found.setdefault(one.case.candidate.prediction.system_id, []).append(one)
    return found


def _row(one: Outcome) -> dict[str, object]:
    prediction = one.case.candidate.prediction
    return verdict_row(
        one.verdict,
        item_id=prediction.item_id,
        trial=prediction.trial,
        text_digest=prediction.text_digest,
        item_digest=one.case.candidate.item.item_digest,
    )


def _comparison(one: Outcome) -> dict[str, object]:
    row: dict[str, object] = {
        "item_id": one.case.candidate.item.item_id,
        "order": one.case.order,
        "winner": one.label if one.status == "scored" else None,
        "status": one.status,
        "flags": list(one.flags),
        "reason": one.reason,
        "evidence_id": one.evidence_id,
        "item_digest": one.case.candidate.item.item_digest,
    }
    for side, candidate in (("left", one.case.candidate), ("right", one.case.other)):
        if candidate is not None:
            row[f"{side}_system_id"] = candidate.prediction.system_id
            row[f"{side}_trial"] = candidate.prediction.trial
            row[f"{side}_text_digest"] = candidate.prediction.text_digest
    return row


@dataclass(frozen=True, slots=True)
class _Said:
    """What was said before, and of what."""

    verdict: Verdict
    told: str
    digests: Key


def _held(snapshot: Snapshot, desk: Desk, outcomes: Sequence[Outcome]) -> dict[Key, _Said]:
    """Return what the newest version of a judge says so far, by case."""
    systems = sorted(_by_system(outcomes))
    column = "left_system_id" if desk.pairwise else "system_id"
    frame = snapshot.frame(desk.table, scorer_id=desk.scorer_id, **{column: systems})
    versions = frame["scorer_version"].unique().to_list()
    if not versions:
        return {}
    newest = max(versions, key=lambda version: (_ordinal(version), version))
    read = _said_of_pair if desk.pairwise else _said_of_answer
    rows = (row for row in frame.iter_rows(named=True) if row["scorer_version"] == newest)
    return dict(map(read, rows))


def _said_of_answer(row: Mapping[str, object]) -> tuple[Key, _Said]:
    key = (str(row["item_id"]), str(row["system_id"]), str(row["trial"]), "")
    digests = (str(row["item_digest"]), str(row["text_digest"]))
    value = row["value"]
    return key, _said(row, str(row["label"]), value if isinstance(value, float) else None, digests)


def _said_of_pair(row: Mapping[str, object]) -> tuple[Key, _Said]:
    sides = [str(row[f"{side}_{part}"]) for side in ("left", "right") for part in _ANSWER]
    key = (str(row["item_id"]), *sides, str(row["order"]))
    texts = (str(row[f"{side}_text_digest"]) for side in ("left", "right"))
    winner = str(row["winner"])
    return key, _said(row, winner, _SIDES.get(winner), (str(row["item_digest"]), *texts))


_ANSWER = ("system_id", "trial")


def _said(row: Mapping[str, object], label: str, value: float | None, digests: Key) -> _Said:
    status = _status(row["status"])
    reason = str(row["reason"] or "") or "not told"
    verdict = Verdict(status=status, value=value, reason=reason)
    return _Said(verdict, label if status == "scored" else status, digests)


def _status(cell: object) -> Status:
    return next(status for status in STATUSES if status == cell)


def _rejudged(
    before: Mapping[Key, _Said],
    outcomes: Sequence[Outcome],
    names: Mapping[str, str],
    table: tuple[str, int],
) -> Rejudged | None:
    now = {one.case.key: one for one in outcomes}
    found = changes(
        {key: said.verdict for key, said in before.items() if key in now},
        {key: _comparable(one) for key, one in now.items()},
    )
    flipped = (*found.to_right, *found.to_wrong, *found.gained, *found.lost, *found.regraded)
    changed = {key for key in now if key in before and before[key].digests != now[key].case.digests}
    if not (flipped or changed):
        return None
    flips = [
        Flip(
            item_id=key[0],
            system=" / ".join(names.get(part, part) for part in key[1:-1:2]),
            before=before[key].told,
            after=now[key].told,
            changed=key in changed,
        )
        for key in flipped
    ]
    shown: Counter[str] = Counter()
    examples = []
    for flip in flips:
        told = f"{flip.before} -> {flip.after}"
        if shown[told] < SHOWN_FLIPS:
            examples.append(flip)
        shown[told] += 1
    return Rejudged(
        held=found.n_common,
        changed=len(changed),
        flips=dict(sorted(shown.items())),
        examples=tuple(examples),
        table=table[0],
        version=table[1],
    )


def _comparable(one: Outcome) -> Verdict:
    """Return an outcome as a verdict whose value can be held against another's."""
    value = one.value
    if one.case.other is not None and one.label is not None:
        value = _SIDES.get(one.label)
    return Verdict(status=one.status, value=value, reason=one.reason or "not told")
