"""Packages that only some retrieval needs.  In: a module's name.  Out: the module, or an error."""

from __future__ import annotations

import importlib
from types import ModuleType

from finassay.errors import MissingExtraError


def load_extra(module: str, *, what: str, extra: str, instead: str) -> ModuleType:
    """Return a module of an optional package, imported when it is first asked for.

    Args:
        module: its full name.
        what: what needs it.
        extra: the extra of this package that installs it.
        instead: what can be done without it.

    Raises:
        MissingExtraError: it is not installed, or cannot be imported.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"{what} needs the package {module.partition('.')[0]!r}, which cannot be imported "
            f"({error}); install it with: pip install 'finassay[{extra}]', or {instead}"
        ) from error
