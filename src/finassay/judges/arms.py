"""References of the arms.  In: items, answers that an arm draws on.  Out: what a judge is shown.

`none` shows nothing; `human` what the item accepts; `self` the judge's own answer, given before it
saw another; `verified` a model's answer that people marked right; `wrong` the item's reference with
its value changed; `random` another item's reference.  An answer whose item has no such reference
is told why.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from finassay.errors import UsageError
from finassay.judges.candidates import Candidate, place_of
from finassay.judges.grounds import Grounds, Lacking, accepted_of
from finassay.judges.identity import ReferenceArm
from finassay.judges.wrong_references import are_alike, wrong_reference
from finassay.records import RIGHT, Item, Prediction, Verdict, content_digest

OTHER_TASK = "another task"
"""Note of a random reference that no item of the same task could give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedAnswer:
    """A model's answer that people marked right."""

    system_id: str
    trial: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """References for one turn, and where they come from."""

    references: tuple[str, ...]
    note: str = ""


Found = Shown | Lacking


class ArmBook:
    """Gives the references of one arm for any answer, always the same ones.

    Attributes:
        arm: which arm.
    """

    def __init__(
        self,
        arm: ReferenceArm,
        items: Iterable[Item],
        *,
        seed: int = 0,
        own: Mapping[str, str] | None = None,
        verified: Mapping[str, Collection[VerifiedAnswer]] | None = None,
    ) -> None:
        """Take what the arm draws on.

        Args:
            arm: which arm.
            items: all items, judged or not; `random` takes references from them.
            seed: what `random`, `verified` and `wrong` draw with.
            own: the judge's own answers by item id, for the arm `self`.
            verified: answers that people marked right by item id, for the arm `verified`.

        Raises:
            UsageError: the arm needs answers and was given none.
        """
        if arm == "self" and own is None:
            raise UsageError("the arm 'self' needs the judge's own answers: ask it the items first")
        if arm == "verified" and verified is None:
            raise UsageError(
                "the arm 'verified' needs answers that people marked right: import or collect "
                "labels first"
            )
        self.arm = arm
        self._seed = seed
        self._own = own or {}
        self._verified = verified or {}
        self._ring = _Ring(items, seed) if arm == "random" else None
        self._kept: dict[str, Found] = {}

    def of(self, *candidates: Candidate) -> Grounds | Lacking:
        """Return the references for one answer, or for the two of a pair.

        A turn before the graded one that has no reference is shown without.
        """
        if self.arm == "none":
            return Grounds()
        graded = self._found(candidates[0].item, candidates, is_past=False)
        if isinstance(graded, Lacking):
            return graded
        past = (self._found(turn.item, candidates, is_past=True) for turn in candidates[0].history)
        return Grounds(
            references=graded.references,
            past=tuple(one.references if isinstance(one, Shown) else () for one in past),
            note=graded.note,
        )

    def _found(self, item: Item, candidates: tuple[Candidate, ...], *, is_past: bool) -> Found:
        if self.arm == "verified":
            return self._verified_for(item, candidates)
        # Of earlier turns the true reference is shown: the edit is all that differs from `human`.
        if self.arm == "human" or (self.arm == "wrong" and is_past):
            return _human(item)
        if item.item_id not in self._kept:
            self._kept[item.item_id] = self._drawn()[self.arm](item)
        return self._kept[item.item_id]

    def _drawn(self) -> Mapping[str, Callable[[Item], Found]]:
        return {"self": self._own_answer, "wrong": self._edited, "random": self._from_another}

    def _own_answer(self, item: Item) -> Found:
        if item.item_id not in self._own:
            return Lacking(reason="the judge has not answered the item itself")
        answer = self._own[item.item_id]
        if not answer.strip():
            return Lacking(reason="the judge's own answer is empty")
        return Shown(references=(answer,))

    def _edited(self, item: Item) -> Found:
        edited = wrong_reference(item, seed=self._seed)
        if isinstance(edited, Lacking):
            return edited
        return Shown(
            references=(edited.text,), note=f"{edited.kind}: {edited.before} -> {edited.after}"
        )

    def _from_another(self, item: Item) -> Found:
        if self._ring is None:
            raise UsageError(
                f"the arm {self.arm!r} draws from no other item"
                "; ask for an item only under the arms random and wrong"
            )
        return self._ring.other(item)

    def _verified_for(self, item: Item, candidates: tuple[Candidate, ...]) -> Found:
        judged = {one.prediction.system_id for one in candidates}
        graded = {one.text.strip() for one in candidates if one.item.item_id == item.item_id}
        known = [one for one in self._verified.get(item.item_id, ()) if one.text.strip()]
        if not known:
            return Lacking(reason="people marked no answer to the item right")
        others = [
            one for one in known if one.system_id not in judged and one.text.strip() not in graded
        ]
        if not others:
            return Lacking(reason="the only answers marked right are the judged ones, or like them")
        first = min(others, key=lambda one: self._lot(item, one))
        return Shown(references=(first.text,), note=f"answer of {first.system_id}")

    def _lot(self, item: Item, one: VerifiedAnswer) -> str:
        key = (str(self._seed), item.item_id, one.system_id, str(one.trial))
        return content_digest("verified", *key)


def _human(item: Item) -> Found:
    accepted = accepted_of(item)
    return Shown(references=accepted) if accepted else Lacking(reason="the item has no reference")


def verified_answers(
    predictions: Iterable[Prediction], labels: Mapping[str, Verdict]
) -> dict[str, tuple[VerifiedAnswer, ...]]:
    """Return the answers that people marked right, by item id.

    Args:
        predictions: answers.
        labels: what people say of them by prediction id, for instance their consensus.
    """
    found: dict[str, list[VerifiedAnswer]] = {}
    for one in predictions:
        label = labels.get(one.prediction_id)
        if label is None or label.value is None or label.value < RIGHT:
            continue
        answer = VerifiedAnswer(system_id=one.system_id, trial=one.trial, text=one.text)
        found.setdefault(one.item_id, []).append(answer)
    return {item_id: tuple(answers) for item_id, answers in found.items()}


class _Ring:
    """Items in a drawn order, so that one more or one less moves only the draws beside it."""

    def __init__(self, items: Iterable[Item], seed: int) -> None:
        self._seed = seed
        known = {item.item_id: item for item in items if accepted_of(item)}
        placed = sorted((content_digest("place", str(seed), item_id), item_id) for item_id in known)
        self._places = [place for place, _ in placed]
        self._items = [known[item_id] for _, item_id in placed]

    def other(self, item: Item) -> Found:
        """Return the reference of another item that says something else.

        Of the same task and turn where there is one, then of the same task, then of any.
        """
        mine = accepted_of(item)
        turn = place_of(item)[1]
        kinds: tuple[tuple[str, Callable[[Item], bool]], ...] = (
            ("", lambda other: _task(other) == _task(item) and place_of(other)[1] == turn),
            ("", lambda other: _task(other) == _task(item)),
            (f", of {OTHER_TASK}", lambda _: True),
        )
        for note, fits in kinds:
            for other in self._after(item):
                if not fits(other):
                    continue
                reference = accepted_of(other)[0]
                if not any(are_alike(item, one, reference) for one in mine):
                    return Shown(
                        references=(reference,), note=f"reference of {other.item_id}{note}"
                    )
        return Lacking(reason="no other item has a reference that says something else")

    def _after(self, item: Item) -> Iterator[Item]:
        """Yield items of other conversations, from a drawn place on, round to it again."""
        drawn = content_digest("random", str(self._seed), item.item_id)
        start = bisect_left(self._places, drawn)
        own = (item.benchmark, place_of(item)[0])
        for other in (*self._items[start:], *self._items[:start]):
            if (other.benchmark, place_of(other)[0]) != own:
                yield other


def _task(item: Item) -> str:
    return item.task or item.family
