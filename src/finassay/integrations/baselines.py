"""Baseline systems: real answers without a model.  In: items.  Out: predictions in a study.

They answer from the passage by simple means, so they are often wrong, and they write what they
found in different ways, so scoring rules disagree about them.  Two are controls that read the
accepted answer: they show what a rule does to a right answer written another way.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import bm25s

from finassay._version import __version__
from finassay.records import READS_KEY, Item, Prediction, RunRecord, SystemSpec, content_id
from finassay.study import Study
from finassay.study.rows import predictions_frame
from finassay.text.sentences import sentences

_CURRENCY = r"(?:EUR|USD|GBP|INR|CHF|JPY|CAD|AUD|SGD|HKD|BRL|Rs\.?|R\$|HK\$|US\$|[€$£₹¥])"
_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_UNIT = (
    r"(?:%|per\s?cent|percent|basis points|million|billion|thousand|crore|lakh|shares|"
    r"(?:business|working|calendar|trading)?\s?(?:days?|hours?|months?|years?))"
)
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_DATE = rf"(?:\d{{1,2}} {_MONTH} \d{{4}}|{_MONTH} \d{{1,2}}, \d{{4}})"
QUANTITY = re.compile(rf"{_DATE}|(?:{_CURRENCY}\s?)?{_NUMBER}(?:\s?{_UNIT})*")
_WORD = re.compile(r"[^\W_]+")
_NAME_OR_QUANTITY = re.compile(rf"{QUANTITY.pattern}|[A-Z][\w'-]*(?: [A-Z][\w'-]*)*")
_FIELDS = re.compile(r"(?:[Ff]ields|字段)[^:：\n]*[:：]([^\n]+)")
_CLAUSE = re.compile(r"[，。；、]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """One way to answer without a model.

    Attributes:
        name: display name of the system.
        description: what it does, for the report.
        answer: returns the reply to an item, given all items.
        reads_key: whether it reads accepted answers (a control, not a contestant).
    """

    name: str
    description: str
    answer: Callable[[Item, Sequence[Item]], str]
    reads_key: bool = False

    @property
    def spec(self) -> SystemSpec:
        """Return the system that this baseline is in a study."""
        arm = READS_KEY if self.reads_key else ""
        return SystemSpec(
            name=self.name,
            kind="baseline",
            model=self.description,
            provider="finassay",
            prompt_arm=arm,
            model_family="baseline",
        )


def passage(item: Item) -> str:
    """Return the text that an item gives to answer from."""
    return " ".join(part for part in (item.context, *item.contexts) if part)


def best_sentence(item: Item) -> str:
    """Return the sentence of the passage that BM25 ranks first for the question, or ""."""
    found = sentences(passage(item))
    corpus = [_words(sentence) for sentence in found]
    if not any(corpus):
        return ""
    index = bm25s.BM25(k1=1.5, b=0.75)
    index.index(corpus, show_progress=False)
    ranked, _ = index.retrieve([_words(item.question)], k=1, show_progress=False)
    return found[int(ranked[0][0])]


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def first_quantity(text: str) -> str:
    """Return the first number with its currency and unit, or date, of a text, or ""."""
    found = QUANTITY.search(text)
    return found[0].strip() if found else ""


def overlap_label(item: Item, text: str) -> str:
    """Return the choice named most often in a text; the first choice when none is."""
    lowered = text.lower()
    return max(item.choices, key=lambda choice: lowered.count(choice.lower()))


def passages_differ(item: Item) -> bool:
    """Whether two passages hold different numbers: a crude reading of "do they contradict?"."""
    numbers = [set(re.findall(_NUMBER, part)) for part in item.contexts]
    return len(numbers) > 1 and numbers[0] != numbers[1]


def record_answer(item: Item) -> str | None:
    """Return names and quantities of the passage in order, one for each field asked for.

    None where the item asks for no fields.
    """
    asked = _FIELDS.search(item.question) if item.contract.type == "fields" else None
    if asked is None:
        return None
    names = [name.strip(" .。") for name in re.split(r"[;；]", asked[1])]
    text = passage(item)
    found = [match[0] for match in _NAME_OR_QUANTITY.finditer(text)] or _CLAUSE.split(text)
    return "\n".join(f"{name}: {value}" for name, value in zip(names, found, strict=False))


def closed_answer(item: Item) -> str | None:
    """Return a reply to an item with choices or fields, or None where the item is open."""
    record = record_answer(item)
    if record is not None:
        return record
    if set(item.choices) == {"Yes", "No"}:
        return "Yes" if passages_differ(item) else "No"
    return overlap_label(item, passage(item)) if item.choices else None


def _constant(item: Item, _: Sequence[Item]) -> str:
    if item.choices:
        return "No" if "No" in item.choices else item.choices[0]
    return "Not stated"


def _majority(item: Item, items: Sequence[Item]) -> str:
    answers = Counter(other.reference for other in items if other.task == item.task)
    return max(answers, key=lambda answer: (answers[answer], answer or "")) or ""


def _first_sentence(item: Item, _: Sequence[Item]) -> str:
    return next(iter(sentences(passage(item))), "")


def _best_sentence(item: Item, _: Sequence[Item]) -> str:
    closed = closed_answer(item)
    return best_sentence(item) if closed is None else f"{closed}. {best_sentence(item)}"


def _quantity(item: Item, _: Sequence[Item]) -> str:
    return closed_answer(item) or first_quantity(passage(item))


def _best_quantity(item: Item, _: Sequence[Item]) -> str:
    return closed_answer(item) or first_quantity(best_sentence(item))


def _verbose(item: Item, items: Sequence[Item]) -> str:
    answer = _best_quantity(item, items) or "not given"
    return (
        f"Based on the passage provided, which has {len(sentences(passage(item)))} sentences, the "
        f"relevant statement is: {best_sentence(item)} Taking this into account step by step, the "
        f"final answer is {answer}."
    )


def _hedged(item: Item, items: Sequence[Item]) -> str:
    answer = _best_quantity(item, items) or "unclear"
    return f"It appears to be {answer}, but this cannot be determined with full certainty."


def _other_wording(item: Item, _: Sequence[Item]) -> str:
    return item.alternatives[0] if item.alternatives else f"The answer: {item.reference}"


def _worked_out(item: Item, _: Sequence[Item]) -> str:
    given = first_quantity(passage(item)) or "the passage"
    return (
        f"Step 1: read the passage ({given}). Step 2: apply the rule that it states. Step 3: check "
        f"the units. Therefore: {item.reference}"
    )


BASELINES: tuple[Baseline, ...] = (
    Baseline(
        name="constant",
        description="always No, the first label, or 'Not stated'",
        answer=_constant,
    ),
    Baseline(
        name="majority",
        description="most frequent accepted answer of the task: the floor, by reading the key",
        answer=_majority,
        reads_key=True,
    ),
    Baseline(
        name="first-sentence",
        description="first sentence of the passage",
        answer=_first_sentence,
    ),
    Baseline(
        name="bm25-sentence",
        description="sentence that BM25 ranks first for the question",
        answer=_best_sentence,
    ),
    Baseline(
        name="first-quantity",
        description="first quantity or date of the passage; labels by word count",
        answer=_quantity,
    ),
    Baseline(
        name="bm25-quantity",
        description="first quantity or date of the BM25 sentence; labels by word count",
        answer=_best_quantity,
    ),
    Baseline(
        name="verbose",
        description="the answer of bm25-quantity inside a long explanation",
        answer=_verbose,
    ),
    Baseline(
        name="hedged",
        description="the answer of bm25-quantity with a reservation",
        answer=_hedged,
    ),
    Baseline(
        name="control-other-wording",
        description="an accepted answer in another wording: right by construction",
        answer=_other_wording,
        reads_key=True,
    ),
    Baseline(
        name="control-worked-out",
        description="the accepted answer at the end of steps: right by construction",
        answer=_worked_out,
        reads_key=True,
    ),
)


def run_baselines(
    study: Study, items: Sequence[Item], baselines: Sequence[Baseline] = BASELINES
) -> tuple[str, ...]:
    """Answer items with baselines, commit their predictions, and return their display names.

    Args:
        study: an open study that holds the items.
        items: the items to answer.
        baselines: the systems to run.
    """
    for baseline in baselines:
        system_id = study.add_system(baseline.spec)
        run_id = content_id("baseline", system_id, __version__)
        predictions = [
            _prediction(item, baseline.answer(item, items), system_id, run_id) for item in items
        ]
        study.add_run(
            RunRecord(run_id=run_id, system_id=system_id, packages=(("finassay", __version__),))
        )
        study.commit(
            "predictions",
            predictions_frame(predictions),
            partition={"system_id": system_id, "run_id": run_id},
        )
    return tuple(baseline.name for baseline in baselines)


def _prediction(item: Item, text: str, system_id: str, run_id: str) -> Prediction:
    return Prediction(
        item_id=item.item_id,
        system_id=system_id,
        text=text,
        finish="stop" if text.strip() else "empty",
        run_id=run_id,
    )
