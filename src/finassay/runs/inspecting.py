"""The two places where Inspect is called.  In: names and settings.  Out: a model; replies asked.

Both turn Inspect's errors into ours, so that nothing else needs to know them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from finassay import stopping
from finassay.errors import RunError, UsageError
from finassay.runs.requests import Asking, Effort

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.model import Model


def make_model(name: str, asking: Asking, effort: Effort) -> Model:
    """Return Inspect's model of a name, set up for a run.

    Raises:
        UsageError: there is no such provider, a package or key is missing, or it takes no such
            argument.
    """
    from inspect_ai._util.error import PrerequisiteError  # noqa: PLC0415 - an optional package
    from inspect_ai.model import GenerateConfig, get_model  # noqa: PLC0415 - an optional package

    decoding = asking.decoding
    config = GenerateConfig(
        max_tokens=decoding.budget,
        temperature=decoding.temperature,
        seed=decoding.seed,
        stop_seqs=list(decoding.stop) or None,
        reasoning_effort=asking.effort,
        max_retries=effort.retries,
        attempt_timeout=effort.timeout_s,
        max_connections=effort.connections,
    )
    try:
        return get_model(
            name,
            config=config,
            base_url=effort.base_url,
            memoize=False,
            **cast("Any", dict(asking.model_args)),
        )
    except PrerequisiteError as error:
        raise UsageError(f"the model {name!r} cannot be used: {_plain(error.message)}") from error
    except (ImportError, TypeError, ValueError) as error:
        raise UsageError(
            f"the model {name!r} cannot be used: {error}"
            "; name it as PROVIDER/MODEL, and see that the package of its provider is installed"
        ) from error


def _plain(message: object) -> str:
    """Return what a message for the terminal says, on one line."""
    from rich.text import Text  # noqa: PLC0415 - only for a message

    text = Text.from_markup(message).plain if isinstance(message, str) else str(message)
    return " ".join(text.split())


def evaluate(task: Task, model: Model, log_dir: str, effort: Effort) -> None:
    """Let Inspect ask a task's samples; what comes is taken where it comes in.

    Raises:
        KeyboardInterrupt: somebody stopped it.
        RunError: Inspect ended with an error that is no sample's.
    """
    from inspect_ai import eval as inspect_eval  # noqa: PLC0415 - an optional package
    from inspect_ai._util.error import PrerequisiteError  # noqa: PLC0415 - an optional package

    try:
        with stopping.left_to_python():
            logs = inspect_eval(
                task,
                model=model,
                display="none",
                log_dir=log_dir,
                log_samples=effort.log_dir is not None,
                log_realtime=False,
                log_level="error",
                score=False,
                fail_on_error=False,
                ctl_server=False,
                max_samples=effort.connections * 2,
            )
    except PrerequisiteError as error:
        raise RunError(f"Inspect cannot run this: {_plain(error.message)}") from error
    # Inspect takes an interrupt for itself and returns what it has, which may be no log at all.
    if not logs or any(log.status == "cancelled" for log in logs):
        raise KeyboardInterrupt
    for log in logs:
        if log.status == "error":
            told = log.error.message if log.error else "it does not say why"
            raise RunError(
                f"Inspect ended with an error: {told}; what had come is kept, run again to go on"
            )
