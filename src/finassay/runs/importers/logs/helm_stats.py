"""Statistics of HELM.  In: `per_instance_stats.json` and `stats.json`.  Out: verdicts and totals.

`per_instance_stats.json` holds several entries for one instance, one for each metric object: they
are merged on instance, perturbation and train trial.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from finassay.records import Verdict, content_id
from finassay.runs.importers.logs import parts as of
from finassay.runs.importers.logs.base import LoggedScore, Mark
from finassay.runs.importers.logs.values import tool_scorer
from finassay.runs.importers.logs.walking import Walker
from finassay.runs.importers.report import counted_noun

TOOL = "helm"

BOOKKEEPING = (
    *("num_", "inference_", "training_", "finish_reason_", "predicted_index", "logprob"),
    *("max_prob", "batch_size", "prompt_truncated", "estimated_", "logprob_per_", "bits_per_byte"),
    *("perplexity", "runtime", "denoised_", "idealized_", "_calibration", "ece_", "platt_"),
)
"""Beginnings of the names of statistics that say nothing of whether an answer is right."""

_PLAIN = frozenset({"name", "robustness", "fairness", "computed_on"})


class Instance(NamedTuple):
    """What a prediction of HELM is of: an instance, as perturbed, under one choice of examples."""

    instance_id: str
    variant: str
    trial: int

    @property
    def item_id(self) -> str:
        """The instance's id, with the perturbation where there is one: its text is another."""
        return f"{self.instance_id}~{self.variant}" if self.variant else self.instance_id


def variant(perturbation: object) -> str:
    """Return the name of a perturbation, with a digest of its parameters where it has some."""
    found = of.mapping(perturbation)
    name = of.text(found, "name")
    more = [f"{key}={found[key]!r}" for key in sorted(found) if key not in _PLAIN]
    return f"{name}-{content_id(*more)[:8]}" if name and more else name


def key_of(instance_id: str, perturbation: object, holder: of.JsonMap) -> Instance | None:
    """Return what an entry is of, or None where it names no instance."""
    if not instance_id:
        return None
    return Instance(instance_id, variant(perturbation), of.count(holder, "train_trial_index") or 0)


class Stats:
    """Statistics by instance, merged over the entries for each."""

    def __init__(self) -> None:
        self._values: dict[Instance, dict[str, float]] = {}
        self._outside: Counter[str] = Counter()

    def add(self, where: Instance, values: Mapping[str, object]) -> None:
        """Keep the finite numbers among the statistics of an instance."""
        kept = self._values.setdefault(where, {})
        for name, value in values.items():
            found = of.number(value)
            if found is not None:
                kept[name] = found
                if not _is_bookkeeping(name) and not 0.0 <= found <= 1.0:
                    self._outside[name] += 1

    def value(self, where: Instance, name: str) -> float | None:
        """Return one statistic of an instance, or None."""
        return self._values.get(where, {}).get(name)

    def shares(self, where: Instance) -> Iterator[tuple[str, float]]:
        """Yield the statistics of an instance that may be verdicts: in [0, 1] on all of them."""
        for name, value in self._values.get(where, {}).items():
            if not _is_bookkeeping(name) and not self._outside[name]:
                yield name, min(1.0, max(0.0, value))

    def is_share(self, name: str) -> bool:
        """Return whether a statistic is a share of right answers as far as its values tell."""
        return not _is_bookkeeping(name) and not self._outside[name]

    def notes(self) -> Iterator[str]:
        """Yield which statistics are not taken for verdicts."""
        for name, n in sorted(self._outside.items()):
            values = counted_noun(n, "value")
            yield f"statistic {name!r} has {values} outside [0, 1]: it is not read as a verdict"


def _is_bookkeeping(name: str) -> bool:
    return name.startswith(BOOKKEEPING)


def read_stats(walker: Walker, stats: Stats) -> Iterator[tuple[int, str]]:
    """Read all entries; yield the number and the reason of each that cannot be used.

    Raises:
        InputError: the file breaks off or is no JSON.
    """
    for place in walker.elements():
        entry = of.mapping(walker.value())
        where = key_of(of.text(entry, "instance_id"), entry.get("perturbation"), entry)
        if where is None:
            yield place, "expected statistics with instance_id"
            continue
        stats.add(where, _means(entry))


def _means(entry: of.JsonMap) -> dict[str, object]:
    """Return name -> mean of the statistics of an entry; some versions leave the mean out."""
    found: dict[str, object] = {}
    for one in of.listed(entry, "stats"):
        name = of.text(one, "name", "name")
        mean, total, n = (of.number(one, key) for key in ("mean", "sum", "count"))
        if mean is None and total is not None and n:
            mean = total / n
        if name and mean is not None:
            found[name] = mean
    return found


def marks_of(stats: Stats, where: Instance, extracted: str | None, error: str) -> tuple[Mark, ...]:
    """Return HELM's verdicts on one prediction."""
    return tuple(
        Mark(
            tool_scorer(TOOL, name),
            Verdict(status="scored", value=value, extracted=extracted, reason=error),
        )
        for name, value in stats.shares(where)
    )


def task_of(task: str, changed: str) -> str:
    """Return the name of a task as perturbed: its scores are other ones than the task's own."""
    return f"{task}~{changed}" if changed else task


def logged_scores(totals: object, stats: Stats) -> Iterator[tuple[str, LoggedScore]]:
    """Yield what `stats.json` prints, with the perturbation: means over instances and trials.

    The worst over an instance and its perturbations, and that of a part of a split, are no means
    of the verdicts.
    """
    for one in of.listed(totals):
        name = of.mapping(one, "name")
        metric, mean = of.text(name, "name"), of.number(one, "mean")
        if not metric or mean is None or not stats.is_share(metric):
            continue
        parts = [of.text(name, "split"), of.text(name, "sub_split")]
        changed = variant(name.get("perturbation"))
        computed = of.text(name, "perturbation", "computed_on")
        is_whole = not parts[1] and parts[0] in ("test", "") and computed in ("", "perturbed")
        score = LoggedScore(
            scorer_id=tool_scorer(TOOL, metric),
            metric=":".join(part for part in ("mean", *parts, computed) if part),
            value=mean,
            is_share=is_whole,
        )
        yield changed, score
