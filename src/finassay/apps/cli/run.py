"""The command that runs models."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finassay.apps.cli import show
from finassay.apps.cli.options import JsonTarget
from finassay.errors import RunError, UsageError

if TYPE_CHECKING:
    from finassay.integrations.open_book import RetrievedPassages
    from finassay.records import Item
    from finassay.runs.prompts import Thinking
    from finassay.runs.report import RunReport
    from finassay.runs.requests import Asking, Effort
    from finassay.runs.requests import ReasoningEffort as ReasoningLevel
    from finassay.runs.running import RunRequest
    from finassay.runs.shots import Shots
    from finassay.study import Study

Benchmark = Annotated[
    str,
    typer.Argument(help="A benchmark that the study holds, a bundled one, or a file of items."),
]
InStudy = Annotated[
    Path, typer.Option("--study", help="Directory of the study; made if there is none.")
]
Models = Annotated[
    list[str],
    typer.Option("--model", metavar="PROVIDER/MODEL", help="As Inspect names models; repeat."),
]
ArmName = Annotated[str, typer.Option(help="Prompt: free or exact-answer.")]
ThinkingWay = Annotated[
    str,
    typer.Option(help="Keep reasoning down: as-is (do not), effort-none, no-think, instructed."),
]
Budget = Annotated[
    int, typer.Option(help="Most tokens of a reply, the same for every model.", min=1)
]
Temperature = Annotated[
    float | None, typer.Option(help="Sampling temperature; the provider's own by default.")
]
SamplingSeed = Annotated[
    int | None, typer.Option("--seed", help="Sampling seed, for providers that take one.")
]
Stop = Annotated[list[str] | None, typer.Option(help="Text at which a reply ends; repeat.")]
ReasoningEffort = Annotated[
    str | None,
    typer.Option("--reasoning-effort", help="none, minimal, low, medium or high."),
]
Trials = Annotated[int, typer.Option(help="Times that each item is asked.", min=1)]
Limit = Annotated[int | None, typer.Option(help="Only the first items, by their ids.", min=1)]
Pilot = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Only N items of each task and difficulty, with a projection.", min=1
    ),
]
ShotCount = Annotated[int, typer.Option("--shots", help="Worked examples in each prompt.", min=0)]
ShotsFrom = Annotated[
    str | None,
    typer.Option(help="Benchmark or file of the examples; by default the items themselves."),
]
ShotsSeed = Annotated[int, typer.Option(help="Which examples are taken.")]
OpenBook = Annotated[
    Path | None,
    typer.Option(
        metavar="INDEX", help="Find the passages in this index; the items' own are not shown."
    ),
]
OpenBookCount = Annotated[
    int | None,
    typer.Option("--k", help="Passages of the index in each prompt, 1 to 100; 5 by default."),
]
OpenBookMode = Annotated[
    str | None, typer.Option("--mode", help="hybrid (the default), dense or lexical (BM25).")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the plan; ask nothing.")]
MaxCost = Annotated[
    float | None, typer.Option(metavar="USD", help="Never spend more in this command.", min=0)
]
MaxRequests = Annotated[
    int | None, typer.Option(help="Send no more requests in this command.", min=0)
]
PriceTable = Annotated[
    Path | None, typer.Option("--price", help="TOML: model, USD for a million tokens in and out.")
]
Provider = Annotated[
    str | None, typer.Option(help="Name of the provider, where the model's own says too little.")
]
ModelArgs = Annotated[
    list[str] | None,
    typer.Option(
        "-M", "--model-arg", metavar="KEY=VALUE", help="Passed on to the provider; repeat."
    ),
]
BaseUrl = Annotated[
    str | None, typer.Option(help="Where the model is served; not part of its identity.")
]
Connections = Annotated[
    int, typer.Option("--max-connections", help="Most requests at a time.", min=1)
]
Retries = Annotated[int, typer.Option(help="Repeats of a request that failed in passing.", min=0)]
Timeout = Annotated[int, typer.Option(help="Seconds after which a request is sent again.", min=1)]
LongestWait = Annotated[
    float, typer.Option("--max-wait", help="Most seconds between two tries.", min=0)
]
Name = Annotated[
    str | None, typer.Option(help="Display name of the system; made of its settings by default.")
]
LogDir = Annotated[
    Path | None, typer.Option(help="Keep Inspect's own logs here; by default none are kept.")
]
LandEvery = Annotated[
    int, typer.Option(help="Answers between two writings of the study's tables.", min=1)
]


def run(
    benchmark: Benchmark,
    study: InStudy,
    model: Models,
    arm: ArmName = "free",
    thinking: ThinkingWay = "as-is",
    budget: Budget = 512,
    temperature: Temperature = None,
    seed: SamplingSeed = None,
    stop: Stop = None,
    reasoning_effort: ReasoningEffort = None,
    trials: Trials = 1,
    limit: Limit = None,
    pilot: Pilot = None,
    shots: ShotCount = 0,
    shots_from: ShotsFrom = None,
    shots_seed: ShotsSeed = 0,
    open_book: OpenBook = None,
    k: OpenBookCount = None,
    mode: OpenBookMode = None,
    dry_run: DryRun = False,
    max_cost: MaxCost = None,
    max_requests: MaxRequests = None,
    price: PriceTable = None,
    provider: Provider = None,
    model_arg: ModelArgs = None,
    base_url: BaseUrl = None,
    max_connections: Connections = 10,
    retries: Retries = 5,
    timeout: Timeout = 600,
    max_wait: LongestWait = 60.0,
    name: Name = None,
    log_dir: LogDir = None,
    land_every: LandEvery = 500,
    json: JsonTarget = None,
) -> None:
    """Ask models the items of a benchmark and keep their answers in a study.

    Only what the study holds no answer to is asked, so the same command goes on where it was
    stopped, and asks again what ended in an error.
    """
    from finassay.runs.prices import read_prices
    from finassay.runs.requests import Asking, Decoding, Effort

    decoding = Decoding(
        budget=budget,
        temperature=temperature,
        seed=seed,
        stop=tuple(stop or ()),
        effort=reasoning_level(reasoning_effort),
    )
    asking = Asking(
        arm=arm,
        thinking=thinking_way(thinking),
        decoding=decoding,
        model_args=model_args(model_arg or []),
        provider=provider,
        name=name,
        passages=_passages(open_book, k, mode),
    )
    effort = Effort(
        connections=max_connections,
        retries=retries,
        timeout_s=timeout,
        longest_wait_s=max_wait,
        base_url=base_url,
        max_requests=max_requests,
        max_cost_usd=max_cost,
        prices=read_prices(price) if price else {},
        log_dir=None if log_dir is None else str(log_dir),
        land_every=land_every,
    )
    chosen = _Chosen(benchmark, tuple(model), asking, effort)
    report = chosen.carry_out(
        study,
        scope=(trials, limit, pilot),
        shots=(shots, shots_from, shots_seed),
        dry_run=dry_run,
    )
    show.result("run", report, json, report.to_lines())
    if not report.is_complete:
        left = sum(one.left for one in report.systems)
        raise RunError(f"{left} answers are still wanted; run the same command again to go on")


class _Chosen:
    """A command with everything but its study, its scope and its examples."""

    def __init__(
        self, benchmark: str, models: tuple[str, ...], asking: Asking, effort: Effort
    ) -> None:
        self.benchmark, self.models, self.asking, self.effort = benchmark, models, asking, effort

    def carry_out(
        self,
        path: Path,
        *,
        scope: tuple[int, int | None, int | None],
        shots: tuple[int, str | None, int],
        dry_run: bool,
    ) -> RunReport:
        from finassay.integrations.open_book import RetrievedPassages, run_open_book
        from finassay.runs.extra import require_inspect
        from finassay.runs.running import plan_run, require_runnable, run_models
        from finassay.study import Study

        if not dry_run:
            require_inspect()
        study = _study(path)
        request = self._request(study, scope, shots)
        if dry_run:
            return plan_run(study, request)
        if study is None:
            # A study is never taken back, so it is made when nothing speaks against the run.
            require_runnable(request)
            study = Study.open_or_create(path)
            request = self._request(study, scope, shots)
        with show.steps("asking") as progress:
            if isinstance(request.asking.passages, RetrievedPassages):
                return run_open_book(study, request, request.asking.passages, progress=progress)
            return run_models(study, request, progress=progress)

    def _request(
        self,
        study: Study | None,
        scope: tuple[int, int | None, int | None],
        shots: tuple[int, str | None, int],
    ) -> RunRequest:
        from dataclasses import replace

        from finassay.runs.choosing import items_to_run
        from finassay.runs.plan import Scope
        from finassay.runs.running import RunRequest

        trials, limit, pilot = scope
        items = items_to_run(study, self.benchmark)
        asking = replace(self.asking, shots=_shots(items, *shots))
        return RunRequest(
            items=items,
            models=self.models,
            asking=asking,
            scope=Scope(trials=trials, limit=limit, pilot=pilot),
            effort=self.effort,
        )


def _passages(index: Path | None, k: int | None, mode: str | None) -> RetrievedPassages | None:
    from finassay.apps.cli.rag import search_settings
    from finassay.integrations.open_book import RetrievedPassages
    from finassay.retrieval import Index

    if index is None:
        if k is not None or mode is not None:
            raise UsageError(
                "--k and --mode are about passages of an index; name one with --open-book INDEX"
            )
        return None
    search = search_settings("hybrid" if mode is None else mode)
    return RetrievedPassages(index=Index.open(index), k=5 if k is None else k, search=search)


def _study(path: Path) -> Study | None:
    from finassay.errors import NoStudyError
    from finassay.study import Study

    try:
        return Study.open(path)
    except NoStudyError:
        return None


def _shots(items: tuple[Item, ...], count: int, source: str | None, seed: int) -> Shots | None:
    from finassay.runs.choosing import items_to_run
    from finassay.runs.shots import Shots

    if not count:
        if source is not None:
            raise UsageError("--shots-from names examples and --shots is 0; ask for some")
        return None
    pool = items if source is None else items_to_run(None, source)
    return Shots(pool=pool, count=count, seed=seed)


def thinking_way(text: str) -> Thinking:
    """Return a way of keeping reasoning down.

    Raises:
        UsageError: there is none of that name.
    """
    from finassay.runs.prompts import THINKING

    for way in THINKING:
        if text == way:
            return way
    raise UsageError(f"--thinking must be one of {', '.join(THINKING)}, got {text!r}")


def reasoning_level(text: str | None) -> ReasoningLevel | None:
    """Return a level of reasoning effort, None for None.

    Raises:
        UsageError: there is none of that name.
    """
    from finassay.runs.requests import EFFORTS

    for level in EFFORTS:
        if text == level:
            return level
    if text is None:
        return None
    raise UsageError(f"--reasoning-effort must be one of {', '.join(EFFORTS)}, got {text!r}")


def model_args(texts: list[str]) -> dict[str, str | int | float | bool]:
    """Return model arguments of texts such as service_tier=flex.

    Raises:
        UsageError: one is not KEY=VALUE.
    """
    args: dict[str, str | int | float | bool] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not (key and equals):
            raise UsageError(f"a model argument is KEY=VALUE, as service_tier=flex; got {text!r}")
        args[key] = _value(value)
    return args


def _value(text: str) -> str | int | float | bool:
    """Return true, false and numbers as what they are, anything else as text."""
    truths = {"true": True, "false": False}
    if text.lower() in truths:
        return truths[text.lower()]
    if re.fullmatch(r"-?\d{1,15}", text):
        return int(text)
    if re.fullmatch(r"-?\d+\.\d+", text):
        return float(text)
    return text
