"""A multiverse inside an audit.  In: an audit and a multiverse.  Out: the audit with both."""

from __future__ import annotations

from dataclasses import replace

from finassay.analyses.multiverse.sentences import Topic, multiverse_sentences
from finassay.analyses.results_audit import Audit, Claim, Section
from finassay.analyses.results_multiverse import MultiverseResult
from finassay.analyses.strip import MOST_CLAIMS

SECTIONS: dict[Topic, Section] = {"order": "multiverse", "effects": "effects"}
"""Sentences of a multiverse that stand in the strip of an audit, and where their evidence is."""


def with_multiverse(audit: Audit, found: MultiverseResult) -> Audit:
    """Return the audit with a multiverse, whose first sentences follow the leader's.

    Args:
        audit: the audit.
        found: what every rule of a grid says of the same study.
    """
    said = [
        Claim(text=text, link=SECTIONS[topic])
        for topic, text in multiverse_sentences(found)
        if topic in SECTIONS
    ]
    strip = (*audit.strip[:1], *said, *audit.strip[1:])
    return replace(
        audit,
        multiverse=found,
        strip=strip[:MOST_CLAIMS],
        warnings=tuple(dict.fromkeys((*audit.warnings, *found.warnings))),
    )
