"""People's labels as verdicts.  In: current revisions.  Out: verdict partitions of the study."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib.metadata import version

import polars as pl

from finassay.records import Verdict
from finassay.study.label_records import (
    NOT_SURE,
    Label,
    Revision,
    person_scorer,
    person_spec,
)
from finassay.study.rows import verdict_row
from finassay.study.schemas import VERDICTS
from finassay.study.snapshot import Snapshot
from finassay.study.study import Commit, Study

PERSON_VERSION = "1"
"""Scorer version of people: their verdicts change by revision, not by version."""


def materialise(current: Iterable[Revision], study: Study) -> list[Commit]:
    """Write current revisions of labels as verdicts, and return a commit for each person.

    Args:
        current: all latest revisions of each person on each system that occurs; verdicts on other
            systems stay.
        study: where verdicts go; see `LabelStore.materialise`.
    """
    grouped: dict[str, list[Revision]] = defaultdict(list)
    for one in current:
        grouped[one.label.annotator].append(one)
    seen = _Seen(study.snapshot())
    commits = []
    for annotator, revisions in sorted(grouped.items()):
        scorer_id = person_scorer(annotator)
        study.add_scorer(
            scorer_id,
            PERSON_VERSION,
            name=annotator,
            spec=person_spec(annotator),
            package_version=version("finassay"),
        )
        rows = pl.DataFrame([seen.row(one) for one in revisions], schema=VERDICTS.polars_schema)
        partition = {
            "scorer_id": scorer_id,
            "scorer_version": PERSON_VERSION,
            "system_id": sorted(set(rows["system_id"])),
        }
        commits.append(study.commit("verdicts", rows, partition=partition))
    return commits


class _Seen:
    """Digests of what a person saw: as stored with the label, else as the study has them now."""

    def __init__(self, snapshot: Snapshot) -> None:
        items = snapshot.scan("items").select("item_id", "item_digest").collect()
        self._items: Mapping[str, str] = dict(items.iter_rows())
        self._snapshot = snapshot
        self._texts: dict[str, Mapping[tuple[str, int], str]] = {}

    def row(self, stored: Revision) -> dict[str, object]:
        said = stored.label
        verdict = Verdict(
            status="unparsed" if said.value is None else "scored",
            value=said.value,
            label=said.label,
            reason=_reason(said),
        )
        row = verdict_row(
            verdict,
            item_id=said.item_id,
            trial=said.trial,
            text_digest=said.text_digest or self._text(said),
            item_digest=said.item_digest or self._items.get(said.item_id),
            revision=stored.revision,
        )
        return row | {
            "system_id": said.system_id,
            "scorer_id": person_scorer(said.annotator),
            "scorer_version": PERSON_VERSION,
        }

    def _text(self, said: Label) -> str | None:
        if said.system_id not in self._texts:
            rows = self._snapshot.frame("predictions", system_id=said.system_id)
            digests = rows.select("item_id", "trial", "text_digest").iter_rows()
            self._texts[said.system_id] = {(item, trial): text for item, trial, text in digests}
        return self._texts[said.system_id].get((said.item_id, said.trial))


def _reason(said: Label) -> str:
    if said.value is None:
        return said.note or f"the annotator answered {NOT_SURE!r}"
    return said.note
