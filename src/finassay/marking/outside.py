"""Verdicts of judges and people that still hold.  In: a snapshot.  Out: matrices, specs, commits.

A verdict from outside stands on a text and an item as they were; where the study has other ones
now, the verdict is stale and left out, and counted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from finassay._version import __version__
from finassay.errors import MissingVerdictsError
from finassay.marking.consensus import (
    CONSENSUS,
    CORRECT,
    INCORRECT,
    NOT_SURE,
    Consensus,
    consensus_verdict,
)
from finassay.marking.matrix import VerdictMatrix
from finassay.marking.table import VerdictTable, newest_versions, still_holds
from finassay.records import JUDGE_PREFIX, PERSON_PREFIX, RIGHT, Item
from finassay.study.rows import verdict_row
from finassay.study.schemas import VERDICTS
from finassay.study.snapshot import Snapshot
from finassay.study.study import Commit, Study

KEYS = ("item_id", "system_id", "trial")
DIGESTS = ("text_digest", "item_digest")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSpec:
    """What the record of a judge says that it is; "" or None where it says nothing.

    Attributes:
        scorer_id: its id.
        system_id: id of the system that judged.
        model: its model.
        model_family: family of that model.
        votes: inferences that a verdict is the majority of.
        is_candidate: whether the model is among the judged systems, as recorded when it judged.
    """

    scorer_id: str
    system_id: str = ""
    model: str = ""
    model_family: str = ""
    votes: int | None = None
    is_candidate: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideVerdicts:
    """Verdicts of judges and people of one trial.

    Attributes:
        matrices: scorer id -> items x systems (display names), newest version, first repeat.
        specs: judge -> what its record says.
        stale: scorer id -> verdicts left out because the text or the item has changed since.
    """

    matrices: Mapping[str, VerdictMatrix]
    specs: Mapping[str, JudgeSpec]
    stale: Mapping[str, int]


def outside_verdicts(
    snapshot: Snapshot, items: Sequence[Item], *, trial: int = 0
) -> OutsideVerdicts:
    """Return the verdicts of judges and people on the present replies of one trial.

    Args:
        snapshot: pinned tables.
        items: the rows, in order.
        trial: which trial.
    """
    rows = _outside_rows(snapshot).filter(pl.col("trial").eq(trial))
    names = {spec.system_id: spec.name for spec in snapshot.systems()}
    current = rows.filter("is_current").with_columns(
        system=pl.col("system_id").replace_strict(names, default=None)
    )
    order = [(item.item_id,) for item in items]
    known = current.filter(pl.col("item_id").is_in([item_id for (item_id,) in order]))
    parts = known.partition_by("scorer_id", as_dict=True)
    matrices = {
        str(key[0]): VerdictTable(part).matrix(rows=("item_id",), columns="system", row_order=order)
        for key, part in sorted(parts.items())
    }
    stale = rows.filter(~pl.col("is_current"))["scorer_id"].value_counts().sort("scorer_id")
    return OutsideVerdicts(matrices=matrices, specs=_specs(snapshot), stale=dict(stale.iter_rows()))


def _outside_rows(snapshot: Snapshot) -> pl.DataFrame:
    """Return newest first-repeat verdicts of judges and people, and whether they are current."""
    scorer = pl.col("scorer_id")
    rows = (
        snapshot.scan("verdicts")
        .filter(
            scorer.str.starts_with(JUDGE_PREFIX) | scorer.str.starts_with(PERSON_PREFIX),
            pl.col("repeat").eq(0),
        )
        .collect()
    )
    texts = snapshot.scan("predictions").select(*KEYS, text_now="text_digest").collect()
    asked = snapshot.scan("items").select("item_id", item_now="item_digest").collect()
    joined = (
        newest_versions(rows).join(texts, on=KEYS, how="left").join(asked, on="item_id", how="left")
    )
    return joined.with_columns(
        is_current=still_holds("text_digest", "text_now") & still_holds("item_digest", "item_now")
    )


def _specs(snapshot: Snapshot) -> dict[str, JudgeSpec]:
    rows = snapshot.frame("scorers").filter(pl.col("scorer_id").str.starts_with(JUDGE_PREFIX))
    return {
        row["scorer_id"]: _spec(row["scorer_id"], row["spec"]) for row in rows.iter_rows(named=True)
    }


def _spec(scorer_id: str, text: str) -> JudgeSpec:
    try:
        told = json.loads(text)
    except json.JSONDecodeError:
        told = None
    if not isinstance(told, dict):
        return JudgeSpec(scorer_id=scorer_id)

    def word(*names: str) -> str:
        return next((told[n] for n in names if isinstance(told.get(n), str) and told[n]), "")

    votes, is_candidate = told.get("votes"), told.get("is_candidate")
    return JudgeSpec(
        scorer_id=scorer_id,
        system_id=word("judge_system_id", "system_id"),
        model=word("model"),
        model_family=word("model_family", "family"),
        votes=votes if isinstance(votes, int) and not isinstance(votes, bool) else None,
        is_candidate=is_candidate if isinstance(is_candidate, bool) else None,
    )


def people_of(scorer_ids: Sequence[str]) -> tuple[str, ...]:
    """Return the people among scorers, sorted, without the consensus of them."""
    return tuple(
        sorted(name for name in scorer_ids if name.startswith(PERSON_PREFIX) and name != CONSENSUS)
    )


def write_consensus(
    study: Study, consensus: Consensus, *, people: Sequence[str] | None = None
) -> list[Commit]:
    """File what people agree on as verdicts of `person/consensus`; return what was committed.

    Every labelled prediction of every trial gets a verdict: one that is not settled is unparsed.
    Doing it twice changes nothing; systems without labels any more lose their partition.

    Args:
        study: an open study.
        consensus: the rule.
        people: scorer ids of the people who count; by default everybody who labelled.

    Raises:
        MissingVerdictsError: there are no labels of these people.
    """
    snapshot = study.snapshot()
    rows = _outside_rows(snapshot).filter("is_current")
    named = people_of(rows["scorer_id"].unique().to_list()) if people is None else tuple(people)
    labels = _label_counts(rows.filter(pl.col("scorer_id").is_in(list(named))))
    if not labels.height:
        raise MissingVerdictsError(
            f"a consensus needs labels of people (scorers {PERSON_PREFIX}NAME), got none of "
            f"{', '.join(named) or 'anybody'}; import a table of labels first"
        )
    version = "1"
    study.add_scorer(
        CONSENSUS,
        version,
        name="consensus of people",
        spec=json.dumps(
            {
                "scorer": "consensus",
                "people": list(named),
                "rule": consensus.rule,
                "least": consensus.needed(len(named)),
            },
            sort_keys=True,
        ),
        package_version=__version__,
    )
    held = snapshot.scan("verdicts").filter(pl.col("scorer_id").eq(CONSENSUS)).select("system_id")
    commits = []
    for system_id in sorted({*labels["system_id"], *held.collect()["system_id"]}):
        own = labels.filter(pl.col("system_id").eq(system_id))
        commits.append(
            study.commit(
                "verdicts",
                _consensus_frame(own, consensus, people=len(named), version=version),
                partition={
                    "scorer_id": CONSENSUS,
                    "scorer_version": version,
                    "system_id": system_id,
                },
            )
        )
    return commits


def _label_counts(rows: pl.DataFrame) -> pl.DataFrame:
    """Return labels by code of every prediction that has some, with the present digests."""
    scored, value = pl.col("status").eq("scored"), pl.col("value")
    return (
        rows.filter(scored | pl.col("status").eq("unparsed"))
        .group_by(*KEYS, maintain_order=False)
        .agg(
            (scored & value.lt(RIGHT)).sum().alias(str(INCORRECT)),
            (scored & value.ge(RIGHT)).sum().alias(str(CORRECT)),
            (~scored).sum().alias(str(NOT_SURE)),
            text_digest=pl.col("text_now").first(),
            item_digest=pl.col("item_now").first(),
        )
        .sort(*KEYS)
    )


def _consensus_frame(
    labels: pl.DataFrame, consensus: Consensus, *, people: int, version: str
) -> pl.DataFrame:
    rows = [
        verdict_row(
            consensus_verdict(
                [row[str(code)] for code in (INCORRECT, CORRECT, NOT_SURE)],
                consensus,
                people=people,
            ),
            item_id=row["item_id"],
            trial=row["trial"],
            text_digest=row["text_digest"],
            item_digest=row["item_digest"],
        )
        | {"system_id": row["system_id"], "scorer_id": CONSENSUS, "scorer_version": version}
        for row in labels.iter_rows(named=True)
    ]
    return pl.DataFrame(rows, schema=VERDICTS.polars_schema)
