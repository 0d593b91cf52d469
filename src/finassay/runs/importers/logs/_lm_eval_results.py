"""Results files of lm-evaluation-harness.  In: a JSON document.  Out: a run, its scores."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from finassay.records import SystemSpec, content_id
from finassay.runs.importers.logs._fields import as_count, as_list, as_map, as_number, as_str
from finassay.runs.importers.logs._lm_eval_fields import TOOL, TaskFacts
from finassay.runs.importers.logs.base import LoggedScore, LogRun
from finassay.runs.importers.logs.values import tool_scorer

_MODEL_KEYS = ("pretrained", "model", "model_name", "path", "peft")
_PRIVATE = ("base_url", "api_key", "token", "device")
_SHAS = ("system_instruction_sha", "chat_template_sha")


class Results:
    """A results file, or nothing where there is none beside the samples."""

    def __init__(self, document: Mapping[str, object], folder: Path) -> None:
        self._document = document
        self._folder = folder

    @classmethod
    def read(cls, path: Path) -> Results:
        """Return the results in a file.

        Raises:
            ValueError: it holds no JSON object.
        """
        found = json.loads(path.read_bytes().decode("utf-8-sig"))
        if not isinstance(found, dict):
            raise ValueError(f"expected a JSON object, got {found!r:.80}")  # noqa: TRY004 - data
        return cls(found, path.parent)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Tasks and groups that have scores or a configuration."""
        names = [*as_map(self._document.get("configs")), *as_map(self._document.get("results"))]
        return tuple(dict.fromkeys(names))

    def facts(self, task: str) -> TaskFacts:
        """Return what is told of a task."""
        config = as_map(as_map(self._document.get("configs")).get(task))
        filters = [as_str(as_map(one).get("name")) for one in as_list(config.get("filter_list"))]
        return TaskFacts(
            task=task,
            filters=tuple(name for name in filters if name),
            output_type=as_str(config.get("output_type")),
        )

    def scores(self, task: str) -> list[LoggedScore]:
        """Return the scores that were printed for a task or a group."""
        told = as_map(as_map(self._document.get("results")).get(task))
        count = as_count(as_map(as_map(self._document.get("n-samples")).get(task)).get("effective"))
        found = []
        for key, value in told.items():
            metric, comma, filter_name = key.partition(",")
            number = as_number(value)
            if number is None or metric in ("alias", "name", "sample_len"):
                continue
            plain = metric.removesuffix("_stderr")
            scorer_id = tool_scorer(TOOL, plain, filter_name if comma else "none")
            kind = "stderr" if plain != metric else self._aggregation(task, plain)
            found.append(LoggedScore(scorer_id, kind, number, count, kind == "mean"))
        return found

    def _aggregation(self, task: str, metric: str) -> str:
        """Return how a metric is summed up over a task; the mean where nothing else is said."""
        config = as_map(as_map(self._document.get("configs")).get(task))
        for one in map(as_map, as_list(config.get("metric_list"))):
            if one.get("metric") == metric:
                return as_str(one.get("aggregation")) or "mean"
        return "mean" if config else "over tasks"

    def specs(self, task: str) -> list[tuple[str, str]]:
        """Return (scorer id, how it is made) for the metrics of a task."""
        config = as_map(as_map(self._document.get("configs")).get(task))
        filters = {
            as_str(as_map(one).get("name")): as_map(one).get("filter")
            for one in as_list(config.get("filter_list"))
        }
        found = []
        for score in self.scores(task):
            metric, _, filter_name = score.scorer_id.removeprefix(f"imported/{TOOL}/").partition(
                "/"
            )
            made = [
                one
                for one in as_list(config.get("metric_list"))
                if as_map(one).get("metric") == metric
            ]
            spec = json.dumps({"metric": made, "filter": filters.get(filter_name)}, sort_keys=True)
            found.append((score.scorer_id, spec))
        return found

    def run(self, key: str) -> LogRun:
        """Return the run; `key` names it where the document does not."""
        config = as_map(self._document.get("config"))
        arguments = _arguments(config.get("model_args"))
        model = self._model(config, arguments)
        return LogRun(
            tool=TOOL,
            key=self._key(model, key),
            system=SystemSpec(
                name=model,
                model=model,
                provider=as_str(config.get("model")) or as_str(self._document.get("model_source")),
                decoding=_decoding(config, arguments),
                prompt_arm=self._arm(),
            ),
            started=str(self._document.get("date") or ""),
            packages=self._packages(),
        )

    def _model(self, config: Mapping[str, object], arguments: Mapping[str, str]) -> str:
        """Return the model: the tool makes up a random name where its arguments name none."""
        named = next((arguments[one] for one in _MODEL_KEYS if arguments.get(one)), "")
        return named or as_str(config.get("model")) or self._folder.name

    def _key(self, model: str, key: str) -> str:
        date = self._document.get("date")
        results = json.dumps(self._document.get("results"), sort_keys=True)
        told = f"{date}" if date else content_id(results)
        return f"{model} {told}" if self._document else key

    def _arm(self) -> str:
        told = [f"{name}={value}" for name in _SHAS if (value := self._document.get(name))]
        if self._document.get("fewshot_as_multiturn"):
            told.append("fewshot_as_multiturn")
        return ", ".join(told)

    def _packages(self) -> tuple[tuple[str, str], ...]:
        names = {"lm_eval": "lm_eval_version", "transformers": "transformers_version"}
        told = {name: as_str(self._document.get(key)) for name, key in names.items()}
        return tuple(sorted((name, one) for name, one in told.items() if one not in ("", "N/A")))


def _arguments(told: object) -> dict[str, str]:
    """Return the model's arguments, written as "a=b,c=d" or as an object."""
    if isinstance(told, dict):
        return {str(name): str(value) for name, value in told.items()}
    pieces = [one.partition("=") for one in as_str(told).split(",") if "=" in one]
    return {name.strip(): value.strip() for name, _, value in pieces}


def _decoding(
    config: Mapping[str, object], arguments: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    said = {
        f"model_args.{name}": value
        for name, value in arguments.items()
        if name not in _MODEL_KEYS and not any(word in name for word in _PRIVATE)
    }
    given = config.get("gen_kwargs")
    if given:
        said["gen_kwargs"] = given if isinstance(given, str) else json.dumps(given, sort_keys=True)
    return tuple(sorted(said.items()))


def task_in_name(path: Path, tasks: tuple[str, ...]) -> str:
    """Return the task of a file of samples, which only its name tells.

    Names are samples_TASK_DATE.jsonl, and MODEL_ARGS_TASK.jsonl before 0.4.3.
    """
    stem = path.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")
    dated = re.fullmatch(r"samples_(?P<task>.+)_\d{4}-\d\d-\d\dT[\d.-]+", stem)
    if dated:
        return dated["task"]
    ends = [task for task in tasks if stem == task or stem.endswith((f"_{task}", f"-{task}"))]
    return max(ends, key=len, default=stem)


def date_in_name(path: Path) -> str:
    """Return the date that ends the name of a file, "" where there is none."""
    found = re.search(r"_(\d{4}-\d\d-\d\dT[\d.-]*\d)\.jsonl?(?:\.gz)?$", path.name)
    return found[1] if found else ""
