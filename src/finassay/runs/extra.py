"""Inspect, which only runs need.  In: nothing.  Out: the package is there, or an error."""

from __future__ import annotations

from importlib import import_module, util

from finassay.errors import MissingExtraError


def load_inspect() -> None:
    """Import Inspect, which takes seconds.

    Raises:
        MissingExtraError: it is not installed, or cannot be imported.
    """
    try:
        import_module("inspect_ai")
    except ImportError as error:
        raise MissingExtraError(
            f"running models needs the package 'inspect-ai', which cannot be imported ({error}); "
            f"install it with: pip install 'finassay[run]'"
        ) from error


def require_inspect() -> None:
    """Check that Inspect is installed, without importing it.

    Raises:
        MissingExtraError: it is not.
    """
    if util.find_spec("inspect_ai") is None:
        raise MissingExtraError(
            "running models needs the package 'inspect-ai', which is not installed; install it "
            "with: pip install 'finassay[run]'"
        )
