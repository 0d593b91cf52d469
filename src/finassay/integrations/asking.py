"""Which item a harness asks about.  In: a prompt and what stands beside it.  Out: the item.

A harness hands a model nothing but messages, so the item is found again, by the first that fits:
the item that the sample carries whole, the sample's id where the item of that id asks the same
question, and the one item whose question and passages all stand in the prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from finassay.benchmarks.carried import KEY, item_from_carried
from finassay.errors import InputError
from finassay.records import Item

_SHOWN = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One call of a model, as far as a harness tells of it.

    Attributes:
        prompt: the text of the last message of the user.
        sample_id: the id of the item or sample, where a harness tells it.
        trial: which repeat of the sample it is, from 0; None where that is not known.
        item: the item, where the harness tells the whole of it.
        among: all items that are asked with it, where that is known.
    """

    prompt: str
    sample_id: str | None = None
    trial: int | None = None
    item: Item | None = None
    among: tuple[Item, ...] = ()

    @classmethod
    def of(
        cls,
        prompt: str,
        *,
        sample_id: str | int | None = None,
        trial: int | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> Asked:
        """Return a call with the item that the sample's metadata hold.

        Raises:
            InputError: the metadata hold something else where the item should be.
        """
        carried = (metadata or {}).get(KEY)
        where = f"the sample {sample_id!r}: metadata {KEY!r}"
        return cls(
            prompt=prompt,
            sample_id=None if sample_id is None else str(sample_id),
            trial=trial,
            item=None if carried is None else item_from_carried(carried, where=where),
        )


class ItemFinder:
    """Finds the items of a fixed list again.

    Attributes:
        items: the list.
    """

    def __init__(self, items: Iterable[Item]) -> None:
        self.items = tuple(items)
        self._by_id: dict[str, list[Item]] = {}
        for item in self.items:
            self._by_id.setdefault(item.item_id, []).append(item)
        self._texts = [(item, _texts(item)) for item in self.items]

    def find(self, asked: Asked) -> Item:
        """Return the item of a call; one that the sample carries need not be in the list.

        Raises:
            InputError: no item fits, or several that differ do.
        """
        return asked.item or self.known(asked)

    def known(self, asked: Asked) -> Item:
        """Return the item of the list that a call is about.

        Raises:
            InputError: no item of the list fits, or several that differ do.
        """
        prompt = _folded(asked.prompt)
        item_id = asked.item.item_id if asked.item else asked.sample_id
        named = self._by_id.get(item_id, []) if item_id is not None else []
        for item in named:
            if asked.item is not None or _asks(item, prompt):
                return item
        found = [item for item, texts in self._texts if _stand_in(texts, prompt)]
        fitting = {item.item_digest: item for item in found}
        if len(fitting) == 1:
            return next(iter(fitting.values()))
        raise InputError(self._not_found(asked, list(fitting.values()), is_named=bool(named)))

    def _not_found(self, asked: Asked, fitting: list[Item], *, is_named: bool) -> str:
        sample = "the call" if asked.sample_id is None else f"the sample {asked.sample_id!r}"
        if fitting:
            ids = ", ".join(repr(item.item_id) for item in fitting)
            return (
                f"{sample} holds the texts of several items: {ids}; give the samples the ids of "
                f"the items"
            )
        why = "asks another question than the item of that id" if is_named else "names none"
        start = " ".join(asked.prompt.split())[:_SHOWN]
        return (
            f"{sample} {why} of the {len(self.items)} items known, and its prompt holds the "
            f"question and passages of none; it begins {start!r}; name the items with "
            f"-M benchmark=NAME or -M study=PATH"
        )


def _folded(text: str) -> str:
    return " ".join(text.split())


def _asks(item: Item, prompt: str) -> bool:
    """Whether a prompt asks the question of an item: an id alone may be another benchmark's."""
    question = _folded(item.question)
    return question in prompt or prompt in question


def _texts(item: Item) -> tuple[str, ...]:
    parts = [_folded(part) for part in (item.question, item.context, *item.contexts)]
    return tuple(part for part in parts if part)


def _stand_in(texts: tuple[str, ...], prompt: str) -> bool:
    return bool(texts) and all(part in prompt for part in texts)
