"""The rule of `scorers.declared` on whole columns.  In: pairs of texts.  Out: codes.

What rules have in common is computed once for all of them: a passage for each distinct reply, a
normal form for each distinct text, a similarity for each distinct pair.  A rule that differs in a
threshold or in the order of its stages then costs a few operations on arrays of bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process

from finassay.marking.multiverse.codes import OUT, RIGHT, SILENT, WRONG, Codes
from finassay.marking.multiverse.memo import Memo
from finassay.scorers import declared_parts as parts
from finassay.scorers.declared import DeclaredRule
from finassay.scorers.strict import is_silent, numbers_with_stops, yes_no_prefix
from finassay.scorers.yes_no import read_yes_no
from finassay.text.normalisers import normaliser
from finassay.text.tokens import tokens

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Places = NDArray[np.intp]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class TextPairs:
    """Distinct pairs of an accepted reference and a reply.

    Attributes:
        references: distinct references.
        replies: distinct replies.
        reference: (U,) place of the pair's reference.
        reply: (U,) place of the pair's reply.
        tasks: (U,) task of the item.
        refused: (U,) whether the log says that the reply refuses.
    """

    references: tuple[str, ...]
    replies: tuple[str, ...]
    reference: Places
    reply: Places
    tasks: tuple[str, ...]
    refused: Bools


@dataclass(slots=True)
class DeclaredTexts:
    """Marks pairs of texts under any number of declared rules."""

    pairs: TextPairs
    _memo: Memo = field(default_factory=Memo)

    def codes(self, rule: DeclaredRule) -> Codes:
        """Return the (U,) codes of the rule, as `rule.measure` and `rule.decide` give them."""
        out = self._stages(rule).copy()
        if rule.bounds == "respect":
            out[self._bounds_clash(rule.passage)] = WRONG
        if rule.yes_no != "text":
            answered, codes = self._yes_no(rule)
            out[answered] = codes[answered]
        if rule.silence != "text":
            out[self._silent(rule.silence)] = SILENT if rule.silence == "no_answer" else WRONG
        out[self._nothing_left(rule.normaliser)] = OUT
        return out

    # Texts: one entry for each distinct reference or reply.

    def _passages(self, which: parts.Passage) -> list[str]:
        return self._memo.keep(
            ("passage", which), lambda: [parts.passage(text, which) for text in self.pairs.replies]
        )

    def _left(self, norm: str) -> list[str]:
        form = normaliser(norm)
        return self._memo.keep(
            ("left", norm), lambda: [form(text) for text in self.pairs.references]
        )

    def _right(self, rule: DeclaredRule) -> list[str]:
        form = normaliser(rule.normaliser)
        return self._memo.keep(
            ("right", rule.passage, rule.normaliser),
            lambda: [form(text) for text in self._passages(rule.passage)],
        )

    # Pairs: one entry for each distinct pair.

    def _each(self, left: Sequence[T], right: Sequence[T]) -> tuple[list[T], list[T]]:
        a, b = self.pairs.reference.tolist(), self.pairs.reply.tolist()
        return [left[i] for i in a], [right[j] for j in b]

    def _equal(self, left: Sequence[Hashable], right: Sequence[Hashable]) -> Bools:
        """Return (U,) where the entry of the reference equals that of the reply."""
        at: dict[Hashable, int] = {}
        a, b = (
            np.array([at.setdefault(value, len(at)) for value in values], dtype=np.intp)
            for values in (left, right)
        )
        return np.asarray(a[self.pairs.reference] == b[self.pairs.reply])

    def _nothing_left(self, norm: str) -> Bools:
        def make() -> Bools:
            empty = np.array([not text for text in self._left(norm)], dtype=bool)
            return np.asarray(empty[self.pairs.reference])

        return self._memo.keep(("nothing", norm), make)

    def _stages(self, rule: DeclaredRule) -> Codes:
        text = (rule.passage, rule.normaliser, rule.matcher, rule.threshold)
        key = ("stages", text, rule.numbers, rule.tolerance, rule.percent, rule.stages)

        def make() -> Codes:
            found = np.where(self._by_stages(rule), np.uint8(RIGHT), np.uint8(WRONG))
            return found.astype(np.uint8)

        return self._memo.keep(key, make)

    def _by_stages(self, rule: DeclaredRule) -> Bools:
        text = self._text(rule)
        if rule.numbers == "ignore":
            return text
        in_reference, in_reply, agree = self._numbers(rule)
        if rule.stages == "either":
            return text | agree
        if rule.stages == "numbers-first":
            return np.where(in_reference & in_reply, agree, text)
        return text & (agree | ~in_reference)

    def _text(self, rule: DeclaredRule) -> Bools:
        similarity = self._memo.keep(
            ("similarity", rule.passage, rule.normaliser, rule.matcher),
            lambda: self._similarity(rule),
        )
        return np.asarray((similarity >= rule.threshold) & (similarity > 0))

    def _similarity(self, rule: DeclaredRule) -> Floats:
        left, right = self._left(rule.normaliser), self._right(rule)
        if rule.matcher == "exact":
            return self._equal(left, right).astype(np.float64)
        if rule.matcher == "token_f1":
            bags = self._each(_bags(left), _bags(right))
            found = np.array(list(map(_f1, *bags)), dtype=np.float64)
        elif rule.matcher in parts.RATIOS:
            found = _ratios(*self._each(left, right), rule.matcher)
        else:
            compare = parts.MATCHERS[rule.matcher]
            found = np.array(list(map(compare, *self._each(left, right))), dtype=np.float64)
        empty = np.array([not text for text in right], dtype=bool)[self.pairs.reply]
        return np.where(empty, 0.0, found)

    def _numbers(self, rule: DeclaredRule) -> tuple[Bools, Bools, Bools]:
        """Return (U,) whether the reference holds numbers, the reply does, and both agree."""
        if rule.numbers == "written":
            key: Hashable = ("written", rule.passage, rule.normaliser)
            return self._memo.keep(key, lambda: self._written(rule))
        key = ("numbers", rule.passage, rule.percent, rule.numbers, rule.tolerance)
        return self._memo.keep(key, lambda: self._valued(rule))

    def _written(self, rule: DeclaredRule) -> tuple[Bools, Bools, Bools]:
        left = [numbers_with_stops(text) for text in self._left(rule.normaliser)]
        right = [numbers_with_stops(text) for text in self._right(rule)]
        in_left, in_right = self._held(left, right)
        return in_left, in_right, in_left & self._equal(left, right)

    def _valued(self, rule: DeclaredRule) -> tuple[Bools, Bools, Bools]:
        percent = rule.percent
        left = self._memo.keep(
            ("values", "left", percent),
            lambda: [parts.values_of(text, percent) for text in self.pairs.references],
        )
        right = self._memo.keep(
            ("values", rule.passage, percent),
            lambda: [parts.values_of(text, percent) for text in self._passages(rule.passage)],
        )
        in_left, in_right = self._held(left, right)
        agree = in_left & in_right
        if rule.numbers == "equal" and rule.tolerance == 0.0:
            agree &= self._equal([frozenset(v) for v in left], [frozenset(v) for v in right])
            return in_left, in_right, agree
        a, b = self.pairs.reference, self.pairs.reply
        for at in np.flatnonzero(agree).tolist():
            agree[at] = parts.values_agree(left[a[at]], right[b[at]], rule.numbers, rule.tolerance)
        return in_left, in_right, agree

    def _held(
        self,
        left: Sequence[Sequence[object] | frozenset[str]],
        right: Sequence[Sequence[object] | frozenset[str]],
    ) -> tuple[Bools, Bools]:
        a, b = (np.array([bool(v) for v in values], dtype=bool) for values in (left, right))
        return a[self.pairs.reference], b[self.pairs.reply]

    def _bounds_clash(self, which: parts.Passage) -> Bools:
        def make() -> Bools:
            left = [parts.bounds_of(text) for text in self.pairs.references]
            right = [parts.bounds_of(text) for text in self._passages(which)]
            each = zip(*self._each(left, right), strict=True)
            found = [bool(a) and bool(b) and not a & b for a, b in each]
            return np.array(found, dtype=bool)

        return self._memo.keep(("bounds", which), make)

    def _yes_no(self, rule: DeclaredRule) -> tuple[Bools, Codes]:
        key: Hashable = ("yes_no", rule.passage, rule.yes_no, rule.yes_no_tasks)
        if rule.yes_no == "prefix":
            key = (key, rule.normaliser)
        return self._memo.keep(key, lambda: self._read_yes_no(rule))

    def _read_yes_no(self, rule: DeclaredRule) -> tuple[Bools, Codes]:
        tasks = self.pairs.tasks
        named = {task: rule.is_yes_no(task) for task in set(tasks)}
        answered = np.array([named[task] for task in tasks], dtype=bool)
        if rule.yes_no == "prefix":
            left = [yes_no_prefix(text) for text in self._left(rule.normaliser)]
            right = [yes_no_prefix(text) for text in self._right(rule)]
            return answered, _coded(self._equal(left, right))
        how: Literal["leading", "first"] = "leading" if rule.yes_no == "leading" else "first"
        expected = [read_yes_no(text, "leading") for text in self.pairs.references]
        said = [read_yes_no(text, how) for text in self._passages(rule.passage)]
        codes = _coded(self._equal(expected, said))
        has_reading, is_read = (
            np.array([one is not None for one in readings], dtype=bool)
            for readings in (expected, said)
        )
        codes[~is_read[self.pairs.reply]] = SILENT
        return answered & has_reading[self.pairs.reference], codes

    def _silent(self, silence: str) -> Bools:
        def make() -> Bools:
            if silence == "wrong":
                said = [is_silent(text) for text in self.pairs.replies]
                return np.array(said, dtype=bool)[self.pairs.reply]
            said = [parts.declines(text) for text in self.pairs.replies]
            also = [parts.declines(text) for text in self.pairs.references]
            declined = np.array(said, dtype=bool)[self.pairs.reply] | self.pairs.refused
            return np.asarray(declined & ~np.array(also, dtype=bool)[self.pairs.reference])

        return self._memo.keep(("silent", silence), make)


def _coded(is_right: Bools) -> Codes:
    return np.where(is_right, np.uint8(RIGHT), np.uint8(WRONG)).astype(np.uint8)


Bag = tuple[Counter[str], int]


def _bags(texts: Sequence[str]) -> list[Bag]:
    listed = [tokens(text) for text in texts]
    return [(Counter(found), len(found)) for found in listed]


def _f1(left: Bag, right: Bag) -> float:
    (a, m), (b, n) = left, right
    shared = sum((a & b).values())
    return 2 * shared / (m + n) if shared else 0.0


def _ratios(left: Sequence[str], right: Sequence[str], matcher: str) -> Floats:
    found: Floats = process.cpdist(
        left, right, scorer=parts.RATIOS[matcher], workers=-1, dtype=np.float64
    )
    return found / 100
