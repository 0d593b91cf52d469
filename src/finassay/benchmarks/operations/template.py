"""A contract to begin with.  In: a name.  Out: two files, commented, that pass the check."""

from __future__ import annotations

import json
import re
from pathlib import Path

from finassay.benchmarks.operations.shelf import ITEMS_SUFFIX, SUFFIX
from finassay.errors import UsageError

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

_CONTRACT = """\
# A contract fixes what a family of items measures, before any system is run.
# Every key is needed.  `finassay contract check {name}.yaml` says what is wrong, with lines.

contract: {name}
# Raise it whenever a verdict could change.
version: "1"
title: {title}

# knowledge: concepts and rules; processing: evidence made into structure; review: decisions.
layer: review
group: {title}
capability: >-
  What a system must be able to do.

# What a system sees, and nothing else.
information:
  sources:
    - case record
  # Parts of an item: context, contexts, question, choices.
  fields: [context, question, choices]
  # Where the evidence ends in time, and what is withheld.
  boundary: >-
    The record ends before the decision.

decision: >-
  What the answer decides.

artifact:
  # label, option, option_set, ordered_fields, identity, number, provision_set, decision_label,
  # rubric_text or ask_or_proceed.
  kind: decision_label
  schema: >-
    One label on the first line; an explanation may follow on later lines.
  # Other wordings of a label, for label, identity, decision_label and ask_or_proceed.
  labels:
    "accept": ["accepted", "approve"]
    "refuse": ["refused", "reject"]
  # What a system is told about the form; add zh: for items in Chinese.
  instructions:
    en: >-
      Answer accept or refuse on the first line. An explanation, if any, goes on later lines.

scoring:
  # The id of a scorer (`finassay scorers`): closed for labels, choice for an option,
  # 'set/exact[elements="options"]' for options, fields, financial, provision_set, key_points.
  scorer: closed
  credit: >-
    1 for the decision of the reference, else 0.
  # For rubric_text: under which id a judge's verdicts are imported, and what it reads for.
  # judge: judge/rubric
  # rubric:
  #   - criterion: correctness
  #     weight: 2
  #     asks: Is what is said right under the record?

# A malformed answer counts as wrong; the score over the valid ones is shown beside.
unscored: wrong
provenance: >-
  Where the items come from, and who checked them.
"""


def _item(name: str) -> str:
    item = {
        "item_id": f"{name}-1",
        "contract": name,
        "language": "en",
        "difficulty": "easy",
        "question": "Is the application accepted under the rule stated?",
        "context": "Rule: an applicant needs two references. The applicant has sent one.",
        "choices": ["accept", "refuse"],
        "reference": "refuse",
        "evidence": ["needs two references", "has sent one"],
        "source": "where this item comes from",
        "rationale": "One reference is fewer than two.",
    }
    return f"{json.dumps(item, ensure_ascii=False)}\n"


def write_template(name: str, folder: str | Path = ".") -> tuple[Path, ...]:
    """Write a commented contract and one item, and return their paths.

    Args:
        name: name of the contract and of its files.
        folder: where they go; it must exist.

    Raises:
        UsageError: the name cannot be used, there is no such folder, or a file is there already.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"the name of a contract has small letters and digits, joined by single hyphens, as in "
            f"legal-outcome; got {name!r}"
        )
    place = Path(folder)
    if not place.is_dir():
        raise UsageError(f"expected a folder to write to, got {str(place)!r}; make it first")
    title = name.replace("-", " ").capitalize()
    files = {
        place / f"{name}{SUFFIX}": _CONTRACT.format(name=name, title=title),
        place / f"{name}{ITEMS_SUFFIX}": _item(name),
    }
    for path in files:
        if path.exists():
            raise UsageError(f"{str(path)!r} is there already; choose another name or remove it")
    for path, text in files.items():
        aside = path.with_suffix(f"{path.suffix}.part")
        aside.write_text(text, encoding="utf-8")
        aside.replace(path)
    return tuple(files)
