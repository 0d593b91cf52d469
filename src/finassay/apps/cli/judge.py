"""The command that has models judge what a study holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from finassay.apps.cli import show
from finassay.apps.cli.options import JsonTarget, StudyPath
from finassay.apps.cli.run import (
    BaseUrl,
    Connections,
    DryRun,
    LandEvery,
    LogDir,
    LongestWait,
    MaxCost,
    MaxRequests,
    ModelArgs,
    Name,
    PriceTable,
    Provider,
    ReasoningEffort,
    Retries,
    SamplingSeed,
    ThinkingWay,
    Timeout,
    model_args,
    reasoning_level,
    thinking_way,
)
from finassay.errors import RunError

if TYPE_CHECKING:
    from finassay.judges.identity import PromptVariant, ReferenceArm, Task, Tolerance
    from finassay.judges.protocol import Protocol
    from finassay.judges.request import JudgeRequest

Judges = Annotated[
    list[str],
    typer.Option("--judge", metavar="PROVIDER/MODEL", help="As Inspect names models; repeat."),
]
Arms = Annotated[
    list[str] | None,
    typer.Option(
        "--arm",
        help="Reference that the judge is shown: none, self, human, verified, wrong, random; "
        "repeat.  [default: human]",
    ),
]
TaskName = Annotated[
    str, typer.Option("--task", help="single, pairwise, rubric, rating or alignment.")
]
Prompts = Annotated[
    list[str] | None,
    typer.Option("--prompt", help="Wording of the prompt: A or B; repeat.  [default: A]"),
]
Tolerances = Annotated[
    list[str] | None,
    typer.Option(
        "--tolerance",
        help="Rounding clause: exact, 0.1% or 1%; repeat; by default the prompt has none.",
    ),
]
Votes = Annotated[int, typer.Option(help="Times that each prompt is asked.", min=1)]
Temperature = Annotated[float, typer.Option(help="Sampling temperature of the votes.")]
Budget = Annotated[int, typer.Option(help="Most tokens of a judge's reply.", min=1)]
Systems = Annotated[
    list[str] | None,
    typer.Option("--system", help="Only answers of this system; repeat.  [default: all]"),
]
Jury = Annotated[
    str | None, typer.Option(metavar="NAME", help="Also file the majority of all judges.")
]
BothOrders = Annotated[
    bool, typer.Option("--both-orders/--one-order", help="Show each pair in both orders.")
]
Passages = Annotated[
    bool, typer.Option("--passages/--no-passages", help="Show the passages of a question.")
]
SendEmpty = Annotated[
    bool, typer.Option("--send-empty", help="Send empty replies too, and flag them.")
]
AllTasks = Annotated[
    bool, typer.Option("--all-tasks", help="Judge yes/no and choice questions too.")
]
ContextWindow = Annotated[
    int | None,
    typer.Option(
        help="Tokens of prompt and reply together; a prompt that does not fit is an error.", min=1
    ),
]
Limit = Annotated[int | None, typer.Option(help="Only the first items, by their ids.", min=1)]
RightBy = Annotated[
    str, typer.Option("--marked-right-by", metavar="SCORER", help="For the arm verified.")
]
ProtocolSeed = Annotated[int, typer.Option(help="Draws the marks around texts and the arm random.")]


def judge(
    study: StudyPath,
    judge: Judges,
    task: TaskName = "single",
    arm: Arms = None,
    prompt: Prompts = None,
    tolerance: Tolerances = None,
    votes: Votes = 5,
    temperature: Temperature = 0.7,
    jury: Jury = None,
    system: Systems = None,
    limit: Limit = None,
    both_orders: BothOrders = True,
    passages: Passages = True,
    send_empty: SendEmpty = False,
    all_tasks: AllTasks = False,
    marked_right_by: RightBy = "person/consensus",
    protocol_seed: ProtocolSeed = 0,
    context_window: ContextWindow = None,
    budget: Budget = 1024,
    thinking: ThinkingWay = "as-is",
    seed: SamplingSeed = None,
    reasoning_effort: ReasoningEffort = None,
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
    """Have models judge the answers of a study, and file their verdicts.

    Only what the judges have not been asked yet is sent, so the same command goes on where it was
    stopped, and asks again about what changed.
    """
    from finassay.judges.protocol import Protocol
    from finassay.judges.request import JudgeRequest
    from finassay.runs.prices import read_prices
    from finassay.runs.prompts import AS_WRITTEN
    from finassay.runs.requests import Asking, Decoding, Effort

    chosen = _Choices(
        task=task,
        arms=tuple(arm or ("human",)),
        prompts=tuple(prompt or ("A",)),
        tolerances=tuple(tolerance or (None,)),
    )
    plain = Protocol(
        votes=votes,
        temperature=temperature,
        both_orders=both_orders,
        passages=passages,
        send_empty=send_empty,
        all_tasks=all_tasks,
        seed=protocol_seed,
    )
    request = JudgeRequest(
        judges=tuple(judge),
        protocols=chosen.protocols(plain),
        asking=Asking(
            arm=AS_WRITTEN.name,
            thinking=thinking_way(thinking),
            decoding=Decoding(budget=budget, seed=seed, effort=reasoning_level(reasoning_effort)),
            model_args=model_args(model_arg or []),
            provider=provider,
            name=name,
        ),
        effort=Effort(
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
        ),
        systems=tuple(system) if system else None,
        limit=limit,
        context_window=context_window,
        jury=jury,
        marked_right_by=marked_right_by,
    )
    _carry_out(study, request, json, dry_run=dry_run)


class _Choices:
    """What the protocols differ in: every combination is one."""

    def __init__(
        self,
        *,
        task: str,
        arms: tuple[str, ...],
        prompts: tuple[str, ...],
        tolerances: tuple[str | None, ...],
    ) -> None:
        self.task, self.arms, self.prompts, self.tolerances = task, arms, prompts, tolerances

    def protocols(self, plain: Protocol) -> tuple[Protocol, ...]:
        """Return each combination, with the rest as in a plain protocol.

        Raises:
            UsageError: a word is none of its kind, or two do not go together.
        """
        from dataclasses import replace

        # The protocol checks each word itself.
        return tuple(
            replace(
                plain,
                task=cast("Task", self.task),
                arm=cast("ReferenceArm", arm),
                prompt=cast("PromptVariant", prompt),
                tolerance=cast("Tolerance | None", tolerance),
            )
            for arm in dict.fromkeys(self.arms)
            for prompt in dict.fromkeys(self.prompts)
            for tolerance in dict.fromkeys(self.tolerances)
        )


def _carry_out(path: Path, request: JudgeRequest, target: str | None, *, dry_run: bool) -> None:
    from finassay.judges import judge_study, plan_judging
    from finassay.runs.extra import require_inspect
    from finassay.study import Study

    study = Study.open(path)
    if dry_run:
        report = plan_judging(study, request)
    else:
        require_inspect()
        with show.steps("judging") as progress:
            report = judge_study(study, request, progress=progress)
    show.result("judge", report, target, report.to_lines())
    if not report.is_complete:
        left = sum(one.counts.left for one in report.judged)
        errors = sum(one.errors for one in report.votes.systems)
        raise RunError(
            f"{left} verdicts wait for votes, and {errors} votes ended in an error; run the same "
            f"command again to ask for them"
        )
