"""Systems that answer without a model.  In: a call.  Out: the reply, as a prediction.

Baselines answer from the item, a replay from a study, a script from a list or a function.  All
three are one thing, so that one provider serves them to any harness.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from finassay.benchmarks.bundled import bundled_names, load_bundled
from finassay.benchmarks.reading import Record, as_record, record_from
from finassay.errors import InputError, UnknownNameError
from finassay.integrations.asking import Asked, ItemFinder
from finassay.integrations.baselines import BASELINES, Baseline
from finassay.records import FINISHES, Item, Prediction
from finassay.study import Study
from finassay.study.rows import predictions_from

ANY = "*"
"""Item id of a scripted reply to every item that has none of its own."""

Scripted: TypeAlias = str | Prediction
Script: TypeAlias = Mapping[str, Scripted] | Callable[[Asked], Scripted] | Iterable[Scripted]


class Answerer(Protocol):
    """Anything that replies to a call."""

    def __call__(self, asked: Asked) -> Prediction:
        """Return the reply.

        Raises:
            InputError: there is none for this item.
        """
        ...


def baseline_named(name: str) -> Baseline:
    """Return the baseline of a name.

    Raises:
        UnknownNameError: there is none.
    """
    for baseline in BASELINES:
        if baseline.name == name:
            return baseline
    known = ", ".join(baseline.name for baseline in BASELINES)
    raise UnknownNameError(f"no baseline {name!r}; there are {known}, and `replay` and `scripted`")


def known_items(
    *, benchmark: str | Sequence[str] | None = None, study: str | Path | None = None
) -> tuple[Item, ...]:
    """Return the items of bundled benchmarks, or of a study.

    Args:
        benchmark: names of bundled benchmarks, or one; all of them where nothing is named.
        study: directory of a study, in place of the benchmarks.

    Raises:
        UnknownNameError: there is no bundled benchmark of that name.
        NoStudyError: there is no study at this path.
    """
    if study is not None:
        return tuple(Study.open(study).snapshot().items())
    names = [benchmark] if isinstance(benchmark, str) else benchmark or bundled_names()
    return tuple(item for name in names for item in load_bundled(name))


@dataclass(frozen=True, slots=True)
class BaselineAnswers:
    """The replies of a baseline.

    Attributes:
        baseline: how it answers.
        finder: the items that it may be asked, for baselines that look at all of them.
    """

    baseline: Baseline
    finder: ItemFinder

    def __call__(self, asked: Asked) -> Prediction:
        """Return the baseline's reply.

        Raises:
            InputError: nobody can say which item the call is about.
        """
        item = self.finder.find(asked)
        text = self.baseline.answer(item, asked.among or self.finder.items)
        return Prediction(
            item_id=item.item_id, text=text, finish="stop" if text.strip() else "empty"
        )


class ReplayAnswers:
    """The replies that one system of a study gave, whole: text, reasoning, finish and usage."""

    def __init__(self, study: str | Path, system: str) -> None:
        snapshot = Study.open(study).snapshot()
        self._system = system
        system_id = snapshot.resolve_system(system)
        frame = snapshot.frame("predictions", system_id=system_id)
        replies = predictions_from(frame)
        self._replies = {(reply.item_id, reply.trial): reply for reply in replies}
        answered = {reply.item_id for reply in replies}
        self._trials = sorted({reply.trial for reply in replies})
        items = {item.item_id: item for item in snapshot.items()}
        # A study may hold replies to items of which it knows nothing but the id.
        self._finder = ItemFinder(items.get(one, Item(item_id=one)) for one in sorted(answered))

    def __call__(self, asked: Asked) -> Prediction:
        """Return the recorded reply.

        Raises:
            InputError: the study has no reply of the system to this item in this trial.
        """
        item_id = self._finder.known(asked).item_id
        trial = self._trial(asked, item_id)
        found = self._replies.get((item_id, trial))
        if found is None:
            raise InputError(
                f"the study holds no reply of {self._system!r} to {item_id!r} in trial {trial}; "
                f"its trials are {self._trials}; ask for as many epochs as it has trials"
            )
        return found

    def _trial(self, asked: Asked, item_id: str) -> int:
        if asked.trial is not None:
            return asked.trial
        if len(self._trials) == 1:
            return self._trials[0]
        raise InputError(
            f"which of the trials {self._trials} of {item_id!r} is asked for is not known; replay "
            f"a study with several trials inside an evaluation"
        )


class ScriptedAnswers:
    """Replies that were laid down beforehand.

    Args:
        replies: reply by item id ("*" for every other item), or a function of the call, or replies
            in the order of the calls.
        finder: the items by which samples without ids are found.
    """

    def __init__(self, replies: Script, finder: ItemFinder) -> None:
        self._finder = finder
        self._reply: Callable[[Asked], Scripted]
        self._by_id: dict[str, Scripted] = {}
        if isinstance(replies, Mapping):
            self._by_id.update(replies)
            self._reply = self._named
        elif callable(replies):
            self._reply = replies
        else:
            self._in_order = iter(replies)
            self._reply = self._next

    def __call__(self, asked: Asked) -> Prediction:
        """Return the reply to a call.

        Raises:
            InputError: the script has none.
        """
        reply = self._reply(asked)
        if isinstance(reply, str):
            return Prediction(text=reply, finish="stop" if reply.strip() else "empty")
        return reply

    def _named(self, asked: Asked) -> Scripted:
        item_id = asked.item.item_id if asked.item else asked.sample_id
        if item_id not in self._by_id:
            item_id = ANY if ANY in self._by_id else self._finder.find(asked).item_id
        if item_id not in self._by_id:
            raise InputError(
                f"the script has no reply to {item_id!r} among {len(self._by_id)}; add one, or one "
                f"for {ANY!r}"
            )
        return self._by_id[item_id]

    def _next(self, asked: Asked) -> Scripted:
        for reply in self._in_order:
            return reply
        raise InputError(
            f"the script has no more replies, asked for {asked.sample_id!r}"
            "; add one to the script, or ask fewer items"
        )


def read_script(path: str | Path) -> dict[str, Prediction]:
    """Return the replies of a script, by item id.

    Each line is a JSON object with `item_id` ("*" for every other item) and `text`, and where
    wanted `reasoning`, `finish`, `tokens_in` and `tokens_out`.

    Raises:
        InputError: the file cannot be read; names the line.
    """
    file = Path(path)
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{str(file)!r}: the script cannot be read: {error}; expected UTF-8 text with one JSON "
            f"object a line"
        ) from error
    replies: dict[str, Prediction] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            reply = _scripted(record_from(line, f"{file.name}:{number}"), f"{file.name}:{number}")
            if reply.item_id in replies:
                raise InputError(
                    f"{file.name}:{number}: a second reply to {reply.item_id!r}"
                    "; keep one reply for each item"
                )
            replies[reply.item_id] = reply
    return replies


_TEXTS = ("item_id", "text", "reasoning", "finish")
_COUNTS = ("tokens_in", "tokens_out")


def _scripted(record: Record, where: str) -> Prediction:
    unknown = sorted(set(record) - {*_TEXTS, *_COUNTS})
    wrong = [key for key in _TEXTS if not isinstance(record.get(key, ""), str)]
    wrong += [key for key in _COUNTS if not isinstance(record.get(key, 0), int)]
    if unknown or wrong or not {"item_id", "text"} <= set(record):
        raise InputError(
            f"{where}: expected the texts `item_id` and `text`, and where wanted `reasoning`, "
            f"`finish`, `tokens_in`, `tokens_out`; got {json.dumps(dict(as_record(record, where)))}"
        )
    finish = record.get("finish", "stop" if str(record["text"]).strip() else "empty")
    if finish not in FINISHES:
        raise InputError(f"{where}: `finish` must be one of {FINISHES}, got {finish!r}")
    counts = {key: int(str(record[key])) for key in _COUNTS if key in record}
    return Prediction(
        item_id=str(record["item_id"]),
        text=str(record["text"]),
        reasoning=str(record.get("reasoning", "")),
        finish=finish,
        tokens_in=counts.get("tokens_in"),
        tokens_out=counts.get("tokens_out"),
    )
