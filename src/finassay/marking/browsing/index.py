"""What is known of every item without a text.  In: a snapshot.  Out: codes and short columns.

An index holds one byte for each item, system and scorer, and the short columns of items: enough to
filter, order and count, so that texts are read for one page at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from finassay.errors import UnknownNameError
from finassay.marking.browsing.records import Facets, Outcome, ScorerKind
from finassay.marking.matrix import RIGHT
from finassay.marking.regimes import BASE_CHOICES, REGIME_PREFIX
from finassay.marking.table import newest_versions
from finassay.records import DIFFICULTY_ORDER, IMPORTED_PREFIX, JUDGE_PREFIX
from finassay.study.label_records import person_scorer
from finassay.study.snapshot import Snapshot

Codes = NDArray[np.uint8]

OUTCOMES: tuple[Outcome, ...] = ("absent", "unscored", "wrong", "right")
"""What the codes 0, 1, 2 and 3 of an index say."""

ABSENT, UNSCORED, WRONG, IS_RIGHT = range(4)

_COLUMNS = ("benchmark", "family", "task", "difficulty")
_PEOPLE = (person_scorer(""), IMPORTED_PREFIX + person_scorer(""))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemIndex:
    """Light columns of all items, and what every scorer says of every system's reply.

    Attributes:
        items: I item ids, sorted.
        benchmarks: I benchmarks.
        families: I families.
        tasks: I tasks.
        difficulties: I difficulty labels.
        systems: S display names, sorted.
        system_ids: their S ids.
        scorers: R scorer ids, sorted.
        codes: (R, I, S) uint8, index into `OUTCOMES`: newest version, first repeat.
        replied: (I, S) whether the system has a reply to the item in this trial.
        trial: the trial that codes and replies are of.
        trials: trials that the study holds.
    """

    items: tuple[str, ...]
    benchmarks: tuple[str, ...]
    families: tuple[str, ...]
    tasks: tuple[str, ...]
    difficulties: tuple[str, ...]
    systems: tuple[str, ...]
    system_ids: tuple[str, ...]
    scorers: tuple[str, ...]
    codes: Codes
    replied: NDArray[np.bool_]
    trial: int
    trials: tuple[int, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        """Scorers whose differences count: rules and judges; regimes only repeat them."""
        return tuple(one for one in self.scorers if kind_of(one) in {"rule", "judge"})

    @property
    def primary(self) -> str | None:
        """The rule that says who is right unless another is asked for; None without verdicts."""
        known = (*BASE_CHOICES, *self.rules, *self.scorers)
        return next((one for one in known if one in self.scorers), None)

    def rule(self, asked: str) -> str | None:
        """Return the scorer asked for, or the primary one for "".

        Raises:
            UnknownNameError: the study holds no verdicts of it.
        """
        if not asked:
            return self.primary
        if asked not in self.scorers:
            raise UnknownNameError(
                f"the study holds no verdicts of {asked!r}; there are: "
                f"{', '.join(self.scorers) or 'none'}"
            )
        return asked

    def said(self, scorer: str | None) -> Codes:
        """Return the (I, S) codes of one scorer; all absent for None."""
        if scorer is None:
            return np.zeros(self.codes.shape[1:], dtype=np.uint8)
        found: Codes = self.codes[self.scorers.index(scorer)]
        return found

    def system_at(self, name: str) -> int:
        """Return the place of a system.

        Raises:
            UnknownNameError: no system has that display name.
        """
        if name not in self.systems:
            raise UnknownNameError(
                f"there is no system {name!r} among {len(self.systems)}; give a display name, as "
                f"{self.systems[:1]}"
            )
        return self.systems.index(name)

    @property
    def facets(self) -> Facets:
        """What items can be filtered by."""
        return Facets(
            benchmarks=_counted(self.benchmarks),
            families=_counted(self.families),
            tasks=_counted(self.tasks),
            difficulties=tuple(
                sorted(_counted(self.difficulties), key=lambda one: difficulty_key(one[0]))
            ),
        )


def kind_of(scorer_id: str) -> ScorerKind:
    """Return what stands behind the verdicts of a scorer."""
    if scorer_id.startswith(REGIME_PREFIX):
        return "regime"
    if scorer_id.startswith(JUDGE_PREFIX):
        return "judge"
    return "person" if scorer_id.startswith(_PEOPLE) else "rule"


def difficulty_key(label: str) -> tuple[int, str]:
    """Return a key that puts easy before medium before hard, and other labels after."""
    known = label.casefold()
    place = DIFFICULTY_ORDER.index(known) if known in DIFFICULTY_ORDER else len(DIFFICULTY_ORDER)
    return place, label


def build_index(snapshot: Snapshot, *, trial: int = 0) -> ItemIndex:
    """Return the index of a study.

    Verdicts are read one scorer at a time, without their texts.

    Args:
        snapshot: pinned tables.
        trial: the trial whose verdicts are counted.
    """
    light = snapshot.scan("items").select("item_id", *_COLUMNS).collect().sort("item_id")
    columns = {name: _texts(light[name]) for name in ("item_id", *_COLUMNS)}
    specs = snapshot.systems()
    scorers = snapshot.scorer_ids()
    codes = np.zeros((len(scorers), light.height, len(specs)), dtype=np.uint8)
    item_at = light.select("item_id").with_row_index("row")
    system_at = pl.DataFrame(
        {"system_id": [spec.system_id for spec in specs]}, schema={"system_id": pl.String}
    ).with_row_index("column")
    for at, scorer_id in enumerate(scorers):
        rows = _verdicts(snapshot, scorer_id, trial)
        placed = rows.join(item_at, on="item_id").join(system_at, on="system_id")
        codes[at, placed["row"].to_numpy(), placed["column"].to_numpy()] = placed["code"].to_numpy()
    held = snapshot.scan("predictions").select("item_id", "system_id", "trial").collect()
    own = held.filter(pl.col("trial").eq(trial)).join(item_at, on="item_id")
    own = own.join(system_at, on="system_id")
    replied = np.zeros(codes.shape[1:], dtype=np.bool_)
    replied[own["row"].to_numpy(), own["column"].to_numpy()] = True
    codes.flags.writeable = replied.flags.writeable = False
    return ItemIndex(
        items=columns["item_id"],
        benchmarks=columns["benchmark"],
        families=columns["family"],
        tasks=columns["task"],
        difficulties=columns["difficulty"],
        systems=tuple(spec.name for spec in specs),
        system_ids=tuple(spec.system_id for spec in specs),
        scorers=scorers,
        codes=codes,
        replied=replied,
        trial=trial,
        trials=tuple(cast("list[int]", held["trial"].unique().sort().to_list())),
    )


def _texts(column: pl.Series) -> tuple[str, ...]:
    return tuple(cast("list[str]", column.fill_null("").to_list()))


def _verdicts(snapshot: Snapshot, scorer_id: str, trial: int) -> pl.DataFrame:
    """Return item, system and code of the newest verdicts of one scorer."""
    value = pl.col("value")
    code = pl.when(value.is_null()).then(UNSCORED).when(value.ge(RIGHT)).then(IS_RIGHT)
    rows = (
        snapshot.scan("verdicts")
        .filter(pl.col("scorer_id").eq(scorer_id), pl.col("trial").eq(trial))
        .filter(pl.col("repeat").eq(0))
        .select(
            "item_id",
            "system_id",
            "scorer_id",
            "scorer_version",
            code=code.otherwise(WRONG).cast(pl.UInt8),
        )
        .collect()
    )
    return newest_versions(rows)


def _counted(values: Sequence[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((value, count) for value, count in Counter(values).items() if value))
