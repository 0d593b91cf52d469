"""Made-up items with passages, for evaluations of retrieval."""

from __future__ import annotations

import json
from pathlib import Path

from finassay.records import Item

_RULES = (
    ("fees", "REG", "What fee does a broker pay?", "A broker pays a fee of Rs. 500 crore."),
    ("fees", "REG", "When is the fee late?", "The fee is late after thirty days."),
    ("disclosure", "REG", "What is disclosed?", "Material events are disclosed at once."),
    ("disclosure", "NUM", "How many hours has it?", "A listed entity has twenty-four hours."),
    ("dividends", "NUM", "What share may banks pay?", "Banks may pay 40 per cent of profit."),
    ("dividends", "TMP", "Since when?", "The limit holds from 1 April 2024."),
)


def items() -> list[Item]:
    """Return six items of one passage, one of two, and one that cannot be asked."""
    single = [
        Item(
            item_id=f"q{number}",
            family=family,
            question=question,
            context=passage,
            documents=(document,),
            reference="x",
        )
        for number, (document, family, question, passage) in enumerate(_RULES)
    ]
    pair = Item(
        item_id="pair",
        family="CON",
        question="Do the fee of a broker and the limit of banks agree?",
        contexts=(_RULES[0][3], _RULES[4][3]),
        documents=("fees", "dividends"),
        reference="Yes",
    )
    return [*single, pair, Item(item_id="bare", question="What is this?", reference="x")]


def write_items(path: Path) -> Path:
    """Write the items as a table, and return its path."""
    rows = [
        {
            "id": item.item_id,
            "task_type": item.family,
            "question": item.question,
            "answer": item.reference,
            "context": item.context,
            **{f"context_{end}": text for end, text in zip("ab", item.contexts, strict=False)},
            **(
                {f"document_{end}": name for end, name in zip("ab", item.documents, strict=True)}
                if item.contexts
                else {"document": "".join(item.documents)}
            ),
        }
        for item in items()
    ]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path
