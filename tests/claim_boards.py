"""Small studies for tests of claims and of the configuration: views built without a disk."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from finassay.analyses.claims.declared import ClaimFile, read_claims
from finassay.analyses.claims.study_claims import study_claims
from finassay.analyses.results_claims import ClaimsReport
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.reply_facts import ReplyFacts
from finassay.marking.view import StudyView
from finassay.records import Item, ReportedScore, SystemSpec, Unscored
from small_boards import board


def view(
    rules: Mapping[str, Mapping[str, str]],
    *,
    regimes: Mapping[str, Mapping[str, str]] | None = None,
    families: str = "",
    people: tuple[str, ...] = (),
    reported: tuple[ReportedScore, ...] = (),
    policy: Unscored = "wrong",
) -> StudyView:
    """Return a study from one string of letters a rule and system; families are one letter each."""
    first = next(iter(next(iter(rules.values())).values()))
    items = tuple(
        Item(item_id=f"i{at}", family=families[at] if families else "", documents=(f"d{at // 2}",))
        for at in range(len(first))
    )
    matrices: dict[str, VerdictMatrix] = {name: board(dict(c)) for name, c in rules.items()}
    names = sorted({name for matrix in matrices.values() for name in matrix.columns})
    return StudyView(
        name="small",
        unscored=policy,
        items=items,
        systems=tuple(
            SystemSpec(name=name, kind="person" if name in people else "model") for name in names
        ),
        matrices=matrices,
        regimes={name: board(dict(c)) for name, c in (regimes or {}).items()},
        decided_by={},
        lengths={},
        empty_replies={},
        error_replies={},
        cut_references={},
        trials={},
        n_predictions=0,
        reported=reported,
        versions=(),
        digests=(),
    )


def replies(lengths: Mapping[str, list[int]]) -> ReplyFacts:
    """Return replies of these lengths, one row an item."""
    table = np.array(list(lengths.values()), dtype=np.int64).T
    return ReplyFacts(
        item_ids=tuple(f"i{at}" for at in range(len(table))),
        systems=tuple(lengths),
        present=np.ones(table.shape, dtype=bool),
        lengths=table,
        finish=np.zeros(table.shape, dtype=np.int8),
        tokens=np.zeros(table.shape, dtype=np.int64),
        has_tokens=np.zeros(table.shape, dtype=bool),
    )


def declared(text: str, folder: Path) -> ClaimFile:
    """Return the claims of a text, by way of a file."""
    path = folder / "claims.toml"
    path.write_text(text, encoding="utf-8")
    return read_claims(path)


def checked(study: StudyView, text: str, folder: Path, **more: object) -> ClaimsReport:
    """Return what a study says of the claims of a text."""
    return study_claims(study, declared(text, folder), **more)
