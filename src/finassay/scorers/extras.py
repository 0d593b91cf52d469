"""Packages that only some scorers need.  In: a module's name.  Out: the module, or an error."""

from __future__ import annotations

import importlib
from types import ModuleType

from finassay.errors import MissingExtraError


def load_extra(module: str, *, scorer: str, extra: str) -> ModuleType:
    """Return a module of an optional package, imported when it is first asked for.

    Args:
        module: its full name.
        scorer: the scorer that needs it.
        extra: the extra of this package that installs it.

    Raises:
        MissingExtraError: it is not installed, or cannot be imported.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"the scorer {scorer!r} needs the package {module.partition('.')[0]!r}, which cannot "
            f"be imported ({error}); install it with: pip install 'finassay[{extra}]'"
        ) from error
