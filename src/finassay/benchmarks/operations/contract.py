"""The contract of a family of items.  In: nothing.  Out: frozen records with a digest.

A contract fixes, before any system is run, the capability that a family measures, the information
that a system sees, the decision that it makes, the artifact that it hands in, and how that is read
and marked.  The run that is marked under a contract can quote its digest.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from finassay.records import content_digest

Layer = Literal["knowledge", "processing", "review"]
"""Domain knowledge, evidence-grounded processing, applied review."""

Kind = Literal[
    "label",
    "option",
    "option_set",
    "ordered_fields",
    "identity",
    "number",
    "provision_set",
    "decision_label",
    "rubric_text",
    "ask_or_proceed",
]
"""What a system hands in."""

LAYERS: tuple[Layer, ...] = get_args(Layer)
KINDS: tuple[Kind, ...] = get_args(Kind)

CLOSED_KINDS: frozenset[Kind] = frozenset({"label", "identity", "decision_label", "ask_or_proceed"})
"""Kinds that are one of a closed list of labels, written out."""

FIELDS = ("context", "contexts", "question", "choices")
"""Parts of an item that a system may be shown."""

LANGUAGES = ("en", "zh")
"""Languages of instructions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Information:
    """What a system sees.

    Attributes:
        sources: kinds of evidence.
        fields: parts of the item that are shown, of `FIELDS`.
        boundary: where the evidence ends in time, and what is withheld.
    """

    sources: tuple[str, ...]
    fields: tuple[str, ...]
    boundary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """What a system hands in.

    Attributes:
        kind: one of `KINDS`.
        schema: the form that can be read.
        labels: (label, other wordings) for closed kinds; a label without an entry stands for
            itself.
        instructions: (language, what the system is told about the form).
    """

    kind: Kind
    schema: str
    labels: tuple[tuple[str, tuple[str, ...]], ...] = ()
    instructions: tuple[tuple[str, str], ...] = ()

    def instruction(self, language: str) -> str:
        """Return what a system is told in a language; English where that has none."""
        told = dict(self.instructions)
        return told.get(language, told.get("en", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One criterion of a rubric.

    Attributes:
        criterion: its name.
        weight: its share, relative to the others.
        asks: the question that it puts.
    """

    criterion: str
    weight: float
    asks: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How what was handed in is marked.

    Attributes:
        scorer: id of the scorer.
        credit: what earns credit, in words.
        judge: id under which the verdicts of a judge are imported, for text under a rubric.
        rubric: what the judge reads for.
    """

    scorer: str
    credit: str
    judge: str = ""
    rubric: tuple[Criterion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationContract:
    """What a family of items measures, from what, and how an answer is marked.

    Attributes:
        name: name of the contract and of its family.
        version: a whole number, raised when anything that could change a verdict changes.
        title: what people call it.
        layer: where it stands in a review.
        group: group of families within the layer.
        capability: what is measured.
        information: what a system sees.
        decision: what the answer decides.
        artifact: what a system hands in.
        scoring: how that is marked.
        unscored: what a malformed answer counts as; always "wrong", with the score over the valid
            ones beside it.
        provenance: where its items come from.
    """

    name: str
    version: str
    title: str
    layer: Layer
    group: str
    capability: str
    information: Information
    decision: str
    artifact: Artifact
    scoring: Scoring
    unscored: Literal["wrong"] = "wrong"
    provenance: str = ""

    @property
    def digest(self) -> str:
        """Digest (64 hex digits) of everything that the contract says."""
        return content_digest(json.dumps(asdict(self), sort_keys=True, ensure_ascii=False))
