"""The judges of a request at their work.  In: a field, a request.  Out: what each is to be sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from finassay.errors import MissingVerdictsError
from finassay.judges.arms import ArmBook, VerifiedAnswer, verified_answers
from finassay.judges.candidates import earlier_items
from finassay.judges.cases import Case
from finassay.judges.docket import Source, cases_of, items_judged, items_sent, prompts_of
from finassay.judges.field import Field
from finassay.judges.independence import Independence, independence
from finassay.judges.own_answers import (
    OwnAnswers,
    answers_given,
    answers_in_study,
    question_of,
    stand_ins,
)
from finassay.judges.protocol import Protocol
from finassay.judges.request import JudgeRequest
from finassay.records import Item, Prediction, SystemSpec, Verdict
from finassay.study import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Docket:
    """What one judge is to say under one protocol.

    Attributes:
        protocol: what it is asked.
        cases: the verdicts that are wanted.
        waiting: verdicts that wait for the judge's own answer.
    """

    protocol: Protocol
    cases: tuple[Case, ...]
    waiting: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One judge with all that it is to be sent.

    Attributes:
        model: as it was asked for.
        spec: the system that it is when asked for verdicts.
        standing: how it stands to the systems judged.
        dockets: by protocol, in their order.
    """

    model: str
    spec: SystemSpec
    standing: Independence
    dockets: tuple[Docket, ...]

    @property
    def prompts(self) -> tuple[Item, ...]:
        """What it is sent, each prompt once, with the systems that it shows."""
        found = (item for one in self.dockets for item in prompts_of(one.cases))
        return tuple({item.item_id: item for item in found}.values())


class Court:
    """What a study holds, and who is to judge it.

    Attributes:
        field: what there is to judge.
        request: what is wanted.
    """

    def __init__(self, snapshot: Snapshot, field: Field, request: JudgeRequest) -> None:
        self.field, self.request = field, request
        self._snapshot = snapshot
        self._judged = {one: items_judged(field, one, request.limit) for one in request.protocols}
        self._shared: dict[Protocol, tuple[Case, ...]] = {}

    def questions(self) -> tuple[Item, ...]:
        """Return the items whose answer by the judge itself some arm shows, in order."""
        wanted: dict[str, Item] = {}
        for protocol in self.request.protocols:
            if protocol.arm != "self":
                continue
            for item in items_sent(self.field, protocol, self._judged[protocol]):
                for one in (*earlier_items(item, self.field.items.values()), item):
                    wanted[one.item_id] = one
        return tuple(wanted.values())

    def answerer(self, model: str) -> SystemSpec | None:
        """Return the system of the study whose answers are a judge's own, None where none are."""
        spec = self.request.system(model)
        own = independence(spec, self.field.everyone).own
        answered = {one.system_id for one in self.field.predictions}
        found = [one for one in self.field.everyone if one.system_id in own]
        return next((one for one in found if one.system_id in answered), None)

    def own(self, model: str, inner: Snapshot | None) -> OwnAnswers:
        """Return a judge's own answers, as far as they are there."""
        questions = self.questions()
        if not questions:
            return OwnAnswers()
        candidate = self.answerer(model)
        if candidate is not None:
            return answers_in_study(self.field, candidate.system_id)
        spec = self.request.answering(model).system(model)
        return answers_given(inner, spec, questions)

    def reckoned(self, own: OwnAnswers) -> OwnAnswers:
        """Return own answers with references in the place of those that are still to come."""
        filled = stand_ins(self.field.items[item_id] for item_id in own.pending)
        return replace(own, texts={**own.texts, **filled.texts}, pending=frozenset())

    def prompts_for_answers(self) -> tuple[Item, ...]:
        """Return what judges are asked for their own answers, each prompt once."""
        found = (question_of(item) for item in self.questions())
        return tuple({item.item_id: item for item in found}.values())

    def seat(self, model: str, own: OwnAnswers) -> Seat:
        """Return a judge with all that it is to be sent."""
        spec = self.request.system(model)
        return Seat(
            model=model,
            spec=spec,
            standing=independence(spec, self.field.systems),
            dockets=tuple(self._docket(one, own) for one in self.request.protocols),
        )

    def _docket(self, protocol: Protocol, own: OwnAnswers) -> Docket:
        if protocol.arm != "self":
            if protocol not in self._shared:
                source = self._source(protocol, None)
                self._shared[protocol] = self._cases(protocol, source)
            return Docket(protocol=protocol, cases=self._shared[protocol])
        cases = self._cases(protocol, self._source(protocol, own))
        ready = tuple(case for case in cases if not _waits(case, own))
        return Docket(protocol=protocol, cases=ready, waiting=len(cases) - len(ready))

    def _cases(self, protocol: Protocol, source: Source) -> tuple[Case, ...]:
        return cases_of(self.field, protocol, source, self._judged[protocol])

    def _source(self, protocol: Protocol, own: OwnAnswers | None) -> Source:
        verified = self._verified() if protocol.arm == "verified" else None
        book = ArmBook(
            protocol.arm,
            self.field.items.values(),
            seed=protocol.seed,
            own=None if own is None else own.texts,
            verified=verified,
        )
        if own is not None:
            return Source(book=book, authors=dict.fromkeys(own.texts, own.systems))
        authors = {
            item_id: tuple(one.system_id for one in answers)
            for item_id, answers in (verified or {}).items()
        }
        return Source(book=book, authors=authors)

    def _verified(self) -> Mapping[str, Sequence[VerifiedAnswer]]:
        scorer_id = self.request.marked_right_by
        rows = self._snapshot.frame("verdicts", scorer_id=scorer_id)
        if not rows.height:
            raise MissingVerdictsError(
                f"the arm 'verified' shows answers that {scorer_id!r} marked right, and the study "
                f"holds no verdicts of it; import people's labels, or name another scorer with "
                f"--marked-right-by"
            )
        right: dict[tuple[str, str, int], float] = {}
        columns = ("item_id", "system_id", "trial", "value")
        for item_id, system_id, trial, value in rows.select(columns).iter_rows():
            if value is not None:
                right[item_id, system_id, trial] = value
        labels = {
            one.prediction_id: Verdict(status="scored", value=right[_key(one)])
            for one in self.field.predictions
            if _key(one) in right
        }
        return verified_answers(self.field.predictions, labels)


def _key(one: Prediction) -> tuple[str, str, int]:
    return one.item_id, one.system_id, one.trial


def _waits(case: Case, own: OwnAnswers) -> bool:
    """Whether a case is settled for want of an answer that is still to come."""
    turns: Iterable[Item] = (
        case.candidate.item,
        *(turn.item for turn in case.candidate.history),
    )
    is_asked = case.prompt is not None or (
        case.settled is not None and case.settled.status == "not_applicable"
    )
    return is_asked and any(turn.item_id in own.pending for turn in turns)
